//! Every limit at its bound and one past it, and work that grows with the message,
//! not with the number of its chunks.

use std::time::{Duration, Instant};

use mcparse::{Body, Limits, Policy, Rule, Sender, Validator};

use crate::same::Sent;

fn limited(limits: Limits) -> Policy {
    Policy::strict().with_limits(limits)
}

fn bytes_of(message: &[u8]) -> Vec<usize> {
    (1..message.len()).collect()
}

fn refused(policy: Policy, message: &[u8]) -> Option<Rule> {
    let validator = &mut Validator::new(policy);
    let sent = Sent { from: Sender::Client, head: None, message };
    sent.same_in_pieces(validator, &mut Body::new(), &bytes_of(message));
    validator.check(Sender::Client, message).err().map(|violation| violation.rule())
}

/// A notification with `value` in its params, which asks no more of it.
fn with(value: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{"a":{value}}}}}"#)
        .into_bytes()
}

#[test]
fn a_body_takes_what_a_message_may_have_and_not_a_byte_more() {
    let message = with("0");
    let len = message.len();
    for most in [len, len - 1, len + 1, 1, 0] {
        for size in [1, 2, 7, len, len + 1] {
            let mut validator = Validator::new(limited(Limits::new().with_message_bytes(most)));
            let mut body = Body::new();
            let mut came = 0;
            for chunk in message.chunks(size) {
                came += chunk.len();
                assert_eq!(validator.push(&mut body, chunk), came <= most, "{came} of {most}");
                assert!(body.bytes().len() <= most);
            }
            assert_eq!(validator.push(&mut body, b""), len <= most);
            let rule = validator.finish(Sender::Client, &mut body).err().map(|v| v.rule());
            assert_eq!(rule, (len > most).then_some(Rule::TooLarge));
            assert!(body.into_bytes().capacity() <= most.max(8), "no more than {most}");
        }
    }
}

#[test]
fn a_message_in_chunks_never_takes_more_memory_than_the_limit() {
    for most in [1000, 1023, 1024, 1025, 100_000] {
        for size in [1, 3, 100, 999] {
            let mut validator = Validator::new(limited(Limits::new().with_message_bytes(most)));
            let mut body = Body::new();
            let chunk = vec![b' '; size];
            while validator.push(&mut body, &chunk) {}
            assert_eq!(body.bytes().len(), most / size * size);
            assert!(!validator.push(&mut body, &chunk[..1]), "nothing fits behind a gap");
            let bytes = body.into_bytes();
            assert!(bytes.capacity() <= most, "{} of {most}", bytes.capacity());
        }
    }
}

#[test]
fn the_depth_is_limited_however_it_is_cut() {
    for limit in [3, 4, 64, 65, 128, 512, 513, 600] {
        let policy = limited(Limits::new().with_depth(limit));
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            for over in [0, 1] {
                // Two levels are the message and its params.
                let depth = limit + over - 2;
                let inner = if open == "[" { "" } else { "0" };
                let value = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
                let expected = (over == 1).then_some(Rule::TooDeep);
                assert_eq!(refused(policy, &with(&value)), expected, "{limit} {over}");
            }
        }
    }
}

#[test]
fn the_depth_of_objects_that_are_read_is_limited_however_it_is_cut() {
    let message = br#"{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    for limit in 0..5 {
        let rule = refused(limited(Limits::new().with_depth(limit)), message);
        assert_eq!(rule == Some(Rule::TooDeep), limit < 4, "{limit}");
    }
}

#[test]
fn the_members_are_limited_however_it_is_cut() {
    for limit in [1, 3, 4, 9, 1024] {
        for over in [0, 1] {
            let members: Vec<String> =
                (0..limit + over).map(|at| format!(r#""m{at}": {at}"#)).collect();
            let list = members.join(",");
            let policy = limited(Limits::new().with_members(limit.max(3)));
            let message =
                format!(r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{{list}}}}}"#);
            let is_over = limit + over > limit.max(3);
            let expected = is_over.then_some(Rule::MembersTooMany);
            assert_eq!(refused(policy, message.as_bytes()), expected, "{limit} {over}");
        }
    }
}

