//! `--framing log`: a direction in each line.

use std::fs;

use crate::support::{Folder, Line, code, lines, run, stderr, stdout};

const LOG: [&str; 5] = ["check", "--framing", "log", "--format", "json"];
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

fn get<'o>(lines: &[Line<'o>], name: &str) -> Vec<&'o str> {
    lines.iter().map(|line| line.get(name)).collect()
}

/// A record that holds the message, as JSON or as a string.
fn entry(name: &str, direction: &str, message: &str) -> String {
    format!("{{\"t\":0.1,\"{name}\":\"{direction}\",\"message\":{message}}}\n")
}

#[test]
fn the_record_says_who_sent_its_message() {
    for (client, server) in
        [("client", "server"), ("c2s", "s2c"), ("client-to-server", "server-to-client")]
    {
        for name in ["direction", "dir", "d"] {
            let string = serde_json::to_string(PONG).unwrap();
            // A ping that the message alone does not tell to be the server's.
            let input = entry(name, server, PING)
                + &entry(name, client, PONG)
                + &entry(name, client, PING).replace("message", "text")
                + &entry(name, server, &string);
            let output = run(&LOG, input.clone());
            assert_eq!((code(&output), stderr(&output)), (0, ""));
            let of = lines(&output);
            let told = ["\"server\"", "\"client\"", "\"client\"", "\"server\""];
            assert_eq!(get(&of, "sender"), told, "{name} {client}");
            assert_eq!(get(&of, "answers"), ["null", "1", "null", "1"]);
            assert_eq!(get(&of, "line"), ["1", "2", "3", "4"]);
            for line in &of[..3] {
                let offset: usize = line.get("offset").parse().unwrap();
                assert!(input[offset..].starts_with("{\"jsonrpc\""), "{offset}");
            }
        }
    }
}

#[test]
fn a_log_is_a_conversation() {
    let (asked, answered) = (entry("dir", "c2s", PING), entry("dir", "s2c", PONG));
    let input = [&*asked, &*answered, &*answered, &*asked, &*asked].concat();
    let output = run(&LOG, input.clone());
    assert_eq!(code(&output), 1);
    let of = lines(&output);
    assert_eq!(get(&of, "findings")[2], "[\"answer-twice\"]");
    assert_eq!(get(&of, "rule")[4], "\"id-in-flight\"");
    let alone = run(&[&LOG[..], &["--alone"]].concat(), input.clone());
    assert_eq!((code(&alone), get(&lines(&alone), "findings")), (0, vec!["[]"; 5]));
    let classified = run(&["classify", "--framing", "log"], input);
    assert_eq!((code(&classified), stdout(&classified).lines().count()), (0, 5));
}

#[test]
fn a_log_is_a_conversation_from_its_first_record_on() {
    let rules = run(&["rules", "--format", "json"], "");
    let between = lines(&rules);
    let between = between.iter().filter(|line| line.get("stage") == "\"exchange\"");
    let mut shown = 0;
    for rule in between.map(|line| line.get("rule")) {
        let explained = run(&["explain", rule.trim_matches('"')], "");
        let (_, examples) = stdout(&explained).split_once("\nBroken").unwrap();
        let (broken, _) = examples.split_once("\nRight").unwrap();
        let (heading, turns) = broken.split_once('\n').unwrap();
        let turns = turns.lines().filter_map(|line| line.trim().split_once(": "));
        let input: String = turns.map(|(from, message)| entry("dir", from, message)).collect();
        // Some are only broken over HTTP, or where there is less room.
        if input.is_empty() || heading.contains("HTTP") || rule == "\"exchange-full\"" {
            continue;
        }
        let output = run(&LOG, input);
        let last = lines(&output).pop().unwrap();
        let found = last.get("rule") == rule || last.get("findings").contains(rule);
        assert!(found, "{rule}: {}", last.text);
        shown += 1;
    }
    assert!(shown > 15, "{shown}");
}

