//! Bodies used again and many at once, verdicts asked for twice, and policies that
//! change while a message is on its way.

use mcparse::{Action, Body, Limits, Policy, Rule, Sender, Validator};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::same::{Sent, Told, pieces, told};
use crate::twin::damage::{bytes, policy};
use crate::twin::generate::Draw;

const READ: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

fn whole(policy: Policy, message: &[u8]) -> Told {
    let sent = Sent { from: Sender::Client, head: None, message };
    sent.whole(&mut Validator::new(policy))
}

fn finished(validator: &mut Validator, body: &mut Body) -> Told {
    let bytes = body.bytes().to_vec();
    told(&validator.finish(Sender::Client, body), &bytes)
}

/// A policy whose tape lane must read: it looks for members given twice everywhere.
fn deep() -> Policy {
    Policy::strict().with_action(Rule::DeepDuplicate, Action::Report)
}

#[test]
fn a_verdict_asked_for_twice_is_the_same() {
    let mut validator = Validator::new(Policy::strict());
    let mut body = Body::new();
    validator.push(&mut body, READ);
    for _ in 0..3 {
        assert_eq!(finished(&mut validator, &mut body), whole(Policy::strict(), READ));
        assert_eq!(body.routing().and_then(|routing| routing.name()).unwrap(), "file:///a");
    }
    // White space behind it changes nothing.
    validator.push(&mut body, b" \n");
    let spaced = [READ, b" \n"].concat();
    assert_eq!(finished(&mut validator, &mut body), whole(Policy::strict(), &spaced));
}

#[test]
fn a_verdict_asked_for_too_early_does_no_harm() {
    let mut validator = Validator::new(Policy::strict());
    let mut body = Body::new();
    for (at, byte) in READ.iter().enumerate() {
        assert!(validator.push(&mut body, std::slice::from_ref(byte)));
        let expected = whole(Policy::strict(), &READ[..=at]);
        assert_eq!(finished(&mut validator, &mut body), expected, "{at}");
    }
}

#[test]
fn what_comes_after_a_verdict_counts() {
    for behind in [&b"}"[..], b"{}", b"x", b"\xff", b"\"a\"", b",", b"\0", b"\xef\xbb\xbf"] {
        let mut validator = Validator::new(Policy::strict());
        let mut body = Body::new();
        validator.push(&mut body, READ);
        assert!(validator.finish(Sender::Client, &mut body).is_ok());
        validator.push(&mut body, behind);
        let all = [READ, behind].concat();
        assert_eq!(finished(&mut validator, &mut body), whole(Policy::strict(), &all));
    }
}

#[test]
fn what_comes_under_a_policy_that_looks_deeper_is_read_under_the_next() {
    for behind in [&b"}"[..], b" ", b"[]", b"\"a\"", b"\xff"] {
        let mut validator = Validator::new(Policy::strict());
        let mut body = Body::new();
        validator.push(&mut body, READ);
        validator.set_policy(deep());
        validator.push(&mut body, behind);
        validator.set_policy(Policy::strict());
        let all = [READ, behind].concat();
        assert_eq!(finished(&mut validator, &mut body), whole(Policy::strict(), &all));
    }
}

#[test]
fn the_limits_in_force_at_the_end_decide() {
    let limits = Limits::new();
    for (first, last) in [
        (limits.with_depth(2), limits),
        (limits, limits.with_depth(2)),
        (limits.with_members(2), limits),
        (limits, limits.with_members(2)),
        (limits, limits.with_message_bytes(READ.len() - 1)),
        (limits, limits.with_id_bytes(0)),
        (limits, limits.with_name_bytes(3)),
    ] {
        let [first, last] = [first, last].map(|limits| Policy::strict().with_limits(limits));
        let mut validator = Validator::new(first);
        let mut body = Body::new();
        validator.push(&mut body, &READ[..100]);
        validator.push(&mut body, &READ[100..]);
        validator.set_policy(last);
        assert_eq!(finished(&mut validator, &mut body), whole(last, READ));
    }
}

