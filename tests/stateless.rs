//! Nothing of an earlier message changes a verdict, and neither does what a
//! client says of its identity.

mod exchange;

use std::sync::LazyLock;
use std::time::Instant;

use exchange::{Exchange, Passed, Said};
use mcparse::{
    Capability, Page, ParamHeaders, Policy, Requirement, RevisionSet, Rule, Sender, Validator,
};
use proptest::prelude::*;
use serde_json::{Value, json};

static NEEDS: [Requirement; 2] = [
    Requirement::new("tools/call", Capability::of_client("elicitation")).on("notes.read"),
    Requirement::new("prompts/get", Capability::of_client("elicitation").with_part("url")),
];

const POLICY: Policy = Policy::strict().with_requirements(&NEEDS);

static TABLE: LazyLock<ParamHeaders> = LazyLock::new(|| {
    let tools = br#"{"ttlMs":86400000,"tools":[{"name":"notes.read","inputSchema":{"properties":{
        "note":{"type":"integer","x-mcp-header":"Note"}}}}]}"#;
    let table = ParamHeaders::new();
    assert_eq!(table.learn(Page::First, tools, Instant::now()).tools, 1);
    table
});

/// A call of a client that declares these capabilities.
fn able(capabilities: &str) -> Exchange {
    Exchange::call()
        .edit("Capabilities\":{}", &format!("Capabilities\":{capabilities}"))
        .under(|_| POLICY)
}

