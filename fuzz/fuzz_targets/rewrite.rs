//! Messages rewritten, against the same change made on parsed JSON. The first
//! byte says how many of the others draw the change; the rest is the message, or
//! the choices that a message near the rules and a policy are drawn from.

#![no_main]

#[path = "../../tests/rewriting/change.rs"]
mod change;
#[path = "../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twin;

use libfuzzer_sys::fuzz_target;
use mcparse::{Limits, Policy, Sender};

use change::{drawn_change, same_but_for_the_change};
use twin::damage::{bytes, policy};
use twin::generate::Draw;

fuzz_target!(|input: &[u8]| {
    let Some((&mode, rest)) = input.split_first() else { return };
    let (of_change, rest) = rest.split_at(rest.len().min(usize::from(mode >> 3)));
    let from = if mode & 1 == 0 { Sender::Client } else { Sender::Server };
    let message = if mode & 2 == 0 { rest.to_vec() } else { bytes(&mut Draw::new(rest)) };
    let policy = if mode & 4 == 0 {
        Policy::observe()
    } else {
        let mut choices = rest.to_vec();
        choices.reverse();
        // Requirements and limits may well depend on what is changed.
        policy(&mut Draw::new(&choices)).with_limits(Limits::new()).with_requirements(&[])
    };
    let change = drawn_change(&mut Draw::new(of_change));
    same_but_for_the_change(policy, from, &message, &change);
});
