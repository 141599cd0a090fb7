//! `--framing http`: requests and responses with their heads.

use crate::support::{Line, code, lines, run, stderr, stdout};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
const RESULT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#;
const HTTP: [&str; 5] = ["check", "--framing", "http", "--format", "json"];

fn request(body: &str, headers: &str) -> String {
    let length = body.len();
    format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

fn response(body: &str, headers: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{headers}\r\n{body}")
}

/// A request for a list, with its headers.
fn list() -> String {
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    request(&body, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n")
}

fn get<'o>(lines: &[Line<'o>], name: &str) -> Vec<&'o str> {
    lines.iter().map(|line| line.get(name)).collect()
}

#[test]
fn the_sample_conversation_is_judged_in_order() {
    let output = run(&["check", "--framing", "http", "--alone", "conversation.http"], "");
    assert_eq!(code(&output), 1);
    assert_eq!(
        stdout(&output),
        "\
conversation.http:9     accept  request         tools/list                  id 1
conversation.http:13    accept  response        result                      id 1
conversation.http:23    accept  request         tools/call                  id 2
conversation.http:28    accept  notification    notifications/progress
conversation.http:33    accept  response        result                      id 2
conversation.http:49    refuse  invalid -32020  param-header-mismatch at byte 95: Mcp-Param-Region header value 'us-east' does not match body value 'eu-west'
conversation.http:53    accept  response        error -32020                id 3
"
    );
    assert_eq!(
        stderr(&output),
        "\
mcparse: conversation.http:53: GET /mcp holds no message
mcparse: conversation.http:57: the response 405 holds no message
"
    );
}

#[test]
fn the_sender_is_told_by_the_start_line() {
    let input = list() + &response(RESULT, "Content-Length: 59\r\n");
    let output = run(&[&HTTP[..], &["--alone"]].concat(), input);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    assert_eq!(get(&lines(&output), "sender"), ["\"client\"", "\"server\""]);
}

#[test]
fn heads_are_judged_with_their_bodies() {
    let wrong = list().replace("Mcp-Method: tools/list", "Mcp-Method: tools/call");
    let output = run(&HTTP, wrong);
    assert_eq!(get(&lines(&output), "rule"), ["\"method-header-mismatch\""]);
    assert_eq!(get(&lines(&output), "http_status"), ["400"]);
    let text =
        run(&["check", "--framing", "http"], list().replace("application/json\r", "text/plain\r"));
    assert!(stdout(&text).contains("content-type"), "{}", stdout(&text));
}

#[test]
fn a_place_is_where_the_body_stands_in_the_file() {
    let input = list() + "\r\n" + &list();
    let output = run(&HTTP, input.clone());
    for line in lines(&output) {
        let offset: usize = line.get("offset").parse().unwrap();
        assert!(input[offset..].starts_with("{\"jsonrpc\""), "{offset}");
        let number = 1 + input[..offset].matches('\n').count();
        assert_eq!(line.get("line"), number.to_string());
    }
}

#[test]
fn a_body_comes_by_length_in_chunks_or_until_the_end() {
    let (head, tail) = RESULT.split_at(20);
    let chunked = format!(
        "{:x}\r\n{head}\r\n{:X};last\r\n{tail}\r\n0\r\nTrailer: 1\r\n\r\n",
        head.len(),
        tail.len()
    );
    let conversation = [
        response(RESULT, &format!("Content-Length: {}\r\n", RESULT.len())),
        response(&chunked, "Transfer-Encoding: chunked\r\n"),
        response(RESULT, ""),
    ];
    let output = run(&[&HTTP[..], &["--alone"]].concat(), conversation.concat());
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    assert_eq!(get(&lines(&output), "kind"), ["\"response\""; 3]);
    assert_eq!(get(&lines(&output), "bytes"), vec![RESULT.len().to_string(); 3]);
}

#[test]
fn a_stream_of_events_is_as_many_messages() {
    let events = "id: 1\r\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"method\":\"notifications/tools/list_changed\"}\r\n\r\nevent: ping\r\ndata: x\r\n\r\n";
    let cut = "data: {\"jsonrpc\"";
    let input = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n{events}{cut}"
    );
    let output = run(&HTTP, input);
    assert_eq!(code(&output), 0);
    assert_eq!(get(&lines(&output), "kind"), ["\"notification\""]);
    assert!(stderr(&output).contains("sse-event-cut"), "{}", stderr(&output));
}

