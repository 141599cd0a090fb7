//! What a deployment adds to the protocol: methods of its own, and capabilities
//! that its methods and tools need. Policies are plain data, built in a `const`.

mod exchange;

use exchange::Exchange;
use mcparse::{
    Action, Capability, ExtraMethod, Kind, Limits, Message, Policy, Requirement, Revision,
    RevisionSet, Rule, Sender, Validator,
};
use serde_json::{Value, json};

static METHODS: [ExtraMethod; 4] = [
    ExtraMethod::new("acme/search", Kind::Request, Sender::Client)
        .with_revisions(RevisionSet::MODERN)
        .with_name_source("index"),
    ExtraMethod::new("acme/old", Kind::Request, Sender::Client)
        .with_revisions(RevisionSet::only(Revision::V2025_06_18)),
    ExtraMethod::new("acme/changed", Kind::Notification, Sender::Client),
    ExtraMethod::new("acme/ask", Kind::Request, Sender::Server),
];

static NEEDS: [Requirement; 5] = [
    Requirement::new("acme/search", Capability::of_client("roots")).on("secret"),
    Requirement::new("tools/call", Capability::of_client("elicitation").with_part("url"))
        .on("book_flight"),
    Requirement::new("tools/call", Capability::of_client("extensions").with_part("com.acme/ui"))
        .on("show_chart"),
    Requirement::new("prompts/list", Capability::of_client("sampling")),
    Requirement::new("tools/call", Capability::of_client("experimental")).on("book_flight"),
];

static POLICY: Policy = Policy::strict()
    .with_methods(&METHODS)
    .with_requirements(&NEEDS)
    .with_revisions(RevisionSet::ALL.without(Revision::V2024_11_05))
    .with_origins(&["https://app.example"])
    .with_result_types(&["task"])
    .with_limits(Limits::new().with_message_bytes(64 << 10))
    .with_action(Rule::Accept, Action::Refuse);

const MODERN: Policy = POLICY_OF_METHODS.with_revisions(RevisionSet::MODERN);
const POLICY_OF_METHODS: Policy = Policy::strict().with_methods(&METHODS);

#[test]
fn a_policy_is_data_that_gives_back_what_was_put_in() {
    assert_eq!(POLICY.methods(), &METHODS);
    assert_eq!(POLICY.requirements(), &NEEDS);
    assert!(!POLICY.revisions().contains(Revision::V2024_11_05));
    assert_eq!(POLICY.origins(), Some(&["https://app.example"][..]));
    assert_eq!(POLICY.result_types(), ["task"]);
    assert_eq!(POLICY.limits().message_bytes, 64 << 10);
    assert_eq!(POLICY.action(Rule::Accept), Action::Refuse);
    assert_eq!(MODERN.revisions(), RevisionSet::MODERN);
    let [search, ..] = METHODS;
    assert_eq!(
        (search.name(), search.kind(), search.sender()),
        ("acme/search", Kind::Request, Sender::Client)
    );
    assert_eq!((search.revisions(), search.name_source()), (RevisionSet::MODERN, Some("index")));
    assert_eq!((NEEDS[1].method(), NEEDS[1].name()), ("tools/call", Some("book_flight")));
    assert_eq!(NEEDS[3].name(), None);
    // None served means all.
    let nothing = Policy::strict().with_revisions(RevisionSet::EMPTY);
    assert_eq!(nothing.revisions(), RevisionSet::ALL);
}

