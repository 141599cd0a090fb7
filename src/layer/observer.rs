//! Who is told of each message: for logs, captures and live traces.

use crate::kind::Sender;
use crate::message::Message;
use crate::summary::Summary;
use crate::violation::Violation;

/// Is told of each message that passes a [`ValidateLayer`](super::ValidateLayer).
///
/// It is called while the message is on its way, on the thread that serves it, so it
/// must not block. Closures of one argument are observers.
///
/// ```
/// use mcparse::Policy;
/// use mcparse::layer::{Heard, ValidateLayer};
///
/// let layer = ValidateLayer::new(Policy::strict()).with_observer(|heard: &Heard<'_>| {
///     if let Err(violation) = heard.verdict() {
///         eprintln!("{:?} {violation}: {:?}", heard.sender(), heard.outcome());
///     }
/// });
/// # drop(layer);
/// ```
pub trait Observer: Send + Sync + 'static {
    /// A message came.
    fn heard(&self, heard: &Heard<'_>);
}

impl<F: Fn(&Heard<'_>) + Send + Sync + 'static> Observer for F {
    fn heard(&self, heard: &Heard<'_>) {
        self(heard);
    }
}

/// A message that came, what was said of it and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'h> {
    from: Sender,
    bytes: &'h [u8],
    verdict: Result<&'h Message<'h>, &'h Violation<'h>>,
    to: Option<&'h Summary>,
    outcome: Outcome,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It was accepted, and goes on.
    Forwarded,
    /// It was refused, and goes on all the same: the layer only observes.
    LetThrough,
    /// It was refused, and its client was answered in the server's place.
    Answered,
    /// It was refused, and its client gets the error -32603 for it.
    Replaced,
    /// It was refused, and left out.
    Dropped,
}

impl<'h> Heard<'h> {
    pub(super) const fn new(
        from: Sender,
        bytes: &'h [u8],
        verdict: Result<&'h Message<'h>, &'h Violation<'h>>,
        to: Option<&'h Summary>,
        outcome: Outcome,
    ) -> Self {
        Self { from, bytes, verdict, to, outcome }
    }

    /// Who sent it.
    #[must_use]
    pub const fn sender(&self) -> Sender {
        self.from
    }

    /// The message as it came. Empty if it was refused before it was read, by its head or
    /// its length, or if it is an answer that never came.
    #[must_use]
    pub const fn bytes(&self) -> &'h [u8] {
        self.bytes
    }

    /// What was said of it.
    ///
    /// # Errors
    ///
    /// The violation by which it was refused.
    pub const fn verdict(&self) -> Result<&'h Message<'h>, &'h Violation<'h>> {
        self.verdict
    }

    /// Of what a server sent, the message of the client that it came for, if that was accepted.
    #[must_use]
    pub const fn to(&self) -> Option<&'h Summary> {
        self.to
    }

    /// What became of it.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }
}
