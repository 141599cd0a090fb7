//! Messages rewritten, against the same change made on parsed JSON. The first
//! byte says what the others are: the message itself, or the choices that it is
//! drawn from; the change is drawn from the last ones.

#![no_main]

#[path = "../../tests/rewriting/change.rs"]
mod change;
#[path = "../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twin;

use libfuzzer_sys::fuzz_target;
use mcparse::{Policy, Sender};

use change::{drawn_change, same_but_for_the_change};
use twin::damage::bytes;
use twin::generate::Draw;

fuzz_target!(|input: &[u8]| {
    let Some((&mode, rest)) = input.split_first() else { return };
    let from = if mode & 1 == 0 { Sender::Client } else { Sender::Server };
    let message = if mode & 2 == 0 { rest.to_vec() } else { bytes(&mut Draw::new(rest)) };
    let policy = if mode & 4 == 0 { Policy::observe() } else { Policy::strict() };
    let mut choices = rest.to_vec();
    choices.reverse();
    let change = drawn_change(&mut Draw::new(&choices));
    same_but_for_the_change(policy, from, &message, &change);
});
