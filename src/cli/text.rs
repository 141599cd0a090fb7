//! A record as one line for a person, in columns that stay where they are while
//! a stream is read. All that a peer wrote goes through [`Safe`].

use std::fmt::Write as _;
use std::io::{self, Write};

use mcparse::{Id, Kind, RuleSet, Sender, Text};

use super::judge::{Broken, Record, Verdict};
use super::safe::Safe;
use super::statistics::Statistics;

/// The most characters that are shown of a method, and of an id.
const MOST_METHOD: usize = 64;
const MOST_ID: usize = 40;
/// The most characters that are shown of what is wrong, and of a reply.
const MOST_DETAIL: usize = 400;
const MOST_REPLY: usize = 4096;

/// Writes the record, with the line end. `place` is filled up to `width`.
pub(super) fn record(
    out: &mut impl Write,
    place: &str,
    width: usize,
    record: &Record<'_>,
    with_reply: bool,
) -> io::Result<()> {
    write!(out, "{place:<width$}  {}  ", record.verdict())?;
    match &record.verdict {
        Verdict::Accepted { kind, id, method, error_code, findings } => {
            let subject = subject(*kind, *method, *error_code);
            let remarks = remarks(*id, *findings);
            match (subject.is_empty(), remarks.is_empty()) {
                (true, _) => writeln!(out, "{kind}"),
                (false, true) => writeln!(out, "{:<14}  {subject}", kind.as_str()),
                (false, false) => writeln!(out, "{:<14}  {subject:<26}{remarks}", kind.as_str()),
            }
        }
        Verdict::Refused { code, broken: None } => {
            writeln!(out, "{} {code}  {}", record.kind(), code.meaning())
        }
        Verdict::Refused { code, broken: Some(broken) } => {
            let Broken { rule, violation, at, .. } = broken;
            // Bytes are counted from where the message begins, which in a batch is not
            // where the line does.
            let of = if record.element.is_some() { " of the element" } else { "" };
            write!(out, "{} {code}  {rule} at byte {at}{of}: ", record.kind())?;
            if let Some(detail) = violation.and_then(|violation| violation.detail()) {
                write!(out, "{}", Safe::new(&detail.to_string(), MOST_DETAIL))?;
            } else {
                let reason = violation.map_or(rule.reason(), |violation| violation.reason());
                write!(out, "{reason}")?;
            }
            if let Some(cause) = violation.and_then(|violation| violation.cause()) {
                write!(out, " (likely cause: {cause})")?;
            }
            if let Some(id) = &record.answers {
                let id = String::from_utf8_lossy(id);
                write!(out, " (for the request {})", Safe::new(&id, MOST_ID))?;
            }
            writeln!(out)?;
            if with_reply {
                reply(out, record)?;
            }
            Ok(())
        }
    }
}

/// Writes what would be answered, on a line of its own.
fn reply(out: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    if let Some(failure) = &record.failure {
        // Nothing is said to whoever has answered.
        let asker = match record.sender {
            Some(Sender::Client) => "server",
            Some(Sender::Server) | None => "client",
        };
        let failure = String::from_utf8_lossy(failure);
        return writeln!(out, "    to the {asker}: {}", Safe::new(&failure, MOST_REPLY));
    }
    match record.reply() {
        Some(reply) => {
            let reply = String::from_utf8_lossy(&reply);
            writeln!(out, "    reply: {}", Safe::new(&reply, MOST_REPLY))
        }
        None if is_between(record) => {
            writeln!(out, "    reply: none, as it could be taken for that of another message")
        }
        None => writeln!(out, "    reply: none, as the protocol lets no one answer it"),
    }
}

/// Whether it is refused for what is wrong between it and those before.
fn is_between(record: &Record<'_>) -> bool {
    let Verdict::Refused { broken: Some(broken), .. } = &record.verdict else { return false };
    broken.violation.is_none()
}

/// What a message is about: its method, or how a request went. Empty where
/// `classify` does not know.
fn subject(kind: Kind, method: Option<Text<'_>>, error_code: Option<&[u8]>) -> String {
    match (method, kind, error_code) {
        (Some(method), ..) => Safe::new(&method.decode(), MOST_METHOD).to_string(),
        (None, Kind::Request | Kind::Notification, _) => String::new(),
        (None, Kind::Result, _) => "result".to_owned(),
        (None, Kind::Error, None) => "error".to_owned(),
        (None, Kind::Error, Some(code)) => {
            format!("error {}", Safe::new(&String::from_utf8_lossy(code), MOST_ID))
        }
    }
}

/// What else is to be said of an accepted message.
fn remarks(id: Option<Id<'_>>, findings: RuleSet) -> String {
    let mut remarks = String::new();
    if let Some(id) = id {
        let lexeme = String::from_utf8_lossy(id.lexeme());
        // Writing to a string cannot fail.
        let _ = write!(remarks, "  id {}", Safe::new(&lexeme, MOST_ID));
    }
    for (at, rule) in findings.iter().enumerate() {
        remarks.push_str(if at == 0 { "  findings: " } else { ", " });
        remarks.push_str(rule.id());
    }
    remarks
}

/// Writes the sums, as a table below the lines.
pub(super) fn statistics(out: &mut impl Write, statistics: &Statistics) -> io::Result<()> {
    let mut sections = vec![("totals", statistics.totals())];
    sections.extend(statistics.sections());
    if statistics.other_methods() > 0 {
        sections.push(("other methods", vec![("calls".into(), statistics.other_methods())]));
    }
    let shown: Vec<(&str, Vec<(String, u64)>)> = sections
        .iter()
        .filter(|(_, counts)| !counts.is_empty())
        .map(|(title, counts)| {
            let show = |name: &str| Safe::new(name, MOST_METHOD).to_string();
            (*title, counts.iter().map(|(name, sum)| (show(name), *sum)).collect())
        })
        .collect();
    let names = shown.iter().flat_map(|(_, counts)| counts);
    let width = names.map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (title, counts) in &shown {
        writeln!(out, "\n{title}")?;
        for (name, sum) in counts {
            writeln!(out, "  {name:<width$}  {sum:>12}")?;
        }
    }
    Ok(())
}
