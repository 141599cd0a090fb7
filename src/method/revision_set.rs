//! Sets of revisions: what a method belongs to, what a policy serves.

use std::fmt;

use crate::revision::Revision;

/// A set of revisions.
///
/// ```
/// use mcparse::{Revision, RevisionSet};
///
/// let served = RevisionSet::MODERN.with(Revision::V2025_11_25);
/// assert!(served.contains(Revision::V2025_11_25));
/// assert_eq!(served.newest(), Some(Revision::V2026_07_28));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RevisionSet {
    /// A bit for each revision, the oldest one lowest.
    bits: u8,
}

impl RevisionSet {
    /// No revision.
    pub const EMPTY: Self = Self { bits: 0 };
    /// Every revision that the crate knows.
    pub const ALL: Self = Self::since(Revision::V2024_11_05);
    /// The revisions in which requests stand alone.
    pub const MODERN: Self = Self::since(Revision::V2026_07_28);
    /// The revisions that open a session with a handshake.
    pub const LEGACY: Self = Self { bits: Self::ALL.bits & !Self::MODERN.bits };

    /// `first` and every later revision.
    #[must_use]
    pub const fn since(first: Revision) -> Self {
        let all = (1 << Revision::ALL.len()) - 1;
        Self { bits: all & !(Self::bit(first) - 1) }
    }

    /// `revision` and no other.
    #[must_use]
    pub const fn only(revision: Revision) -> Self {
        Self { bits: Self::bit(revision) }
    }

    /// This set and `revision`.
    #[must_use]
    pub const fn with(self, revision: Revision) -> Self {
        Self { bits: self.bits | Self::bit(revision) }
    }

    /// This set less `revision`.
    #[must_use]
    pub const fn without(self, revision: Revision) -> Self {
        Self { bits: self.bits & !Self::bit(revision) }
    }

    /// The revisions that are in this set, in `other`, or in both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits }
    }

    /// The revisions that are in this set and in `other`.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self { bits: self.bits & other.bits }
    }

    /// The revisions that are in this set and not in `other`.
    #[must_use]
    pub const fn without_all(self, other: Self) -> Self {
        Self { bits: self.bits & !other.bits }
    }

    /// Whether `revision` is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, revision: Revision) -> bool {
        self.bits & Self::bit(revision) != 0
    }

    /// Whether no revision is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The revisions of the set, oldest first.
    #[must_use]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Revision> {
        Revision::ALL.into_iter().filter(move |&revision| self.contains(revision))
    }

    /// The newest revision of the set.
    #[must_use]
    pub fn newest(self) -> Option<Revision> {
        self.iter().next_back()
    }

    const fn bit(revision: Revision) -> u8 {
        1 << revision as u8
    }
}

impl FromIterator<Revision> for RevisionSet {
    fn from_iter<I: IntoIterator<Item = Revision>>(revisions: I) -> Self {
        revisions.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for RevisionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Revision::as_str)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eras_share_out_all_revisions() {
        for revision in Revision::ALL {
            assert!(RevisionSet::ALL.contains(revision));
            assert_eq!(RevisionSet::MODERN.contains(revision), revision.is_modern());
            assert_eq!(RevisionSet::LEGACY.contains(revision), !revision.is_modern());
        }
        assert_eq!(RevisionSet::LEGACY.union(RevisionSet::MODERN), RevisionSet::ALL);
        assert!(RevisionSet::LEGACY.intersection(RevisionSet::MODERN).is_empty());
    }

    #[test]
    fn a_set_gives_back_what_was_put_in_oldest_first() {
        let two = [Revision::V2026_07_28, Revision::V2025_03_26];
        let set: RevisionSet = two.into_iter().collect();
        assert!(set.iter().eq([Revision::V2025_03_26, Revision::V2026_07_28]));
        assert_eq!(set.without(Revision::V2026_07_28), RevisionSet::only(Revision::V2025_03_26));
        assert_eq!(format!("{set:?}"), r#"{"2025-03-26", "2026-07-28"}"#);
        assert_eq!(RevisionSet::EMPTY.newest(), None);
    }
}
