use super::*;
use crate::json::lanes::Lanes;
use crate::policy::Policy;

const LIMIT: usize = 64;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
const LEGACY: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// A modern request that calls a tool of this name, as JSON.
fn call(name: &str) -> String {
    LIST.replace("list", "call").replace(r#""_meta""#, &format!(r#""name":{name},"_meta""#))
}

/// The rules that are broken; `legacy` is what is served if it is judged as
/// a legacy message.
fn judged(
    message: &str,
    headers: &[(&str, &str)],
    legacy: Option<RevisionSet>,
) -> Vec<&'static str> {
    let policy = Policy::strict();
    let mut envelope = Envelope::default();
    let read = Lanes::new(&policy).envelope(message.as_bytes(), &policy, &mut envelope);
    assert!(read.is_ok(), "{message}");
    let head = RequestHead::new("POST", headers.iter().copied());
    let body = Mirrored {
        envelope: &envelope,
        message: message.as_bytes(),
        is_modern: legacy.is_none(),
        agreed: text(message.as_bytes(), envelope.meta.protocol_version)
            .and_then(|version| Revision::from_bytes(version.raw()))
            .filter(|&named| head.revision() == Some(named)),
        is_request: envelope.method.is_present() && envelope.id.is_present(),
        needs_name: envelope.called.is_some_and(|method| method.name_source().is_some()),
        name: envelope.name,
    };
    let served = legacy.unwrap_or(RevisionSet::ALL);
    let mut broken = RuleSet::EMPTY;
    note(&mut broken, &head, &body, served, LIMIT);
    broken.iter().map(Rule::id).collect()
}

/// As a modern message, with the headers that `LIST` needs and `further`.
fn list(further: &[(&str, &str)]) -> Vec<&'static str> {
    let plain = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    let is_own = |name: &str| !further.iter().any(|(other, _)| name == *other);
    let plain = plain.into_iter().filter(|(name, _)| is_own(name));
    judged(LIST, &plain.chain(further.iter().copied()).collect::<Vec<_>>(), None)
}

/// A call with these values of `Mcp-Name`.
fn called(name: &str, values: &[&str]) -> Vec<&'static str> {
    let plain = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call")];
    let names = values.iter().map(|&value| ("Mcp-Name", value));
    judged(&call(name), &plain.into_iter().chain(names).collect::<Vec<_>>(), None)
}

fn legacy(headers: &[(&str, &str)]) -> Vec<&'static str> {
    judged(LEGACY, headers, Some(RevisionSet::ALL))
}