#[test]
fn a_body_that_was_never_filled_is_an_empty_message() {
    for policy in [Policy::strict(), Policy::observe(), deep()] {
        let mut validator = Validator::new(policy);
        assert_eq!(finished(&mut validator, &mut Body::new()), whole(policy, b""));
        let mut body = Body::new();
        assert!(validator.push(&mut body, b""));
        assert!(body.routing().is_none());
        assert_eq!(finished(&mut validator, &mut body), whole(policy, b""));
    }
}

#[test]
fn a_cleared_body_has_forgotten_its_message_and_keeps_its_memory() {
    let mut validator = Validator::new(Policy::strict());
    let mut body = Body::new();
    let limits = Limits::new().with_message_bytes(READ.len());
    validator.set_policy(Policy::strict().with_limits(limits));
    assert!(validator.push(&mut body, READ));
    assert!(!validator.push(&mut body, b" "));
    assert!(!validator.push(&mut body, b""), "it stays too long");
    assert!(body.routing().is_none());
    let memory = body.bytes().as_ptr();
    body.clear();
    assert!(body.bytes().is_empty() && body.routing().is_none());
    assert!(validator.push(&mut body, READ));
    assert_eq!(body.bytes().as_ptr(), memory);
    assert!(validator.finish(Sender::Client, &mut body).is_ok());
    assert_eq!(format!("{body:?}"), format!("Body {{ len: {}, .. }}", READ.len()));
    let bytes = body.into_bytes();
    assert_eq!((bytes.as_slice(), bytes.as_ptr()), (READ, memory));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn many_bodies_are_filled_in_turn_by_one_validator(
        drawn in vec((vec(any::<u8>(), 0..300), 1_usize..40), 1..9),
        is_strict in any::<bool>(),
    ) {
        let policy = if is_strict { Policy::strict() } else { Policy::observe() };
        let mut validator = Validator::new(policy);
        let messages: Vec<_> = drawn.iter().map(|(choices, _)| bytes(&mut Draw::new(choices))).collect();
        let mut bodies: Vec<Body> = drawn.iter().map(|_| Body::new()).collect();
        let longest = messages.iter().map(Vec::len).max().unwrap_or_default();
        for round in 0..=longest {
            for ((message, (_, size)), body) in messages.iter().zip(&drawn).zip(&mut bodies) {
                let from = (round * size).min(message.len());
                let to = (from + size).min(message.len());
                validator.push(body, &message[from..to]);
            }
        }
        for (message, body) in messages.iter().zip(&mut bodies) {
            prop_assert_eq!(body.bytes(), message);
            prop_assert_eq!(finished(&mut validator, body), whole(policy, message));
        }
    }

    #[test]
    fn the_policy_at_the_end_decides_whatever_was_in_force_before(
        choices in vec(any::<u8>(), 0..400),
        policies in vec(vec(any::<u8>(), 0..200), 2..5),
        step in 1_usize..80,
    ) {
        let message = bytes(&mut Draw::new(&choices));
        let cuts: Vec<usize> = (step..message.len()).step_by(step).collect();
        let policies: Vec<Policy> = policies.iter().map(|drawn| policy(&mut Draw::new(drawn))).collect();
        // Under no policy may it have been too long.
        let limit = Limits::new().message_bytes;
        let policies: Vec<Policy> = policies
            .into_iter()
            .map(|policy| policy.with_limits(policy.limits().with_message_bytes(limit)))
            .collect();
        let mut validator = Validator::new(policies[0]);
        let mut body = Body::new();
        for (at, piece) in pieces(&message, &cuts).into_iter().enumerate() {
            validator.set_policy(policies[at % policies.len()]);
            prop_assert!(validator.push(&mut body, piece));
        }
        for policy in policies {
            validator.set_policy(policy);
            prop_assert_eq!(finished(&mut validator, &mut body), whole(policy, &message));
        }
    }
}
