//! What keeps the proxy from starting is said, and it exits with 2.

use std::process::Command;

#[test]
fn what_it_cannot_start_with_is_said() {
    let held = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = held.local_addr().unwrap().to_string();
    let good = "http://127.0.0.1:9/mcp";
    for (arguments, told) in [
        (vec!["--upstream", good, "--listen", &*taken], "cannot listen on"),
        (vec!["--upstream", "https://example.com/mcp"], "speaks TLS"),
        (vec!["--upstream", "127.0.0.1:3000"], "http://HOST"),
        (vec!["--upstream", "http://a b/"], "no URL"),
        (vec!["--upstream", good, "--policy", "/nowhere/policy.toml"], "/nowhere/policy.toml"),
        (vec!["--upstream", good, "--max-connections", "0"], "max-connections"),
        (vec!["--upstream", good, "--listen", "nowhere"], "--listen"),
        (vec![], "--upstream"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_mcparse"))
            .arg("proxy")
            .args(&arguments)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(told), "{arguments:?}: {said}");
        assert!(!said.contains("panicked") && output.stdout.is_empty(), "{said}");
    }
    drop(held);
}
