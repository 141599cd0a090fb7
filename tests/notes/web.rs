//! HTTP as the tests speak it: 1.0, so that a body ends with its connection and a
//! stream of events is not cut into chunks.

use std::io::{Read, Write};
use std::net::TcpStream;

use mcparse::compose::HeaderValue;
use mcparse::{Message, Method, ResponseHead, Validator};
use serde_json::Value;

use crate::process::PATIENCE;
use crate::said::{POLICY, is_clean, summary};

/// A response, read to its end.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// The headers that go with a request.
pub(crate) fn headers(request: &Value) -> Vec<(&'static str, String)> {
    let method = request["method"].as_str().unwrap();
    let mut headers = vec![
        ("Content-Type", "application/json".to_owned()),
        ("Accept", "application/json, text/event-stream".to_owned()),
        ("MCP-Protocol-Version", "2026-07-28".to_owned()),
        ("Mcp-Method", method.to_owned()),
    ];
    let source = Method::from_bytes(method.as_bytes()).and_then(Method::name_source);
    if let Some(name) = source.and_then(|source| request["params"][source].as_str()) {
        headers.push(("Mcp-Name", HeaderValue::new(name).to_string()));
    }
    headers
}

/// Sends a request line, headers and a body, and leaves the connection open.
pub(crate) fn open(address: &str, line: &str, headers: &[(&str, String)], body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut head = vec![format!("{line} HTTP/1.0"), format!("Content-Length: {}", body.len())];
    if !headers.iter().any(|(name, _)| *name == "Host") {
        head.push(format!("Host: {address}"));
    }
    head.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
    let head = head.join("\r\n");
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
    stream
}

/// The same, read to the end.
pub(crate) fn send(address: &str, line: &str, headers: &[(&str, String)], body: &str) -> Response {
    let mut read = Vec::new();
    open(address, line, headers, body).read_to_end(&mut read).unwrap();
    let end = read.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(read[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let split = |line: &str| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_owned(), value.trim().to_owned())
    };
    Response { status, headers: lines.map(split).collect(), body: read[end + 4..].to_vec() }
}

/// Posts a request with its headers and those given, and gives the response as it is.
pub(crate) fn post(address: &str, request: &Value, others: &[(&'static str, String)]) -> Response {
    let mut headers = headers(request);
    headers.extend_from_slice(others);
    send(address, "POST /mcp", &headers, &request.to_string())
}

/// The same, with every message of the response judged: those before the answer, and
/// the answer.
pub(crate) fn ask_all(
    address: &str,
    request: &Value,
    others: &[(&'static str, String)],
) -> (Vec<Value>, Value) {
    let response = post(address, request, others);
    let head = ResponseHead::new(
        response.status,
        response.headers.iter().map(|(name, value)| (name, value)),
    );
    let (mut before, mut answer) = (Vec::new(), None);
    let request = request.to_string();
    let mut validator = Validator::new(POLICY);
    let found = validator.check_http_answer(&summary(&request), &head, &response.body, |verdict| {
        let message = verdict.unwrap_or_else(|violation| panic!("{request}: {violation}"));
        is_clean(&message);
        let read = serde_json::from_slice(message.bytes()).unwrap();
        match message {
            Message::Response(_) => answer = Some(read),
            _ => before.push(read),
        }
    });
    assert!(found.is_empty(), "{request}: {:?}", found.into_iter().collect::<Vec<_>>());
    (before, answer.expect("no answer"))
}

/// The judged answer to a request.
pub(crate) fn ask(address: &str, request: &Value, others: &[(&'static str, String)]) -> Value {
    ask_all(address, request, others).1
}
