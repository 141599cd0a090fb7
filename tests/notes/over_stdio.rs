//! The server over stdio.

use std::time::Duration;

use serde_json::{Value, json};

use crate::process::Server;
use crate::said::{POLICY, call, every_method, note, request, request_of};

#[test]
fn every_answer_is_right_by_the_strict_rules() {
    let mut server = Server::start(&[], None);
    for asked in every_method() {
        let answer = server.ask(&asked);
        assert!(answer["result"].is_object(), "{answer}");
        assert_eq!(answer["result"]["resultType"], "complete");
        let info = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(info["name"], "notes");
    }
}

#[test]
fn discovery_says_what_is_served() {
    let mut server = Server::start(&[], None);
    let result = server.ask(&request(1, "server/discover", json!({})))["result"].take();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    for capability in ["tools", "resources", "prompts", "completions"] {
        assert!(result["capabilities"][capability].is_object(), "{capability}");
    }
    assert_eq!(result["cacheScope"], "public");
}

#[test]
fn the_list_of_tools_does_not_depend_on_the_order_of_registration() {
    let list = request(1, "tools/list", json!({}));
    let straight = Server::start(&[], None).ask_text(&list);
    let mut server = Server::start(&["--reversed"], None);
    assert_eq!(server.ask_text(&list), straight);

    // Whatever was asked before.
    server.ask(&call(2, "create_note", note("one")));
    assert_eq!(server.ask_text(&list), straight);
    let listed: Value = serde_json::from_str(&straight).unwrap();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["create_note", "delete_note", "read_note", "search_notes", "watch_notes"]);
}

#[test]
fn a_handle_that_is_unknown_or_expired_is_an_error_of_the_tool() {
    let mut server = Server::start(&["--note-lives-ms", "1"], None);
    let created = server.ask(&call(1, "create_note", note("short")));
    let handle = created["result"]["structuredContent"]["note"].clone();
    std::thread::sleep(Duration::from_millis(20));
    for handle in [handle, json!("0123456789abcdef0123456789abcdef"), json!("")] {
        let read = server.ask(&call(2, "read_note", json!({ "note": handle })));
        assert_eq!(read["result"]["isError"], true);
        assert_eq!(read["result"]["content"][0]["text"], "there is no such note");
    }
    let read = server.ask(&request(3, "resources/read", json!({ "uri": "note:///nowhere" })));
    assert_eq!(read["error"]["code"], -32602);
    assert_eq!(read["error"]["data"]["uri"], "note:///nowhere");
}

#[test]
fn what_is_too_long_is_refused_and_what_just_fits_is_kept() {
    let mut server = Server::start(&[], None);
    for (bytes, is_error) in [(64 << 10, false), ((64 << 10) + 1, true)] {
        let long = json!({ "title": "long", "text": "x".repeat(bytes) });
        let created = server.ask(&call(1, "create_note", long));
        assert_eq!(created["result"]["isError"] == true, is_error, "{bytes}");
    }
    for (bytes, is_error) in [(200, false), (201, true)] {
        let long = json!({ "title": "x".repeat(bytes), "text": "" });
        let created = server.ask(&call(1, "create_note", long));
        assert_eq!(created["result"]["isError"] == true, is_error, "{bytes}");
    }
}

#[test]
fn an_owner_has_room_for_so_many_notes() {
    let mut server = Server::start(&[], None);
    for _ in 0..256 {
        let created = server.ask(&call(1, "create_note", note("one of many")));
        assert!(created["result"]["structuredContent"]["note"].is_string());
    }
    let created = server.ask(&call(1, "create_note", note("one too many")));
    assert_eq!(created["result"]["isError"], true);
    let listed = server.ask(&request(2, "resources/list", json!({})));
    assert_eq!(listed["result"]["resources"].as_array().unwrap().len(), 1 + 256);
}

