//! Rewritten messages, drawn and by hand: they say the same but for the change,
//! and every byte that was not to change is where it was.

mod rewriting {
    pub(crate) mod cases;
    pub(crate) mod change;
}
#[allow(dead_code, reason = "others use more of it")]
mod twin;

use std::fmt;

use mcparse::{Limits, Policy, Sender, Validator};
use proptest::collection::vec;
use proptest::prelude::*;

use rewriting::change::{drawn_change, same_but_for_the_change};
use twin::compare::shown;
use twin::damage::policy;
use twin::generate::{Draw, message};

fn config() -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig {
        cases: asked.cases.max(4096),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..asked
    }
}

#[derive(Clone)]
struct Drawn(Vec<u8>);

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&shown(&self.0), f)
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    vec(any::<u8>(), 0..300)
        .prop_map(|choices| Drawn(message(&mut Draw::new(&choices)).into_bytes()))
}

fn any_policy() -> impl Strategy<Value = Policy> {
    vec(any::<u8>(), 0..64).prop_map(|choices| {
        // Requirements and limits may well depend on what is changed.
        policy(&mut Draw::new(&choices)).with_limits(Limits::new()).with_requirements(&[])
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_rewritten_says_the_same_but_for_the_change(
        Drawn(message) in drawn(),
        choices in vec(any::<u8>(), 0..32),
        from in prop_oneof![Just(Sender::Client), Just(Sender::Server)],
    ) {
        let change = drawn_change(&mut Draw::new(&choices));
        same_but_for_the_change(Policy::observe(), from, &message, &change);
        same_but_for_the_change(Policy::strict(), from, &message, &change);
    }

    #[test]
    fn it_does_so_whatever_the_policy(
        Drawn(message) in drawn(),
        choices in vec(any::<u8>(), 0..32),
        policy in any_policy(),
    ) {
        let change = drawn_change(&mut Draw::new(&choices));
        same_but_for_the_change(policy, Sender::Client, &message, &change);
    }

    #[test]
    fn what_is_not_changed_is_the_message_itself(Drawn(message) in drawn()) {
        let mut validator = Validator::new(Policy::observe());
        let Ok(accepted) = validator.check(Sender::Client, &message) else { return Ok(()) };
        let mut new = b"left over".to_vec();
        let slices = accepted.rewrite().slices(&mut new).unwrap();
        prop_assert_eq!(slices.as_slice(), [&message[..]]);
        prop_assert_eq!(slices.as_slice()[0].as_ptr(), message.as_ptr());
    }
}
