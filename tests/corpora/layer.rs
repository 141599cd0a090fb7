//! The captured HTTP sessions sent through the layer, requests and responses cut at random:
//! what it says of each is what the validator says of it whole, and what is accepted comes
//! out byte by byte.

use std::sync::{Arc, Mutex};

use http::{HeaderName, HeaderValue, Request};
use mcparse::layer::{Heard, Mode, ValidateLayer};
use mcparse::{Policy, Rule, Sender, Validator, Violation};

use crate::http::Http;
use crate::layer_support::{Got, Server, Steps, send};
use crate::sessions::{Exchange, head};
use crate::support::{Chance, Corpora, say, serving};

/// Who sent a message, and the rule that refuses it.
type Said = (Sender, Option<Rule>);

/// How often each exchange is cut.
const ROUNDS: usize = 5;

fn headers(http: &Http) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    // Bodies are not framed any more.
    let is_framing = |name: &str| matches!(name, "content-length" | "transfer-encoding");
    let pairs = http.headers.iter().filter(move |(name, _)| !is_framing(name));
    pairs.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
}

fn request(exchange: &Exchange, chance: &mut Chance) -> Request<Steps> {
    let body = &exchange.request.body;
    let mut request = Request::new(Steps::cut(body, &chance.cuts(body.len())));
    *request.method_mut() = exchange.request.method().parse().unwrap();
    request.headers_mut().extend(headers(&exchange.request));
    request
}

fn server(response: &Http, chance: &mut Chance) -> Server {
    let body = &response.body;
    let steps = Steps::cut(body, &chance.cuts(body.len()));
    headers(response).fold(Server::new(response.status(), "", steps), |server, (name, value)| {
        server.with_header(name, value)
    })
}

/// What the validator says of all of it: none if the request holds no message, or the
/// response is HTTP's own and none of it is judged.
fn whole(validator: &mut Validator, exchange: &Exchange, response: &Http) -> Option<Vec<Said>> {
    let head = head(&exchange.request);
    if exchange.request.method() != "POST" {
        return None;
    }
    let summary = match validator.check_http(&head, &exchange.request.body) {
        Ok(message) => message.summary(),
        Err(violation) => return Some(vec![(Sender::Client, Some(violation.rule()))]),
    };
    let mut said = vec![(Sender::Client, None)];
    let is_judged = response.is("application/json") || response.is("text/event-stream");
    if matches!(response.status(), 300..=399 | 401 | 403 | 407 | 429)
        || response.status() >= 400 && !is_judged
        || response.status() == 202
    {
        return Some(said);
    }
    let pairs = response.headers.iter().map(|(name, value)| (name, value));
    let answer = mcparse::ResponseHead::new(response.status(), pairs);
    validator.check_http_answer(&summary, &answer, &response.body, |verdict| {
        said.push((Sender::Server, verdict.as_ref().err().map(Violation::rule)));
    });
    // A stream that may be resumed is not called unanswered.
    let ids = response.body.windows(4).any(|window| window == b"id: ");
    if response.is("text/event-stream") && ids && !exchange.revision().is_modern() {
        said.retain(|(_, rule)| *rule != Some(Rule::StreamWithoutAnswer));
    }
    Some(said)
}

/// A layer that writes down what it hears.
fn listening(policy: Policy, mode: Mode) -> (ValidateLayer, Arc<Mutex<Vec<Said>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let layer = ValidateLayer::new(policy).with_mode(mode).with_observer(move |it: &Heard<'_>| {
        log.lock().unwrap().push((it.sender(), it.verdict().err().map(Violation::rule)));
    });
    (layer, heard)
}

fn is_as_sent(got: &Got, response: &Http) -> bool {
    got.status == response.status() && got.body == response.body && got.broke.is_none()
}

#[test]
fn every_captured_exchange_is_judged_as_it_is_whole() {
    let Some(corpora) = Corpora::find() else { return };
    let mut chance = Chance::new(6);
    let (mut exchanges, mut refused, mut changed) = (0, 0, 0);
    let sessions = Exchange::all(&corpora);
    // The transport of 2024-11-05 answers elsewhere than where it is asked.
    for exchange in sessions.iter().flatten().filter(|it| !it.name.contains("-sse/")) {
        let Some(response) = &exchange.response else { continue };
        let policy = serving(exchange.revision());
        let Some(expected) = whole(&mut Validator::new(policy), exchange, response) else {
            continue;
        };
        exchanges += 1;
        let is_refused = expected[0].1.is_some();
        let is_broken = expected[1..].iter().any(|(_, rule)| rule.is_some());
        (refused, changed) = (refused + usize::from(is_refused), changed + usize::from(is_broken));
        for _ in 0..ROUNDS {
            let (observing, heard) = listening(policy, Mode::Observe);
            let upstream = server(response, &mut chance);
            let got = send(&observing, &upstream, request(exchange, &mut chance));
            assert!(is_as_sent(&got, response), "{}", exchange.name);
            assert_eq!(upstream.seen().body, exchange.request.body, "{}", exchange.name);
            let said = std::mem::take(&mut *heard.lock().unwrap());
            // To what was refused, each message is judged alone.
            let compared = if is_refused { &said[..1] } else { &said[..] };
            assert_eq!(compared, expected, "{}", exchange.name);

            let (gate, heard) = listening(policy, Mode::Gate);
            let got = send(&gate, &upstream, request(exchange, &mut chance));
            let said = std::mem::take(&mut *heard.lock().unwrap());
            if is_refused {
                assert_eq!(
                    (said, got.status >= 400),
                    (expected.clone(), true),
                    "{}",
                    exchange.name
                );
            } else if is_broken {
                // It ends with the first that fails its client.
                assert_eq!(said, expected[..said.len()], "{}", exchange.name);
                assert!(got.text().contains("-32603"), "{}: {}", exchange.name, got.text());
            } else {
                assert!(is_as_sent(&got, response), "{}", exchange.name);
                assert_eq!(said, expected, "{}", exchange.name);
            }
        }
    }
    say(format_args!(
        "{exchanges} exchanges, {ROUNDS} times each: {refused} requests refused, {changed} \
         responses changed"
    ));
    assert_eq!([exchanges, refused, changed], [2032, 80, 30]);
}
