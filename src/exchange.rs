//! What is wrong between the messages of one connection: answers to nothing, ids
//! that are taken, progress that goes backwards.
//!
//! ```text
//!                 ┌─ side: requests that wait, answered, cancelled ─ progress
//! sent, received ─┼─ subscriptions: streams that were opened with a request
//!                 ├─ rounds: questions and retries
//!                 └─ lists: pages, their order and scope
//! ```
//!
//! It never judges a message alone, and the validator never asks it. All that it
//! keeps has a bound: past it, what is open is not tracked and nothing is said of
//! it, and of what is over the oldest is forgotten.

mod hear;
mod limits;
mod lists;
mod noticed;
mod progress;
mod read;
mod rounds;
mod side;
mod subscriptions;
mod table;

use std::fmt;

pub use limits::ExchangeLimits;
pub use noticed::Noticed;

use crate::era::Era;
use crate::id::Id;
use crate::kind::Sender;
use crate::message::Message;
use crate::summary::Summary;
use lists::Lists;
use rounds::Rounds;
use side::{End, Side};
use subscriptions::Subscriptions;

/// The account of one connection: a process on stdio, or what one client sends
/// and hears over HTTP. Optional, since no verdict needs it.
///
/// Show it every message that a [`Validator`](crate::Validator) has accepted, in
/// order, before it is forwarded: [`sent`](Self::sent) what the client sends,
/// [`received`](Self::received) what the server does. It says what is wrong
/// between them, as rules of [`Stage::Exchange`](crate::Stage::Exchange), and
/// which request a message belongs to.
///
/// ```
/// use mcparse::{Exchange, Policy, Rule, Sender, Validator};
///
/// let policy = Policy::strict();
/// let mut validator = Validator::new(policy);
/// let mut exchange = Exchange::new();
///
/// let call = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}"#;
/// let call = validator.check(Sender::Client, call)?;
/// assert_eq!(exchange.sent(&call).refused(&policy), None);
/// // The id is taken while nobody has answered.
/// assert_eq!(exchange.sent(&call).refused(&policy), Some(Rule::IdInFlight));
///
/// // 7 is not "7".
/// let answer = br#"{"jsonrpc":"2.0","id":"7","result":{"content":[]}}"#;
/// let noticed = exchange.received(&validator.check(Sender::Server, answer)?);
/// assert!(noticed.reported(&policy).contains(Rule::AnswerUnknown));
///
/// // The server has died: these still wait for an answer.
/// let waiting: Vec<_> = exchange.pending().collect();
/// assert_eq!(waiting[0].id().unwrap().lexeme(), b"7");
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
///
/// # What it keeps
///
/// A [`Summary`] of each request that waits, fingerprints of the rest, all
/// within [`ExchangeLimits`]. A request, a progress token or a subscription for
/// which there is no room is let through and not tracked (`exchange-full`).
/// Until as many answers have come that belong to nothing known, one that is not
/// known may be its answer, and nothing is said of it. Ids, tokens and states of
/// more than 64 bytes are told apart by fingerprints alone.
///
/// # What you refuse
///
/// A request that is not forwarded after all, because a policy refuses one of
/// the rules or for a reason of yours, should be taken back with
/// [`withdraw`](Self::withdraw); one whose id is taken (`id-in-flight`) never
/// entered the account. On stdio that one is answered with nothing: a reply with
/// its id would be taken for the first request's. Over HTTP it has a response of
/// its own, with the status 400.
///
/// An answer that the validator refuses is not shown: the request that fails with it is ended with [`fail`](Self::fail), and so is one
/// whose stream ended without an answer ([`Summary::write_failure`]), or that an
/// error without an id answers, which over HTTP belongs to the request that it
/// came for. Else the id stays taken.
pub struct Exchange {
    /// The requests of the client, and those of the server, which only the
    /// handshake revisions have.
    client: Side,
    server: Side,
    subscriptions: Subscriptions,
    rounds: Rounds,
    lists: Lists,
    is_http: bool,
    /// Of the client's requests so far: modern if all were.
    era: Option<Era>,
    /// How many requests of the client were not tracked, since ever.
    missed: usize,
}

impl Exchange {
    /// A new connection, with the default limits.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limits(ExchangeLimits::new())
    }

    /// A new connection, with these limits.
    #[must_use]
    pub const fn with_limits(limits: ExchangeLimits) -> Self {
        Self {
            client: Side::new(&limits),
            server: Side::new(&limits),
            subscriptions: Subscriptions::new(&limits),
            rounds: Rounds::new(&limits),
            lists: Lists::new(&limits),
            is_http: false,
            era: None,
            missed: 0,
        }
    }

    /// The same over Streamable HTTP, where a modern client cancels by closing
    /// the stream of its request (`cancel-over-http`): tell that with
    /// [`cancel`](Self::cancel).
    #[must_use]
    pub const fn over_http(mut self) -> Self {
        self.is_http = true;
        self
    }

    /// Hears a message of the client.
    pub fn sent(&mut self, message: &Message<'_>) -> Noticed {
        self.hear(Sender::Client, message)
    }

    /// Hears a message of the server.
    pub fn received(&mut self, message: &Message<'_>) -> Noticed {
        self.hear(Sender::Server, message)
    }

    /// The client's requests that wait for their answers, the oldest first: those
    /// to fail when the server dies.
    pub fn pending(&self) -> impl Iterator<Item = &Summary> {
        self.client.waiting()
    }

    /// Whether the next request of the client would not be tracked.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.client.is_full()
    }

    /// The client has given up its request `id` without a message: the stream of
    /// its HTTP request was closed, or its time is over. An answer that still
    /// comes is `answer-after-cancel`.
    pub fn cancel(&mut self, id: Id<'_>) -> Option<Summary> {
        self.end(Sender::Client, id, Some(End::Cancelled))
    }

    /// The client's request `id` has failed: its answer was refused, or none can
    /// come any more, because its HTTP response is over. Its id is free again, and
    /// an answer that still comes is `answer-twice`.
    pub fn fail(&mut self, id: Id<'_>) -> Option<Summary> {
        self.end(Sender::Client, id, Some(End::Answered))
    }

    /// The same of a request of the server, which only the handshake revisions
    /// have: the answer of its client was refused.
    pub fn fail_of_server(&mut self, id: Id<'_>) -> Option<Summary> {
        self.end(Sender::Server, id, Some(End::Answered))
    }

    /// The client's request `id` was not forwarded after all: as if it had never
    /// been sent. One that was not tracked (`exchange-full`) can be taken back as
    /// long as it is the last such.
    pub fn withdraw(&mut self, id: Id<'_>) -> Option<Summary> {
        if self.client.forgo(id) {
            self.missed = self.missed.saturating_sub(1);
        }
        self.end(Sender::Client, id, None)
    }

    /// Forgets everything, for a new connection. The room stays.
    pub fn clear(&mut self) {
        self.client.clear();
        self.server.clear();
        self.subscriptions.clear();
        self.rounds.clear();
        self.lists.clear();
        (self.era, self.missed) = (None, 0);
    }
}

impl Default for Exchange {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("pending", &self.pending().count())
            .field("is_http", &self.is_http)
            .finish_non_exhaustive()
    }
}
