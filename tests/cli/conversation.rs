//! Messages beside each other: answers by their requests, and what is wrong
//! between the messages of a source.

use crate::support::{Line, PING, code, lines, run, stderr, stdout};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
const PONG: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
const JSON: [&str; 3] = ["check", "--format", "json"];
const HTTP: [&str; 5] = ["check", "--framing", "http", "--format", "json"];

fn get<'o>(lines: &[Line<'o>], name: &str) -> Vec<&'o str> {
    lines.iter().map(|line| line.get(name)).collect()
}

/// A request for a list with this id, with its headers.
fn list(id: &str) -> String {
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{{META}}}}}"#);
    let length = body.len();
    format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

/// A list as the answer to this id.
fn listed(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"s","version":"1"}}}}}}}}"#
    )
}

fn response(status: &str, media_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nX-Accel-Buffering: no\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

fn json(body: &str) -> String {
    response("200 OK", "application/json", body)
}

fn events(bodies: &[&str]) -> String {
    let events: Vec<_> = bodies.iter().map(|body| format!("data: {body}\n\n")).collect();
    let body = events.concat();
    response("200 OK", "text/event-stream", &body)
}

#[test]
fn a_response_over_http_is_judged_by_its_request() {
    let wrong = listed("\"a\"").replace("\"tools\":[]", "\"tools\":{}");
    let input = list("\"a\"") + &json(&wrong);
    let output = run(&HTTP, input.clone());
    assert_eq!(code(&output), 1);
    let lines = lines(&output);
    assert_eq!(get(&lines, "rule"), ["null", "\"result-shape\""]);
    assert_eq!(get(&lines, "answers"), ["null", "\"a\""]);
    let text = run(&["check", "--framing", "http"], input.clone());
    assert!(stdout(&text).contains(" (for the request \"a\")\n"), "{}", stdout(&text));
    // Alone it is a result of anything.
    let alone = run(&[&HTTP[..], &["--alone"]].concat(), input);
    assert_eq!(code(&alone), 0);
}

#[test]
fn a_right_answer_names_its_request() {
    let output = run(&HTTP, list("1") + &json(&listed("1")));
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    let lines = lines(&output);
    assert_eq!(get(&lines, "answers"), ["null", "1"]);
    assert_eq!(get(&lines, "findings"), ["[]", "[]"]);
}

#[test]
fn the_id_tells_which_request_is_answered_and_then_the_order() {
    let asked = list("1") + &list("2") + &list("3");
    let input =
        asked.clone() + &json(&listed("2")) + &events(&[&listed("3")]) + &json(&listed("1"));
    let output = run(&HTTP, input);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    assert_eq!(get(&lines(&output)[3..], "answers"), ["2", "3", "1"]);
    // An id that none has is an answer to the oldest.
    let output = run(&HTTP, asked + &json(&listed("\"1\"")));
    let lines = lines(&output);
    assert_eq!(get(&lines[3..], "rule"), ["\"answer-id-type\""]);
    assert_eq!(get(&lines[3..], "answers"), ["1"]);
}

#[test]
fn a_response_that_cannot_be_an_answer_is_refused_by_its_head() {
    let page = response("200 OK", "text/html", "<html>");
    let output = run(&HTTP, list("1") + &page + &list("2") + &json(&listed("2")));
    assert_eq!(code(&output), 1);
    let lines = lines(&output);
    assert_eq!(get(&lines, "rule"), ["null", "\"answer-content-type\"", "null", "null"]);
    assert_eq!(get(&lines, "answers"), ["null", "1", "null", "2"]);
    // This is what HTTP says, and no answer.
    let gone = response("502 Bad Gateway", "text/html", "<html>");
    let output = run(&HTTP, list("1") + &gone + &list("2") + &json(&listed("2")));
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}

#[test]
fn a_stream_has_one_answer_and_ends_with_it() {
    let twice = events(&[&listed("1"), &listed("1")]);
    let output = run(&HTTP, list("1") + &twice);
    let rules = lines(&output);
    assert_eq!(get(&rules, "rule"), ["null", "null", "\"message-after-answer\""]);
    assert_eq!(get(&rules, "answers"), ["null", "1", "null"]);

    let output = run(&HTTP, list("1") + &events(&[]));
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("stream-without-answer"), "{}", stderr(&output));
}

