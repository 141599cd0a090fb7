//! `Validator::check_http` against the twin of `tests/twin`. The first byte says
//! how many of the others draw the head; the rest is the body, or the choices that
//! a body near the rules and a policy are drawn from.

#![no_main]

#[path = "../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twin;

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use mcparse::{Policy, Validator};

use twin::compare::same_verdict_http;
use twin::damage::{bytes, policy};
use twin::generate::Draw;
use twin::generate_heads::head;

thread_local! {
    /// Kept from message to message, so that what one leaves behind shows.
    static VALIDATOR: RefCell<Validator> = RefCell::new(Validator::new(Policy::strict()));
}

fuzz_target!(|input: &[u8]| {
    let Some((&mode, rest)) = input.split_first() else { return };
    let (of_head, rest) = rest.split_at(rest.len().min(usize::from(mode >> 2)));
    let body = if mode & 1 == 0 { rest.to_vec() } else { bytes(&mut Draw::new(rest)) };
    let policy = if mode & 2 == 0 {
        Policy::strict()
    } else {
        let mut choices = rest.to_vec();
        choices.reverse();
        policy(&mut Draw::new(&choices))
    };
    let head = head(&mut Draw::new(of_head), &body);
    VALIDATOR.with_borrow_mut(|validator| {
        validator.set_policy(policy);
        same_verdict_http(validator, &head, &body);
    });
});
