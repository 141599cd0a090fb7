//! What is refused does not go on, and whoever waits for it is answered.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, ID_NULL, PING, PONG, Wrapped, appears};

/// Writes each line that it reads to the file, and says nothing.
fn listens(file: &str) -> String {
    format!("cat > '{file}'")
}

fn error(answer: &Value) -> (&Value, i64, &str) {
    (
        &answer["id"],
        answer["error"]["code"].as_i64().unwrap(),
        answer["error"]["message"].as_str().unwrap(),
    )
}

#[test]
fn a_refused_request_is_answered_in_the_servers_place_and_not_sent_on() {
    let folder = Folder::new("refused");
    let file = folder.path("seen");
    let mut wrapped = Wrapped::script(&[], &listens(&file));
    wrapped.say(r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":7}}"#);
    let answer = wrapped.json();
    assert_eq!(
        error(&answer),
        (&json!("a"), -32602, "Invalid params: params.name must be a string")
    );
    assert_eq!(answer["error"]["data"]["rule"], "params-shape");
    wrapped.say(ID_NULL);
    assert_eq!(wrapped.json()["error"]["code"], -32600);
    wrapped.say("no json");
    assert_eq!(wrapped.json()["error"]["code"], -32700);
    wrapped.say(PING);
    wrapped.close();
    let rest = String::from_utf8(wrapped.rest()).unwrap();
    // The server leaves without an answer to the ping.
    let last: Value = serde_json::from_str(&rest).unwrap();
    assert_eq!(error(&last), (&json!(1), -32603, "Internal error: the server has ended"));
    assert_eq!(wrapped.code(), 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{PING}\n"));
    let stderr = wrapped.stderr();
    let told: Vec<_> = stderr.lines().collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told[0].starts_with("mcparse: line 1 of the client is refused: params-shape at byte"),
        "{told:?}"
    );
}

#[test]
fn a_refused_notification_or_answer_is_answered_with_nothing() {
    let folder = Folder::new("nothing");
    let file = folder.path("seen");
    let mut wrapped = Wrapped::script(&["--log", "/dev/null"], &listens(&file));
    wrapped.say(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#);
    wrapped.say(r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#);
    wrapped.close();
    assert_eq!(wrapped.rest(), b"");
    assert_eq!(fs::read_to_string(&file).unwrap(), "");
}

#[test]
fn a_request_whose_id_is_taken_is_refused_and_never_answered() {
    let folder = Folder::new("taken");
    let file = folder.path("seen");
    let script =
        format!("read -r one; read -r two; printf '%s\\n' \"$two\" > '{file}'; echo '{PONG}'");
    let mut wrapped = Wrapped::script(&[], &script);
    wrapped.say(PING);
    wrapped.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    // One that is wrong by itself is not either: its id is the first one's.
    wrapped.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#);
    wrapped.say(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
    assert_eq!(wrapped.line(), PONG);
    let rest: Value = serde_json::from_slice(&wrapped.rest()).unwrap();
    assert_eq!(rest["id"], 2);
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n"
    );
    let stderr = wrapped.stderr();
    assert!(
        stderr.contains("line 2 of the client is refused: id-in-flight: another request"),
        "{stderr}"
    );
}

#[test]
fn the_client_whose_answer_is_refused_is_answered_with_its_own_id() {
    for (id, answer) in [
        // Wrong by itself.
        ("1", r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#),
        // Wrong by its request.
        ("1", r#"{"jsonrpc":"2.0","id":1,"result":{"tools":{}}}"#),
        ("\"\\u0061\"", r#"{"jsonrpc":"2.0","id":"a","result":{"tools":{}}}"#),
    ] {
        let script = format!("read -r line; echo '{answer}'; read -r line; echo '{PONG}'; cat");
        let mut wrapped = Wrapped::script(&[], &script);
        wrapped.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#));
        let line = wrapped.line();
        assert!(
            line.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"#)),
            "{line}"
        );
        // The id is free again.
        wrapped.say(PING);
        assert_eq!(wrapped.line(), PONG);
    }
}

#[test]
fn the_client_is_answered_even_under_an_id_too_long_to_be_kept() {
    let id = format!("\"{}\"", "i".repeat(500));
    let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":{{}}}}}}"#);
    let mut wrapped = Wrapped::script(&[], &format!("read -r line; echo '{answer}'; read -r line"));
    let call = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
    wrapped.say(&call);
    let line = wrapped.line();
    assert!(
        line.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"#)),
        "{line}"
    );
    // And when the server leaves with it unanswered.
    wrapped.say(&call);
    let line = wrapped.line();
    assert!(line.contains(&id) && line.contains("the server has ended"), "{line}");
}

#[test]
fn a_line_of_the_server_that_answers_nobody_is_dropped() {
    let script = format!(
        "read -r line; echo 'starting up...'; echo '{{\"jsonrpc\":\"2.0\",\"method\":7}}'; echo '{PONG}'"
    );
    let mut wrapped = Wrapped::script(&[], &script);
    wrapped.say(PING);
    assert_eq!(wrapped.line(), PONG);
    wrapped.close();
    assert_eq!(wrapped.rest(), b"");
    let stderr = wrapped.stderr();
    assert!(stderr.contains("line 1 of the server is refused: not-json at byte 0"), "{stderr}");
}

#[test]
fn a_server_whose_question_gets_a_refused_answer_is_told() {
    let folder = Folder::new("question");
    let file = folder.path("seen");
    let ask = r#"{"jsonrpc":"2.0","id":"q","method":"roots/list"}"#;
    let script = format!(
        "echo '{ask}'; read -r line; printf '%s\\n' \"$line\" > '{file}.new'; mv '{file}.new' '{file}'; cat > '{file}.rest'"
    );
    let mut wrapped = Wrapped::script(&["--log", "/dev/null"], &script);
    assert_eq!(wrapped.line(), ask);
    wrapped.say(r#"{"jsonrpc":"2.0","id":"q","result":{"roots":7}}"#);
    let told: Value = serde_json::from_str(&appears(&file)).unwrap();
    assert_eq!((&told["id"], &told["error"]["code"]), (&json!("q"), &json!(-32603)));
    assert_eq!(told["error"]["data"]["rule"], "result-shape");
    wrapped.close();
    assert_eq!(wrapped.rest(), b"", "nothing is said to the client");
}

#[test]
fn a_policy_says_what_is_refused() {
    let folder = Folder::new("policy");
    let (file, policy) =
        (folder.path("seen"), folder.write("policy.toml", "eras = [\"modern\"]\n"));
    let mut wrapped = Wrapped::script(&["--policy", &policy], &listens(&file));
    wrapped.say(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"}}}"#);
    assert_eq!(wrapped.json()["error"]["code"], -32022);
    // What shows between messages only, too.
    let policy = folder.write("between.toml", "[actions]\nanswer-unknown = \"refuse\"\n");
    let wrapped =
        Wrapped::script(&["--policy", &policy, "--log", "/dev/null"], &format!("echo '{PONG}'"));
    assert_eq!(wrapped.rest(), b"");
    let policy = folder.write("batches.toml", "revisions = [\"2025-03-26\"]\nbatches = true\n");
    let mut wrapped = Wrapped::script(&["--policy", &policy], "cat");
    assert_eq!(wrapped.code(), 2);
    assert!(wrapped.stderr().contains("batches"));
}

#[test]
fn a_line_at_the_limit_passes_and_one_past_it_is_refused_both_ways() {
    let folder = Folder::new("limit");
    let policy = folder.write("policy.toml", "[limits]\nmessage-bytes = 80\n");
    let pad = |line: &str, length: usize| format!("{line}{}", " ".repeat(length - line.len()));
    let (file, said) = (folder.path("seen"), folder.path("said"));
    let (sent_80, sent_81) = (pad(PING, 80), pad(&PING.replace('1', "2"), 81));
    let (said_80, said_81) = (pad(PONG, 80), pad(&PONG.replace(":1,", ":3,"), 81));
    fs::write(&said, format!("{said_81}\n{said_80}\n")).unwrap();
    let script = format!("read -r line; cat '{said}'; cat > '{file}'");
    let mut wrapped = Wrapped::script(&["--policy", &policy], &script);
    wrapped.say(&sent_80);
    assert_eq!(
        wrapped.raw_line(),
        format!("{said_80}\n").as_bytes(),
        "and the longer one is not here"
    );
    wrapped.say(&sent_81);
    let answer = wrapped.json();
    assert_eq!(
        (&answer["id"], &answer["error"]["data"]["rule"]),
        (&Value::Null, &json!("too-large"))
    );
    wrapped.send(format!("{}\r\n", pad(&PING.replace('1', "4"), 79)));
    wrapped.close();
    wrapped.rest();
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        format!("{}\r\n", pad(&PING.replace('1', "4"), 79))
    );
    let stderr = wrapped.stderr();
    assert!(stderr.contains("line 1 of the server is refused: too-large"), "{stderr}");
    assert!(stderr.contains("line 2 of the client is refused: too-large"), "{stderr}");
}

#[test]
fn the_client_whose_answer_is_too_long_is_told_where_the_ends_of_it_say_whose_it_is() {
    let folder = Folder::new("lost");
    let policy = folder.write("policy.toml", "[limits]\nmessage-bytes = 200\n");
    // Longer than what is read at once, and shorter, and several at once.
    for length in [300, 1_000, 100_000, 300_000] {
        let big = "x".repeat(length);
        let said = folder.write(
            "said",
            &format!(
                "{}\n{}\r\n{}\n{}\n{}\n{}",
                format_args!(r#"{{"jsonrpc":"2.0","id":2,"result":{{"tools":["{big}"]}}}}"#),
                format_args!(r#"{{"result":{{"tools":["{big}"]}},"jsonrpc":"2.0","id":3}}"#),
                // One of the server's own, which answers nobody.
                format_args!(r#"{{"method":"x/{big}","jsonrpc":"2.0","id":4}}"#),
                PONG,
                format_args!(r#"{{"jsonrpc":"2.0","method":"notifications/{big}"}}"#),
                // And the last, without an end.
                format_args!(r#"{{"error":{{"code":1,"message":"{big}"}},"id":5}}"#),
            ),
        );
        let script =
            format!("for n in 1 2 3 4 5; do read -r line; done; cat '{said}'; cat > /dev/null");
        let mut wrapped = Wrapped::script(&["--policy", &policy, "--log", "/dev/null"], &script);
        for id in 1..=5 {
            wrapped.say(&PING.replace('1', &id.to_string()));
        }
        wrapped.close();
        for id in [2, 3] {
            let answer = wrapped.json();
            let expected =
                "Internal error: the answer was refused: the message is longer than the limit";
            assert_eq!(error(&answer), (&json!(id), -32603, expected), "{length}");
        }
        assert_eq!(wrapped.line(), PONG);
        let rest = String::from_utf8(wrapped.rest()).unwrap();
        let rest: Vec<Value> =
            rest.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rest.len(), 2);
        assert!(error(&rest[0]).0 == 5 && error(&rest[0]).2.contains("longer"), "{rest:?}");
        assert_eq!(error(&rest[1]), (&json!(4), -32603, "Internal error: the server has ended"));
    }
}

#[test]
fn of_two_answers_that_are_too_long_neither_is_taken_for_part_of_the_other() {
    let folder = Folder::new("two-lost");
    let policy = folder.write("policy.toml", "[limits]\nmessage-bytes = 200\n");
    let answer = |id: u32| {
        let big = "x".repeat(100_000);
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"tools\":[\"{big}\"]}}}}\n")
    };
    let (one, two) = (folder.write("one", &answer(1)), folder.write("two", &answer(2)));
    // The first one's end is the end of what is read at once.
    let script = format!("read -r a; read -r b; cat '{one}'; sleep 0.3; cat '{two}'; cat");
    let mut wrapped = Wrapped::script(&["--policy", &policy, "--log", "/dev/null"], &script);
    for id in 1..=2 {
        wrapped.say(&PING.replace('1', &id.to_string()));
    }
    for id in 1..=2 {
        assert_eq!(error(&wrapped.json()).0, &json!(id));
    }
}
