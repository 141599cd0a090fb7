//! The README's table of rules is the one that the code has.

use mcparse::Rule;

#[test]
fn the_readme_lists_every_rule_as_it_is() {
    let readme = include_str!("../README.md");
    let expected: String = Rule::ALL.iter().map(|&rule| row(rule)).collect();
    let table = readme
        .split_once("<!-- rules -->")
        .and_then(|(_, rest)| rest.split_once("<!-- /rules -->"))
        .and_then(|(table, _)| table.split_once("--- |\n"))
        .map(|(_, rows)| rows);
    assert_eq!(table, Some(expected.as_str()), "the rows should be:\n{expected}");
}

fn row(rule: Rule) -> String {
    let action = match rule.default_action() {
        _ if rule.is_fatal() => "fatal".to_owned(),
        action => action.to_string(),
    };
    format!(
        "| [`{}`]({}) | {} | {} | {} | {action} | {} |\n",
        rule.id(),
        rule.section(),
        rule.stage(),
        rule.code(),
        rule.http_status(),
        rule.reason(),
    )
}
