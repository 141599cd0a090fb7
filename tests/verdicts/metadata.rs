//! The stage of the metadata: what a request says of itself.

use mcparse::Sender;

use crate::case::{Case, case};
use crate::exchange::Exchange;

const VERSION: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#;
const CAPABILITIES: &str = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
const INFO: &str = r#","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}"#;

/// A case of the code -32602, which points at `_meta`.
fn meta(rule: &str, breaks: Exchange) -> Case {
    case(rule, breaks, call()).code(-32602).at(r#"{"io.m"#)
}

fn call() -> Exchange {
    Exchange::call()
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = required();
    cases.extend(reported());
    cases
}

fn declares(capabilities: &str) -> Exchange {
    call().edit("Capabilities\":{}", &format!("Capabilities\":{capabilities}"))
}

fn required() -> Vec<Case> {
    let of = |rule, exchange| meta(rule, exchange);
    let info = |value: &str| call().edit(r#"{"name":"t","version":"1"}"#, value);
    let bare = r#"{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{}}"#;
    let listen = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"_meta":7}}"#;
    let discover = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{{"_meta":{{{VERSION}{CAPABILITIES}{INFO}}}}}}}"#
    );
    vec![
        case(
            "meta-missing",
            Exchange::bare(Sender::Client, bare),
            Exchange::bare(Sender::Client, discover),
        )
        .code(-32602)
        .at("{}"),
        of("meta-type", Exchange::bare(Sender::Client, listen)).at("7}"),
        of("protocol-version-missing", call().edit(VERSION, "")),
        of(
            "protocol-version-type",
            call().edit(VERSION, &VERSION.replace("\"2026-07-28\"", "2026")),
        )
        .at("2026"),
        of("client-capabilities-missing", call().edit(&format!("{CAPABILITIES},"), "")),
        of("client-capabilities-type", declares("[]")).at("[]"),
        of("client-capabilities-type", declares("null")).at("null"),
        of("client-capabilities-type", declares(r#"{"elicitation":true}"#)).at(r#"{"elicitation""#),
        of("client-info-shape", info(r#"{"name":"t"}"#)).at(r#"{"name":"t"}"#),
        of("client-info-shape", info(r#"{"name":"t","version":1}"#)).at(r#"{"name":"t","#),
        of("client-info-shape", info("\"t\"")).at("\"t\""),
        of("progress-token-type", call().meta(r#""progressToken":1.5"#)).at("1.5"),
        of("progress-token-type", call().meta(r#""progressToken":null"#)).at("null"),
    ]
}

fn reported() -> Vec<Case> {
    let of = |rule, exchange| meta(rule, exchange);
    let level = |level: &str| {
        let member = format!(r#""io.modelcontextprotocol/logLevel":{level}"#);
        call().meta(&member).under(|policy| {
            policy.with_action(mcparse::Rule::DeprecatedFeature, mcparse::Action::Off)
        })
    };
    let extension = |extension: &str| declares(&format!(r#"{{"extensions":{{{extension}}}}}"#));
    let parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    let traced = |parent: &str| call().meta(&format!(r#""traceparent":"{parent}""#));
    vec![
        case("log-level-unknown", level("\"loud\""), level("\"notice\""))
            .code(-32602)
            .at("\"loud\""),
        of("client-info-missing", call().edit(INFO, "")),
        case("meta-key-syntax", call().meta(r#""a b":1"#), call().meta(r#""a.b":1"#))
            .code(-32602)
            .at(r#"{"a b":1,"#),
        case(
            "meta-reserved-prefix",
            call().meta(r#""com.mcp/x":1"#),
            call().meta(r#""com.acme/x":1"#),
        )
        .code(-32602)
        .at(r#"{"com.mcp/x""#),
        case("trace-context-format", traced(&parent[1..]), traced(parent))
            .code(-32602)
            .at(r#"{"traceparent""#),
        case("extension-id", extension(r#""ui":{}"#), extension(r#""com.acme/ui":{}"#))
            .code(-32602)
            .at(r#"{"extensions""#),
        case(
            "extension-settings-type",
            extension(r#""com.acme/ui":true"#),
            extension(r#""com.acme/ui":{}"#),
        )
        .code(-32602)
        .at(r#"{"extensions""#),
        case("deprecated-feature", declares(r#"{"roots":{}}"#), declares(r#"{"elicitation":{}}"#))
            .code(-32602)
            .at(r#"{"roots""#),
        of("deprecated-feature", call().meta(r#""io.modelcontextprotocol/logLevel":"info""#))
            .at("\"info\""),
    ]
}