#[test]
fn what_holds_no_message_is_pointed_out() {
    let input = [
        "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<ht>",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x0b",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n",
        "DELETE /mcp HTTP/1.1\r\nMcp-Session-Id: 1\r\n\r\n",
    ];
    let output = run(&["check", "--framing", "http"], input.concat());
    assert_eq!((code(&output), stdout(&output)), (0, ""));
    let said: Vec<&str> = stderr(&output).lines().collect();
    let parts =
        ["202 holds no", "is text/html", "is compressed", "holds no message", "DELETE /mcp"];
    assert_eq!(said.len(), parts.len());
    for (line, part) in said.iter().zip(parts) {
        assert!(line.contains(part), "{line}");
    }
    // Where there are no sessions, such a request is wrong.
    let modern = ["check", "--framing", "http", "--revision", "2026-07-28"];
    let output = run(&modern, "DELETE /mcp HTTP/1.1\r\n\r\n");
    assert!(stdout(&output).contains("http-method"), "{}", stdout(&output));
}

#[test]
fn what_is_no_http_ends_the_source_and_not_the_run() {
    let endless = format!("POST / HTTP/1.1\r\nX: {}", "x".repeat(1 << 20));
    for (input, said) in [
        ("{\"jsonrpc\":\"2.0\"}\r\n\r\n".to_owned(), "stdin:1: no head of HTTP/1.1"),
        (list() + "rest\r\n\r\n", "no head of HTTP/1.1"),
        ("POST / HTTP/1.1\r\nHost: a\r\n".to_owned(), "ends inside a head"),
        (endless, "longer than 262144 bytes"),
        (request("{}", "Content-Length: 3\r\n"), "two lengths that differ"),
        ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n".to_owned(), "not a number"),
        (response("xyz\r\n", "Transfer-Encoding: chunked\r\n"), "not its size"),
        (response("", "Transfer-Encoding: gzip\r\n"), "another than chunked"),
        (
            list().replace("{}}}}", ""),
            "ends before the body does: Content-Length is 239, and 234 bytes follow",
        ),
        (
            response("8\r\nabc", "Transfer-Encoding: chunked\r\n"),
            "stdin:1: the source ends before the body does\n",
        ),
        (list() + "}", "bytes follow the body that Content-Length gives: the source ends inside"),
        (
            list() + "}\r\n\r\n" + &list(),
            "bytes follow the body that Content-Length gives: no head of HTTP/1.1",
        ),
        (
            format!("POST / HTTP/1.1\r\n\r\n{RESULT}"),
            "stdin:1: a request without Content-Length or Transfer-Encoding has no body",
        ),
        (
            "HTTP/2 200\r\nA: b\r\n\r\n".to_owned(),
            "stdin:1: no head of HTTP/1.1 (invalid HTTP version); write the start line as HTTP/1.1;",
        ),
        (
            "POST /mcp HTTP/2\r\nA: b\r\n\r\n".to_owned(),
            "(invalid HTTP version); write the start line as HTTP/1.1;",
        ),
    ] {
        let output = run(&["check", "--framing", "http", "-", "conversation.http"], input);
        assert_eq!(code(&output), 2, "{said}");
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
        assert!(stdout(&output).contains("conversation.http:9 "), "{said}");
    }
}

#[test]
fn bytes_that_are_a_broken_head_are_not_said_to_follow_the_body() {
    for more in ["POST / HTTP/1.1\r\nA", "HTTP/1.1 200 OK\r\nA b\r\n\r\n"] {
        let output = run(&HTTP, list() + more);
        assert_eq!(code(&output), 2);
        assert!(!stderr(&output).contains("bytes follow"), "{}", stderr(&output));
    }
}

#[test]
fn a_response_before_its_request_is_pointed_out() {
    let length = format!("Content-Length: {}\r\n", RESULT.len());
    let events =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {RESULT}\r\n\r\n");
    let said = "mcparse: stdin:1: no request before this response; it is judged alone\n";
    for input in [response(RESULT, &length) + &list(), events] {
        let output = run(&HTTP, input.clone());
        assert_eq!((code(&output), stderr(&output)), (0, said));
        assert_eq!(stderr(&run(&[&HTTP[..], &["--alone"]].concat(), input)), "");
    }
    // A request that was refused is one too.
    let refused = list().replace("\"id\":1", "\"id\":{}").replace("239", "240");
    assert_eq!(stderr(&run(&HTTP, refused + &response(RESULT, &length))), "");
}

