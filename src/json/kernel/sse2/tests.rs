//! The block, which needs no door: every x86-64 has SSE2.

use super::*;
use crate::json::blocks::tests::{Question, hold};

#[test]
fn sse2_is_right() {
    hold(Question::ask::<Sse2>);
}