/// A modern call of the policy's own method.
fn search() -> Exchange {
    Exchange::call()
        .method("acme/search")
        .edit(r#""name":"notes.read","arguments":{"note":1}"#, r#""index":"notes""#)
        .header("Mcp-Name", "notes")
        .under(|_| POLICY)
}

#[test]
fn a_method_of_the_policy_is_known_and_of_no_other() {
    assert_eq!(search().findings(), [""; 0]);
    let elsewhere = search().under(|_| Policy::strict());
    // Nobody knows there what the header should mirror.
    assert_eq!(elsewhere.findings(), ["name-header-unexpected", "unknown-method"]);
    let other = search().edit("acme/search", "acme/searches");
    let other = other.header("Mcp-Method", "acme/searches");
    assert_eq!(other.findings(), ["name-header-unexpected", "unknown-method"]);
    let escaped = search().edit(r#""acme/search""#, r#""acme\/se\u0061rch""#);
    assert_eq!(escaped.findings(), [""; 0]);
}

#[test]
fn the_name_of_a_policys_method_is_mirrored_by_the_head() {
    assert_eq!(search().without("Mcp-Name").refused_by(), Some("name-header-missing"));
    let other = search().header("Mcp-Name", "other").refusal();
    assert_eq!(other.rule, Rule::NameHeaderMismatch);
    assert_eq!(
        other.detail.unwrap(),
        "Mcp-Name header value 'other' does not match body value 'notes'"
    );
    // Of two no one can say which one is read.
    let twice = search().edit(r#""index":"notes""#, r#""index":"notes","index":"other""#);
    assert_eq!(twice.refused_by(), Some("duplicate-member"));
    let absent = search().edit(r#""index":"notes","#, "");
    assert_eq!(absent.refused_by(), Some("name-header-mismatch"));
    search().judge(&mut Validator::new(POLICY), |verdict| match verdict {
        Ok(Message::Request(request)) => assert_eq!(request.name().unwrap(), "notes"),
        other => panic!("{other:?}"),
    });
    let limits = Limits::new().with_name_bytes(4);
    let long = search().under(|policy| policy.with_limits(limits));
    assert_eq!(long.refused_by(), Some("name-too-long"));
}

#[test]
fn a_policys_method_has_a_sender_a_revision_and_a_kind() {
    let bare = |from, method: &str, id: &str| {
        let body = format!(r#"{{"jsonrpc":"2.0",{id}"method":"{method}"}}"#);
        Exchange::bare(from, body).under(|_| POLICY_OF_METHODS)
    };
    let (client, server, id) = (Sender::Client, Sender::Server, r#""id":1,"#);
    for (exchange, rule) in [
        (bare(client, "acme/ask", id), Some("method-of-other-sender")),
        (bare(server, "acme/ask", id), None),
        (bare(server, "acme/changed", ""), Some("method-of-other-sender")),
        (bare(client, "acme/changed", ""), None),
        (bare(client, "acme/changed", id), Some("notification-with-id")),
        (bare(client, "acme/old", ""), Some("request-without-id")),
        (bare(client, "acme/old", id), None),
        // Only modern revisions have it, and so it is modern.
        (bare(client, "acme/search", id), Some("meta-missing")),
        (bare(server, "acme/ask", id).under(|_| MODERN), Some("server-request")),
    ] {
        assert_eq!(exchange.refused_by(), rule, "{exchange:?}");
    }
    let legacy = |version| {
        Exchange::legacy_call(version)
            .edit(r#""tools/call""#, r#""acme/old""#)
            .under(|_| POLICY_OF_METHODS)
    };
    assert_eq!(legacy("2025-06-18").findings(), [""; 0]);
    let refusal = legacy("2025-11-25").refusal();
    assert_eq!((refusal.rule, refusal.status), (Rule::MethodOfOtherRevision, 200));
    let modern = Exchange::call()
        .method("acme/old")
        .without("Mcp-Name")
        .under(|_| POLICY_OF_METHODS)
        .refusal();
    assert_eq!((modern.rule, modern.status), (Rule::MethodOfOtherRevision, 404));
}

#[test]
fn the_protocols_own_methods_stay_what_they_are() {
    static OWN: [ExtraMethod; 1] =
        [ExtraMethod::new("tools/call", Kind::Notification, Sender::Server).with_name_source("x")];
    let exchange = Exchange::call().under(|_| Policy::strict().with_methods(&OWN));
    assert_eq!(exchange.findings(), [""; 0]);
}

/// A call of this tool by a client with these capabilities.
fn call(tool: &str, capabilities: &str) -> Exchange {
    Exchange::call()
        .edit("notes.read", tool)
        .header("Mcp-Name", tool)
        .edit("Capabilities\":{}", &format!("Capabilities\":{capabilities}"))
        .under(|_| POLICY)
}

/// What the refusal says is missing, in words and as data.
fn missing(exchange: &Exchange) -> (String, Value) {
    let refusal = exchange.refusal();
    assert_eq!((refusal.rule, refusal.code), (Rule::MissingCapability, -32021));
    let reply: Value = serde_json::from_str(&refusal.reply.unwrap()).unwrap();
    (refusal.detail.unwrap(), reply["error"]["data"].clone())
}

fn required(capabilities: &Value) -> Value {
    json!({ "requiredCapabilities": capabilities })
}

#[test]
fn a_tool_may_need_a_part_of_a_capability() {
    let url = ("elicitation.url".to_owned(), required(&json!({"elicitation": {"url": {}}})));
    for capabilities in [
        "{}",
        r#"{"elicitation":{}}"#,
        r#"{"elicitation":{"form":{}}}"#,
        r#"{"roots":{},"experimental":{}}"#,
    ] {
        assert_eq!(missing(&call("book_flight", capabilities)), url, "{capabilities}");
        assert_eq!(call("notes.read", capabilities).refused_by(), None);
    }
    // Both requirements on the tool must hold, in the order of the policy.
    let experimental = ("experimental".to_owned(), required(&json!({"experimental": {}})));
    assert_eq!(missing(&call("book_flight", r#"{"elicitation":{"url":{}}}"#)), experimental);
    let all = r#"{"elicitation":{"url":{}},"experimental":{}}"#;
    assert_eq!(call("book_flight", all).findings(), [""; 0]);
    // However the body spells the tool.
    let escaped = call("book_flight", "{}").edit("book_flight", r"book\u005fflight");
    assert_eq!(missing(&escaped), url);
}

#[test]
fn a_tool_may_need_an_extension() {
    let ui = (
        "extensions.com.acme/ui".to_owned(),
        required(&json!({"extensions": {"com.acme/ui": {}}})),
    );
    for capabilities in [
        "{}",
        r#"{"extensions":{}}"#,
        r#"{"extensions":{"com.acme/other":{}}}"#,
        r#"{"extensions":{"com.acme/ui":true}}"#,
    ] {
        assert_eq!(missing(&call("show_chart", capabilities)), ui, "{capabilities}");
    }
    let declared = r#"{"extensions":{"com.acme/ui":{"v":1}}}"#;
    assert_eq!(call("show_chart", declared).findings(), [""; 0]);
}

#[test]
fn a_method_may_need_a_capability_whatever_it_is_called_on() {
    let list = |capabilities: &str| {
        call("notes.read", capabilities)
            .edit(r#""name":"notes.read","arguments":{"note":1},"#, "")
            .without("Mcp-Name")
            .method("prompts/list")
    };
    let sampling = ("sampling".to_owned(), required(&json!({"sampling": {}})));
    assert_eq!(missing(&list("{}")), sampling);
    assert_eq!(list(r#"{"sampling":{}}"#).findings(), ["deprecated-feature"]);
    // So may one of the policy's own.
    let secret = search().edit(r#""index":"notes""#, r#""index":"secret""#);
    let secret = secret.header("Mcp-Name", "secret");
    assert_eq!(missing(&secret), ("roots".to_owned(), required(&json!({"roots": {}}))));
}

#[test]
fn requirements_are_of_modern_requests_alone() {
    let book = |exchange: Exchange| exchange.edit("notes.read", "book_flight").under(|_| POLICY);
    assert_eq!(book(Exchange::legacy_call("2025-06-18")).findings(), [""; 0]);
}

#[test]
fn a_policy_may_change_between_two_messages() {
    let exchange = search();
    for mut validator in
        [Validator::new(Policy::strict()), Validator::with_tape_alone(Policy::strict())]
    {
        let findings = |validator: &mut Validator| {
            exchange.said_by(validator).map(|passed| passed.findings.len())
        };
        assert_eq!(findings(&mut validator), Ok(2));
        validator.set_policy(POLICY);
        assert_eq!(findings(&mut validator), Ok(0));
        let short = POLICY.with_limits(Limits::new().with_message_bytes(10));
        validator.set_policy(short);
        assert_eq!(findings(&mut validator).unwrap_err().rule, Rule::TooLarge);
        validator.set_policy(POLICY.with_revisions(RevisionSet::LEGACY));
        assert_eq!(findings(&mut validator).unwrap_err().rule, Rule::EraNotServed);
        validator.set_policy(POLICY.with_limits(Limits::new().with_depth(2)));
        assert_eq!(findings(&mut validator).unwrap_err().rule, Rule::TooDeep);
        validator.set_policy(POLICY);
        assert_eq!(findings(&mut validator), Ok(0));
        assert_eq!(validator.policy(), &POLICY);
    }
}

#[test]
fn each_rule_that_is_not_fatal_can_be_refused_reported_and_let_pass() {
    for &rule in Rule::ALL {
        for action in [Action::Refuse, Action::Report, Action::Off] {
            let policy = Policy::strict().with_action(rule, action);
            let expected = if rule.is_fatal() { Action::Refuse } else { action };
            assert_eq!(policy.action(rule), expected, "{rule}");
            let others = Rule::ALL.iter().filter(|&&other| other != rule);
            assert!(
                others.into_iter().all(|&other| policy.action(other) == other.default_action())
            );
        }
    }
}

#[test]
fn the_name_of_a_policys_own_method_is_ambiguous_like_any_other() {
    static METHODS: [ExtraMethod; 1] =
        [ExtraMethod::new("acme/search", Kind::Request, Sender::Client).with_name_source("index")];
    let mut validator = Validator::new(Policy::strict().with_methods(&METHODS));
    // And where: at the first name that repeats, or looks like, the right one.
    for (params, rule, at) in [
        (r#""index":"a","index":"b""#, Rule::DuplicateMember, r#""index":"b""#),
        (r#""index":"a","\u0069ndex":"b""#, Rule::DuplicateMember, r#""\u0069"#),
        (r#""index":"a","index":"b","index":"c""#, Rule::DuplicateMember, r#""index":"b""#),
        (r#""index":"b","INDEX":"a""#, Rule::LookalikeMember, r#""INDEX""#),
        (r#""Index":"b","INDEX":"a""#, Rule::LookalikeMember, r#""Index""#),
    ] {
        let message =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"acme/search","params":{{{params}}}}}"#);
        let violation = validator.check(Sender::Client, message.as_bytes()).unwrap_err();
        assert_eq!(violation.rule(), rule, "{message}");
        assert_eq!(Some(violation.offset()), message.find(at).map(|at| at as u64), "{message}");
    }
    let both = br#"{"jsonrpc":"2.0","id":1,"method":"acme/search","params":{"Index":1,"index":"a","index":"b"}}"#;
    validator.set_policy(Policy::observe().with_methods(&METHODS));
    let findings = validator.check(Sender::Client, both).unwrap().findings();
    assert!(findings.contains(Rule::DuplicateMember) && findings.contains(Rule::LookalikeMember));
}
