//! Rows of the crate's own benchmarks, which say only whether a message is
//! accepted, and the copy.

use std::hint::black_box;

use super::{CHECK_HTTP, IGNORED};
use crate::contender::{Accepts, Contender, Level};
use crate::seen::Tally;
use crate::support::classes::Case;
use crate::support::{calls, contenders};

struct Shared {
    name: &'static str,
    row: Box<dyn contenders::Contender>,
}

impl Contender for Shared {
    fn name(&self) -> &'static str {
        self.name
    }

    fn level(&self) -> Level {
        Level::Nothing
    }

    fn pass(&mut self, cases: &[Case]) -> Tally {
        Tally::of(self.row.pass(cases))
    }
}

fn row(
    name: &'static str,
    theirs: &str,
    rows: Vec<Box<dyn contenders::Contender>>,
) -> impl Contender {
    let row = rows.into_iter().find(|row| row.name() == theirs).expect("a row of the benchmarks");
    Shared { name, row }
}

/// Only for the requests that have heads.
pub(crate) fn check_http() -> impl Contender {
    row(CHECK_HTTP, "check_http", calls::all())
}

/// The copy into a padded scratch and the tape, from which nothing is read.
pub(crate) fn simd_json() -> impl Contender {
    row("simd-json tape, copy", "ceiling", contenders::all())
}

pub(crate) fn ignored() -> impl Contender {
    row(IGNORED, "IgnoredAny", contenders::all())
}

/// A copy into memory that is there.
pub(crate) fn copy() -> impl Contender {
    let mut scratch = Vec::new();
    Accepts("limit: memcpy", move |case: &Case| {
        scratch.clear();
        scratch.extend_from_slice(black_box(&case.message));
        !black_box(&scratch).is_empty()
    })
}
