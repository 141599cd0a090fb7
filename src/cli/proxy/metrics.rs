//! What is counted, in the text format of Prometheus.

use std::fmt::Write as _;

use mcparse::Snapshot;

use super::counts::{BOUNDS, Counts, get};
use super::log;

/// All metrics.
pub(super) fn text(judged: &Snapshot, counts: &Counts) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = of_messages(&mut out, judged).and_then(|()| own(&mut out, counts));
    out
}

fn of_messages(out: &mut String, judged: &Snapshot) -> std::fmt::Result {
    let name = "mcparse_messages_total";
    head(out, name, "counter", "Messages that were accepted.")?;
    for (from, kind, count) in judged.messages() {
        let kind = format!("{kind:?}").to_lowercase();
        writeln!(out, "{name}{{sender=\"{from}\",kind=\"{kind}\"}} {count}")?;
    }
    let name = "mcparse_rule_total";
    head(out, name, "counter", "Messages that broke a rule, by what became of them.")?;
    for (rule, counts) in judged.rules() {
        for (action, count) in counts.by_action() {
            writeln!(out, "{name}{{rule=\"{rule}\",action=\"{action}\"}} {count}")?;
        }
    }
    for (name, help, count) in [
        ("mcparse_answers_replaced_total", "Answers replaced by an error.", judged.replaced()),
        ("mcparse_messages_dropped_total", "Messages of the server left out.", judged.dropped()),
    ] {
        head(out, name, "counter", help)?;
        writeln!(out, "{name} {count}")?;
    }
    Ok(())
}

fn own(out: &mut String, counts: &Counts) -> std::fmt::Result {
    let single = [
        ("mcparse_connections_total", "counter", "Connections taken.", get(&counts.connections)),
        ("mcparse_connections_open", "gauge", "Connections that are open.", get(&counts.open)),
        ("mcparse_http_requests_total", "counter", "HTTP requests.", get(&counts.requests)),
        (
            "mcparse_foreign_requests_total",
            "counter",
            "HTTP requests refused for their Host or Origin.",
            get(&counts.foreign),
        ),
        ("mcparse_log_lines_left_out_total", "counter", "Log lines not written.", log::left_out()),
    ];
    for (name, kind, help, value) in single {
        head(out, name, kind, help)?;
        writeln!(out, "{name} {value}")?;
    }
    let name = "mcparse_upstream_failures_total";
    head(out, name, "counter", "Requests that the upstream did not answer.")?;
    for (reason, count) in
        [("unreachable", &counts.unreachable), ("broken", &counts.broken), ("late", &counts.late)]
    {
        writeln!(out, "{name}{{reason=\"{reason}\"}} {}", get(count))?;
    }
    durations(out, counts)
}

fn durations(out: &mut String, counts: &Counts) -> std::fmt::Result {
    let name = "mcparse_upstream_seconds";
    head(out, name, "histogram", "How long the heads of the upstream's responses took.")?;
    let (up_to, micros) = counts.durations();
    for (bound, count) in BOUNDS.into_iter().zip(up_to) {
        let (seconds, millis) = (bound / 1000, bound % 1000);
        writeln!(out, "{name}_bucket{{le=\"{seconds}.{millis:03}\"}} {count}")?;
    }
    let all = up_to.last().copied().unwrap_or_default();
    writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {all}")?;
    writeln!(out, "{name}_sum {}.{:06}", micros / 1_000_000, micros % 1_000_000)?;
    writeln!(out, "{name}_count {all}")
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}")
}
