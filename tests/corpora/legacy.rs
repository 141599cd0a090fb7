//! The captured sessions of the handshake era, both directions in order: what a
//! session notices of them is known, each row looked at.

use std::collections::{BTreeMap, VecDeque};

use mcparse::{Message, Policy, ResponseHead, RuleSet, Sender, Session, SessionState, Validator};
use serde_json::Value;

use crate::sessions::{Exchange, head};
use crate::support::{Corpora, revision_in, say};

/// What is noticed: capture, rule, method or kind, how often.
type Noticed = BTreeMap<(String, &'static str, String), usize>;
type Row = (&'static str, &'static str, &'static str, usize, &'static str);

/// What was counted besides.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    messages: usize,
    sessions: usize,
    /// Those that came to run.
    running: usize,
    /// Those whose server chose another version than was asked for.
    other_version: usize,
}

impl Counts {
    fn end(&mut self, session: &Session) {
        self.sessions += usize::from(session.state() != SessionState::New);
        self.running += usize::from(session.state() == SessionState::Running);
        self.other_version += usize::from(session.has_other_version());
    }
}

fn note(noticed: &mut Noticed, capture: &str, message: &Message<'_>, rules: RuleSet) {
    let method = message.method().map(|method| method.decode().into_owned());
    let what = method.unwrap_or_else(|| message.kind().as_str().to_owned());
    for rule in rules.iter() {
        *noticed.entry((capture.to_owned(), rule.id(), what.clone())).or_default() += 1;
    }
}

/// Fails unless exactly what the table says was noticed.
fn is_as_pinned(noticed: &Noticed, table: &[Row]) {
    for ((capture, rule, what), times) in noticed {
        say(format_args!("{capture}: {rule} on {what}, {times} times"));
    }
    let seen =
        noticed.iter().map(|((capture, rule, what), &times)| (&**capture, *rule, &**what, times));
    let known = table.iter().map(|&(capture, rule, what, times, _)| (capture, rule, what, times));
    assert_eq!(seen.collect::<Vec<_>>(), known.collect::<Vec<_>>());
}

fn is_legacy(name: &str) -> bool {
    !revision_in(name).is_modern()
}

/// What each of the things is.
const UNKNOWN: &str = "the server does not declare it, and answers -32601";
const LOGS: &str = "the server logs, and does not declare logging, as it must";
const UNDECLARED: &str = "the server does not declare completions, and has them";
const TWO: &str = "two servers in one log";

