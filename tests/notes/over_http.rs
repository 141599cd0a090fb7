//! The server over HTTP, one replica or two.

use std::io::{BufRead, BufReader};

use serde_json::{Value, json};

use crate::process::Server;
use crate::said::{POLICY, call, every_method, judged, note, request};
use crate::web::{ask, ask_all, headers, open, post, send};

const ONE: [&str; 2] = ["--http", "127.0.0.1:0"];
const TWO: [&str; 4] = ["--http", "127.0.0.1:0", "--http", "127.0.0.1:0"];

#[test]
fn every_answer_is_right_by_the_strict_rules() {
    let server = Server::start(&ONE, None);
    let address = server.address();
    for asked in every_method() {
        assert!(ask(&address, &asked, &[])["result"].is_object(), "{asked}");
    }
}

#[test]
fn a_note_of_one_replica_is_read_and_deleted_at_the_other() {
    let server = Server::start(&TWO, None);
    let (first, second) = (server.address(), server.address());
    assert_ne!(first, second);
    let created = ask(&first, &call(1, "create_note", note("shared")), &[]);
    let on_note = json!({ "note": created["result"]["structuredContent"]["note"] });
    let read = ask(&second, &call(1, "read_note", on_note.clone()), &[]);
    assert_eq!(read["result"]["structuredContent"]["title"], "shared");

    // The question comes from one, the answer goes to the other.
    let asked = ask(&first, &call(2, "delete_note", on_note.clone()), &[]);
    let params = json!({ "name": "delete_note", "arguments": on_note,
        "inputResponses": { "confirm": { "action": "accept", "content": { "delete": true } } },
        "requestState": asked["result"]["requestState"] });
    let done = ask(&second, &request(3, "tools/call", params), &[]);
    assert_eq!(done["result"]["content"][0]["text"], "deleted: shared");
    let list = request(4, "tools/list", json!({}));
    assert_eq!(post(&first, &list, &[]).body, post(&second, &list, &[]).body);
}

#[test]
fn a_handle_is_no_good_to_anybody_else() {
    let tokens = ["--http", "127.0.0.1:0", "--token", "ann", "--token", "bob"];
    let server = Server::start(&tokens, None);
    let address = server.address();
    let of = |name: &str| [("Authorization", format!("Bearer {name}"))];
    let created = ask(&address, &call(1, "create_note", note("ann's")), &of("ann"));
    let on_note = json!({ "note": created["result"]["structuredContent"]["note"] });
    for tool in ["read_note", "delete_note"] {
        let foreign = ask(&address, &call(2, tool, on_note.clone()), &of("bob"));
        assert_eq!(foreign["result"]["content"][0]["text"], "there is no such note");
    }
    // Neither is what lets her delete it.
    let asked = ask(&address, &call(3, "delete_note", on_note.clone()), &of("ann"));
    let params = json!({ "name": "delete_note", "arguments": on_note,
        "inputResponses": { "confirm": { "action": "accept", "content": { "delete": true } } },
        "requestState": asked["result"]["requestState"] });
    let foreign = ask(&address, &request(4, "tools/call", params), &of("bob"));
    assert_eq!(foreign["error"]["code"], -32602);
    let listed = ask(&address, &request(5, "resources/list", json!({})), &of("bob"));
    assert_eq!(listed["result"]["resources"].as_array().unwrap().len(), 1);
    let own = ask(&address, &call(6, "read_note", on_note), &of("ann"));
    assert_eq!(own["result"]["structuredContent"]["title"], "ann's");
}

#[test]
fn who_is_not_known_is_let_in_nowhere_and_told_so_after_the_message_is_judged() {
    let tokens = ["--http", "127.0.0.1:0", "--token", "right"];
    let server = Server::start(&tokens, None);
    let address = server.address();
    let create = call(1, "create_note", note("one"));
    for shown in [None, Some("Bearer wrong"), Some("Basic right"), Some("right"), Some("Bearer")] {
        let others: Vec<_> =
            shown.iter().map(|shown| ("Authorization", (*shown).to_owned())).collect();
        let refused = post(&address, &create, &others);
        assert_eq!(refused.status, 401, "{shown:?}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    }
    let right = [("Authorization", "bearer right".to_owned())];
    let listed = ask(&address, &request(2, "resources/list", json!({})), &right);
    assert_eq!(listed["result"]["resources"].as_array().unwrap().len(), 1, "nothing was done");

    // A broken message is a broken message, whoever sends it.
    let broken = send(&address, "POST /mcp", &headers(&create), "{");
    assert_eq!((broken.status, &broken.json()["error"]["code"]), (400, &json!(-32700)));
}

#[test]
fn a_header_that_says_something_else_than_its_argument_is_refused() {
    let server = Server::start(&ONE, None);
    let address = server.address();
    let search = call(1, "search_notes", json!({ "words": "x", "notebook": "häuslich" }));
    let notebook = |value: &str| [("Mcp-Param-Notebook", value.to_owned())];
    let right = ask(&address, &search, &notebook("=?base64?aMOkdXNsaWNo?="));
    assert!(right["result"].is_object());
    for wrong in [&notebook("work")[..], &[]] {
        let refused = post(&address, &search, wrong);
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!(-32020)));
    }
}

