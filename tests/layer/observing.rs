//! Who only observes changes nothing, and is told of everything.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body::Body;
use mcparse::layer::{Heard, Mode, ValidateLayer};
use mcparse::{Limits, Policy, Sender, Summary, Violation};

use crate::support::{EVENTS, JSON, PING, PONG, Server, Step, Steps, answer, post, send};

/// What was heard, a line a message.
type Log = Arc<Mutex<Vec<String>>>;

fn observing(mode: Mode) -> (ValidateLayer, Log) {
    let log = Log::default();
    let lines = Arc::clone(&log);
    let limits = Limits::new().with_message_bytes(1000);
    let layer = ValidateLayer::new(Policy::strict().with_limits(limits)).with_mode(mode);
    let layer = layer.with_observer(move |heard: &Heard<'_>| {
        let from = if heard.sender() == Sender::Client { "c" } else { "s" };
        let said = match heard.verdict() {
            Ok(message) => message.kind().to_string(),
            Err(violation) => violation.rule().to_string(),
        };
        let to = heard.to().and_then(Summary::method).map_or("", |method| method.as_str());
        let line = format!("{from} {said} {:?} {} {to}", heard.outcome(), heard.bytes().len());
        lines.lock().unwrap().push(line.trim_end().to_owned());
    });
    (layer, log)
}

fn lines(log: &Log) -> Vec<String> {
    std::mem::take(&mut log.lock().unwrap())
}

#[test]
fn what_is_broken_goes_on_and_is_told_of() {
    let (layer, log) = observing(Mode::Observe);
    let broken = br#"{"jsonrpc":"2.0","id":7,"method":"ping","ID":8}"#;
    for (kind, reply) in [(JSON, &b"[]"[..]), (EVENTS, b"data: []\n\n")] {
        let server = Server::new(200, kind, Steps::of(&[reply]));
        let got = send(&layer, &server, post(Steps::cut(broken, &[9])));
        assert_eq!((got.status, &got.body[..]), (200, reply));
        assert_eq!(server.seen().body, broken);
        assert_eq!(
            lines(&log),
            [
                format!("c lookalike-member LetThrough {}", broken.len()),
                "s batch LetThrough 2".to_owned(),
            ]
        );

        let got = send(&layer, &server, post(Steps::of(&[PING])));
        assert_eq!((got.status, &got.body[..]), (200, reply));
        let mut expected = vec![
            format!("c request Forwarded {}", PING.len()),
            "s batch LetThrough 2 ping".to_owned(),
        ];
        if kind == EVENTS {
            expected.push("s stream-without-answer LetThrough 0 ping".to_owned());
        }
        assert_eq!(lines(&log), expected);
    }
}

#[test]
fn what_is_gated_is_told_of_too() {
    let (layer, log) = observing(Mode::Gate);
    let server = Server::new(200, JSON, Steps::of(&[b"[]"]));
    send(&layer, &server, post(Steps::of(&[b"{}"])));
    send(&layer, &server, post(Steps::of(&[PING])));
    let noise = "data: 1\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n";
    let server = Server::new(200, EVENTS, Steps::of(&[noise.as_bytes()]));
    send(&layer, &server, post(Steps::of(&[PING])));
    assert_eq!(
        lines(&log),
        [
            "c jsonrpc-version Answered 2",
            "c request Forwarded 40",
            "s batch Replaced 2 ping",
            "c request Forwarded 40",
            "s not-object Dropped 1 ping",
            "s response Forwarded 36 ping",
        ]
    );
}

#[test]
fn what_is_longer_than_a_message_may_be_goes_on_unread() {
    let (layer, log) = observing(Mode::Observe);
    let blanks = vec![b' '; 5000];
    for body in [
        Steps::of(&[&blanks]),
        Steps::of(&[&blanks]).announced(),
        Steps::cut(&blanks, &[10, 990, 1001, 3000]),
        Steps::cut(&blanks, &[1000]).announced(),
    ] {
        let server = Server::new(200, JSON, body.clone());
        let got = send(&layer, &server, post(body));
        assert_eq!((got.status, got.body.len(), server.seen().body.len()), (200, 5000, 5000));
        assert_eq!(lines(&log), ["c too-large LetThrough 0", "s too-large LetThrough 0"]);
    }
}

