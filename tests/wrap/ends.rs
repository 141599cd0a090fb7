//! How it ends: by the server, by the client, and by time.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Folder, PATIENCE, PING, PONG, Wrapped, appears};

fn ping(id: u64) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n")
}

fn waits(script: &str, options: &[&str]) -> Wrapped {
    let mut wrapped = Wrapped::script(options, script);
    for id in 1..=3 {
        wrapped.send(ping(id));
    }
    wrapped
}

/// The ids and messages of the errors in the output.
fn failures(out: &[u8]) -> Vec<(Value, String)> {
    let lines = out.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let failure = |line| {
        let answer: Value = serde_json::from_slice(line).unwrap();
        (answer["id"].clone(), answer["error"]["message"].as_str().unwrap().to_owned())
    };
    lines.map(failure).collect()
}

#[test]
fn those_who_wait_are_answered_when_the_server_dies() {
    let mut wrapped = waits("read -r a; read -r b; read -r c; exit 3", &[]);
    let told = failures(&wrapped.rest());
    assert_eq!(
        told,
        [1, 2, 3].map(|id| (id.into(), "Internal error: the server has ended".to_owned()))
    );
    assert_eq!(wrapped.code(), 3);
}

#[test]
fn whoever_was_answered_is_not_answered_again() {
    let script = format!("read -r a; read -r b; read -r c; echo '{PONG}'; kill -9 $$");
    let mut wrapped = waits(&script, &[]);
    assert_eq!(wrapped.line(), PONG);
    let told: Vec<_> = failures(&wrapped.rest()).into_iter().map(|(id, _)| id).collect();
    assert_eq!(told, [2, 3]);
    assert_eq!(wrapped.code(), 128 + 9);
}

#[test]
fn a_message_that_dies_with_the_server_is_dropped_and_its_client_told() {
    let mut wrapped = waits(
        "read -r a; read -r b; read -r c; printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"resu'; exit 4",
        &[],
    );
    let told: Vec<_> = failures(&wrapped.rest()).into_iter().map(|(id, _)| id).collect();
    assert_eq!(told, [1, 2, 3]);
    assert_eq!(wrapped.code(), 4);
    assert!(wrapped.stderr().contains("line 1 of the server is refused: not-json"));
}

#[test]
fn a_last_answer_without_a_line_end_is_one_and_what_follows_begins_a_line() {
    let script = format!("read -r a; read -r b; read -r c; printf '%s' '{PONG}'");
    let wrapped = waits(&script, &[]);
    assert_eq!(wrapped.line(), PONG);
    assert_eq!(failures(&wrapped.rest()).len(), 2);
}

#[test]
fn nothing_is_said_in_a_dead_servers_place_where_it_is_only_observed() {
    let wrapped = waits("read -r a; read -r b; read -r c; printf '{\"cut'", &["--mode", "observe"]);
    assert_eq!(wrapped.rest(), b"{\"cut");
}

#[test]
fn the_exit_code_is_the_servers() {
    for code in [0, 1, 2, 7, 126, 255] {
        assert_eq!(Wrapped::script(&[], &format!("exit {code}")).code(), code);
    }
    assert_eq!(Wrapped::script(&[], "kill -15 $$").code(), 128 + 15);
}

#[test]
fn what_cannot_be_run_is_said_as_shells_do() {
    let folder = Folder::new("run");
    let file = folder.write("plain", "no program");
    let mut missing = Wrapped::command(&[], &["mcparse-no-such-command"]);
    assert_eq!(missing.code(), 127);
    let stderr = missing.stderr();
    assert!(stderr.starts_with("mcparse: cannot run mcparse-no-such-command: "), "{stderr}");
    let mut plain = Wrapped::command(&[], &[&file]);
    assert_eq!(plain.code(), 126);
    assert!(plain.stderr().contains("cannot run"));
}

#[test]
fn a_wrong_policy_or_log_is_said_before_anything_is_run() {
    let folder = Folder::new("wrong");
    let file = folder.path("ran");
    let policy = folder.write("policy.toml", "preset = \"loose\"\n");
    for options in [["--policy", &policy], ["--policy", "/no/such"], ["--log", "/no/such/log"]] {
        let mut wrapped = Wrapped::script(&options, &format!("touch '{file}'"));
        assert_eq!(wrapped.code(), 2, "{options:?}");
        assert!(wrapped.stderr().starts_with("mcparse: "));
    }
    assert!(!std::path::Path::new(&file).exists());
}

#[test]
fn a_server_goes_on_speaking_when_its_client_has_said_all() {
    let script = format!("read -r a; cat > /dev/null; sleep 0.3; echo '{PONG}'; exit 5");
    let mut wrapped = Wrapped::script(&[], &script);
    wrapped.say(PING);
    wrapped.close();
    assert_eq!(wrapped.rest(), format!("{PONG}\n").as_bytes());
    assert_eq!(wrapped.code(), 5);
}

