//! The dates that name the protocol revisions.
//!
//! Only the names live here; which revisions are served is for the policy to
//! say, and what each one asks for is in the rules.

use std::fmt;

/// A revision of the Model Context Protocol, named by its date.
///
/// The first four open a session with an `initialize` handshake (*legacy*);
/// from 2026-07-28 on every request stands alone (*modern*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// 2024-11-05, the first.
    V2024_11_05,
    /// 2025-03-26, the only one with batches.
    V2025_03_26,
    /// 2025-06-18.
    V2025_06_18,
    /// 2025-11-25, the last with a handshake.
    V2025_11_25,
    /// 2026-07-28, the first stateless one.
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The date on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision with this date, if it is one that the crate knows.
    ///
    /// ```
    /// use mcparse::Revision;
    ///
    /// assert_eq!(Revision::from_bytes(b"2026-07-28"), Some(Revision::V2026_07_28));
    /// assert_eq!(Revision::from_bytes(b"2027-01-01"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_bytes(date: &[u8]) -> Option<Self> {
        // The one that most messages name comes first.
        let mut newest_first = Self::ALL.into_iter().rev();
        newest_first.find(|revision| revision.as_str().as_bytes() == date)
    }

    /// Whether requests stand alone instead of belonging to a session.
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
