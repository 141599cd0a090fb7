//! A case for each rule that shows without HTTP, and for each way through the
//! handshake.

use mcparse::{
    Action, Capability, Policy, Revision, Rule, Sender, Session, SessionState, Validator,
};
use serde_json::{Value, json};

use crate::talk::{
    Talk, failed, initialize, initialized, modern, notification, ready, request, request_with,
};

const NOTHING: [&str; 0] = [];

#[test]
fn a_session_opens_settles_its_version_and_runs() {
    let mut talk = Talk::new();
    assert_eq!(talk.session.state(), SessionState::New);
    assert_eq!(talk.sends(&initialize("2025-11-25", &json!({}))), NOTHING);
    assert_eq!(talk.session.state(), SessionState::Opening);
    assert_eq!(talk.session.pending().unwrap().id().unwrap().lexeme(), b"0");
    assert_eq!(
        (talk.session.asked(), talk.session.revision()),
        (Some(Revision::V2025_11_25), None)
    );
    assert!(!talk.session.has_other_version(), "nothing is chosen yet");

    assert_eq!(talk.gets(&initialized("2025-06-18", &json!({"tools": {}}))), NOTHING);
    assert_eq!(talk.session.state(), SessionState::Opened);
    assert!(talk.session.pending().is_none());
    assert_eq!(talk.session.revision(), Some(Revision::V2025_06_18));
    assert!(talk.session.has_other_version());

    assert_eq!(talk.sends(&ready()), NOTHING);
    assert_eq!(talk.session.state(), SessionState::Running);
    assert_eq!(talk.sends(&request("tools/list")), NOTHING);
}

#[test]
fn a_version_that_nobody_knows_is_kept_apart_from_others() {
    let mut talk = Talk::running("2099-01-01", &json!({}), &json!({"tools": {}}));
    assert_eq!((talk.session.asked(), talk.session.revision()), (None, None));
    assert!(!talk.session.has_other_version(), "it is the one that was asked for");
    assert_eq!(talk.sends(&request("tools/list")), NOTHING);
    assert_eq!(talk.sends(&request("prompts/list")), ["capability-not-negotiated"]);
    // Of 2024-11-05, completions need no capability.
    let complete = json!({"ref": {}, "argument": {}});
    assert_eq!(talk.sends(&request_with("completion/complete", &complete)), NOTHING);
}

#[test]
fn only_pings_come_before_the_handshake() {
    let mut talk = Talk::new();
    for state in [SessionState::New, SessionState::Opening] {
        assert_eq!(talk.session.state(), state);
        assert_eq!(talk.sends(&request("tools/list")), ["before-initialize"]);
        assert_eq!(talk.sends(&request("acme/own")), ["before-initialize"]);
        assert_eq!(talk.gets(&request("roots/list")), ["before-initialize"]);
        assert_eq!(talk.sends(&request("ping")), NOTHING);
        assert_eq!(talk.gets(&request("ping")), NOTHING);
        assert_eq!(talk.gets(&log()), NOTHING);
        assert_eq!(talk.sends(&ready()), ["before-initialized"]);
        assert_eq!(talk.session.state(), state);
        talk.sends(&initialize("2025-11-25", &json!({"roots": {}})));
    }
}

#[test]
fn requests_before_the_client_is_ready_are_reported() {
    let mut talk = Talk::new();
    talk.sends(&initialize("2025-11-25", &json!({"roots": {}})));
    talk.gets(&initialized("2025-11-25", &json!({"tools": {}, "logging": {}})));
    assert_eq!(talk.sends(&request("tools/list")), ["before-initialized"]);
    assert_eq!(talk.gets(&request("roots/list")), ["before-initialized"]);
    assert_eq!(talk.gets(&request("ping")), NOTHING);
    assert_eq!(talk.gets(&log()), NOTHING);
    talk.sends(&ready());
    assert_eq!(talk.sends(&request("tools/list")), NOTHING);
    assert_eq!(talk.gets(&request("roots/list")), NOTHING);
    assert_eq!(talk.sends(&ready()), NOTHING, "once more, which says nothing new");
}

