//! A case for each rule but those of subscriptions.

use mcparse::{Action, Exchange, Id, Policy, Rule, Sender, Stage};
use serde_json::{Value, json};

use crate::talk::{
    Talk, call, cancelled, done, error, legacy, modern, notification, progress, result,
};

const NOTHING: [&str; 0] = [];

#[test]
fn every_answer_finds_its_request_and_ids_differ_by_type() {
    let mut talk = Talk::new();
    for id in [json!(7), json!("7"), json!(""), json!(0), json!("x".repeat(900))] {
        assert_eq!(talk.sends(&call(&id)), NOTHING, "{id}");
    }
    assert_eq!(talk.pending(), ["7", "\"7\"", "\"\"", "0", ""]);
    for id in [json!("7"), json!(0), json!(7), json!("x".repeat(900)), json!("")] {
        let noticed = talk.hear(Sender::Server, &done(&id));
        assert!(noticed.rules.is_empty(), "{id} {:?}", noticed.rules);
        assert_eq!(noticed.request.unwrap().name().unwrap(), "add");
    }
    assert!(talk.pending().is_empty());
}

#[test]
fn an_id_is_taken_until_its_request_is_answered() {
    let mut talk = Talk::new();
    assert_eq!(talk.sends(&call(&json!(1))), NOTHING);
    let other = modern(&json!(1), "tools/call", json!({"name": "sub"}), &json!({}));
    let noticed = talk.hear(Sender::Client, &other);
    assert_eq!(noticed.refused(&Policy::strict()), Some(Rule::IdInFlight));
    assert_eq!(noticed.request.unwrap().name().unwrap(), "add", "the first one stays");
    assert_eq!(talk.pending(), ["1"]);
    assert_eq!(talk.gets(&done(&json!(1))), NOTHING);
    assert_eq!(talk.sends(&other), NOTHING);
    // Cancelled and not answered: it is still taken.
    assert_eq!(talk.sends(&cancelled(&json!(1))), NOTHING);
    assert_eq!(talk.sends(&other), ["id-in-flight"]);
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-after-cancel"]);
    assert_eq!(talk.sends(&other), NOTHING);
}

#[test]
fn an_answer_to_nothing_is_noticed() {
    let mut talk = Talk::new();
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-unknown"]);
    talk.sends(&call(&json!(1)));
    assert_eq!(talk.gets(&done(&json!("1"))), ["answer-unknown"]);
    assert_eq!(talk.gets(&error(&Value::Null)), ["answer-unknown"], "nobody can say whose it is");
    assert_eq!(talk.pending(), ["1"]);
    assert_eq!(talk.gets(&error(&json!(1))), NOTHING);
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-twice"]);
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-twice"]);
}

#[test]
fn an_answer_to_a_notification_is_noticed_where_nothing_else_can_be_meant() {
    let mut talk = Talk::new();
    let ready = notification("notifications/initialized", &json!({}));
    talk.sends(&ready);
    assert_eq!(talk.gets(&error(&Value::Null)), ["notification-answered"]);
    assert_eq!(talk.gets(&error(&Value::Null)), ["answer-unknown"], "once");
    talk.sends(&call(&json!(1)));
    talk.sends(&ready);
    assert_eq!(talk.gets(&error(&Value::Null)), ["answer-unknown"], "a request waits");
    talk.gets(&done(&json!(1)));
    assert_eq!(talk.gets(&error(&Value::Null)), ["notification-answered"]);
}

#[test]
fn a_request_is_cancelled_by_its_sender_alone() {
    let mut talk = Talk::new();
    assert_eq!(talk.sends(&cancelled(&json!(1))), ["cancel-unknown"]);
    talk.sends(&call(&json!(1)));
    assert_eq!(talk.gets(&cancelled(&json!(1))), ["cancel-by-server"]);
    assert_eq!(talk.gets(&cancelled(&json!("1"))), ["cancel-unknown"]);
    assert_eq!(talk.pending(), ["1"], "a server cannot take it away");
    let noticed = talk.hear(Sender::Client, &cancelled(&json!(1)));
    assert!(noticed.rules.is_empty() && noticed.request.is_some());
    assert!(talk.pending().is_empty());
    assert_eq!(talk.sends(&cancelled(&json!(1))), NOTHING, "it may have crossed the answer");
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-after-cancel"]);
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-twice"]);
    let malformed = notification("notifications/cancelled", &json!({"requestId": [1]}));
    assert_eq!(talk.sends(&malformed), NOTHING, "it is ignored");
}

