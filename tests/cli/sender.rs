//! Who is taken for the sender of a message: `--from`.

use crate::support::{PING, code, lines, run, stderr, stdout};

const ROOTS: &str = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\"}\n";
const ROOTS_RESULT: &str = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"roots\":[]}}\n";

/// The senders that JSON output names.
fn senders(arguments: &[&str], input: String) -> Vec<String> {
    let arguments = [&["check", "--format", "json"], arguments].concat();
    let output = run(&arguments, input);
    lines(&output).iter().map(|line| line.get("sender").to_owned()).collect()
}

#[test]
fn the_sender_is_told_by_message() {
    let input = [PING, ROOTS, ROOTS_RESULT, ROOTS_RESULT].concat();
    let told = ["\"client\"", "\"server\"", "\"client\"", "\"server\""];
    assert_eq!(senders(&[], input.clone()), told);
    assert_eq!(senders(&["--from", "auto"], input.clone()), told);
    assert_eq!(senders(&["--from", "server"], input), ["\"server\""; 4]);
    assert_eq!(senders(&["--framing", "sse"], format!("data: {ROOTS}\n")), ["\"server\""]);
}

#[test]
fn what_was_asked_in_another_source_does_not_count() {
    // The session holds a server's request with the id 7, and its answer.
    let told = senders(&["session-legacy.jsonl", "-"], ROOTS_RESULT.to_owned());
    assert_eq!(told.last().unwrap(), "\"server\"");
}

#[test]
fn the_sender_decides_what_may_be_sent_and_what_is_answered() {
    let as_client = run(&["check", "--from", "client", "--replies"], ROOTS);
    assert_eq!(code(&as_client), 1);
    assert!(stdout(&as_client).contains("method-of-other-sender"), "{}", stdout(&as_client));
    assert!(stdout(&as_client).contains("    reply: {\"jsonrpc\":\"2.0\",\"id\":7,\"error\""));
    assert_eq!(code(&run(&["check", "--from", "server"], ROOTS)), 0);

    let no_json = run(&["check", "--from", "server", "--replies"], "no json\n");
    assert!(stdout(&no_json).contains("    reply: none"), "{}", stdout(&no_json));
}

#[test]
fn a_line_over_the_limit_is_never_answered_to_a_server() {
    let input = format!("{}\n", "x".repeat((4 << 20) + 1));
    for (from, has_reply) in [("client", true), ("server", false)] {
        let output = run(&["check", "--from", from, "--format", "json"], input.clone());
        assert_eq!(lines(&output)[0].get("reply") != "null", has_reply, "{from}");
    }
}

#[test]
fn http_tells_the_sender_by_itself() {
    let output = run(&["check", "--framing", "http", "--from", "client"], "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("leave --from out"), "{}", stderr(&output));
}

#[test]
fn replies_are_shown_only_if_asked_for_and_below_their_message() {
    let input = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":0}\n";
    assert_eq!(stdout(&run(&["check"], input)).lines().count(), 1);
    let output = run(&["check", "--replies"], [input, PING].concat());
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[1].starts_with("    reply: {\"jsonrpc\":\"2.0\",\"id\":1,"), "{lines:?}");
}
