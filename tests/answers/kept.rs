//! What is kept of a request has a bound: at it, all can be told again; past it,
//! ids and names are still told apart.

use mcparse::{Policy, Sender, Summary, Validator, Violation};

/// What is kept of a call with an id, on a name and under a token of so many
/// bytes, as they are written.
fn kept(id: usize, name: usize, token: usize) -> Summary {
    let text = |bytes: usize| "x".repeat(bytes);
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":"{}","method":"tools/call","params":{{"name":"{}","_meta":{{"progressToken":"{}"}}}}}}"#,
        text(id - 2),
        text(name),
        text(token - 2)
    );
    Validator::new(Policy::strict()).check(Sender::Client, request.as_bytes()).unwrap().summary()
}

/// An answer under an id of so many bytes that ends so.
fn answer(id: usize, end: &str) -> String {
    let id = "x".repeat(id - 2 - end.len()) + end;
    format!(r#"{{"jsonrpc":"2.0","id":"{id}","result":{{"content":[]}}}}"#)
}

#[test]
fn an_id_of_64_bytes_is_kept_and_one_of_65_is_still_told_apart() {
    let mut validator = Validator::new(Policy::strict());
    for (bytes, is_kept) in [(64, true), (65, false), (1024, false)] {
        let to = kept(bytes, 1, 3);
        assert_eq!(to.id().is_some(), is_kept, "{bytes}");
        assert!(validator.check_answer(&to, answer(bytes, "").as_bytes()).is_ok(), "{bytes}");
        let other = answer(bytes, "y");
        let refused = validator.check_answer(&to, other.as_bytes()).unwrap_err();
        assert_eq!(refused.rule().id(), "answer-id-mismatch", "{bytes}");
        let failure = failure(&to, &refused);
        assert_eq!(failure.contains(&"x".repeat(bytes - 2)), is_kept, "{failure}");
        assert_eq!(failure.contains("\"id\""), is_kept, "{failure}");
    }
}

/// What the client is told whose answer was refused.
fn failure(to: &Summary, refused: &Violation<'_>) -> String {
    let mut failure = Vec::new();
    to.write_failure(&mut failure, refused);
    String::from_utf8(failure).unwrap()
}

#[test]
fn a_name_of_64_bytes_is_kept_and_one_of_65_is_still_told_apart() {
    for (bytes, is_kept) in [(64, true), (65, false), (4096, false)] {
        let one = kept(3, bytes, 3);
        assert_eq!(one.name().is_some(), is_kept, "{bytes}");
        assert_eq!(one.differences(&kept(3, bytes, 3)).count(), 0);
        let told: Vec<_> =
            one.differences(&kept(3, bytes + 1, 3)).map(|told| told.to_string()).collect();
        assert_eq!(told, ["name was changed"], "{bytes}");
    }
}

#[test]
fn a_summary_is_small() {
    let bytes = size_of::<Summary>();
    assert!(bytes <= 512, "{bytes}");
}
