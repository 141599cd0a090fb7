//! Who sent a message, where nobody says: told by its method, or by its id.
//!
//! A message is read once more for that, by a policy under which nothing that
//! can be read is refused, so that what is wrong with it does not hide what it
//! is.

use std::collections::HashSet;

use mcparse::{Kind, Message, Method, Policy, Sender, Validator};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::likely::{lenient, sender_of};

/// The most ids of a server's requests that are remembered, and the longest.
/// Beyond that an answer is taken for the server's.
const MOST_IDS: usize = 4096;
pub(super) const MOST_ID: usize = 1024;

/// Tells the sender of each message of a source.
pub(super) struct Senders {
    reader: Validator,
    /// Ids of requests by the server that have not been answered.
    asked: HashSet<Vec<u8>>,
    /// What the client has asked, unless messages are judged alone.
    of_client: Option<OfClient>,
}

/// What the client has asked, as far as it tells who sent what both may send.
#[derive(Default)]
struct OfClient {
    /// Ids of requests that have not been answered.
    ids: HashSet<Vec<u8>>,
    /// Progress tokens.
    tokens: HashSet<Vec<u8>>,
    /// Whether the server has said something.
    is_heard: bool,
}

/// What matters of the params of a request or of progress.
#[derive(Deserialize)]
struct Params<'p> {
    #[serde(borrow, rename = "progressToken")]
    token: Option<&'p RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'p>>,
}

#[derive(Deserialize)]
struct Meta<'p> {
    #[serde(borrow, rename = "progressToken")]
    token: Option<&'p RawValue>,
}

fn params(params: Option<&[u8]>) -> Option<Params<'_>> {
    serde_json::from_slice(params?).ok()
}

impl Senders {
    /// For messages that are judged by `policy`, each `alone` or beside the others.
    pub(super) fn new(policy: &Policy, alone: bool) -> Self {
        let of_client = (!alone).then(OfClient::default);
        Self { reader: Validator::new(lenient(policy)), asked: HashSet::new(), of_client }
    }

    /// Forgets what was asked: another source begins.
    pub(super) fn forget(&mut self) {
        self.asked.clear();
        if let Some(of_client) = &mut self.of_client {
            *of_client = OfClient::default();
        }
    }

    /// Whoever may send the method, the client if both may or nobody; a
    /// response is the server's, unless it answers a request of the server's.
    /// What cannot be read is taken for the client's, who gets an answer.
    ///
    /// Beside other messages, what both may send is the server's if it is
    /// progress under a token of the client's, or a request under an id with which
    /// the client already waits.
    pub(super) fn sender(&mut self, message: &[u8]) -> Sender {
        let told = self.reader.check(Sender::Client, message).ok();
        self.tell(told.as_ref())
    }

    /// The same of what a validator with a [`lenient`] policy has read, if it could.
    pub(super) fn tell(&mut self, message: Option<&Message<'_>>) -> Sender {
        let Some(message) = message else { return Sender::Client };
        let id = message.id().map(|id| id.lexeme());
        if let Some(method) = message.method() {
            let by_method = sender_of(self.reader.policy(), method);
            let may_be_servers = || {
                let served = self.reader.policy().revisions();
                let known = Method::from_text(method);
                known.is_some_and(|known| {
                    !known.sent_by(Sender::Server).intersection(served).is_empty()
                })
            };
            let sender = match &mut self.of_client {
                Some(of_client) if by_method == Sender::Client => {
                    let is_servers = of_client.knows(message) && may_be_servers();
                    if is_servers { Sender::Server } else { Sender::Client }
                }
                _ => by_method,
            };
            self.note(sender, message);
            let is_question = sender == Sender::Server && message.kind() == Kind::Request;
            if let Some(id) = id.filter(|_| is_question) {
                keep(&mut self.asked, id, MOST_IDS);
            }
            return sender;
        }
        let sender = match message {
            Message::Response(_) if id.is_some_and(|id| self.asked.remove(id)) => Sender::Client,
            _ => Sender::Server,
        };
        self.note(sender, message);
        sender
    }

    fn note(&mut self, sender: Sender, message: &Message<'_>) {
        if let Some(of_client) = &mut self.of_client {
            of_client.note(sender, message);
        }
    }
}

impl OfClient {
    /// Whether the message is likely the server's, if that may send it.
    fn knows(&self, message: &Message<'_>) -> bool {
        match message {
            Message::Request(request) => self.is_heard && self.ids.contains(request.id().lexeme()),
            Message::Notification(call)
                if Method::from_text(call.method()) == Some(Method::Progress) =>
            {
                let token = params(call.params()).and_then(|params| params.token);
                token.is_some_and(|token| self.tokens.contains(token.get().as_bytes()))
            }
            _ => false,
        }
    }

    /// Notes what the message opens or ends.
    fn note(&mut self, sender: Sender, message: &Message<'_>) {
        self.is_heard |= sender == Sender::Server;
        match message {
            Message::Request(request) if sender == Sender::Client => {
                keep(&mut self.ids, request.id().lexeme(), MOST_IDS);
                let meta = params(request.params()).and_then(|params| params.meta);
                if let Some(token) = meta.and_then(|meta| meta.token) {
                    keep(&mut self.tokens, token.get().as_bytes(), MOST_IDS);
                }
            }
            Message::Response(answer) if sender == Sender::Server => {
                if let Some(id) = answer.id() {
                    self.ids.remove(id.lexeme());
                }
            }
            _ => {}
        }
    }
}

/// Unless it is too long, or there are `most` already.
pub(super) fn keep(among: &mut HashSet<Vec<u8>>, text: &[u8], most: usize) {
    if text.len() <= MOST_ID && among.len() < most {
        among.insert(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::{Revision, RevisionSet};

    #[test]
    fn the_sender_is_told_by_method_and_id() {
        let mut senders = Senders::new(&Policy::strict(), true);
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
        assert_eq!(Senders::new(&Policy::strict(), true).sender(progress), Sender::Client);
        assert_eq!(Senders::new(&modern, true).sender(progress), Sender::Server);
    }

    #[test]
    fn so_many_ids_of_a_servers_requests_are_remembered() {
        let mut senders = Senders::new(&Policy::strict(), true);
        let mut told = |text: String| senders.sender(text.as_bytes());
        for id in 0..=MOST_IDS {
            told(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#));
        }
        for (id, sender) in
            [(0, Sender::Client), (MOST_IDS - 1, Sender::Client), (MOST_IDS, Sender::Server)]
        {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"roots":[]}}}}"#);
            assert_eq!(told(answer), sender, "{id}");
        }
        for (bytes, sender) in [(MOST_ID, Sender::Client), (MOST_ID + 1, Sender::Server)] {
            let id = "x".repeat(bytes - 2);
            told(format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"roots/list"}}"#));
            assert_eq!(told(format!(r#"{{"jsonrpc":"2.0","id":"{id}","result":{{}}}}"#)), sender);
        }
    }
}
