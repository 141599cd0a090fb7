//! Answers in lines, in logs and in batches: judged by the requests that they
//! answer, and what is said to whoever asked.

use crate::support::{File, Line, PING, code, lines, run, stdout};

const JSON: [&str; 3] = ["check", "--format", "json"];
const LIST: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
const WRONG: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":{}}}\n";
const RIGHT: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n";
const ROOTS: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n";
const NO_ROOTS: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
const READY: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
const SHAPE: &str = "\"result-shape\"";

fn get<'o>(lines: &[Line<'o>], name: &str) -> Vec<&'o str> {
    lines.iter().map(|line| line.get(name)).collect()
}

/// The rules by which the lines are refused.
fn rules(input: &str) -> Vec<String> {
    let output = run(&JSON, input.to_owned());
    lines(&output).iter().map(|line| line.get("rule").to_owned()).collect()
}

/// A log of messages, each behind who sent it.
fn log(records: &[(&str, &str)]) -> String {
    let entry = |(from, message): &(&str, &str)| {
        format!("{{\"dir\":\"{from}\",\"message\":{}}}\n", message.trim_end())
    };
    records.iter().map(entry).collect()
}

#[test]
fn an_answer_in_lines_is_judged_by_its_request() {
    let input = [LIST, WRONG, RIGHT, LIST, RIGHT].concat();
    let output = run(&JSON, input.clone());
    assert_eq!(code(&output), 1);
    let of = lines(&output);
    assert_eq!(get(&of, "rule"), ["null", SHAPE, "null", "null", "null"]);
    assert_eq!(get(&of, "answers"), ["null", "1", "1", "null", "1"]);
    // The request has failed with what was refused, and its id is free.
    assert_eq!(get(&of, "findings"), ["[]", "[]", "[\"answer-twice\"]", "[]", "[]"]);
    assert_eq!(get(&of, "detail")[1], "\"result.tools must be an array\"");
    // Alone, or to nothing known, it may be right.
    assert_eq!(code(&run(&["check", "--alone"], input)), 0);
    assert_eq!(rules(&[PING, &WRONG.replace(":1,", ":2,")].concat()), ["null"; 2]);
    assert_eq!(rules(&[LIST, &WRONG.replace(":1,", ":\"1\",")].concat()), ["null"; 2]);
}

#[test]
fn what_the_client_answers_is_judged_by_the_servers_request() {
    assert_eq!(rules(&[READY, ROOTS, NO_ROOTS].concat()), ["null", "null", SHAPE]);
    let cancelled = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    let records =
        [("s2c", ROOTS), ("c2s", NO_ROOTS), ("s2c", ROOTS), ("s2c", cancelled), ("c2s", NO_ROOTS)];
    let output = run(&[&JSON[..], &["--framing", "log"]].concat(), log(&records[..2]));
    assert_eq!(get(&lines(&output), "rule"), ["null", SHAPE]);
    // Who has cancelled does not wait.
    let output = run(&[&JSON[..], &["--framing", "log"]].concat(), log(&records[2..]));
    assert_eq!(get(&lines(&output), "rule"), ["null"; 3]);
    assert_eq!(get(&lines(&output), "findings")[2], "[\"answer-after-cancel\"]");
}

#[test]
fn an_answer_is_judged_by_no_request_that_it_may_not_be_to() {
    // Two requests had the id, and both were sent.
    let taken = rules(&[LIST, PING, NO_ROOTS, LIST, WRONG].concat());
    assert_eq!(taken, ["null", "null", "null", "null", SHAPE]);
    // So it is where one of them was refused.
    let broken = LIST.replace("tools/list\"", "ping\",\"params\":0");
    assert_eq!(rules(&[&broken, LIST, NO_ROOTS].concat())[2], "null");
    // What the client alone has sent: it answers what is not there.
    let open = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n";
    let roots = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"roots\":[]}}\n";
    assert_eq!(rules(&[open, READY, roots].concat()), ["null"; 3]);
    assert_eq!(rules(&[open, roots].concat()), ["null", SHAPE]);
    // What the server alone has sent, in the same way.
    assert_eq!(rules(&[ROOTS, RIGHT, ROOTS, RIGHT].concat()), ["null"; 4]);
}