#[test]
fn over_http_a_modern_client_cancels_by_closing_the_stream() {
    let mut talk = Talk::over(Exchange::new().over_http());
    talk.sends(&call(&json!(1)));
    talk.sends(&call(&json!(2)));
    assert_eq!(talk.sends(&cancelled(&json!(1))), ["cancel-over-http"]);
    let id = Id::from_lexeme(b"2").unwrap();
    assert!(talk.exchange.cancel(id).is_some() && talk.exchange.cancel(id).is_none());
    assert_eq!(talk.gets(&done(&json!(2))), ["answer-after-cancel"]);

    let mut talk = Talk::over(Exchange::new().over_http());
    talk.sends(&legacy(&json!(1), "tools/list", &json!({})));
    assert_eq!(talk.sends(&cancelled(&json!(1))), NOTHING, "earlier revisions do it so");
}

#[test]
fn a_request_that_is_withdrawn_was_never_sent() {
    let mut talk = Talk::new();
    talk.sends(&call(&json!(1)));
    assert!(talk.exchange.withdraw(Id::from_lexeme(b"1").unwrap()).is_some());
    assert!(talk.pending().is_empty());
    assert_eq!(talk.sends(&call(&json!(1))), NOTHING);
    talk.exchange.withdraw(Id::from_lexeme(b"1").unwrap());
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-unknown"]);
}

#[test]
fn a_request_of_the_server_may_fail_too() {
    let mut talk = Talk::new();
    let roots = legacy(&json!(1), "roots/list", &json!({}));
    assert_eq!(talk.gets(&roots), NOTHING);
    assert_eq!(talk.gets(&roots), ["id-in-flight"]);
    let id = Id::from_lexeme(b"1").unwrap();
    assert!(talk.exchange.fail(id).is_none(), "the client has none under this id");
    assert!(talk.exchange.fail_of_server(id).is_some());
    assert_eq!(talk.sends(&done(&json!(1))), ["answer-twice"]);
    assert_eq!(talk.gets(&roots), NOTHING, "the id is free");
}

#[test]
fn a_request_that_has_failed_is_over_and_its_id_free() {
    let mut talk = Talk::new();
    talk.sends(&with_token(1, &json!("t")));
    let id = Id::from_lexeme(b"1").unwrap();
    assert!(talk.exchange.fail(id).is_some() && talk.exchange.fail(id).is_none());
    assert!(talk.pending().is_empty());
    assert_eq!(talk.sends(&cancelled(&json!(1))), NOTHING, "it may have crossed");
    assert_eq!(talk.gets(&progress(&json!("t"), &json!(1))), ["progress-after-answer"]);
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-twice"]);
    assert_eq!(talk.sends(&call(&json!(1))), NOTHING);
    assert_eq!(talk.gets(&done(&json!(1))), NOTHING);
}

#[test]
fn both_sides_have_ids_of_their_own() {
    let mut talk = Talk::new();
    talk.sends(&legacy(&json!(1), "tools/call", &json!({"name": "ask"})));
    let ping = legacy(&json!(1), "ping", &json!({}));
    assert_eq!(talk.gets(&ping), NOTHING);
    assert_eq!(talk.gets(&ping), ["id-in-flight"]);
    assert_eq!(talk.sends(&result(&json!(2), &json!({}))), ["answer-unknown"]);
    let noticed = talk.hear(Sender::Client, &result(&json!(1), &json!({})));
    assert!(noticed.rules.is_empty());
    assert_eq!(noticed.request.unwrap().method_text().unwrap(), "ping");
    assert_eq!(talk.sends(&result(&json!(1), &json!({}))), ["answer-twice"]);
    assert_eq!(talk.pending(), ["1"]);
    assert_eq!(talk.gets(&legacy(&json!(3), "ping", &json!({}))), NOTHING);
    assert_eq!(talk.gets(&cancelled(&json!(3))), NOTHING, "its own");
    assert_eq!(talk.sends(&result(&json!(3), &json!({}))), ["answer-after-cancel"]);
}

