//! What is accepted goes through byte by byte, in both directions.

use std::fs;

use crate::support::{Folder, ID_NULL, PING, Wrapped, through};

/// Client's messages of all kinds, in every way that a line may be written.
const ODD: &str = concat!(
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n",
    "\n",
    " \t\r\n",
    "{ \"jsonrpc\" : \"2.0\", \"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1e400}}\n",
    "  {\"id\":\"\\u0061\",\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"caf\u{e9}\",\"arguments\":{\"x\":1.0,\"x\":-0}}}  \n",
    "\r\n",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\r\r\n",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}",
);

#[test]
fn what_the_client_sends_arrives_byte_by_byte_however_it_is_cut() {
    let folder = Folder::new("c2s");
    for mode in ["gate", "observe"] {
        for piece in [1, 7, 64, 100_000] {
            let file = folder.path("seen");
            let script = format!("cat > '{file}'");
            let out =
                through(&["--mode", mode, "--log", "/dev/null"], &script, ODD.as_bytes(), piece);
            // The server leaves with the four requests unanswered.
            let told = out.split_inclusive(|&byte| byte == b'\n').count();
            assert_eq!(told, if mode == "gate" { 4 } else { 0 });
            assert_eq!(fs::read_to_string(&file).unwrap(), ODD, "{mode}, {piece}");
        }
    }
}

#[test]
fn what_the_server_sends_arrives_byte_by_byte_however_it_is_cut() {
    let said = concat!(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\": 1.50}}\r\n",
        "\n \r\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}  \r\n",
        " \t",
    );
    let folder = Folder::new("s2c");
    let file = folder.write("said", said);
    for mode in ["gate", "observe"] {
        for size in [1, 5, 4096] {
            let script = format!("dd if='{file}' bs={size} 2>/dev/null; cat > /dev/null");
            let out = through(&["--mode", mode, "--log", "/dev/null"], &script, b"", 1);
            assert_eq!(String::from_utf8_lossy(&out), said, "{mode}, {size}");
        }
    }
}

#[test]
fn a_line_goes_on_as_soon_as_it_is_complete() {
    let mut wrapped = Wrapped::script(
        &[],
        "read -r line; printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'; cat",
    );
    wrapped.send(&PING[..20]);
    wrapped.send(format!("{}\n{{\"jso", &PING[20..]));
    // The next is not complete, and does not hold this one back.
    assert_eq!(wrapped.line(), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
}

#[test]
fn nothing_is_held_back_or_said_where_it_is_only_observed() {
    let folder = Folder::new("observe");
    let (file, log) = (folder.path("seen"), folder.path("log"));
    let endless = "x".repeat(300_000);
    let input = format!("{ID_NULL}\nnot json\r\n{PING}\n{PING}\n[]\n{endless}\n{{\"cut");
    let policy = folder.write("policy.toml", "[limits]\nmessage-bytes = 1000\n");
    let script = format!("tee '{file}'");
    let options = ["--mode", "observe", "--log", &log, "--policy", &policy];
    let out = through(&options, &script, input.as_bytes(), 333);
    assert_eq!(fs::read(&file).unwrap(), input.as_bytes());
    assert_eq!(out, input.as_bytes());
    let rules: Vec<_> = crate::support::records(&log)
        .iter()
        .filter(|record| record["direction"] == "c2s")
        .map(|record| (record["rule"].as_str().unwrap().to_owned(), record["forwarded"].clone()))
        .collect();
    let expected = ["id-null", "not-json", "id-in-flight", "batch", "too-large", "not-json"];
    assert_eq!(rules, expected.map(|rule| (rule.to_owned(), true.into())));
}

#[test]
fn captured_sessions_pass_as_they_were() {
    let root = std::env::var_os("MCPARSE_CORPORA").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora"),
        std::path::PathBuf::from,
    );
    let Ok(captures) = fs::read_dir(root.join("captures")) else {
        let required =
            std::env::var_os("MCPARSE_CORPORA_REQUIRED").is_some_and(|value| value == "1");
        assert!(!required, "the corpora are required, and not at {}", root.display());
        println!("skipped: no corpora at {}", root.display());
        return;
    };
    let folder = Folder::new("captures");
    let mut count = 0;
    for capture in captures.map(|entry| entry.unwrap().path()) {
        let (sent, said) = (capture.join("001.c2s.jsonl"), capture.join("001.s2c.jsonl"));
        let (Ok(sent), true) = (fs::read(sent), said.exists()) else { continue };
        let seen = folder.path("seen");
        // Says all at once what the server said, before it has read a thing.
        let script = format!("cat '{}'; cat > '{seen}'", said.display());
        let said = fs::read(&said).unwrap();
        let options = ["--mode", "observe", "--log", "/dev/null"];
        assert_eq!(through(&options, &script, &sent, 1000), said);
        assert_eq!(fs::read(&seen).unwrap(), sent, "{}", capture.display());
        // A gate refuses nothing of these but ids that are still taken, since the
        // server seems to have answered before it was asked.
        let log = folder.path(&format!("log-{count}"));
        let out = through(&["--mode", "gate", "--log", &log], &script, &sent, 1000);
        let told = crate::support::records(&log);
        let refused: Vec<_> = told.iter().filter(|told| told["verdict"] == "refuse").collect();
        let name = capture.display();
        assert!(refused.iter().all(|told| told["rule"] == "id-in-flight"), "{name}: {refused:?}");
        assert!(out.starts_with(&said), "{name}");
        let is_refused = |at: usize| refused.iter().any(|told| told["line"] == at + 1);
        let lines = sent.split_inclusive(|&byte| byte == b'\n').enumerate();
        let passed: Vec<_> =
            lines.filter(|&(at, _)| !is_refused(at)).map(|(_, line)| line).collect();
        assert_eq!(fs::read(&seen).unwrap(), passed.concat(), "{name}");
        count += 1;
    }
    assert!(count > 0, "there are captures of stdio");
    println!("{count} captures");
}
