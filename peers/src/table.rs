//! The sections of the README, as Markdown.

use std::fmt::Write as _;

use crate::classes::ALL;
use crate::compare::{Counts, Row, explained};

/// How much of an input is shown.
const MOST_SHOWN: usize = 120;

/// The classes of difference, and how many fixtures each explains.
pub(crate) fn differences(fixtures: &[Row]) -> String {
    let mut text =
        "| class | rmcp | tower-mcp-types | why |\n| --- | --- | --- | --- |\n".to_owned();
    for class in ALL {
        let (rmcp, tower) = explained(fixtures, class);
        push(&mut text, format_args!("| {} | {rmcp} | {tower} | {} |", class.name, class.why));
    }
    text
}

/// Every fixture, and the counts.
pub(crate) fn fixtures(rows: &[Row]) -> String {
    let head = "| name | input | mcparse | rmcp | tower-mcp-types | differences |\n\
                | --- | --- | --- | --- | --- | --- |\n";
    let mut text = head.to_owned();
    for row in rows {
        let shown = shown(&row.input.bytes);
        push(&mut text, format_args!("| {} | `{shown}` | {}", row.input.name, verdicts(row)));
    }
    text.push('\n');
    let Counts { inputs, rmcp, tower, all } = Counts::of(rows);
    push(
        &mut text,
        format_args!(
            "{inputs} fixtures: mcparse agrees with rmcp on {rmcp}, with tower-mcp-types on {tower}, with both on {all}."
        ),
    );
    text
}

/// The counts of the corpora, and the cases in which we differ.
pub(crate) fn corpora(cases: &[Row], messages: &[Row]) -> String {
    let head = "| inputs | number | agree with rmcp | with tower-mcp-types | with both |\n\
                | --- | --- | --- | --- | --- |\n";
    let mut text = head.to_owned();
    let sets = [("cases of bug reports", cases), ("messages that SDKs send", messages)];
    for (name, rows) in sets {
        let Counts { inputs, rmcp, tower, all } = Counts::of(rows);
        push(&mut text, format_args!("| {name} | {inputs} | {rmcp} | {tower} | {all} |"));
    }
    text.push_str(
        "\n| class | cases, rmcp | cases, tower-mcp-types | messages, rmcp | messages, tower-mcp-types |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    for class in ALL {
        let (of_cases, of_messages) = (explained(cases, class), explained(messages, class));
        if (of_cases, of_messages) != ((0, 0), (0, 0)) {
            let ((a, b), (c, d)) = (of_cases, of_messages);
            push(&mut text, format_args!("| {} | {a} | {b} | {c} | {d} |", class.name));
        }
    }
    text.push_str(
        "\n| case | mcparse | rmcp | tower-mcp-types | differences |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    for row in cases.iter().filter(|row| !row.is_agreed()) {
        push(&mut text, format_args!("| {} | {}", row.input.name, verdicts(row)));
    }
    text
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes all");
}

/// The cells with the verdicts and the classes.
fn verdicts(row: &Row) -> String {
    let (rmcp, tower) = (&row.rmcp, &row.tower);
    let why = match (rmcp.class, tower.class) {
        (None, None) => String::new(),
        (Some(one), Some(two)) if one.name == two.name => one.name.to_owned(),
        (Some(one), Some(two)) => format!("{}; {}", one.name, two.name),
        (Some(one), None) | (None, Some(one)) => one.name.to_owned(),
    };
    format!("{} | {} | {} | {why} |", row.ours, rmcp.theirs, tower.theirs)
}

/// An input in printable ASCII, cut, with the reserved prefix shortened.
fn shown(bytes: &[u8]) -> String {
    let text: String = match str::from_utf8(bytes) {
        Ok(text) => text.escape_debug().to_string().replace("\\\"", "\"").replace("\\\\", "\\"),
        Err(_) => bytes.escape_ascii().to_string().replace("\\\"", "\""),
    };
    let text = text.replace("io.modelcontextprotocol/", "…/").replace('|', "\\|");
    match text.char_indices().nth(MOST_SHOWN) {
        None => text,
        Some((end, _)) => format!("{} …", &text[..end]),
    }
}
