//! Batches of 2025-03-26: refused, unless the policy takes them.

use crate::support::{File, Line, code, lines, run, stderr, stdout};

const BATCH: &str = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}, {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"},{\"foo\":1}]";
const ANSWERS: &str = "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}},{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]";

fn takes(name: &str) -> File {
    File::new(name, "batches = true\n")
}

fn get<'o>(lines: &[Line<'o>], name: &str) -> Vec<&'o str> {
    lines.iter().map(|line| line.get(name)).collect()
}

fn post(headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

fn response(media_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nX-Accel-Buffering: no\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

#[test]
fn a_batch_is_refused_by_default() {
    for arguments in [&["check"][..], &["check", "--revision", "2025-03-26"]] {
        let output = run(arguments, BATCH);
        assert_eq!(code(&output), 1);
        assert!(stdout(&output).contains("batch at byte 0"), "{}", stdout(&output));
        assert_eq!(stdout(&output).lines().count(), 1);
    }
}

#[test]
fn batches_cannot_be_taken_where_their_revision_is_not_served() {
    let policy = takes("served");
    let with = |revision| ["check", "--policy", policy.path(), "--revision", revision];
    for revision in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        let output = run(&with(revision), BATCH);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        let said = format!("takes batches, which are of 2025-03-26; with --revision {revision}");
        assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    }
    for revision in ["2025-03-26", "auto"] {
        let output = run(&with(revision), BATCH);
        assert_eq!((code(&output), stdout(&output).lines().count()), (1, 3));
    }
}

#[test]
fn each_message_of_a_batch_has_its_own_verdict_and_place() {
    let policy = takes("verdicts");
    let input = format!("\n {BATCH}\n{ANSWERS}\n");
    let output = run(&["check", "--policy", policy.path(), "--format", "json"], input.clone());
    assert_eq!(code(&output), 1);
    let of = lines(&output);
    let rules = ["null", "null", "\"jsonrpc-version\"", "null", "null", "null"];
    assert_eq!(get(&of, "rule"), rules);
    assert_eq!(get(&of, "id"), ["1", "2", "null", "2", "1", "1"]);
    assert_eq!(get(&of, "line"), ["2", "2", "2", "3", "3", "3"]);
    for line in &of {
        let (at, bytes): (usize, usize) =
            (line.get("offset").parse().unwrap(), line.get("bytes").parse().unwrap());
        let message = &input[at..at + bytes];
        assert!(message.starts_with('{') && message.ends_with('}'), "{message}");
    }
    // One side sends all of it, and the answers are to what was asked.
    let senders =
        ["\"client\"", "\"client\"", "\"client\"", "\"server\"", "\"server\"", "\"server\""];
    assert_eq!(get(&of, "sender"), senders);
    assert_eq!(get(&of, "answers")[3..], ["2", "1", "1"]);
    assert_eq!(get(&of, "findings")[3..], ["[]", "[]", "[\"answer-twice\"]"]);
    assert!(of[2].get("reply").contains("-32600"), "{}", of[2].text);
}

#[test]
fn the_messages_of_a_batch_are_told_apart() {
    let policy = takes("places");
    let output = run(&["check", "--policy", policy.path()], format!("\n{BATCH}\n[1,\n"));
    let of: Vec<&str> = stdout(&output).lines().collect();
    for (line, place) in of.iter().zip(["stdin:2[0]  ", "stdin:2[1]  ", "stdin:2[2]  ", "stdin:3 "])
    {
        assert!(line.starts_with(place), "{line}");
    }
    // From where the message begins, as the `at` of JSON output.
    assert!(of[2].contains("jsonrpc-version at byte 0 of the element: "), "{}", of[2]);
    assert!(of[3].contains("not-json at byte 3: "), "{}", of[3]);
}

#[test]
fn a_batch_that_is_refused_as_a_whole_is_one_record() {
    let policy = File::new("whole", "batches = true\nlimits.batch-messages = 2\n");
    for (input, rule) in [("[]", "batch"), (BATCH, "batch"), ("[1,", "not-json")] {
        let arguments = ["check", "--policy", policy.path(), "--format", "json"];
        let output = run(&arguments, input);
        assert_eq!(get(&lines(&output), "rule"), [format!("\"{rule}\"")], "{input}");
    }
    let two = run(&["check", "--policy", policy.path()], "[1,2]");
    assert_eq!(stdout(&two).matches("not-object").count(), 2);
}

#[test]
fn a_batch_over_http_is_judged_with_its_answers() {
    let policy = takes("http");
    let http = ["check", "--framing", "http", "--policy", policy.path(), "--format", "json"];
    let batch = BATCH.replace(",{\"foo\":1}", "");
    let answers = ANSWERS.replace(",{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]", "]");
    let events = format!("data: {answers}\n\n");
    for answered in [response("application/json", &answers), response("text/event-stream", &events)]
    {
        let output = run(&http, post("", &batch) + &answered);
        assert_eq!((code(&output), stderr(&output)), (0, ""), "{}", stdout(&output));
        assert_eq!(get(&lines(&output), "answers"), ["null", "null", "2", "1"]);
        assert_eq!(get(&lines(&output), "findings"), ["[]"; 4]);
    }
    // One request may be answered in a batch.
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    let output = run(&http, post("", ping) + &response("text/event-stream", &events));
    assert_eq!((code(&output), stderr(&output)), (0, ""), "{}", stdout(&output));
    assert_eq!(get(&lines(&output), "answers"), ["null", "null", "1"]);

    for (headers, rules) in [
        ("MCP-Protocol-Version: 2025-03-26\r\n", &["null", "null"][..]),
        ("MCP-Protocol-Version: 2025-06-18\r\n", &["\"batch\""]),
        ("Content-Encoding: gzip\r\n", &["\"content-encoding\""]),
    ] {
        let output = run(&http, post(headers, &batch));
        assert_eq!(get(&lines(&output), "rule"), rules, "{headers}");
    }
}
