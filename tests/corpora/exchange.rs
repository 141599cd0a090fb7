//! The exchange on real material: the cases that are about more than one
//! message, and every captured stdio session, both directions in order.

use std::collections::BTreeMap;

use mcparse::{Exchange, LineFramer, Message, Noticed, Policy, Rule, RuleSet, Sender, Validator};
use serde_json::{Value, json};

use crate::cases::{Case, Expected};
use crate::decisions::IN_EXCHANGE;
use crate::framing::{Found, found};
use crate::stdio::every_message;
use crate::support::{Corpora, Tally, same, say};

/// What we notice of a case's last message where that is not what the case
/// calls it: case, rule, reason.
const INSTEAD: &[(&str, Option<Rule>, &str)] = &[
    ("stdio-double-answer", Some(Rule::AnswerTwice), "the first answer is remembered"),
    ("corr-parse-error-reply-not-answered", Some(Rule::AnswerUnknown), "nothing was sent"),
];

fn hear(exchange: &mut Exchange, from: Sender, message: &Message<'_>) -> Noticed {
    match from {
        Sender::Client => exchange.sent(message),
        Sender::Server => exchange.received(message),
    }
}

/// What is noticed of each message of a case, with its requests in flight.
fn noticed(case: &Case, from: Sender, messages: &[Vec<u8>]) -> Vec<RuleSet> {
    let mut validator = Validator::new(Policy::observe());
    let mut exchange = Exchange::new();
    for id in case.in_flight() {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}).to_string();
        let request = validator.check(Sender::Client, request.as_bytes()).expect("a request");
        let noticed = exchange.sent(&request);
        assert!(noticed.rules.is_empty(), "{}: {:?}", case.name, noticed.rules);
    }
    let mut heard = Vec::new();
    for message in messages {
        if let Ok(message) = validator.check(from, message) {
            heard.push(hear(&mut exchange, from, &message).rules);
        }
    }
    heard
}

/// What should be noticed of a message.
fn expected(case: &Case, findings: &[String], is_last: bool) -> RuleSet {
    let instead = INSTEAD.iter().find(|(name, ..)| *name == case.name && is_last);
    if let Some((_, rule, _)) = instead {
        return rule.iter().copied().collect();
    }
    let rule =
        |finding: &String| IN_EXCHANGE.iter().find(|(name, _)| name == finding).map(|row| row.1);
    findings.iter().filter_map(rule).collect()
}

#[test]
fn what_cases_say_of_several_messages_is_noticed() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    for case in Case::all_of(&corpora, "message") {
        let one: Expected = case.expected();
        let is_mapped = one.findings.iter().any(|name| IN_EXCHANGE.iter().any(|row| row.0 == name));
        if is_mapped || case.name.starts_with("corr-") {
            let got = noticed(&case, case.sender(&one), &[case.input()]);
            tally.count(&case.name, same(&got, &vec![expected(&case, &one.findings, true)]));
        }
    }
    for case in Case::all_of(&corpora, "stdio-stream") {
        let all: Vec<Expected> = case.expected();
        let is_mapped = all
            .iter()
            .flat_map(|one| &one.findings)
            .any(|name| IN_EXCHANGE.iter().any(|row| row.0 == name));
        if !is_mapped && case.name != "stdio-dup-inflight-int-string" {
            continue;
        }
        let lines = found::<LineFramer>(&case.input(), &[], 4 << 20);
        let lines: Vec<_> =
            lines.iter().map(|one| Found::message(one).expect("a line").to_vec()).collect();
        let from = case.sender(all.last().expect("a message"));
        let last = all.len() - 1;
        let expected: Vec<_> = all
            .iter()
            .enumerate()
            .map(|(at, one)| expected(&case, &one.findings, at == last))
            .collect();
        tally.count(&case.name, same(&noticed(&case, from, &lines), &expected));
    }
    tally.finish("cases of several messages", 9);
}

/// What each of the things is that are noticed in the captured sessions.
const CLIENT: &str = "the client tells of progress of a request that the server never sent";
const NO_REQUEST: &str = "the client cancels request 9999, which there never was";
const TWO: &str = "two servers in one log, and both clients count alike";
const LOGS: &str = "the server logs although no request has asked for it";

