//! Why a message cannot be sent on as it was asked for.

use std::fmt;

/// Which member stands in the way of a [`Rewrite`](crate::Rewrite), and why.
///
/// ```
/// use mcparse::{Obstacle, Policy, Sender, Validator};
///
/// // What `Policy::strict` refuses; this one only takes note.
/// let mut validator = Validator::new(Policy::observe());
/// let bytes = br#"{"jsonrpc":"2.0","id":1,"ID":2,"method":"ping"}"#;
/// let message = validator.check(Sender::Client, bytes)?;
/// let refused = message.rewrite().with_id(3).slices(&mut Vec::new()).unwrap_err();
/// assert_eq!((refused.member(), refused.obstacle()), ("id", Obstacle::Lookalike));
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotRewritable<'r> {
    member: &'r str,
    obstacle: Obstacle,
}

impl<'r> NotRewritable<'r> {
    pub(super) const fn new(member: &'r str, obstacle: Obstacle) -> Self {
        Self { member, obstacle }
    }

    /// The member: `id`, `method`, `params`, `result`, `_meta`, a key of it, or
    /// `name` for what the method is called on, whatever it is called there.
    #[must_use]
    pub const fn member(&self) -> &'r str {
        self.member
    }

    /// What is wrong with it.
    #[must_use]
    pub const fn obstacle(&self) -> Obstacle {
        self.obstacle
    }
}

impl fmt::Display for NotRewritable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the member {} {}", self.member.escape_debug(), self.obstacle)
    }
}

impl std::error::Error for NotRewritable<'_> {}

/// Why a member cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The message has none: a notification has no id, a list no name.
    Missing,
    /// It is there twice, and readers differ in which one they take.
    Repeated,
    /// Another member's name looks like it, and lenient readers take one for the
    /// other. Also of a new key that looks like one of the protocol's.
    Lookalike,
    /// The name does not start with the prefix that is to be taken off.
    NoPrefix,
    /// `_meta` is not an object.
    NotObject,
    /// Two changes are for the same key, or for two that look alike.
    ChangedTwice,
    /// More keys are to be changed than
    /// [`Rewrite::MOST_META`](crate::Rewrite::MOST_META).
    TooMany,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "is not there",
            Self::Repeated => "is given twice",
            Self::Lookalike => "has a look-alike",
            Self::NoPrefix => "does not start with the prefix",
            Self::NotObject => "is not an object",
            Self::ChangedTwice => "is to be changed twice",
            Self::TooMany => "is one more than can be changed",
        })
    }
}
