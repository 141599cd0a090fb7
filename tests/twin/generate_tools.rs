//! Lists of tools: usually good ones, and each part of a tool broken once in a
//! while.

use super::generate::{Draw, Written, spelled, value};
use super::generate_calls::{name_of, object, value_of};

const TOOL_NAMES: &[&str] =
    &["a", "b", "a", "tools.get_1-A", "\\u0061", "", "a b", "caf\u{e9}", "a\\nb", "a/b", "\\ud800"];
const REFERENCES: &[&str] = &["#", "#/$defs/a", "", "\\u0023", "x", "https://a.example/", "/#"];
const SOURCES: &[&str] = &[
    "https://a.example/i.png",
    "http://a",
    "data:image/png;base64,",
    "HTTPS:x",
    "javascript:x",
    "file:///a",
    "\\u0064ata:",
    "data",
    "",
    "é:",
    ":",
];
/// Keywords of schemas, with what they hold.
const KEYWORDS: &[(&str, Inside)] = &[
    ("properties", Inside::Named),
    ("$ref", Inside::Reference),
    ("not", Inside::Schema),
    ("anyOf", Inside::Array),
    ("items", Inside::Schema),
    ("items", Inside::Array),
    ("$defs", Inside::Named),
    ("additionalProperties", Inside::Schema),
    ("dependencies", Inside::Named),
    ("prefixItems", Inside::Array),
    ("then", Inside::Schema),
    ("default", Inside::Schema),
    ("enum", Inside::Array),
    ("required", Inside::Array),
    ("x-acme", Inside::Named),
    ("$id", Inside::Reference),
    ("id", Inside::Reference),
    ("allOf", Inside::Named),
    ("definitions", Inside::Array),
];

#[derive(Clone, Copy)]
enum Inside {
    Named,
    Reference,
    Schema,
    Array,
}

/// The value of `tools`.
pub(crate) fn tools(draw: &mut Draw<'_>) -> String {
    if draw.once_in(16) {
        return value_of(draw, "array");
    }
    let count = draw.below(4);
    let mut all: Vec<String> = (0..count).map(|_| tool(draw)).collect();
    if draw.once_in(100) {
        // Around the most names that are compared.
        let others = 1022 + draw.below(4) - count.min(2);
        all.extend((0..others).map(|at| format!(r#"{{"name":"n{at}"}}"#)));
        all.push(tool(draw));
    }
    format!("[{}]", all.join(","))
}

fn tool(draw: &mut Draw<'_>) -> String {
    if draw.once_in(16) {
        return value(draw, 1);
    }
    let mut members: Vec<Written> = Vec::new();
    if !draw.once_in(16) {
        let name = if draw.once_in(16) {
            format!("\"{}\"", "x".repeat(127 + draw.below(3)))
        } else {
            string(draw, TOOL_NAMES)
        };
        members.push((name_of(draw, "name"), name));
    }
    for (name, often) in [("inputSchema", 16), ("outputSchema", 2)] {
        if !draw.once_in(often) {
            let schema = if draw.once_in(12) { large(draw) } else { schema(draw, 4) };
            members.push((name_of(draw, name), schema));
        }
    }
    if draw.once_in(2) {
        let count = draw.below(3);
        let icons: Vec<String> = (0..count).map(|_| icon(draw)).collect();
        let written =
            if draw.once_in(16) { value(draw, 2) } else { format!("[{}]", icons.join(",")) };
        members.push((name_of(draw, "icons"), written));
    }
    object(draw, members)
}

fn string(draw: &mut Draw<'_>, from: &[&str]) -> String {
    if draw.once_in(16) { value(draw, 1) } else { format!("\"{}\"", draw.pick(from)) }
}

fn icon(draw: &mut Draw<'_>) -> String {
    let source = (name_of(draw, "src"), string(draw, SOURCES));
    if draw.once_in(16) { value(draw, 1) } else { object(draw, vec![source]) }
}

fn schema(draw: &mut Draw<'_>, levels: usize) -> String {
    if levels == 0 || draw.once_in(24) {
        return value(draw, 1);
    }
    let mut members: Vec<Written> = Vec::new();
    if !draw.once_in(8) {
        let kind = if draw.once_in(8) { value(draw, 1) } else { "\"object\"".to_owned() };
        members.push((name_of(draw, "type"), kind));
    }
    for _ in 0..draw.below(3) {
        let (name, inside) = draw.pick(KEYWORDS);
        let name = if draw.once_in(24) { spelled(draw, name) } else { format!("\"{name}\"") };
        let written = match inside {
            Inside::Reference => string(draw, REFERENCES),
            Inside::Schema => schema(draw, levels - 1),
            Inside::Array => format!("[{},{}]", schema(draw, 1), schema(draw, levels - 1)),
            Inside::Named => {
                let inner = ["\"a\"", "\"$ref\"", "\"\\u0062\""];
                let inner = (draw.pick(&inner).to_owned(), schema(draw, levels - 1));
                object(draw, vec![inner])
            }
        };
        members.push((name, written));
    }
    object(draw, members)
}

/// One that is at a bound, or one past it.
fn large(draw: &mut Draw<'_>) -> String {
    let inner = schema(draw, 2);
    if draw.once_in(4) {
        let others = 1020 + draw.below(6);
        return format!(r#"{{"type":"object","anyOf":[{}{inner}]}}"#, "{},".repeat(others));
    }
    let depth = 29 + draw.below(5);
    let (before, behind) =
        draw.pick(&[("{\"not\":", "}"), ("{\"$defs\":{\"a\":", "}}"), ("{\"oneOf\":[", "]}")]);
    format!("{}{inner}{}", before.repeat(depth), behind.repeat(depth))
}
