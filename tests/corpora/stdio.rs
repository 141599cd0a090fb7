//! The captured stdio sessions, both directions in the order in which they were
//! read: no request is refused that the other side answered with a result.

use std::collections::BTreeMap;

use mcparse::{Limits, LineFramer, Policy, Revision, Sender, Validator};
use serde::Deserialize;
use serde_json::Value;

use crate::framing::{Found, Framer};
use crate::support::{Corpora, Tally, revision_in, said_revision, say, serving};

/// One read of the order log. Where a client ran two servers at once, both are
/// in one log and in one stream for each direction, read by read.
#[derive(Deserialize)]
struct Read {
    d: String,
    len: usize,
}

/// One direction of a session.
struct Side {
    from: Sender,
    stream: Vec<u8>,
    read: usize,
    framer: LineFramer,
    /// By id the requests of this side that wait for an answer, and why they
    /// were refused if they were.
    asked: BTreeMap<String, Vec<Option<String>>>,
}

impl Side {
    fn new(corpora: &Corpora, session: &str, from: Sender) -> Self {
        let letters = if from == Sender::Client { "c2s" } else { "s2c" };
        let stream = corpora.read(format!("{session}.{letters}.jsonl"));
        let framer = LineFramer::new(Limits::new().message_bytes);
        Self { from, stream, read: 0, framer, asked: BTreeMap::new() }
    }

    /// The messages that the next read of `len` bytes completes.
    fn next(&mut self, len: usize) -> Vec<Vec<u8>> {
        let chunk = &self.stream[self.read..self.read + len];
        let mut found = Vec::new();
        self.framer.feed(chunk, &mut found);
        self.read += len;
        if self.read == self.stream.len() {
            self.framer.end(&mut found);
        }
        found.iter().map(|one| Found::message(one).expect("a line").to_vec()).collect()
    }
}

/// Gives each message of a session in order, with a validator that serves both
/// eras. What no validator accepts is left out.
pub(crate) fn every_message(
    corpora: &Corpora,
    session: &str,
    mut hear: impl FnMut(&mut Validator, Sender, &[u8]),
) {
    let mut validator = Validator::new(Policy::strict());
    let mut sides = [Sender::Client, Sender::Server].map(|from| Side::new(corpora, session, from));
    let log: Vec<Read> = corpora.json_lines(&format!("{session}.order.jsonl"));
    for Read { d, len } in log {
        let side = &mut sides[usize::from(d == "s2c")];
        for text in side.next(len) {
            hear(&mut validator, side.from, &text);
        }
    }
}

/// What a run over all sessions has counted.
#[derive(Default)]
struct Counts {
    judged: usize,
    answered: usize,
    refused: BTreeMap<String, usize>,
    findings: BTreeMap<&'static str, usize>,
}

/// Judges the messages of a session in order. `Err` names the requests that
/// were refused, and answered with a result all the same.
fn judge(
    corpora: &Corpora,
    session: &str,
    policy: impl Fn(&Value, Revision) -> Policy,
    counts: &mut Counts,
) -> Result<(), String> {
    let mut validator = Validator::new(Policy::strict());
    let mut sides = [Sender::Client, Sender::Server].map(|from| Side::new(corpora, session, from));
    let mut wrong = Vec::new();
    let mut settled = revision_in(session);
    for Read { d, len } in corpora.json_lines(&format!("{session}.order.jsonl")) {
        let at = usize::from(d == "s2c");
        for text in sides[at].next(len) {
            let value: Value = serde_json::from_slice(&text).expect("a line of JSON");
            if let Some(version) = value["result"]["protocolVersion"].as_str() {
                settled = Revision::from_bytes(version.as_bytes()).expect("a revision");
            }
            validator.set_policy(policy(&value, settled));
            let verdict = validator.check(sides[at].from, &text);
            counts.judged += 1;
            let refused = match &verdict {
                Ok(message) => {
                    for rule in message.findings().iter() {
                        *counts.findings.entry(rule.id()).or_default() += 1;
                    }
                    None
                }
                Err(violation) => {
                    let rule = violation.rule().id();
                    let what = value["method"].as_str().unwrap_or("answer");
                    *counts.refused.entry(format!("{rule} on {what}")).or_default() += 1;
                    Some(format!("{session}: {violation}: {}", String::from_utf8_lossy(&text)))
                }
            };
            let id = value["id"].to_string();
            if value.get("method").is_some() {
                sides[at].asked.entry(id).or_default().push(refused);
            } else if let Some(asked) = sides[1 - at].asked.get_mut(&id).and_then(Vec::pop) {
                counts.answered += usize::from(value.get("result").is_some());
                wrong.extend(asked.filter(|_| value.get("result").is_some()));
            }
        }
    }
    for side in &sides {
        assert_eq!(side.read, side.stream.len(), "{session}: the log lacks the end");
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n  ")) }
}

/// Judges every session by the policy for a message and the revision that its
/// session has settled on.
fn every_session(what: &str, policy: impl Fn(&Value, Revision) -> Policy) -> Option<Counts> {
    let corpora = Corpora::find()?;
    let (mut tally, mut counts) = (Tally::default(), Counts::default());
    for log in corpora.files("captures", ".order.jsonl") {
        let session = log.trim_end_matches(".order.jsonl");
        tally.count(session, judge(&corpora, session, &policy, &mut counts));
    }
    let Counts { judged, answered, refused, findings } = &counts;
    say(format_args!(
        "{judged} messages on stdio {what}, {answered} requests answered with a result; \
         refused: {refused:?}; findings: {findings:?}"
    ));
    tally.finish(&format!("stdio sessions {what}"), 56);
    Some(counts)
}

/// What is reported of them, and how often: clients that declare roots and
/// sampling, a method of the SDK's example, progress from a modern client.
const FINDINGS: &[(&str, usize)] =
    &[("deprecated-feature", 139), ("notification-of-other-revision", 1), ("unknown-method", 6)];

fn is_as_pinned(counts: &Counts) {
    assert_eq!((counts.judged, counts.answered), (1057, 413));
    assert!(counts.refused.is_empty());
    assert!(counts.findings.iter().map(|(&rule, &count)| (rule, count)).eq(FINDINGS.to_vec()));
}

#[test]
fn no_request_on_stdio_is_refused_that_was_answered_with_a_result() {
    let Some(counts) = every_session("by default", |_, _| Policy::strict()) else { return };
    is_as_pinned(&counts);
}

#[test]
fn no_request_on_stdio_is_refused_in_its_own_revision_that_was_answered_with_a_result() {
    let own = |value: &Value, settled| serving(said_revision(value).unwrap_or(settled));
    let Some(counts) = every_session("in their own revision", own) else { return };
    is_as_pinned(&counts);
}