fn with_token(id: i32, token: &Value) -> Value {
    modern(&json!(id), "tools/call", json!({"name": "add"}), &json!({"progressToken": token}))
}

#[test]
fn progress_belongs_to_a_request_and_only_grows() {
    let mut talk = Talk::new();
    assert_eq!(talk.gets(&progress(&json!("t"), &json!(1))), ["progress-token-unknown"]);
    talk.sends(&with_token(1, &json!("t")));
    assert_eq!(talk.gets(&progress(&json!(7), &json!(1))), ["progress-token-unknown"]);
    for (value, rules) in [
        (json!(0), &NOTHING[..]),
        (json!(0.5), &[]),
        (json!(0.5), &["progress-not-increasing"]),
        (json!(9_007_199_254_740_992_i64), &[]),
        (json!(9_007_199_254_740_993_i64), &[]),
        (json!(-1), &["progress-not-increasing"]),
        (json!(1), &[]),
    ] {
        let noticed = talk.hear(Sender::Server, &progress(&json!("t"), &value));
        assert!(noticed.rules.iter().map(Rule::id).eq(rules.iter().copied()), "{value}");
        assert!(noticed.request.unwrap().has_id(Id::from_lexeme(b"1").unwrap()));
    }
    talk.gets(&done(&json!(1)));
    assert_eq!(talk.gets(&progress(&json!("t"), &json!(2))), ["progress-after-answer"]);
}

#[test]
fn a_progress_token_is_taken_while_its_request_waits() {
    let mut talk = Talk::new();
    talk.sends(&with_token(1, &json!(5)));
    assert_eq!(talk.sends(&with_token(2, &json!(5))), ["progress-token-reused"]);
    assert_eq!(talk.sends(&with_token(3, &json!("5"))), NOTHING);
    assert_eq!(talk.pending().len(), 3, "the request itself is tracked");
    talk.gets(&done(&json!(1)));
    assert_eq!(talk.gets(&progress(&json!(5), &json!(1))), NOTHING, "of the second, perhaps");
    talk.gets(&done(&json!(2)));
    assert_eq!(talk.gets(&progress(&json!(5), &json!(1))), ["progress-after-answer"]);
    assert_eq!(talk.sends(&with_token(4, &json!(5))), NOTHING);
    talk.sends(&cancelled(&json!(4)));
    assert_eq!(talk.gets(&progress(&json!(5), &json!(1))), NOTHING, "it may not have heard yet");
}

#[test]
fn progress_goes_on_where_the_answer_is_a_task() {
    for task in [
        json!({"task": {"taskId": "1", "status": "working"}}),
        json!({"resultType": "task", "taskId": "1"}),
    ] {
        let mut talk = Talk::new();
        talk.sends(&with_token(1, &json!(5)));
        talk.gets(&result(&json!(1), &task));
        assert_eq!(talk.gets(&progress(&json!(5), &json!(1))), NOTHING, "{task}");
    }
}

#[test]
fn a_modern_server_logs_only_where_a_request_asks_for_it() {
    let log = notification("notifications/message", &json!({"level": "info", "data": 1}));
    let level = json!({"io.modelcontextprotocol/logLevel": "info"});
    let mut talk = Talk::new();
    assert_eq!(talk.gets(&log), NOTHING, "of which revision, nobody knows");
    talk.sends(&call(&json!(1)));
    assert_eq!(talk.gets(&log), ["log-without-level"]);
    talk.sends(&modern(&json!(2), "tools/call", json!({"name": "add"}), &level));
    assert_eq!(talk.gets(&log), NOTHING);
    talk.gets(&done(&json!(2)));
    assert_eq!(talk.gets(&log), ["log-without-level"]);
    talk.sends(&legacy(&json!(3), "tools/list", &json!({})));
    assert_eq!(talk.gets(&log), NOTHING, "earlier revisions set a level once");
}

fn asks(id: i32, state: Option<&str>) -> Value {
    let mut asked = json!({"resultType": "input_required", "inputRequests": {}});
    if let Some(state) = state {
        asked["requestState"] = json!(state);
    }
    result(&json!(id), &asked)
}

