//! HTTP responses: their heads, and streams of events.

use mcparse::{Action, Answering, Message, Policy, ResponseHead, Rule, Sender, Summary, Validator};

use crate::support::{asked, error, named, plainly, result};

const JSON: (&str, &str) = ("Content-Type", "application/json");
const EVENTS: (&str, &str) = ("Content-Type", "text/event-stream");
const UNBUFFERED: (&str, &str) = ("X-Accel-Buffering", "no");

/// One verdict: accepted, or refused by a rule, and whether it is what the
/// client gets.
type Verdict = (Result<(), Rule>, bool);

fn judged(
    to: &Summary,
    status: u16,
    headers: &[(&str, &str)],
    body: &str,
) -> (Vec<Verdict>, Vec<&'static str>) {
    let head = ResponseHead::new(status, headers.iter().copied());
    let (mut verdicts, mut found) = (Vec::new(), Vec::new());
    let mut validator = Validator::new(Policy::strict());
    let findings = validator.check_http_answer(to, &head, body.as_bytes(), |verdict| {
        verdicts.push(match verdict {
            Ok(message) => {
                found.extend(message.findings().iter().map(Rule::id));
                (Ok(()), matches!(message, Message::Response(_)))
            }
            Err(violation) => {
                assert_eq!(violation.http_status(), 502);
                (Err(violation.rule()), violation.concerns_pending())
            }
        });
    });
    found.extend(findings.iter().map(Rule::id));
    (verdicts, found)
}

fn events(messages: &[&str]) -> String {
    messages.iter().flat_map(|message| ["data: ", message, "\n\n"]).collect()
}

