//! The captured answers, each judged by what is kept of its request: HTTP
//! responses whole, stdio streams in the order in which they were read. None is
//! refused but those that are truly broken.

use std::collections::BTreeMap;

use mcparse::{
    Kind, Limits, LineFramer, Message, Policy, ResponseHead, Rule, RuleSet, Sender, Summary,
    Validator, Violation,
};
use serde::Deserialize;

use crate::framing::{Found, Framer};
use crate::http::Http;
use crate::sessions::{Exchange, head};
use crate::support::{Corpora, say, serving};

/// What a run over captures has counted.
#[derive(Default)]
struct Counts {
    exchanges: usize,
    verdicts: usize,
    /// Requests whose answer was accepted.
    answered: usize,
    /// Whose answer was refused, or did not come.
    failed: usize,
    refused: Vec<(String, Rule)>,
    findings: BTreeMap<&'static str, usize>,
}

impl Counts {
    fn note(&mut self, name: &str, verdict: &Result<Message<'_>, Violation<'_>>) {
        self.verdicts += 1;
        match verdict {
            Ok(message) => {
                self.answered += usize::from(message.kind().is_response());
                self.find(message.findings());
            }
            Err(violation) => {
                self.failed += usize::from(violation.concerns_pending());
                self.refused.push((name.to_owned(), violation.rule()));
                let detail = violation.detail().map(|detail| detail.to_string());
                say(format_args!("{name}: {violation} {detail:?}"));
            }
        }
    }

    fn find(&mut self, findings: RuleSet) {
        for rule in findings.iter() {
            *self.findings.entry(rule.id()).or_default() += 1;
        }
    }

    fn is_as_pinned(
        &self,
        [exchanges, verdicts, answered, failed]: [usize; 4],
        refused: &[(&str, Rule, &str)],
        findings: &[(&str, usize)],
    ) {
        say(format_args!(
            "{} messages that were answered, {} verdicts, {} answers, {} failures; {:?}",
            self.exchanges, self.verdicts, self.answered, self.failed, self.findings
        ));
        let known: Vec<_> = self.refused.iter().map(|(name, rule)| (&**name, *rule)).collect();
        let expected: Vec<_> = refused.iter().map(|&(name, rule, _)| (name, rule)).collect();
        assert_eq!(known, expected);
        let found: Vec<_> = self.findings.iter().map(|(&rule, &count)| (rule, count)).collect();
        assert_eq!(found, findings);
        let counted = [self.exchanges, self.verdicts, self.answered, self.failed];
        assert_eq!(counted, [exchanges, verdicts, answered, failed]);
    }
}

fn response_head(response: &Http) -> ResponseHead<'_> {
    let headers = response.headers.iter().map(|(name, value)| (name, value));
    ResponseHead::new(response.status(), headers)
}

/// Judges a response by its request, unless that is refused itself.
fn judge(validator: &mut Validator, exchange: &Exchange, counts: &mut Counts) {
    let Exchange { name, request, response: Some(response) } = exchange else { return };
    let head = head(request);
    let Ok(summary) = validator.check_http(&head, &request.body).map(|it| it.summary()) else {
        return;
    };
    counts.exchanges += 1;
    let (mut answers, mut failures) = (0, 0);
    let findings = validator.check_http_answer(
        &summary,
        &response_head(response),
        &response.body,
        |verdict| {
            answers += usize::from(verdict.as_ref().is_ok_and(|it| it.kind().is_response()));
            failures += usize::from(verdict.as_ref().is_err_and(Violation::concerns_pending));
            counts.note(name, &verdict);
        },
    );
    counts.find(findings);
    // Nobody hangs, and nobody is answered twice.
    if summary.kind() == Kind::Request {
        assert_eq!(answers + failures, 1, "{name}");
    }
}

const TWO: &str = "several messages in one JSON body, a line each";
const OTHER: &str = "a status of HTTP's own, without a body or with plain text";
const TEXT: &str = "the id of the request is a number, that of the subscription a string";
const BARE: &str = "an error of authorisation that is no message";
const CUT: &str = "the client went, or the server ended the stream to be polled";

