//! Requests, and the verdicts on what answers them.

use mcparse::{Policy, Rule, Sender, Summary, Validator};

/// The capabilities of [`asked`]: all that is kept.
pub(crate) const ALL: &str = r#"{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},
    "extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

/// What is kept of a modern request with the id 7 and these capabilities.
pub(crate) fn asked_with(method: &str, params: &str, capabilities: &str) -> Summary {
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{params}"_meta":{{
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientInfo":{{"name":"c","version":"1"}},
            "io.modelcontextprotocol/clientCapabilities":{capabilities}}}}}}}"#
    );
    let mut validator = Validator::new(Policy::strict());
    validator.check(Sender::Client, request.as_bytes()).unwrap().summary()
}

/// The same with all capabilities.
pub(crate) fn asked(method: &str) -> Summary {
    let params = match method {
        "tools/call" | "prompts/get" => r#""name":"n","#,
        "resources/read" => r#""uri":"u","#,
        "completion/complete" => r#""ref":{},"argument":{},"#,
        "subscriptions/listen" => r#""notifications":{},"#,
        _ => "",
    };
    asked_with(method, params, ALL)
}

/// What is kept of a request with the id 7 that is as it stands.
pub(crate) fn plainly(from: Sender, policy: Policy, method: &str, params: &str) -> Summary {
    let request =
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{params}}}}}"#);
    Validator::new(policy).check(from, request.as_bytes()).unwrap().summary()
}

/// The rule that refuses, and else all that is reported, the same from both
/// lanes.
pub(crate) fn verdict(to: &Summary, message: &str) -> Result<Vec<&'static str>, Rule> {
    let [one, other] =
        [Validator::new(Policy::strict()), Validator::with_tape_alone(Policy::strict())].map(
            |mut validator| match validator.check_answer(to, message.as_bytes()) {
                Ok(message) => Ok(message.findings().iter().map(Rule::id).collect::<Vec<_>>()),
                Err(violation) => {
                    assert!(!violation.write_reply(&mut Vec::new()), "{message}");
                    assert_eq!(violation.http_status(), 502, "{message}");
                    Err((violation.rule(), violation.offset()))
                }
            },
        );
    assert_eq!(one, other, "{message}");
    one.map_err(|(rule, _)| rule)
}

/// A result with the id 7.
pub(crate) fn result(members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{{members}}}}}"#)
}

/// A result that says who its server is.
pub(crate) fn named(members: &str) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}"#;
    result(&format!("{members},{meta}"))
}

/// An error with the id 7.
pub(crate) fn error(code: i64, data: &str) -> String {
    let data = if data.is_empty() { String::new() } else { format!(r#","data":{data}"#) };
    format!(r#"{{"jsonrpc":"2.0","id":7,"error":{{"code":{code},"message":"m"{data}}}}}"#)
}
