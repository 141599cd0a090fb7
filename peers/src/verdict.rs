//! What one reader says of one input, and when two readers differ.

use std::fmt;

use mcparse::{Kind, Rule, RuleSet};

/// What a message was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Request,
    Notification,
    Result,
    Error,
    /// An array of messages, which no kind of ours is.
    Batch,
}

impl From<Kind> for Taken {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Request => Self::Request,
            Kind::Notification => Self::Notification,
            Kind::Result => Self::Result,
            Kind::Error => Self::Error,
        }
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result => "result",
            Self::Error => "error",
            Self::Batch => "batch",
        })
    }
}

/// What mcparse says: the kind and what it reports, or the rule it refuses by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ours {
    Accepts(Taken, RuleSet),
    Refuses(Rule),
}

impl Ours {
    /// Whether a peer says the same: that the input is no message it takes,
    /// for whatever reason, or that it is one of the same kind.
    pub(crate) fn agrees(&self, theirs: &Theirs) -> bool {
        match (self, theirs) {
            (Self::Accepts(ours, _), Theirs::Accepts(theirs, _)) => ours == theirs,
            (Self::Refuses(_), Theirs::Refuses(_)) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepts(taken, findings) => {
                write!(f, "{taken}")?;
                let mut separator = "; reports ";
                for rule in findings.iter() {
                    write!(f, "{separator}`{rule}`")?;
                    separator = ", ";
                }
                Ok(())
            }
            Self::Refuses(rule) => write!(f, "**no**: `{rule}`"),
        }
    }
}

/// What a peer says: the kind with a remark, or how its error begins.
#[derive(Clone, Debug)]
pub(crate) enum Theirs {
    Accepts(Taken, &'static str),
    Refuses(String),
}

impl fmt::Display for Theirs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepts(taken, "") => write!(f, "{taken}"),
            Self::Accepts(taken, remark) => write!(f, "{taken}, {remark}"),
            Self::Refuses(error) => write!(f, "**no**: {}", first_words(error)),
        }
    }
}

/// Enough of an error to know it by, and nothing that ends a cell of a table.
fn first_words(error: &str) -> String {
    const MOST: usize = 7;
    let mut words = error.split_whitespace();
    let mut text = words.by_ref().take(MOST).collect::<Vec<_>>().join(" ");
    if words.next().is_some() {
        text.push_str(" …");
    }
    text.replace('|', "\\|")
}
