//! A call and what is sent while it waits: usually a good answer, and each part
//! of it broken once in a while.

use mcparse::{Revision, Sender};

use super::generate::{Draw, Written, id, value};
use super::generate_calls::{call, name_of, object, value_of};
use super::generate_tools::tools;
use super::params::results;

const CODES: &[&str] = &[
    "-32042",
    "-32020",
    "-32021",
    "-32022",
    "-32023",
    "-32099",
    "-32100",
    "-32002",
    "-32000",
    "-32019",
    "-31999",
    "-32601",
    "-32601",
    "-32601",
    "-32603",
    "1",
    "-0",
    "99999999999999999999",
];
const DATA: &[&str] = &[
    "{}",
    "null",
    r#"{"requiredCapabilities":{"roots":{}}}"#,
    r#"{"requiredCapabilities":[]}"#,
    r#"{"supported":["2026-07-28"],"requested":"1"}"#,
    r#"{"supported":["2026-07-28",1],"requested":"1"}"#,
    r#"{"supported":["2026-07-28"],"requested":1}"#,
];
const QUESTIONS: &[&str] = &[
    r#"{"method":"roots/list"}"#,
    r#"{"method":"roots\/list","params":{}}"#,
    r#"{"method":"sampling/createMessage","params":{}}"#,
    r#"{"method":"sampling/createMessage","params":{"tools":[]}}"#,
    r#"{"method":"sampling/createMessage","params":{"tools":null}}"#,
    r#"{"method":"elicitation/create","params":{"mode":"url"}}"#,
    r#"{"params":{"mode":"form"},"method":"elicitation/create"}"#,
    r#"{"method":"elicitation/create"}"#,
    r#"{"method":"tools/call"}"#,
    r#"{"method":7}"#,
    "{}",
    "7",
];

const LISTEN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// Who sends the call, the call, and what comes while it waits.
pub(crate) fn exchange(draw: &mut Draw<'_>) -> (Sender, String, String) {
    let from = if draw.once_in(6) { Sender::Server } else { Sender::Client };
    let request =
        if draw.once_in(4) { draw.pick(&[LISTEN, DISCOVER, LIST]).to_owned() } else { call(draw) };
    let message = if draw.once_in(8) { call(draw) } else { answer(draw, &request) };
    (from, request, message)
}

fn answer(draw: &mut Draw<'_>, request: &str) -> String {
    let read: serde_json::Value = serde_json::from_str(request).unwrap_or_default();
    let own = match &read["id"] {
        serde_json::Value::Null => "1".to_owned(),
        id => id.to_string(),
    };
    let mut members = vec![plain("jsonrpc", "\"2.0\"")];
    match draw.below(16) {
        0 => {}
        1 => members.push(plain("id", &id(draw))),
        2 => members.push(plain("id", &format!("\"{}\"", own.trim_matches('"')))),
        3 => members.push(plain("id", own.trim_matches('"'))),
        _ => members.push(plain("id", &own)),
    }
    if draw.once_in(4) {
        let mut inner = vec![plain("code", draw.pick(CODES)), plain("message", "\"m\"")];
        if draw.once_in(2) {
            inner.push(plain("data", draw.pick(DATA)));
        }
        members.push((String::from("\"error\""), object(draw, inner)));
    } else {
        let method = read["method"].as_str().unwrap_or("x");
        let written = result(draw, method, &own);
        members.push((name_of(draw, "result"), written));
    }
    object(draw, members)
}

fn result(draw: &mut Draw<'_>, method: &str, own: &str) -> String {
    let kind = draw.pick(&["complete", "complete", "complete", "input_required", "task", "other"]);
    let mut members: Vec<Written> = Vec::new();
    if !draw.once_in(4) {
        let written = if draw.once_in(12) { value(draw, 1) } else { format!("\"{kind}\"") };
        members.push((name_of(draw, "resultType"), written));
    }
    if kind == "input_required" {
        let count = draw.below(3);
        let questions: Vec<_> =
            (0..count).map(|at| (format!("\"q{at}\""), draw.pick(QUESTIONS).to_owned())).collect();
        if !draw.once_in(4) {
            let written = if draw.once_in(8) { value(draw, 1) } else { object(draw, questions) };
            members.push((name_of(draw, "inputRequests"), written));
        }
        if draw.once_in(2) {
            let written = value_of(draw, "string");
            members.push((name_of(draw, "requestState"), written));
        }
    }
    let revision = if draw.once_in(2) { Revision::V2026_07_28 } else { draw.pick(&Revision::ALL) };
    let shapes = results(method, revision);
    if !shapes.is_empty() {
        for &(name, is_required, types) in &shapes[draw.below(shapes.len())] {
            let is_there = if is_required { !draw.once_in(12) } else { draw.once_in(3) };
            let written = if name == "tools" { tools(draw) } else { value_of(draw, types) };
            if is_there {
                members.push((name_of(draw, name), written));
            }
        }
    }
    if draw.once_in(2) {
        let ttl = draw.pick(&["0", "1.0", "1.5", "-1", "-0", "-0.0", "-1e2", "null", "\"x\""]);
        members.push(plain("ttlMs", ttl));
    }
    if draw.once_in(2) {
        members.push(plain("cacheScope", draw.pick(&["\"public\"", "\"private\"", "\"x\"", "7"])));
    }
    if draw.once_in(2) {
        let meta = meta(draw, own);
        members.push((name_of(draw, "_meta"), meta));
    }
    object(draw, members)
}

fn meta(draw: &mut Draw<'_>, own: &str) -> String {
    let mut members = Vec::new();
    let infos = [r#"{"name":"s","version":"1"}"#, r#"{"name":"s"}"#, "7", "{}"];
    if draw.once_in(2) {
        members.push(plain("io.modelcontextprotocol/serverInfo", draw.pick(&infos)));
    }
    if draw.once_in(2) {
        let id = if draw.once_in(4) { value(draw, 1) } else { own.to_owned() };
        members.push(plain("io.modelcontextprotocol/subscriptionId", &id));
    }
    if draw.once_in(16) { value(draw, 1) } else { object(draw, members) }
}

fn plain(name: &str, value: &str) -> Written {
    (format!("\"{name}\""), value.to_owned())
}
