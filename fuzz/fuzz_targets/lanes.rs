//! The ways to one verdict against each other: the scan lane, the tape lane, and the
//! message in chunks; and one input in eight against the twin of `tests/twin`, which
//! is slow.
//!
//! The first byte chooses the sender, the policy, how the message is cut and whether
//! it comes with a head; the second how many of the bytes behind it draw the cuts or
//! the head. The rest is the message, or the choices that a message near the truth
//! table and a policy are drawn from.

#![no_main]

#[path = "../../tests/chunks/same.rs"]
mod same;
#[path = "../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twin;

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use mcparse::{Body, Policy, RequestHead, Sender, Validator};

use same::Sent;
use twin::compare::{same_kind, same_verdict, same_verdict_http};
use twin::damage::{bytes, policy};
use twin::generate::Draw;
use twin::generate_heads::head;

/// What is kept from message to message, so that what one leaves behind shows.
struct Kept {
    by_scan: Validator,
    by_tape: Validator,
    body: Body,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::new(Kept {
        by_scan: Validator::new(Policy::strict()),
        by_tape: Validator::with_tape_alone(Policy::strict()),
        body: Body::new(),
    });
}

fuzz_target!(|input: &[u8]| {
    let [mode, count, rest @ ..] = input else { return };
    let (drawn, rest) = rest.split_at(rest.len().min(usize::from(count >> 3)));
    let from = if mode & 1 == 0 { Sender::Client } else { Sender::Server };
    let message = if mode & 2 == 0 { rest.to_vec() } else { bytes(&mut Draw::new(rest)) };
    let policy = match mode >> 2 & 3 {
        0 | 1 => Policy::strict(),
        2 => Policy::observe(),
        _ => {
            let mut choices = rest.to_vec();
            choices.reverse();
            policy(&mut Draw::new(&choices))
        }
    };
    let cuts = cuts(mode >> 4 & 3, drawn, message.len());
    let has_head = mode >> 6 == 3;
    // By the sum of all bytes: one bit would stay set in nearly all that the fuzzer
    // keeps, since the twin has branches of its own to be found.
    let is_twin_asked = input.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte)) % 8 == 0;
    KEPT.with_borrow_mut(|kept| {
        kept.by_scan.set_policy(policy);
        kept.by_tape.set_policy(policy);
        if has_head {
            let head = head(&mut Draw::new(drawn), &message);
            let pairs = head.headers.iter().map(|(name, value)| (name, value));
            let request = RequestHead::new(&head.method, pairs);
            let sent = Sent { from: Sender::Client, head: Some(&request), message: &message };
            kept.hold_together(&sent, &cuts);
            if is_twin_asked {
                same_verdict_http(&mut kept.by_scan, &head, &message);
            }
        } else {
            kept.hold_together(&Sent { from, head: None, message: &message }, &cuts);
            if is_twin_asked {
                same_kind(&message);
                same_verdict(&mut kept.by_scan, from, &message);
            }
        }
    });
});

impl Kept {
    fn hold_together(&mut self, sent: &Sent<'_, '_>, cuts: &[usize]) {
        let by_scan = sent.whole(&mut self.by_scan);
        assert_eq!(sent.whole(&mut self.by_tape), by_scan);
        let kind = self.by_scan.classify(sent.message);
        assert_eq!(self.by_tape.classify(sent.message), kind);
        sent.same_in_pieces(&mut self.by_scan, &mut self.body, cuts);
    }
}

/// Where a message of `len` bytes is cut: in pieces of one byte at its start, in a few of up to
/// 64, in two, or at places drawn over its whole length.
fn cuts(how: u8, drawn: &[u8], len: usize) -> Vec<usize> {
    let first = drawn.first().copied().map_or(0, usize::from);
    match how {
        0 => (1..len.min(512)).collect(),
        1 => drawn
            .iter()
            .scan(0, |at, &step| {
                *at += usize::from(step & 63);
                Some(*at)
            })
            .take_while(|&at| at <= len)
            .collect(),
        2 => vec![first * (len + 1) / 256],
        _ => {
            let place = |&byte: &u8| usize::from(byte) * (len + 1) / 256;
            let mut places: Vec<usize> = drawn.iter().map(place).collect();
            places.sort_unstable();
            places
        }
    }
}
