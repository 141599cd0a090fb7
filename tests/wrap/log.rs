//! What `--log` tells.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, ID_NULL, PING, PONG, Wrapped, records};

/// Two refused messages, one with a finding, and two that break nothing.
fn talk(options: &[&str]) -> String {
    let script =
        format!("read -r a; echo '{PONG}'; echo '{PONG}'; echo 'no json'; cat > /dev/null");
    let mut wrapped = Wrapped::script(options, &script);
    wrapped.say(PING);
    assert_eq!(wrapped.line(), PONG);
    assert_eq!(wrapped.line(), PONG);
    wrapped.say(ID_NULL);
    wrapped.json();
    wrapped.close();
    wrapped.rest();
    wrapped.code();
    wrapped.stderr()
}

#[test]
fn each_message_that_broke_a_rule_is_an_object_in_a_line() {
    let folder = Folder::new("log");
    let log = folder.path("log");
    assert_eq!(talk(&["--log", &log]), "", "nothing is said on standard error");
    let told = records(&log);
    let of = |direction: &str| {
        let told = told.iter().filter(move |record| record["direction"] == direction);
        told.collect::<Vec<_>>()
    };
    assert_eq!((told.len(), of("c2s").len(), of("s2c").len()), (3, 1, 2));
    let client = of("c2s")[0];
    assert_eq!(client["verdict"], "refuse");
    assert_eq!(client["rule"], "id-null");
    assert_eq!((&client["line"], &client["bytes"]), (&json!(2), &json!(ID_NULL.len())));
    assert_eq!(client["forwarded"], false);
    let twice = of("s2c")[0];
    assert_eq!(
        (&twice["verdict"], &twice["id"], &twice["forwarded"]),
        (&json!("accept"), &json!(1), &json!(true))
    );
    assert_eq!(twice["findings"], json!(["answer-twice"]));
    assert_eq!(of("s2c")[1]["rule"], "not-json");
    let text = fs::read_to_string(&log).unwrap();
    for line in text.lines() {
        assert!(line.starts_with("{\"time\":\"20") && line.get(32..34) == Some("Z\""), "{line}");
        let expected = [
            "time",
            "direction",
            "verdict",
            "rule",
            "reason",
            "detail",
            "id",
            "method",
            "findings",
            "line",
            "bytes",
            "forwarded",
        ];
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value.as_object().unwrap().len(), expected.len());
        let mut at = 0;
        for name in expected {
            let name = format!("\"{name}\":");
            at += line[at..].find(&name).unwrap_or_else(|| panic!("{name} in its place in {line}"));
        }
    }
}

#[test]
fn every_message_is_told_if_that_is_asked_for() {
    let folder = Folder::new("log-all");
    let log = folder.path("log");
    talk(&["--log", &log, "--log-all"]);
    let told = records(&log);
    assert_eq!(told.len(), 5);
    let ping = told.iter().find(|record| record["method"] == "ping").unwrap();
    assert_eq!(
        (&ping["verdict"], &ping["rule"], &ping["id"]),
        (&json!("accept"), &Value::Null, &json!(1))
    );
}

#[test]
fn a_log_is_appended_to_and_bounded() {
    let folder = Folder::new("log-bound");
    let log = folder.write("log", &"{}\n".repeat(1300));
    let script = "cat > /dev/null";
    let mut wrapped = Wrapped::script(&["--log", &log, "--log-bytes", "4096"], script);
    for _ in 0..60 {
        wrapped.say(ID_NULL);
        wrapped.json();
    }
    wrapped.close();
    wrapped.rest();
    let (now, before) = (fs::read(&log).unwrap(), fs::read(format!("{log}.1")).unwrap());
    assert!(now.len() <= 4096 && before.len() <= 4096, "{} and {}", now.len(), before.len());
    assert!(!before.starts_with(b"{}"), "the first was replaced");
    assert!(records(&log).len() > 1, "whole lines");
}

#[test]
fn text_of_a_peers_is_told_cut_or_not_at_all() {
    let folder = Folder::new("log-text");
    let log = folder.path("log");
    let policy =
        folder.write("policy.toml", "[limits]\nid-bytes = 100000\nmethod-bytes = 100000\n");
    let mut wrapped =
        Wrapped::script(&["--log", &log, "--policy", &policy, "--log-all"], "cat > /dev/null");
    for (id, method) in [(254, 256), (255, 257)] {
        let (id, method) = ("i".repeat(id), "m".repeat(method));
        wrapped.say(&format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}"}}"#));
    }
    wrapped.say(&format!("{}\u{1b}[2J", "z".repeat(100_000)));
    wrapped.json();
    wrapped.close();
    wrapped.rest();
    let told = records(&log);
    assert_eq!(told[0]["id"].as_str().unwrap().len(), 254);
    assert_eq!(told[0]["method"].as_str().unwrap().len(), 256);
    assert_eq!((&told[1]["id"], &told[1]["method"]), (&Value::Null, &Value::Null));
    assert_eq!(told[2]["bytes"], 100_004);
    assert!(told[2].to_string().len() < 1000);
}

#[test]
fn so_many_refusals_are_told_on_standard_error_and_no_more() {
    for (count, told) in [(100, 100), (101, 101), (200, 101)] {
        let mut wrapped = Wrapped::script(&[], "cat > /dev/null");
        for _ in 0..count {
            wrapped.say(ID_NULL);
            wrapped.json();
        }
        wrapped.close();
        wrapped.rest();
        let stderr = wrapped.stderr();
        assert_eq!(stderr.lines().count(), told);
        assert_eq!(stderr.contains("no more is said here"), count > 100);
    }
}
