//! Bodies that are one message, in both directions, against what is to come of them.

use http::Request;
use mcparse::layer::{Mode, Outcome};
use mcparse::{Kind, RequestHead, ResponseHead, Rule, Sender, Validator};
use proptest::prelude::*;
use proptest::sample::select;

use super::drawn::{self, Asks, Text};
use super::model::{Ending, Told, counted, numbers, said};
use super::{Watched, asked, config, read, steps, trailers};
use crate::support::{JSON, PONG, Server, Steps, answer, modern, post};

/// A message with blanks around it, up to a little beyond the limit.
fn body() -> impl Strategy<Value = Text> {
    let length = prop_oneof![3 => Just(0), 1 => drawn::MOST - 2..drawn::MOST + 3, 1 => 0..600usize];
    (drawn::message(), length).prop_map(|(message, length)| {
        let mut text = message.into_bytes();
        text.resize(text.len().max(length), b' ');
        Text(text)
    })
}

/// The same of what a client sends.
fn call() -> impl Strategy<Value = Text> {
    let calls = select(vec![
        r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping","ID":8}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        "[]",
        "{",
        "",
    ]);
    (calls, body()).prop_map(|(call, Text(other))| {
        let mut text = call.as_bytes().to_vec();
        text.resize(text.len().max(other.len()), b' ');
        Text(text)
    })
}

fn with_cuts(text: Text) -> impl Strategy<Value = (Text, Vec<usize>)> {
    let cuts = drawn::cuts(text.0.len());
    (Just(text), cuts)
}

/// Whether more has come before the end than a message may have.
fn is_too_long(text: &[u8]) -> bool {
    text.len() > drawn::MOST
}

fn an_answer_is_as_is_to_be(
    mode: Mode,
    asks: Asks,
    status: u16,
    (text, ends): (&[u8], &[usize]),
    ending: Ending,
) -> Result<(), TestCaseError> {
    let (cut, other) = (mcparse::Action::Report, mcparse::Action::Off);
    let policy = drawn::policy(cut, other);
    let head = ResponseHead::new(status, [("content-type", JSON)]);
    let Some((client, to)) = asked(&policy, mode, asks, &head) else { return Ok(()) };
    let mut told = client;
    let mut validator = Validator::new(policy);
    let waits = to.is_some_and(|to| to.request().kind() == Kind::Request);
    let name = to.map(|to| to.request().id().map(|id| id.lexeme().to_vec()).unwrap_or_default());
    let mut note = |verdict, outcome, bytes: &[u8]| {
        let (bytes, to) = (bytes.to_vec(), name.clone());
        told.push(Told { from: Sender::Server, verdict, outcome, bytes, to });
    };
    let is_gate = mode == Mode::Gate;
    let refused = |concerns| match (is_gate, concerns) {
        (false, _) => Outcome::LetThrough,
        (true, true) => Outcome::Replaced,
        (true, false) => Outcome::Dropped,
    };

    // What the client is to get: its answer as it came, or a failure for some rule, or nothing.
    let mut fate = Ok(());
    let is_judged = to.is_some() || !is_gate;
    let mut answering = to;
    if !is_judged {
        // An answer in JSON to a `GET` is HTTP's own.
    } else if is_too_long(text) {
        note(Err(Rule::TooLarge), refused(waits), b"");
        fate = Err(waits.then_some(Rule::TooLarge));
        answering = None;
    } else if ending == Ending::Broken {
        fate = Err(None);
    } else if !text.is_empty() || waits {
        let verdict = match &mut answering {
            Some(answering) => validator.check_event(answering, text),
            None => validator.check(Sender::Server, text),
        };
        let concerns = verdict.as_ref().is_err_and(mcparse::Violation::concerns_pending);
        let judged = said(verdict.as_ref());
        match judged {
            Ok(_) => note(judged, Outcome::Forwarded, text),
            Err(rule) => {
                note(judged, refused(concerns), text);
                fate = Err(concerns.then_some(rule));
            }
        }
    }
    if let Some(violation) = answering.and_then(mcparse::Answering::finish) {
        note(Err(violation.rule()), refused(true), b"");
        fate = fate.and(Err(None)).map_err(|rule| rule.or(Some(violation.rule())));
    }

    let watched = Watched::new(&policy, mode);
    let server = Server::new(status, JSON, Steps::new(steps(text, ends, ending)));
    let response = answer(&watched.layer, &server, asks.request().0);
    let came_with = response.status().as_u16();
    let came = read(response.into_body());
    prop_assert_eq!(watched.told(), &*told);
    let of_head = to.into_iter().flat_map(|to| to.findings());
    prop_assert_eq!(counted(&watched.counters.snapshot()), numbers(&told, of_head));
    match fate {
        Err(Some(rule)) if is_gate => {
            prop_assert_eq!(came_with, if status < 400 { 502 } else { status });
            let body = String::from_utf8(came.data).unwrap();
            prop_assert!(body.contains(rule.id()) && body.contains("-32603"), "{}", body);
            let id = String::from_utf8(name.unwrap()).unwrap();
            let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"error""#);
            prop_assert!(body.starts_with(&start), "{}", body);
            prop_assert!(came.trailers.is_none() && came.broke.is_none());
        }
        Err(None) if is_gate => prop_assert_eq!((came.data, came.broke), (Vec::new(), None)),
        _ => {
            prop_assert_eq!((came_with, &came.data[..]), (status, text));
            prop_assert_eq!(came.broke.is_some(), ending == Ending::Broken);
            prop_assert_eq!(came.trailers, (ending == Ending::Trailers).then(trailers));
        }
    }
    Ok(())
}

