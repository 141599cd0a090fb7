//! The block, asked behind a door as that of `find`.

use super::*;
use crate::json::blocks::tests::{Answer, Question, hold};
use crate::json::kernel::has_avx2;

/// As `find` is compiled.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq")]
fn ask(question: &Question) -> Answer {
    question.ask::<Avx2>()
}

#[test]
fn avx2_is_right() {
    if !has_avx2() {
        println!("skipped: this machine has no AVX2");
        return;
    }
    // SAFETY: the processor has all the features that `ask` is compiled for.
    hold(|question| unsafe { ask(question) });
}
