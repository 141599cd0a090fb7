//! Signals reach the server.

use crate::support::{PING, Wrapped};

fn signal(pid: u32, name: &str) {
    let status = std::process::Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(status.unwrap().success());
}

#[test]
fn signals_are_passed_on_and_the_server_decides() {
    for (name, trap) in [("-TERM", "TERM"), ("-INT", "INT"), ("-HUP", "HUP")] {
        let script = format!(
            "trap 'exit 7' {trap}; echo '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}}'; while :; do sleep 0.02; done"
        );
        let mut wrapped = Wrapped::script(&[], &script);
        // It has set its trap.
        wrapped.line();
        wrapped.say(PING);
        signal(wrapped.pid(), name);
        assert_eq!(wrapped.code(), 7, "{name}");
        let rest = String::from_utf8(wrapped.rest()).unwrap();
        assert!(rest.contains("the server has ended"), "{rest}");
    }
}

#[test]
fn a_server_that_a_signal_ends_says_so_by_the_exit_code() {
    let mut wrapped = Wrapped::script(
        &[],
        "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}'; while :; do sleep 0.02; done",
    );
    wrapped.line();
    signal(wrapped.pid(), "-TERM");
    assert_eq!(wrapped.code(), 128 + 15);
}
