//! Messages in lines, beside each other: what is wrong between the messages of a
//! source.

use crate::support::{Line, PING, code, lines, run, stdout};

const PONG: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
const JSON: [&str; 3] = ["check", "--format", "json"];

fn get<'o>(lines: &[Line<'o>], name: &str) -> Vec<&'o str> {
    lines.iter().map(|line| line.get(name)).collect()
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
    let of = lines(&output);
    assert!(of.iter().all(|line| !line.text.contains("answer-unknown")));
    // Under an id that was answered before, too.
    let again = refused.replace("\"id\":7", "\"id\":1");
    let output = run(&JSON, [PING, PONG, &again, PONG, PONG].concat());
    let told = ["[]", "[]", "[]", "[]", "[]", "[\"answer-twice\"]"];
    assert_eq!(get(&lines(&output), "findings"), told);
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
