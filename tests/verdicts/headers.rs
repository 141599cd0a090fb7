//! The stage of the headers: those that mirror the body.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use mcparse::{Action, Limits, Page, ParamHeaders, ParamLimits, Rule};

use crate::case::{Case, case};
use crate::exchange::Exchange;

/// A case of the code -32020, beside a call that is right.
fn of(rule: &str, breaks: Exchange) -> Case {
    case(rule, breaks, call()).code(-32020)
}

fn call() -> Exchange {
    Exchange::call()
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = forms();
    cases.extend(mirrors());
    cases.extend(arguments());
    cases
}

/// What is wrong with the header itself, whatever the body says: they point at
/// the message.
fn forms() -> Vec<Case> {
    let limited = |most: usize| {
        call().under(|policy| policy.with_limits(Limits::new().with_header_bytes(most)))
    };
    // Of copies that differ one at least does not match either.
    let lies = |rule| call().under(|policy| policy.with_action(rule, Action::Off));
    let named = |value: &str| call().header("Mcp-Name", value);
    vec![
        of(
            "header-characters",
            call().edit("notes.read", "caf\u{e9}").header("Mcp-Name", "caf\u{e9}"),
        )
        .says(r"Mcp-Name header value 'caf\xc3\xa9': ..."),
        case("header-too-long", limited(9), limited(10))
            .code(-32020)
            .says("MCP-Protocol-Version header value '2026-07-28': ..."),
        of("header-repeated", lies(Rule::NameHeaderMismatch).also("mcp-name", "notes.delete"))
            .says("Mcp-Name header value 'notes.read': ..."),
        of("header-repeated", lies(Rule::MethodHeaderMismatch).also("Mcp-Method", "tools/list"))
            .says("Mcp-Method header value 'tools/call': ..."),
        of("header-repeated-equal", call().also("MCP-NAME", "notes.read"))
            .says("Mcp-Name header value 'notes.read': ..."),
        case(
            "header-base64-stray-bits",
            named("=?base64?bm90ZXMucmVhZE==?="),
            named("=?base64?bm90ZXMucmVhZA==?="),
        )
        .code(-32020)
        .says("Mcp-Name header value '=?base64?bm90ZXMucmVhZE==?=': ..."),
    ]
}

fn mirrors() -> Vec<Case> {
    let legacy = || Exchange::legacy_call("2025-06-18");
    vec![
        of("version-header-missing", call().without("MCP-Protocol-Version"))
            .at("\"2026-07-28\"")
            .says("MCP-Protocol-Version is missing beside body value '2026-07-28'"),
        of("version-header-mismatch", call().header("MCP-Protocol-Version", "2025-11-25"))
            .at("\"2026-07-28\"")
            .says("MCP-Protocol-Version header value '2025-11-25' does not match body value '2026-07-28'"),
        case("version-header-unknown", Exchange::legacy_call("2024-01-01"), legacy())
            .says("MCP-Protocol-Version header value '2024-01-01': ..."),
        of("method-header-missing", call().without("Mcp-Method"))
            .at("\"tools/call\"")
            .says("Mcp-Method is missing beside body value 'tools/call'"),
        of("method-header-mismatch", call().header("Mcp-Method", "Tools/Call"))
            .at("\"tools/call\"")
            .says("Mcp-Method header value 'Tools/Call' does not match body value 'tools/call'"),
        of("name-header-missing", call().without("Mcp-Name"))
            .at("\"notes.read\"")
            .says("Mcp-Name is missing beside body value 'notes.read'"),
        of("name-header-mismatch", call().header("Mcp-Name", "notes.delete"))
            .at("\"notes.read\"")
            .says("Mcp-Name header value 'notes.delete' does not match body value 'notes.read'"),
        case("name-header-unexpected", list().header("Mcp-Name", "x"), list())
            .code(-32020)
            .says("Mcp-Name header value 'x': ..."),
        case("mirror-without-version", legacy().header("Mcp-Name", "notes.read"), legacy())
            .code(-32020)
            .says("MCP-Protocol-Version header value '2025-06-18': ..."),
    ]
}

/// A list of tools, which has no name.
fn list() -> Exchange {
    let params = r#""name":"notes.read","arguments":{"note":1},"#;
    call().edit(params, "").without("Mcp-Name").method("tools/list")
}

static TABLE: LazyLock<ParamHeaders> =
    LazyLock::new(|| learned(Duration::from_secs(7 * 24 * 60 * 60)));

/// No longer counts once it is there.
static STALE: LazyLock<ParamHeaders> = LazyLock::new(|| learned(Duration::ZERO));

