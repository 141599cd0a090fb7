//! The room of the handshake era: what a session of the revisions up to
//! 2025-11-25 has agreed on, and what is out of place in it.
//!
//! Nothing of the newer era comes in here, and nothing else in the crate comes
//! here either: a verdict asks no session, and a request of 2026-07-28 stands
//! alone. Messages are not judged one by one; that was done before.

mod declared;
mod hear;
mod noticed;
mod state;
mod version;

pub use noticed::SessionNoticed;
pub use state::SessionState;

use crate::head::{Header, RequestHead, ResponseHead};
use crate::kind::Sender;
use crate::message::Message;
use crate::method::Capability;
use crate::revision::Revision;
use crate::rule::Rule;
use crate::summary::Summary;
use declared::Declared;
use version::Version;

/// One process on stdio, or one HTTP session, of the revisions that open with
/// `initialize` ([Lifecycle]).
///
/// ```text
/// (new) -- initialize --> opening -- its result --> opened -- notifications/initialized --> running
///   ^                        |
///   '------ its error -------'
/// ```
///
/// Show it every message that a [`Validator`](crate::Validator) has accepted, in
/// order, before it is forwarded: [`sent`](Self::sent) what the client sends,
/// [`received`](Self::received) what the server does. It says what does not fit
/// the session, as rules of [`Stage::Session`](crate::Stage::Session), and a
/// policy says what follows. Messages of the modern revisions pass it by.
///
/// ```
/// use mcparse::{Policy, Revision, Rule, Sender, Session, Validator};
///
/// let policy = Policy::strict();
/// let (mut validator, mut session) = (Validator::new(policy), Session::new());
///
/// let open = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{
///     "protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"n","version":"1"}}}"#;
/// assert_eq!(session.sent(&validator.check(Sender::Client, open)?).refused(&policy), None);
///
/// let opened = br#"{"jsonrpc":"2.0","id":0,"result":{
///     "protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}}"#;
/// assert_eq!(session.received(&validator.check(Sender::Server, opened)?).refused(&policy), None);
/// assert_eq!(session.revision(), Some(Revision::V2025_06_18)); // the server's choice
///
/// let ready = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// assert_eq!(session.sent(&validator.check(Sender::Client, ready)?).refused(&policy), None);
///
/// // The server has no prompts.
/// let call = br#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#;
/// let call = validator.check(Sender::Client, call)?;
/// let noticed = session.sent(&call);
/// assert_eq!(noticed.refused(&policy), Some(Rule::CapabilityNotNegotiated));
/// let mut reply = Vec::new();
/// assert!(noticed.violation(&policy, &call).unwrap().write_reply(&mut reply));
/// assert!(reply.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"#));
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
///
/// # What it keeps
///
/// A few hundred bytes, owned, never growing: its state, a [`Summary`] of the
/// `initialize` that waits, the version asked for and the one negotiated, and the
/// capabilities of both sides as bits. It allocates nothing.
///
/// # What you refuse
///
/// It takes each message for forwarded. To take back one that is not, keep a copy
/// of the session from before and put that back: it is [`Copy`].
///
/// [Lifecycle]: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
#[derive(Clone, Copy, Debug)]
pub struct Session {
    state: SessionState,
    /// The `initialize` that waits for its answer; while opening, and only then.
    pending: Option<Summary>,
    /// From opening on.
    asked: Version,
    /// From opened on, and so are the server's capabilities.
    negotiated: Version,
    declared: Declared,
    /// The server has named the session, over HTTP.
    has_id: bool,
}

impl Session {
    /// A session that nobody has opened yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            state: SessionState::New,
            pending: None,
            asked: Version::NONE,
            negotiated: Version::NONE,
            declared: Declared::NOTHING,
            has_id: false,
        }
    }

    /// Hears a message of the client.
    pub fn sent(&mut self, message: &Message<'_>) -> SessionNoticed {
        self.hear(Sender::Client, message)
    }

    /// Hears a message of the server.
    pub fn received(&mut self, message: &Message<'_>) -> SessionNoticed {
        self.hear(Sender::Server, message)
    }

    /// Hears a message of the client with the head that it came in: from the
    /// handshake on, a version in `MCP-Protocol-Version` must be the one
    /// negotiated, and `Mcp-Session-Id` must be there if the server gave one. That
    /// it is this session's, who finds sessions by it knows.
    pub fn sent_over_http(
        &mut self,
        head: &RequestHead<'_>,
        message: &Message<'_>,
    ) -> SessionNoticed {
        let is_bound = self.is_open() && !hear::is_apart(message) && !hear::opens(message);
        let version = head.copies(Header::ProtocolVersion);
        let differs = version.has_different()
            || head.protocol_version().is_some_and(|version| !self.negotiated.is(version));
        let lacks_id = self.has_id && !head.copies(Header::SessionId).is_present();
        self.sent(message)
            .note(Rule::VersionNotNegotiated, is_bound && differs)
            .note(Rule::SessionIdMissing, is_bound && lacks_id)
    }

    /// Hears a message of the server with the head of the response that it came
    /// in, or in whose stream: the one with the result of `initialize` may give
    /// the session an id.
    pub fn received_over_http(
        &mut self,
        head: &ResponseHead<'_>,
        message: &Message<'_>,
    ) -> SessionNoticed {
        let was_open = self.is_open();
        let noticed = self.received(message);
        if self.is_open() && !was_open {
            self.has_id = head.has_session_id();
        }
        noticed
    }

    /// How far the handshake has come.
    #[must_use]
    pub const fn state(&self) -> SessionState {
        self.state
    }

    /// The `initialize` that waits for its answer: to be failed if the server
    /// dies.
    #[must_use]
    pub const fn pending(&self) -> Option<&Summary> {
        self.pending.as_ref()
    }

    /// The revision that the client asked for; `None` if it has not, or if the
    /// crate does not know it.
    #[must_use]
    pub fn asked(&self) -> Option<Revision> {
        self.asked.revision()
    }

    /// The revision that the server chose, which may be another; `None` before,
    /// or if the crate does not know it. A policy that serves it alone
    /// ([`RevisionSet::only`](crate::RevisionSet::only)) judges the rest of the
    /// session by it.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.negotiated.revision()
    }

    /// Whether the server chose another version than the client asked for. A
    /// client that does not support it should disconnect.
    #[must_use]
    pub fn has_other_version(&self) -> bool {
        self.is_open() && self.negotiated != self.asked
    }

    /// Whether one side declared this capability in the handshake: one of those
    /// that methods of the handshake revisions need. Others are not kept.
    #[must_use]
    pub fn has_capability(&self, capability: Capability) -> bool {
        self.declared.has(capability)
    }

    /// Whether the server has accepted the handshake.
    fn is_open(&self) -> bool {
        matches!(self.state, SessionState::Opened | SessionState::Running)
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}
