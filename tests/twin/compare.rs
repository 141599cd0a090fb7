//! Where the twin and `mcparse` meet: the same message to both, and every
//! word of the two verdicts compared.

use std::fmt;

use mcparse::{ErrorCode, Message, Policy, RequestHead, RuleSet, Sender, Validator, Violation};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::head::Head;
use super::judge::{Accepted, Answer, Refused, Verdict, check, check_answer, check_http};
use super::read::{Value, read};
use super::truth::{self, INVALID_REQUEST, PARSE_ERROR};

/// `classify`, against the plain function of the parsed value.
pub(crate) fn same_kind(bytes: &[u8]) {
    let policy = Policy::strict();
    let limits = policy.limits();
    let truth = if bytes.len() > limits.message_bytes {
        Err(INVALID_REQUEST)
    } else {
        match read(bytes, limits.depth, |_| true) {
            Ok((value, _)) => truth::kind(value),
            Err(_) => Err(PARSE_ERROR),
        }
    };
    let ours = mcparse::classify(bytes);
    assert_eq!(ours.map_err(ErrorCode::get), truth, "the kind of {}", shown(bytes));
    let by_tape = Validator::with_tape_alone(policy).classify(bytes);
    assert_eq!(by_tape, ours, "the kind by the tape of {}", shown(bytes));
}

/// `check`, whichever lane reads, against every rule in words.
pub(crate) fn same_verdict(validator: &mut Validator, from: Sender, bytes: &[u8]) {
    same_verdict_by(validator, from, bytes);
    let policy = *validator.policy();
    same_verdict_by(&mut Validator::with_tape_alone(policy), from, bytes);
}

fn same_verdict_by(validator: &mut Validator, from: Sender, bytes: &[u8]) {
    let policy = *validator.policy();
    let twin = check(&policy, from, bytes);
    same(&validator.check(from, bytes), &twin, bytes, &format!("{from} by {policy:?}"));
}

/// `check_http`, whichever lane reads.
pub(crate) fn same_verdict_http(validator: &mut Validator, head: &Head, body: &[u8]) {
    let policy = *validator.policy();
    let twin = check_http(&policy, head, body);
    let about = format!("{head:?} by {policy:?}");
    let pairs = head.headers.iter().map(|(name, value)| (name, value));
    let ours = RequestHead::new(&head.method, pairs);
    same(&validator.check_http(&ours, body), &twin, body, &about);
    let mut by_tape = Validator::with_tape_alone(policy);
    same(&by_tape.check_http(&ours, body), &twin, body, &about);
}

fn same(ours: &Result<Message<'_>, Violation<'_>>, twin: &Verdict<'_>, bytes: &[u8], about: &str) {
    match (ours, twin) {
        (Ok(ours), Verdict::Accept(twin)) => same_message(ours, twin, bytes),
        (Err(ours), Verdict::Refuse(twin)) => {
            let offset = twin.offset.and(Some(ours.offset()));
            let said = (ours.rule(), ours.code().get(), ours.http_status(), offset);
            let offset = twin.offset.map(|offset| offset as u64);
            let expected = (twin.rule, twin.code, twin.status, offset);
            assert_eq!(said, expected, "the violation of {} {about}", shown(bytes));
            same_answer(ours, twin, bytes);
        }
        _ => panic!("one refuses {}\n {about}\n ours: {ours:?}\n twin: {twin:?}", shown(bytes)),
    }
}

/// `check_answer`, whichever lane reads. False if the request is not accepted,
/// and so has no answer to compare.
pub(crate) fn same_answer_verdict(
    policy: Policy,
    from: Sender,
    request: &[u8],
    bytes: &[u8],
) -> bool {
    let Some((twin, concerns)) = check_answer(&policy, from, request, bytes) else {
        return false;
    };
    for mut validator in [Validator::new(policy), Validator::with_tape_alone(policy)] {
        let to = validator.check(from, request).expect("the twin accepts it").summary();
        let ours = validator.check_answer(&to, bytes);
        if let Err(violation) = &ours {
            assert_eq!(violation.concerns_pending(), concerns, "{}", shown(bytes));
        }
        same(&ours, &twin, bytes, &format!("to {} of {from} by {policy:?}", shown(request)));
    }
    true
}

