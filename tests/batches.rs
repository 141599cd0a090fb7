//! Batches of 2025-03-26: taken only where the policy says so, by a call of
//! their own, each element judged alone.

use mcparse::{Action, Kind, Limits, Policy, Revision, RevisionSet, Rule, Sender, Validator};
use proptest::prelude::*;
use serde_json::{Value, json};

const TAKES: Policy = Policy::strict().with_batches(true);

type Verdict = Result<Kind, Rule>;

/// The outcome, the verdicts, and the replies to what was refused.
fn judged(
    policy: Policy,
    from: Sender,
    batch: &[u8],
) -> (Result<usize, Rule>, Vec<Verdict>, Vec<Value>) {
    let (mut verdicts, mut replies) = (Vec::new(), Vec::new());
    let outcome = Validator::new(policy).check_batch(from, batch, |verdict| {
        if let Err(violation) = &verdict {
            let mut reply = Vec::new();
            if violation.write_reply(&mut reply) {
                replies.push(serde_json::from_slice(&reply).unwrap());
            }
        }
        verdicts.push(verdict.map(|message| message.kind()).map_err(|violation| violation.rule()));
    });
    (outcome.map_err(|violation| violation.rule()), verdicts, replies)
}

fn outcome(policy: Policy, batch: &str) -> (Result<usize, Rule>, Vec<Verdict>) {
    let (outcome, verdicts, _) = judged(policy, Sender::Client, batch.as_bytes());
    (outcome, verdicts)
}

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

fn of(count: usize) -> String {
    format!("[{}]", vec![PING; count].join(" ,\n"))
}

#[test]
fn batches_are_refused_unless_the_policy_takes_them_and_serves_their_revision() {
    let elsewhere = RevisionSet::ALL.without(Revision::V2025_03_26);
    for policy in [Policy::strict(), Policy::observe(), TAKES.with_revisions(elsewhere)] {
        assert_eq!(outcome(policy, &of(2)), (Err(Rule::Batch), vec![]));
        assert_eq!(outcome(policy, "[1,]"), (Err(Rule::NotJson), vec![]));
    }
    let own = TAKES.with_revisions(RevisionSet::only(Revision::V2025_03_26));
    for policy in [TAKES, own] {
        assert_eq!(outcome(policy, &of(2)), (Ok(2), vec![Ok(Kind::Request); 2]));
        // No other call takes them.
        let batch = of(2);
        let refused = Validator::new(policy).check(Sender::Client, batch.as_bytes()).unwrap_err();
        assert_eq!(refused.rule(), Rule::Batch);
    }
}

#[test]
fn what_is_no_array_is_judged_as_by_check() {
    assert_eq!(outcome(TAKES, PING), (Ok(0), vec![Ok(Kind::Request)]));
    assert_eq!(outcome(Policy::strict(), PING), (Ok(0), vec![Ok(Kind::Request)]));
    assert_eq!(outcome(TAKES, "7"), (Ok(0), vec![Err(Rule::NotObject)]));
    assert_eq!(outcome(TAKES, ""), (Ok(0), vec![Err(Rule::NotJson)]));
    assert_eq!(outcome(TAKES, "{"), (Ok(0), vec![Err(Rule::NotJson)]));
}

