//! Conversations over HTTP: responses by their requests, and what is wrong
//! between messages.

use crate::support::{Line, code, lines, run, stderr, stdout};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
const HTTP: [&str; 5] = ["check", "--framing", "http", "--format", "json"];

const ACCEPTED: &str = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

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
fn a_202_is_to_the_notification_and_leaves_the_request_waiting() {
    let body = r#"{"jsonrpc":"2.0","method":"notifications/acme"}"#;
    let length = body.len();
    let tells = format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    // Without a usable id only the order tells what it answers.
    let failed = r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"}}"#;
    let input = list("\"a\"") + &tells + ACCEPTED + &json(failed);
    let output = run(&HTTP, input);
    let lines = lines(&output);
    assert_eq!(get(&lines, "rule"), ["null"; 3], "{}", stdout(&output));
    assert_eq!(get(&lines, "answers"), ["null", "null", "\"a\""]);
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

/// A call under this id, of this tool; in a session if there is one.
fn legacy(session: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: {session}\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

const ROOTS: &str = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
const LEGACY_LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const LEGACY_LISTED: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;

fn findings_of(input: String) -> Vec<String> {
    let output = run(&HTTP, input);
    let lines = lines(&output);
    lines.iter().map(|line| format!("{}{}", line.get("rule"), line.get("findings"))).collect()
}

#[test]
fn an_id_is_taken_while_its_response_is_to_come() {
    let input = json(&listed("0")) + &list("1") + &list("1") + &json(&listed("1"));
    assert_eq!(findings_of(input)[1..], ["null[]", "\"id-in-flight\"[]", "null[]"]);
    // The response is over, with an answer or without.
    for over in [json(&listed("1")), events(&[]), response("502 Bad Gateway", "text/html", "<p>")] {
        let input = list("0") + &json(&listed("0")) + &list("1") + &over + &list("1");
        assert_eq!(findings_of(input).last().unwrap(), "null[]", "{over}");
    }
}

#[test]
fn what_is_wrong_between_messages_over_http_is_found() {
    let tools = |names: [&str; 2], scope: &str, id: &str| {
        let tool = |name| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
        let tools = format!("[{}]", names.map(tool).join(","));
        json(&listed(id).replace("[]", &tools).replace("public", scope))
    };
    let (one, other) = (tools(["a", "b"], "public", "1"), tools(["b", "a"], "private", "2"));
    let input = list("1") + &one + &list("2") + &other;
    let found = "null[\"cache-scope-varies\",\"list-order-changed\"]";
    assert_eq!(findings_of(input)[2..], ["null[]", found]);

    let body = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let length = body.len();
    let cancels = format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let input = list("1") + &json(&listed("1")) + &cancels;
    assert_eq!(findings_of(input.clone())[2..], ["null[\"cancel-over-http\"]"]);
    let alone = run(&[&HTTP[..], &["--alone"]].concat(), input);
    assert_eq!(get(&lines(&alone), "findings"), ["[]"; 3]);
}

#[test]
fn each_session_has_ids_of_its_own() {
    let one = legacy("one", LEGACY_LIST);
    let two = legacy("two", LEGACY_LIST);
    let answers = json(LEGACY_LISTED) + &json(LEGACY_LISTED);
    let input = one.clone() + &json(LEGACY_LISTED) + &two + &json(LEGACY_LISTED);
    assert_eq!(findings_of(input.clone() + &one + &two + &answers), ["null[]"; 8]);
    assert_eq!(findings_of(input + &one + &one)[5], "\"id-in-flight\"[]");
}

#[test]
fn the_answer_to_a_servers_request_is_known() {
    let asks = events(&[ROOTS, LEGACY_LISTED]);
    let roots = legacy("s", &LEGACY_LISTED.replace("tools", "roots"));
    let input = legacy("s", LEGACY_LIST) + &asks + &roots + ACCEPTED + &roots;
    let output = run(&HTTP, input);
    let lines = lines(&output);
    assert_eq!(get(&lines[2..], "answers"), ["1", "1", "1"]);
    assert_eq!(get(&lines[2..], "findings"), ["[]", "[]", "[\"answer-twice\"]"]);
}

#[test]
fn what_a_client_posts_is_judged_by_the_servers_request_too() {
    let asks = events(&[ROOTS, LEGACY_LISTED]);
    let wrong = legacy("s", r#"{"jsonrpc":"2.0","id":1,"result":{"roots":777}}"#);
    let output = run(&HTTP, legacy("s", LEGACY_LIST) + &asks + &wrong + ACCEPTED);
    let lines = lines(&output);
    assert_eq!(get(&lines, "rule")[3..], ["\"result-shape\""]);
    assert_eq!(get(&lines, "answers")[3..], ["1"]);
    // Its head counts all the same.
    let origin = wrong.replace("\r\nAccept", "\r\nContent-Encoding: gzip\r\nAccept");
    let output = run(&HTTP, legacy("s", LEGACY_LIST) + &asks + &origin + ACCEPTED);
    assert_eq!(get(&self::lines(&output), "rule")[3..], ["\"content-encoding\""]);
}

#[test]
fn a_stream_beside_the_requests_has_no_order_among_them() {
    let get_stream = "GET /mcp HTTP/1.1\r\nMcp-Session-Id: s\r\nAccept: text/event-stream\r\n\r\n";
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}"#;
    let before = legacy("s", LEGACY_LIST) + &json(LEGACY_LISTED);
    let input = before.clone() + get_stream + &events(&[progress]);
    assert_eq!(findings_of(input), ["null[]"; 3]);
    let on_answer = before + &legacy("s", LEGACY_LIST) + &events(&[progress, LEGACY_LISTED]);
    assert_eq!(findings_of(on_answer)[3], "null[\"progress-token-unknown\"]");
}

#[test]
fn a_session_is_heard_from_its_first_request_on_once_both_sides_are_there() {
    let ping = |session: &str| {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        format!(
            "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nMcp-Session-Id: {session}\r\nMCP-Protocol-Version: \
             2025-06-18\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let both = list("1") + &json(&listed("1"));
    let output = run(&HTTP, [&*both, &ping("a"), &ping("b"), &ping("a")].concat());
    assert_eq!(code(&output), 1);
    assert_eq!(get(&lines(&output), "rule")[2..], ["null", "null", "\"id-in-flight\""]);
    // Without responses nobody knows which requests still wait.
    assert_eq!(code(&run(&HTTP, ping("a") + &ping("a"))), 0);
}
