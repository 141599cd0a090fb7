//! The captured requests, each made faulty in one place at a time: the rule that
//! names the fault is the one that refuses.

use std::collections::BTreeMap;

use mcparse::{Era, Kind, Policy, Rule, Stage, Validator};
use serde_json::Value;

use crate::edits::{Edit, LEGACY, MODERN, Request, Then, VERSION};
use crate::sessions::{Exchange, Verdict, head};
use crate::support::{Corpora, Tally, same, say};

/// The captured requests of an era that are accepted with nothing unknown in
/// them.
fn sound(corpora: &Corpora, era: Era) -> Vec<Request> {
    let mut found = Vec::new();
    let mut validator = Validator::new(Policy::strict());
    for exchange in Exchange::all(corpora).into_iter().flatten() {
        let http = &exchange.request;
        let verdict = Verdict::of(&mut validator, &head(http), &http.body);
        let Verdict::Accepted { kind: Kind::Request, findings } = verdict else { continue };
        let body: Value = serde_json::from_slice(&http.body).expect("JSON");
        let is_modern = body["params"]["_meta"].get(VERSION).is_some();
        if is_modern == (era == Era::Modern) && !findings.contains(Rule::UnknownMethod) {
            let (method, headers) = (http.method().to_owned(), http.headers.clone());
            found.push(Request { method, headers, body });
        }
    }
    found
}

/// The status that a refusal by `rule` has. In the legacy era 404 says that the
/// session is lost.
fn status(rule: Rule, era: Era) -> u16 {
    if era == Era::Legacy && rule.stage() == Stage::Method { 200 } else { rule.http_status() }
}

fn every_edit(era: Era, edits: &[(&'static str, Then, Edit)], requests: usize, edited: usize) {
    let Some(corpora) = Corpora::find() else { return };
    let sound = sound(&corpora, era);
    let mut tally = Tally::default();
    let mut counts = BTreeMap::<&str, usize>::new();
    let mut validator = Validator::new(Policy::strict());
    for request in &sound {
        for &(what, then, edit) in edits {
            let mut request = request.clone();
            if !edit(&mut request) {
                continue;
            }
            *counts.entry(what).or_default() += 1;
            let outcome = match (request.judge(&mut validator), then) {
                (Verdict::Accepted { .. }, Then::Accepted) => Ok(()),
                (Verdict::Accepted { findings, .. }, Then::Reported(rule)) => {
                    same(&(findings.contains(rule), rule), &(true, rule))
                }
                (Verdict::Refused { rule, code, status: got, .. }, Then::Refused(wanted)) => {
                    same(&(rule, code, got), &(wanted, wanted.code().get(), status(wanted, era)))
                }
                (verdict, then) => Err(format!("{verdict:?}, not {then:?}")),
            };
            tally.count(&format!("{} with {what}", request.body["method"]), outcome);
        }
    }
    say(format_args!("{} requests of the {era} era, edited: {counts:?}", sound.len()));
    tally.finish(&format!("edited requests of the {era} era"), edited);
    assert_eq!((sound.len(), counts.len()), (requests, edits.len()));
}

#[test]
fn a_real_modern_request_that_is_made_faulty_is_refused_by_the_rule_of_its_fault() {
    every_edit(Era::Modern, MODERN, 963, 45_162);
}

#[test]
fn a_real_legacy_request_that_is_made_faulty_is_refused_by_the_rule_of_its_fault() {
    every_edit(Era::Legacy, LEGACY, 789, 13_518);
}
