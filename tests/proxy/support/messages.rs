//! Requests and answers as they are on the wire.

use serde_json::Value;

/// A call whose id is the JSON text `id`.
pub(crate) fn call(id: &str) -> String {
    call_with(id, "x")
}

/// The same with a text in its arguments.
pub(crate) fn call_with(id: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"add","arguments":{{"text":"{text}"}}}}}}"#
    )
}

/// The answer to `call(id)`.
pub(crate) fn answer(id: &str) -> String {
    answer_with(id, "y")
}

pub(crate) fn answer_with(id: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

/// A notification of progress, as an event of a stream.
pub(crate) fn progress(step: usize) -> String {
    event(&format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":1,"progress":{step}}}}}"#
    ))
}

pub(crate) fn event(message: &str) -> String {
    format!("data: {message}\n\n")
}

/// A `POST` of a message, as a client of MCP sends it.
pub(crate) fn post(body: &str) -> Vec<u8> {
    post_with(body, "")
}

/// The same with further header lines, each with its end.
pub(crate) fn post_with(body: &str, headers: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

/// A `POST` whose body is in chunks of at most `size` bytes.
pub(crate) fn post_chunked(body: &str, size: usize) -> Vec<u8> {
    let mut out = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        .to_vec();
    out.extend(chunked(body.as_bytes(), size));
    out
}

/// A body in chunks, with its end.
pub(crate) fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in body.chunks(size) {
        out.extend(format!("{:x}\r\n", piece.len()).into_bytes());
        out.extend(piece);
        out.extend(b"\r\n");
    }
    out.extend(b"0\r\n\r\n");
    out
}

/// A response of 200 that holds `body`.
pub(crate) fn reply(body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// The head of a stream of events that lasts until its connection ends.
pub(crate) const STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

/// One chunk.
pub(crate) fn chunk(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

/// Checks that a body is the error `code` for the request with this id.
pub(crate) fn assert_error(body: &[u8], id: &str, code: i64) {
    let text = String::from_utf8_lossy(body);
    let value: Value = serde_json::from_slice(body).unwrap_or_else(|_| panic!("no JSON: {text}"));
    let id: Value = serde_json::from_str(id).unwrap();
    assert_eq!((&value["id"], value["error"]["code"].as_i64()), (&id, Some(code)), "{text}");
    assert!(!value["error"]["message"].as_str().unwrap().is_empty(), "{text}");
}
