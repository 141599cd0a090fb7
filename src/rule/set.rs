//! Sets of rules: what a message breaks, what a policy refuses by.

use std::fmt;

use super::Rule;

/// A set of rules: the findings of an accepted message.
///
/// ```
/// use mcparse::{Rule, RuleSet};
///
/// let findings = RuleSet::EMPTY.with(Rule::UnknownMember);
/// assert!(findings.contains(Rule::UnknownMember));
/// assert_eq!(findings.iter().map(Rule::id).collect::<Vec<_>>(), ["unknown-member"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet {
    words: [u64; WORDS],
}

const WORDS: usize = Rule::ALL.len().div_ceil(64);

impl RuleSet {
    /// The set with no rule in it.
    pub const EMPTY: Self = Self { words: [0; WORDS] };

    /// This set and `rule`.
    #[must_use]
    pub const fn with(mut self, rule: Rule) -> Self {
        let at = rule as usize;
        self.words[at / 64] |= 1 << (at % 64);
        self
    }

    /// This set less `rule`.
    #[must_use]
    pub const fn without(mut self, rule: Rule) -> Self {
        let at = rule as usize;
        self.words[at / 64] &= !(1 << (at % 64));
        self
    }

    /// Adds `rule` if `broken`.
    #[inline]
    pub(crate) const fn note(&mut self, rule: Rule, broken: bool) {
        // Nearly always it is not, which a predicted branch costs least for.
        if broken {
            cold();
            *self = self.with(rule);
        }
    }

    /// The rules that are in this set and in `other`.
    #[must_use]
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        let mut words = self.words;
        words.iter_mut().zip(other.words).for_each(|(word, other)| *word &= other);
        Self { words }
    }

    /// The rules that are in this set, in `other`, or in both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let mut words = self.words;
        words.iter_mut().zip(other.words).for_each(|(word, other)| *word |= other);
        Self { words }
    }

    /// Whether `rule` is in the set.
    #[must_use]
    pub const fn contains(self, rule: Rule) -> bool {
        let at = rule as usize;
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Whether no rule is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self.words.iter().fold(0, |any, word| any | word) == 0
    }

    /// The rules of the set, in the order of judgement.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        self.into_iter()
    }

    /// The rule of the set that wins.
    #[must_use]
    #[inline]
    pub fn first(self) -> Option<Rule> {
        let at = self.words.iter().position(|&word| word != 0)?;
        Rule::ALL.get(at * 64 + self.words[at].trailing_zeros() as usize).copied()
    }
}

/// Marks the way here as rarely taken.
#[cold]
const fn cold() {}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Rule::id)).finish()
    }
}

/// The rules of a [`RuleSet`], in the order of judgement.
#[derive(Clone, Debug)]
pub struct Rules {
    rest: RuleSet,
}

impl Iterator for Rules {
    type Item = Rule;

    fn next(&mut self) -> Option<Rule> {
        let rule = self.rest.first()?;
        self.rest = self.rest.without(rule);
        Some(rule)
    }
}

impl IntoIterator for RuleSet {
    type Item = Rule;
    type IntoIter = Rules;

    fn into_iter(self) -> Rules {
        Rules { rest: self }
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        rules.into_iter().fold(Self::EMPTY, Self::with)
    }
}
