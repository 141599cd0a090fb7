//! The shapes of params and of results: which members each method takes and
//! gives, of which type, and in which revisions it must have them.
//!
//! One level deep: what the members hold is for whoever serves the method, or
//! asked for it. The data is in `shapes/params.rs` and `shapes/results.rs`;
//! `rules/params.rs` and `rules/result.rs` judge by it. What has rules of its own
//! is left out: `_meta`, and of results `resultType`, `ttlMs` and `cacheScope`. Objects are open, so a member that is not
//! here, or not of this revision, may be anything.

mod params;
mod results;
#[cfg(test)]
pub(crate) mod tests;

use crate::method::{Method, RevisionSet};
use crate::revision::Revision;

/// What the params or the result of a method look like.
pub(crate) struct Shape {
    /// The revisions in which there must be params. A result is always there.
    pub(crate) needed: RevisionSet,
    pub(crate) members: &'static [Member],
    /// A bit for each of `members` that some revision asks for.
    pub(crate) required: u16,
    /// Another shape that the params have instead, if they say so.
    pub(crate) variant: Option<&'static Variant>,
}

/// A member of params or of a result.
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    /// What it takes instead in newer revisions.
    pub(crate) later: Option<Later>,
    /// The revisions that define it.
    pub(crate) defined: RevisionSet,
    /// Those of them that ask for it.
    pub(crate) required: RevisionSet,
}

/// What a member takes in newer revisions: all that it took before, and more.
#[derive(Clone, Copy)]
pub(crate) struct Later {
    pub(crate) revisions: RevisionSet,
    pub(crate) takes: Takes,
}

/// The values that a member may have.
#[derive(Clone, Copy)]
pub(crate) enum Takes {
    Anything,
    Boolean,
    String,
    Number,
    /// In any form: `1.0` is an integer to JSON Schema.
    Integer,
    IntegerOrNull,
    StringOrInteger,
    Array,
    Object,
    ObjectOrArray,
    ObjectOrNull,
    /// One of some strings.
    Word(&'static Words),
}

/// A closed list of strings.
pub(crate) struct Words {
    /// What they are called.
    pub(crate) expected: &'static str,
    pub(crate) words: &'static [&'static str],
}

/// The shape of params in which `member` is the string `word`.
pub(crate) struct Variant {
    pub(crate) member: &'static str,
    pub(crate) word: &'static str,
    pub(crate) shape: &'static Shape,
}

const TASK_STATES: Words = Words {
    expected: "the status of a task",
    words: &["working", "input_required", "completed", "failed", "cancelled"],
};

/// The shape of the params of `method`. It says nothing of revisions that do
/// not have the method.
#[inline]
pub(crate) const fn of(method: Method) -> &'static Shape {
    params::shape(method)
}

/// The shape of a complete result of `method`, whichever side gives it. It says
/// nothing of revisions that do not have the method.
#[inline]
pub(crate) const fn of_result(method: Method) -> &'static Shape {
    results::shape(method)
}

/// The shape of a result that asks for input.
pub(crate) const INPUT_REQUIRED: &Shape = results::INPUT_REQUIRED;

impl Takes {
    /// In words, after "must be".
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::Anything => "any value",
            Self::Boolean => "true or false",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Integer => "an integer",
            Self::IntegerOrNull => "an integer or null",
            Self::StringOrInteger => "a string or an integer",
            Self::Array => "an array",
            Self::Object => "an object",
            Self::ObjectOrArray => "an object or an array",
            Self::ObjectOrNull => "an object or null",
            Self::Word(words) => words.expected,
        }
    }
}

impl Shape {
    /// Params that are there in the revisions `needed`.
    const fn new(needed: RevisionSet, members: &'static [Member]) -> Self {
        let (mut required, mut at) = (0, 0);
        while at < members.len() {
            if !members[at].required.is_empty() {
                required |= 1 << at;
            }
            at += 1;
        }
        Self { needed, members, required, variant: None }
    }

    const fn or(self, variant: &'static Variant) -> Self {
        Self { variant: Some(variant), ..self }
    }
}

impl Member {
    /// A member that may be left out.
    const fn may(name: &'static str, takes: Takes) -> Self {
        Self { name, takes, later: None, defined: RevisionSet::ALL, required: RevisionSet::EMPTY }
    }

    /// A member that must be there.
    const fn must(name: &'static str, takes: Takes) -> Self {
        Self::may(name, takes).must_in(RevisionSet::ALL)
    }

    /// Only these revisions ask for it.
    const fn must_in(self, revisions: RevisionSet) -> Self {
        Self { required: revisions, ..self }
    }

    /// These newer revisions take more.
    const fn later(self, revisions: RevisionSet, takes: Takes) -> Self {
        Self { later: Some(Later { revisions, takes }), ..self }
    }

    /// What it takes in `revision`.
    pub(crate) const fn takes_in(&self, revision: Revision) -> Takes {
        match self.later {
            Some(later) if later.revisions.contains(revision) => later.takes,
            _ => self.takes,
        }
    }

    /// Only these revisions have it.
    const fn within(self, revisions: RevisionSet) -> Self {
        let required = self.required.intersection(revisions);
        Self { defined: revisions, required, ..self }
    }
}
