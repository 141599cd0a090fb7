//! Files, standard input and framings.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{ID_NULL, PING, code, command, lines, run, spawn, stderr, stdout};

const LIMIT: usize = 4 << 20;

#[test]
fn a_whole_file_can_be_one_message() {
    let spread = "{\n \"jsonrpc\": \"2.0\",\n \"id\": 1,\n \"method\": \"ping\"\n}\n";
    assert_eq!(code(&run(&["check", "--framing", "none"], spread)), 0);
    assert_eq!(code(&run(&["check", "--framing", "lines"], spread)), 1);
    assert_eq!(code(&run(&["check", "--framing", "none"], "")), 1);
}

#[test]
fn server_sent_events_of_other_names_are_passed_over() {
    let events = "event: endpoint\ndata: /messages?session=1\n\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{}}\n\n";
    let output = run(&["check", "--framing", "sse", "--format", "json"], events);
    let lines = lines(&output);
    assert_eq!((code(&output), lines.len()), (0, 1));
    assert_eq!((lines[0].get("kind"), lines[0].get("line")), ("\"response\"", "4"));
}

#[test]
fn an_event_cut_at_the_end_is_a_note_and_no_refusal() {
    let cut = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\ndata: {\"json";
    let output = run(&["check", "--framing", "sse", "--statistics"], cut);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("stdin: sse-event-cut"), "{}", stderr(&output));
    assert!(stdout(&output).contains("sse-event-cut"), "{}", stdout(&output));
}

#[test]
fn standard_input_is_read_when_named_or_when_nothing_is() {
    for arguments in [&["check"][..], &["check", "-"], &["check", "--", "-"]] {
        let output = run(arguments, PING);
        assert_eq!((code(&output), stdout(&output).lines().count()), (0, 1), "{arguments:?}");
    }
}

#[test]
fn several_sources_are_read_in_order_and_each_starts_at_line_one() {
    let output = run(&["check", "--format", "json", "message.json", "-", "session.jsonl"], PING);
    let lines = lines(&output);
    let sources: Vec<&str> = lines.iter().map(|line| line.get("source")).collect();
    assert!(sources.is_sorted_by_key(|source| match *source {
        "\"message.json\"" => 0,
        "\"-\"" => 1,
        _ => 2,
    }));
    let stdin = lines.iter().find(|line| line.get("source") == "\"-\"").unwrap();
    assert_eq!((stdin.get("line"), stdin.get("offset")), ("1", "0"));
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_from_it() {
    let output = run(&["check", "session.jsonl", "absent.jsonl", ".", "-"], ID_NULL);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("session.jsonl:13 ") && stdout(&output).contains("stdin:1 "));
    for said in ["cannot read absent.jsonl: ", "check the path", "name the files in it"] {
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

#[test]
fn a_source_without_a_message_is_pointed_out() {
    let output = run(&["check", "--framing", "sse"], PING);
    assert_eq!((code(&output), stdout(&output)), (0, ""));
    assert!(stderr(&output).contains("stdin holds no message, read as server-sent events"));
}

#[test]
fn a_message_is_judged_as_soon_as_it_is_there() {
    let mut child = spawn(&["check"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for line in ["stdin:1 ", "stdin:2 "] {
        input.write_all(PING.as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(line), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// A request of exactly so many bytes.
fn request_of(bytes: usize) -> String {
    let (head, tail) = (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":""#, r#""}}"#);
    format!("{head}{}{tail}", "a".repeat(bytes - head.len() - tail.len()))
}

#[test]
fn a_message_over_the_limit_is_refused_and_the_next_one_is_read() {
    let longest = request_of(LIMIT);
    let too_long = request_of(LIMIT + 1);
    let input = format!("{longest}\n\n{too_long}\n{PING}");
    for subcommand in ["check", "classify"] {
        let output = run(&[subcommand, "--format", "json"], input.clone());
        let lines = lines(&output);
        assert_eq!((code(&output), lines.len()), (1, 3));
        assert_eq!(lines[0].get("verdict"), "\"accept\"");
        assert_eq!(lines[1].get("rule"), "\"too-large\"");
        assert_eq!((lines[1].get("kind"), lines[1].get("code")), ("\"invalid\"", "-32600"));
        assert_eq!((lines[1].get("line"), lines[1].get("bytes")), ("3", "null"));
        assert_eq!(lines[1].get("offset"), (LIMIT + 2).to_string());
        assert_eq!(lines[1].get("at"), LIMIT.to_string());
        assert_eq!((lines[2].get("line"), lines[2].get("verdict")), ("4", "\"accept\""));
    }
}

#[test]
fn a_whole_file_over_the_limit_is_refused_alike() {
    for (bytes, verdict) in
        [(LIMIT, "\"accept\""), (LIMIT + 1, "\"refuse\""), (2 * LIMIT, "\"refuse\"")]
    {
        for subcommand in ["check", "classify"] {
            let output =
                run(&[subcommand, "--framing", "none", "--format", "json"], request_of(bytes));
            assert_eq!(lines(&output)[0].get("verdict"), verdict, "{subcommand} {bytes}");
        }
    }
}

/// Feeds an endless line and some messages, then many more, and asks `/proc` each
/// time how much memory the command ever held.
#[cfg(target_os = "linux")]
#[test]
fn a_long_stream_is_judged_in_constant_memory() {
    let megabytes = if cfg!(debug_assertions) { 30 } else { 200 };
    for threads in ["1", "4"] {
        let mut child = command(&["check", "--statistics", "--threads", threads])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let most_held = || {
            let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
            let held = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
            held.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap()
        };
        let endless = "a".repeat(8 << 20);
        let message = request_of(100_000) + "\n";
        // What a pipe cannot hold has been read when it is written.
        input.write_all((endless + "\n" + &message.repeat(20)).as_bytes()).unwrap();
        let at_first = most_held();
        (0..megabytes * 10).for_each(|_| input.write_all(message.as_bytes()).unwrap());
        let at_last = most_held();
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        assert!(at_first < 40 << 10, "{threads} threads: {at_first} KiB");
        assert!(
            at_last < at_first + (1 << 10),
            "{threads} threads: {at_first} KiB, then {at_last} KiB"
        );
    }
}