#[test]
fn http_that_is_read_as_lines_is_pointed_out_once() {
    let output = run(&["check", "conversation.http"], "");
    let said = "mcparse: conversation.http: this looks like HTTP: try --framing http\n";
    assert_eq!((code(&output), stderr(&output)), (1, said));
    let output = run(&["check"], response(RESULT, ""));
    assert!(stderr(&output).contains("stdin: this looks like HTTP"), "{}", stderr(&output));
    assert_eq!(stderr(&run(&["check"], "GET the news\nPOST it\n")), "");
}

#[test]
fn a_body_over_the_limit_is_refused_and_the_next_one_is_read() {
    let long = "x".repeat((4 << 20) + 1);
    let output = run(&HTTP, request(&long, "") + &list());
    let lines = lines(&output);
    assert_eq!(get(&lines, "rule"), ["\"too-large\"", "null"]);
    assert_eq!(get(&lines, "bytes")[0], "null");
}

/// A call of `run_sql` without the header that mirrors its region.
fn call() -> String {
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{{"name":"run_sql","arguments":{{"region":"eu"}},{META}}}}}"#
    );
    let headers =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: run_sql\r\n";
    request(&call, headers)
}

/// A page of a list with the tool `name`, whose region has a header.
fn page(name: &str, next: &str) -> String {
    let result = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","ttlMs":60000,"cacheScope":"public",{next}"tools":[{{"name":"{name}","inputSchema":{{"type":"object","properties":{{"region":{{"type":"string","x-mcp-header":"Region"}}}}}}}}]}}}}"#
    );
    let length = format!("Content-Length: {}\r\n", result.len());
    response(&result, &length)
}

#[test]
fn what_is_known_of_the_tools_is_forgotten_when_they_change() {
    let learned = list() + &page("run_sql", "");
    let output = run(&HTTP, learned.clone() + &call());
    assert_eq!(lines(&output).last().unwrap().get("rule"), "\"param-header-missing\"");
    let changed = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
    let stream = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\r\n{changed}",
        changed.len()
    );
    let output = run(&HTTP, learned + &stream + &call());
    assert_eq!(get(&lines(&output), "rule"), ["null"; 4], "{}", stdout(&output));
}

#[test]
fn a_second_page_leaves_what_the_first_one_taught() {
    let next = list().replace("\"params\":{", "\"params\":{\"cursor\":\"2\",");
    let length = |at: usize| format!("Content-Length: {at}\r\n");
    let body = list().split("\r\n\r\n").last().unwrap().len();
    let next = next.replace(&length(body), &length(body + "\"cursor\":\"2\",".len()));
    let first = page("run_sql", "\"nextCursor\":\"2\",");
    let input = list() + &first + &next + &page("other", "") + &call();
    let output = run(&HTTP, input);
    let rules = ["null", "null", "null", "null", "\"param-header-missing\""];
    assert_eq!(get(&lines(&output), "rule"), rules);
}

#[test]
fn files_of_one_call_are_one_conversation() {
    let call = call();
    // What headers mirror is known only after the list was seen.
    assert_eq!(code(&run(&HTTP, call.clone())), 0);
    let output = run(&[&HTTP[..], &["conversation.http", "-"]].concat(), call);
    assert_eq!(lines(&output).last().unwrap().get("rule"), "\"param-header-missing\"");
}

#[test]
fn tools_that_cannot_be_learned_are_named() {
    let result = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[{"name":"pay","inputSchema":{"type":"object","properties":{"sum":{"type":"number","x-mcp-header":"Sum"}}}}]}}"#;
    let output = run(&HTTP, list() + &response(result, ""));
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("the headers of the tool pay cannot be compared: "));
}

#[test]
fn classify_reads_http_too() {
    let output = run(&["classify", "--framing", "http", "conversation.http"], "");
    assert_eq!((code(&output), stdout(&output).lines().count()), (0, 7));
}