fn same_message(ours: &Message<'_>, twin: &Accepted<'_>, bytes: &[u8]) {
    let about = shown(bytes);
    let raw = |value: Option<Value<'_>>| value.map(|value| value.raw.as_bytes().to_vec());
    let span = |value: Option<Value<'_>>| value.map(Value::span);
    let owned = |slice: Option<&[u8]>| slice.map(<[u8]>::to_vec);

    assert_eq!(ours.kind(), twin.kind, "the kind of {about}");
    assert_eq!(ours.bytes(), bytes);
    let findings: RuleSet = twin.findings.iter().copied().collect();
    assert_eq!(ours.findings(), findings, "the findings of {about}");
    assert_eq!(ours.revisions(), twin.revisions, "the revisions of {about}");
    assert_eq!(owned(ours.id().map(|id| id.lexeme())), raw(twin.id), "the id of {about}");
    assert_eq!(ours.id_span(), span(twin.id), "the place of the id of {about}");
    same_text(ours.method(), twin.method, about);
    match ours {
        Message::Request(call) => {
            assert_eq!(Some(call.id_span()), span(twin.id), "{about}");
            assert_eq!(Some(call.id().lexeme().to_vec()), raw(twin.id), "{about}");
            same_text(Some(call.method()), twin.method, about);
            assert_eq!(Some(call.method_span()), span(twin.method), "{about}");
            assert_eq!(owned(call.params()), raw(twin.params), "{about}");
            assert_eq!(call.params_span(), span(twin.params), "{about}");
            same_text(call.name(), twin.name, about);
            assert_eq!(call.name_span(), span(twin.name), "{about}");
        }
        Message::Notification(call) => {
            same_text(Some(call.method()), twin.method, about);
            assert_eq!(Some(call.method_span()), span(twin.method), "{about}");
            assert_eq!(owned(call.params()), raw(twin.params), "{about}");
            assert_eq!(call.params_span(), span(twin.params), "{about}");
            same_text(call.name(), twin.name, about);
            assert_eq!(call.name_span(), span(twin.name), "{about}");
        }
        Message::Response(answer) => {
            assert_eq!(owned(answer.id().map(|id| id.lexeme())), raw(twin.id), "{about}");
            assert_eq!(owned(answer.result()), raw(twin.result), "{about}");
            assert_eq!(answer.result_span(), span(twin.result), "{about}");
            assert_eq!(owned(answer.error()), raw(twin.error), "{about}");
            assert_eq!(owned(answer.error_code()), raw(twin.error_code), "{about}");
        }
    }
}

/// The same string, as it is written and as it is meant.
fn same_text(ours: Option<mcparse::Text<'_>>, twin: Option<Value<'_>>, about: Shown<'_>) {
    let raw = twin.map(|twin| &twin.raw.as_bytes()[1..twin.raw.len() - 1]);
    assert_eq!(ours.map(|text| text.raw().to_vec()), raw.map(<[u8]>::to_vec), "{about}");
    if let (Some(ours), Some(decoded)) = (ours, twin.and_then(Value::decoded)) {
        let decoded = String::from_utf8(decoded).expect("a string");
        assert_eq!(ours.decode(), decoded, "{about}");
        assert!(ours == decoded.as_str(), "{about}");
    }
}

/// The shape of every reply.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply<'r> {
    jsonrpc: &'r str,
    #[serde(borrow, default, deserialize_with = "whatever_is_there")]
    id: Option<&'r RawValue>,
    error: ReplyError,
}

/// `null` too, which is not the same as nothing.
fn whatever_is_there<'r, D: Deserializer<'r>>(from: D) -> Result<Option<&'r RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyError {
    code: i32,
    message: String,
    data: serde_json::Value,
}

fn same_answer(ours: &Violation<'_>, twin: &Refused<'_>, bytes: &[u8]) {
    let answer = twin.answer;
    let about = shown(bytes);
    let mut written = b"before".to_vec();
    let is_allowed = ours.write_reply(&mut written);
    let reply = written.strip_prefix(b"before").expect("a reply is appended");
    let expected_id = match answer {
        Answer::WithId(id) => Some(id),
        Answer::WithoutId | Answer::WithNull | Answer::Forbidden => None,
    };
    let id = ours.id().map(|id| id.lexeme().to_vec());
    assert_eq!(id, expected_id.map(|id| id.as_bytes().to_vec()), "the echo for {about}");
    assert_eq!(is_allowed, answer != Answer::Forbidden, "whether {about} is answered");
    if !is_allowed {
        assert!(reply.is_empty(), "{about}");
        return;
    }
    let reply: Reply<'_> = serde_json::from_slice(reply).expect("a reply is JSON");
    assert_eq!(reply.jsonrpc, "2.0");
    let expected_id = if answer == Answer::WithNull { Some("null") } else { expected_id };
    assert_eq!(reply.id.map(RawValue::get), expected_id, "the answer to {about}");
    assert_eq!(reply.error.code, twin.code, "the answer to {about}");
    same_data(reply.error.data, twin.data.clone(), about);
    let closer = ours.detail().map(|detail| detail.to_string());
    let said = closer.as_deref().unwrap_or(ours.reason());
    assert!(reply.error.message.contains(said), "the answer to {about}");
}

/// `error.data`, where a version that is longer than any may be cut.
fn same_data(mut ours: serde_json::Value, mut twin: serde_json::Value, about: Shown<'_>) {
    if let (Some(ours), Some(twin)) = (ours.get_mut("requested"), twin.get_mut("requested")) {
        let [is, was] = [ours.take(), twin.take()];
        let [is, was] = [is.as_str().expect("a string"), was.as_str().expect("a string")];
        let is_cut = was.len() > 64 && is.len() <= 64 && was.starts_with(is);
        assert!(is == was || is_cut, "{is} {was} in the answer to {about}");
    }
    assert_eq!(ours, twin, "the answer to {about}");
}

/// All that a caller can learn of a verdict, as text.
pub(crate) fn told(verdict: &Result<Message<'_>, Violation<'_>>) -> String {
    match verdict {
        Ok(message) => format!("{message:?} {:?} {:?}", message.kind(), message.id_span()),
        Err(violation) => {
            let mut reply = Vec::new();
            violation.write_reply(&mut reply);
            format!("{violation:?} {:?} {}", violation.cause(), String::from_utf8_lossy(&reply))
        }
    }
}

/// A message as a byte string to copy into a test, written only if asked for.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'b>(&'b [u8]);

pub(crate) fn shown(bytes: &[u8]) -> Shown<'_> {
    Shown(bytes)
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}