#[test]
fn what_is_no_record_is_pointed_out_and_the_next_one_read() {
    for (wrong, said) in [
        (
            PING.to_owned() + "\n",
            "stdin:2: no record of a log: \"direction\" (or \"dir\", \"d\") is missing",
        ),
        (entry("dir", "in", PING), "\"dir\" is \"in\"; it may be \"client\", \"c2s\" or"),
        (entry("d", "c2s", PING).replace("\"c2s\"", "1"), "\"d\" is 1; it may be"),
        ("{\"dir\":\"c2s\"}\n".to_owned(), "neither a \"message\" (or \"text\") nor a \"len\""),
        (
            "{\"dir\":\"c2s\",\"d\":\"s2c\"}\n".to_owned(),
            "\"dir\" stands beside \"d\", which is the same",
        ),
        ("{\"dir\":\"c2s\",\"dir\":\"s2c\"}\n".to_owned(), "a member is given twice"),
        ("{\"dir\":\"c2s\",\"len\":-1}\n".to_owned(), "\"len\" must be a number of bytes"),
        ("[1]\n".to_owned(), "stdin:2: no record of a log: not a JSON object"),
        ("no json\n".to_owned(), "stdin:2: no record of a log: not JSON at byte 1"),
        ("{\"dir\":\"c2s\",\"len\":3}\n".to_owned(), "not called NAME.order.jsonl"),
    ] {
        let input = entry("dir", "c2s", PING) + &wrong + &entry("dir", "s2c", PONG);
        let output = run(&LOG, input);
        assert_eq!(code(&output), 2, "{said}");
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
        assert!(!stderr(&output).contains("line 1"), "{said}: {}", stderr(&output));
        assert_eq!(get(&lines(&output), "line"), ["1", "3"], "{said}");
    }
    let output = run(&[&LOG[..], &["--from", "client"]].concat(), "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("leave --from out"), "{}", stderr(&output));
}

#[test]
fn messages_that_are_read_as_a_log_are_pointed_out_once() {
    let output = run(&LOG, format!("{PING}\n{PONG}\n{PING}\n"));
    assert_eq!((code(&output), stdout(&output)), (2, ""));
    let said = "mcparse: stdin: these are messages; leave out --framing log\n";
    assert_eq!(stderr(&output).matches(said).count(), 1, "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("is missing").count(), 3);
}

#[test]
fn a_log_that_is_read_as_lines_is_pointed_out_once() {
    let said = "mcparse: stdin: this looks like a log: try --framing log\n";
    let log = entry("dir", "c2s", PING) + &entry("dir", "s2c", PONG);
    for subcommand in ["check", "classify"] {
        let output = run(&[subcommand], log.clone());
        assert_eq!((code(&output), stderr(&output)), (1, said));
        assert_eq!(stdout(&output).lines().count(), 2);
    }
    // A message may have members of any name.
    let message = PING.replace('}', ",\"dir\":\"c2s\",\"text\":1}\n");
    assert_eq!(stderr(&run(&["check"], message)), "");
}

#[test]
fn a_log_of_reads_puts_two_streams_in_order() {
    let folder = Folder::new("reads");
    let sent = format!("{PING}\n{PING}");
    let heard = format!("{PONG}\n{PONG}\n");
    fs::write(folder.path("s.c2s.jsonl"), &sent).unwrap();
    fs::write(folder.path("s.s2c.jsonl"), &heard).unwrap();
    let log = folder.path("s.order.jsonl");
    let (first, half) = (PING.len() + 1, PONG.len() / 2);
    let read = |direction: &str, len: usize| format!("{{\"d\":\"{direction}\",\"len\":{len}}}\n");
    // The second message of the client has no line end.
    let order = read("c2s", first)
        + &read("s2c", half)
        + &read("c2s", PING.len())
        + &read("s2c", heard.len() - half);
    fs::write(&log, &order).unwrap();
    let output = run(&[&LOG[..], &[&log]].concat(), "");
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    let of = lines(&output);
    assert_eq!(get(&of, "line"), ["1", "1", "2", "2"]);
    let told = ["\"client\"", "\"server\"", "\"server\"", "\"client\""];
    assert_eq!(get(&of, "sender"), told);
    assert!(of[0].get("source").ends_with("s.c2s.jsonl\""), "{}", of[0].text);
    assert_eq!(
        get(&of, "offset")[1..],
        ["0", &*heard.find('\n').map(|at| (at + 1).to_string()).unwrap(), &*first.to_string()]
    );

    for (order, said) in [
        (read("c2s", first), "follows byte 41 is in no read"),
        (read("c2s", sent.len() + 1) + &read("c2s", 1), "ends inside a read; the reads behind it"),
    ] {
        fs::write(&log, &order).unwrap();
        let output = run(&[&LOG[..], &[&log]].concat(), "");
        assert_eq!(code(&output), 2);
        assert_eq!(stderr(&output).matches(said).count(), 1, "{}", stderr(&output));
    }
    fs::remove_file(folder.path("s.c2s.jsonl")).unwrap();
    let output = run(&[&LOG[..], &[&log]].concat(), "");
    assert!(code(&output) == 2 && stderr(&output).contains("cannot read"), "{}", stderr(&output));
}

#[test]
fn a_line_over_the_limit_is_of_its_side() {
    let folder = Folder::new("long");
    let line = "x".repeat((4 << 20) + 1);
    fs::write(folder.path("s.s2c.jsonl"), &line).unwrap();
    let log = folder.path("s.order.jsonl");
    fs::write(&log, format!("{{\"d\":\"s2c\",\"len\":{}}}\n", line.len())).unwrap();
    let output = run(&[&LOG[..], &[&log]].concat(), "");
    let of = lines(&output);
    assert_eq!(get(&of, "rule"), ["\"too-large\""]);
    assert_eq!((of[0].get("sender"), of[0].get("reply")), ("\"server\"", "null"));
}