#[test]
fn a_server_that_does_not_end_gets_sigterm_after_the_grace() {
    let begun = Instant::now();
    let mut wrapped =
        Wrapped::script(&["--grace", "0.4"], "trap 'exit 9' TERM; while :; do sleep 0.05; done");
    wrapped.close();
    assert_eq!(wrapped.code(), 9);
    let took = begun.elapsed();
    assert!(took >= Duration::from_millis(400) && took < PATIENCE, "{took:?}");
}

#[test]
fn a_server_that_does_not_heed_that_is_killed_after_another() {
    let begun = Instant::now();
    let mut wrapped = Wrapped::script(
        &["--grace", "0.3"],
        "trap '' TERM; echo '{}'; while :; do sleep 0.05; done",
    );
    wrapped.close();
    assert_eq!(wrapped.code(), 128 + 9);
    assert!(begun.elapsed() >= Duration::from_millis(600));
}

#[test]
fn a_server_whose_client_reads_no_more_is_ended() {
    let script = r#"trap 'exit 9' TERM; while sleep 0.02; do echo '{"jsonrpc":"2.0","id":1,"result":{}}'; done"#;
    let mut wrapped =
        Wrapped::unread(&["--grace", "0.3", "--log", "/dev/null"], &["sh", "-c", script]);
    drop(wrapped.child().stdout.take());
    // Its input is open as far as the client goes.
    assert_eq!(wrapped.code(), 9);
}

#[test]
fn a_server_that_closes_its_output_and_lives_answers_nothing_any_more() {
    let folder = Folder::new("silent");
    let file = folder.path("end");
    let script = format!("read -r a; exec >&-; cat > /dev/null; echo over > '{file}'; exit 6");
    let mut wrapped = Wrapped::script(&["--grace", "30"], &script);
    wrapped.say(PING);
    let told = failures(&wrapped.rest());
    assert_eq!(told.len(), 1);
    assert_eq!(wrapped.code(), 6);
    assert_eq!(appears(&file), "over\n", "its input was closed, and it had the time to end");
}

#[test]
fn what_a_server_cannot_hear_is_answered_with_an_error() {
    let folder = Folder::new("deaf");
    let (ready, go) = (folder.path("ready"), folder.path("go"));
    let script = format!(
        "read -r a; exec <&-; touch '{ready}'; while ! [ -e '{go}' ]; do sleep 0.02; done; echo '{PONG}'"
    );
    let mut wrapped = Wrapped::script(&[], &script);
    wrapped.say(PING);
    appears(&ready);
    for id in 2..=4 {
        wrapped.send(ping(id));
        let answer = wrapped.json();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id.into(), &(-32603).into()));
    }
    // What it had heard it may still answer.
    folder.write("go", "");
    assert_eq!(wrapped.line(), PONG);
    assert_eq!(wrapped.rest(), b"");
    assert_eq!(wrapped.code(), 0);
}

#[test]
fn what_a_process_left_behind_holds_open_is_not_waited_for() {
    let begun = Instant::now();
    let mut wrapped = Wrapped::script(&["--grace", "0.3"], "read -r a; sleep 20 & exit 8");
    wrapped.say(PING);
    assert_eq!(failures(wrapped.line().as_bytes()).len(), 1);
    assert_eq!(wrapped.code(), 8);
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn what_was_sent_to_a_server_that_had_ended_is_answered_too() {
    for _ in 0..10 {
        let mut wrapped = Wrapped::script(&[], "exit 3");
        let mut sent = wrapped.take_stdin();
        // It may be over before that; then nobody waits.
        let is_sent = sent.write_all(format!("{PING}\n").as_bytes()).is_ok();
        let out = wrapped.rest();
        assert!(!is_sent || failures(&out).len() == 1, "{}", String::from_utf8_lossy(&out));
        assert_eq!(wrapped.code(), 3);
    }
}

#[test]
fn a_client_that_sends_on_and_on_does_not_keep_a_dead_server() {
    let mut wrapped = Wrapped::script(&["--log", "/dev/null"], "exit 3");
    let mut stdin = wrapped.take_stdin();
    let writer = std::thread::spawn(move || {
        let mut sent = 0_u64;
        while stdin.write_all(ping(sent).as_bytes()).is_ok() {
            sent += 1;
        }
        sent
    });
    let out = wrapped.rest();
    assert_eq!(wrapped.code(), 3);
    assert!(writer.join().unwrap() > 0);
    // Whole lines, the last one too.
    assert!(out.is_empty() || out.ends_with(b"\n"));
    failures(&out);
}