#[test]
fn the_end_of_an_answer_has_three_faces() {
    let (layer, log) = observing(Mode::Observe);
    let judged = format!("s response Forwarded {} ping", PONG.len());
    // It says so; it gives nothing more; or it is let go of with all that was announced.
    for (body, polls) in [
        (Steps::of(&[PONG]).announced(), 1),
        (Steps::of(&[PONG]), 2),
        (Steps::new([Step::Data(Bytes::from_static(PONG))]).counted(PONG.len()), 1),
    ] {
        let server = Server::new(200, JSON, body);
        let response = answer(&layer, &server, post(Steps::of(&[PING])));
        lines(&log);
        let mut body = Box::pin(response.into_body());
        crate::support::now(async {
            for _ in 0..polls {
                std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await;
            }
        });
        drop(body);
        assert_eq!(lines(&log), std::slice::from_ref(&judged));
    }
    // A client that leaves before is told nothing, and nothing is said of the answer.
    let server = Server::new(200, JSON, Steps::cut(PONG, &[5]));
    drop(answer(&layer, &server, post(Steps::of(&[PING]))));
    assert_eq!(lines(&log), [format!("c request Forwarded {}", PING.len())]);
}

#[test]
fn an_answer_that_breaks_off_breaks_off() {
    let (layer, log) = observing(Mode::Observe);
    for kind in [JSON, EVENTS] {
        let steps = [Step::Data(Bytes::from_static(b"data: ")), Step::Broken];
        let server = Server::new(200, kind, Steps::new(steps));
        let got = send(&layer, &server, post(Steps::of(&[PING])));
        assert_eq!((got.text(), got.broke.is_some()), ("data: ", true));
        let said = lines(&log).pop().unwrap();
        assert_eq!(said, "s stream-without-answer LetThrough 0 ping");
    }
}

#[test]
fn an_event_that_is_too_large_goes_on_and_nothing_comes_twice() {
    let (layer, log) = observing(Mode::Observe);
    let text = format!(": c\n\ndata: 1\n\ndata: {}\n\n: d\n", "x".repeat(1001));
    for cut in [vec![], vec![3], vec![12], vec![20, 40], vec![1020]] {
        let server = Server::new(200, EVENTS, Steps::cut(text.as_bytes(), &cut));
        let got = send(&layer, &server, post(Steps::of(&[PING])));
        assert_eq!(got.text(), text, "{cut:?}");
        let said = lines(&log);
        assert_eq!(said[2], "s too-large LetThrough 0 ping");
    }
}

#[test]
fn a_foreign_origin_without_a_message_is_told_of_as_what_becomes_of_it() {
    for (mode, method, told) in [
        (Mode::Gate, "GET", &["c origin Answered 0"][..]),
        (Mode::Observe, "GET", &["c origin LetThrough 0"]),
        // A browser only asks whether it may send.
        (Mode::Gate, "OPTIONS", &[]),
        (Mode::Observe, "OPTIONS", &[]),
    ] {
        let log = Log::default();
        let seen = Arc::clone(&log);
        let policy = Policy::strict().with_origins(&["http://localhost"]);
        let layer = ValidateLayer::new(policy).with_mode(mode);
        let layer = layer.with_observer(move |heard: &Heard<'_>| {
            let rule = heard.verdict().map_err(Violation::rule).unwrap_err();
            let line = format!("c {rule} {:?} {}", heard.outcome(), heard.bytes().len());
            seen.lock().unwrap().push(line);
        });
        let mut request = post(Steps::default());
        *request.method_mut() = method.parse().unwrap();
        request.headers_mut().insert("origin", "http://evil.example".parse().unwrap());
        let server = Server::new(200, "text/plain", Steps::default());
        send(&layer, &server, request);
        assert_eq!(lines(&log), told, "{mode:?} {method}");
    }
}