#[test]
fn hostile_lines_are_answered_as_they_should_be() {
    let mut server = Server::start(&[], None);
    let no_meta = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let unknown_tool = call(5, "no_such_tool", json!({})).to_string();
    let bad_cursor = request(6, "tools/list", json!({ "cursor": "x" })).to_string();
    let unknown_method = request(7, "notes/burn", json!({})).to_string();
    let deep = format!("{}1", "[".repeat(100_000));
    let deep_arguments = format!(r#"{{"a":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    let deep_arguments =
        call(8, "read_note", json!("DEEP")).to_string().replace("\"DEEP\"", &deep_arguments);
    for (line, code, id) in [
        ("{", -32700, Value::Null),
        ("\u{feff}{}", -32700, Value::Null),
        (&deep, -32700, Value::Null),
        ("[]", -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":2,"ID":3,"method":"ping"}"#, -32600, json!(2)),
        (no_meta, -32602, json!(1)),
        (&unknown_tool, -32602, json!(5)),
        (&bad_cursor, -32602, json!(6)),
        (&unknown_method, -32601, json!(7)),
        (&deep_arguments, -32602, json!(8)),
    ] {
        server.write(line.as_bytes());
        let answer: Value = serde_json::from_str(&server.line()).unwrap();
        let shown: String = line.chars().take(80).collect();
        assert_eq!(answer["error"]["code"], code, "{shown}: {answer}");
        assert_eq!(answer["id"], id, "{shown}");
    }
    // No answer: a notification, a response, a malformed cancellation, a blank line.
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/nothing"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
        "   ",
    ] {
        server.write(line.as_bytes());
    }
    // It still answers, and this is the next line.
    assert_eq!(server.ask(&request(9, "server/discover", json!({})))["id"], 9);
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_read() {
    let mut server = Server::start(&[], None);
    server.write(&vec![b'x'; POLICY.limits().message_bytes + 1]);
    let answer: Value = serde_json::from_str(&server.line()).unwrap();
    assert_eq!(answer["error"]["code"], -32600);
    assert_eq!(server.ask(&request(9, "server/discover", json!({})))["id"], 9);
}

#[test]
fn who_shows_no_token_in_the_environment_is_refused_before_the_operation() {
    for (token, is_let_in) in [(None, false), (Some("wrong"), false), (Some("right"), true)] {
        let mut server = Server::start(&["--token", "right"], token);
        let answer = server.ask(&call(1, "create_note", note("one")));
        assert_eq!(answer["result"].is_object(), is_let_in, "{answer}");
        assert_eq!(answer["error"]["code"] == 401, !is_let_in, "{answer}");
    }
}

#[test]
fn a_client_that_cannot_ask_its_user_may_not_delete() {
    let mut server = Server::start(&[], None);
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let params = json!({ "name": "delete_note", "arguments": { "note": "x" } });
        let refused = server.ask(&request_of(1, "tools/call", params, capabilities));
        assert_eq!(refused["error"]["code"], -32021);
        let needed = &refused["error"]["data"]["requiredCapabilities"];
        assert!(needed["elicitation"].is_object(), "{refused}");
    }
}

#[test]
fn the_end_of_the_input_ends_the_server_and_what_is_at_work() {
    let mut server = Server::start(&[], None);
    server.ask(&request(1, "server/discover", json!({})));
    let long = json!({ "steps": 1000, "pauseMs": 60_000 });
    server.write(call(2, "watch_notes", long).to_string().as_bytes());
    // A last line without its end is answered all the same.
    let last = request(3, "prompts/list", json!({})).to_string();
    server.write_unended(last.as_bytes());
    let (status, rest) = server.end();
    assert_eq!(status.code(), Some(0));
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0].contains(r#""id":3"#));
}

#[test]
fn a_cancelled_request_ends_and_is_not_answered() {
    let mut server = Server::start(&[], None);
    let long = json!({ "steps": 1000, "pauseMs": 20 });
    server.write(call(2, "watch_notes", long).to_string().as_bytes());
    // Its id is taken as long as it is at work.
    let same = server.ask(&request(2, "prompts/list", json!({})));
    assert_eq!(same["error"]["code"], -32600);
    server
        .write(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#);
    server.error_with("watch_notes ended at step");
    assert!(server.ask(&request(2, "prompts/list", json!({})))["result"].is_object());
    assert_eq!(server.end().1, Vec::<String>::new());
}

#[test]
fn what_is_at_work_at_once_is_bounded() {
    let mut server = Server::start(&[], None);
    let long = json!({ "steps": 1000, "pauseMs": 60_000 });
    for id in 0..64 {
        server.write(call(id, "watch_notes", long.clone()).to_string().as_bytes());
    }
    let refused = server.ask(&call(64, "watch_notes", long.clone()));
    assert_eq!(refused["error"]["code"], -32603);
    // One ends, and there is room.
    server
        .write(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#);
    server.error_with("watch_notes ended");
    server.write(call(65, "watch_notes", long).to_string().as_bytes());
    assert_eq!(server.ask(&request(66, "prompts/list", json!({})))["id"], 66);
}

#[test]
fn what_a_client_wrote_goes_back_in_short_or_not_at_all() {
    let mut server = Server::start(&[], None);
    let refused = server.ask(&call(1, &"x".repeat(1000), json!({})));
    assert_eq!(refused["error"]["message"].as_str().unwrap().chars().count(), 200);
    for (bytes, is_named) in [(1024, true), (1025, false)] {
        let uri = format!("{:x<bytes$}", "note:///");
        let refused = server.ask(&request(2, "resources/read", json!({ "uri": uri })));
        assert_eq!(refused["error"]["data"]["uri"] == uri, is_named, "{bytes}");
    }
}
