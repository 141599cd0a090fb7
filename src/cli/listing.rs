//! All rules as a list, and what is done about each: `mcparse rules`.

use mcparse::{Policy, Rule};
use serde::Serialize;

use super::args::Format;

/// A rule in JSON. Fields may be added at the end; none is changed.
#[derive(Serialize)]
struct Fields {
    rule: &'static str,
    stage: String,
    code: i32,
    http_status: u16,
    default: String,
    fatal: bool,
    section: &'static str,
    reason: &'static str,
    /// What the policy does, if one was named.
    action: Option<String>,
}

/// The rules, one a line, in the order of judgement; with what `policy` does if
/// there is one.
pub(super) fn rules(format: Format, policy: Option<&Policy>) -> String {
    match format {
        Format::Text => table(policy),
        Format::Json => Rule::ALL.iter().filter_map(|&rule| json(rule, policy)).collect(),
    }
}

fn json(rule: Rule, policy: Option<&Policy>) -> Option<String> {
    let fields = Fields {
        rule: rule.id(),
        stage: rule.stage().to_string(),
        code: rule.code().get(),
        http_status: rule.http_status(),
        default: rule.default_action().to_string(),
        fatal: rule.is_fatal(),
        section: rule.section(),
        reason: rule.reason(),
        action: policy.map(|policy| policy.action(rule).to_string()),
    };
    // Plain fields always become JSON.
    serde_json::to_string(&fields).ok().map(|line| line + "\n")
}

fn table(policy: Option<&Policy>) -> String {
    let mut rows = vec![row(["rule", "stage", "code", "http", "default", "policy"], policy)];
    rows.extend(Rule::ALL.iter().map(|&rule| {
        let action = policy.map(|policy| policy.action(rule).to_string()).unwrap_or_default();
        let cells = [
            rule.id(),
            &rule.stage().to_string(),
            &rule.code().to_string(),
            &rule.http_status().to_string(),
            &default_of(rule),
            &action,
        ];
        row(cells, policy)
    }));
    aligned(&rows)
}

/// The default action; `fatal` where no policy can change it.
fn default_of(rule: Rule) -> String {
    if rule.is_fatal() { "fatal".to_owned() } else { rule.default_action().to_string() }
}

/// The cells of a row, the last one only if there is a policy.
fn row(cells: [&str; 6], policy: Option<&Policy>) -> Vec<String> {
    let count = if policy.is_some() { 6 } else { 5 };
    cells.into_iter().take(count).map(str::to_owned).collect()
}

/// Each row on a line, its cells as wide as the widest of their column.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell: &String| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
