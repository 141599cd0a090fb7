//! The events of a stream are judged one by one, and each goes on at once.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body::Body;
use mcparse::layer::ValidateLayer;
use mcparse::{Action, Limits, Policy, RevisionSet, Rule};

use crate::support::{Broke, EVENTS, Got, PING, Server, Step, Steps, answer, modern, post, send};

fn gate() -> ValidateLayer {
    ValidateLayer::new(Policy::strict())
}

const ANSWER: &str = r#"data: {"jsonrpc":"2.0","id":7,"result":{}}"#;
const NOTE: &str = r#"data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;
const FAILED: &str = r#"data: {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"#;

/// The response to a ping whose server sends these events.
fn stream(layer: &ValidateLayer, body: Steps) -> Got {
    send(layer, &Server::new(200, EVENTS, body), post(Steps::of(&[PING])))
}

fn stream_of(text: &str) -> Got {
    stream(&gate(), Steps::of(&[text.as_bytes()]))
}

/// All places to cut a text in two and in three.
fn cuts(length: usize) -> impl Iterator<Item = Vec<usize>> {
    (1..length).flat_map(move |one| (one..length).step_by(7).map(move |two| vec![one, two]))
}

#[test]
fn a_good_stream_goes_on_byte_by_byte_however_it_was_cut() {
    let text = format!(
        "\u{feff}: hello\r\nid: 1\r\ndata:\r\n\r\nretry: 5\revent: message\r{NOTE}\r\r: \
         comment\n\n\nid: 2\n{ANSWER}\n\n: bye\n"
    );
    for cut in cuts(text.len()) {
        let got = stream(&gate(), Steps::cut(text.as_bytes(), &cut));
        assert_eq!((got.status, got.text()), (200, &*text), "{cut:?}");
        assert_eq!(got.headers["x-of-server"], "kept");
    }
}

#[test]
fn an_event_goes_on_before_the_next_one_comes() {
    let (note, answer_event) = (format!("{NOTE}\n\n"), format!("{ANSWER}\n\n"));
    let steps =
        [&note[..20], &note[20..], ": still here\n\n", &answer_event[..], ""].map(|piece| {
            if piece.is_empty() {
                Step::Wait
            } else {
                Step::Data(Bytes::copy_from_slice(piece.as_bytes()))
            }
        });
    let steps = steps.into_iter().flat_map(|step| [step, Step::Wait]);
    let server = Server::new(200, EVENTS, Steps::new(steps));
    let mut body = Box::pin(answer(&gate(), &server, post(Steps::of(&[PING]))).into_body());
    let mut seen = Vec::new();
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match body.as_mut().poll_frame(&mut context) {
            Poll::Pending => seen.push(String::new()),
            Poll::Ready(None) => break,
            Poll::Ready(Some(frame)) => {
                let data = frame.unwrap().into_data().unwrap();
                seen.push(String::from_utf8(data.to_vec()).unwrap());
            }
        }
    }
    let (start, end) = note.split_at(20);
    let wait = "";
    // The start of an event waits for its end, and nothing else waits for anything.
    assert_eq!(
        seen,
        [wait, start, end, wait, ": still here\n\n", wait, &answer_event, wait, wait, wait]
    );
}

#[test]
fn a_broken_answer_ends_the_stream_with_a_failure() {
    let broken = r#"data: {"jsonrpc":"2.0","id":"7","result":{}}"#;
    let text = format!("{NOTE}\n\n{broken}\n\n{NOTE}\n\n");
    for cut in cuts(text.len()) {
        let body = Steps::cut(text.as_bytes(), &cut);
        let alive = body.alive();
        let server = Server::new(200, EVENTS, body);
        let got = send(&gate(), &server, post(Steps::of(&[PING])));
        assert_eq!(Arc::strong_count(&alive), 2, "the server's own and this one");
        let (before, failure) = got.text().split_at(NOTE.len() + 2);
        assert_eq!(before, format!("{NOTE}\n\n"), "{cut:?}");
        assert!(failure.starts_with(FAILED) && failure.ends_with("}\n\n"), "{cut:?}: {failure}");
        assert_eq!(failure.matches("\n\n").count(), 1, "nothing follows: {failure}");
    }
}

#[test]
fn a_broken_message_beside_the_answer_is_left_out() {
    for broken in [
        r#"data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
        "data: {",
        "data: not\ndata: json",
        "data: []",
    ] {
        let text = format!("id: 1\ndata: \n\n{broken}\n\n: c\n\n{ANSWER}\n\n");
        let expected = format!("id: 1\ndata: \n\n: c\n\n{ANSWER}\n\n");
        for cut in cuts(text.len()) {
            let got = stream(&gate(), Steps::cut(text.as_bytes(), &cut));
            assert_eq!(got.text(), expected, "{broken} {cut:?}");
        }
    }
}

