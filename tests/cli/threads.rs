//! On however many threads messages are judged, the output is that of one.

use std::fs;
use std::process::{Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{File, Folder, PING, code, command, run, spawn, stderr, stdout};

const THREADS: [&str; 3] = ["1", "2", "7"];

/// What a message may have at most, so that some are longer.
const LIMIT: usize = 3000;

/// A source of choices that is the same each time.
struct Choices(u64);

impl Choices {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn of<'t>(&mut self, among: &[&'t str]) -> &'t str {
        among[usize::try_from(self.below(among.len() as u64)).unwrap()]
    }

    /// A line of a conversation, or of what should not be in one. Ids come again
    /// soon, so that there are answers to what waits, to what waited, and to nothing.
    fn line(&mut self) -> String {
        let (id, other) = (self.below(20), self.below(20));
        match self.below(16) {
            0 | 1 => {
                let method =
                    self.of(&["tools/list", "ping", "resources/list", "roots/list", "acme/do"]);
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#)
            }
            2 | 3 => {
                let text = "x".repeat(usize::try_from(self.below(500)).unwrap());
                format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t","arguments":{{"a":"{text}"}},"_meta":{{"progressToken":{id}}}}}}}"#
                )
            }
            4..=6 => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[],"roots":[]}}}}"#),
            7 => {
                format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"no"}}}}"#)
            }
            8 => format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{id},"progress":{other}}}}}"#
            ),
            9 => format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
            ),
            10 => format!(
                r#"[{{"jsonrpc":"2.0","id":{id},"method":"ping"}}, {{"jsonrpc":"2.0","id":{other},"result":{{}}}},7]"#
            ),
            11 => " ".repeat(usize::try_from(self.below(3)).unwrap()),
            12 => format!(r#"{{"jsonrpc":"2.0","id":{id},"id":{other},"method":"p\u0069ng"}}"#),
            13 => self.of(&["no json", "{", "[]", "\u{1b}[2J", "{}", "null"]).to_owned(),
            14 => "y".repeat(usize::try_from(self.below(60) * self.below(60) * 2).unwrap()),
            _ => format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
            ),
        }
    }

    fn lines(&mut self, count: usize) -> Vec<u8> {
        let mut lines = Vec::new();
        for _ in 0..count {
            lines.extend_from_slice(self.line().as_bytes());
            // Now and then what is no UTF-8.
            lines.extend(std::iter::repeat_n(0xff, usize::from(self.below(100) == 0)));
            lines.extend_from_slice(self.of(&["\n", "\n", "\r\n"]).as_bytes());
        }
        // The last line has no end.
        lines.extend_from_slice(self.line().as_bytes());
        lines
    }
}

/// Runs with each number of threads, and holds the others against the first.
fn assert_same(arguments: &[&str], stdin: &[u8]) -> Output {
    let outputs = THREADS.map(|threads| {
        let arguments = [arguments, &["--threads", threads]].concat();
        run(&arguments, stdin.to_vec())
    });
    let [first, others @ ..] = outputs;
    for other in others {
        assert_eq!(other.status, first.status, "{arguments:?}");
        assert!(other.stdout == first.stdout, "{arguments:?}");
        assert!(other.stderr == first.stderr, "{arguments:?}: {}", stderr(&other));
    }
    first
}

#[test]
fn the_output_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new("threads");
    let mut choices = Choices(1);
    let names = ["a.jsonl", "empty.jsonl", "b.jsonl", "c.jsonl"].map(|name| folder.path(name));
    for (name, count) in names.iter().zip([9000, 0, 1, 9000]) {
        let lines = if count == 0 { Vec::new() } else { choices.lines(count) };
        fs::write(name, lines).unwrap();
    }
    let absent = folder.path("absent.jsonl");
    let [a, empty, b, c] = names.each_ref().map(String::as_str);
    let files = ["-", a, empty, &absent, ".", b, c];
    let stdin = choices.lines(3000);
    let limits = format!("batches = true\n[limits]\nmessage-bytes = {LIMIT}\n");
    let limits = File::new("threads", &limits);
    for options in [
        &["check"][..],
        &["check", "--format", "json"],
        &["check", "--statistics", "--replies", "--policy", limits.path()],
        &["check", "--statistics", "--format", "json", "--policy", limits.path()],
        &["check", "--from", "client"],
        &["check", "--from", "server", "--alone", "--format", "json"],
        &["check", "--alone", "--policy", limits.path()],
        &["classify", "--statistics"],
        &["classify", "--format", "json"],
        &["check", "--framing", "none"],
    ] {
        let output = assert_same(&[options, &files].concat(), &stdin);
        assert_eq!(code(&output), 2, "{options:?}");
        let lines = stdout(&output).lines().count();
        assert!(lines > 15_000 || options.contains(&"none"), "{options:?}: {lines}");
    }
}

#[test]
fn the_same_holds_for_events() {
    let mut choices = Choices(2);
    let mut events = String::new();
    for _ in 0..8000 {
        events +=
            choices.of(&["data: ", "event: other\ndata: ", ": heard\ndata: ", "id: 1\ndata: "]);
        events += &choices.line();
        events += choices.of(&["\n\n", "\r\n\r\n", "\n"]);
    }
    let told = File::new("threads-sse", "[actions]\nsse-event-other = \"report\"\n");
    for format in ["text", "json"] {
        let framing = [
            "check",
            "--framing",
            "sse",
            "--statistics",
            "--policy",
            told.path(),
            "--format",
            format,
        ];
        assert!(stderr(&assert_same(&framing, events.as_bytes())).contains("sse-event-other"));
    }
}

#[test]
fn the_same_holds_for_what_is_hardly_there() {
    let cut = PING.trim_end();
    for input in ["", "\n", "\r\n \n", PING, cut, "{", "POST / HTTP/1.1\r\n\r\n"] {
        for arguments in [&["check"][..], &["check", "--statistics"], &["check", "-", "-"]] {
            assert_same(arguments, input.as_bytes());
        }
    }
}

#[test]
fn one_that_reads_no_more_ends_the_command_even_if_nothing_more_is_sent() {
    for threads in THREADS {
        let mut child = spawn(&["check", "--threads", threads]);
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, PING.repeat(1000).as_bytes()).unwrap();
        let start = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(start.elapsed() < Duration::from_secs(30), "{threads} threads"),
            }
            sleep(Duration::from_millis(5));
        };
        assert_eq!(status.code(), Some(0), "{threads} threads");
        drop(input);
    }
}

#[test]
fn there_are_as_many_threads_as_were_asked_for() {
    for (threads, code) in [("0", 2), ("1", 0), ("64", 0), ("65", 2), ("many", 2)] {
        let status = command(&["check", "session.jsonl", "--threads", threads])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(code), "{threads}");
    }
}