#[test]
fn the_examples_of_the_json_rpc_specification_come_out_as_it_says() {
    // Its methods are in no revision, which is reported, not refused; positional
    // params, which MCP does not have, are named here.
    let cut = r#"[
        {"jsonrpc": "2.0", "method": "sum", "params": {"a": [1,2,4]}, "id": "1"},
        {"jsonrpc": "2.0", "method"
    ]"#;
    let (refused, verdicts, _) = judged(TAKES, Sender::Client, cut.as_bytes());
    assert_eq!((refused, verdicts), (Err(Rule::NotJson), vec![]));

    assert_eq!(outcome(TAKES, "[]"), (Err(Rule::Batch), vec![]));

    let (count, verdicts, replies) = judged(TAKES, Sender::Client, b"[1]");
    assert_eq!((count, verdicts), (Ok(1), vec![Err(Rule::NotObject)]));
    assert_eq!((&replies[0]["id"], &replies[0]["error"]["code"]), (&json!(null), &json!(-32600)));

    let (count, _, replies) = judged(TAKES, Sender::Client, b"[1,2,3]");
    assert_eq!((count, replies.len()), (Ok(3), 3));

    let mixed = br#"[
        {"jsonrpc": "2.0", "method": "sum", "params": {"a": [1,2,4]}, "id": "1"},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": {"a": [7]}},
        {"jsonrpc": "2.0", "method": "subtract", "params": {"a": [42,23]}, "id": "2"},
        {"foo": "boo"},
        {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
        {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]"#;
    let (count, verdicts, replies) = judged(TAKES, Sender::Client, mixed);
    let (asks, tells, is_none) =
        (Ok(Kind::Request), Ok(Kind::Notification), Err(Rule::JsonrpcVersion));
    assert_eq!((count, verdicts), (Ok(6), vec![asks, tells, asks, is_none, asks, asks]));
    assert_eq!((replies.len(), &replies[0]["id"]), (1, &json!(null)));

    let silent = br#"[
        {"jsonrpc": "2.0", "method": "notify_sum", "params": {"a": [1,2,4]}},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": {"a": [7]}}
    ]"#;
    let (count, verdicts, replies) = judged(TAKES, Sender::Client, silent);
    assert_eq!((count, verdicts, replies.len()), (Ok(2), vec![tells; 2], 0));
}

#[test]
fn each_element_is_judged_alone_in_the_revision_of_batches() {
    let element = |body: &str| format!("[{PING}, {body} ,{PING}]");
    for (body, rule) in [
        ("[]", Rule::Batch),
        (&*of(2), Rule::Batch),
        ("null", Rule::NotObject),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Rule::IdNull),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","ID":2}"#, Rule::LookalikeMember),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#, Rule::DuplicateMember),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tasks/list"}"#, Rule::MethodOfOtherRevision),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, Rule::ParamsShape),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
            Rule::EraNotServed,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
            Rule::Batch,
        ),
    ] {
        let expected = vec![Ok(Kind::Request), Err(rule), Ok(Kind::Request)];
        assert_eq!(outcome(TAKES, &element(body)), (Ok(3), expected), "{body}");
    }
}

#[test]
fn an_initialize_in_a_batch_is_told_so_with_its_id() {
    let batch = br#"[{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}]"#;
    let (count, verdicts, replies) = judged(TAKES, Sender::Client, batch);
    assert_eq!((count, verdicts), (Ok(1), vec![Err(Rule::Batch)]));
    assert_eq!(replies[0]["id"], "a");
    let message = replies[0]["error"]["message"].as_str().unwrap();
    assert!(message.ends_with("initialize must not be part of a batch"), "{message}");
}

#[test]
fn an_initialize_in_a_batch_with_two_ids_is_told_so_with_neither() {
    let lenient = TAKES.with_action(Rule::DuplicateMember, Action::Report);
    let batch = br#"[{"jsonrpc":"2.0","id":"a","id":"b","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}]"#;
    let (count, verdicts, replies) = judged(lenient, Sender::Client, batch);
    assert_eq!((count, verdicts), (Ok(1), vec![Err(Rule::Batch)]));
    assert_eq!((replies.len(), &replies[0]["id"]), (1, &Value::Null));
    assert!(replies[0].as_object().unwrap().contains_key("id"), "{}", replies[0]);
}

#[test]
fn a_batch_of_answers_is_judged_and_nothing_is_said_to_a_server() {
    let batch = br#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{}},7]"#;
    for from in [Sender::Client, Sender::Server] {
        let (count, verdicts, replies) = judged(TAKES, from, batch);
        let expected = vec![Ok(Kind::Result), Err(Rule::ErrorShape), Err(Rule::NotObject)];
        assert_eq!((count, verdicts), (Ok(3), expected));
        assert_eq!(replies.len(), usize::from(from == Sender::Client));
    }
}

