//! `messages.jsonl`: every distinct message that the official SDKs were seen to
//! send, through `check`.

use std::collections::BTreeMap;

use mcparse::{Kind, Policy, Rule, Sender, Validator, classify};
use serde::Deserialize;

use crate::support::{Corpora, Decision, Tally, in_words, same, say};

#[derive(Deserialize)]
struct Row {
    dir: String,
    kind: String,
    sha: String,
    text: String,
    #[serde(default)]
    envelope_ok: bool,
    #[serde(default)]
    envelope_errors: Vec<String>,
}

impl Row {
    fn from(&self) -> Sender {
        if self.dir == "c2s" { Sender::Client } else { Sender::Server }
    }

    /// Why the official schema does not accept it, if it does not.
    fn fault(&self) -> Fault {
        match &self.envelope_errors[..] {
            _ if self.envelope_ok => Fault::None,
            [only] if only.contains("'resultType' is a required property") => Fault::NoResultType,
            [only] if only.starts_with("id: None is not of type") => Fault::ErrorIdNull,
            _ => Fault::Broken,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    None,
    NoResultType,
    ErrorIdNull,
    Broken,
}

#[test]
fn real_messages_are_refused_only_if_they_are_truly_broken() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut tally = Tally::default();
    let mut faults = BTreeMap::<Fault, usize>::new();
    let mut findings = BTreeMap::<&str, usize>::new();
    let mut refused = Vec::new();
    for row in corpora.json_lines::<Row>("messages.jsonl") {
        let fault = row.fault();
        *faults.entry(fault).or_default() += 1;
        let kind = match &*row.kind {
            "request" => Kind::Request,
            "notification" => Kind::Notification,
            "result" => Kind::Result,
            _ => Kind::Error,
        };
        let outcome = match validator.check(row.from(), row.text.as_bytes()) {
            Ok(message) => {
                for rule in message.findings().iter() {
                    *findings.entry(rule.id()).or_default() += 1;
                }
                let is_null = message.findings().contains(Rule::ErrorIdNull);
                same(&Decision::Accept(message.kind()), &Decision::Accept(kind))
                    .and_then(|()| same(&is_null, &(fault == Fault::ErrorIdNull)))
                    .and_then(|()| match fault {
                        Fault::Broken => Err("broken, and accepted".to_owned()),
                        _ => Ok(()),
                    })
            }
            Err(violation) => {
                refused.push((row.sha.clone(), violation.rule(), violation.offset()));
                match fault {
                    Fault::Broken => Ok(()),
                    _ => Err(format!("{fault:?}, and refused: {violation}")),
                }
            }
        };
        tally.count(&row.sha, outcome);
    }
    for (sha, rule, offset) in &refused {
        say(format_args!("refused: {sha} by {} at byte {offset}", rule.id()));
    }
    say(format_args!("findings of real messages: {findings:?}; {faults:?}"));
    tally.finish("real messages", 3226);
    let expected = [
        (Fault::None, 3143),
        (Fault::NoResultType, 67),
        (Fault::ErrorIdNull, 6),
        (Fault::Broken, 10),
    ];
    assert_eq!(faults, BTreeMap::from(expected));
    let by = |wanted| refused.iter().filter(|(_, rule, _)| *rule == wanted).count();
    assert_eq!(
        (by(Rule::NotJson), by(Rule::JsonrpcVersion)),
        (9, 1),
        "two in one body, a path, no message"
    );
}

#[test]
fn classify_and_check_agree_on_the_kind_of_real_messages() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut tally = Tally::default();
    for row in corpora.json_lines::<Row>("messages.jsonl") {
        let text = row.text.as_bytes();
        let checked = validator.check(row.from(), text);
        let checked = checked.map(|message| message.kind()).map_err(|violation| violation.code());
        tally.count(&row.sha, same(&in_words(classify(text)), &in_words(checked)));
    }
    tally.finish("real messages by both ways", 3226);
}