#[test]
fn headers_that_mirror_the_body_break_nothing() {
    assert_eq!(list(&[]), [""; 0]);
    assert_eq!(called(r#""get_weather""#, &["get_weather"]), [""; 0]);
    assert_eq!(called(r#""get_weather""#, &[" get_weather\t"]), [""; 0]);
    // Neither do they if the body spells it in escapes.
    assert_eq!(called(r#""get\u005fweather""#, &["get_weather"]), [""; 0]);
    let escaped = LIST.replace("tools/", r"tools\/").replace("2026", r"\u0032026");
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    assert_eq!(judged(&escaped, &headers, None), [""; 0]);
}

#[test]
fn a_modern_request_needs_its_headers() {
    assert_eq!(judged(LIST, &[], None), ["version-header-missing", "method-header-missing"]);
    assert_eq!(judged(LIST, &[("mcp-method", "tools/list")], None), ["version-header-missing"]);
    let version = [("mcp-protocol-version", "2026-07-28")];
    assert_eq!(judged(LIST, &version, None), ["method-header-missing"]);
    assert_eq!(called(r#""get_weather""#, &[]), ["name-header-missing"]);
}

#[test]
fn the_version_is_the_bodys() {
    for version in ["2025-06-18", "1999-01-01", "2026-07-28x", "", "=?base64?MjAyNi0wNy0yOA==?="] {
        let broken = list(&[("mcp-protocol-version", version)]);
        assert_eq!(broken, ["version-header-mismatch"], "{version}");
    }
    // Whether they agree on a version that is served is for a later stage.
    let unknown = LIST.replace("2026-07-28", "1999-01-01");
    let headers = [("mcp-protocol-version", "1999-01-01"), ("mcp-method", "tools/list")];
    assert_eq!(judged(&unknown, &headers, None), [""; 0]);
    // A body without one is for an earlier stage.
    for body in [LEGACY.to_owned(), LIST.replace(r#""2026-07-28""#, "20260728")] {
        assert_eq!(judged(&body, &headers, None), [""; 0]);
        assert_eq!(judged(&body, &headers[1..], None), ["version-header-missing"]);
    }
}

#[test]
fn the_method_is_the_bodys() {
    for method in [
        "tools/call",
        "Tools/List",
        "tools/list/",
        "",
        r"tools\/list",
        "=?base64?dG9vbHMvbGlzdA==?=",
    ] {
        assert_eq!(list(&[("mcp-method", method)]), ["method-header-mismatch"], "{method}");
    }
    // Neither is what stands there in escapes the method itself.
    let escaped = LIST.replace("tools/list", r"tools\/list");
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", r"tools\/list")];
    assert_eq!(judged(&escaped, &headers, None), ["method-header-mismatch"]);
}

#[test]
fn the_name_is_the_bodys() {
    let name = r#""get_weather""#;
    for value in [
        "read_only",
        "Get_Weather",
        "",
        "get_weather,get_weather",
        "=?base64?=",
        "=?base64??=",
        "=?BASE64?Z2V0X3dlYXRoZXI=?=",
    ] {
        assert_eq!(called(name, &[value]), ["name-header-mismatch"], "{value}");
    }
    for method in ["resources/read", "tasks/get"] {
        let source = if method == "tasks/get" { "taskId" } else { "uri" };
        let body = call(r#""a://b""#).replace("tools/call", method).replace("name", source);
        let headers =
            [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", "a://b")];
        assert_eq!(judged(&body, &headers, None), [""; 0], "{method}");
        assert_eq!(judged(&body, &headers[..2], None), ["name-header-missing"], "{method}");
    }
    // The last of two is the one that is executed.
    let twice = r#""get_weather","name":"delete_all""#;
    assert_eq!(called(twice, &["get_weather"]), ["name-header-mismatch"]);
}

#[test]
fn a_name_that_the_body_lacks_is_matched_by_nothing() {
    for name in ["null", "1", r#"{"a":"get_weather"}"#] {
        for value in ["get_weather", "", "1", "null", "=?base64??="] {
            assert_eq!(called(name, &[value]), ["name-header-mismatch"], "{name} {value}");
        }
        assert_eq!(called(name, &[]), ["name-header-missing"], "{name}");
    }
    let nameless = call("0").replace(r#""name":0,"#, "");
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call")];
    assert_eq!(judged(&nameless, &headers, None), ["name-header-missing"]);
}

#[test]
fn a_wrapped_name_is_unwrapped_once() {
    let of = |name, value| called(name, &[value]);
    assert_eq!(of(r#""get_weather""#, "=?base64?Z2V0X3dlYXRoZXI=?="), [""; 0]);
    assert_eq!(of(r#""get_weather""#, "=?base64?Z2V0X3dlYXRoZXJ=?="), ["header-base64-stray-bits"]);
    assert_eq!(of(r#"" padded ""#, "=?base64?IHBhZGRlZCA=?="), [""; 0]);
    assert_eq!(of(r#"" padded ""#, " padded "), ["name-header-mismatch"]);
    let literal = r#""=?base64?literal?=""#;
    assert_eq!(of(literal, "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="), [""; 0]);
    assert_eq!(of(literal, "=?base64?literal?="), ["header-base64", "name-header-mismatch"]);
    let invalid = ["header-base64", "name-header-mismatch"];
    assert_eq!(of(r#""get_weather""#, "=?base64?Z2V0*3dl?="), invalid);
    let other = ["header-base64-utf8", "name-header-mismatch"];
    assert_eq!(of("\"\u{fffd}\"", "=?base64?/w==?="), other);
}

#[test]
fn a_name_on_a_method_without_one_is_unexpected() {
    assert_eq!(list(&[("mcp-name", "get_weather")]), ["name-header-unexpected"]);
    assert_eq!(list(&[("mcp-name", "=?base64?*?=")]), ["name-header-unexpected"]);
}

#[test]
fn a_value_is_visible_ascii_spaces_and_tabs() {
    assert_eq!(called("\"caf\u{e9}\"", &["caf\u{e9}"]), ["header-characters"]);
    assert_eq!(called(r#""a\tb c~""#, &["a\tb c~"]), [""; 0]);
    for byte in ["\u{7f}", "\u{1f}", "\0", "\n", "\u{b}", "\u{80}"] {
        let value = format!("a{byte}b");
        let broken = list(&[("mcp-method", &value)]);
        assert_eq!(broken, ["header-characters", "method-header-mismatch"], "{byte:?}");
        let version = [("mcp-protocol-version", value.as_str())];
        assert_eq!(legacy(&version), ["header-characters", "version-header-unknown"]);
    }
}

#[test]
fn a_value_at_the_limit_passes_and_one_past_it_does_not() {
    let name = "n".repeat(LIMIT);
    assert_eq!(called(&format!("\"{name}\""), &[&name]), [""; 0]);
    let name = "n".repeat(LIMIT + 1);
    assert_eq!(called(&format!("\"{name}\""), &[&name]), ["header-too-long"]);
    let copies = ["2025-11-25"; 6].join(",");
    let headers = [("mcp-protocol-version", copies.as_str())];
    assert_eq!(legacy(&headers), ["header-too-long", "header-repeated-equal"]);
}

#[test]
fn copies_agree_or_are_refused() {
    let method = |second| list(&[("mcp-method", "tools/list"), ("mcp-method", second)]);
    assert_eq!(method("tools/list"), ["header-repeated-equal"]);
    let differ = ["header-repeated", "method-header-mismatch"];
    assert_eq!(method("tools/call"), differ);
    let both = [differ[0], differ[1], "header-repeated-equal"];
    assert_eq!(method("tools/list, tools/call"), both);
    let name = r#""get_weather""#;
    assert_eq!(called(name, &["get_weather", "get_weather"]), ["header-repeated-equal"]);
    let differ = ["header-repeated", "name-header-mismatch"];
    assert_eq!(called(name, &["get_weather", "other"]), differ);
    let version = [("mcp-protocol-version", "2026-07-28, 2026-07-28")];
    assert_eq!(list(&version), ["header-repeated-equal"]);
    let version = [("mcp-protocol-version", "2025-11-25, 2025-11-25")];
    assert_eq!(legacy(&version), ["header-repeated-equal"]);
    let version = [("mcp-protocol-version", "2025-11-25"), ("mcp-protocol-version", "x")];
    assert_eq!(legacy(&version), ["header-repeated"]);
}

#[test]
fn a_modern_notification_needs_no_headers_but_none_may_lie() {
    let bare = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#;
    let versioned = LIST.replace(r#""id":1,"#, "").replace("tools/list", "notifications/x");
    assert_eq!(judged(bare, &[], None), [""; 0]);
    assert_eq!(judged(&versioned, &[], None), [""; 0]);
    let headers = [("mcp-protocol-version", "2025-11-25"), ("mcp-method", "notifications/x")];
    assert_eq!(judged(&versioned, &headers, None), ["version-header-mismatch"]);
    assert_eq!(judged(bare, &headers, None), ["method-header-mismatch"]);
    assert_eq!(judged(bare, &[("mcp-name", "a")], None), ["name-header-unexpected"]);
}

#[test]
fn a_modern_response_has_no_method_to_mirror() {
    let response = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;
    let policy = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    assert_eq!(judged(response, &policy[..1], None), [""; 0]);
    assert_eq!(judged(response, &policy, None), ["method-header-mismatch"]);
}

#[test]
fn a_legacy_message_may_name_a_legacy_revision_that_is_served() {
    let served = RevisionSet::only(Revision::V2025_11_25).with(Revision::V2026_07_28);
    for (version, is_served) in [
        ("2025-11-25", true),
        ("2025-06-18", false),
        ("2026-07-28", false),
        ("1999-01-01", false),
        ("", false),
    ] {
        let broken = judged(LEGACY, &[("mcp-protocol-version", version)], Some(served));
        let expected: &[&str] = if is_served { &[] } else { &["version-header-unknown"] };
        assert_eq!(broken, expected, "{version}");
    }
    assert_eq!(judged(LEGACY, &[], Some(served)), [""; 0]);
}

#[test]
fn an_initialize_that_cannot_be_served_is_left_to_the_stage_of_the_version() {
    let initialize = LEGACY.replace("tools/list", "initialize");
    let both = RevisionSet::MODERN.with(Revision::V2025_11_25);
    for (served, version, expected) in [
        (RevisionSet::MODERN, "2025-11-25", &[][..]),
        (RevisionSet::MODERN, "1999-01-01", &[]),
        (both, "2025-11-25", &[]),
        (both, "1999-01-01", &["version-header-unknown"]),
    ] {
        let headers = [("mcp-protocol-version", version)];
        assert_eq!(judged(&initialize, &headers, Some(served)), expected, "{version}");
    }
    let headers = [("mcp-protocol-version", "2025-11-25")];
    let broken = judged(LEGACY, &headers, Some(RevisionSet::MODERN));
    assert_eq!(broken, ["version-header-unknown"]);
}

#[test]
fn mirrors_without_a_version_that_has_them_are_seen() {
    let version = |value| ("mcp-protocol-version", value);
    for mirror in [("mcp-method", "tools/call"), ("mcp-name", "\u{e9}"), ("mcp-param-region", "x")]
    {
        assert_eq!(legacy(&[mirror]), ["mirror-without-version"]);
        assert_eq!(legacy(&[mirror, version("2025-11-25")]), ["mirror-without-version"]);
        assert_eq!(legacy(&[version("2027-01-01"), mirror]), ["version-header-unknown"]);
    }
    assert_eq!(legacy(&[version("2025-11-25"), ("mcp-session-id", "x")]), [""; 0]);
}
