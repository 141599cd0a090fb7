//! What a method belongs to, what it asks to have been declared, and what has
//! been deprecated.

use std::fmt;

use crate::kind::Sender;
use crate::revision::Revision;

/// The part of the protocol that a method belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Primitive {
    /// The handshake that opens a session.
    Lifecycle,
    /// What a server is and can do.
    Discovery,
    /// Functions that a model may call.
    Tools,
    /// Templates for messages to a model.
    Prompts,
    /// Data that a server offers for context.
    Resources,
    /// Suggestions for the arguments of prompts and resource templates.
    Completion,
    /// Streams of the notifications that a client asked for.
    Subscriptions,
    /// Handles for work that takes long: experimental in 2025-11-25, an
    /// extension from 2026-07-28 on.
    Tasks,
    /// Questions to the user, through the client.
    Elicitation,
    /// Directories that a client opens to a server.
    Roots,
    /// Calls of a model, through the client.
    Sampling,
    /// Messages for a log.
    Logging,
    /// What helps any request along: ping, progress, cancellation.
    Utility,
}

impl Primitive {
    /// The name, in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lifecycle => "lifecycle",
            Self::Discovery => "discovery",
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Completion => "completion",
            Self::Subscriptions => "subscriptions",
            Self::Tasks => "tasks",
            Self::Elicitation => "elicitation",
            Self::Roots => "roots",
            Self::Sampling => "sampling",
            Self::Logging => "logging",
            Self::Utility => "utility",
        }
    }

    /// Since when it is deprecated, and what to use in its place
    /// ([Deprecated Features]).
    ///
    /// [Deprecated Features]: https://modelcontextprotocol.io/specification/2026-07-28/deprecated
    #[must_use]
    pub const fn deprecation(self) -> Option<Deprecation> {
        let instead = match self {
            Self::Roots => {
                "name directories and files in tool parameters, resource URIs or the server's \
                 configuration"
            }
            Self::Sampling => "call the API of a model provider directly",
            Self::Logging => "log to stderr where the transport is stdio, or use OpenTelemetry",
            _ => return None,
        };
        Some(Deprecation { since: Revision::V2026_07_28, instead })
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// That something still works, but should not be taken up any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Deprecation {
    /// The first revision that deprecates it.
    pub since: Revision,
    /// What to do in its place: one clause in lower case.
    pub instead: &'static str,
}

/// A capability that must have been declared before a message may be sent.
///
/// ```
/// use mcparse::{Method, Revision, Sender};
///
/// let needed = Method::TasksGet.capability(Sender::Client, Revision::V2026_07_28).unwrap();
/// assert_eq!(needed.owner, Sender::Client);
/// assert_eq!((needed.name, needed.part), ("extensions", Some("io.modelcontextprotocol/tasks")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Capability {
    /// Who must have declared it.
    pub owner: Sender,
    /// The member of the owner's capabilities.
    pub name: &'static str,
    /// The member of that member, if the member alone is not enough.
    pub part: Option<&'static str>,
}

impl Capability {
    /// A capability of the client.
    ///
    /// ```
    /// use mcparse::Capability;
    ///
    /// let tasks = Capability::of_client("extensions").with_part("io.modelcontextprotocol/tasks");
    /// assert_eq!(tasks.to_string(), "extensions.io.modelcontextprotocol/tasks");
    /// ```
    #[must_use]
    pub const fn of_client(name: &'static str) -> Self {
        Self { owner: Sender::Client, name, part: None }
    }

    /// This capability, if its member `part` is there too.
    #[must_use]
    pub const fn with_part(mut self, part: &'static str) -> Self {
        self.part = Some(part);
        self
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.part.map_or(Ok(()), |part| write!(f, ".{part}"))
    }
}
