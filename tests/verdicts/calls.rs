//! The stages of version, capability, method and params.

use mcparse::{Capability, Requirement, RevisionSet, Rule, Sender};

use crate::case::{Case, case};
use crate::exchange::Exchange;

static NEEDS: [Requirement; 1] =
    [Requirement::new("tools/call", Capability::of_client("elicitation").with_part("url"))
        .on("notes.read")];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = versions();
    cases.extend(methods());
    cases.extend(params());
    cases
}

fn call() -> Exchange {
    Exchange::call()
}

fn client(body: &str) -> Exchange {
    Exchange::bare(Sender::Client, body)
}

fn versions() -> Vec<Case> {
    let modern =
        |exchange: Exchange| exchange.under(|policy| policy.with_revisions(RevisionSet::MODERN));
    let legacy =
        |exchange: Exchange| exchange.under(|policy| policy.with_revisions(RevisionSet::LEGACY));
    let initialize = r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let needy = || call().under(|policy| policy.with_requirements(&NEEDS));
    let task = call()
        .edit(r#""name":"notes.read","arguments":{"note":1}"#, r#""taskId":"t""#)
        .method("tasks/get")
        .header("Mcp-Name", "t");
    let extension = r#"Capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    vec![
        case("unsupported-version", call().version("2027-01-01"), call())
            .code(-32022)
            .at("\"2027-01-01\"")
            .says("'2027-01-01' is not served; served: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"),
        case("unsupported-version", modern(client(initialize)), client(initialize))
            .code(-32022)
            .at("\"2025-11-25\"")
            .says("'2025-11-25' is not served; served: 2026-07-28"),
        case("era-not-served", legacy(call().without_head()), call().without_head())
            .at("\"2026-07-28\"")
            .says("'2026-07-28' is not served; served: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"),
        case(
            "missing-capability",
            needy(),
            needy().edit("Capabilities\":{}", r#"Capabilities":{"elicitation":{"url":{}}}"#),
        )
        .code(-32021)
        .at("{},\"io.m")
        .says("elicitation.url"),
        case("missing-capability", task.clone(), task.edit("Capabilities\":{}", extension))
            .code(-32021)
            .at("{},\"io.m")
            .says("extensions.io.modelcontextprotocol/tasks"),
    ]
}

fn methods() -> Vec<Case> {
    let nameless =
        || call().edit(r#""name":"notes.read","arguments":{"note":1},"#, "").without("Mcp-Name");
    let ping = |method: &str| client(&format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}"}}"#));
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let modern =
        |body: &str| client(body).under(|policy| policy.with_revisions(RevisionSet::MODERN));
    vec![
        case(
            "method-of-other-sender",
            nameless().method("roots/list"),
            nameless().method("tools/list"),
        )
        .code(-32601)
        .status(404)
        .at("\"roots/list\""),
        // 404 says that a session is lost where there are sessions.
        case("method-of-other-sender", ping("roots/list"), ping("tools/list"))
            .code(-32601)
            .status(200)
            .at("\"roots/list\""),
        case("method-of-other-revision", nameless().method("ping"), ping("ping"))
            .code(-32601)
            .status(404)
            .at("\"ping\""),
        case(
            "method-of-other-revision",
            Exchange::legacy_call("2025-06-18")
                .edit(r#""name":"notes.read""#, r#""taskId":"t""#)
                .method("tasks/get")
                .without("Mcp-Method"),
            Exchange::legacy_call("2025-11-25")
                .edit(r#""name":"notes.read""#, r#""taskId":"t""#)
                .method("tasks/get")
                .without("Mcp-Method"),
        )
        .code(-32601)
        .status(200)
        .at("\"tasks/get\""),
        case("notification-of-other-revision", modern(initialized), client(initialized))
            .code(-32601)
            .at("\"notifications/initialized\""),
        case("unknown-method", nameless().method("acme/x"), nameless().method("tools/list"))
            .code(-32601)
            .status(404)
            .at("\"acme/x\""),
    ]
}

fn params() -> Vec<Case> {
    let nameless =
        || call().edit(r#""name":"notes.read","arguments":{"note":1},"#, "").without("Mcp-Name");
    let bare = |params: &str| {
        client(&format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call"{params}}}"#))
    };
    let named = || bare(r#","params":{"name":"a"}"#);
    let answers = |exchange: Exchange| exchange.edit(r#""_meta""#, r#""requestState":"s","_meta""#);
    vec![
        case("params-shape", call().edit(r#"{"note":1}"#, "[1]"), call())
            .code(-32602)
            .at("[1]")
            .says("params.arguments must be an object"),
        case("params-shape", bare(r#","params":{"name":7}"#), named())
            .code(-32602)
            .at("7}")
            .says("params.name must be a string"),
        case("params-shape", bare(r#","params":{}"#), named())
            .code(-32602)
            .at("{}")
            .says("params.name is missing and must be a string"),
        case("params-shape", bare(""), named())
            .code(-32602)
            .says("params is missing and must be an object"),
        case("duplicate-member", call().edit(r#"{"note":1}"#, r#"{},"arguments":{}"#), call())
            .at(r#""arguments":{},"_meta"#),
        case("mrtr-params", answers(nameless().method("tools/list")), answers(call()))
            .code(-32602)
            .at("\"requestState\""),
    ]
}

/// The rules of this file come in the order of judgement.
#[test]
fn the_cases_are_of_the_last_four_stages() {
    let of_stage =
        |rule: Rule| rule.stage() >= mcparse::Stage::Version || rule == Rule::DuplicateMember;
    assert!(cases().iter().all(|case| of_stage(case.rule)));
}
