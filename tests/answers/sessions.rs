//! Answers in the legacy era, whose revisions have no `resultType` and whose
//! servers send requests of their own.

use mcparse::{Policy, Revision, RevisionSet, Rule, Sender};

use crate::support::{error, plainly, result, verdict};

fn of(revision: Revision) -> Policy {
    Policy::strict().with_revisions(RevisionSet::only(revision))
}

#[test]
fn nothing_modern_is_asked_of_legacy_answers() {
    let to = plainly(Sender::Client, Policy::strict(), "tools/list", "");
    for message in [
        result(r#""tools":[]"#),
        result(r#""tools":[],"resultType":7,"ttlMs":"x""#),
        error(-32042, ""),
        error(-32002, ""),
    ] {
        assert_eq!(verdict(&to, &message), Ok(vec![]), "{message}");
    }
    assert_eq!(verdict(&to, &result("")), Err(Rule::ResultShape));
    assert_eq!(
        verdict(&to, &result(r#""tools":[]"#).replace('7', "8")),
        Err(Rule::AnswerIdMismatch)
    );
}

#[test]
fn a_shape_is_broken_only_if_it_is_in_all_revisions() {
    let array = result(r#""content":[],"structuredContent":[]"#);
    let call = |revision| plainly(Sender::Client, of(revision), "tools/call", r#""name":"n""#);
    assert_eq!(verdict(&call(Revision::V2025_03_26), &array), Ok(vec![]));
    assert_eq!(verdict(&call(Revision::V2025_11_25), &array), Err(Rule::ResultShape));
    let any = plainly(Sender::Client, Policy::strict(), "tools/call", r#""name":"n""#);
    assert_eq!(verdict(&any, &array), Ok(vec![]));

    let task = result(r#""task":{"taskId":"t"}"#);
    assert_eq!(verdict(&call(Revision::V2025_11_25), &task), Ok(vec![]));
    assert_eq!(verdict(&call(Revision::V2025_06_18), &task), Err(Rule::ResultShape));
}

#[test]
fn a_client_answers_the_requests_of_a_server() {
    let latest = of(Revision::V2025_11_25);
    let to = |method, params| plainly(Sender::Server, latest, method, params);
    let sample = to("sampling/createMessage", r#""messages":[],"maxTokens":1"#);
    let text = r#"{"type":"text","text":"t"}"#;
    let said =
        |content: &str| result(&format!(r#""role":"assistant","model":"m","content":{content}"#));
    assert_eq!(verdict(&sample, &said(text)), Ok(vec![]));
    assert_eq!(verdict(&sample, &said(&format!("[{text}]"))), Ok(vec![]));
    assert_eq!(verdict(&sample, &said("\"t\"")), Err(Rule::ResultShape));
    let older = plainly(
        Sender::Server,
        of(Revision::V2025_06_18),
        "sampling/createMessage",
        r#""messages":[],"maxTokens":1"#,
    );
    assert_eq!(verdict(&older, &said(&format!("[{text}]"))), Err(Rule::ResultShape));

    let asked = to("elicitation/create", r#""message":"m","requestedSchema":{}"#);
    assert_eq!(verdict(&asked, &result(r#""action":"decline""#)), Ok(vec![]));
    assert_eq!(verdict(&asked, &result(r#""action":"maybe""#)), Err(Rule::ResultShape));
    assert_eq!(verdict(&to("roots/list", ""), &result(r#""roots":{}"#)), Err(Rule::ResultShape));
    assert_eq!(verdict(&to("ping", ""), &result("")), Ok(vec![]));
}

#[test]
fn a_server_may_ask_while_a_legacy_request_waits() {
    let to = plainly(Sender::Client, of(Revision::V2025_06_18), "tools/call", r#""name":"n""#);
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    assert_eq!(verdict(&to, request), Ok(vec![]));
    assert_eq!(
        verdict(&to, &request.replace("roots/list", "tools/list")),
        Err(Rule::MethodOfOtherSender)
    );
}
