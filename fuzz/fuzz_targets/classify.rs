//! Any bytes: no panic, the bytes are unchanged, the three ways to ask for a
//! verdict agree, every span lies in the message, every reply is JSON.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use mcparse::{ErrorCode, Kind, Message, Policy, Rule, Sender, Validator};

thread_local! {
    /// Kept from message to message, so that what one leaves behind shows.
    static STRICT: RefCell<Validator> = RefCell::new(Validator::new(Policy::strict()));
    static SHADOW: RefCell<Validator> = RefCell::new(Validator::new(Policy::observe()));
}

fuzz_target!(|message: &[u8]| {
    let before = message.to_vec();
    let kind = mcparse::classify(message);
    STRICT.with_borrow_mut(|validator| {
        assert_eq!(validator.classify(message), kind);
        judged(validator, Sender::Client, message, kind);
        judged(validator, Sender::Server, message, kind);
    });
    SHADOW.with_borrow_mut(|validator| judged(validator, Sender::Client, message, kind));
    assert_eq!(message, before);
});

fn judged(validator: &mut Validator, from: Sender, message: &[u8], kind: Result<Kind, ErrorCode>) {
    let is_strict = *validator.policy() == Policy::strict();
    match validator.check(from, message) {
        Ok(accepted) => {
            in_bounds(&accepted, message);
            let has_no_id = accepted.id().is_none();
            let is_null = accepted.findings().contains(Rule::ErrorIdNull);
            if is_strict && accepted.kind() == Kind::Error && has_no_id && !is_null {
                assert_eq!(kind, Err(ErrorCode::INVALID_REQUEST));
            } else if is_strict {
                assert_eq!(kind, Ok(accepted.kind()));
            } else if let Ok(kind) = kind {
                assert_eq!(kind, accepted.kind());
            }
        }
        Err(violation) => {
            assert!(violation.offset() <= message.len() as u64);
            assert!(!violation.reason().is_empty());
            let _ = violation.cause();
            let mut reply = Vec::new();
            let is_answered = violation.write_reply(&mut reply);
            assert_eq!(is_answered, !reply.is_empty());
            assert!(!is_answered || from == Sender::Client);
            if is_answered {
                serde_json::from_slice::<&serde_json::value::RawValue>(&reply).expect("JSON");
            }
        }
    }
}

fn in_bounds(accepted: &Message<'_>, message: &[u8]) {
    let spans = match accepted {
        Message::Request(call) => {
            [Some(call.id_span()), Some(call.method_span()), call.params_span(), call.name_span()]
        }
        Message::Notification(call) => {
            [None, Some(call.method_span()), call.params_span(), call.name_span()]
        }
        Message::Response(answer) => [accepted.id_span(), answer.result_span(), None, None],
    };
    for span in spans.into_iter().flatten() {
        let value = message.get(span).expect("in bounds");
        serde_json::from_slice::<&serde_json::value::RawValue>(value).expect("a value");
    }
    if let Some(method) = accepted.method() {
        assert!(method == method.decode().as_ref());
    }
}