const ON_STDIO: &[Row] = &[
    (
        "pyv1_1.12.4-2025-06-18-stdio/001",
        "capability-not-negotiated",
        "logging/setLevel",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.12.4-2025-06-18-stdio/001",
        "capability-not-negotiated",
        "notifications/message",
        3,
        LOGS,
    ),
    (
        "pyv1_1.12.4-2025-06-18-stdio/001",
        "capability-not-negotiated",
        "resources/subscribe",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.12.4-2025-06-18-stdio/001",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.30.0-2025-11-25-stdio/001",
        "capability-not-negotiated",
        "logging/setLevel",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.30.0-2025-11-25-stdio/001",
        "capability-not-negotiated",
        "notifications/message",
        3,
        LOGS,
    ),
    (
        "pyv1_1.30.0-2025-11-25-stdio/001",
        "capability-not-negotiated",
        "resources/subscribe",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.30.0-2025-11-25-stdio/001",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
    ("tsv2-story-parallel-calls-2025-11-25-stdio/001", "initialize-twice", "initialize", 1, TWO),
];

#[test]
fn what_is_noticed_in_captured_stdio_sessions_of_the_handshake_era_is_known() {
    let Some(corpora) = Corpora::find() else { return };
    let (mut noticed, mut counts) = (Noticed::new(), Counts::default());
    for log in corpora.files("captures", ".order.jsonl") {
        let file = log.trim_end_matches(".order.jsonl");
        let capture = file.trim_start_matches("captures/");
        let mut session = Session::new();
        crate::stdio::every_message(&corpora, file, |validator, from, text| {
            let message = validator.check(from, text).expect("an accepted message");
            let heard = match from {
                Sender::Client => session.sent(&message),
                Sender::Server => session.received(&message),
            };
            note(&mut noticed, capture, &message, heard.rules);
            counts.messages += 1;
        });
        counts.end(&session);
    }
    say(format_args!("sessions on stdio: {counts:?}"));
    is_as_pinned(&noticed, ON_STDIO);
    assert_eq!(counts, Counts { messages: 1057, sessions: 18, running: 18, other_version: 0 });
}

const OVER_HTTP: &[Row] = &[
    (
        "conformance-x-rmcp3-2025-11-25-http",
        "capability-not-negotiated",
        "completion/complete",
        1,
        UNDECLARED,
    ),
    ("pyv1_1.12.4-2025-06-18-http", "capability-not-negotiated", "logging/setLevel", 1, UNKNOWN),
    ("pyv1_1.12.4-2025-06-18-http", "capability-not-negotiated", "notifications/message", 3, LOGS),
    ("pyv1_1.12.4-2025-06-18-http", "capability-not-negotiated", "resources/subscribe", 1, UNKNOWN),
    (
        "pyv1_1.12.4-2025-06-18-http",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.12.4-2025-06-18-httpstatelessjson",
        "capability-not-negotiated",
        "logging/setLevel",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.12.4-2025-06-18-httpstatelessjson",
        "capability-not-negotiated",
        "resources/subscribe",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.12.4-2025-06-18-httpstatelessjson",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
    ("pyv1_1.12.4-2025-06-18-sse", "capability-not-negotiated", "logging/setLevel", 1, UNKNOWN),
    ("pyv1_1.12.4-2025-06-18-sse", "capability-not-negotiated", "notifications/message", 3, LOGS),
    ("pyv1_1.12.4-2025-06-18-sse", "capability-not-negotiated", "resources/subscribe", 1, UNKNOWN),
    (
        "pyv1_1.12.4-2025-06-18-sse",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
    ("pyv1_1.30.0-2025-11-25-http", "capability-not-negotiated", "logging/setLevel", 1, UNKNOWN),
    ("pyv1_1.30.0-2025-11-25-http", "capability-not-negotiated", "notifications/message", 3, LOGS),
    ("pyv1_1.30.0-2025-11-25-http", "capability-not-negotiated", "resources/subscribe", 1, UNKNOWN),
    (
        "pyv1_1.30.0-2025-11-25-http",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.30.0-2025-11-25-httpstatelessjson",
        "capability-not-negotiated",
        "logging/setLevel",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.30.0-2025-11-25-httpstatelessjson",
        "capability-not-negotiated",
        "resources/subscribe",
        1,
        UNKNOWN,
    ),
    (
        "pyv1_1.30.0-2025-11-25-httpstatelessjson",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
    ("pyv1_1.30.0-2025-11-25-sse", "capability-not-negotiated", "logging/setLevel", 1, UNKNOWN),
    ("pyv1_1.30.0-2025-11-25-sse", "capability-not-negotiated", "notifications/message", 3, LOGS),
    ("pyv1_1.30.0-2025-11-25-sse", "capability-not-negotiated", "resources/subscribe", 1, UNKNOWN),
    (
        "pyv1_1.30.0-2025-11-25-sse",
        "capability-not-negotiated",
        "resources/unsubscribe",
        1,
        UNKNOWN,
    ),
];

/// The sessions of one capture, by id; the one without an id is the client's
/// that has none.
struct Room<'c> {
    capture: &'c str,
    sessions: BTreeMap<String, Session>,
    validator: Validator,
    /// What came on the one stream of the older transport and is not heard yet:
    /// each answer with all before it comes behind its request.
    stream: VecDeque<Vec<u8>>,
}

impl Room<'_> {
    /// What is noticed of one exchange: the request, and all that came with its
    /// answer.
    fn hear(&mut self, exchange: &Exchange, noticed: &mut Noticed, counts: &mut Counts) {
        let request = head(&exchange.request);
        let opens = exchange.sent().is_some_and(|sent| sent["method"] == "initialize");
        let given = exchange.response.as_ref().and_then(|it| it.header("mcp-session-id"));
        let named = exchange.request.header("mcp-session-id");
        let id = if opens { given.or(named) } else { named }.unwrap_or_default().to_owned();
        let old = self.sessions.get(&id).filter(|old| opens && old.state() != SessionState::New);
        if let Some(old) = old.copied() {
            counts.end(&old);
            self.sessions.insert(id.clone(), Session::new());
        }
        let session = self.sessions.entry(id).or_default();
        if let Ok(message) = self.validator.check_http(&request, &exchange.request.body) {
            let heard = session.sent_over_http(&request, &message);
            note(noticed, self.capture, &message, heard.rules);
            counts.messages += 1;
        }
        let Some(response) = &exchange.response else { return };
        let headers = response.headers.iter().map(|(name, value)| (name, value));
        let response_head = ResponseHead::new(response.status(), headers);
        let mut texts = response.messages();
        if self.capture.ends_with("-sse") {
            self.stream.extend(texts);
            let id = exchange.sent().and_then(|sent| sent.get("id").cloned());
            let is_answer = |text: &Vec<u8>| {
                // The answer to a POST is the word `Accepted`.
                let value: Value = serde_json::from_slice(text).unwrap_or_default();
                value.is_object() && value.get("method").is_none() && value.get("id") == id.as_ref()
            };
            let answer = self.stream.iter().position(is_answer).map_or(0, |at| at + 1);
            texts = self.stream.drain(..answer).collect();
        }
        for text in texts {
            let Ok(message) = self.validator.check(Sender::Server, &text) else { continue };
            let heard = session.received_over_http(&response_head, &message);
            note(noticed, self.capture, &message, heard.rules);
            counts.messages += 1;
        }
    }
}

#[test]
fn what_is_noticed_in_captured_http_sessions_of_the_handshake_era_is_known() {
    let Some(corpora) = Corpora::find() else { return };
    let (mut noticed, mut counts) = (Noticed::new(), Counts::default());
    for exchanges in Exchange::all(&corpora) {
        let Some(first) = exchanges.first() else { continue };
        let capture = first.name.rsplit_once('/').map_or("", |(capture, _)| capture);
        if !is_legacy(capture) {
            continue;
        }
        let validator = Validator::new(Policy::strict());
        let mut room =
            Room { capture, sessions: BTreeMap::new(), validator, stream: VecDeque::new() };
        for exchange in &exchanges {
            room.hear(exchange, &mut noticed, &mut counts);
        }
        for session in room.sessions.values() {
            counts.end(session);
        }
    }
    say(format_args!("sessions over HTTP: {counts:?}"));
    is_as_pinned(&noticed, OVER_HTTP);
    // The conformance suite opens some and leaves them, and has some refused.
    assert_eq!(counts, Counts { messages: 2061, sessions: 137, running: 132, other_version: 0 });
}
