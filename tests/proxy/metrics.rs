//! `/metrics`: each line is what Prometheus reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Proxy, Upstream, answer, call, post, reply};

fn is_name(text: &str) -> bool {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_' || c == ':';
    text.starts_with(is_first) && text.chars().all(|c| is_first(c) || c.is_ascii_digit())
}

/// Reads `name{label="value",...}`, without escapes, which no value of ours needs.
fn series(text: &str) -> (&str, Vec<(&str, &str)>) {
    let Some((name, rest)) = text.split_once('{') else { return (text, Vec::new()) };
    let labels = rest.strip_suffix('}').unwrap_or_else(|| panic!("{text}"));
    let pair = |pair| {
        let (label, value): (&str, &str) = str::split_once(pair, '=').unwrap();
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap();
        assert!(is_name(label) && !value.contains(['"', '\\', '\n']), "{text}");
        (label, value)
    };
    (name, labels.split(',').map(pair).collect())
}

/// Checks a whole text, and gives the value of each series.
fn check(text: &str) -> BTreeMap<String, &str> {
    let (mut types, mut helps) = (BTreeMap::new(), BTreeSet::new());
    let mut values = BTreeMap::new();
    assert!(text.ends_with('\n') && !text.contains('\r'));
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').unwrap();
            assert!(is_name(name) && !help.is_empty() && helps.insert(name), "{line}");
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert!(helps.contains(name) && ["counter", "gauge", "histogram"].contains(&kind));
            assert_eq!(types.insert(name, kind), None, "{line}");
        } else {
            let (id, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = series(id);
            assert!(is_name(name), "{line}");
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .filter_map(|end| name.strip_suffix(end))
                .find(|family| types.get(family) == Some(&"histogram"))
                .unwrap_or(name);
            let kind = types.get(family).unwrap_or_else(|| panic!("no type: {line}"));
            assert_eq!(name.ends_with("_bucket"), labels.iter().any(|(label, _)| *label == "le"));
            assert!(*kind != "counter" || name.ends_with("_total"), "{line}");
            assert!(value.parse::<f64>().is_ok_and(f64::is_finite), "{line}");
            assert_eq!(values.insert(id.to_owned(), value), None, "twice: {line}");
        }
    }
    values
}

#[tokio::test]
async fn all_lines_are_well_formed_and_the_histogram_adds_up() {
    let upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let text = proxy.get("/metrics").await;
    let before = check(&text);
    assert_eq!(before["mcparse_upstream_seconds_count"], "0");
    let mut wire = proxy.connect().await;
    for body in [call("1"), call("1"), call("2"), "x".to_owned()] {
        wire.ask(post(&body)).await;
    }
    let text = proxy.get("/metrics").await;
    let values = check(&text);
    assert_eq!(values["mcparse_messages_total{sender=\"client\",kind=\"request\"}"], "3");
    assert_eq!(values["mcparse_messages_total{sender=\"server\",kind=\"result\"}"], "2");
    assert_eq!(values["mcparse_answers_replaced_total"], "1");
    assert_eq!(values["mcparse_upstream_seconds_count"], "3");
    assert_eq!(values["mcparse_upstream_seconds_bucket{le=\"+Inf\"}"], "3");
    let buckets = text.lines().filter(|line| line.contains("_bucket{"));
    let counts: Vec<f64> =
        buckets.map(|line| line.rsplit_once(' ').unwrap().1.parse().unwrap()).collect();
    assert!(counts.is_sorted() && counts.len() == 13, "{counts:?}");
    proxy.end().await;
}
