//! What takes part: readers of messages, each at the levels that its public
//! functions allow.

use crate::seen::{Fields, Tally};
use crate::support::classes::Case;
use mcparse::Kind;

/// What is taken out of a message while time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// That it was read.
    Nothing,
    /// What kind of message it is: the truth table.
    Kind,
    /// The kind, the id, the method, `params.name`, the protocol version in
    /// `_meta`, the error's code.
    Fields,
}

impl Level {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Kind => "kind",
            Self::Fields => "fields",
        }
    }
}

/// A reader at one level.
pub(crate) trait Contender {
    fn name(&self) -> &'static str;

    fn level(&self) -> Level;

    /// Makes what it is given beside the messages: not for the loop that is timed.
    fn prepare(&mut self, _cases: &[Case]) {}

    /// Reads all of them. The loop that is timed, compiled once for each contender.
    fn pass(&mut self, cases: &[Case]) -> Tally;
}

/// One who reads single messages.
pub(crate) trait Reader {
    fn prepare(&mut self, _cases: &[Case]) {}

    /// The kind of message `at` of those prepared, `None` if it is refused.
    fn kind(&mut self, at: usize, case: &Case) -> Option<Kind>;

    /// What a gateway routes by, `None` if it is refused. A reader that cannot
    /// give it has none.
    fn fields(&mut self, at: usize, case: &Case) -> Option<Fields>;
}

/// A reader of whole messages that says only whether one is accepted.
pub(crate) struct Accepts<F>(pub(crate) &'static str, pub(crate) F);

impl<F: FnMut(&Case) -> bool> Contender for Accepts<F> {
    fn name(&self) -> &'static str {
        self.0
    }

    fn level(&self) -> Level {
        Level::Nothing
    }

    fn pass(&mut self, cases: &[Case]) -> Tally {
        let mut tally = Tally::default();
        for case in cases {
            tally.accept(self.1(case));
        }
        tally
    }
}

/// A reader that is asked for the kind.
pub(crate) struct Kinds<R>(pub(crate) &'static str, pub(crate) R);

impl<R: Reader> Contender for Kinds<R> {
    fn name(&self) -> &'static str {
        self.0
    }

    fn level(&self) -> Level {
        Level::Kind
    }

    fn prepare(&mut self, cases: &[Case]) {
        self.1.prepare(cases);
    }

    fn pass(&mut self, cases: &[Case]) -> Tally {
        let mut tally = Tally::default();
        for (at, case) in cases.iter().enumerate() {
            tally.kind(self.1.kind(at, case));
        }
        tally
    }
}

/// A reader that is asked for the fields.
pub(crate) struct AllFields<R>(pub(crate) &'static str, pub(crate) R);

impl<R: Reader> Contender for AllFields<R> {
    fn name(&self) -> &'static str {
        self.0
    }

    fn level(&self) -> Level {
        Level::Fields
    }

    fn prepare(&mut self, cases: &[Case]) {
        self.1.prepare(cases);
    }

    fn pass(&mut self, cases: &[Case]) -> Tally {
        let mut tally = Tally::default();
        for (at, case) in cases.iter().enumerate() {
            tally.fields(self.1.fields(at, case));
        }
        tally
    }
}
