//! `envelope_oracle_probes.json`: which messages the official schemas accept,
//! revision by revision, against `check`; each difference with its reason.

use std::collections::{BTreeMap, BTreeSet};

use mcparse::{Kind, Policy, Revision, Sender, Validator};
use serde::Deserialize;
use serde_json::Value;

use crate::framing::check;
use crate::support::{Corpora, Decision, say, serving};

const FIRST: Revision = Revision::V2024_11_05;
const LAST: Revision = Revision::V2026_07_28;

/// Where we answer otherwise than the official schema: probe, first and last
/// revision, reason. Answers are judged where only the one revision is served;
/// a request or a notification of no known revision, since one of the modern
/// revision needs metadata that no probe has.
const DIFFERENCES: &[(&str, Revision, Revision, &str)] = &[
    ("id 1.0", FIRST, LAST, "stricter: integers are judged on the text; a policy may let it pass"),
    ("method+result", FIRST, LAST, "stricter: it matches two definitions"),
    ("result+error", FIRST, LAST, "stricter: the schema forbids no extra member; the prose does"),
    ("error code 1.0", FIRST, LAST, "stricter: integers are judged on the text"),
    (
        "batch []",
        Revision::V2025_03_26,
        Revision::V2025_03_26,
        "stricter: our deviation; and JSON-RPC itself forbids an empty batch",
    ),
    (
        "batch [req]",
        Revision::V2025_03_26,
        Revision::V2025_03_26,
        "stricter: our deviation from the one revision that has batches",
    ),
    (
        "result {}",
        LAST,
        LAST,
        "laxer: clients take an absent resultType for complete; to be reported",
    ),
    ("error id null", FIRST, LAST, "laxer: JSON-RPC asks for it and servers send it; reported"),
    (
        "meta progressToken 1.5",
        Revision::V2025_11_25,
        LAST,
        "stricter: the envelope's definition no longer looks into params; others do",
    ),
    (
        "meta []",
        Revision::V2025_11_25,
        LAST,
        "stricter: the envelope's definition no longer looks into params; others do",
    ),
];

#[derive(Deserialize)]
struct Probes {
    probes: Vec<(String, String)>,
    /// Per revision and probe: which definitions accept it, one letter each.
    accepts: BTreeMap<String, BTreeMap<String, String>>,
}

/// The letter of the definition that the members of a message call for. The
/// schemas forbid no extra member, so that a notification is whatever has a
/// method: the members have to be looked at first.
fn definition(message: &str) -> char {
    let Ok(value) = serde_json::from_str::<Value>(message) else { return '-' };
    let has = |member| value.get(member).is_some();
    match (has("method"), has("id"), has("result"), has("error")) {
        (true, true, ..) => 'Q',
        (true, false, ..) => 'N',
        (false, _, true, _) => 'R',
        (false, _, false, true) => 'E',
        // What is no object may be a message in a revision with batches.
        (false, _, false, false) => 'M',
    }
}

#[test]
fn differences_from_the_official_schemas_are_those_that_we_explain() {
    let Some(corpora) = Corpora::find() else { return };
    let Probes { probes, accepts } = corpora.json("envelope_oracle_probes.json");
    let mut differences = BTreeSet::new();
    let revisions = Revision::ALL.map(Revision::as_str).join(" ");
    say(format_args!("{:<24}{:<24}{revisions}: schema accepts", "probe", "mcparse"));
    for (name, message) in &probes {
        let wanted = definition(message);
        let is_answer = matches!(wanted, 'R' | 'E');
        let from = if is_answer { Sender::Server } else { Sender::Client };
        let (mut row, mut verdicts) = (String::new(), BTreeSet::new());
        for revision in Revision::ALL {
            let policy = if is_answer { serving(revision) } else { Policy::strict() };
            let got = check(&mut Validator::new(policy), from, message.as_bytes());
            let (ours, verdict) = match got {
                Decision::Accept(kind @ Kind::Request) => (Some('Q'), kind.to_string()),
                Decision::Accept(kind @ Kind::Notification) => (Some('N'), kind.to_string()),
                Decision::Accept(kind @ Kind::Result) => (Some('R'), kind.to_string()),
                Decision::Accept(kind @ Kind::Error) => (Some('E'), kind.to_string()),
                Decision::Refuse(rule) => (None, rule.id().to_owned()),
            };
            verdicts.insert(verdict);
            let theirs = accepts[revision.as_str()][name].contains(wanted).then_some(wanted);
            row += if theirs.is_some() { "yes        " } else { "no         " };
            if ours != theirs {
                differences.insert((&**name, revision));
            }
        }
        let ours = Vec::from_iter(verdicts).join(" or ");
        say(format_args!("{name:<24}{ours:<24}{}", row.trim_end()));
    }
    let explained = DIFFERENCES.iter().flat_map(|&(name, first, last, _)| {
        let revisions = Revision::ALL.into_iter();
        revisions.filter(move |one| (first..=last).contains(one)).map(move |one| (name, one))
    });
    say(format_args!(
        "{} probes in {} revisions: {} differences, all explained",
        probes.len(),
        accepts.len(),
        differences.len()
    ));
    assert_eq!(differences, explained.collect());
    assert_eq!((probes.len(), accepts.len()), (30, 5));
}
