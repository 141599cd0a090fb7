//! What a validator holds: let go of after an unusual message, bounded for the
//! worst one, and never touched by steady traffic.
//!
//! Bytes are those asked of the allocator. That no message costs an allocation
//! is proved in `alloc.rs`.

#[path = "../benches/support/heap.rs"]
mod heap;
#[path = "../benches/support/hostile.rs"]
mod hostile;

use heap::{Heap, measure};
use hostile::{MIB, hostile, repeated};
use mcparse::{Body, Limits, Policy, Rule, Sender, Validator};

#[global_allocator]
static HEAP: Heap = Heap;

const SMALL: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// A message of `bytes` bytes whose params hold `piece` again and again,
/// between `open` and `close`.
fn message_of(open: &str, piece: &str, close: &str, bytes: usize) -> Vec<u8> {
    let mut message =
        format!(r#"{{"jsonrpc":"2.0","method":"m","params":{{"a":{open}"#).into_bytes();
    let close = format!("{close}}}}}");
    let whole = (bytes - message.len() - close.len()) / piece.len();
    for _ in 0..whole {
        message.extend_from_slice(piece.as_bytes());
    }
    message.extend_from_slice(close.as_bytes());
    message.resize(bytes, b' ');
    message
}

/// Text that makes a parser hold as much as possible for its length.
fn dense(bytes: usize) -> Vec<(&'static str, Vec<u8>)> {
    let hostile: [(&str, &[u8]); 13] = [
        ("[", b"["),
        ("]", b"]"),
        (",", b","),
        (":", b":"),
        ("{", b"{"),
        ("0,", b"0,"),
        ("[0,", b"[0,"),
        ("{\"a\":", br#"{"a":"#),
        ("\"", b"\""),
        ("\"\",", br#""","#),
        ("\\", b"\\"),
        ("[]", b"[]"),
        ("0 ", b"0 "),
    ];
    let mut texts: Vec<_> =
        hostile.map(|(name, piece)| (name, repeated(piece, bytes))).into_iter().collect();
    texts.push(("[0,0,..] in params", message_of("[0", ",0", "]", bytes)));
    texts.push(("[[],[],..] in params", message_of("[0", ",[]", "]", bytes)));
    texts.push(("[\"\",\"\",..] in params", message_of("[0", ",\"\"", "]", bytes)));
    texts.push(("[{},{},..] in params", message_of("[0", ",{}", "]", bytes)));
    texts.push(("{\"\":0,..} in params", message_of("{\"\":0", ",\"\":0", "}", bytes)));
    texts.push(("escapes in params", message_of("\"", r"\n", "\"", bytes)));
    texts.push(("a string in params", message_of("\"", "x", "\"", bytes)));
    texts
}

/// One of each way that a message may be read.
fn validators() -> [Validator; 2] {
    [Validator::new(Policy::strict()), Validator::with_tape_alone(Policy::strict())]
}

/// What the verdict is does not matter here.
fn check(validator: &mut Validator, message: &[u8]) {
    let _ = validator.check(Sender::Client, message);
}

/// The worst is a message a little longer than one before: buffers that are a
/// little too small double.
#[test]
fn no_text_makes_a_validator_hold_more_than_64_times_its_length() {
    println!("times its length: alone, after one a little shorter");
    for (name, text) in dense(MIB) {
        let times = [&[&text[..]][..], &[&text[..MIB - 4096], &text]].map(|texts| {
            let ((), usage) = measure(|| {
                let mut validator = Validator::with_tape_alone(Policy::strict());
                for text in texts {
                    check(&mut validator, text);
                }
            });
            f64::from(u32::try_from(usage.peak).unwrap()) / f64::from(1 << 20)
        });
        println!("{name:26} {:5.1} {:5.1}", times[0], times[1]);
        assert!(times.iter().all(|&times| times <= 64.0), "{name}: {times:?}");
    }
}

#[test]
fn what_a_huge_message_needed_is_let_go_of_within_128_small_ones() {
    for (name, text) in dense(4 * MIB) {
        for mut validator in validators() {
            let ((), huge) = measure(|| check(&mut validator, &text));
            let ((), small) = measure(|| (0..128).for_each(|_| check(&mut validator, SMALL)));
            let held = huge.held + small.held;
            assert!(held < 1_572_864, "{name}: {held} bytes held, {} before", huge.held);
        }
    }
}

#[test]
fn steady_traffic_of_large_messages_does_not_reallocate() {
    for (name, text) in dense(4 * MIB) {
        for mut validator in validators() {
            let mut round = || {
                check(&mut validator, &text);
                (0..40).for_each(|_| check(&mut validator, SMALL));
            };
            (0..4).for_each(|_| round());
            let ((), usage) = measure(|| (0..4).for_each(|_| round()));
            assert_eq!((usage.allocations, usage.held), (0, 0), "{name}");
        }
    }
}

#[test]
fn a_message_over_the_limit_costs_nothing() {
    let policy = Policy::strict().with_limits(Limits::new().with_message_bytes(MIB));
    let mut validator = Validator::new(policy);
    let text = repeated(b"[", MIB + 1);
    let ((), usage) = measure(|| check(&mut validator, &text));
    assert_eq!((usage.allocations, usage.peak), (0, 0));
}

/// Only what is JSON, by every byte of it, is laid on the tape.
#[test]
fn what_is_not_json_costs_no_memory() {
    let mut validator = Validator::new(Policy::strict());
    for (name, text) in hostile() {
        let (rule, usage) =
            measure(|| validator.check(Sender::Client, &text).err().map(|refused| refused.rule()));
        assert!(matches!(rule, Some(Rule::NotJson | Rule::NotUtf8 | Rule::TooDeep)), "{name}");
        assert_eq!((usage.allocations, usage.peak), (0, 0), "{name}");
        let (_, usage) = measure(|| validator.classify(&text));
        assert_eq!((usage.allocations, usage.peak), (0, 0), "{name}");
    }
}

/// What a body takes besides the bytes of its message.
const BESIDES: usize = 1536;

#[test]
fn what_is_not_json_costs_no_more_than_its_bytes_in_chunks() {
    let mut validator = Validator::new(Policy::strict());
    for (name, text) in hostile() {
        let (mut body, usage) = measure(|| {
            let mut body = Body::new();
            for chunk in text.chunks(1460) {
                validator.push(&mut body, chunk);
            }
            assert!(validator.finish(Sender::Client, &mut body).is_err(), "{name}");
            body
        });
        // A vector that grows has room for as much again, but never beyond the limit.
        let held = (2 * text.len()).min(4 * MIB) + BESIDES;
        assert!(usage.peak <= isize::try_from(held).unwrap(), "{name}: {usage:?}");
        // It grows by doubling: with every chunk would be some 700 times.
        assert!(usage.allocations <= 16, "{name}: {usage:?}");
        body.clear();
        let ((), usage) = measure(|| {
            for chunk in text.chunks(1460) {
                validator.push(&mut body, chunk);
            }
            let _ = validator.finish(Sender::Client, &mut body);
        });
        assert!(usage.allocations <= 1, "{name}: the memory of the last one is used");
    }
}

/// Of a message in chunks only its bytes are kept, and how far they are read.
#[test]
fn a_body_that_is_used_again_costs_one_small_allocation_a_message() {
    let mut body = Body::new();
    // Those that need the tape need it once the buffers have their size.
    let mut validator = Validator::new(Policy::strict());
    for _ in 0..2 {
        for (name, text) in dense(MIB) {
            let mut fill = || {
                body.clear();
                for chunk in text.chunks(1460) {
                    assert!(validator.push(&mut body, chunk));
                }
                let _ = body.routing();
            };
            fill();
            let ((), usage) = measure(fill);
            assert!(usage.allocations == 1 && usage.held == 0, "{name}: {usage:?}");
            check(&mut validator, body.bytes());
            let (_, usage) = measure(|| validator.finish(Sender::Client, &mut body).is_err());
            assert_eq!((usage.allocations, usage.held), (0, 0), "{name}");
        }
    }
}
