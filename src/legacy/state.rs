//! The state machine of the handshake, as [Lifecycle] tells it.
//!
//! [Lifecycle]: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization

use crate::rule::Rule;

/// How far the handshake of a [`Session`](crate::Session) has come.
///
/// Closed: the protocol has no further step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionState {
    /// Nobody has asked for it.
    New,
    /// The client has sent `initialize`.
    Opening,
    /// The server has accepted it.
    Opened,
    /// The client is ready: `notifications/initialized`.
    Running,
}

/// What a message is to the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The client's request `initialize`.
    Initialize,
    /// The result of the one that waits.
    Accepted,
    /// The error that it is answered with.
    Rejected,
    /// The client's `notifications/initialized`.
    Initialized,
    /// A request of either side, and no ping.
    Request,
    /// A ping, an answer to anything else, any other notification: logging, for
    /// one, may come at any time.
    Other,
}

impl SessionState {
    /// The state behind `event`, and the rule that it breaks by its place.
    ///
    /// ```text
    /// New ------- Initialize --> Opening
    /// Opening --- Accepted ----> Opened
    /// Opening --- Rejected ----> New
    /// Opened ---- Initialized -> Running
    /// else ------ Initialize --> as it was, initialize-twice
    ///
    /// New, Opening ------ Request ------> as it was, before-initialize
    /// Opened ------------ Request ------> as it was, before-initialized
    /// New, Opening ------ Initialized --> as it was, before-initialized
    /// ```
    pub(super) const fn step(self, event: Event) -> (Self, Option<Rule>) {
        match (self, event) {
            (Self::New, Event::Initialize) => (Self::Opening, None),
            (_, Event::Initialize) => (self, Some(Rule::InitializeTwice)),
            (Self::Opening, Event::Accepted) => (Self::Opened, None),
            (Self::Opening, Event::Rejected) => (Self::New, None),
            (Self::Opened, Event::Initialized) => (Self::Running, None),
            (Self::New | Self::Opening, Event::Request) => (self, Some(Rule::BeforeInitialize)),
            (Self::Opened, Event::Request) | (Self::New | Self::Opening, Event::Initialized) => {
                (self, Some(Rule::BeforeInitialized))
            }
            (Self::Running, Event::Request | Event::Initialized)
            | (_, Event::Accepted | Event::Rejected | Event::Other) => (self, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Event::{Accepted, Initialize, Initialized, Other, Rejected, Request};
    use super::SessionState::{New, Opened, Opening, Running};
    use super::*;

    #[test]
    fn every_state_knows_what_to_do_with_every_event() {
        const TWICE: Option<Rule> = Some(Rule::InitializeTwice);
        const EARLY: Option<Rule> = Some(Rule::BeforeInitialize);
        const UNREADY: Option<Rule> = Some(Rule::BeforeInitialized);
        let events = [Initialize, Accepted, Rejected, Initialized, Request, Other];
        #[rustfmt::skip]
        let table = [
            (New,     [(Opening, None),  (New, None),     (New, None),     (New, UNREADY),     (New, EARLY),      (New, None)]),
            (Opening, [(Opening, TWICE), (Opened, None),  (New, None),     (Opening, UNREADY), (Opening, EARLY),  (Opening, None)]),
            (Opened,  [(Opened, TWICE),  (Opened, None),  (Opened, None),  (Running, None),    (Opened, UNREADY), (Opened, None)]),
            (Running, [(Running, TWICE), (Running, None), (Running, None), (Running, None),    (Running, None),   (Running, None)]),
        ];
        for (state, expected) in table {
            assert_eq!(events.map(|event| state.step(event)), expected, "{state:?}");
        }
    }
}
