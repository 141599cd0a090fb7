//! The block, asked behind a door as that of `find`.

use super::*;
use crate::json::blocks::tests::{Answer, Question, hold};
use crate::json::kernel::has_avx512;

/// As `find` is compiled.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq")]
fn ask(question: &Question) -> Answer {
    question.ask::<Avx512>()
}

#[test]
fn avx512_is_right() {
    if !has_avx512() {
        println!("skipped: this machine has no AVX-512 with VBMI2");
        return;
    }
    // SAFETY: the processor has all the features that `ask` is compiled for.
    hold(|question| unsafe { ask(question) });
}
