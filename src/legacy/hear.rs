//! What a message is to the session: an event of the handshake, what it
//! declares, and the capability that it needs.

use super::Session;
use super::declared::{self, Declared, object};
use super::noticed::SessionNoticed;
use super::state::{Event, SessionState};
use super::version::Version;
use crate::era::Era;
use crate::json::reader;
use crate::kind::Sender;
use crate::message::{Message, Response};
use crate::method::{Capability, Method, RevisionSet};
use crate::revision::Revision;
use crate::rule::Rule;

/// Whether the message is of the other era, which has no sessions.
pub(super) fn is_apart(message: &Message<'_>) -> bool {
    message.era() == Some(Era::Modern)
}

/// Whether it is the request that opens a session.
pub(super) fn opens(message: &Message<'_>) -> bool {
    let is_request = matches!(message, Message::Request(_));
    is_request && method(message) == Some(Method::Initialize)
}

fn method(message: &Message<'_>) -> Option<Method> {
    message.method().and_then(Method::from_text)
}

impl Session {
    /// Hears a message, whoever sent it.
    pub(super) fn hear(&mut self, from: Sender, message: &Message<'_>) -> SessionNoticed {
        if is_apart(message) {
            return SessionNoticed::NOTHING;
        }
        let event = self.event(from, message);
        let was = self.state;
        let (state, rule) = was.step(event);
        self.state = state;
        match (was, state) {
            (SessionState::New, SessionState::Opening) => self.begin(message),
            (SessionState::Opening, SessionState::Opened) => self.settle(message),
            (SessionState::Opening, SessionState::New) => *self = Self::new(),
            _ => {}
        }
        let missing = if self.is_open() { self.missing(from, message) } else { None };
        SessionNoticed { rules: rule.into_iter().collect(), missing }
            .note(Rule::CapabilityNotNegotiated, missing.is_some())
    }

    fn event(&self, from: Sender, message: &Message<'_>) -> Event {
        match (message, from, method(message)) {
            (Message::Request(_), Sender::Client, Some(Method::Initialize)) => Event::Initialize,
            (Message::Request(_), _, Some(Method::Ping)) => Event::Other,
            (Message::Request(_), ..) => Event::Request,
            (Message::Notification(_), Sender::Client, Some(Method::Initialized)) => {
                Event::Initialized
            }
            (Message::Response(answer), Sender::Server, _) if self.awaits(answer) => {
                if answer.result().is_some() { Event::Accepted } else { Event::Rejected }
            }
            (Message::Notification(_) | Message::Response(_), ..) => Event::Other,
        }
    }

    /// Whether it is the answer to the `initialize` that waits. An error without
    /// an id is: hardly anything else can have been sent before.
    fn awaits(&self, answer: &Response<'_>) -> bool {
        self.pending.is_some_and(|pending| answer.id().is_none_or(|id| pending.has_id(id)))
    }

    /// The client has asked for a session.
    fn begin(&mut self, message: &Message<'_>) {
        let Message::Request(call) = message else { return };
        let (version, declared) = read(Sender::Client, call.params());
        self.pending = Some(message.summary());
        self.asked = version;
        self.declared = declared;
    }

    /// The server has accepted it.
    fn settle(&mut self, message: &Message<'_>) {
        let Message::Response(answer) = message else { return };
        let (version, declared) = read(Sender::Server, answer.result());
        self.pending = None;
        self.negotiated = version;
        self.declared = self.declared.and(declared);
    }

    /// The capability that the message needs and that was not declared.
    ///
    /// Where the crate does not know the version that was negotiated, only what
    /// all revisions need that the message may be of.
    fn missing(&self, from: Sender, message: &Message<'_>) -> Option<Capability> {
        let method = method(message)?;
        let params = match message {
            Message::Request(call) => call.params(),
            Message::Notification(call) => call.params(),
            Message::Response(_) => return None,
        };
        let legacy = RevisionSet::LEGACY;
        let revisions = match self.revision() {
            Some(revision) if legacy.contains(revision) => RevisionSet::only(revision),
            _ => message.revisions().intersection(legacy),
        };
        let mut missing = None;
        for revision in Revision::ALL.into_iter().filter(|&it| revisions.contains(it)) {
            let needed = declared::needed(method, from, revision, params)?;
            if self.declared.has(needed) {
                return None;
            }
            missing = Some(needed);
        }
        missing
    }
}

/// The version and the capabilities in one side's part of the handshake.
fn read(owner: Sender, json: Option<&[u8]>) -> (Version, Declared) {
    let json = json.unwrap_or_default();
    let member = |name| reader::member(json, object(json), name);
    let version = Version::new(reader::text(json, member("protocolVersion")));
    (version, Declared::read(owner, json, member("capabilities")))
}
