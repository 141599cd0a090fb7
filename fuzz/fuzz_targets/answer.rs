//! Answers against the twin of `tests/twin`: a call and what is sent while it
//! waits, drawn from the input, or the input itself as what is sent.

#![no_main]

#[path = "../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twin;

use libfuzzer_sys::fuzz_target;
use mcparse::Policy;

use twin::compare::same_answer_verdict;
use twin::damage::policy;
use twin::generate::Draw;
use twin::generate_answers::exchange;

fuzz_target!(|input: &[u8]| {
    let Some((&mode, rest)) = input.split_first() else { return };
    let (from, request, message) = exchange(&mut Draw::new(rest));
    let policy = match mode >> 1 & 3 {
        0 => Policy::strict(),
        1 => Policy::observe(),
        _ => {
            let mut choices = rest.to_vec();
            choices.reverse();
            policy(&mut Draw::new(&choices))
        }
    };
    let message = if mode & 1 == 0 { message.into_bytes() } else { rest.to_vec() };
    same_answer_verdict(policy, from, request.as_bytes(), &message);
});
