//! The captured answers that do not come in the response to what they answer:
//! on a stream that a GET opened, as the transport of 2024-11-05 has all of
//! them, and in the bodies that a client posts. Each is judged by what is kept
//! of the request with its id; which that is, is told by hand here.

use std::collections::BTreeMap;

use mcparse::{Id, Kind, Sender, Summary, Validator};

use crate::http::Http;
use crate::sessions::Exchange;
use crate::support::{Corpora, say, serving};

/// A message of a capture: which exchange it is part of, and in which session.
struct Said<'e> {
    at: usize,
    exchange: &'e Exchange,
    text: Vec<u8>,
}

impl Said<'_> {
    fn session(&self) -> Option<&str> {
        self.exchange.request.header("mcp-session-id")
    }
}

/// All that one side has said, in the order of the exchanges.
fn said_by(from: Sender, exchanges: &[Exchange]) -> Vec<Said<'_>> {
    let texts = |exchange: &Exchange| match from {
        Sender::Client => vec![exchange.request.body.clone()],
        Sender::Server => exchange.response.iter().flat_map(Http::messages).collect(),
    };
    let said =
        |(at, exchange)| texts(exchange).into_iter().map(move |text| Said { at, exchange, text });
    exchanges.iter().enumerate().flat_map(said).collect()
}

/// What is kept of the message, if it is of that kind.
fn kept(from: Sender, said: &Said<'_>, is: impl Fn(Kind) -> bool) -> Option<Summary> {
    let mut validator = Validator::new(serving(said.exchange.revision()));
    let message = validator.check(from, &said.text).ok()?;
    is(message.kind()).then(|| message.summary())
}

/// The request of the other side that has the id, in the same session: the
/// latest before the answer or, on a stream that was opened before there was
/// anything to answer, the first behind.
fn request(from: Sender, asked: &[Said<'_>], answer: &Said<'_>, id: Id<'_>) -> Option<Summary> {
    let mut later = None;
    for said in asked.iter().rev().filter(|said| said.session() == answer.session()) {
        let request = kept(from, said, |kind| kind == Kind::Request);
        let Some(request) = request.filter(|request| request.has_id(id)) else { continue };
        if said.at <= answer.at {
            return Some(request);
        }
        later = Some(request);
    }
    later
}

const GET: &str = "405 to a GET, which is no request of the protocol: an error with the id null";

/// The answers to no request: where each stands, and what it is.
const TO_NOTHING: &[(&str, &str)] = &[
    ("tsv2-story-custom-methods-2025-11-25-http/003", GET),
    ("tsv2-story-custom-version-2025-11-25-http/003", GET),
    ("tsv2-story-dual-era-2026-07-28-http/003", GET),
    ("tsv2-story-hono-2025-11-25-http/003", GET),
    ("tsv2-story-parallel-calls-2025-11-25-http/005", GET),
    ("tsv2-story-parallel-calls-2025-11-25-http/006", GET),
    ("tsv2-story-parallel-calls-2025-11-25-http/011", GET),
    ("tsv2-story-prompts-2025-11-25-http/003", GET),
    ("tsv2-story-resources-2025-11-25-http/003", GET),
    ("tsv2-story-schema-validators-2025-11-25-http/003", GET),
    ("tsv2-story-stateless-legacy-2026-07-28-http/003", GET),
    ("tsv2-story-stickynotes-2025-11-25-http/003", GET),
    ("tsv2-story-streaming-2025-11-25-http/003", GET),
    ("tsv2-story-tools-2025-11-25-http/003", GET),
];

/// What is reported of those that are accepted.
const FOUND: &[(&str, usize)] = &[];

#[derive(Default)]
struct Counts {
    /// How many were judged, by the way they came.
    judged: BTreeMap<&'static str, usize>,
    accepted: usize,
    refused: Vec<String>,
    to_nothing: Vec<String>,
    findings: BTreeMap<&'static str, usize>,
}

impl Counts {
    /// Judges the answer of `from`, unless it stands in the response to a POST.
    fn judge(&mut self, from: Sender, answer: &Said<'_>, asked: &[Said<'_>]) {
        let (name, method) = (&answer.exchange.name, answer.exchange.request.method());
        let is_answer = kept(from, answer, Kind::is_response).is_some();
        if !is_answer || from == Sender::Server && method == "POST" {
            return;
        }
        let mut validator = Validator::new(serving(answer.exchange.revision()));
        let message = validator.check(from, &answer.text).expect("an answer");
        let id = message.id().filter(|id| id.lexeme() != b"null");
        let other = if from == Sender::Client { Sender::Server } else { Sender::Client };
        let Some(to) = id.and_then(|id| request(other, asked, answer, id)) else {
            self.to_nothing.push(name.clone());
            return;
        };
        let way = if from == Sender::Client { "posted" } else { "streamed" };
        *self.judged.entry(way).or_default() += 1;
        match validator.check_answer(&to, &answer.text) {
            Ok(message) => {
                self.accepted += 1;
                for rule in message.findings().iter() {
                    *self.findings.entry(rule.id()).or_default() += 1;
                }
            }
            Err(violation) => self.refused.push(format!("{name}: {violation}")),
        }
    }
}

#[test]
fn no_answer_that_comes_elsewhere_is_refused() {
    let Some(corpora) = Corpora::find() else { return };
    let mut counts = Counts::default();
    for session in Exchange::all(&corpora) {
        let sides = [Sender::Client, Sender::Server].map(|from| said_by(from, &session));
        let [client, server] = &sides;
        for answer in server {
            counts.judge(Sender::Server, answer, client);
        }
        for answer in client {
            counts.judge(Sender::Client, answer, server);
        }
    }
    let Counts { judged, accepted, refused, to_nothing, findings } = &counts;
    say(format_args!(
        "{judged:?} answers beside their requests, {accepted} accepted; {} to nothing; {findings:?}",
        to_nothing.len()
    ));
    assert!(refused.is_empty(), "refused:\n  {}", refused.join("\n  "));
    assert_eq!(*to_nothing, TO_NOTHING.iter().map(|row| row.0).collect::<Vec<_>>());
    let found: Vec<_> = findings.iter().map(|(&rule, &count)| (rule, count)).collect();
    assert_eq!(found, FOUND);
    assert_eq!(*judged, BTreeMap::from([("posted", 85), ("streamed", 53)]));
    assert_eq!(*accepted, 138);
}