/// What is refused: capture, rule, and what it is.
const REFUSED_HTTP: &[(&str, Rule, &str)] = &[
    ("conformance-x-everything-ts-2025-11-25-http/170", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-everything-ts-2026-07-28-http/017", Rule::NotJson, TWO),
    ("conformance-x-everything-ts-2026-07-28-http/019", Rule::NotJson, TWO),
    ("conformance-x-everything-ts-2026-07-28-http/021", Rule::SubscriptionIdMismatch, TEXT),
    ("conformance-x-everything-ts-2026-07-28-http/021", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-everything-ts-2026-07-28-http/023", Rule::NotJson, TWO),
    ("conformance-x-everything-ts-2026-07-28-http/025", Rule::NotJson, TWO),
    ("conformance-x-rmcp3-2025-11-25-http/155", Rule::AnswerContentType, OTHER),
    ("conformance-x-rmcp3-2025-11-25-http/161", Rule::AnswerContentType, OTHER),
    ("conformance-x-rmcp3-2026-07-28-http/019", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-rmcp3-2026-07-28-http/021", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-rmcp3-2026-07-28-http/023", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-rmcp3-2026-07-28-http/025", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-rmcp3-2026-07-28-http/051", Rule::AnswerContentType, OTHER),
    ("conformance-x-tsv2-2025-11-25-http/170", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-tsv2-2026-07-28-http/019", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-tsv2-2026-07-28-http/021", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-tsv2-2026-07-28-http/023", Rule::StreamWithoutAnswer, CUT),
    ("conformance-x-tsv2-2026-07-28-http/025", Rule::StreamWithoutAnswer, CUT),
    ("driver-pyv2-x-everything-ts-2026-07-28-http/034", Rule::NotJson, TWO),
    ("driver-pyv2-x-everything-ts-2026-07-28-http/035", Rule::NotJson, TWO),
    ("driver-pyv2-x-everything-ts-2026-07-28-http/056", Rule::StreamWithoutAnswer, CUT),
    ("driver-pyv2-x-pyv2-2026-07-28-http/065", Rule::StreamWithoutAnswer, CUT),
    ("driver-pyv2-x-pyv2-2026-07-28-http/068", Rule::StreamWithoutAnswer, CUT),
    ("driver-pyv2-x-tsv2-2025-11-25-http/071", Rule::StreamWithoutAnswer, CUT),
    ("driver-pyv2-x-tsv2-2026-07-28-http/059", Rule::StreamWithoutAnswer, CUT),
    ("driver-pyv2-x-tsv2-2026-07-28-http/062", Rule::StreamWithoutAnswer, CUT),
    ("driver-tsv2-x-everything-ts-2025-11-25-http/044", Rule::StreamWithoutAnswer, CUT),
    ("driver-tsv2-x-everything-ts-2026-07-28-http/034", Rule::NotJson, TWO),
    ("driver-tsv2-x-everything-ts-2026-07-28-http/056", Rule::StreamWithoutAnswer, CUT),
    ("driver-tsv2-x-pyv2-2026-07-28-http/065", Rule::StreamWithoutAnswer, CUT),
    ("driver-tsv2-x-tsv2-2025-11-25-http/071", Rule::StreamWithoutAnswer, CUT),
    ("driver-tsv2-x-tsv2-2026-07-28-http/059", Rule::StreamWithoutAnswer, CUT),
    ("driver-tsv2-x-tsv2-2026-07-28-http/063", Rule::StreamWithoutAnswer, CUT),
    ("mcpcheck-x-pyv2-2026-07-28-http/035", Rule::AnswerContentType, OTHER),
    ("mcpcheck-x-pyv2-2026-07-28-http/038", Rule::AnswerContentType, OTHER),
    (
        "sdkclient-tsv2client-2025-11-25-http/sse-retry-2025-11-25/005",
        Rule::StreamWithoutAnswer,
        CUT,
    ),
    ("tsv1_1.12.0-x-server-everything-2025-03-26-http/042", Rule::StreamWithoutAnswer, CUT),
    ("tsv1_1.32.2-x-server-everything-2025-11-25-http/043", Rule::StreamWithoutAnswer, CUT),
    ("tsv2-story-resources-2026-07-28-http/006", Rule::StreamWithoutAnswer, CUT),
    ("tsv2-story-scoped-tools-2026-07-28-http/001", Rule::JsonrpcVersion, BARE),
    ("tsv2-story-streaming-2025-11-25-http/005", Rule::StreamWithoutAnswer, CUT),
    ("tsv2-story-subscriptions-2026-07-28-http/002", Rule::StreamWithoutAnswer, CUT),
    ("tsv2-story-subscriptions-2026-07-28-http/007", Rule::StreamWithoutAnswer, CUT),
];
const FOUND_HTTP: &[(&str, usize)] = &[
    ("error-code-legacy-range", 2),
    ("error-id-null", 7),
    ("result-type-missing", 66),
    ("server-info-missing", 381),
    ("sse-buffering-header", 64),
    ("unknown-method", 4),
];

#[test]
fn no_http_answer_is_refused_but_what_is_broken() {
    let Some(corpora) = Corpora::find() else { return };
    let mut counts = Counts::default();
    for session in Exchange::all(&corpora) {
        let mut validator = Validator::new(Policy::strict());
        // The transport of 2024-11-05 answers elsewhere than where it is asked.
        let session = session.iter().filter(|exchange| !exchange.name.contains("-sse/"));
        for exchange in session {
            validator.set_policy(serving(exchange.revision()));
            judge(&mut validator, exchange, &mut counts);
        }
    }
    counts.is_as_pinned([1952, 1986, 1657, 43], REFUSED_HTTP, FOUND_HTTP);
}

/// One read of the order log.
#[derive(Deserialize)]
struct Read {
    d: String,
    len: usize,
}

const REFUSED_STDIO: &[(&str, Rule, &str)] = &[];
const FOUND_STDIO: &[(&str, usize)] = &[];

#[test]
fn no_answer_on_stdio_is_refused_but_what_is_broken() {
    let Some(corpora) = Corpora::find() else { return };
    let mut counts = Counts::default();
    for log in corpora.files("captures", ".order.jsonl") {
        session(&corpora, log.trim_end_matches(".order.jsonl"), &mut counts);
    }
    counts.is_as_pinned([452, 452, 452, 0], REFUSED_STDIO, FOUND_STDIO);
}

/// Judges every message of a session that answers a request of the other side by
/// that, in both directions.
fn session(corpora: &Corpora, session: &str, counts: &mut Counts) {
    let mut validator = Validator::new(Policy::strict());
    let mut sides = [Sender::Client, Sender::Server].map(|from| {
        let letters = if from == Sender::Client { "c2s" } else { "s2c" };
        let framer = LineFramer::new(Limits::new().message_bytes);
        let waiting: Vec<Summary> = Vec::new();
        (from, corpora.read(format!("{session}.{letters}.jsonl")), 0, framer, waiting)
    });
    for Read { d, len } in corpora.json_lines(&format!("{session}.order.jsonl")) {
        let at = usize::from(d == "s2c");
        let (from, stream, read, framer, _) = &mut sides[at];
        let from = *from;
        let mut found = Vec::new();
        framer.feed(&stream[*read..*read + len], &mut found);
        *read += len;
        for text in found.iter().filter_map(Found::message) {
            let Ok(message) = validator.check(from, text) else { continue };
            match message.kind() {
                Kind::Request => sides[at].4.push(message.summary()),
                Kind::Notification => {}
                Kind::Result | Kind::Error => {
                    let waiting = &mut sides[1 - at].4;
                    let own =
                        message.id().and_then(|id| waiting.iter().position(|it| it.has_id(id)));
                    let Some(own) = own else { continue };
                    let summary = waiting.remove(own);
                    counts.exchanges += 1;
                    counts.note(session, &validator.check_answer(&summary, text));
                }
            }
        }
    }
}
