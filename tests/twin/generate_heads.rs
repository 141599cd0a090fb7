//! Heads for messages: what the body says, and each header seldom otherwise.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mcparse::{Policy, Revision, Sender};

use super::generate::Draw;
use super::head::Head;
use super::message::{Message, PROTOCOL_VERSION};
use super::read::{Value, read};

const ODD_VALUES: &[&[u8]] = &[
    b"",
    b"a",
    b"tool",
    b"a,b",
    b"2026-07-28",
    b"2025-11-25",
    b"2024-11-05, 2024-11-05",
    b"2026-07-28,2025-11-25",
    b"1999-01-01",
    b"tools/list",
    b"tools/call,tools/call",
    b"caf\xc3\xa9",
    b"a\x7fb",
    b"a\tb",
    b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Values in a wrapper, right or not.
const WRAPPED: &[&[u8]] = &[
    b"=?base64??=",
    b"=?base64?YQ==?=",
    b"=?base64?YR==?=",
    b"=?base64?YQ?=",
    b"=?base64?YQ=?=",
    b"=?base64?/w==?=",
    b"=?base64?7aCA?=",
    b"=?base64?YcM=?=",
    b"=?base64?Y?=",
    b"=?base64?w6k=?=",
    b"=?base64?PT9iYXNlNjQ/WVE9PT89?=",
    b"=?BASE64?YQ==?=",
    b"=?base64?YQ==",
    b"=?base64?=",
];

pub(crate) fn head(draw: &mut Draw<'_>, body: &[u8]) -> Head {
    let policy = Policy::observe();
    let message = read(body, 512, |_| false)
        .ok()
        .map(|(root, _)| Message::new(root, &policy, Sender::Client, None));
    let message = message.as_ref();
    let of = |value: Option<Value<'_>>| value.and_then(Value::decoded).unwrap_or_default();
    let is_modern = message.is_some_and(Message::is_modern);
    let version = match message.and_then(|message| message.meta_member(PROTOCOL_VERSION)) {
        Some(version) => of(Some(version)),
        None => draw.pick(&Revision::ALL).as_str().into(),
    };
    let name = message.and_then(Message::name);
    let text = of(name);
    let is_plain = text.iter().all(|byte| matches!(byte, 0x21..=0x7e));
    let wrapped = match draw.below(8) {
        6 | 7 => draw.pick(WRAPPED).to_vec(),
        choice if choice < 5 && is_plain => text,
        _ => format!("=?base64?{}?=", BASE64_STANDARD.encode(text)).into_bytes(),
    };
    let method = if draw.once_in(40) { draw.pick(&["GET", "post", ""]) } else { "POST" };
    let mut head = Head { method: method.to_owned(), headers: Vec::new() };
    add(draw, &mut head, "Content-Type", b"application/json", true);
    add(draw, &mut head, "Accept", b"application/json, text/event-stream", true);
    let has_version = is_modern || draw.once_in(2);
    add(draw, &mut head, "MCP-Protocol-Version", &version, has_version);
    add(draw, &mut head, "Mcp-Method", &of(message.and_then(|message| message.method)), is_modern);
    add(draw, &mut head, "Mcp-Name", &wrapped, is_modern && name.is_some());
    if draw.once_in(4) {
        further(draw, &mut head);
    }
    head
}

/// Adds a header if it should be there, seldom if not; seldom with another value,
/// and seldom twice.
fn add(draw: &mut Draw<'_>, head: &mut Head, name: &str, value: &[u8], is_wanted: bool) {
    if is_wanted == draw.once_in(16) {
        return;
    }
    let copies = if draw.once_in(24) { 2 } else { 1 };
    for _ in 0..copies {
        let value = if draw.once_in(16) { draw.pick(ODD_VALUES).to_vec() } else { value.to_vec() };
        let [before, behind] =
            [(); 2].map(|()| if draw.once_in(12) { draw.pick(&[" ", "\t", " \t "]) } else { "" });
        let value = [before.as_bytes(), &value, behind.as_bytes()].concat();
        let name = match draw.below(12) {
            10 => name.to_uppercase(),
            11 => name.to_lowercase(),
            _ => name.to_owned(),
        };
        head.headers.push((name, value));
    }
}

fn further(draw: &mut Draw<'_>, head: &mut Head) {
    let (name, value) = draw.pick(&[
        ("Mcp-Session-Id", "a"),
        ("Last-Event-ID", "1"),
        ("Origin", "https://app.example"),
        ("Origin", "HTTPS://App.example"),
        ("origin", "https://evil.example"),
        ("Origin", "null"),
        ("Content-Encoding", "gzip"),
        ("Content-Encoding", "identity"),
        ("Content-Encoding", "Identity, gzip"),
        ("Content-Type", "application/json"),
        ("Content-Type", "text/plain"),
        ("Accept", "*/*"),
        ("Accept", "application/*, text/*;q=0"),
        ("Mcp-Param-A", "1"),
        ("Mcp-Namex", "a"),
    ]);
    if draw.once_in(2) {
        head.headers.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
    }
    let value = match draw.below(8) {
        7 if name == "Content-Type" => "application/json; charset=\"UTF-8\"",
        6 if name == "Content-Type" => "application/json;charset=latin1",
        5 if name == "Content-Type" => "Application/JSON ; a=b",
        _ => value,
    };
    head.headers.push((name.to_owned(), value.into()));
}
