//! `Validator::check_answer` against the twin of `tests/twin`. The first byte says
//! what the others are: a request, a line feed and what is sent while it waits, or
//! the choices that both are drawn from.

#![no_main]

#[path = "../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twin;

use libfuzzer_sys::{Corpus, fuzz_target};
use mcparse::{Policy, Sender};

use twin::compare::same_answer_verdict;
use twin::damage::policy;
use twin::generate::Draw;
use twin::generate_answers::exchange;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((&mode, rest)) = input.split_first() else { return Corpus::Reject };
    let policy = match mode >> 2 & 3 {
        0 => Policy::strict(),
        1 => Policy::observe(),
        _ => {
            let mut choices = rest.to_vec();
            choices.reverse();
            policy(&mut Draw::new(&choices))
        }
    };
    let is_compared = if mode & 2 == 0 {
        let from = if mode & 1 == 0 { Sender::Client } else { Sender::Server };
        let mut lines = rest.splitn(2, |&byte| byte == b'\n');
        let (Some(request), Some(message)) = (lines.next(), lines.next()) else {
            return Corpus::Reject;
        };
        same_answer_verdict(policy, from, request, message)
    } else {
        let (from, request, message) = exchange(&mut Draw::new(rest));
        same_answer_verdict(policy, from, request.as_bytes(), message.as_bytes())
    };
    // The ways to refuse a request are found by the target `twin`.
    if is_compared { Corpus::Keep } else { Corpus::Reject }
});
