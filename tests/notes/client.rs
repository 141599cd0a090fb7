//! The client against the server.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output};
use std::thread;

use serde_json::Value;

use crate::process::{Server, example};

fn client(args: &[&str]) -> (Output, Vec<Value>, String) {
    let output = Command::new(example("notes_client")).args(args).output().unwrap();
    let trace = String::from_utf8(output.stdout.clone()).unwrap();
    let sent = trace.lines().filter_map(|line| line.strip_prefix("-> "));
    let sent = sent.map(|message| serde_json::from_str(message).unwrap()).collect();
    (output, sent, trace)
}

/// That it went well, and that nothing was to be said of any message.
fn went_well(output: &Output, trace: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{trace}");
    assert!(!trace.contains("finding") && !trace.contains("refused"), "{trace}");
}

fn server() -> String {
    example("notes_server").to_str().unwrap().to_owned()
}

#[test]
fn it_creates_reads_finds_and_deletes_a_note_over_stdio() {
    let (output, sent, trace) = client(&["--", &server()]);
    went_well(&output, &trace);
    // No discovery, and no handshake.
    assert_eq!(sent[0]["method"], "tools/list");
    let tools: Vec<_> = sent[1..].iter().map(|call| call["params"]["name"].as_str()).collect();
    let expected =
        ["create_note", "read_note", "search_notes", "delete_note", "delete_note", "read_note"];
    assert_eq!(tools, expected.map(Some));
    assert!(trace.contains("the note is gone"));
    assert!(trace.contains("the server ended: exit status: 0"), "{trace}");
    assert_eq!(trace.lines().filter(|line| line.starts_with("<- ")).count(), sent.len());
}

#[test]
fn a_retry_is_a_request_of_its_own_with_what_the_server_wants_back() {
    let (_, sent, _) = client(&["--", &server()]);
    let [first, retry] = [&sent[4], &sent[5]];
    assert_ne!(first["id"], retry["id"]);
    assert_eq!(first["params"]["arguments"], retry["params"]["arguments"]);
    assert!(first["params"]["requestState"].is_null());
    assert!(retry["params"]["requestState"].is_string());
    assert_eq!(retry["params"]["inputResponses"]["confirm"]["action"], "accept");
    // It is of this call alone.
    assert!(sent[6]["params"]["requestState"].is_null());
}

#[test]
fn it_tries_again_with_a_version_that_is_served_and_a_new_id() {
    let version = |message: &Value| {
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].clone()
    };
    let web = Server::start(&["--http", "127.0.0.1:0"], None);
    let url = format!("http://{}/mcp", web.address());
    let server = server();
    for target in [&["--", &*server][..], &["--url", &url]] {
        let args = [&["--first-version", "2099-01-01"], target].concat();
        let (output, sent, trace) = client(&args);
        went_well(&output, &trace);
        assert_eq!(
            (version(&sent[0]), version(&sent[1])),
            ("2099-01-01".into(), "2026-07-28".into())
        );
        assert_eq!(sent[0]["method"], sent[1]["method"]);
        assert_ne!(sent[0]["id"], sent[1]["id"]);
        assert!(trace.contains(r#""code":-32022"#));
    }
}

#[test]
fn it_does_the_same_over_http_at_two_replicas_in_turn() {
    let replicas = ["--http", "127.0.0.1:0", "--http", "127.0.0.1:0", "--token", "secret"];
    let web = Server::start(&replicas, None);
    let urls = [web.address(), web.address()].map(|address| format!("http://{address}/mcp"));
    let args = ["--token", "secret", "--url", &*urls[0], "--url", &*urls[1]];
    let (output, _, trace) = client(&args);
    went_well(&output, &trace);
    assert!(trace.contains("Mcp-Param-Notebook: =?base64?aMOkdXNsaWNo?="), "{trace}");
    assert!(trace.contains("the note is gone"));
}

#[test]
fn it_keeps_the_note_if_it_declines() {
    let (output, _, trace) = client(&["--decline", "--", &server()]);
    went_well(&output, &trace);
    assert!(trace.contains("kept: Groceries") && trace.contains("the note is still there"));
}

#[test]
fn it_fails_where_it_is_not_let_in() {
    let web = Server::start(&["--http", "127.0.0.1:0", "--token", "secret"], None);
    let url = format!("http://{}/mcp", web.address());
    let server = server();
    let over_stdio = ["--token", "wrong", "--", &*server, "--token", "secret"];
    for args in [&["--url", &*url][..], &["--token", "wrong", "--url", &url], &over_stdio] {
        let (output, sent, _) = client(args);
        assert_eq!((output.status.code(), sent.len()), (Some(1), 1), "{args:?}");
    }
    let (output, ..) = client(&["--token", "secret", "--", &server, "--token", "secret"]);
    assert!(output.status.success());
}

/// A server of one answer.
fn one_answer(status: &str, body: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).unwrap() > 0);
        stream.write_all(answer.as_bytes()).unwrap();
    });
    url
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}"#;

#[test]
fn it_does_not_call_a_tool_whose_annotations_are_wrong() {
    let tool = r#"{"name":"create_note","inputSchema":{"type":"object",
        "properties":{"title":{"type":"number","x-mcp-header":"Title"}}}}"#;
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","ttlMs":0,
        "cacheScope":"private",{META},"tools":[{tool}]}}}}"#
    );
    let (output, sent, trace) = client(&["--url", &one_answer("200 OK", &body)]);
    assert_eq!((output.status.code(), sent.len()), (Some(1), 1));
    assert!(trace.contains(r#"left out: "create_note", param-annotation-type"#), "{trace}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("there is no tool create_note to be called"), "{errors}");
}

#[test]
fn it_takes_no_answer_that_breaks_a_rule() {
    let of_another = format!(
        r#"{{"jsonrpc":"2.0","id":2,"result":{{"resultType":"complete",{META},"tools":[]}}}}"#
    );
    let foreign_version = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no",
        "data":{"supported":["2031-01-01"],"requested":"2026-07-28"}}}"#;
    for (status, body, complaint) in [
        ("200 OK", of_another.as_str(), "refused: answer-id-mismatch"),
        ("200 OK", "{", "refused: not-json"),
        ("200 OK", "\u{7}[31m{}", "refused: not-json"),
        ("400 Bad Request", foreign_version, "2031-01-01"),
    ] {
        let (output, sent, trace) = client(&["--url", &one_answer(status, body)]);
        assert_eq!((output.status.code(), sent.len()), (Some(1), 1), "{trace}");
        assert!(trace.contains(complaint), "{trace}");
    }
}
