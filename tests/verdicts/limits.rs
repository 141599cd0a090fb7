//! Every limit at n and n + 1.

use std::sync::LazyLock;
use std::time::Instant;

use mcparse::{Kind, Limits, Page, ParamHeaders, classify};

use super::{INVALID, NOT_JSON, STRICT, said, strict};
use crate::exchange::Exchange;

#[test]
fn a_limit_lets_n_pass_and_refuses_n_plus_1() {
    let limits = Limits::new();
    let refused = |limits, message: &str| {
        let policy = STRICT.with_limits(limits);
        said(policy, message.as_bytes()).err()
    };

    let message = r#"{"jsonrpc":"2.0","method":"x"}"#;
    let bytes = |n| limits.with_message_bytes(n);
    assert_eq!(refused(bytes(message.len()), message), None);
    assert_eq!(refused(bytes(message.len() - 1), message), Some(("too-large", 29)));
    let most = " ".repeat(limits.message_bytes - message.len()) + message;
    assert_eq!(refused(limits, &most), None);
    assert_eq!(refused(limits, &format!(" {most}")), Some(("too-large", 4 << 20)));
    assert_eq!(classify(most.as_bytes()), Ok(Kind::Notification));
    assert_eq!(classify(format!(" {most}").as_bytes()), INVALID);

    let deep = |n: usize| {
        let [open, close] = ["[".repeat(n - 2), "]".repeat(n - 2)];
        format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"a":{open}{close}}}}}"#)
    };
    for n in [3, 4, 64, 65, 512, 8192] {
        assert_eq!(refused(limits.with_depth(n), &deep(n)), None, "{n}");
        let at = 44 + n as u64 - 2;
        assert_eq!(refused(limits.with_depth(n), &deep(n + 1)), Some(("too-deep", at)), "{n}");
    }
    assert_eq!(refused(limits, &deep(512)), None);
    assert_eq!(refused(limits, &deep(513)), Some(("too-deep", 554)));
    assert_eq!(classify(deep(512).as_bytes()), Ok(Kind::Notification));
    assert_eq!(classify(deep(513).as_bytes()), NOT_JSON);

    let id = |n: usize| format!(r#"{{"jsonrpc":"2.0","method":"x","id":"{}"}}"#, "i".repeat(n - 2));
    assert_eq!(refused(limits, &id(1024)), None);
    assert_eq!(refused(limits, &id(1025)), Some(("id-too-long", 35)));
    assert_eq!(refused(limits.with_id_bytes(3), &id(3)), None);
    assert_eq!(refused(limits.with_id_bytes(3), &id(4)), Some(("id-too-long", 35)));
    let digits = |n: usize| format!(r#"{{"jsonrpc":"2.0","method":"x","id":{}}}"#, "1".repeat(n));
    assert_eq!(refused(limits, &digits(1024)), None);
    assert_eq!(refused(limits, &digits(1025)), Some(("id-too-long", 35)));

    let method = |n: usize| format!(r#"{{"jsonrpc":"2.0","method":"{}"}}"#, "m".repeat(n));
    assert_eq!(refused(limits, &method(256)), None);
    assert_eq!(refused(limits, &method(257)), Some(("method-too-long", 26)));
    assert_eq!(refused(limits.with_method_bytes(0), &method(0)), None);
    assert_eq!(refused(limits.with_method_bytes(0), &method(1)), Some(("method-too-long", 26)));
}

#[test]
fn the_members_of_each_object_that_is_read_are_counted() {
    let members = |n: usize| (0..n).fold(String::new(), |list, i| list + &format!("\"m{i}\":0,"));
    let call = |params: &str| format!(r#"{{"jsonrpc":"2.0","method":"x","params":{params}}}"#);
    let answer = |member: &str| format!(r#"{{"jsonrpc":"2.0","id":1,{member}}}"#);
    // Each with n members at the place in question.
    let places: [(&str, &dyn Fn(usize) -> String); 6] = [
        ("the message", &|n| format!(r#"{{{}"jsonrpc":"2.0","method":"x"}}"#, members(n - 2))),
        ("params", &|n| call(&format!(r#"{{{}"a":0}}"#, members(n - 1)))),
        ("_meta of params", &|n| call(&format!(r#"{{"_meta":{{{}"a":0}}}}"#, members(n - 1)))),
        ("result", &|n| answer(&format!(r#""result":{{{}"a":0}}"#, members(n - 1)))),
        ("_meta of result", &|n| {
            answer(&format!(r#""result":{{"_meta":{{{}"a":0}}}}"#, members(n - 1)))
        }),
        ("error", &|n| answer(&format!(r#""error":{{{}"code":0,"message":""}}"#, members(n - 2)))),
    ];
    for (place, message) in places {
        let rule = |n| said(STRICT, message(n).as_bytes()).map_err(|(rule, _)| rule);
        assert!(rule(1024).is_ok(), "{place}");
        assert_eq!(rule(1025), Err("members-too-many"), "{place}");
    }
    // What we do not read is not bounded.
    assert_eq!(
        strict(&call(&format!(r#"{{"arguments":{{{}"a":0}}}}"#, members(2000)))),
        Ok(vec![])
    );
}

#[test]
fn a_name_may_have_as_many_bytes_as_its_limit_as_it_is_written() {
    let named = |name: &str, limits: Limits| {
        let call = Exchange::call().without_head().edit("notes.read", name);
        call.under(|policy| policy.with_limits(limits)).refused_by()
    };
    let limits = Limits::new();
    assert_eq!(named(&"n".repeat(8 << 10), limits), None);
    assert_eq!(named(&"n".repeat((8 << 10) + 1), limits), Some("name-too-long"));
    assert_eq!(named("", limits.with_name_bytes(0)), None);
    assert_eq!(named("n", limits.with_name_bytes(0)), Some("name-too-long"));
    // An escape is as long as it is written.
    assert_eq!(named(r"\u0061", limits.with_name_bytes(6)), None);
    assert_eq!(named(r"\u0061", limits.with_name_bytes(5)), Some("name-too-long"));
    // What names nothing in its method is not bounded.
    let list = Exchange::call().without_head().method("tools/list");
    let list = list.edit("notes.read", &"n".repeat((8 << 10) + 1));
    assert_eq!(list.refused_by(), None);
}

#[test]
fn a_header_may_have_as_many_bytes_as_its_limit() {
    let named = |bytes: usize, limits: Limits| {
        let name = "n".repeat(bytes);
        let call = Exchange::call().edit("notes.read", &name).header("Mcp-Name", &name);
        let limits = limits.with_name_bytes(usize::MAX);
        call.under(|policy| policy.with_limits(limits)).refused_by()
    };
    assert_eq!(named(16 << 10, Limits::new()), None);
    assert_eq!(named((16 << 10) + 1, Limits::new()), Some("header-too-long"));
    let limits = Limits::new().with_header_bytes(10);
    assert_eq!(named(10, limits), None);
    assert_eq!(named(11, limits), Some("header-too-long"));
    // Blanks around it do not count, and neither do headers that mirror nothing.
    let call = Exchange::call().under(|policy| policy.with_limits(limits));
    assert_eq!(call.clone().header("Mcp-Name", " \tnotes.read   ").refused_by(), None);
    assert_eq!(call.header("User-Agent", &"x".repeat(100)).refused_by(), None);
}

static TABLE: LazyLock<ParamHeaders> = LazyLock::new(|| {
    let property = |at: usize| format!(r#""p{at}":{{"type":"string","x-mcp-header":"P{at}"}}"#);
    let properties: Vec<String> = (0..16).map(property).collect();
    let tools = format!(
        r#"{{"tools":[{{"name":"notes.read","inputSchema":{{"properties":{{{}}}}}}}]}}"#,
        properties.join(",")
    );
    let table = ParamHeaders::new();
    assert_eq!(table.learn(Page::First, tools.as_bytes(), Instant::now()).tools, 1);
    table
});

#[test]
fn sixteen_mirrored_arguments_are_compared_and_a_seventeenth_header_is_too_many() {
    let arguments: Vec<String> = (0..16).map(|at| format!(r#""p{at}":"v{at}""#)).collect();
    let call = Exchange::call().edit(r#""note":1"#, &arguments.join(","));
    let call = Exchange { table: Some(&TABLE), ..call };
    let sixteen =
        (0..16).fold(call, |call, at| call.also(&format!("Mcp-Param-P{at}"), &format!("v{at}")));
    assert_eq!(sixteen.findings(), [""; 0]);
    for at in 0..16 {
        let other = sixteen.clone().header(&format!("mcp-param-p{at}"), "other");
        assert_eq!(other.refused_by(), Some("param-header-mismatch"), "{at}");
    }
    let further = sixteen.clone().also("Mcp-Param-Other", "x");
    assert_eq!(further.refused_by(), Some("param-headers-too-many"));
    // Of a tool that no table knows they are ignored, however many.
    let unknown = Exchange { table: None, ..further };
    assert_eq!(unknown.findings(), [""; 0]);
}

/// Ten members of params are noted while the message is read; of more, the
/// rules read them again.
#[test]
fn the_number_of_members_in_params_changes_no_verdict() {
    let lists: [(&str, Exchange); 6] = [
        ("", Exchange::call()),
        ("name-header-mismatch", Exchange::call().header("Mcp-Name", "notes.delete")),
        ("params-shape", Exchange::call().edit(r#"{"note":1}"#, "[]")),
        ("params-shape", Exchange::call().edit(r#""_meta""#, r#""requestState":1,"_meta""#)),
        ("duplicate-member", Exchange::call().edit(r#""_meta""#, r#""arguments":{},"_meta""#)),
        ("lookalike-member", Exchange::call().edit(r#""_meta""#, r#""Name":"","_meta""#)),
    ];
    for (rule, exchange) in lists {
        for count in (0..=12).chain([100, 1000]) {
            let members = numbered(count, |at| format!(r#""m{at}":{at},"#));
            let behind = numbered(count, |at| format!(r#","m{at}":{at}"#));
            let before =
                exchange.clone().edit(r#""params":{"#, &format!(r#""params":{{{members}"#));
            let after = exchange
                .clone()
                .edit(r#""version":"1"}}"#, &format!(r#""version":"1"}}}}{behind}"#));
            for more in [before, after] {
                assert_eq!(more.refused_by().unwrap_or_default(), rule, "{count}: {more:?}");
            }
        }
    }
    let asked = |count: usize| {
        let members = numbered(count, |at| format!(r#","m{at}":0"#));
        let list = Exchange::call().without("Mcp-Name").method("tools/list");
        list.edit(
            r#""name":"notes.read","arguments":{"note":1}"#,
            &format!(r#""requestState":"s"{members}"#),
        )
        .findings()
    };
    assert!((0..=12).all(|count| asked(count) == ["mrtr-params"]));
}

fn numbered(count: usize, member: fn(usize) -> String) -> String {
    (0..count).map(member).collect()
}
