//! Two summaries compared, for every part of a message that a hop may change.

use mcparse::{HopChange, MessagePart, Policy, RequestHead, Sender, Summary, Validator};

const PLAIN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{},"elicitation":{"form":{}}},"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/logLevel":"info","traceparent":"00-1","tracestate":"a=1","baggage":"b=2"}}}"#;

fn summary(message: &str) -> Summary {
    let mut validator = Validator::new(Policy::observe());
    let message = validator.check(Sender::Client, message.as_bytes());
    message.expect("nothing is refused").summary()
}

/// What differs from the plain message, and back.
fn told(hop: &str) -> Vec<String> {
    let [came, went] = [summary(PLAIN), summary(hop)];
    let told = |one: &Summary, other| one.differences(other).map(|told| told.to_string()).collect();
    let [there, back]: [Vec<String>; 2] = [told(&came, &went), told(&went, &came)];
    let opposite = |told: &String| match told.rsplit_once(' ') {
        Some((part, "dropped")) => format!("{part} added"),
        Some((part, "added")) => format!("{part} dropped"),
        _ => told.clone(),
    };
    assert_eq!(there, back.iter().map(opposite).collect::<Vec<_>>());
    there
}

#[test]
fn nothing_differs_from_itself_however_it_is_written() {
    assert_eq!(told(PLAIN), [""; 0]);
    let spread = PLAIN.replace(':', " : ").replace(',', ",\n  ").replace("{}", "{ }");
    assert_eq!(told(&spread), [""; 0]);
    let escaped = PLAIN.replace("elic", "\\u0065lic").replace("\"add\"", "\"\\u0061dd\"");
    assert_eq!(told(&escaped), [""; 0]);
}

#[test]
fn what_the_call_is_about_is_told_apart() {
    assert_eq!(told(&PLAIN.replace("\"id\":1", "\"id\":\"1\"")), ["id was changed"]);
    assert_eq!(told(&PLAIN.replace("\"id\":1,", "")), ["id was dropped"]);
    assert_eq!(told(&PLAIN.replace("\"add\"", "\"\"")), ["name was changed"]);
    assert_eq!(told(&PLAIN.replace("\"name\":\"add\",", "")), ["name was dropped"]);
    assert_eq!(
        told(&PLAIN.replace("tools/call", "tools/list")),
        ["method was changed", "name was dropped"]
    );
    let long = "x".repeat(100);
    assert_eq!(told(&PLAIN.replace("add", &long)), ["name was changed"]);
}

#[test]
fn every_reserved_key_is_told_dropped_and_changed() {
    let values = [
        ("progressToken", "\"t\"", "7"),
        ("io.modelcontextprotocol/protocolVersion", "\"2026-07-28\"", "\"2025-11-25\""),
        (
            "io.modelcontextprotocol/clientCapabilities",
            "{\"roots\":{},\"elicitation\":{\"form\":{}}}",
            "{\"roots\":{},\"elicitation\":{}}",
        ),
        ("io.modelcontextprotocol/clientInfo", "{\"name\":\"a\",\"version\":\"1\"}", "{}"),
        ("io.modelcontextprotocol/logLevel", "\"info\"", "\"error\""),
        ("traceparent", "\"00-1\"", "\"00-2\""),
        ("tracestate", "\"a=1\"", "\"\""),
        ("baggage", "\"b=2\"", "null"),
    ];
    for (key, value, other) in values {
        let member = format!("\"{key}\":{value}");
        assert!(PLAIN.contains(&member));
        let changed = PLAIN.replace(&member, &format!("\"{key}\":{other}"));
        assert_eq!(told(&changed), [format!("_meta member {key} was changed")]);
        let dropped = PLAIN.replace(&member, "\"x\":0");
        assert_eq!(told(&dropped), [format!("_meta member {key} was dropped")]);
    }
}

#[test]
fn what_a_server_sends_is_told_apart_by_its_metadata_too() {
    let key = "io.modelcontextprotocol/subscriptionId";
    let meta = format!(
        r#"{{"{key}":1,"io.modelcontextprotocol/serverInfo":{{"name":"a","version":"1"}}}}"#
    );
    for message in [
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{"_meta":{meta}}}}}"#
        ),
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","_meta":{meta}}}}}"#
        ),
    ] {
        let mut validator = Validator::new(Policy::observe());
        let mut summary =
            |message: &str| validator.check(Sender::Server, message.as_bytes()).unwrap().summary();
        let came = summary(&message);
        let mut told = |hop: &str| -> Vec<String> {
            came.differences(&summary(hop)).map(|told| told.to_string()).collect()
        };
        assert_eq!(told(&message), [""; 0]);
        let other = message.replace(&format!(r#""{key}":1"#), &format!(r#""{key}":"1""#));
        assert_eq!(told(&other), [format!("_meta member {key} was changed")]);
        let without = message.replace(&format!(r#""{key}":1,"#), "");
        assert_eq!(told(&without), [format!("_meta member {key} was dropped")]);
        assert_eq!(
            told(&message.replace("serverInfo", "x")),
            ["_meta member io.modelcontextprotocol/serverInfo was dropped"]
        );
    }
}

#[test]
fn a_key_that_nobody_reserves_is_the_hops_own_affair() {
    assert_eq!(told(&PLAIN.replace("\"baggage\"", "\"com.example/a\":1,\"baggage\"")), [""; 0]);
}

#[test]
fn every_mirror_header_is_told_dropped_added_and_changed() {
    let headers =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "add")];
    let with = |headers: &[(&str, &str)]| {
        summary(PLAIN).with_head(&RequestHead::new("POST", headers.iter().copied()))
    };
    let came = with(&headers);
    assert_eq!(came.differences(&with(&headers)).count(), 0);
    for at in 0..headers.len() {
        let name = headers[at].0;
        let told = |one: &Summary, other: &Summary| {
            let told: Vec<_> = one.differences(other).collect();
            let [difference] = told[..] else { panic!("{told:?}") };
            assert_eq!(difference.part(), MessagePart::Header(name));
            difference.change()
        };
        let mut dropped = headers.to_vec();
        dropped.remove(at);
        assert_eq!(told(&came, &with(&dropped)), HopChange::Dropped);
        assert_eq!(told(&with(&dropped), &came), HopChange::Added);
        let mut changed = headers;
        changed[at].1 = "other";
        assert_eq!(told(&came, &with(&changed)), HopChange::Changed);
    }
}

#[test]
fn without_a_head_on_both_sides_headers_tell_nothing() {
    let head = RequestHead::new("POST", [("Mcp-Name", "add")]);
    let [bare, headed] = [summary(PLAIN), summary(PLAIN).with_head(&head)];
    assert_eq!(bare.differences(&headed).count(), 0);
    assert_eq!(headed.differences(&bare).count(), 0);
}