#[test]
fn what_is_no_message_is_refused_by_http() {
    let server = Server::start(&ONE, None);
    let address = server.address();
    let list = request(1, "tools/list", json!({}));
    let body = list.to_string();
    for method in ["GET", "DELETE", "PUT"] {
        assert_eq!(send(&address, &format!("{method} /mcp"), &[], "").status, 405, "{method}");
    }
    assert_eq!(send(&address, "POST /elsewhere", &headers(&list), &body).status, 404);
    for (header, value) in [("Host", "evil.example"), ("Origin", "http://evil.example")] {
        let refused = post(&address, &list, &[(header, value.to_owned())]);
        assert_eq!(refused.status, 403, "{header}");
    }
    assert_eq!(post(&address, &list, &[("Origin", format!("http://{address}"))]).status, 200);
    let unknown = post(&address, &request(2, "notes/burn", json!({})), &[]);
    assert_eq!((unknown.status, &unknown.json()["error"]["code"]), (404, &json!(-32601)));
    let long = " ".repeat(POLICY.limits().message_bytes + 1);
    assert_eq!(send(&address, "POST /mcp", &headers(&list), &long).status, 413);

    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let typed = [("Content-Type", "application/json".to_owned())];
    let accepted = send(&address, "POST /mcp", &typed, cancelled);
    assert_eq!((accepted.status, accepted.body.len()), (202, 0));
}

#[test]
fn progress_comes_before_the_answer_if_it_is_wanted() {
    let server = Server::start(&ONE, None);
    let address = server.address();
    let arguments = json!({ "steps": 3, "pauseMs": 1 });
    let mut watch = call(1, "watch_notes", arguments);
    let (before, answer) = ask_all(&address, &watch, &[]);
    assert_eq!((before.len(), answer["id"].as_i64()), (0, Some(1)));

    watch["params"]["_meta"]["progressToken"] = json!("t-1");
    let (before, answer) = ask_all(&address, &watch, &[]);
    let progress: Vec<_> = before.iter().map(|told| &told["params"]["progress"]).collect();
    assert_eq!(progress, [1, 2, 3]);
    assert!(before.iter().all(|told| told["params"]["progressToken"] == "t-1"));
    assert_eq!(answer["result"]["content"][0]["text"], "0 notes after 3 steps");
}

#[test]
fn the_work_ends_when_its_client_goes() {
    let server = Server::start(&ONE, None);
    let address = server.address();
    let watch = call(1, "watch_notes", json!({ "steps": 1000, "pauseMs": 60_000 }));
    let stream = open(&address, "POST /mcp", &headers(&watch), &watch.to_string());
    let mut status = String::new();
    BufReader::new(&stream).read_line(&mut status).unwrap();
    assert!(status.contains(" 200 "), "{status}");
    drop(stream);
    // Long before its first pause is over.
    server.error_with("watch_notes ended at step 1 of 1000: the client is gone");
}

#[test]
fn a_listener_at_one_replica_is_told_what_is_done_at_the_other() {
    let server = Server::start(&TWO, None);
    let (first, second) = (server.address(), server.address());
    let filter = json!({ "notifications": { "resourcesListChanged": true } });
    let listen = request(1, "subscriptions/listen", filter);
    let stream = open(&first, "POST /mcp", &headers(&listen), &listen.to_string());
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let mut event = || -> Value {
        let data = lines.find_map(|line| Some(line.strip_prefix("data: ")?.to_owned()));
        serde_json::from_str(&data.expect("no event")).unwrap()
    };
    assert_eq!(event()["method"], "notifications/subscriptions/acknowledged");
    ask(&second, &call(2, "create_note", note("news")), &[]);
    assert_eq!(event()["method"], "notifications/resources/list_changed");
    drop(stream);
    server.error_with("subscriptions/listen ended");
}

#[cfg(unix)]
#[test]
fn a_server_that_is_interrupted_ends_its_streams_with_their_answers() {
    let mut server = Server::start(&TWO, None);
    let (first, _) = (server.address(), server.address());
    let listen = request(1, "subscriptions/listen", json!({ "notifications": {} }));
    let stream = open(&first, "POST /mcp", &headers(&listen), &listen.to_string());
    let lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let mut events = lines.filter_map(|line| Some(line.strip_prefix("data: ")?.to_owned()));
    assert!(events.next().unwrap().contains("acknowledged"));
    server.interrupt();
    let answer = judged(&listen.to_string(), events.next().unwrap().as_bytes());
    assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(events.next(), None);
    assert_eq!(server.end().0.code(), Some(0));
}