/// A table that counts for so long.
fn learned(least_ttl: Duration) -> ParamHeaders {
    let table = ParamHeaders::with_limits(ParamLimits::new().with_least_ttl(least_ttl));
    let tools =
        br#"{"ttlMs":0,"tools":[{"name":"notes.read","inputSchema":{"type":"object","properties":{
        "note":{"type":"integer","x-mcp-header":"Note"},
        "tag":{"type":"string","x-mcp-header":"Tag"}}}}]}"#;
    assert_eq!(table.learn(Page::First, tools, Instant::now()).tools, 1);
    table
}

/// A call that a table knows the headers of.
fn known() -> Exchange {
    Exchange { table: Some(&TABLE), ..call().header("Mcp-Param-Note", "1") }
}

fn arguments() -> Vec<Case> {
    let of = |rule, exchange| case(rule, exchange, known()).code(-32020);
    let tagged = |tag: &str, value: &str| {
        known()
            .edit(r#""note":1"#, &format!(r#""note":1,"tag":{tag}"#))
            .header("mcp-param-TAG", value)
    };
    let many = |count: usize| {
        (1..count).fold(known(), |exchange, at| exchange.also(&format!("Mcp-Param-X{at}"), "x"))
    };
    let range = r#""note":9007199254740992"#;
    vec![
        of("param-header-missing", known().without("Mcp-Param-Note"))
            .at("1},\"_meta")
            .says("the header of argument 'note' is missing beside body value '1'"),
        of("param-header-mismatch", known().header("MCP-Param-NOTE", "2"))
            .at("1},\"_meta")
            .says("MCP-Param-NOTE header value '2' does not match body value '1'"),
        case("param-header-mismatch", tagged("\"a\"", "A"), tagged("\"a\"", "a"))
            .code(-32020)
            .at("\"a\"")
            .says("mcp-param-TAG header value 'A' does not match body value 'a'"),
        of("param-header-unexpected", known().header("Mcp-Param-Tag", "a"))
            .at(r#"{"note""#)
            .says("Mcp-Param-Tag header value 'a': ..."),
        of("param-header-unexpected", tagged("null", ""))
            .at("null")
            .says("mcp-param-TAG header value '': ..."),
        of(
            "param-header-range",
            known().edit(r#""note":1"#, range).header("Mcp-Param-Note", "9007199254740992"),
        )
        .at("9007199254740992")
        .says("Mcp-Param-Note header value '9007199254740992': ..."),
        // Of a tool without a table nobody reads the arguments.
        case("lookalike-member", with_lookalike(known()), with_lookalike(call()))
            .at(r#"{"name":"notes.read""#),
        case("param-headers-too-many", many(17), many(16)).code(-32020).at("\"tools/call\""),
        case(
            "header-characters",
            tagged("\"\u{e9}\"", "\u{e9}"),
            tagged("\"\u{e9}\"", "=?base64?w6k=?="),
        )
        .code(-32020)
        .at("\"\u{e9}\"")
        .says(r"mcp-param-TAG header value '\xc3\xa9': ..."),
        case(
            "header-repeated-equal",
            tagged("\"a\"", "a").also("mcp-param-tag", "a"),
            tagged("\"a\"", "a"),
        )
        .code(-32020)
        .at("\"a\"")
        .says("mcp-param-tag header value 'a': ..."),
    ]
}

/// The same member again in another case.
fn with_lookalike(exchange: Exchange) -> Exchange {
    exchange.edit(r#""arguments":"#, r#""Arguments":{"note":2},"arguments":"#)
}

#[test]
fn what_a_stale_table_says_is_reported_and_refuses_nothing() {
    for (breaks, rule) in [
        (known().header("Mcp-Param-Note", "2"), "param-header-mismatch"),
        (known().without("Mcp-Param-Note"), "param-header-missing"),
        (with_lookalike(known()), "lookalike-member"),
    ] {
        assert_eq!(breaks.refused_by(), Some(rule), "{breaks:?}");
        let stale = Exchange { table: Some(&STALE), ..breaks };
        assert_eq!(stale.findings(), [rule], "{stale:?}");
    }
    // What the table does not say is refused all the same.
    let other = Exchange { table: Some(&STALE), ..known().without("Mcp-Name") };
    assert_eq!(other.refused_by(), Some("name-header-missing"));
}

/// What cannot be unwrapped does not match either, so that these break two
/// rules, whatever a policy makes of one.
pub(crate) fn wrapped() -> [(&'static str, Exchange, &'static str); 2] {
    let named = |value: &str| call().header("Mcp-Name", value);
    [
        (
            "header-base64",
            named("=?base64?*?="),
            "Mcp-Name header value '=?base64?*?=': what the header wraps is not base64",
        ),
        (
            "header-base64-utf8",
            named("=?base64?/w==?="),
            "Mcp-Name header value '=?base64?/w==?=': what the header wraps in base64 is not UTF-8",
        ),
    ]
}
