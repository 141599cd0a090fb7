//! A call that asks back: what ties its two requests together, and what must not.

use serde_json::{Value, json};

use crate::process::Server;
use crate::said::{call, note, request};

fn create(server: &mut Server, title: &str) -> Value {
    let created = server.ask(&call(1, "create_note", note(title)));
    created["result"]["structuredContent"]["note"].clone()
}

/// Asks to delete, and gives the state to come back with.
fn ask(server: &mut Server, handle: &Value) -> Value {
    let asked = server.ask(&call(2, "delete_note", json!({ "note": handle })));
    assert_eq!(asked["result"]["resultType"], "input_required");
    let question = &asked["result"]["inputRequests"]["confirm"];
    assert_eq!(question["method"], "elicitation/create");
    asked["result"]["requestState"].clone()
}

fn retry(handle: &Value, state: &Value, responses: Value) -> Value {
    let mut params = json!({ "name": "delete_note", "arguments": { "note": handle } });
    params["inputResponses"] = responses;
    params["requestState"] = state.clone();
    request(3, "tools/call", params)
}

fn yes() -> Value {
    json!({ "confirm": { "action": "accept", "content": { "delete": true } } })
}

fn is_there(server: &mut Server, handle: &Value) -> bool {
    let read = server.ask(&call(9, "read_note", json!({ "note": handle })));
    read["result"]["isError"] != true
}

#[test]
fn a_note_is_deleted_once_the_user_has_said_so() {
    let mut server = Server::start(&[], None);
    let handle = create(&mut server, "one");
    let state = ask(&mut server, &handle);
    assert!(is_there(&mut server, &handle));
    let done = server.ask(&retry(&handle, &state, yes()));
    assert_eq!(done["result"]["content"][0]["text"], "deleted: one");
    assert!(!is_there(&mut server, &handle));
}

#[test]
fn a_note_is_kept_if_the_user_says_no() {
    let mut server = Server::start(&[], None);
    let handle = create(&mut server, "one");
    for response in [
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
        json!({ "action": "accept", "content": { "delete": false } }),
        json!({ "action": "accept" }),
        json!("yes"),
    ] {
        let state = ask(&mut server, &handle);
        let done = server.ask(&retry(&handle, &state, json!({ "confirm": response })));
        assert_eq!(done["result"]["content"][0]["text"], "kept: one");
        assert!(is_there(&mut server, &handle));
    }
}

#[test]
fn an_answer_that_is_missing_is_asked_for_again() {
    let mut server = Server::start(&[], None);
    let handle = create(&mut server, "one");
    let state = ask(&mut server, &handle);
    for responses in [json!({}), json!({ "other": { "action": "accept" } })] {
        let again = server.ask(&retry(&handle, &state, responses));
        assert_eq!(again["result"]["resultType"], "input_required");
    }
    assert!(is_there(&mut server, &handle));
}

#[test]
fn a_state_is_good_once_and_for_its_own_note() {
    let mut server = Server::start(&[], None);
    let (one, two) = (create(&mut server, "one"), create(&mut server, "two"));
    let state = ask(&mut server, &one);
    let mut changed = state.as_str().unwrap().to_owned();
    changed.insert(0, 'x');

    for (handle, state) in [(&two, &state), (&one, &json!(changed)), (&one, &json!(""))] {
        let refused = server.ask(&retry(handle, state, yes()));
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    assert!(is_there(&mut server, &one) && is_there(&mut server, &two));

    let no = json!({ "confirm": { "action": "decline" } });
    assert!(server.ask(&retry(&one, &state, no))["result"].is_object());
    let refused = server.ask(&retry(&one, &state, yes()));
    assert_eq!(refused["error"]["code"], -32602, "used twice: {refused}");
    assert!(is_there(&mut server, &one));
}

#[test]
fn a_listener_is_told_of_the_acknowledgement_first_and_then_of_each_change() {
    let mut server = Server::start(&[], None);
    let filter =
        json!({ "notifications": { "toolsListChanged": true, "resourcesListChanged": true } });
    let listen = request(5, "subscriptions/listen", filter);
    let acknowledged = server.ask(&listen);
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    // Of what was asked for, what the server has.
    assert_eq!(acknowledged["params"]["notifications"], json!({ "resourcesListChanged": true }));

    server.write(call(6, "create_note", note("one")).to_string().as_bytes());
    let (mut is_answered, mut is_told) = (false, false);
    while !(is_answered && is_told) {
        let line: Value = serde_json::from_str(&server.line()).unwrap();
        is_answered |= line["id"] == 6;
        if line["method"] == "notifications/resources/list_changed" {
            let of = &line["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
            assert_eq!(*of, 5);
            is_told = true;
        }
    }
    server
        .write(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#);
    server.error_with("subscriptions/listen ended");
}
