//! What a message is, and which party sent it.

use std::fmt;

/// What a message is: the answer of [`classify`](crate::classify).
///
/// Closed: JSON-RPC 2.0 has these four and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A call that wants an answer: a `method` and an `id`.
    Request,
    /// A call that wants none: a `method` and no `id`.
    Notification,
    /// A successful answer: an `id` and a `result`.
    Result,
    /// An answer that tells of a failure: an `error`.
    Error,
}

impl Kind {
    /// `"request"`, `"notification"` or `"response"` (both kinds of answer).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result | Self::Error => "response",
        }
    }

    /// Whether it is an answer, successful or not.
    #[must_use]
    pub const fn is_response(self) -> bool {
        matches!(self, Self::Result | Self::Error)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The party that sent a message. It decides what may be answered: what a
/// server sends never is.
///
/// Closed: MCP has two parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// The client, which asks.
    Client,
    /// The server, which answers.
    Server,
}

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client => "client",
            Self::Server => "server",
        })
    }
}
