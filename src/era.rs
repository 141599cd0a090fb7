//! The two eras of the protocol.

use std::fmt;

/// Whether requests stand alone or belong to a session ([Terminology]).
///
/// A validator tells the era of a request before any rule of a revision is
/// asked, by what comes first of these:
///
/// 1. `_meta` holds the version, the capabilities or the identity of the
///    client: modern. This beats even the method `initialize`.
/// 2. The header `MCP-Protocol-Version` names a modern revision: modern.
/// 3. The method exists in modern revisions only: modern.
/// 4. The policy serves modern revisions only, and the method is not
///    `initialize`: modern.
/// 5. Else legacy.
///
/// A notification or an answer is of the revision in the header; without one a
/// notification that holds what only modern requests do is modern, if that is
/// served, and any other may be of any revision that the policy serves: it is
/// refused only by what all of those refuse.
///
/// [Terminology]: https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#terminology
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Era {
    /// Revisions that open a session with `initialize`: up to 2025-11-25.
    Legacy,
    /// Revisions in which each request says its own version and capabilities:
    /// from 2026-07-28 on.
    Modern,
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        })
    }
}
