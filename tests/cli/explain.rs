//! `explain` and `rules`. That the examples are right is tested beside them.

use mcparse::Rule;

use crate::support::{code, lines, run, stderr, stdout};

#[test]
fn every_rule_has_a_page() {
    for rule in Rule::ALL {
        let output = run(&["explain", rule.id()], "");
        let page = stdout(&output);
        assert_eq!((code(&output), stderr(&output)), (0, ""), "{rule}");
        let first = format!("{rule}: {}\n", rule.reason());
        assert!(page.starts_with(&first), "{page}");
        for title in ["\nWhat it means\n", "\nWhy\n", "\nSection\n", "\nBroken, ", "\nRight, "] {
            assert!(page.contains(title), "{page}");
        }
        assert!(page.contains(rule.section()), "{page}");
        assert!(page.lines().all(|line| !line.ends_with(' ')), "{page}");
    }
}

#[test]
fn an_unknown_rule_leads_to_near_ones() {
    let output = run(&["explain", "id_nul"], "");
    assert_eq!((code(&output), stdout(&output)), (2, ""));
    assert!(stderr(&output).contains("did you mean id-null"), "{}", stderr(&output));
    let output = run(&["explain", "\u{1b}[2J"], "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains(r"\u{1b}[2J; `mcparse explain` lists all of them"));
}

#[test]
fn all_rules_are_listed_on_a_line_each() {
    let output = run(&["explain"], "");
    assert_eq!(stdout(&output).lines().count(), Rule::ALL.len());
    for (line, rule) in stdout(&output).lines().zip(Rule::ALL) {
        assert!(line.starts_with(rule.id()) && line.ends_with(rule.reason()), "{line}");
    }
}

#[test]
fn rules_are_a_table_in_the_order_of_judgement() {
    let output = run(&["rules"], "");
    let rows: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(rows.len(), 1 + Rule::ALL.len());
    assert!(rows[0].starts_with("rule ") && rows[0].ends_with("http  default"), "{}", rows[0]);
    let column = rows[0].find("stage").unwrap();
    for (row, rule) in rows[1..].iter().zip(Rule::ALL) {
        assert!(row.starts_with(rule.id()), "{row}");
        assert!(row[column..].starts_with(&rule.stage().to_string()), "{row}");
    }
}

#[test]
fn rules_show_what_a_policy_does() {
    let output = run(&["rules", "--policy", "policy.toml", "--format", "json"], "");
    let lines = lines(&output);
    assert_eq!(lines.len(), Rule::ALL.len());
    let of = |id: &str| lines.iter().find(|line| line.get("rule") == format!("\"{id}\"")).unwrap();
    assert_eq!(of("deep-duplicate").get("default"), "\"off\"");
    assert_eq!(of("deep-duplicate").get("action"), "\"report\"");
    assert_eq!(of("not-json").get("fatal"), "true");

    let text = run(&["rules", "--policy", "policy.toml"], "");
    let row = stdout(&text).lines().find(|row| row.starts_with("client-info-missing ")).unwrap();
    assert!(row.ends_with("report   off"), "{row}");
    let without = run(&["rules", "--format", "json"], "");
    assert!(stdout(&without).lines().all(|line| line.ends_with("\"action\":null}")));
}
