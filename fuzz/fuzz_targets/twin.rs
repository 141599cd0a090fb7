//! Ours against the twin of `tests/twin`. The first byte says what the others
//! are: the message itself, or the choices that a message near the truth table
//! and a policy are drawn from.

#![no_main]

#[path = "../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twin;

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use mcparse::{Policy, Sender, Validator};

use twin::compare::{same_kind, same_verdict};
use twin::damage::{bytes, policy};
use twin::generate::Draw;

thread_local! {
    /// Kept from message to message, so that what one leaves behind shows.
    static VALIDATOR: RefCell<Validator> = RefCell::new(Validator::new(Policy::strict()));
}

fuzz_target!(|input: &[u8]| {
    let Some((&mode, rest)) = input.split_first() else { return };
    let from = if mode & 1 == 0 { Sender::Client } else { Sender::Server };
    let message = if mode & 2 == 0 { rest.to_vec() } else { bytes(&mut Draw::new(rest)) };
    let policy = match mode >> 2 & 3 {
        0 => Policy::strict(),
        1 => Policy::observe(),
        _ => {
            let mut choices = rest.to_vec();
            choices.reverse();
            policy(&mut Draw::new(&choices))
        }
    };
    same_kind(&message);
    VALIDATOR.with_borrow_mut(|validator| {
        validator.set_policy(policy);
        same_verdict(validator, from, &message);
    });
});
