//! An answer in JSON is held until it is whole, and replaced if it is broken.

use bytes::Bytes;
use http::Request;
use mcparse::layer::ValidateLayer;
use mcparse::{Limits, Policy};

use crate::support::{EVENTS, JSON, PING, PONG, Server, Step, Steps, modern, post, send};

fn gate() -> ValidateLayer {
    ValidateLayer::new(Policy::strict())
}

const FAILED: &str = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"#;

#[test]
fn a_good_answer_goes_on_as_it_came_however_it_was_cut() {
    for cut in 1..PONG.len() {
        let server = Server::new(200, JSON, Steps::cut(PONG, &[cut]));
        let got = send(&gate(), &server, post(Steps::of(&[PING])));
        assert_eq!((got.status, &got.body[..]), (200, PONG), "{cut}");
        assert_eq!(got.headers["x-of-server"], "kept");
    }
}

#[test]
fn a_broken_answer_becomes_a_failure_with_the_clients_own_id() {
    for broken in [
        r#"{"jsonrpc":"2.0","id":"7","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":8,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":[]}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{}}{}"#,
        r#"[{"jsonrpc":"2.0","id":7,"result":{}}]"#,
        r#"{"jsonrpc":"2.0","id":7}"#,
        "<html>",
        "",
    ] {
        let server = Server::new(200, JSON, Steps::of(&[broken.as_bytes()]).announced());
        let got = send(&gate(), &server, post(Steps::of(&[PING])));
        assert_eq!(got.status, 502, "{broken}");
        assert!(got.text().starts_with(FAILED), "{broken}: {}", got.text());
        assert_eq!(got.headers["content-type"], JSON);
        assert_eq!(got.headers["x-of-server"], "kept");
    }
}

#[test]
fn a_failure_keeps_its_status_and_its_headers() {
    for (status, told) in [(404, 404), (500, 500), (200, 502), (299, 502)] {
        let server = Server::new(status, JSON, Steps::of(&[b"{}"]));
        let got = send(&gate(), &server, post(Steps::of(&[PING])));
        assert_eq!((got.status, got.headers["x-of-server"].as_bytes()), (told, &b"kept"[..]));
        assert!(got.text().starts_with(FAILED));
    }
}

#[test]
fn an_id_too_long_to_be_kept_is_echoed_all_the_same() {
    for length in [62, 63, 1000] {
        let id = format!("\"{}\"", "x".repeat(length));
        let call = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let server = Server::new(200, JSON, Steps::of(&[b"{}"]));
        let got = send(&gate(), &server, post(Steps::of(&[call.as_bytes()])));
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"#);
        assert!(got.text().starts_with(&start), "{length}: {}", got.text());
    }
}

#[test]
fn an_answer_that_is_neither_json_nor_events_is_refused() {
    let server = Server::new(200, "text/html", Steps::of(&[b"<p>hello"]));
    let got = send(&gate(), &server, post(Steps::of(&[PING])));
    assert_eq!(got.status, 502);
    assert!(got.text().starts_with(FAILED) && got.text().contains("answer-content-type"));
}

#[test]
fn an_encoded_answer_is_refused() {
    let server = Server::new(200, JSON, Steps::of(&[PONG])).with("content-encoding", "gzip");
    let got = send(&gate(), &server, post(Steps::of(&[PING])));
    assert_eq!(got.status, 502);
    assert!(got.text().contains("content-encoding"));
    assert!(!got.headers.contains_key("content-encoding"));
}

#[test]
fn what_http_itself_says_passes() {
    for (status, kind) in [
        (301, "text/html"),
        (401, JSON),
        (403, "text/plain"),
        (407, ""),
        (429, JSON),
        (404, "text/html"),
        (503, ""),
    ] {
        let server = Server::new(status, kind, Steps::of(&[br#"{"error":"invalid_token"}"#]));
        let got = send(&gate(), &server, post(Steps::of(&[PING])));
        assert_eq!((got.status, got.text()), (status, r#"{"error":"invalid_token"}"#));
    }
}

#[test]
fn a_202_answers_a_request_of_the_oldest_transport_alone() {
    let server = Server::new(202, "", Steps::default());
    let got = send(&gate(), &server, post(Steps::of(&[PING])));
    assert_eq!((got.status, got.text()), (202, ""));

    let (request, _) = modern("tools/list", "");
    let got = send(&gate(), &server, request);
    assert_eq!(got.status, 502);
    assert!(got.text().starts_with(FAILED), "{}", got.text());
}

#[test]
fn a_notification_needs_no_answer() {
    let note = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    for (status, kind) in [(202, ""), (202, JSON), (204, ""), (200, JSON), (200, EVENTS)] {
        let server = Server::new(status, kind, Steps::default().announced());
        let got = send(&gate(), &server, post(Steps::of(&[note])));
        assert_eq!((got.status, got.text()), (status, ""));
    }
}

#[test]
fn one_byte_more_than_the_limit_is_too_many() {
    let limits = Limits::new().with_message_bytes(100);
    let layer = ValidateLayer::new(Policy::strict().with_limits(limits));
    for (length, status) in [(100, 200), (101, 502)] {
        let mut answer = PONG.to_vec();
        answer.resize(length, b' ');
        for steps in [Steps::of(&[&answer]), Steps::cut(&answer, &[5, 50])] {
            let server = Server::new(200, JSON, steps);
            let got = send(&layer, &server, post(Steps::of(&[PING])));
            assert_eq!(got.status, status);
            let told =
                if status == 200 { answer == got.body } else { got.text().contains("too-large") };
            assert!(told, "{}", got.text());
        }
    }
}

#[test]
fn an_answer_that_breaks_off_is_a_failure() {
    let steps = [Step::Data(Bytes::from_static(PONG)), Step::Wait, Step::Broken];
    let server = Server::new(200, JSON, Steps::new(steps));
    let got = send(&gate(), &server, post(Steps::of(&[PING])));
    assert_eq!((got.status, got.broke), (502, None));
    assert!(got.text().starts_with(FAILED) && got.text().contains("stream-without-answer"));
}

#[test]
fn a_list_of_tools_teaches_which_headers_mirror_arguments() {
    let table = std::sync::Arc::new(mcparse::ParamHeaders::new());
    let layer = gate().with_param_headers(table);
    let tools = r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public","tools":[{"name":"q","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}"#;
    let called = r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}}"#;
    let call = |region: &str| -> Request<Steps> {
        let (mut request, _) = modern("tools/call", r#""name":"q","arguments":{"region":"eu"}"#);
        request.headers_mut().insert("mcp-name", "q".parse().unwrap());
        request.headers_mut().insert("mcp-param-region", region.parse().unwrap());
        request
    };
    let server = Server::new(200, JSON, Steps::of(&[called.as_bytes()]));
    assert_eq!(send(&layer, &server, call("us")).status, 200, "nothing is known yet");
    let lists = Server::new(200, JSON, Steps::of(&[tools.as_bytes()]));
    assert_eq!(send(&layer, &lists, modern("tools/list", "").0).status, 200);
    assert_eq!(send(&layer, &server, call("us")).status, 400);
    assert_eq!(send(&layer, &server, call("eu")).status, 200);
}