#[test]
fn what_is_found_in_a_head_is_told_with_its_first_message() {
    let buffered = events(&[&listed("1")]).replace("X-Accel-Buffering: no\r\n", "");
    let output = run(&HTTP, list("1") + &buffered);
    assert_eq!(get(&lines(&output), "findings"), ["[]", "[\"sse-buffering-header\"]"]);
}

#[test]
fn what_is_wrong_between_messages_is_found() {
    let list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    let input = [PING, PONG, PONG, list, list].concat();
    let output = run(&JSON, input.clone());
    assert_eq!(code(&output), 1);
    let of = lines(&output);
    assert_eq!(get(&of, "findings"), ["[]", "[]", "[\"answer-twice\"]", "[]", "[]"]);
    assert_eq!(get(&of, "rule"), ["null", "null", "null", "null", "\"id-in-flight\""]);
    assert_eq!(get(&of, "answers"), ["null", "1", "1", "null", "null"]);
    let taken = of.last().unwrap();
    assert_eq!((taken.get("code"), taken.get("http_status")), ("-32600", "400"));
    assert_eq!((taken.get("id"), taken.get("at"), taken.get("reply")), ("1", "0", "null"));

    let text = run(&["check", "--replies"], input.clone());
    let said = "id-in-flight at byte 0: another request with this id waits for its answer\n    reply: none, as it could be";
    assert!(stdout(&text).contains(said), "{}", stdout(&text));
    let alone = run(&["check", "--alone"], input);
    assert!(code(&alone) == 0 && !stdout(&alone).contains("answer-twice"));
}

#[test]
fn one_side_alone_is_no_conversation() {
    for input in [[PING, PING].concat(), [PONG, PONG].concat()] {
        let output = run(&JSON, input);
        assert_eq!(code(&output), 0);
        assert_eq!(get(&lines(&output), "findings"), ["[]", "[]"]);
    }
    // Nor is what is said to be from one side.
    let output = run(&["check", "--from", "server", "--format", "json"], [PING, PONG].concat());
    assert_eq!(get(&lines(&output), "findings"), ["[]", "[]"]);
}

#[test]
fn another_source_is_another_conversation() {
    let output = run(&["check", "session.jsonl", "session.jsonl"], "");
    assert_eq!(code(&output), 0);
    assert!(!stdout(&output).contains("findings"), "{}", stdout(&output));
}

#[test]
fn what_was_refused_may_be_answered_all_the_same() {
    let refused = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":0}\nno json\n";
    let error = |id| {
        format!("{{\"jsonrpc\":\"2.0\"{id},\"error\":{{\"code\":-32600,\"message\":\"m\"}}}}\n")
    };
    let input = [refused, PING, PONG, &error(",\"id\":7"), &error("")].concat();
    let output = run(&JSON, input);
    let lines = lines(&output);
    assert!(lines.iter().all(|line| !line.text.contains("answer-unknown")));
}

#[test]
fn progress_is_of_whoever_was_given_its_token() {
    let call = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"_meta\":{\"progressToken\":\"t\"}}}\n";
    let progress = |token: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":\"{token}\",\"progress\":1}}}}\n"
        )
    };
    let input = [PING, PONG, call, &progress("t"), &progress("t"), &progress("u")].concat();
    let output = run(&JSON, input);
    let lines = lines(&output);
    let told = ["\"server\"", "\"server\"", "\"client\""];
    assert_eq!(get(&lines[3..], "sender"), told);
    assert_eq!(get(&lines[3..], "findings")[1], "[\"progress-not-increasing\"]");
}

#[test]
fn a_ping_under_an_id_that_waits_is_the_other_sides() {
    let list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    let ready = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n";
    let listed = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n";
    let input = [list, ready, PING, PONG, listed].concat();
    let output = run(&JSON, input.clone());
    assert_eq!(code(&output), 0);
    let of = lines(&output);
    let told = ["\"client\"", "\"server\"", "\"server\"", "\"client\"", "\"server\""];
    assert_eq!(get(&of, "sender"), told);
    assert_eq!(get(&of, "findings"), ["[]"; 5]);
    let alone = run(&["check", "--alone", "--format", "json"], input);
    assert_eq!(get(&lines(&alone), "sender")[2], "\"client\"");
}