/// What is noticed in the captured sessions, and how often: session, rule, the
/// method or kind of the message, how many, what it is.
pub(crate) const SESSIONS: &[(&str, &str, &str, usize, &str)] = &[
    (
        "driver-pyv2-x-pyv2-2025-11-25-stdio/001",
        "progress-token-unknown",
        "notifications/progress",
        1,
        CLIENT,
    ),
    (
        "driver-pyv2-x-pyv2-2026-07-28-stdio/001",
        "progress-token-unknown",
        "notifications/progress",
        1,
        CLIENT,
    ),
    (
        "pyv1_1.12.4-2025-06-18-stdio/001",
        "cancel-unknown",
        "notifications/cancelled",
        1,
        NO_REQUEST,
    ),
    (
        "pyv1_1.12.4-2025-06-18-stdio/001",
        "progress-token-unknown",
        "notifications/progress",
        1,
        CLIENT,
    ),
    (
        "pyv1_1.30.0-2025-11-25-stdio/001",
        "cancel-unknown",
        "notifications/cancelled",
        1,
        NO_REQUEST,
    ),
    (
        "pyv1_1.30.0-2025-11-25-stdio/001",
        "progress-token-unknown",
        "notifications/progress",
        1,
        CLIENT,
    ),
    ("tsv2-story-parallel-calls-2025-11-25-stdio/001", "answer-twice", "response", 2, TWO),
    ("tsv2-story-parallel-calls-2025-11-25-stdio/001", "id-in-flight", "initialize", 1, TWO),
    ("tsv2-story-parallel-calls-2025-11-25-stdio/001", "id-in-flight", "tools/call", 1, TWO),
    ("tsv2-story-parallel-calls-2026-07-28-stdio/001", "answer-twice", "response", 1, TWO),
    ("tsv2-story-parallel-calls-2026-07-28-stdio/001", "id-in-flight", "server/discover", 1, TWO),
    ("tsv2-story-parallel-calls-2026-07-28-stdio/002", "answer-twice", "response", 1, TWO),
    ("tsv2-story-parallel-calls-2026-07-28-stdio/002", "id-in-flight", "tools/call", 1, TWO),
    (
        "tsv2-story-parallel-calls-2026-07-28-stdio/002",
        "log-without-level",
        "notifications/message",
        6,
        LOGS,
    ),
    (
        "tsv2-story-parallel-calls-2026-07-28-stdio/004",
        "log-without-level",
        "notifications/message",
        4,
        LOGS,
    ),
    (
        "tsv2-story-streaming-2026-07-28-stdio/002",
        "log-without-level",
        "notifications/message",
        6,
        LOGS,
    ),
];

#[test]
fn what_is_noticed_in_captured_stdio_sessions_is_known() {
    let Some(corpora) = Corpora::find() else { return };
    let mut seen = BTreeMap::<(String, &str, String), usize>::new();
    let (mut sessions, mut messages, mut named, mut waiting) = (0, 0, 0, 0);
    for log in corpora.files("captures", ".order.jsonl") {
        let session = log.trim_end_matches(".order.jsonl").trim_start_matches("captures/");
        let mut exchange = Exchange::new();
        every_message(&corpora, log.trim_end_matches(".order.jsonl"), |validator, from, text| {
            let message = validator.check(from, text).expect("an accepted message");
            let noticed = hear(&mut exchange, from, &message);
            let value: Value = serde_json::from_slice(text).expect("JSON");
            let what = value["method"].as_str().unwrap_or(message.kind().as_str()).to_owned();
            for rule in noticed.rules.iter() {
                *seen.entry((session.to_owned(), rule.id(), what.clone())).or_default() += 1;
            }
            messages += 1;
            named += usize::from(noticed.request.is_some());
        });
        sessions += 1;
        waiting += exchange.pending().count();
    }
    for ((session, rule, what), times) in &seen {
        say(format_args!("{session}: {rule} on {what}, {times} times"));
    }
    say(format_args!(
        "{messages} messages of {sessions} stdio sessions, {named} of an earlier request; \
         {waiting} requests still wait at the end"
    ));
    let seen: Vec<_> = seen
        .iter()
        .map(|((session, rule, what), &times)| (&**session, *rule, &**what, times))
        .collect();
    let known: Vec<_> = SESSIONS
        .iter()
        .map(|&(session, rule, what, times, _)| (session, rule, what, times))
        .collect();
    assert_eq!(seen, known);
    assert_eq!((messages, sessions, named, waiting), (1057, 56, 513, 0));
}