#[test]
fn a_session_is_initialized_once() {
    let mut talk = Talk::new();
    let again = initialize("2024-11-05", &json!({"sampling": {}}));
    talk.sends(&initialize("2025-11-25", &json!({})));
    assert_eq!(talk.sends(&again), ["initialize-twice"]);
    talk.gets(&initialized("2025-11-25", &json!({})));
    assert_eq!(talk.sends(&again), ["initialize-twice"]);
    talk.sends(&ready());
    assert_eq!(talk.sends(&again), ["initialize-twice"]);
    // It has changed nothing.
    assert_eq!(talk.session.asked(), Some(Revision::V2025_11_25));
    assert_eq!(talk.session.state(), SessionState::Running);
    assert!(!talk.session.has_capability(Capability::of_client("sampling")));
}

#[test]
fn a_handshake_that_fails_may_be_tried_again() {
    for failure in
        [failed(&json!(0)), json!({"jsonrpc": "2.0", "error": {"code": -32700, "message": "m"}})]
    {
        let mut talk = Talk::new();
        talk.sends(&initialize("2025-11-25", &json!({"roots": {}})));
        assert_eq!(talk.gets(&failure), NOTHING);
        assert_eq!(talk.session.state(), SessionState::New);
        assert!(!talk.session.has_capability(Capability::of_client("roots")));
        assert_eq!(talk.sends(&initialize("2025-06-18", &json!({}))), NOTHING);
        assert_eq!(talk.gets(&initialized("2025-06-18", &json!({}))), NOTHING);
        assert_eq!(talk.session.state(), SessionState::Opened);
    }
}

#[test]
fn only_the_answer_to_initialize_opens_a_session() {
    let mut talk = Talk::new();
    talk.sends(&initialize("2025-11-25", &json!({})));
    let mut other = initialized("2025-11-25", &json!({}));
    for id in [json!("0"), json!(1)] {
        other["id"] = id.clone();
        assert_eq!(talk.gets(&other), NOTHING);
        assert_eq!(talk.gets(&failed(&id)), NOTHING);
        assert_eq!(talk.session.state(), SessionState::Opening);
    }
    // The client's own answers, to a server's ping for one, mean nothing here.
    other["id"] = json!(0);
    assert_eq!(talk.sends(&other), NOTHING);
    assert_eq!(talk.session.state(), SessionState::Opening);
}

#[test]
fn capabilities_bind_both_sides_both_ways() {
    let client = json!({"roots": {"listChanged": true}, "elicitation": {}, "sampling": {}});
    let server = json!({"tools": {"listChanged": true}, "resources": {}, "logging": {}});
    let mut talk = Talk::running("2025-11-25", &client, &server);
    let missing = ["capability-not-negotiated"];
    // The client asks for the server's features.
    assert_eq!(talk.sends(&request_with("tools/call", &json!({"name": "a"}))), NOTHING);
    assert_eq!(talk.sends(&request("resources/list")), NOTHING);
    assert_eq!(talk.sends(&request_with("resources/subscribe", &json!({"uri": "a:b"}))), missing);
    assert_eq!(talk.sends(&request("prompts/list")), missing);
    assert_eq!(
        talk.sends(&request_with("completion/complete", &json!({"ref": {}, "argument": {}}))),
        missing
    );
    assert_eq!(talk.sends(&request_with("logging/setLevel", &json!({"level": "info"}))), NOTHING);
    assert_eq!(talk.sends(&request("tasks/list")), missing);
    // The server asks for the client's.
    assert_eq!(talk.gets(&request("roots/list")), NOTHING);
    let (url, form, tools) = (json!({"mode": "url"}), json!({}), json!({"tools": []}));
    assert_eq!(talk.gets(&request_with("elicitation/create", &form)), NOTHING);
    assert_eq!(talk.gets(&request_with("elicitation/create", &url)), missing);
    assert_eq!(talk.gets(&request_with("sampling/createMessage", &json!({}))), NOTHING);
    assert_eq!(talk.gets(&request_with("sampling/createMessage", &tools)), missing);
    // Notifications are their sender's.
    assert_eq!(talk.gets(&notification("notifications/tools/list_changed")), NOTHING);
    assert_eq!(talk.gets(&notification("notifications/resources/list_changed")), missing);
    assert_eq!(talk.sends(&notification("notifications/roots/list_changed")), NOTHING);
    assert_eq!(talk.gets(&log()), NOTHING);
    // What needs none, and what the protocol does not know.
    assert_eq!(talk.gets(&notification("notifications/acme")), NOTHING);
    assert_eq!(talk.sends(&request("acme/own")), NOTHING);
}

