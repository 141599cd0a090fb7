//! The measured times as Markdown.

use std::fmt::Write as _;

use crate::contender::Level;
use crate::contenders::{CHECK, CLASSIFY};
use crate::measure::{Measured, Row};

/// Those that are not asked for more than the kind.
pub(crate) fn kinds(measured: &[Measured]) -> String {
    let heading = format!(
        "## As a classifier\n\nNanoseconds a message (the tenth percentile), and in brackets that time divided by that of \
         {CLASSIFY}: above 1.00 we are faster.\n"
    );
    heading + "\n" + &times(measured, |measured| &measured.kinds)
}

/// Those that are asked for the fields.
pub(crate) fn fields(measured: &[Measured]) -> String {
    let heading = format!(
        "## With the fields\n\nThe same readers, asked for the kind, the id, the method, `params.name`, the protocol version in \
         `_meta` and the error's code; divided by the time of {CHECK} for the same.\n"
    );
    heading + "\n" + &times(measured, |measured| &measured.fields)
}

fn times(measured: &[Measured], rows: impl Fn(&Measured) -> &Vec<Row>) -> String {
    table(measured, &rows, |ours, row| format!("{} ({:.2})", figure(row.low), row.low / ours.low))
}

/// How steady the figures are.
pub(crate) fn spread(measured: &[Measured]) -> String {
    let heading = "## Spread\n\nThe ninetieth percentile of the slices divided by the tenth: as a classifier / with the fields.\n\n";
    let cell = |row: &Row| format!("{:.2}", row.high / row.low);
    let rows = |measured: &Measured| -> Vec<(&'static str, String)> {
        let joined = |row: &Row| {
            let fields = measured.fields.iter().find(|other| other.name == row.name);
            let fields = fields.map_or(String::new(), |row| format!(" / {}", cell(row)));
            (row.name, cell(row) + &fields)
        };
        measured.kinds.iter().map(joined).collect()
    };
    let columns: Vec<_> = measured.iter().map(rows).collect();
    let mut table = head(measured, "");
    for name in names(measured, |measured| &measured.kinds) {
        let _ = write!(table, "| {name} |");
        for column in &columns {
            let cell = column.iter().find(|(other, _)| *other == name);
            let _ = write!(table, " {} |", cell.map_or("", |(_, cell)| cell));
        }
        table.push('\n');
    }
    heading.to_owned() + &table
}

fn table(
    measured: &[Measured],
    rows: &impl Fn(&Measured) -> &Vec<Row>,
    cell: impl Fn(&Row, &Row) -> String,
) -> String {
    let mut table = head(measured, " takes out |");
    for name in names(measured, rows) {
        let find = |measured: &Measured| -> Option<(Level, String)> {
            let rows = rows(measured);
            let row = rows.iter().find(|row| row.name == name)?;
            Some((row.level, cell(rows.first()?, row)))
        };
        let cells: Vec<_> = measured.iter().map(find).collect();
        let level = cells.iter().flatten().next().map_or("", |(level, _)| level.as_str());
        let _ = write!(table, "| {name} | {level} |");
        for cell in &cells {
            let _ = write!(table, " {} |", cell.as_ref().map_or("", |(_, cell)| cell));
        }
        table.push('\n');
    }
    table
}

fn head(measured: &[Measured], more: &str) -> String {
    let classes: Vec<&str> = measured.iter().map(|measured| &*measured.class).collect();
    let more_line = if more.is_empty() { "" } else { " --- |" };
    format!(
        "| |{more} {} |\n| --- |{more_line}{}\n",
        classes.join(" | "),
        " ---: |".repeat(classes.len())
    )
}

/// The names of all rows, those of the class with the most first.
fn names(measured: &[Measured], rows: impl Fn(&Measured) -> &Vec<Row>) -> Vec<&'static str> {
    let most = measured.iter().map(&rows).max_by_key(|rows| rows.len());
    most.map_or(Vec::new(), |rows| rows.iter().map(|row| row.name).collect())
}

fn figure(nanoseconds: f64) -> String {
    match nanoseconds {
        1e6.. => format!("{:.2}M", nanoseconds / 1e6),
        1e4.. => format!("{:.1}k", nanoseconds / 1e3),
        _ => format!("{nanoseconds:.0}"),
    }
}
