//! The command on whole captured conversations: what it finds between their
//! messages, over HTTP and in logs of both directions of stdio, and that it
//! refuses none of them for that.

use std::collections::BTreeMap;
use std::process::Command;

use mcparse::{Rule, Stage};
use serde_json::Value;

use crate::exchange::SESSIONS;
use crate::support::{Corpora, say};

/// Session, rule, how many, what it is.
type Row = (&'static str, &'static str, usize, &'static str);

/// What is found between messages.
#[derive(Default)]
struct Found {
    messages: usize,
    /// By session and rule.
    reported: BTreeMap<(String, String), usize>,
    /// Messages that are refused for it.
    refused: usize,
}

const CLIENT: &str = "the client tells of progress of a request that the server never sent";
const NO_REQUEST: &str = "the client cancels request 9999, which there never was";
const CANCELS: &str = "the client closes the stream and cancels by a message too";
const LOGS: &str = "the server logs although no request has asked for it";
const TAMPERED: &str = "the suite changes the state, to see whether the server minds";

/// What is reported between the messages of captures over HTTP.
const OVER_HTTP: &[Row] = &[
    ("conformance-x-everything-ts-2026-07-28-http", "mrtr-state-changed", 1, TAMPERED),
    ("conformance-x-rmcp3-2026-07-28-http", "mrtr-state-changed", 1, TAMPERED),
    ("conformance-x-tsv2-2026-07-28-http", "mrtr-state-changed", 1, TAMPERED),
    ("driver-pyv2-x-everything-ts-2025-11-25-http", "cancel-unknown", 1, NO_REQUEST),
    ("driver-pyv2-x-everything-ts-2025-11-25-http", "progress-token-unknown", 1, CLIENT),
    ("driver-pyv2-x-everything-ts-2026-07-28-http", "progress-token-unknown", 1, CLIENT),
    ("driver-pyv2-x-pyv2-2025-11-25-http", "cancel-unknown", 1, NO_REQUEST),
    ("driver-pyv2-x-pyv2-2025-11-25-http", "progress-token-unknown", 1, CLIENT),
    ("driver-pyv2-x-pyv2-2026-07-28-http", "progress-token-unknown", 1, CLIENT),
    ("driver-pyv2-x-tsv2-2025-11-25-http", "progress-token-unknown", 1, CLIENT),
    ("driver-pyv2-x-tsv2-2026-07-28-http", "progress-token-unknown", 1, CLIENT),
    ("driver-tsv2-x-everything-ts-2026-07-28-http", "log-without-level", 3, LOGS),
    ("driver-tsv2-x-pyv2-2026-07-28-http", "cancel-over-http", 1, CANCELS),
    ("driver-tsv2-x-tsv2-2026-07-28-http", "cancel-over-http", 1, CANCELS),
    ("driver-tsv2-x-tsv2-2026-07-28-http", "log-without-level", 3, LOGS),
    ("pyv1_1.12.4-2025-06-18-http", "cancel-unknown", 1, NO_REQUEST),
    ("pyv1_1.12.4-2025-06-18-http", "progress-token-unknown", 1, CLIENT),
    ("pyv1_1.12.4-2025-06-18-httpstatelessjson", "cancel-unknown", 1, NO_REQUEST),
    ("pyv1_1.12.4-2025-06-18-httpstatelessjson", "progress-token-unknown", 1, CLIENT),
    ("pyv1_1.30.0-2025-11-25-http", "cancel-unknown", 1, NO_REQUEST),
    ("pyv1_1.30.0-2025-11-25-http", "progress-token-unknown", 1, CLIENT),
    ("pyv1_1.30.0-2025-11-25-httpstatelessjson", "cancel-unknown", 1, NO_REQUEST),
    ("pyv1_1.30.0-2025-11-25-httpstatelessjson", "progress-token-unknown", 1, CLIENT),
    ("tsv2-story-parallel-calls-2026-07-28-http", "log-without-level", 10, LOGS),
    ("tsv2-story-resources-2026-07-28-http", "cancel-over-http", 1, CANCELS),
    ("tsv2-story-streaming-2026-07-28-http", "log-without-level", 5, LOGS),
    ("tsv2-story-subscriptions-2026-07-28-http", "cancel-over-http", 2, CANCELS),
];

/// Whether it is a rule of several messages.
fn is_between(rule: &Value) -> bool {
    let rule = rule.as_str().and_then(Rule::from_id);
    rule.is_some_and(|rule| rule.stage() == Stage::Exchange)
}

impl Found {
    /// Runs `check` on the files of a session.
    fn check(&mut self, corpora: &Corpora, session: &str, framing: &str, files: &[String]) {
        let output = Command::new(env!("CARGO_BIN_EXE_mcparse"))
            .args(["check", "--format", "json", "--framing", framing])
            .args(files.iter().map(|file| corpora.path(file)))
            .output()
            .expect("the command runs");
        for line in output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let record: Value = serde_json::from_slice(line).expect("a record");
            let findings = record["findings"].as_array().expect("a list");
            for rule in findings.iter().filter(|rule| is_between(rule)) {
                let key = (session.to_owned(), rule.as_str().expect("an id").to_owned());
                *self.reported.entry(key).or_default() += 1;
            }
            self.refused += usize::from(is_between(&record["rule"]));
            self.messages += 1;
        }
    }

    fn is_as_pinned(&self, table: impl Iterator<Item = (&'static str, &'static str, usize)>) {
        let found = self.reported.iter();
        let found: Vec<_> =
            found.map(|((session, rule), &times)| (&**session, &**rule, times)).collect();
        for (session, rule, times) in &found {
            say(format_args!("{session}: {rule}, {times} times"));
        }
        assert_eq!(found, table.collect::<Vec<_>>());
    }
}

#[test]
fn what_the_command_finds_in_captured_conversations_over_http_is_known() {
    let Some(corpora) = Corpora::find() else { return };
    let mut sessions = BTreeMap::<String, Vec<String>>::new();
    for file in corpora.files("captures", ".http") {
        let (session, _) = file.rsplit_once('/').expect("a folder");
        // The transport of 2024-11-05 answers elsewhere than where it is asked.
        if !session.ends_with("-sse") {
            sessions.entry(session.to_owned()).or_default().push(file);
        }
    }
    let mut found = Found::default();
    for (session, files) in &sessions {
        found.check(&corpora, session.trim_start_matches("captures/"), "http", files);
    }
    say(format_args!("{} messages of {} sessions over HTTP", found.messages, sessions.len()));
    found.is_as_pinned(OVER_HTTP.iter().map(|&(session, rule, times, _)| (session, rule, times)));
    assert_eq!((found.messages, sessions.len(), found.refused), (4137, 73, 0));
}

#[test]
fn the_command_finds_in_logs_of_stdio_what_an_exchange_notices() {
    let Some(corpora) = Corpora::find() else { return };
    let mut found = Found::default();
    for log in corpora.files("captures", ".order.jsonl") {
        let name = log.trim_end_matches(".order.jsonl").trim_start_matches("captures/");
        found.check(&corpora, name, "log", std::slice::from_ref(&log));
    }
    let is_taken = |rule: &str| rule == Rule::IdInFlight.id();
    let reported = SESSIONS.iter().filter(|row| !is_taken(row.1));
    found.is_as_pinned(reported.map(|&(session, rule, _, times, _)| (session, rule, times)));
    // Two clients in one log give out the same ids.
    let taken: usize = SESSIONS.iter().filter(|row| is_taken(row.1)).map(|row| row.3).sum();
    assert_eq!((found.messages, found.refused), (1057, taken));
}
