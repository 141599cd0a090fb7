//! Calls of every method, as a client or a server of each revision sends them:
//! usually good ones, and each part of them broken once in a while.

use mcparse::{Kind, Method, Revision};

use super::damage::METHODS as EXTRA;
use super::generate::{Draw, Written, id, number, spelled, string, value};
use super::message::{CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION};
use super::params::alternatives;
use super::words::{BAGGAGE, KEYS, LEVELS, TRACEPARENT, TRACESTATE, VERSIONS};

pub(crate) fn call(draw: &mut Draw<'_>) -> String {
    let (method, kind) = method(draw);
    let is_modern = !draw.once_in(3);
    let has_id = (kind == Kind::Request) != draw.once_in(12);
    let mut members = vec![plain("jsonrpc", "\"2.0\"")];
    if has_id {
        let id = if draw.once_in(6) { id(draw) } else { "1".to_owned() };
        members.push(("\"id\"".to_owned(), id));
    }
    let params = params(draw, &method, is_modern);
    let spelled_method =
        if draw.once_in(12) { spelled(draw, &method) } else { format!("\"{method}\"") };
    members.push(("\"method\"".to_owned(), spelled_method));
    let is_left_out = params == "{}" && draw.once_in(2) || draw.once_in(24);
    if !is_left_out {
        members.push(("\"params\"".to_owned(), params));
    }
    object(draw, members)
}

pub(crate) fn method(draw: &mut Draw<'_>) -> (String, Kind) {
    match draw.below(8) {
        0 | 1 => (draw.pick(&["tools/call", "tools/list", "resources/read"]).into(), Kind::Request),
        2 => {
            let extra = draw.pick(&EXTRA);
            (extra.name().to_owned(), extra.kind())
        }
        3 if draw.once_in(2) => (
            draw.pick(&["x", "acme/other", "notifications/x", "notifications/"]).into(),
            Kind::Request,
        ),
        _ => {
            let method = draw.pick(Method::ALL);
            (method.as_str().to_owned(), method.kind())
        }
    }
}

fn plain(name: &str, value: &str) -> Written {
    (format!("\"{name}\""), value.to_owned())
}

/// Seldom in another order, and seldom with a member twice.
fn object(draw: &mut Draw<'_>, mut members: Vec<Written>) -> String {
    if draw.once_in(4) {
        for last in (1..members.len()).rev() {
            members.swap(last, draw.below(last + 1));
        }
    }
    if !members.is_empty() && draw.once_in(32) {
        let mut again = draw.pick(&(0..members.len()).collect::<Vec<_>>());
        members.push(members[again].clone());
        if draw.once_in(2) {
            again = members.len() - 1;
            members[again].1 = value(draw, 1);
        }
    }
    let members: Vec<_> = members.iter().map(|(name, value)| format!("{name}:{value}")).collect();
    let space = if draw.once_in(8) { " " } else { "" };
    format!("{{{space}{}}}", members.join(","))
}

fn params(draw: &mut Draw<'_>, method: &str, is_modern: bool) -> String {
    let revision = if is_modern { Revision::V2026_07_28 } else { draw.pick(&Revision::ALL) };
    let shapes = alternatives(method, revision);
    let mut members = Vec::new();
    if !shapes.is_empty() {
        let chosen = draw.below(shapes.len());
        for &(name, is_required, types) in &shapes[chosen].members {
            let is_there = if is_required { !draw.once_in(12) } else { draw.once_in(3) };
            let written = value_of(draw, types);
            if is_there {
                members.push((name_of(draw, name), written));
            }
        }
    }
    if draw.once_in(5) {
        let name = draw.pick(&[
            "name",
            "uri",
            "index",
            "inputResponses",
            "requestState",
            "task",
            "context",
            "tools",
            "x",
        ]);
        let written =
            if draw.once_in(2) { draw.pick(&["{}", "\"a\""]).into() } else { value(draw, 1) };
        members.push((name_of(draw, name), written));
    }
    if is_modern != draw.once_in(12) || draw.once_in(3) {
        let written = if draw.once_in(24) { value(draw, 1) } else { meta(draw, is_modern) };
        members.push((name_of(draw, "_meta"), written));
    }
    object(draw, members)
}

fn name_of(draw: &mut Draw<'_>, name: &str) -> String {
    if draw.once_in(24) { spelled(draw, name) } else { format!("\"{name}\"") }
}