#[test]
fn what_was_not_declared_is_missing_by_name() {
    let mut talk = Talk::running("2025-06-18", &json!({"roots": {}}), &json!({}));
    let noticed = talk.hear(Sender::Client, &notification("notifications/roots/list_changed"));
    assert_eq!(noticed.missing, Some(Capability::of_client("roots").with_part("listChanged")));
    let noticed = talk.hear(Sender::Server, &log());
    assert_eq!(noticed.missing.unwrap().to_string(), "logging");
    assert_eq!(noticed.missing.unwrap().owner, Sender::Server);
}

#[test]
fn an_elicitation_of_before_2025_11_25_has_no_modes() {
    let mut talk = Talk::running("2025-06-18", &json!({"elicitation": {}}), &json!({}));
    assert_eq!(talk.gets(&request_with("elicitation/create", &json!({"mode": "url"}))), NOTHING);
}

#[test]
fn the_modern_era_passes_a_session_by() {
    let mut talk = Talk::new();
    assert_eq!(talk.sends(&modern("server/discover")), NOTHING);
    assert_eq!(talk.sends(&modern("tools/list")), NOTHING);
    assert_eq!(talk.session.state(), SessionState::New);
    let mut talk = Talk::running("2025-11-25", &json!({}), &json!({}));
    assert_eq!(talk.sends(&modern("prompts/list")), NOTHING);
}

#[test]
fn a_policy_says_what_follows() {
    let strict = Policy::strict();
    let mut talk = Talk::new();
    let early = talk.hear(Sender::Client, &request("tools/list"));
    assert_eq!(early.refused(&strict), Some(Rule::BeforeInitialize));
    assert!(early.reported(&strict).is_empty());
    let observe = Policy::observe();
    assert_eq!(early.refused(&observe), None);
    assert!(early.reported(&observe).contains(Rule::BeforeInitialize));
    let off = strict.with_action(Rule::BeforeInitialize, Action::Off);
    assert!(early.refused(&off).is_none() && early.reported(&off).is_empty());
}

#[test]
fn a_refusal_is_answered_like_any_other() {
    let policy = Policy::strict();
    let mut validator = Validator::new(policy);
    let mut session = Session::new();
    for (from, message, status, answer) in [
        (Sender::Client, request("tools/list"), 400, Some(json!(7))),
        (Sender::Server, request("roots/list"), 400, None),
        (Sender::Client, initialize("2025-11-25", &json!({})), 0, None),
        (Sender::Server, initialized("2025-11-25", &json!({})), 0, None),
        (Sender::Client, request("tools/list"), 200, Some(json!(7))),
        (Sender::Server, log(), 200, None),
    ] {
        let bytes = message.to_string();
        let heard = validator.check(from, bytes.as_bytes()).unwrap();
        let noticed = match from {
            Sender::Client => session.sent(&heard),
            Sender::Server => session.received(&heard),
        };
        let violation = noticed.violation(&policy, &heard);
        assert_eq!(violation.map_or(0, |violation| violation.http_status()), status, "{message}");
        let mut reply = Vec::new();
        let is_answered = violation.is_some_and(|violation| violation.write_reply(&mut reply));
        let id =
            is_answered.then(|| serde_json::from_slice::<Value>(&reply).unwrap()["id"].clone());
        assert_eq!(id, answer, "{message}");
    }
}

#[test]
fn a_message_that_is_not_forwarded_is_taken_back_with_a_copy() {
    let mut talk = Talk::new();
    let before = talk.session;
    talk.sends(&initialize("2025-11-25", &json!({})));
    talk.session = before;
    assert_eq!(talk.sends(&initialize("2025-11-25", &json!({}))), NOTHING);
}

#[test]
fn a_session_is_a_few_hundred_bytes() {
    assert!(size_of::<Session>() <= 512, "{}", size_of::<Session>());
}

fn log() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}})
}