#[test]
fn a_long_number_is_a_number_however_it_is_cut() {
    for digits in [1023, 1024, 1025, 1026, 3000] {
        for number in [
            "1".repeat(digits),
            format!("-{}", "9".repeat(digits - 1)),
            format!("0.{}", "0".repeat(digits - 2)),
            format!("1e{}", "7".repeat(digits - 2)),
        ] {
            assert_eq!(refused(Policy::strict(), &with(&number)), None, "{digits}");
            assert_eq!(refused(Policy::strict(), &with(&format!("[{number}]"))), None, "{digits}");
            let wrong = refused(Policy::strict(), &with(&format!("[{number}.]")));
            assert_eq!(wrong, Some(Rule::NotJson), "{digits}");
        }
    }
}

/// How long it takes to read a message whose params hold `value`, a byte at a time.
fn time_of(value: &str) -> Duration {
    let message = with(value);
    let mut validator = Validator::new(Policy::strict());
    let mut body = Body::new();
    let start = Instant::now();
    for byte in &message {
        assert!(validator.push(&mut body, std::slice::from_ref(byte)));
    }
    let is_accepted = validator.finish(Sender::Client, &mut body).is_ok();
    let time = start.elapsed();
    let expected = validator.check(Sender::Client, &message).is_ok();
    assert_eq!(is_accepted, expected);
    time
}

/// Work that grew with the square of the length would take minutes here.
#[test]
fn what_is_long_is_not_gone_over_again_with_every_byte() {
    let long = 200_000;
    let spaces = " ".repeat(long);
    for (name, value) in [
        ("a number", "1".repeat(long)),
        ("a number in an array", format!("[{}]", "1".repeat(long))),
        ("a fraction", format!("0.{}", "1".repeat(long))),
        ("an exponent", format!("1e{}", "1".repeat(long))),
        ("a string", format!("\"{}\"", "a".repeat(long))),
        ("a string of escapes", format!("\"{}\"", r"\n".repeat(long / 2))),
        ("a string of backslashes", format!("\"{}\"", r"\\".repeat(long / 2))),
        ("a string of no end", format!("\"{}", "a".repeat(long))),
        ("a name", format!("{{\"{}\":0}}", "a".repeat(long))),
        ("space before a value", format!("{spaces}1")),
        ("space in an empty array", format!("[{spaces}]")),
        ("space in an empty object", format!("{{{spaces}}}")),
        ("space in an array", format!("[{spaces}1{spaces},{spaces}2{spaces}]")),
        ("space in an object", format!("{{{spaces}\"a\"{spaces}:{spaces}2{spaces}}}")),
        ("what is broken early", format!("[\"\u{1}\",{}]", "\"a\",".repeat(long / 4))),
        ("what is not JSON early", format!("[}},{}]", "\"a\",".repeat(long / 4))),
        ("many strings", format!("[{}0]", "\"a\",".repeat(long / 4))),
        ("many numbers", format!("[{}0]", "0,".repeat(long / 2))),
        ("deep arrays", "[".repeat(long)),
    ] {
        let time = time_of(&value);
        assert!(time < Duration::from_secs(2), "{name} took {time:?}");
    }
}

#[test]
fn space_in_an_object_that_is_read_is_not_gone_over_again_with_every_byte() {
    let spaces = " ".repeat(200_000);
    for message in [
        format!(r#"{{{spaces}"jsonrpc":"2.0","method":"notifications/x"}}"#),
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{{spaces}}}}}"#),
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{"_meta":{{{spaces}"a":0}}}}}}"#
        ),
        format!(r#"{spaces}{{"jsonrpc":"2.0","method":"notifications/x"}}{spaces}"#),
    ] {
        let mut validator = Validator::new(Policy::strict());
        let mut body = Body::new();
        let start = Instant::now();
        for byte in message.as_bytes() {
            assert!(validator.push(&mut body, std::slice::from_ref(byte)));
        }
        assert!(validator.finish(Sender::Client, &mut body).is_ok());
        let time = start.elapsed();
        assert!(time < Duration::from_secs(2), "{time:?} for {}", message.trim_ascii().len());
    }
}