/// A value of one of the types, seldom of another.
fn value_of(draw: &mut Draw<'_>, types: &str) -> String {
    if draw.once_in(12) {
        return value(draw, 1);
    }
    let types: Vec<&str> = types.split('|').collect();
    match draw.pick(&types) {
        "any" => value(draw, 1),
        "null" => "null".to_owned(),
        "string" if draw.once_in(4) => string(draw),
        "string" => format!("\"{}\"", draw.pick(&["a", "tool", "", "\\u0061", "2025-11-25", "é"])),
        "integer" | "number" if draw.once_in(3) => number(draw),
        "integer" | "number" => "1".to_owned(),
        "array" => draw.pick(&["[]", "[1]", "[{}]"]).to_owned(),
        "object" => {
            draw.pick(&["{}", "{\"a\":1}", "{\"type\":\"ref/prompt\",\"name\":\"a\"}"]).to_owned()
        }
        word if draw.once_in(8) => format!("\"{word}s\""),
        word => format!("\"{word}\""),
    }
}

fn meta(draw: &mut Draw<'_>, is_modern: bool) -> String {
    let mut members = Vec::new();
    if is_modern {
        let version = or_any(draw, |draw| {
            let version = if draw.once_in(6) { draw.pick(VERSIONS) } else { "2026-07-28" };
            format!("\"{version}\"")
        });
        let capabilities = or_any(draw, capabilities);
        let info = or_any(draw, info);
        for (name, value) in
            [(PROTOCOL_VERSION, version), (CLIENT_CAPABILITIES, capabilities), (CLIENT_INFO, info)]
        {
            if !draw.once_in(16) {
                members.push((name_of(draw, name), value));
            }
        }
    }
    for _ in 0..draw.below(4) {
        let text = |draw: &mut Draw<'_>, from: &[&str]| format!("\"{}\"", draw.pick(from));
        let (name, value) = match draw.below(7) {
            0 => (LOG_LEVEL, or_any(draw, |draw| text(draw, LEVELS))),
            1 => (
                "progressToken",
                or_any(draw, |draw| if draw.once_in(2) { string(draw) } else { number(draw) }),
            ),
            2 => ("traceparent", or_any(draw, |draw| text(draw, TRACEPARENT))),
            3 => ("tracestate", or_any(draw, |draw| text(draw, TRACESTATE))),
            4 => ("baggage", or_any(draw, |draw| text(draw, BAGGAGE))),
            _ => (draw.pick(KEYS), value(draw, 1)),
        };
        members.push((name_of(draw, name), value));
    }
    object(draw, members)
}

/// What is drawn, or seldom anything.
fn or_any(draw: &mut Draw<'_>, drawn: impl Fn(&mut Draw<'_>) -> String) -> String {
    if draw.once_in(16) { value(draw, 1) } else { drawn(draw) }
}

fn info(draw: &mut Draw<'_>) -> String {
    let mut members = Vec::new();
    for name in ["name", "version", "title"] {
        if !draw.once_in(12) {
            let text = or_any(draw, |_| "\"a\"".to_owned());
            members.push((name_of(draw, name), text));
        }
    }
    object(draw, members)
}

fn capabilities(draw: &mut Draw<'_>) -> String {
    let parts: [(&str, &[&str]); 6] = [
        ("elicitation", &["form", "url"]),
        (
            "extensions",
            &["io.modelcontextprotocol/tasks", "com.example/a", "com.example/", "a", "1.b/c"],
        ),
        ("sampling", &["tools", "context"]),
        ("roots", &["listChanged"]),
        ("experimental", &["a"]),
        ("x", &[]),
    ];
    let mut members = Vec::new();
    for _ in 0..draw.below(5) {
        let (name, parts) = draw.pick(&parts);
        let mut inner = Vec::new();
        for part in parts {
            if draw.once_in(2) {
                let settings = or_any(draw, |_| "{}".to_owned());
                inner.push((name_of(draw, part), settings));
            }
        }
        let written = object(draw, inner);
        let written = if draw.once_in(24) { value(draw, 1) } else { written };
        // Given twice seldom, as else no request would pass.
        let name = name_of(draw, name);
        if draw.once_in(24) || !members.iter().any(|(other, _)| *other == name) {
            members.push((name, written));
        }
    }
    object(draw, members)
}