fn retries(id: i32, state: Option<&str>) -> Value {
    let mut params = json!({"name": "add", "inputResponses": {}});
    if let Some(state) = state {
        params["requestState"] = json!(state);
    }
    modern(&json!(id), "tools/call", params, &json!({}))
}

#[test]
fn a_retry_has_another_id_and_the_state_that_was_given() {
    for (given, retried, id, rules) in [
        (Some("s"), Some("s"), 2, &NOTHING[..]),
        (None, None, 2, &[]),
        (Some("s"), Some("s"), 1, &["mrtr-id-reused"]),
        (None, None, 1, &["mrtr-id-reused"]),
        (Some("s"), Some("S"), 2, &["mrtr-state-changed"]),
        (Some("s"), None, 2, &["mrtr-state-changed"]),
        (Some("s"), Some("t"), 1, &["mrtr-id-reused", "mrtr-state-changed"]),
        (None, Some("s"), 2, &["mrtr-state-invented"]),
    ] {
        let mut talk = Talk::new();
        talk.sends(&call(&json!(1)));
        assert_eq!(talk.gets(&asks(1, given)), NOTHING);
        assert_eq!(talk.sends(&retries(id, retried)), rules, "{given:?} {retried:?} {id}");
    }
    let mut talk = Talk::new();
    assert_eq!(talk.sends(&retries(1, Some("s"))), ["mrtr-state-invented"]);
    assert_eq!(talk.sends(&retries(2, None)), NOTHING, "who asked is not known");
}

#[test]
fn a_retry_may_belong_to_any_of_several_calls() {
    let mut talk = Talk::new();
    for id in 1..=3 {
        talk.sends(&call(&json!(id)));
    }
    talk.gets(&asks(1, Some("a")));
    talk.gets(&asks(2, Some("b")));
    talk.gets(&asks(3, None));
    assert_eq!(talk.sends(&retries(4, Some("b"))), NOTHING);
    assert_eq!(talk.sends(&retries(5, Some("a"))), NOTHING);
    assert_eq!(talk.sends(&retries(6, None)), NOTHING);
    assert_eq!(talk.sends(&retries(7, Some("c"))), ["mrtr-state-changed"]);
    let elsewhere =
        modern(&json!(8), "tools/call", json!({"name": "sub", "requestState": "a"}), &json!({}));
    assert_eq!(talk.sends(&elsewhere), ["mrtr-state-invented"], "given for another request");
}

fn lists(talk: &mut Talk, id: i32, cursor: Option<&str>, page: &Value) -> Vec<&'static str> {
    let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
    talk.sends(&modern(&json!(id), "tools/list", params, &json!({})));
    talk.gets(&result(&json!(id), page))
}

#[test]
fn the_pages_of_a_list_have_one_scope() {
    let page = |scope: &str, next: Option<&str>| {
        let mut page =
            json!({"resultType": "complete", "tools": [], "ttlMs": 1, "cacheScope": scope});
        if let Some(next) = next {
            page["nextCursor"] = json!(next);
        }
        page
    };
    let mut talk = Talk::new();
    let talk = &mut talk;
    assert_eq!(lists(talk, 1, None, &page("private", Some("2"))), NOTHING);
    assert_eq!(lists(talk, 2, Some("2"), &page("private", Some("3"))), NOTHING);
    assert_eq!(lists(talk, 3, Some("3"), &page("public", Some("4"))), ["cache-scope-varies"]);
    assert_eq!(lists(talk, 4, Some("4"), &page("private", None)), NOTHING, "as the first");
    // An empty cursor is one.
    let mut talk = Talk::new();
    let talk = &mut talk;
    assert_eq!(lists(talk, 1, None, &page("public", Some(""))), NOTHING);
    assert_eq!(lists(talk, 2, Some(""), &page("private", None)), ["cache-scope-varies"]);
}

