//! A case for each rule of subscriptions.

use mcparse::{Id, Sender};
use serde_json::{Value, json};

use crate::talk::{Talk, call, cancelled, done, legacy, modern, notification, on_stream, result};

const NOTHING: [&str; 0] = [];
const ACK: &str = "notifications/subscriptions/acknowledged";
const TOOLS: &str = "notifications/tools/list_changed";
const PROMPTS: &str = "notifications/prompts/list_changed";
const UPDATED: &str = "notifications/resources/updated";

fn listen(id: &Value, filter: &Value) -> Value {
    modern(id, "subscriptions/listen", json!({"notifications": filter}), &json!({}))
}

fn ack(id: &Value, filter: &Value) -> Value {
    on_stream(id, ACK, json!({"notifications": filter}))
}

fn ended(id: &Value) -> Value {
    let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
    result(id, &json!({"resultType": "complete", "_meta": meta}))
}

/// A connection with a subscription to tools and two resources.
fn subscribed() -> Talk {
    let mut talk = Talk::new();
    let filter = json!({"toolsListChanged": true, "promptsListChanged": false,
        "resourceSubscriptions": ["file:///a", "file:///b"]});
    assert_eq!(talk.sends(&listen(&json!(1), &filter)), NOTHING);
    talk
}

#[test]
fn a_subscription_starts_with_its_acknowledgment() {
    let mut talk = subscribed();
    assert_eq!(talk.gets(&on_stream(&json!(1), TOOLS, json!({}))), ["ack-not-first"]);
    let noticed = talk.hear(Sender::Server, &ack(&json!(1), &json!({"toolsListChanged": true})));
    assert!(noticed.rules.is_empty());
    assert!(noticed.request.unwrap().has_id(Id::from_lexeme(b"1").unwrap()));
    assert_eq!(talk.gets(&on_stream(&json!(1), TOOLS, json!({}))), NOTHING);
    let again = ack(&json!(1), &json!({"resourceSubscriptions": ["file:///a"]}));
    assert_eq!(talk.gets(&again), ["ack-not-first"]);
    assert_eq!(talk.gets(&ended(&json!(1))), NOTHING);
    assert_eq!(subscribed().gets(&ended(&json!(1))), ["ack-not-first"]);
    assert_eq!(subscribed().gets(&crate::talk::error(&json!(1))), NOTHING, "it was refused");
}

#[test]
fn an_acknowledgment_has_no_more_than_was_asked_for() {
    for (filter, rules) in [
        (json!({}), &NOTHING[..]),
        (json!({"toolsListChanged": true, "promptsListChanged": false}), &[]),
        (json!({"resourceSubscriptions": ["file:///b"]}), &[]),
        (json!({"resourceSubscriptions": []}), &[]),
        (json!({"promptsListChanged": true}), &["ack-widened"]),
        (json!({"resourceSubscriptions": ["file:///a", "file:///c"]}), &["ack-widened"]),
        (json!({"taskIds": ["file:///a"]}), &["ack-widened"]),
        (json!({"resourceSubscriptions": ["file:///a", "file:///a"]}), &[]),
        (
            json!({"resourceSubscriptions": ["file:///a", "file:///a", "file:///a"]}),
            &["ack-widened"],
        ),
        (json!({"com.example/other": true}), &[]),
    ] {
        assert_eq!(subscribed().gets(&ack(&json!(1), &filter)), rules, "{filter}");
    }
}

#[test]
fn a_stream_carries_what_was_asked_for() {
    let mut talk = subscribed();
    talk.gets(&ack(&json!(1), &json!({})));
    assert_eq!(talk.gets(&on_stream(&json!(1), PROMPTS, json!({}))), ["subscription-unrequested"]);
    let part = json!({"uri": "file:///a/part"});
    assert_eq!(talk.gets(&on_stream(&json!(1), UPDATED, part)), NOTHING, "a part of a resource");
    let log = json!({"level": "info", "data": 1});
    assert_eq!(
        talk.gets(&on_stream(&json!(1), "notifications/message", log)),
        ["subscription-unrequested", "log-without-level"]
    );
    assert_eq!(talk.gets(&on_stream(&json!(1), "notifications/com.example/x", json!({}))), NOTHING);
    for id in [json!("1"), json!(2)] {
        assert_eq!(talk.gets(&on_stream(&id, TOOLS, json!({}))), ["subscription-unrequested"]);
    }
    talk.sends(&call(&json!(2)));
    let on_call = on_stream(&json!(2), TOOLS, json!({}));
    assert_eq!(talk.gets(&on_call), ["subscription-unrequested"], "no subscription");
}

#[test]
fn what_comes_on_no_stream_must_have_been_asked_for_on_one() {
    let plain = |method| notification(method, &json!({}));
    let mut talk = subscribed();
    assert_eq!(talk.gets(&plain(TOOLS)), NOTHING, "its id is missing, which is another rule");
    assert_eq!(talk.gets(&plain(PROMPTS)), ["subscription-unrequested"]);
    talk.sends(&legacy(&json!(2), "tools/list", &json!({})));
    assert_eq!(talk.gets(&plain(PROMPTS)), NOTHING, "earlier revisions have no streams");
}

#[test]
fn a_subscription_ends_from_either_side() {
    let tools = on_stream(&json!(1), TOOLS, json!({}));
    let acknowledged = || {
        let mut talk = subscribed();
        talk.gets(&ack(&json!(1), &json!({"toolsListChanged": true})));
        talk
    };
    let mut talk = acknowledged();
    assert_eq!(talk.sends(&cancelled(&json!(1))), NOTHING);
    assert_eq!(talk.gets(&tools), NOTHING, "it may not have heard yet");
    assert_eq!(talk.gets(&ended(&json!(1))), ["answer-after-cancel"]);

    let mut talk = acknowledged();
    assert_eq!(talk.gets(&cancelled(&json!(1))), NOTHING, "torn down");
    assert!(talk.pending().is_empty());
    assert_eq!(talk.gets(&tools), ["subscription-unrequested"]);
    assert_eq!(talk.gets(&ended(&json!(1))), NOTHING, "and said so");
    assert_eq!(talk.gets(&ended(&json!(1))), ["answer-twice"]);

    let mut talk = acknowledged();
    talk.gets(&ended(&json!(1)));
    assert_eq!(talk.gets(&cancelled(&json!(1))), NOTHING, "in this order too");
    assert_eq!(talk.gets(&tools), ["subscription-unrequested"]);
}

#[test]
fn subscriptions_do_not_mix() {
    let mut talk = subscribed();
    talk.sends(&listen(&json!("1"), &json!({"promptsListChanged": true})));
    assert_eq!(talk.gets(&ack(&json!("1"), &json!({"promptsListChanged": true}))), NOTHING);
    assert_eq!(talk.gets(&on_stream(&json!("1"), PROMPTS, json!({}))), NOTHING);
    assert_eq!(talk.gets(&on_stream(&json!(1), TOOLS, json!({}))), ["ack-not-first"]);
    talk.gets(&done(&json!("1")));
    let resources = ack(&json!(1), &json!({"resourceSubscriptions": ["file:///a"]}));
    assert_eq!(talk.gets(&resources), NOTHING);
}
