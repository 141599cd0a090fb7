//! Who sent a message, where nobody says: told by its method, or by its id.
//!
//! A message is read once more for that, by a policy under which nothing that
//! can be read is refused, so that what is wrong with it does not hide what it
//! is.

use std::collections::HashSet;

use mcparse::{ExtraMethod, Kind, Message, Method, Policy, RevisionSet, Sender, Text, Validator};

/// The most ids of a server's requests that are remembered, and the longest.
/// Beyond that an answer is taken for the server's.
const MOST_IDS: usize = 4096;
const MOST_ID: usize = 1024;

/// Tells the sender of each message of a source.
pub(super) struct Senders {
    reader: Validator,
    /// Ids of requests by the server that have not been answered.
    asked: HashSet<Vec<u8>>,
}

impl Senders {
    /// For messages that are judged by `policy`.
    pub(super) fn new(policy: &Policy) -> Self {
        let lenient = Policy::observe()
            .with_limits(*policy.limits())
            .with_revisions(policy.revisions())
            .with_methods(policy.methods());
        Self { reader: Validator::new(lenient), asked: HashSet::new() }
    }

    /// Forgets what was asked: another source begins.
    pub(super) fn forget(&mut self) {
        self.asked.clear();
    }

    /// Whoever may send the method, the client if both may or nobody; a
    /// response is the server's, unless it answers a request of the server's.
    /// What cannot be read is taken for the client's, who gets an answer.
    pub(super) fn sender(&mut self, message: &[u8]) -> Sender {
        let Ok(message) = self.reader.check(Sender::Client, message) else {
            return Sender::Client;
        };
        let id = message.id().map(|id| id.lexeme());
        if let Some(method) = message.method() {
            let sender = self.sender_of(method);
            let is_question = sender == Sender::Server && message.kind() == Kind::Request;
            if let Some(id) = id.filter(|id| is_question && id.len() <= MOST_ID)
                && self.asked.len() < MOST_IDS
            {
                self.asked.insert(id.to_owned());
            }
            return sender;
        }
        match message {
            Message::Response(_) if id.is_some_and(|id| self.asked.remove(id)) => Sender::Client,
            _ => Sender::Server,
        }
    }

    fn sender_of(&self, method: Text<'_>) -> Sender {
        let policy = self.reader.policy();
        let Some(known) = Method::from_text(method) else {
            let own = policy.methods().iter().find(|own| method == *own.name());
            return own.map_or(Sender::Client, ExtraMethod::sender);
        };
        let may =
            |sender, served: RevisionSet| !known.sent_by(sender).intersection(served).is_empty();
        // First in the revisions that are served, then in any.
        for served in [policy.revisions(), RevisionSet::ALL] {
            match (may(Sender::Client, served), may(Sender::Server, served)) {
                (true, _) => return Sender::Client,
                (false, true) => return Sender::Server,
                (false, false) => {}
            }
        }
        Sender::Client
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::Revision;

    #[test]
    fn the_sender_is_told_by_method_and_id() {
        let mut senders = Senders::new(&Policy::strict());
        for (message, sender) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, Sender::Client),
            (r#"{"jsonrpc":"2.0","id":7,"method":"roots/list"}"#, Sender::Server),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Sender::Server),
            (r#"{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}"#, Sender::Client),
            // Answered once.
            (r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, Sender::Server),
            (r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#, Sender::Client),
            (r#"{"jsonrpc":"2.0","method":"notifications\/message"}"#, Sender::Server),
            (r#"{"jsonrpc":"2.0","method":"acme/unheard-of"}"#, Sender::Client),
            ("no json", Sender::Client),
        ] {
            assert_eq!(senders.sender(message.as_bytes()), sender, "{message}");
        }
    }

    #[test]
    fn the_revisions_served_count() {
        let progress = br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
        let modern = Policy::strict().with_revisions(RevisionSet::only(Revision::V2026_07_28));
        assert_eq!(Senders::new(&Policy::strict()).sender(progress), Sender::Client);
        assert_eq!(Senders::new(&modern).sender(progress), Sender::Server);
    }
}
