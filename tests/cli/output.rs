//! Verdicts as text and as JSON, statistics, and exit codes.

use std::io::{BufRead, BufReader, Write};
use std::thread;

use crate::support::{ID_NULL, PING, code, command, lines, run, spawn, stderr, stdout};

const FIELDS: &str = "source line offset bytes verdict kind code http_status rule id method at \
                      findings reply reason cause hint detail sender answers";

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
    let output = run(&["check", "--alone"], [PING, "\n", ID_NULL, error].concat());
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
        r#"{"source":"-","line":2,"offset":1,"bytes":59,"verdict":"accept","kind":"request","code":null,"http_status":null,"rule":null,"id":"a","method":"tools/list","at":null,"findings":["unknown-member"],"reply":null,"reason":null,"cause":null,"hint":null,"detail":null,"sender":"client","answers":null}
"#
    );
}

#[test]
fn a_refused_message_is_described_in_json_with_its_reply() {
    let text = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":null}\n";
    let output = run(&["check", "--format", "json"], text);
    assert_eq!(
        stdout(&output),
        r#"{"source":"-","line":1,"offset":0,"bytes":54,"verdict":"refuse","kind":"invalid","code":-32600,"http_status":400,"rule":"params-type","id":7,"method":null,"at":49,"findings":[],"reply":{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid Request: the member params must be an object","data":{"rule":"params-type"}}},"reason":"the member params must be an object","cause":null,"hint":null,"detail":null,"sender":"client","answers":null}
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
        for field in [
            "http_status",
            "rule",
            "id",
            "method",
            "at",
            "reply",
            "reason",
            "cause",
            "hint",
            "detail",
            "sender",
        ] {
            assert_eq!(line.get(field), "null", "{field}");
        }
        assert_eq!(line.get("findings"), "[]");
    }
}

#[test]
fn each_file_beside_is_judged_as_expected() {
    let expected = include_str!("../data/expected.txt");
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
