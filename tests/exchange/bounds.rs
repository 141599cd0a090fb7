//! Every table at its limit and one past it.

use mcparse::{ExchangeLimits, Id, Sender};
use serde_json::{Value, json};

use crate::talk::{Talk, call, cancelled, done, legacy, modern, on_stream, progress, result};

const NOTHING: [&str; 0] = [];
const TWO: usize = 2;

fn with_token(id: i32) -> Value {
    modern(&json!(id), "tools/call", json!({"name": "add"}), &json!({"progressToken": id}))
}

fn listen(id: i32, filter: &Value) -> Value {
    let params = json!({"notifications": filter});
    modern(&json!(id), "subscriptions/listen", params, &json!({}))
}

fn ack(id: i32, filter: &Value) -> Value {
    let params = json!({"notifications": filter});
    on_stream(&json!(id), "notifications/subscriptions/acknowledged", params)
}

#[test]
fn a_request_past_the_limit_is_not_tracked_and_nothing_is_said_of_it() {
    let mut talk = Talk::with(ExchangeLimits::new().with_in_flight(TWO));
    assert_eq!(talk.sends(&with_token(1)), NOTHING);
    assert!(!talk.exchange.is_full());
    assert_eq!(talk.sends(&with_token(2)), NOTHING);
    assert!(talk.exchange.is_full());
    assert_eq!(talk.sends(&with_token(3)), ["exchange-full"]);
    assert_eq!(talk.pending(), ["1", "2"]);
    assert_eq!(talk.gets(&progress(&json!(3), &json!(1))), NOTHING);
    assert_eq!(talk.sends(&cancelled(&json!(3))), NOTHING);
    assert_eq!(talk.gets(&done(&json!(3))), NOTHING, "its answer, as far as can be known");
    assert_eq!(talk.gets(&done(&json!(4))), ["answer-unknown"], "that was all");
    assert_eq!(talk.gets(&progress(&json!(3), &json!(1))), NOTHING, "it may be a task's");
    assert_eq!(talk.gets(&progress(&json!(4), &json!(1))), ["progress-token-unknown"]);
    talk.gets(&done(&json!(1)));
    assert_eq!(talk.sends(&with_token(3)), NOTHING, "there is room again");
    assert_eq!(talk.pending(), ["2", "3"]);
}

#[test]
fn a_request_past_the_limit_that_is_withdrawn_hides_nothing() {
    let mut talk = Talk::with(ExchangeLimits::new().with_in_flight(1));
    let retry = |id: i32| {
        let params = json!({"name": "add", "requestState": "s"});
        modern(&json!(id), "tools/call", params, &json!({}))
    };
    talk.sends(&call(&json!(1)));
    assert_eq!(talk.sends(&call(&json!(2))), ["exchange-full"]);
    // As a policy has it that refuses what is not tracked.
    assert!(talk.exchange.withdraw(Id::from_lexeme(b"2").unwrap()).is_none());
    assert_eq!(talk.gets(&done(&json!(2))), ["answer-unknown"]);
    assert_eq!(talk.gets(&progress(&json!(2), &json!(1))), ["progress-token-unknown"]);
    assert_eq!(talk.gets(&done(&json!(1))), NOTHING);
    assert_eq!(talk.sends(&retry(3)), ["mrtr-state-invented"]);
    // Once more is no news.
    talk.exchange.withdraw(Id::from_lexeme(b"2").unwrap());
    assert_eq!(talk.pending(), ["3"]);
}

#[test]
fn what_was_never_sent_cannot_be_withdrawn() {
    let mut talk = Talk::with(ExchangeLimits::new().with_in_flight(1));
    talk.sends(&call(&json!(1)));
    assert_eq!(talk.sends(&call(&json!(2))), ["exchange-full"]);
    assert!(talk.exchange.withdraw(Id::from_lexeme(b"9").unwrap()).is_none());
    assert_eq!(talk.gets(&done(&json!(2))), NOTHING);
    // Its answer has come: there is nothing left to take back.
    assert!(talk.exchange.withdraw(Id::from_lexeme(b"2").unwrap()).is_none());
    assert_eq!(talk.gets(&done(&json!(2))), ["answer-unknown"]);
}

#[test]
fn the_sides_have_a_limit_each() {
    let mut talk = Talk::with(ExchangeLimits::new().with_in_flight(1));
    let ping = |id: i32| legacy(&json!(id), "ping", &json!({}));
    assert_eq!(talk.sends(&ping(1)), NOTHING);
    assert_eq!(talk.gets(&ping(1)), NOTHING);
    assert_eq!(talk.gets(&ping(2)), ["exchange-full"]);
    assert_eq!(talk.sends(&result(&json!(2), &json!({}))), NOTHING);
    assert_eq!(talk.gets(&result(&json!(2), &json!({}))), ["answer-unknown"]);
}

#[test]
fn a_token_past_the_limit_is_not_tracked() {
    let mut talk = Talk::with(ExchangeLimits::new().with_progress_tokens(TWO));
    assert_eq!(talk.sends(&with_token(1)), NOTHING);
    assert_eq!(talk.sends(&with_token(2)), NOTHING);
    assert_eq!(talk.sends(&with_token(3)), ["exchange-full"]);
    assert_eq!(talk.pending().len(), 3, "but its request is");
    for value in [2, 1] {
        assert_eq!(talk.gets(&progress(&json!(3), &json!(value))), NOTHING);
    }
    assert_eq!(talk.gets(&done(&json!(3))), NOTHING);
    assert_eq!(talk.gets(&progress(&json!(3), &json!(3))), ["progress-token-unknown"]);
}

