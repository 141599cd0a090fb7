//! What the client is told whose request got an answer that was refused.

use mcparse::{Kind, Policy, Sender, Summary, Validator, classify};

use crate::support::{asked, error, plainly, result};

/// Whether what was refused concerns the request, and what its client is told.
fn told(to: &Summary, message: &str) -> (bool, Option<String>) {
    let mut validator = Validator::new(Policy::strict());
    let violation = validator.check_answer(to, message.as_bytes()).unwrap_err();
    let mut out = Vec::new();
    let is_written = to.write_failure(&mut out, &violation);
    let text = String::from_utf8(out).unwrap();
    (violation.concerns_pending(), is_written.then_some(text))
}

#[test]
fn the_client_gets_an_internal_error_with_its_own_id() {
    let to = asked("tools/list");
    for (message, rule) in [
        (result("").replace('7', "8"), "answer-id-mismatch"),
        (error(-32042, ""), "error-code-retired"),
        (r#"{"jsonrpc":"2.0","id":7,"result":"#.to_owned(), "not-json"),
        ("{}".to_owned(), "jsonrpc-version"),
        ("[]".to_owned(), "batch"),
    ] {
        let (concerns, text) = told(&to, &message);
        let text = text.unwrap();
        assert!(concerns, "{message}");
        assert_eq!(classify(text.as_bytes()), Ok(Kind::Error), "{text}");
        let start = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"Internal error: the answer was refused: "#;
        assert!(text.starts_with(start), "{text}");
        assert!(text.ends_with(&format!(r#"","data":{{"rule":"{rule}"}}}}}}"#)), "{text}");
    }
}

#[test]
fn what_came_beside_the_answer_concerns_nobody() {
    let to = asked("tools/call");
    for message in [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#,
    ] {
        assert!(!told(&to, message).0, "{message}");
    }
    let hybrid = r#"{"jsonrpc":"2.0","id":7,"method":"x","result":{}}"#;
    assert!(told(&to, hybrid).0, "it has the request's own id");
}

#[test]
fn nobody_is_told_who_does_not_wait_or_is_not_known() {
    let long = format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"ping"}}"#, "i".repeat(63));
    let mut validator = Validator::new(Policy::strict());
    let to = validator.check(Sender::Client, long.as_bytes()).unwrap().summary();
    assert_eq!(told(&to, "{}"), (true, None), "its id was not kept");
    let own = long.replace(r#""method":"ping""#, r#""result":{}"#);
    assert!(validator.check_answer(&to, own.as_bytes()).is_ok(), "but is compared");

    let note = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let to = validator.check(Sender::Client, note).unwrap().summary();
    assert_eq!(told(&to, "{}"), (false, None));
    assert_eq!(told(&to, &result("")), (false, None), "a notification has no answer");
    let mut out = Vec::new();
    let to = plainly(Sender::Client, Policy::strict(), "ping", "");
    let violation = validator.check(Sender::Server, b"{}").unwrap_err();
    assert!(!violation.concerns_pending(), "judged with no request");
    assert!(to.write_failure(&mut out, &violation));
}

#[test]
fn a_refused_answer_tells_whom_it_answers() {
    let mut validator = Validator::new(Policy::strict());
    let mut answered = |from, message: &str| {
        let violation = validator.check(from, message.as_bytes()).unwrap_err();
        let id =
            violation.answered_id().map(|id| String::from_utf8_lossy(id.lexeme()).into_owned());
        assert!(
            id.is_none() || violation.id().is_none() && !violation.write_reply(&mut Vec::new())
        );
        id
    };
    let long = format!(r#"{{"jsonrpc":"2.0","id":"{}","result":7}}"#, "i".repeat(2000));
    for (message, id) in [
        (r#"{"jsonrpc":"2.0","id":2,"result":{},"error":{}}"#, Some("2")),
        (r#"{"jsonrpc":"2.0","id":9,"result":{},"Id":5}"#, Some("9")),
        (r#"{"id":"a","result":{}}"#, Some(r#""a""#)),
        (r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#, Some("1.0")),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}"#, Some("1")),
        // Nothing else has an id and no method.
        (r#"{"jsonrpc":"2.0","id":3}"#, Some("3")),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#, Some("1")),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{}}"#, None),
        (r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, None),
        (r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}"#, None),
        (long.as_str(), None),
        ("log: hello", None),
    ] {
        assert_eq!(answered(Sender::Server, message).as_deref(), id, "{message}");
    }
    let of_client = r#"{"jsonrpc":"2.0","id":4,"result":7}"#;
    assert_eq!(answered(Sender::Client, of_client).as_deref(), Some("4"));
    let call = r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}"#;
    assert_eq!(answered(Sender::Client, call), None, "a request answers nobody");
}
