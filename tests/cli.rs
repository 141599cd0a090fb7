//! The command as a person or a script meets it: arguments, input, output and
//! exit codes. What the rules say is tested with the library.

#![cfg(feature = "cli")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::value::RawValue;

const LIMIT: usize = 4 << 20;
const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
const ID_NULL: &str = "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n";
const FIELDS: &str = "source line offset bytes verdict kind code http_status rule id method at \
                      findings reply reason cause hint";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcparse"));
    command.args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    command
}

fn spawn(arguments: &[&str]) -> Child {
    command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs to the end with this standard input.
fn run(arguments: &[&str], stdin: impl AsRef<[u8]> + Send + 'static) -> Output {
    let mut child = spawn(arguments);
    let mut input = child.stdin.take().unwrap();
    // On a thread of its own: the child may write before it has read it all.
    let writer = thread::spawn(move || input.write_all(stdin.as_ref()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A line of JSON output: each member as it is written.
struct Line<'o> {
    text: &'o str,
    members: HashMap<&'o str, &'o RawValue>,
}

impl<'o> Line<'o> {
    fn get(&self, name: &str) -> &'o str {
        self.members[name].get()
    }
}

fn lines(output: &Output) -> Vec<Line<'_>> {
    let line = |text| Line { text, members: serde_json::from_str(text).unwrap() };
    stdout(output).lines().map(line).collect()
}

#[test]
fn the_exit_code_says_whether_all_was_accepted() {
    assert_eq!(code(&run(&["check"], PING)), 0);
    assert_eq!(code(&run(&["classify"], PING)), 0);
    assert_eq!(code(&run(&["check"], [PING, ID_NULL, PING].concat())), 1);
    assert_eq!(code(&run(&["classify"], ID_NULL)), 1);
    assert_eq!(code(&run(&["check", "absent.jsonl"], "")), 2);
}

#[test]
fn a_usage_error_is_told_apart_from_a_refusal() {
    for arguments in [&["check", "--framing", "xml"][..], &["judge"], &["check", "--no-such"], &[]]
    {
        let output = run(arguments, "");
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains("--help"), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_answers() {
    for arguments in [&["--help"][..], &["check", "--help"], &["classify", "-h"]] {
        let output = run(arguments, "");
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Examples:"), "{arguments:?}");
    }
    let version = run(&["--version"], "");
    assert_eq!(stdout(&version), concat!("mcparse ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn each_message_has_its_line_of_text() {
    let error = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":""}}"#;
    let output = run(&["check"], [PING, "\n", ID_NULL, error].concat());
    assert_eq!(
        stdout(&output),
        "\
stdin:1     accept  request         ping                        id 1
stdin:3     refuse  invalid -32600  id-null at byte 22: the id must not be null
stdin:4     accept  response        error -32601                id 2
"
    );
    assert_eq!(stderr(&output), "");
}

#[test]
fn json_output_has_its_fields_in_their_order() {
    let input = [PING, ID_NULL, "no json\n"].concat();
    for subcommand in ["check", "classify"] {
        let output = run(&[subcommand, "--format", "json"], input.clone());
        for line in lines(&output) {
            let at = |name| line.text.find(&format!("\"{name}\":"));
            assert!(FIELDS.split(' ').map(at).is_sorted(), "{}", line.text);
            assert_eq!(line.members.len(), FIELDS.split(' ').count());
        }
    }
}

#[test]
fn an_accepted_message_is_described_in_json() {
    let text = "\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools\\/list\",\"trace\":0}\r\n";
    let output = run(&["check", "--format", "json"], text);
    assert_eq!(
        stdout(&output),
        r#"{"source":"-","line":2,"offset":1,"bytes":59,"verdict":"accept","kind":"request","code":null,"http_status":null,"rule":null,"id":"a","method":"tools/list","at":null,"findings":["unknown-member"],"reply":null,"reason":null,"cause":null,"hint":null}
"#
    );
}

#[test]
fn a_refused_message_is_described_in_json_with_its_reply() {
    let text = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":null}\n";
    let output = run(&["check", "--format", "json"], text);
    assert_eq!(
        stdout(&output),
        r#"{"source":"-","line":1,"offset":0,"bytes":54,"verdict":"refuse","kind":"invalid","code":-32600,"http_status":400,"rule":"params-type","id":7,"method":null,"at":49,"findings":[],"reply":{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid Request: the member params must be an object","data":{"rule":"params-type"}}},"reason":"the member params must be an object","cause":null,"hint":null}
"#
    );
}

#[test]
fn what_must_not_be_answered_has_no_reply() {
    let input = "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":1}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n";
    let output = run(&["check", "--format", "json"], input);
    for line in lines(&output) {
        assert_eq!((line.get("verdict"), line.get("reply")), ("\"refuse\"", "null"));
    }
}

#[test]
fn what_is_not_json_is_invalid_with_the_parse_error_code() {
    for subcommand in ["check", "classify"] {
        let output = run(&[subcommand, "--format", "json"], "INFO listening\n");
        let line = &lines(&output)[0];
        assert_eq!((line.get("kind"), line.get("code")), ("\"invalid\"", "-32700"), "{subcommand}");
    }
}

#[test]
fn an_id_keeps_its_exact_spelling() {
    let ids = ["123456789012345678901234567890", r#""\u0041\/\n""#, "-0", "\"\u{2028}\u{e9}\""];
    for id in ids {
        let accepted = format!("{{\"jsonrpc\":\"2.0\",\"id\" : {id} ,\"method\":\"ping\"}}\n");
        let refused =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\",\"params\":0}}");
        let output = run(&["check", "--format", "json"], accepted + &refused);
        let lines = lines(&output);
        assert_eq!(lines[0].get("id"), id);
        assert_eq!(lines[1].get("id"), id);
        assert!(lines[1].get("reply").contains(&format!("\"id\":{id},")), "{id}");
    }
}

#[test]
fn classify_takes_the_last_duplicate_that_check_refuses() {
    let twice = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"method\":\"b\"}\n";
    let classified = run(&["classify"], twice);
    assert_eq!((code(&classified), stdout(&classified)), (0, "stdin:1     accept  request\n"));
    let checked = run(&["check"], twice);
    assert_eq!(code(&checked), 1);
    assert!(stdout(&checked).contains("duplicate-member at byte 37"), "{}", stdout(&checked));
}

#[test]
fn classify_leaves_empty_what_it_does_not_ask() {
    let output = run(&["classify", "--format", "json"], [PING, ID_NULL].concat());
    for line in lines(&output) {
        for field in
            ["http_status", "rule", "id", "method", "at", "reply", "reason", "cause", "hint"]
        {
            assert_eq!(line.get(field), "null", "{field}");
        }
        assert_eq!(line.get("findings"), "[]");
    }
}

#[test]
fn each_file_beside_is_judged_as_expected() {
    let expected = include_str!("data/expected.txt");
    let files =
        ["session.jsonl", "session-legacy.jsonl", "events.sse", "message.json", "broken.jsonl"];
    let mut rows = 0;
    for file in files {
        let framing = match file.rsplit_once('.').unwrap().1 {
            "sse" => "sse",
            "json" => "none",
            _ => "lines",
        };
        let judge =
            |subcommand| run(&[subcommand, "--framing", framing, "--format", "json", file], "");
        let (checked, classified) = (judge("check"), judge("classify"));
        let (checked, classified) = (lines(&checked), lines(&classified));
        let rest: Vec<&str> = expected
            .lines()
            .filter(|row| row.strip_prefix(file).is_some_and(|rest| rest.starts_with(':')))
            .collect();
        assert_eq!((checked.len(), classified.len()), (rest.len(), rest.len()), "{file}");
        for ((row, checked), classified) in rest.iter().zip(&checked).zip(&classified) {
            let mut columns = row.split_whitespace();
            let mut next = || columns.next().unwrap_or("");
            assert_eq!(next(), format!("{file}:{}", checked.get("line")));
            let kind = classified.get("kind").trim_matches('"');
            let said = if kind == "invalid" { classified.get("code") } else { kind };
            assert_eq!(next(), said, "{row}");
            let rule = checked.get("rule").trim_matches('"');
            let rule = if rule == "null" { "-" } else { rule };
            assert_eq!(next(), rule, "{row}");
            let findings = checked.get("findings").replace(['[', ']', '"'], "");
            assert_eq!(next(), findings, "{row}");
            rows += 1;
        }
    }
    let comments = expected.lines().filter(|row| row.starts_with('#')).count();
    assert_eq!(rows + comments, expected.lines().count());
}

#[test]
fn the_sample_sessions_of_both_eras_are_accepted_without_a_finding() {
    let output = run(&["check", "session.jsonl", "session-legacy.jsonl"], "");
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    assert!(!stdout(&output).contains("findings"), "{}", stdout(&output));
}

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
fn a_broken_pipe_is_success() {
    let mut child = spawn(&["check"]);
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        let lines = ID_NULL.repeat(1000);
        while input.write_all(lines.as_bytes()).is_ok() {}
    });
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    // The reader is dropped here, and the command notices when it writes.
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!((code(&output), stderr(&output)), (0, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(&["check", "session.jsonl"]).stdout(full).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot write to standard output"));
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

#[test]
fn statistics_sum_up_kinds_rules_findings_and_methods() {
    let input = [
        PING,
        PING,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"x\":1}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
        ID_NULL,
        "?\n",
    ]
    .concat();
    let output = run(&["check", "--format", "json", "--statistics"], input.clone());
    let last = stdout(&output).lines().last().unwrap();
    assert_eq!(
        last,
        format!(
            r#"{{"statistics":{{"messages":6,"bytes":{},"verdicts":{{"accept":4,"refuse":2}},"kinds":{{"request":2,"notification":1,"response":1,"invalid":2}},"codes":{{"-32600":1,"-32700":1}},"rules":{{"id-null":1,"not-json":1}},"findings":{{"unknown-member":1}},"methods":{{"ping":2,"notifications/initialized":1}},"other_methods":0}}}}"#,
            input.len() - 6
        )
    );
    let output = run(&["check", "--statistics"], input);
    let words: Vec<&str> = stdout(&output).split_whitespace().collect();
    for pair in [["messages", "6"], ["refuse", "2"], ["ping", "2"], ["not-json", "1"]] {
        assert!(words.windows(2).any(|words| words == pair), "{pair:?} in {}", stdout(&output));
    }
}

#[test]
fn made_up_method_names_do_not_fill_the_statistics() {
    let call = |at| format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m{at}{}\"}}\n", "x".repeat(200));
    let input: String = (0..300).map(call).collect();
    let output = run(&["check", "--format", "json", "--statistics"], input);
    let last = stdout(&output).lines().last().unwrap();
    let statistics: serde_json::Value = serde_json::from_str(last).unwrap();
    let methods = statistics["statistics"]["methods"].as_object().unwrap();
    assert_eq!(methods.len(), 256);
    assert!(methods.keys().all(|name| name.len() <= 64));
    assert_eq!(statistics["statistics"]["other_methods"], 44);
}

#[test]
fn a_hostile_message_cannot_write_to_the_terminal() {
    let hostile = [
        // As escapes in JSON, and as characters that JSON lets stand.
        r#"{"jsonrpc":"2.0","id":"\u001b[2J","method":"\u001b]0;x\u0007\r\n\u202e"}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":\"\u{9b}2J\u{202e}\u{7f}\",\"method\":\"a\u{9b}2J\u{2066}\u{200b}b\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\x1b[31m\"}}",
        "\x1b[2J\x1b]0;x\x07",
    ]
    .join("\n");
    let output = run(&["check", "--statistics", "-", "\x1b[2Jno such file"], hostile);
    for text in [stdout(&output), stderr(&output)] {
        let acts = |c: char| {
            c != '\n' && c.is_control()
                || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!text.contains(acts), "{text:?}");
    }
    assert!(stdout(&output).contains(r"\u{1b}]0;x\u{7}\u{d}\u{a}\u{202e}"));
    assert!(stderr(&output).contains(r"\u{1b}[2Jno such file"));
}

#[test]
fn a_long_method_and_a_long_id_are_cut_in_text() {
    let (method, id) = ("m".repeat(250), "i".repeat(1000));
    let input = format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",\"method\":\"{method}\"}}\n");
    let output = run(&["check"], input);
    assert!(stdout(&output).chars().count() < 200, "{}", stdout(&output));
    assert!(stdout(&output).contains('\u{2026}'));
}

/// Feeds an endless line and some messages, then many more, and asks `/proc` each
/// time how much memory the command ever held.
#[cfg(target_os = "linux")]
#[test]
fn a_long_stream_is_judged_in_constant_memory() {
    let megabytes = if cfg!(debug_assertions) { 30 } else { 200 };
    let mut child = command(&["check", "--statistics"])
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
    assert!(at_first < 40 << 10, "{at_first} KiB");
    assert!(at_last < at_first + (1 << 10), "{at_first} KiB, then {at_last} KiB");
}
