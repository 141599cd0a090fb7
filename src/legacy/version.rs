//! A protocol version that outlives its message.

use crate::revision::Revision;
use crate::summary::fingerprint;
use crate::text::Text;

/// A version of a handshake, known to the crate or not, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// Versions are told apart by this alone: it is for comparing what two
    /// peers say, neither of which gains by a collision.
    fingerprint: Option<u64>,
    revision: Option<Revision>,
}

impl Version {
    pub(super) const NONE: Self = Self { fingerprint: None, revision: None };

    pub(super) fn new(version: Option<Text<'_>>) -> Self {
        let is = |revision: &Revision| version.is_some_and(|text| text == *revision.as_str());
        Self { fingerprint: version.map(fingerprint), revision: Revision::ALL.into_iter().find(is) }
    }

    /// The revision, if it is one that the crate knows.
    pub(super) const fn revision(self) -> Option<Revision> {
        self.revision
    }

    /// Whether a header's value is this version.
    pub(super) fn is(self, value: &[u8]) -> bool {
        match self.revision {
            Some(revision) => revision.as_str().as_bytes() == value,
            None => self.fingerprint == Some(fingerprint(Text::new(value))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_told_by_its_text_however_it_is_spelled() {
        let of = |text: &'static str| Version::new(Some(Text::new(text.as_bytes())));
        assert_eq!(of("2025-06-18"), of(r"2025\u002d06-18"));
        assert_eq!(of("2025-06-18").revision(), Some(Revision::V2025_06_18));
        assert_eq!(of("2099-01-01"), of(r"2099\u002d01-01"));
        assert_ne!(of("2099-01-01"), of("2099-01-02"));
        assert!(of("2099-01-01").is(b"2099-01-01") && !of("2099-01-01").is(b"2099-01-02"));
        assert!(of("2025-06-18").is(b"2025-06-18") && !of("2025-06-18").is(b"2025-03-26"));
        assert_eq!(of("2099-01-01").revision(), None);
        assert_eq!(Version::new(None), Version::NONE);
        assert!(!Version::NONE.is(b""));
    }
}
