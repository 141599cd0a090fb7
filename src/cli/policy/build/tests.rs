//! Policy files: the sample as it is meant, and what is wrong with others.

use super::*;

#[test]
fn the_sample_says_all_that_can_be_said() {
    let text = include_str!("../../../../tests/data/policy.toml");
    let policy = build(text).unwrap();
    let both = RevisionSet::MODERN.with(Revision::V2025_11_25);
    assert_eq!(policy.revisions(), both);
    assert_eq!(policy.origins(), Some(&["https://app.example", "http://localhost:3000"][..]));
    assert_eq!(policy.result_types(), ["task"]);
    assert_eq!(policy.action(Rule::IdUnsafeInteger), Action::Refuse);
    assert_eq!(policy.action(Rule::DeepDuplicate), Action::Report);
    assert_eq!(policy.action(Rule::ClientInfoMissing), Action::Off);
    assert_eq!(policy.action(Rule::Bom), Action::Refuse);
    let limits = Limits::new()
        .with_message_bytes(1 << 20)
        .with_depth(64)
        .with_id_bytes(128)
        .with_method_bytes(64)
        .with_name_bytes(1024)
        .with_header_bytes(4096)
        .with_members(128)
        .with_batch_messages(16);
    assert_eq!(*policy.limits(), limits);
    let methods = [
        ExtraMethod::new("acme/search", Kind::Request, Sender::Client)
            .with_revisions(RevisionSet::MODERN)
            .with_name_source("index"),
        ExtraMethod::new("notifications/acme/progress", Kind::Notification, Sender::Server),
    ];
    assert_eq!(policy.methods(), methods);
    let url = Capability::of_client("elicitation").with_part("url");
    let tasks = Capability::of_client("extensions").with_part("io.modelcontextprotocol/tasks");
    let requirements = [
        Requirement::new("tools/call", url).on("book_flight"),
        Requirement::new("acme/search", tasks),
    ];
    assert_eq!(policy.requirements(), requirements);
}