#[test]
fn elements_are_the_callers_own_bytes() {
    let batch = format!("\u{a0}\t[ {PING}\r\n, {PING} ] \n").replace('\u{a0}', " ");
    let mut spans = Vec::new();
    let count = Validator::new(TAKES)
        .check_batch(Sender::Client, batch.as_bytes(), |verdict| {
            let bytes = verdict.unwrap().bytes();
            assert_eq!(bytes, PING.as_bytes());
            spans.push(bytes.as_ptr().addr() - batch.as_ptr().addr());
        })
        .unwrap();
    assert_eq!((count, &*spans), (2, &[4, 4 + PING.len() + 4][..]));
}

#[test]
fn a_batch_is_bounded_at_its_limits_and_one_past_them() {
    let limited = |limits| TAKES.with_limits(limits);
    let two = limited(Limits::new().with_batch_messages(2));
    assert_eq!(outcome(two, &of(2)).0, Ok(2));
    assert_eq!(outcome(two, &of(3)), (Err(Rule::Batch), vec![]));
    assert_eq!(outcome(TAKES, &of(1024)).0, Ok(1024));
    assert_eq!(outcome(TAKES, &of(1025)).0, Err(Rule::Batch));

    let len = of(2).len();
    assert_eq!(outcome(limited(Limits::new().with_message_bytes(len)), &of(2)).0, Ok(2));
    let short = limited(Limits::new().with_message_bytes(len - 1));
    assert_eq!(outcome(short, &of(2)), (Err(Rule::TooLarge), vec![]));

    let deep = r#"[{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[]}}]"#;
    assert_eq!(outcome(limited(Limits::new().with_depth(4)), deep).0, Ok(1));
    assert_eq!(outcome(limited(Limits::new().with_depth(3)), deep), (Err(Rule::TooDeep), vec![]));
}

#[test]
fn where_the_policy_tolerates_it_a_batch_may_start_with_a_mark() {
    let marked = format!("\u{feff}{}", of(1));
    assert_eq!(outcome(TAKES, &marked), (Err(Rule::Bom), vec![]));
    let lenient = TAKES.with_action(Rule::Bom, Action::Report);
    assert_eq!(outcome(lenient, &marked), (Ok(1), vec![Ok(Kind::Request)]));
}

/// Elements of all sorts, none of which opens a session.
const POOL: [&str; 12] = [
    PING,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","id":"],[","method":"tools\/list","params":{"cursor":"[\"{,"}}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{"a":[[],{},[{}]]}}"#,
    r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#,
    r#"{"jsonrpc":"2.0","\u0069d":1,"id":1,"method":"ping"}"#,
    "{}",
    "[[],[1]]",
    "-1.5e400",
    r#""\\""#,
    "null",
];

proptest! {
    #[test]
    fn a_batch_says_of_each_element_what_check_does_of_it_alone(
        elements in prop::collection::vec((prop::sample::select(&POOL[..]), "[ \t\r\n]{0,2}"), 1..9),
        from in prop::sample::select(vec![Sender::Client, Sender::Server]),
    ) {
        let own = TAKES.with_revisions(RevisionSet::only(Revision::V2025_03_26));
        let mut validator = Validator::new(own);
        let alone = elements.iter().map(|(element, _)| {
            let verdict = validator.check(from, element.as_bytes());
            verdict.map(|message| message.kind()).map_err(|violation| violation.rule())
        });
        let alone: Vec<Verdict> = alone.collect();
        let padded = elements.iter().map(|(element, blank)| format!("{blank}{element}{blank}"));
        let batch = format!("[{}]", padded.collect::<Vec<_>>().join(","));
        let (count, verdicts, _) = judged(TAKES, from, batch.as_bytes());
        prop_assert_eq!((count, verdicts), (Ok(elements.len()), alone), "{}", batch);
    }
}