#[test]
fn a_subscription_past_the_limit_is_not_tracked() {
    let mut talk = Talk::with(ExchangeLimits::new().with_subscriptions(TWO));
    for id in 1..=TWO {
        assert_eq!(talk.sends(&listen(i32::try_from(id).unwrap(), &json!({}))), NOTHING);
    }
    assert_eq!(talk.sends(&listen(3, &json!({}))), ["exchange-full"]);
    let changed = |id: i32| on_stream(&json!(id), "notifications/tools/list_changed", json!({}));
    assert_eq!(talk.gets(&changed(3)), NOTHING);
    assert_eq!(talk.gets(&changed(2)), ["ack-not-first", "subscription-unrequested"]);
    assert!(talk.hear(Sender::Server, &changed(3)).request.is_some(), "its request is known");
    assert_eq!(talk.gets(&done(&json!(3))), NOTHING);
    talk.gets(&done(&json!(2)));
    assert_eq!(talk.sends(&listen(4, &json!({}))), NOTHING);
}

#[test]
fn resources_past_the_limit_are_not_compared() {
    let two = json!({"resourceSubscriptions": ["a", "b"]});
    let three = json!({"resourceSubscriptions": ["a", "b", "c"]});
    let mut talk = Talk::with(ExchangeLimits::new().with_subscribed(TWO));
    assert_eq!(talk.sends(&listen(1, &two)), NOTHING);
    assert_eq!(talk.gets(&ack(1, &three)), ["ack-widened"]);
    assert_eq!(talk.sends(&listen(2, &three)), ["exchange-full"], "what was acknowledged went");
    let more = json!({"resourceSubscriptions": ["d"], "toolsListChanged": true});
    assert_eq!(talk.gets(&ack(2, &json!({"resourceSubscriptions": ["d"]}))), NOTHING);
    assert_eq!(talk.sends(&listen(3, &three)), ["exchange-full"]);
    assert_eq!(talk.gets(&ack(3, &more)), ["ack-widened"], "types still are");
}

#[test]
fn of_what_is_over_the_oldest_is_forgotten() {
    let mut talk = Talk::with(ExchangeLimits::new().with_remembered(TWO));
    for id in 1..=3 {
        talk.sends(&with_token(id));
    }
    for id in 1..=3 {
        talk.gets(&done(&json!(id)));
    }
    for (id, answer, told) in [
        (1, "answer-unknown", "progress-token-unknown"),
        (2, "answer-twice", "progress-after-answer"),
        (3, "answer-twice", "progress-after-answer"),
    ] {
        assert_eq!(talk.gets(&done(&json!(id))), [answer], "{id}");
        assert_eq!(talk.gets(&progress(&json!(id), &json!(1))), [told], "{id}");
    }
}

#[test]
fn of_questions_the_oldest_is_forgotten() {
    let mut talk = Talk::with(ExchangeLimits::new().with_questions(TWO));
    for id in 1..=3 {
        let call = modern(&json!(id), "prompts/get", json!({"name": id.to_string()}), &json!({}));
        talk.sends(&call);
        let asked = json!({"resultType": "input_required", "requestState": "s"});
        talk.gets(&result(&json!(id), &asked));
    }
    for (id, rules) in [(1, &["mrtr-state-invented"][..]), (2, &[]), (3, &[])] {
        let params = json!({"name": id.to_string(), "requestState": "s"});
        assert_eq!(talk.sends(&modern(&json!(id + 3), "prompts/get", params, &json!({}))), rules);
    }
}

#[test]
fn of_pages_the_oldest_is_forgotten() {
    let mut talk = Talk::with(ExchangeLimits::new().with_pages(TWO));
    let mut list = |cursor: i32, names: [&str; 2]| {
        let params = json!({"cursor": cursor.to_string()});
        talk.sends(&modern(&json!(1), "tools/list", params, &json!({})));
        let tools = names.map(|name| json!({"name": name}));
        talk.gets(&result(&json!(1), &json!({"resultType": "complete", "tools": tools})))
    };
    for cursor in 1..=3 {
        assert_eq!(list(cursor, ["a", "b"]), NOTHING);
    }
    assert_eq!(list(2, ["b", "a"]), ["list-order-changed"]);
    assert_eq!(list(3, ["b", "a"]), ["list-order-changed"]);
    assert_eq!(list(1, ["b", "a"]), NOTHING);
}

#[test]
fn an_exchange_without_any_room_says_nothing_wrong() {
    let none = ExchangeLimits::new()
        .with_in_flight(0)
        .with_progress_tokens(0)
        .with_subscriptions(0)
        .with_subscribed(0)
        .with_remembered(0)
        .with_questions(0)
        .with_pages(0);
    let mut talk = Talk::with(none);
    assert!(talk.exchange.is_full());
    assert_eq!(talk.sends(&call(&json!(1))), ["exchange-full"]);
    assert_eq!(talk.gets(&done(&json!(1))), NOTHING);
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-unknown"]);
}