fn a_request_is_as_is_to_be(
    mode: Mode,
    request: Request<Steps>,
    (text, ends): (&[u8], &[usize]),
    ending: Ending,
) -> Result<(), TestCaseError> {
    let policy = drawn::policy(mcparse::Action::Report, mcparse::Action::Off);
    let (parts, _) = request.into_parts();
    let head = RequestHead::from_http(&parts.method, &parts.headers);
    let mut validator = Validator::new(policy);
    let verdict = validator.check_http(&head, text);
    let judged = said(verdict.as_ref());
    // What is longer than it may be is known before it breaks off.
    let breaks = ending == Ending::Broken && !is_too_long(text);
    let is_sent_on = !breaks && (judged.is_ok() || mode == Mode::Observe);
    let (verdict, outcome) = match judged {
        _ if breaks => (Err(Rule::NotJson), Outcome::Answered),
        Ok(_) => (judged, Outcome::Forwarded),
        Err(_) if is_sent_on => (judged, Outcome::LetThrough),
        Err(_) => (judged, Outcome::Answered),
    };
    let is_read = !breaks && !is_too_long(text);
    let bytes = if is_read { text.to_vec() } else { Vec::new() };

    let body = Steps::new(steps(text, ends, ending));
    let alive = body.alive();
    let watched = Watched::new(&policy, mode);
    let server = Server::new(200, JSON, Steps::of(&[PONG]));
    let response = answer(&watched.layer, &server, Request::from_parts(parts, body));
    prop_assert_eq!(std::sync::Arc::strong_count(&alive), 1, "the body is let go of");
    let told = watched.told();
    let client: Vec<_> = told.iter().filter(|told| told.from == Sender::Client).cloned().collect();
    prop_assert_eq!(client, vec![Told { from: Sender::Client, verdict, outcome, bytes, to: None }]);
    let seen = server.seen();
    prop_assert_eq!(seen.calls, usize::from(is_sent_on));
    if is_sent_on {
        prop_assert_eq!(&seen.body[..], text);
        prop_assert_eq!(seen.trailers, (ending == Ending::Trailers).then(trailers));
    } else {
        let status = match (breaks, verdict) {
            (false, Err(Rule::TooLarge)) => 413,
            _ => 400,
        };
        prop_assert_eq!(response.status().as_u16(), status);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_answer_goes_on_or_is_replaced_however_it_is_cut(
        (mode, asks) in (drawn::mode(), drawn::asks()),
        status in select(vec![200u16, 200, 404, 500]),
        (text, ends) in body().prop_flat_map(with_cuts),
        ending in drawn::ending(),
    ) {
        an_answer_is_as_is_to_be(mode, asks, status, (&text.0, &ends), ending)?;
    }

    #[test]
    fn a_request_goes_on_or_is_answered_however_it_is_cut(
        mode in drawn::mode(),
        is_modern: bool,
        (text, ends) in call().prop_flat_map(with_cuts),
        ending in drawn::ending(),
    ) {
        let request = if is_modern { modern("ping", "").0 } else { post(Steps::default()) };
        a_request_is_as_is_to_be(mode, request, (&text.0, &ends), ending)?;
    }
}