#[test]
fn an_empty_file_is_the_strict_policy_and_presets_are_those_of_the_library() {
    assert_eq!(build("").unwrap(), Policy::strict());
    for (text, policy) in [
        ("preset = \"strict\"", Policy::strict()),
        ("preset = \"spec\"", Policy::spec()),
        ("preset = \"observe\"", Policy::observe()),
        ("eras = [\"legacy\"]", Policy::strict().with_revisions(RevisionSet::LEGACY)),
        ("eras = [\"modern\", \"legacy\"]", Policy::strict()),
        ("batches = true", Policy::strict().with_batches(true)),
        (
            "batches = false\neras = [\"modern\"]",
            Policy::strict().with_revisions(RevisionSet::MODERN),
        ),
        ("origins = []", Policy::strict().with_origins(&[])),
        // What a fatal rule does anyway may be said.
        ("[actions]\nnot-json = \"refuse\"", Policy::strict()),
        (
            "limits.message-bytes = 1073741824",
            Policy::strict().with_limits(Limits::new().with_message_bytes(1 << 30)),
        ),
    ] {
        assert_eq!(build(text).unwrap(), policy, "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_what_would_be_right() {
    let mut wrong = Vec::new();
    for (text, line, said) in [
        ("\npresett = \"strict\"", 2, "there is no key \"presett\"; did you mean \"preset\"?"),
        ("preset = \"lax\"", 1, "no value \"lax\"; it may be \"strict\", \"spec\" or \"observe\""),
        ("preset = \"strickt\"", 1, "did you mean \"strict\"?"),
        ("preset = 1", 1, "\"preset\": it must be a string"),
        ("preset = \"strict\"\npreset = \"spec\"", 2, "duplicate key"),
        ("preset = strict", 1, ""),
        ("revisions = [\n \"2026-07-28\",\n \"2025-11-26\",\n]", 3, "did you mean \"2025-11-25\"?"),
        ("revisions = []", 1, "revisions is empty"),
        ("eras = []", 1, "eras is empty"),
        ("eras = [\"moden\"]", 1, "did you mean \"modern\"?"),
        ("revisions = [\"2026-07-28\"]\neras = [\"legacy\"]", 2, "give one of them"),
        ("origins = [\"app.example\"]", 1, "\"app.example\" must be a scheme, a host"),
        ("origins = [\"https://app.example/\"]", 1, "must be a scheme, a host"),
        ("[actions]\n\nid-nul = \"report\"", 3, "no rule \"id-nul\"; did you mean \"id-null\"?"),
        ("[actions]\nxyzzy = \"report\"", 2, "see `mcparse rules`"),
        ("[actions]\nnot-json = \"off\"", 2, "\"not-json\" is fatal and always refuses"),
        ("[actions]\nbom = \"refused\"", 2, "did you mean \"refuse\"?"),
        ("[limits]\ndept = 3", 2, "no limit \"dept\"; did you mean \"depth\"?"),
        ("[limits]\ndepth = 0", 2, "\"depth\" is 0; it must be from 1 to 8192"),
        ("[limits]\nid-bytes = 1\ndepth = 8193", 3, "must be from 1 to 8192"),
        ("[limits]\nmessage-bytes = 1073741825", 2, "must be from 1 to 1073741824"),
        ("[limits]\nmembers = -1", 2, "must be from 1 to"),
        ("[limits]\nbatch-message = 1", 2, "did you mean \"batch-messages\"?"),
        ("batches = \"yes\"", 1, "\"batches\": invalid type"),
        ("revisions = [\"2026-07-28\"]\nbatches = true", 2, "2025-03-26, which is not served"),
        ("[limits]\nmembers = \"many\"", 2, "\"members\": invalid type"),
        ("[[methods]]\nname = \"a/b\"\nkind = \"request\"", 1, "missing field \"sender\""),
        ("[[methods]]\nname = \"a\"\nkind = \"call\"\nsender = \"client\"", 3, "\"request\""),
        (
            "[[methods]]\nname = \"tools/call\"\nkind = \"request\"\nsender = \"client\"",
            2,
            "one of the protocol's",
        ),
        ("[[methods]]\nname = \"\"\nkind = \"request\"\nsender = \"client\"", 2, "empty"),
        ("[[methods]]\nnam = \"a\"", 2, "did you mean \"name\"?"),
        (
            "[[methods]]\nname = \"a\"\nkind = \"request\"\nsender = \"client\"\nrevisions = [\"x\"]",
            5,
            "no revision \"x\"",
        ),
        ("[[requirements]]\nmethod = \"a\"\ncapability = \"elicitation.\"", 3, "a name and a part"),
        ("[[requirements]]\nmethod = \"\"\ncapability = \"roots\"", 2, "no method \"\""),
        (
            "[[requirements]]\nmethod = \"tools/cal\"\ncapability = \"roots\"",
            2,
            "did you mean \"tools/call\"?",
        ),
        (
            "[[requirements]]\nmethod = \"tools/call\"\ncapability = \"elicit\"",
            3,
            "\"elicitation\"",
        ),
        ("[[requirements]]\nmethod = \"a\"\ncapabilty = \"x\"", 3, "did you mean \"capability\"?"),
    ] {
        match build(text) {
            Ok(_) => wrong.push(format!("{text}: no fault")),
            Err(fault) if fault.to_string().contains(said) && fault.line(text) == line => {}
            Err(fault) => wrong.push(format!("{text}: line {}: {fault}", fault.line(text))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_the_file_holds_cannot_write_to_the_terminal() {
    for text in [
        "\"\\u001b[2J\" = 1",
        "[actions]\n\"\\u001b[2J\" = \"off\"",
        "preset = \"\\u001b[2J\"",
        "origins = [\"\\u001b[2J\"]",
        "[limits]\n\"\\u001b[2J\" = 1",
        "preset = \u{1b}[2J",
    ] {
        let said = build(text).unwrap_err().to_string();
        assert!(!said.contains(char::is_control), "{said:?}");
    }
}