#[test]
fn what_follows_a_modern_answer_is_left_out() {
    let done = r#"data: {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}}"#;
    let text = format!("{done}\n\n{done}\n\n{NOTE}\n\n");
    let (mut request, _) = modern("tools/call", r#""name":"t""#);
    request.headers_mut().insert("mcp-name", "t".parse().unwrap());
    let got = send(&gate(), &Server::new(200, EVENTS, Steps::of(&[text.as_bytes()])), request);
    assert_eq!(got.text(), format!("{done}\n\n"));
}

#[test]
fn an_event_that_is_too_large_is_left_out_and_the_stream_goes_on() {
    let limits = Limits::new().with_message_bytes(120);
    let layer = ValidateLayer::new(Policy::strict().with_limits(limits));
    for (length, fits) in [(120, true), (121, false)] {
        let start = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":""#;
        let note = format!("{start}{}\"}}}}", "x".repeat(length - start.len() - 3));
        assert_eq!(note.len(), length);
        let event = format!("event: message\ndata: {note}\nid: 3\n\n");
        // The name counts too.
        let event = if fits { event.replace("event: message\n", "") } else { event };
        let text = format!(": c\n\n{event}{ANSWER}\n\n");
        let expected = if fits { text.clone() } else { format!(": c\n\n{ANSWER}\n\n") };
        for cut in cuts(text.len()) {
            let got = stream(&layer, Steps::cut(text.as_bytes(), &cut));
            assert_eq!(got.text(), expected, "{length} {cut:?}");
        }
    }
}

#[test]
fn comments_within_an_event_are_held_up_to_a_bound() {
    let limits = Limits::new().with_message_bytes(1000);
    let layer = ValidateLayer::new(Policy::strict().with_limits(limits));
    let most = 1000 + (64 << 10);
    for (around, fits) in [(most, true), (most + 1, false)] {
        // All of it but the last byte of the blank line is held.
        let rest = format!("{ANSWER}\n");
        let comment = format!(":{}\n", "x".repeat(around - rest.len() - "id: 1\n".len() - 2));
        let text = format!("id: 1\n{comment}{rest}\n");
        let got = stream(&layer, Steps::cut(text.as_bytes(), &[around]));
        if fits {
            assert_eq!(got.text(), text);
        } else {
            assert!(got.text().starts_with(FAILED), "{}", got.text());
        }
    }
    // A comment that belongs to no event is not held at all.
    let text = format!(":{}\n\n{ANSWER}\n\n", "x".repeat(most * 3));
    let got = stream(&layer, Steps::cut(text.as_bytes(), &[most * 2]));
    assert_eq!(got.text(), text);
}

#[test]
fn a_stream_without_an_answer_ends_with_a_failure() {
    for text in ["", ": only\n\n", NOTE, "data: {", ": in a line"] {
        for body in [
            Steps::of(&[text.as_bytes()]),
            Steps::of(&[text.as_bytes()]).announced(),
            Steps::new([Step::Data(Bytes::copy_from_slice(text.as_bytes())), Step::Broken]),
        ] {
            let body = if text.is_empty() { Steps::default() } else { body };
            let got = stream(&gate(), body);
            assert_eq!(got.broke, None);
            let (before, failure) = got.text().split_at(got.text().find(FAILED).unwrap());
            assert!(failure.contains("stream-without-answer") && failure.ends_with("}\n\n"));
            let sent = if text.starts_with(':') { text } else { "" };
            let end = if sent.ends_with("line") { "\n" } else { "" };
            assert_eq!(before, format!("{sent}{end}"), "{text}");
        }
    }
}

#[test]
fn a_stream_of_the_handshake_era_that_can_be_resumed_is_not_failed() {
    let text = "id: 1\ndata: \n\n";
    assert_eq!(stream_of(text).text(), text);
    let steps = [Step::Data(Bytes::copy_from_slice(text.as_bytes())), Step::Broken];
    let got = stream(&gate(), Steps::new(steps));
    assert_eq!((got.text(), got.broke), (text, Some(Broke)));

    // A modern one cannot be.
    let server = Server::new(200, EVENTS, Steps::of(&[text.as_bytes()]));
    let got = send(&gate(), &server, modern("tools/list", "").0);
    assert!(got.text().contains(FAILED), "{}", got.text());
}

#[test]
fn a_stream_that_breaks_behind_its_answer_is_seen_to_break() {
    let text = format!("{ANSWER}\n\n");
    let steps = [Step::Data(Bytes::copy_from_slice(text.as_bytes())), Step::Wait, Step::Broken];
    let got = stream(&gate(), Steps::new(steps));
    assert_eq!((got.text(), got.broke), (&*text, Some(Broke)));
}

#[test]
fn trailers_come_behind_all_events() {
    let mut trailers = HeaderMap::new();
    trailers.insert("x-sum", "1".parse().unwrap());
    for text in [format!("{ANSWER}\n\n"), format!("{NOTE}\n\n")] {
        let data = Step::Data(Bytes::copy_from_slice(text.as_bytes()));
        let got = stream(&gate(), Steps::new([data, Step::Trailers(trailers.clone())]));
        assert_eq!(got.trailers.as_ref(), Some(&trailers));
        assert!(got.text().starts_with(&text));
        assert_eq!(got.text().contains(FAILED), !text.contains("result"));
    }
}

#[test]
fn a_length_that_was_announced_is_taken_back() {
    let text = format!("{ANSWER}\n\n");
    let server = Server::new(200, EVENTS, Steps::of(&[text.as_bytes()]).announced())
        .with("content-length", &text.len().to_string());
    let response = answer(&gate(), &server, post(Steps::of(&[PING])));
    assert!(!response.headers().contains_key("content-length"));
    assert_eq!(response.body().size_hint().exact(), None);
}

#[test]
fn the_events_of_a_get_are_judged_each_alone() {
    let get = || Request::get("/mcp").body(Steps::default()).unwrap();
    let broken = r#"data: {"jsonrpc":"2.0","id":1,"method":"roots/list","ID":2}"#;
    let asked = r#"data: {"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    let text = format!("{asked}\n\n{broken}\n\n{ANSWER}\n\n");
    let server = Server::new(200, EVENTS, Steps::of(&[text.as_bytes()]));
    assert_eq!(send(&gate(), &server, get()).text(), format!("{asked}\n\n{ANSWER}\n\n"));

    let modern = Policy::strict().with_revisions(RevisionSet::MODERN);
    assert_eq!(send(&ValidateLayer::new(modern), &server, get()).status, 405);
}

#[test]
fn what_follows_an_event_that_is_too_large_goes_on_however_it_was_cut() {
    let limits = Limits::new().with_message_bytes(120);
    let layer = ValidateLayer::new(Policy::strict().with_limits(limits));
    let large = format!("data: {}\n\n", "x".repeat(121));
    for end in ["\n", "\r", "\r\n"] {
        let before = ": c\n\n";
        let behind = format!("id: 5\nretry: 7\n\n: c\n\n{large}: d\n{ANSWER}\n\n");
        let text = format!("{before}{large}{behind}").replace('\n', end);
        let expected = format!("{before}{}", behind.replace(&large, "")).replace('\n', end);
        for cut in [vec![]].into_iter().chain(cuts(text.len())) {
            let got = stream(&layer, Steps::cut(text.as_bytes(), &cut));
            // The LF of a CRLF ends no event, and goes on.
            let text = got.text().replace("\n\nid", "\nid").replace("\n\n: d", "\n: d");
            let expected = expected.replace("\n\nid", "\nid").replace("\n\n: d", "\n: d");
            assert_eq!(text, expected, "{end:?} {cut:?}");
        }
    }
}

#[test]
fn nobody_is_to_resume_from_an_id_that_was_left_out() {
    let large = format!("id: 1\ndata: {}\n\n", "x".repeat(121));
    let odd = "id: 1\nevent: ping\ndata: x\n\n";
    let limits = Limits::new().with_message_bytes(120);
    let policy = Policy::strict().with_action(Rule::SseEventOther, Action::Refuse);
    let layer = ValidateLayer::new(policy.with_limits(limits));
    for left_out in ["id: 1\ndata: {\n\n", &large, odd] {
        let got = stream(&layer, Steps::of(&[left_out.as_bytes()]));
        assert!(got.text().starts_with(FAILED), "{left_out}: {}", got.text());
        // One that went on before is still there to resume from.
        let text = format!("id: 0\n\n{left_out}");
        assert_eq!(stream(&layer, Steps::of(&[text.as_bytes()])).text(), "id: 0\n\n");
    }
}

#[test]
fn a_mark_within_a_stream_is_never_made_its_first_bytes() {
    // To its client the mark would be none of the name, and the event be an answer.
    let hidden = "\u{feff}data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[]}\n\n";
    let text = format!("data: {{\n\n{hidden}{ANSWER}\n\n");
    for cut in cuts(text.len()) {
        let got = stream(&gate(), Steps::cut(text.as_bytes(), &cut));
        assert_eq!(got.text(), format!("\n{hidden}{ANSWER}\n\n"), "{cut:?}");
    }
    let text = format!("\u{feff}{ANSWER}\n\n");
    assert_eq!(stream_of(&text).text(), text, "one that is at its start stays there");
}
