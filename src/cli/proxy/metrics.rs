//! What is counted, in the text format of Prometheus.

use std::fmt::Write as _;

use mcparse::{Kind, Sender, Snapshot};

use super::counts::{BOUNDS, Counts, get};
use super::log;

/// The kinds of messages, and how they are named.
const KINDS: [(Kind, &str); 4] = [
    (Kind::Request, "request"),
    (Kind::Notification, "notification"),
    (Kind::Result, "result"),
    (Kind::Error, "error"),
];

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
    for from in [Sender::Client, Sender::Server] {
        for (kind, shown) in KINDS {
            let count = judged.accepted(from, kind);
            writeln!(out, "{name}{{sender=\"{from}\",kind=\"{shown}\"}} {count}")?;
        }
    }
    let name = "mcparse_message_bytes_total";
    head(out, name, "counter", "Bytes of the messages that were judged.")?;
    for from in [Sender::Client, Sender::Server] {
        writeln!(out, "{name}{{sender=\"{from}\"}} {}", judged.bytes(from))?;
    }
    let name = "mcparse_rule_total";
    head(out, name, "counter", "Messages that broke a rule, by what became of them.")?;
    for (from, rule, counts) in judged.rules() {
        for (action, count) in [
            ("refused", counts.refused),
            ("reported", counts.reported),
            ("let_through", counts.let_through),
        ] {
            writeln!(
                out,
                "{name}{{sender=\"{from}\",rule=\"{rule}\",action=\"{action}\"}} {count}"
            )?;
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