#[test]
fn what_is_public_for_one_is_not_private_for_another() {
    let page = |scope: &str| json!({"resultType": "complete", "tools": [], "cacheScope": scope});
    let mut talk = Talk::new();
    let talk = &mut talk;
    // The same request, under whatever authorisation.
    assert_eq!(lists(talk, 1, None, &page("public")), NOTHING);
    assert_eq!(lists(talk, 2, None, &page("private")), ["cache-scope-varies"]);
    assert_eq!(lists(talk, 3, None, &page("private")), NOTHING, "told once");
    assert_eq!(lists(talk, 4, None, &page("unheard-of")), NOTHING, "for another rule to say");
    assert_eq!(lists(talk, 5, None, &page("public")), ["cache-scope-varies"]);
    assert_eq!(lists(talk, 6, Some("2"), &page("private")), NOTHING, "another request");
}

#[test]
fn the_same_tools_keep_their_order() {
    let page = |names: &[&str]| {
        let tools: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
        json!({"resultType": "complete", "tools": tools})
    };
    let mut talk = Talk::new();
    let talk = &mut talk;
    assert_eq!(lists(talk, 1, None, &page(&["a", "b", "c"])), NOTHING);
    assert_eq!(lists(talk, 2, None, &page(&["a", "b", "c"])), NOTHING);
    assert_eq!(lists(talk, 3, None, &page(&["b", "a", "c"])), ["list-order-changed"]);
    assert_eq!(lists(talk, 4, None, &page(&["b", "a", "c"])), NOTHING, "told once");
    assert_eq!(lists(talk, 5, None, &page(&["c", "a"])), NOTHING, "other tools");
    assert_eq!(lists(talk, 6, Some("x"), &page(&["a", "c"])), NOTHING, "another page");
    assert_eq!(lists(talk, 7, None, &page(&["c", "a", "a"])), NOTHING);
    assert_eq!(lists(talk, 8, None, &page(&["a", "c", "a"])), ["list-order-changed"]);
}

#[test]
fn a_policy_decides_what_is_refused() {
    let mut talk = Talk::new();
    let noticed = talk.hear(Sender::Server, &done(&json!(1)));
    assert_eq!(noticed.refused(&Policy::strict()), None);
    assert!(noticed.reported(&Policy::strict()).contains(Rule::AnswerUnknown));
    let refuses = Policy::strict().with_action(Rule::AnswerUnknown, Action::Refuse);
    assert_eq!(noticed.refused(&refuses), Some(Rule::AnswerUnknown));
    let silent = Policy::strict().with_action(Rule::AnswerUnknown, Action::Off);
    assert!(noticed.refused(&silent).is_none() && noticed.reported(&silent).is_empty());
}

#[test]
fn no_verdict_is_by_a_rule_of_exchanges_and_one_refuses_by_default() {
    let rules = Rule::ALL.iter().filter(|rule| rule.stage() == Stage::Exchange);
    let refuse = rules.clone().filter(|rule| rule.default_action() == Action::Refuse);
    assert!(refuse.eq(&[Rule::IdInFlight]));
    assert_eq!(rules.count(), 22);
}

#[test]
fn an_exchange_that_is_cleared_is_a_new_one() {
    let mut talk = Talk::new();
    talk.sends(&with_token(1, &json!(5)));
    talk.sends(&call(&json!(2)));
    talk.gets(&asks(2, Some("s")));
    talk.exchange.clear();
    assert!(talk.pending().is_empty());
    assert_eq!(talk.gets(&done(&json!(1))), ["answer-unknown"]);
    assert_eq!(talk.gets(&progress(&json!(5), &json!(1))), ["progress-token-unknown"]);
    assert_eq!(talk.sends(&retries(3, Some("s"))), ["mrtr-state-invented"]);
}

#[test]
fn an_id_is_free_again_once_its_client_was_answered_without_the_server() {
    let mut talk = Talk::new();
    talk.sends(&call(&json!(1)));
    let nameless = json!({"jsonrpc": "2.0", "error": {"code": -32600, "message": "m"}});
    assert_eq!(talk.gets(&nameless), ["answer-unknown"], "over HTTP it is that of the call");
    assert_eq!(talk.sends(&call(&json!(1))), ["id-in-flight"]);
    talk.exchange.withdraw(Id::from_lexeme(b"1").unwrap());
    assert_eq!(talk.sends(&call(&json!(1))), NOTHING);
}