/// The requests of two clients, each with its own capabilities, version and
/// head, right and wrong, and what a server sends between them.
fn traffic() -> Vec<Exchange> {
    let legacy = |version| Exchange::legacy_call(version).under(|_| POLICY);
    let client = |body: &str| Exchange::bare(Sender::Client, body).under(|_| POLICY);
    let server = |body: &str| Exchange::bare(Sender::Server, body).under(|_| POLICY);
    let mirrored = || Exchange { table: Some(&TABLE), ..able(r#"{"elicitation":{}}"#) };
    let mut escaped = able(r#"{"elicitation":{}}"#).without_head();
    escaped = escaped.edit(r#""method""#, r#""m\u0065thod""#);
    vec![
        // The client that can be asked.
        able(r#"{"elicitation":{}}"#),
        able(r#"{"elicitation":{}}"#).without_head(),
        able(r#"{"elicitation":{}}"#).header("Mcp-Name", "notes.delete"),
        able(r#"{"elicitation":{"url":{}},"roots":{}}"#),
        mirrored().also("Mcp-Param-Note", "1"),
        mirrored().also("Mcp-Param-Note", "2"),
        mirrored(),
        escaped,
        // The one that cannot.
        able("{}"),
        able("{}").without_head(),
        able("{}").edit("notes.read", "notes.list").header("Mcp-Name", "notes.list"),
        able("{}").version("2027-01-01"),
        able("{}").version("2025-11-25"),
        able("{}").edit(r#""io.modelcontextprotocol/clientCapabilities":{},"#, ""),
        able("[]"),
        able("{}").edit("{\"note\":1}", "1"),
        // Of the older era, in sessions and without.
        legacy("2025-06-18"),
        legacy("2024-11-05"),
        legacy("2026-07-28"),
        legacy("2027-01-01"),
        legacy("2025-06-18").without("Mcp-Session-Id").without("MCP-Protocol-Version"),
        client(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}"#,
        ),
        client(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        client(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#),
        client(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","ID":3}"#),
        // Bytes that leave most behind in a reader.
        client(&format!("{}1{}", "[".repeat(600), "]".repeat(600))),
        client("{\"jsonrpc\":\"2.0\",\"id\":\"\\ud83d"),
        client(""),
        // And the other direction.
        server(r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}"#),
        server(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
        server(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#),
    ]
}

#[test]
fn the_traffic_gets_many_different_verdicts() {
    let mut rules: Vec<_> = traffic().iter().filter_map(Exchange::refused_by).collect();
    let passed = traffic().len() - rules.len();
    rules.sort_unstable();
    rules.dedup();
    assert!(passed >= 10, "{passed}");
    assert!(rules.len() >= 12, "{rules:?}");
}

/// What a new validator says of each message.
static ALONE: LazyLock<Vec<Said>> =
    LazyLock::new(|| traffic().iter().map(Exchange::said).collect());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_order_of_two_clients_messages_changes_a_verdict(
        // Twice, so that every message may come behind itself and any other.
        order in Just((0..2 * traffic().len()).collect::<Vec<usize>>()).prop_shuffle(),
        by_tape: bool,
    ) {
        let traffic = traffic();
        let new = if by_tape { Validator::with_tape_alone } else { Validator::new };
        let mut shared = new(POLICY);
        for at in order {
            let at = at % traffic.len();
            prop_assert_eq!(&traffic[at].said_by(&mut shared), &ALONE[at], "{:?}", traffic[at]);
        }
    }

    #[test]
    fn identity_changes_no_verdict(
        name in "\\PC{0,40}", version in "\\PC{0,10}", title in "\\PC{0,10}",
        further in prop::collection::btree_map("[a-zA-Z]{1,12}", any_json(), 0..4),
    ) {
        let mut info = serde_json::Map::from_iter(further);
        info.insert("title".to_owned(), json!(title));
        info.insert("name".to_owned(), json!(name));
        info.insert("version".to_owned(), json!(version));
        let info = Value::Object(info).to_string();
        for (at, exchange) in modern().enumerate() {
            let plain = without_place(exchange.said());
            prop_assert_eq!(without_place(with_info(&exchange, &info).said()), plain.clone(), "{}", at);
            let anonymous = with_info(&exchange, "").said();
            let anonymous = anonymous.map(|passed| {
                let (missing, others): (Vec<Rule>, Vec<Rule>) =
                    passed.findings.into_iter().partition(|&rule| rule == Rule::ClientInfoMissing);
                assert_eq!(missing.len(), 1);
                Passed { findings: others, ..passed }
            });
            prop_assert_eq!(without_place(anonymous), plain, "{}", at);
        }
    }

    #[test]
    fn identity_of_another_shape_is_refused_for_that_alone(info in no_info()) {
        for exchange in modern() {
            let wrong = with_info(&exchange, &info.to_string());
            let Err(refusal) = wrong.said() else { panic!("{wrong:?} passed") };
            // What comes earlier in the order still wins.
            let expected = match exchange.said() {
                Err(earlier) if earlier.rule < Rule::ClientInfoShape => earlier.rule,
                _ => Rule::ClientInfoShape,
            };
            prop_assert_eq!(refusal.rule, expected);
            let lenient = wrong.under(|policy| {
                policy.with_action(Rule::ClientInfoShape, mcparse::Action::Off)
            });
            prop_assert_eq!(without_place(lenient.said()), without_place(exchange.said()));
        }
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        Just(json!([{"src": "https://example.com/icon.png", "sizes": ["48x48"]}])),
        Just(json!({"name": 1, "version": null})),
    ]
}

/// What is no object with a string `name` and a string `version`.
fn no_info() -> impl Strategy<Value = Value> {
    prop_oneof![
        any_json().prop_filter("an identity", |json| !(json["name"].is_string())),
        any_json().prop_map(|version| match version {
            Value::String(_) => json!({"name": "t"}),
            version => json!({"name": "t", "version": version}),
        }),
        Just(json!({"version": "1"})),
    ]
}

/// The modern requests of the traffic that are JSON and say who their client is.
fn modern() -> impl Iterator<Item = Exchange> {
    traffic().into_iter().filter(|exchange| exchange.body().contains(INFO))
}

const INFO: &str = r#","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}"#;

/// With another identity, or none.
fn with_info(exchange: &Exchange, info: &str) -> Exchange {
    let member = match info {
        "" => String::new(),
        info => format!(r#","io.modelcontextprotocol/clientInfo":{info}"#),
    };
    exchange.clone().edit(INFO, &member)
}

/// The verdict without the byte where, which another identity may move.
fn without_place(said: Said) -> Said {
    said.map_err(|refusal| exchange::Refusal { offset: 0, ..refusal })
}

#[test]
fn a_version_that_is_not_served_is_answered_with_what_was_asked_and_what_is_served() {
    for (served, supported) in [
        (RevisionSet::MODERN, json!(["2026-07-28"])),
        (
            RevisionSet::ALL,
            json!(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]),
        ),
    ] {
        let changed = Exchange::call().version("2027-01-01");
        let refusal = changed.under(|policy| policy.with_revisions(served)).refusal();
        assert_eq!((refusal.code, refusal.status), (-32022, 400));
        let reply: Value = serde_json::from_str(&refusal.reply.unwrap()).unwrap();
        let data = json!({"requested": "2027-01-01", "supported": supported});
        assert_eq!(reply["error"]["data"], data);
        assert_eq!(reply["id"], 7);
        let message = reply["error"]["message"].as_str().unwrap();
        assert!(message.contains("'2027-01-01'") && message.contains("2026-07-28"), "{message}");
    }
}

#[test]
fn capabilities_are_never_inherited_from_an_earlier_request_of_the_same_client() {
    let capable = able(r#"{"elicitation":{"url":{}}}"#);
    let silent = able("{}").edit(r#""io.modelcontextprotocol/clientCapabilities":{},"#, "");
    let unable = able("{}");
    for mut validator in [Validator::new(POLICY), Validator::with_tape_alone(POLICY)] {
        for _ in 0..3 {
            assert!(capable.said_by(&mut validator).is_ok());
            let refusal = silent.said_by(&mut validator).unwrap_err();
            assert_eq!((refusal.code, refusal.rule), (-32602, Rule::ClientCapabilitiesMissing));
            assert!(capable.said_by(&mut validator).is_ok());
            let refusal = unable.said_by(&mut validator).unwrap_err();
            assert_eq!((refusal.code, refusal.rule), (-32021, Rule::MissingCapability));
        }
    }
}

#[test]
fn a_version_is_never_inherited_from_an_earlier_request_of_the_same_client() {
    let named = able(r#"{"elicitation":{}}"#);
    let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#;
    let silent = named.clone().edit(version, "");
    let mut validator = Validator::new(POLICY);
    for _ in 0..3 {
        assert!(named.said_by(&mut validator).is_ok());
        let refusal = silent.said_by(&mut validator).unwrap_err();
        assert_eq!((refusal.code, refusal.rule), (-32602, Rule::ProtocolVersionMissing));
    }
}

#[test]
fn a_request_without_identity_is_valid() {
    let anonymous = with_info(&Exchange::call(), "");
    assert_eq!(anonymous.findings(), ["client-info-missing"]);
}

#[test]
fn a_name_in_the_head_that_is_not_the_bodys_is_refused_before_anything_is_called() {
    let confused = Exchange::call()
        .edit("notes.read", "notes.delete")
        .header("Mcp-Name", "notes.read")
        .refusal();
    assert_eq!((confused.code, confused.status), (-32020, 400));
    assert_eq!(confused.rule, Rule::NameHeaderMismatch);
    let reply: Value = serde_json::from_str(&confused.reply.unwrap()).unwrap();
    assert_eq!(
        reply["error"]["message"],
        "Header mismatch: Mcp-Name header value 'notes.read' does not match body value 'notes.delete'"
    );
}
