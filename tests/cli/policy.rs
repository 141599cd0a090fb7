//! `--policy`, `--revision` and what is said of a detail.

use std::fs;
use std::process;

use crate::support::{File, code, lines, run, stderr, stdout};

const DEEP: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":{\"b\":1,\"b\":2}}}\n";

#[test]
fn the_policy_decides_what_is_refused() {
    let refuse = File::new("refuse", "[actions]\ndeep-duplicate = \"refuse\"\n");
    assert_eq!(code(&run(&["check"], DEEP)), 0);
    let output = run(&["check", "--policy", refuse.path()], DEEP);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("deep-duplicate at byte"), "{}", stdout(&output));
    let output = run(&["check", "--policy", "policy.toml"], DEEP);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("findings: deep-duplicate"), "{}", stdout(&output));
}

#[test]
fn limits_and_methods_of_the_policy_hold() {
    let acme = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"acme/search\",\"params\":{\"index\":\"notes\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n";
    let output = run(&["check", "--policy", "policy.toml"], acme);
    let said = "missing-capability at byte";
    assert!(stdout(&output).contains(said), "{}", stdout(&output));
    assert!(stdout(&output).contains("io.modelcontextprotocol/tasks"), "{}", stdout(&output));

    let limit = File::new("limit", "limits.message-bytes = 90\n");
    let input = format!("{DEEP}{}", "x".repeat(101));
    let output = run(&["check", "--policy", limit.path(), "--format", "json"], input);
    let rules: Vec<_> = lines(&output).iter().map(|line| line.get("rule").to_owned()).collect();
    assert_eq!(rules, ["\"too-large\"", "\"too-large\""]);
}

#[test]
fn a_policy_that_is_wrong_is_told_with_its_line_and_the_exit_code_2() {
    let wrong = File::new("wrong", "preset = \"strict\"\n\n[actions]\nid-nul = \"off\"\n");
    for subcommand in ["check", "rules"] {
        let output = run(&[subcommand, "--policy", wrong.path()], DEEP);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        let said = format!("{}:4: there is no rule \"id-nul\"; did you mean", wrong.path());
        assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    }
}

#[test]
fn a_policy_that_cannot_be_read_is_told() {
    let latin = std::env::temp_dir().join(format!("mcparse-{}-latin.toml", process::id()));
    fs::write(&latin, b"# caf\xe9\n").unwrap();
    for (path, said) in [
        ("absent.toml", "cannot read the policy absent.toml"),
        (".", "cannot read the policy ."),
        (latin.to_str().unwrap(), "is not UTF-8 at byte 5"),
    ] {
        let output = run(&["check", "--policy", path], DEEP);
        assert_eq!(code(&output), 2, "{path}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    fs::remove_file(latin).unwrap();
}

#[test]
fn one_revision_can_be_asked_for() {
    let list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    assert_eq!(code(&run(&["check"], list)), 0);
    assert_eq!(code(&run(&["check", "--revision", "auto"], list)), 0);
    assert_eq!(code(&run(&["check", "--revision", "2025-11-25"], list)), 0);
    let modern = run(&["check", "--revision", "2026-07-28"], list);
    assert_eq!(code(&modern), 1);
    assert!(stdout(&modern).contains("meta-missing"), "{}", stdout(&modern));
    // The revision stands above the policy's.
    let both = ["check", "--policy", "policy.toml", "--revision", "2025-06-18"];
    assert_eq!(code(&run(&both, list)), 0);

    let unknown = run(&["check", "--revision", "2025-11-26"], list);
    assert_eq!(code(&unknown), 2);
    assert!(stderr(&unknown).contains("2025-11-25"), "{}", stderr(&unknown));
}

#[test]
fn the_detail_stands_in_place_of_the_reason_and_has_its_own_field() {
    let call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":7}}\n";
    let text = run(&["check"], call);
    assert!(stdout(&text).ends_with(": params.name must be a string\n"), "{}", stdout(&text));
    let json = run(&["check", "--format", "json"], call);
    let line = &lines(&json)[0];
    assert_eq!(line.get("detail"), "\"params.name must be a string\"");
    assert_eq!(line.get("reason"), "\"the params are not what the method takes\"");
}
