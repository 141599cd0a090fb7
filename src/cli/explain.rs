//! What a rule means, for the person whose message it refused:
//! `mcparse explain`.
//!
//! The explanations are data, in a file for each part of the order of
//! judgement; a test holds every example to what the validator says of it.

#[macro_use]
mod example;
mod answers;
mod envelope;
mod exchange_requests;
mod exchange_streams;
mod headers;
mod json;
mod kinds;
mod metadata;
mod param_headers;
mod request;
mod responses;
mod session;
mod tools;
mod transport;

use std::fmt::Write as _;

use mcparse::{Action, Rule, Sender};

use self::example::{Entry, Example};
use super::listing::aligned;
use super::near::nearest_few;
use super::safe::Safe;

/// In the order of judgement.
const ENTRIES: [&[Entry]; 15] = [
    transport::ENTRIES,
    json::ENTRIES,
    kinds::ENTRIES,
    envelope::ENTRIES,
    metadata::ENTRIES,
    headers::ENTRIES,
    param_headers::ENTRIES,
    request::ENTRIES,
    responses::ENTRIES,
    answers::ENTRIES,
    tools::ENTRIES,
    responses::LATE_ENTRIES,
    exchange_requests::ENTRIES,
    exchange_streams::ENTRIES,
    session::ENTRIES,
];

/// How wide prose is set.
const WIDTH: usize = 78;
/// The most characters that are shown of what was typed, and of an example.
const MOST_TYPED: usize = 80;
const MOST_EXAMPLE: usize = 4096;

/// The explanation of the rule, or a list of all rules if none is named. An
/// error if there is no such rule.
pub(super) fn explain(id: Option<&str>) -> Result<String, String> {
    let Some(id) = id else { return Ok(list()) };
    let entry = Rule::from_id(id).and_then(entry).ok_or_else(|| unknown(id))?;
    Ok(page(entry))
}

fn entry(rule: Rule) -> Option<&'static Entry> {
    ENTRIES.into_iter().flatten().find(|entry| entry.rule == rule)
}

fn list() -> String {
    let row = |rule: &Rule| vec![rule.id().to_owned(), rule.reason().to_owned()];
    let rows: Vec<_> = Rule::ALL.iter().map(row).collect();
    aligned(&rows)
}

fn unknown(id: &str) -> String {
    let typed = Safe::new(id, MOST_TYPED);
    let near = nearest_few(id, Rule::ALL.iter().map(|rule| rule.id()));
    if near.is_empty() {
        return format!("there is no rule {typed}; `mcparse explain` lists all of them");
    }
    format!("there is no rule {typed}; did you mean {}?", near.join(" or "))
}

fn page(entry: &Entry) -> String {
    let rule = entry.rule;
    let default = if rule.is_fatal() {
        "always refused".to_owned()
    } else {
        let done = match rule.default_action() {
            Action::Refuse => "refused",
            Action::Report => "reported",
            Action::Off => "off",
        };
        format!("{done} by default")
    };
    let mut page = format!(
        "{rule}: {}\n{} rule, code {} ({}), HTTP {}, {default}\n",
        rule.reason(),
        rule.stage(),
        rule.code(),
        rule.code().meaning(),
        rule.http_status(),
    );
    let paragraphs = [("What it means", entry.meaning), ("Why", entry.why)];
    for (title, text) in paragraphs {
        page = page + "\n" + title + "\n" + &wrapped(text);
    }
    page = page + "\nSection\n  " + rule.section() + "\n";
    show(&mut page, "Broken", &entry.broken);
    show(&mut page, "Right", &entry.right);
    page
}

/// Writing to a string cannot fail, and so what it returns is let go.
fn show(page: &mut String, title: &str, example: &Example) {
    if !example.talk.is_empty() {
        return show_talk(page, title, example);
    }
    let sender = match (example.from, example.is_stream) {
        (_, true) => "in a stream of server-sent events",
        (Sender::Client, _) => "from a client",
        (Sender::Server, _) => "from a server",
    };
    let _ = writeln!(page, "\n{title}, {sender}");
    if let Some(to) = example.to {
        let _ = writeln!(page, "  to this message\n    {to}\n  this comes");
    }
    let mut lines: Vec<Vec<u8>> = Vec::new();
    if let Some(head) = example.head {
        lines.extend(head.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
    lines.extend(example.text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    for line in &lines {
        let _ = writeln!(page, "{}", format!("  {}", shown(line)).trim_end());
    }
    if let Some(tools) = example.tools {
        let _ = writeln!(page, "\n  after this result of tools/list\n    {tools}");
    }
    if !example.before.is_empty() {
        let _ = writeln!(page, "\n  in a session, after");
        for (from, text) in example.before {
            let _ = writeln!(page, "    {from}: {text}");
        }
    }
    if !example.policy.is_empty() {
        let _ = writeln!(page, "\n  with the policy");
        for line in example.policy.lines() {
            let _ = writeln!(page, "    {line}");
        }
    }
}

/// A conversation: a line for each message, with who sends it.
fn show_talk(page: &mut String, title: &str, example: &Example) {
    let over = if example.is_http { " over HTTP" } else { "" };
    let _ = writeln!(page, "\n{title}, in a conversation{over}");
    for turn in example.talk {
        let from = match turn.from {
            Sender::Client => "client",
            Sender::Server => "server",
        };
        let _ = writeln!(page, "  {from}: {}", shown(turn.text.as_bytes()));
    }
    match example.room {
        None => {}
        Some(1) => *page += "\n  with room for 1 request that waits\n",
        Some(room) => {
            let _ = writeln!(page, "\n  with room for {room} requests that wait");
        }
    }
}

/// A line of an example, with what cannot be shown by number.
fn shown(line: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in line.utf8_chunks() {
        shown += &Safe::new(chunk.valid(), MOST_EXAMPLE).to_string();
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown.trim_end().to_owned()
}

/// Prose in lines of no more than `WIDTH`, set in by two.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = WIDTH;
    for word in text.split_whitespace() {
        let length = word.chars().count() + 1;
        if width + length > WIDTH {
            if !lines.is_empty() {
                lines.push('\n');
            }
            lines.push(' ');
            width = 1;
        }
        lines.push(' ');
        lines += word;
        width += length;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests;
