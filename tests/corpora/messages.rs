//! `messages.jsonl`: every distinct message that the official SDKs were seen to
//! send, through `check`.

use std::collections::BTreeMap;

use mcparse::{Kind, Policy, Revision, Rule, Sender, Stage, Validator, classify};
use serde::Deserialize;

use crate::support::{Corpora, Tally, in_words, same, say, serving};

#[derive(Deserialize)]
struct Row {
    dir: String,
    rev: String,
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

    fn kind(&self) -> Kind {
        match &*self.kind {
            "request" => Kind::Request,
            "notification" => Kind::Notification,
            "result" => Kind::Result,
            _ => Kind::Error,
        }
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

/// What became of the real messages.
#[derive(Default)]
struct Outcome {
    tally: Tally,
    /// How many of them were refused by a rule, and are not broken.
    refused: BTreeMap<Rule, usize>,
    broken: Vec<Rule>,
    findings: BTreeMap<&'static str, usize>,
}

impl Outcome {
    fn judge(&mut self, row: &Row, validator: &mut Validator) {
        let fault = row.fault();
        let outcome = match validator.check(row.from(), row.text.as_bytes()) {
            Ok(message) => {
                for rule in message.findings().iter() {
                    *self.findings.entry(rule.id()).or_default() += 1;
                }
                same(&message.kind(), &row.kind()).and_then(|()| match fault {
                    Fault::Broken => Err("broken, and accepted".to_owned()),
                    _ => Ok(()),
                })
            }
            Err(violation) => {
                let (sha, rule) = (&row.sha, violation.rule());
                say(format_args!("refused: {sha} {}: {violation}", row.rev));
                if fault == Fault::Broken {
                    self.broken.push(rule);
                } else {
                    *self.refused.entry(rule).or_default() += 1;
                }
                Ok(())
            }
        };
        self.tally.count(&row.sha, outcome);
    }

    fn finish(self, what: &str, refused: Refused, findings: &[(&'static str, usize)]) {
        say(format_args!("findings of real messages {what}: {:?}", self.findings));
        self.tally.finish(&format!("real messages {what}"), 3226);
        let findings = FINDINGS.iter().chain(findings).copied();
        assert_eq!(self.findings, findings.collect());
        let by = |wanted| self.broken.iter().filter(|&&rule| rule == wanted).count();
        assert_eq!(
            (by(Rule::NotJson), by(Rule::JsonrpcVersion), self.broken.len()),
            (9, 1, 10),
            "two in one body, a path, no message"
        );
        assert_eq!(self.refused, refused.iter().map(|&(rule, count, _)| (rule, count)).collect());
    }
}

/// How many messages whose envelope the official schema accepts are refused, by
/// default as in their own revision: rule, how many, and what they are.
type Refused = &'static [(Rule, usize, &'static str)];

const REFUSED: Refused = &[
    (Rule::MetaMissing, 1, "the conformance suite asks what a server says to it"),
    (Rule::ProtocolVersionMissing, 1, "the conformance suite, likewise"),
    (Rule::ClientCapabilitiesMissing, 2, "the conformance suite and mcpcheck, likewise"),
    (Rule::UnsupportedVersion, 3, "the conformance suite and mcpcheck, likewise"),
    (Rule::MissingCapability, 6, "the conformance suite, of a client that declares no tasks"),
    (Rule::MethodOfOtherRevision, 9, "the conformance suite, of methods that are gone"),
];

/// What is reported of the others, by default as in their own revision.
const FINDINGS: &[(&str, usize)] = &[
    ("client-info-missing", 1),
    ("deprecated-feature", 550),
    ("error-id-null", 6),
    ("notification-of-other-revision", 1),
    ("unknown-method", 8),
];

/// What is reported besides of answers that can be of a modern server alone.
const OF_MODERN_ANSWERS: &[(&str, usize)] =
    &[("error-code-legacy-range", 1), ("result-type-missing", 67), ("server-info-missing", 379)];

#[test]
fn real_messages_are_refused_only_if_they_are_truly_broken() {
    let Some(corpora) = Corpora::find() else { return };
    let rows = corpora.json_lines::<Row>("messages.jsonl");
    let mut faults = BTreeMap::<Fault, usize>::new();
    let mut outcome = Outcome::default();
    let mut validator = Validator::new(Policy::strict());
    for row in &rows {
        *faults.entry(row.fault()).or_default() += 1;
        outcome.judge(row, &mut validator);
    }
    outcome.finish("by default", REFUSED, &[]);
    let expected = [
        (Fault::None, 3143),
        (Fault::NoResultType, 67),
        (Fault::ErrorIdNull, 6),
        (Fault::Broken, 10),
    ];
    assert_eq!(faults, BTreeMap::from(expected));
}

#[test]
fn real_messages_are_refused_in_their_own_revision_only_if_the_table_says_why() {
    let Some(corpora) = Corpora::find() else { return };
    let mut outcome = Outcome::default();
    let mut validators = Revision::ALL.map(|revision| Validator::new(serving(revision)));
    for row in corpora.json_lines::<Row>("messages.jsonl") {
        let revision = Revision::from_bytes(row.rev.as_bytes()).expect("a revision");
        outcome.judge(&row, &mut validators[revision as usize]);
    }
    outcome.finish("in their own revision", REFUSED, OF_MODERN_ANSWERS);
}

#[test]
fn classify_and_check_agree_on_the_kind_of_real_messages() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let (mut tally, mut beyond) = (Tally::default(), 0);
    for row in corpora.json_lines::<Row>("messages.jsonl") {
        let text = row.text.as_bytes();
        let checked = match validator.check(row.from(), text) {
            Ok(message) => Ok(message.kind()),
            Err(violation) if violation.stage() > Stage::Envelope => {
                beyond += 1;
                Ok(row.kind())
            }
            Err(violation) => Err(violation.code()),
        };
        tally.count(&row.sha, same(&in_words(classify(text)), &in_words(checked)));
    }
    tally.finish("real messages by both ways", 3226);
    assert_eq!(beyond, 22, "refused for what classify does not look at");
}