fn called() -> String {
    named(r#""resultType":"complete","content":[]"#)
}

const PROGRESS: &str = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
const ANSWERED: Verdict = (Ok(()), true);

#[test]
fn a_request_is_answered_by_json_or_by_events() {
    let to = asked("tools/call");
    assert_eq!(judged(&to, 200, &[JSON], &called()), (vec![ANSWERED], vec![]));
    let body = events(&[PROGRESS, &called()]);
    let both = vec![(Ok(()), false), ANSWERED];
    assert_eq!(judged(&to, 200, &[EVENTS, UNBUFFERED], &body), (both.clone(), vec![]));
    let buffered = (both, vec!["sse-buffering-header"]);
    assert_eq!(judged(&to, 200, &[EVENTS], &body), buffered);
    for headers in [&[][..], &[("content-type", "text/html")], &[JSON, EVENTS]] {
        let refused = vec![(Err(Rule::AnswerContentType), true)];
        assert_eq!(judged(&to, 200, headers, &called()), (refused, vec![]));
    }
    let encoded = vec![(Err(Rule::ContentEncoding), true)];
    assert_eq!(judged(&to, 200, &[JSON, ("content-encoding", "gzip")], ""), (encoded, vec![]));
}

#[test]
fn a_request_is_answered_once() {
    let to = asked("tools/call");
    let on_stream =
        |messages: &[&str]| judged(&to, 200, &[EVENTS, UNBUFFERED], &events(messages)).0;
    let late = (Err(Rule::MessageAfterAnswer), false);
    let none = (Err(Rule::StreamWithoutAnswer), true);
    assert_eq!(on_stream(&[&called(), PROGRESS]), [ANSWERED, late]);
    assert_eq!(on_stream(&[&called(), &called()]), [ANSWERED, late]);
    assert_eq!(on_stream(&[&called(), "x"]), [ANSWERED, (Err(Rule::NotJson), false)]);
    assert_eq!(on_stream(&[&called(), &called().replace('7', "8")]), [ANSWERED, late]);
    assert_eq!(on_stream(&[]), [none]);
    assert_eq!(on_stream(&[PROGRESS]), [(Ok(()), false), none]);
    let refused = (Err(Rule::AnswerIdMismatch), true);
    assert_eq!(on_stream(&[&called().replace('7', "8"), &called()]), [refused, late]);
    // What is no message is not the answer, which may follow.
    let heartbeat = r#"{"type":"heartbeat"}"#;
    assert_eq!(on_stream(&[heartbeat, &called()]), [(Err(Rule::JsonrpcVersion), false), ANSWERED]);
    assert_eq!(on_stream(&[heartbeat]), [(Err(Rule::JsonrpcVersion), false), none]);
    // A body that is one message is it.
    let (json, _) = judged(&to, 200, &[JSON], heartbeat);
    assert_eq!(json, [(Err(Rule::JsonrpcVersion), true)]);
    assert_eq!(judged(&to, 200, &[JSON], "").0, [(Err(Rule::NotJson), true)]);
    assert_eq!(judged(&to, 200, &[JSON], PROGRESS).0, [(Ok(()), false), none]);
}

#[test]
fn a_server_of_the_handshake_era_may_go_on_behind_its_answer() {
    // Before 2026-07-28 it only *should* end the stream there, and whoever drops
    // a request of its own leaves it waiting.
    let to = plainly(Sender::Client, Policy::strict(), "tools/call", r#""name":"n""#);
    let answer = result(r#""content":[]"#);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let broken = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    let body = events(&[&answer, PROGRESS, ping, broken, &answer]);
    let (verdicts, findings) = judged(&to, 200, &[EVENTS], &body);
    let noise = (Err(Rule::ParamsShape), false);
    let second = (Err(Rule::MessageAfterAnswer), false);
    assert_eq!(verdicts, [ANSWERED, (Ok(()), false), (Ok(()), false), noise, second]);
    assert!(findings.is_empty());
}

#[test]
fn what_a_stream_holds_besides_messages_is_passed_over() {
    let to = asked("tools/call");
    let body =
        format!(": hello\n\nevent: ping\ndata: x\n\ndata:\n\n{}data: cut", events(&[&called()]));
    let (verdicts, findings) = judged(&to, 200, &[EVENTS, UNBUFFERED], &body);
    assert_eq!((verdicts, findings), (vec![ANSWERED], vec!["sse-event-cut"]));
}

#[test]
fn the_status_fits_the_answer() {
    let to = asked("tools/call");
    let odd = |status, body: &str| {
        let (verdicts, findings) = judged(&to, status, &[JSON], body);
        assert_eq!(verdicts, [ANSWERED], "{body}");
        findings.contains(&"answer-status")
    };
    let supported = r#"{"supported":["2026-07-28"],"requested":"1"}"#;
    for (status, body, is_odd) in [
        (200, called(), false),
        (400, called(), true),
        (202, called(), true),
        (404, error(-32601, ""), false),
        (200, error(-32601, ""), true),
        (400, error(-32020, ""), false),
        (404, error(-32022, supported), true),
        (200, error(-32602, ""), false),
        (500, error(-32603, ""), false),
    ] {
        assert_eq!(odd(status, &body), is_odd, "{status} {body}");
    }
    let legacy = plainly(Sender::Client, Policy::strict(), "ping", "");
    assert_eq!(judged(&legacy, 200, &[JSON], &error(-32601, "")), (vec![ANSWERED], vec![]));
}

#[test]
fn a_notification_is_answered_202_without_a_body() {
    let note = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let to = Validator::new(Policy::strict()).check(Sender::Client, note).unwrap().summary();
    assert_eq!(judged(&to, 202, &[], ""), (vec![], vec![]));
    assert_eq!(judged(&to, 202, &[("content-type", "text/plain")], ""), (vec![], vec![]));
    assert_eq!(judged(&to, 200, &[], ""), (vec![], vec!["answer-status"]));
    assert_eq!(
        judged(&to, 202, &[("content-type", "text/plain")], "ok"),
        (vec![], vec!["answer-status"])
    );
    assert_eq!(judged(&to, 403, &[("content-type", "text/plain")], "no"), (vec![], vec![]));
    let without = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}}"#;
    assert_eq!(judged(&to, 400, &[JSON], without), (vec![(Ok(()), true)], vec![]));
    let refused = vec![(Err(Rule::AnswerIdMismatch), false)];
    assert_eq!(judged(&to, 200, &[JSON], &result("")), (refused, vec!["answer-status"]));
}

#[test]
fn a_policy_may_let_more_follow() {
    let to = plainly(Sender::Client, Policy::strict(), "ping", "");
    let policy = Policy::strict().with_action(Rule::MessageAfterAnswer, Action::Report);
    let mut validator = Validator::new(policy);
    let mut answering = Answering::new(&to);
    assert!(!answering.is_answered() && answering.is_event_stream());
    let first = result("");
    assert!(validator.check_event(&mut answering, first.as_bytes()).is_ok());
    let second = validator.check_event(&mut answering, first.as_bytes()).unwrap();
    assert!(second.findings().contains(Rule::MessageAfterAnswer));
    assert!(answering.is_answered() && answering.finish().is_none());

    let policy = Policy::strict().with_action(Rule::AnswerStatus, Action::Refuse);
    let mut validator = Validator::new(policy);
    let head = ResponseHead::new(404, [JSON]);
    let mut answering = validator.check_answer_head(&to, &head).unwrap();
    let refused = validator.check_event(&mut answering, first.as_bytes()).unwrap_err();
    assert_eq!((refused.rule(), refused.concerns_pending()), (Rule::AnswerStatus, true));
    assert!(answering.finish().is_none());
}