#[test]
fn an_answer_in_a_log_is_judged_by_its_request() {
    let input = log(&[("c2s", LIST), ("s2c", WRONG), ("c2s", PING), ("s2c", NO_ROOTS)]);
    let output = run(&[&JSON[..], &["--framing", "log"]].concat(), input);
    assert_eq!(code(&output), 1);
    assert_eq!(get(&lines(&output), "rule"), ["null", SHAPE, "null", "null"]);
    assert_eq!(get(&lines(&output), "findings"), ["[]"; 4]);
}

#[test]
fn an_answer_in_a_batch_is_judged_by_its_request() {
    let policy = File::new("answers", "batches = true\n");
    let arguments = ["check", "--policy", policy.path(), "--format", "json"];
    let ping = PING.replace(":1,", ":2,");
    let asked = format!("[{},{}]", LIST.trim_end(), ping.trim_end());
    let answered = format!("[{},{}]", NO_ROOTS.replace(":1,", ":2,").trim_end(), WRONG.trim_end());
    let output = run(&arguments, format!("{asked}\n{answered}\n"));
    assert_eq!(get(&lines(&output), "rule"), ["null", "null", "null", SHAPE]);
    assert_eq!(get(&lines(&output), "answers"), ["null", "null", "2", "1"]);

    let request = format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nContent-Length: {}\r\n\r\n{asked}",
        asked.len()
    );
    let events = format!("data: {WRONG}\ndata: {}\n", NO_ROOTS.replace(":1,", ":2,"));
    for (media_type, body, told) in [
        ("application/json", &*answered, ["null", SHAPE]),
        ("text/event-stream", &format!("data: {answered}\n\n"), ["null", SHAPE]),
        ("text/event-stream", &events, [SHAPE, "null"]),
    ] {
        let response = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let input = request.clone() + &response;
        let output = run(&[&arguments[..], &["--framing", "http"]].concat(), input);
        assert_eq!(get(&lines(&output), "rule")[2..], told, "{body}");
    }
}

#[test]
fn whoever_waits_is_told_that_the_answer_was_refused() {
    let told = |input: String, framing: &str| {
        let output = run(&["check", "--replies", "--framing", framing], input);
        let said = stdout(&output).lines().filter(|line| line.starts_with("    "));
        said.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let failure = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"Internal error: the answer was refused: ";
    let client = told([LIST, WRONG].concat(), "lines");
    assert!(client[0].starts_with(&format!("to the client: {failure}")), "{client:?}");
    let server = told([READY, ROOTS, NO_ROOTS].concat(), "lines");
    assert!(server[0].starts_with(&format!("to the server: {failure}")), "{server:?}");
    // What is wrong without its request, too.
    for wrong in ["5", "null"] {
        let wrong = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{wrong}}}");
        let client = told(log(&[("c2s", LIST), ("s2c", &wrong), ("s2c", &wrong)]), "log");
        assert!(client[0].starts_with(&format!("to the client: {failure}")), "{client:?}");
        // Once.
        assert_eq!(client[1..], ["reply: none, as the protocol lets no one answer it"]);
    }
    let body = LIST.trim_end();
    let over_http = format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nContent-Length: {}\r\n\r\n{body}HTTP/1.1 200 OK\r\nContent-Type: \
         application/json\r\nContent-Length: {}\r\n\r\n{WRONG}",
        body.len(),
        WRONG.len()
    );
    let client = told(over_http, "http");
    assert!(client[0].starts_with(&format!("to the client: {failure}")), "{client:?}");
}
