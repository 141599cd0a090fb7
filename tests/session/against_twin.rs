//! Random conversations: what a session notices is what its plain twin does.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use mcparse::{Rule, Sender, Stage};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::talk::{
    Talk, failed, ids, initialize, initialized, notification, ready, request, request_with,
};
use crate::twin::Twin;

fn capabilities() -> impl Strategy<Value = Value> {
    let part = prop_oneof![
        Just(json!({})),
        Just(json!({"listChanged": true, "subscribe": false})),
        Just(json!({"listChanged": null, "subscribe": true, "list": {}, "cancel": {}})),
        Just(json!(null)),
        Just(json!(false)),
    ];
    let name = prop::sample::select(vec![
        "tools",
        "prompts",
        "resources",
        "logging",
        "completions",
        "roots",
        "sampling",
        "tasks",
        "other",
    ]);
    prop::collection::btree_map(name, part, 0..6).prop_map(|all| json!(all))
}

fn version() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
}

fn id() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![json!(0), json!("0"), json!(1)])
}

fn spoken() -> impl Strategy<Value = (Sender, Value)> {
    let with_id = |(mut message, id): (Value, Value)| {
        message["id"] = id;
        message
    };
    let opens = (version(), capabilities()).prop_map(|(version, all)| initialize(version, &all));
    let opens = (opens, id()).prop_map(with_id).prop_map(|it| (Sender::Client, it));
    let accepts = (version(), capabilities()).prop_map(|(version, all)| initialized(version, &all));
    let accepts = (accepts, id()).prop_map(with_id).prop_map(|it| (Sender::Server, it));
    let asks = prop::sample::select(vec![
        (Sender::Client, request("tools/list")),
        (Sender::Client, request_with("resources/subscribe", &json!({"uri": "a:b"}))),
        (Sender::Client, request_with("prompts/get", &json!({"name": "a"}))),
        (Sender::Client, request_with("completion/complete", &json!({"ref": {}, "argument": {}}))),
        (Sender::Client, request("ping")),
        (Sender::Client, request("acme/own")),
        (Sender::Server, request("ping")),
        (Sender::Server, request("roots/list")),
        (Sender::Server, request_with("sampling/createMessage", &json!({"messages": []}))),
        (Sender::Server, request("tasks/list")),
    ]);
    let tells = prop::sample::select(vec![
        (Sender::Client, notification("notifications/roots/list_changed")),
        (Sender::Server, notification("notifications/tools/list_changed")),
        (Sender::Server, notification("notifications/resources/list_changed")),
        (Sender::Server, notification("notifications/message")),
        (Sender::Server, json!({"jsonrpc": "2.0", "id": 7, "result": {}})),
        (Sender::Client, json!({"jsonrpc": "2.0", "id": 0, "result": {}})),
    ]);
    prop_oneof![
        2 => opens,
        3 => accepts,
        1 => id().prop_map(|id| (Sender::Server, failed(&id))),
        2 => Just((Sender::Client, ready())),
        5 => asks,
        3 => tells,
    ]
}

/// What is noticed of heads alone, which these conversations have none of.
const OF_HEADS: [Rule; 2] = [Rule::VersionNotNegotiated, Rule::SessionIdMissing];

#[test]
fn a_session_notices_what_its_twin_does() {
    let seen = RefCell::new(BTreeMap::<&str, usize>::new());
    let conversations = prop::collection::vec(spoken(), 0..24);
    let run = TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(1000)
    })
    .run(&conversations, |all| {
        let (mut talk, mut twin) = (Talk::new(), Twin::default());
        for (at, (from, message)) in all.iter().enumerate() {
            let noticed = BTreeSet::from_iter(ids(talk.hear(*from, message)));
            for rule in &noticed {
                *seen.borrow_mut().entry(rule).or_default() += 1;
            }
            prop_assert_eq!(noticed, twin.hear(*from, message), "{}: {}", at, message);
            prop_assert_eq!(format!("{:?}", talk.session.state()), twin.state(), "{}", at);
        }
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    // So that the two do not agree on silence alone.
    let seen = seen.into_inner();
    for rule in Rule::ALL.iter().filter(|rule| rule.stage() == Stage::Session) {
        let is_seen = seen.get(rule.id()).is_some_and(|&times| times > 9);
        assert!(is_seen || OF_HEADS.contains(rule), "{rule}: {seen:?}");
    }
}
