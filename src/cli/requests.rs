//! Which requests of a conversation an answer may be judged by.
//!
//! Those of the client are in its account. Those of the server are kept here, and
//! for both sides what makes it unsure which request an answer is to: an id that
//! was given out twice, and a source that may hold one side alone.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use mcparse::{Id, Message, Method, Noticed, RevisionSet, Rule, Sender, Summary};

use super::args::Framing;

/// The most requests of a server that are remembered. Answers to more are judged
/// alone.
const MOST: usize = 1024;
/// The most ids that were given out twice. Once there are so many, every answer
/// is judged alone.
const MOST_IDS: usize = 1024;

pub(super) struct Requests {
    of_server: Vec<Summary>,
    /// The ids that two requests of one side had at once, as fingerprints.
    doubled: HashSet<u64>,
    /// Whether the client has sent what no server may, so that not all is the
    /// server's.
    client_is_told: bool,
    /// The client has gone on as if answered, and no answer was there: the answers
    /// of the server are not in this source.
    is_client_alone: bool,
    /// Whether the server has spoken, or the source says who sent a message.
    is_server_heard: bool,
}

impl Requests {
    pub(super) fn new(framing: Framing) -> Self {
        let tells_sides = framing.tells_sides();
        Self {
            of_server: Vec::new(),
            doubled: HashSet::new(),
            client_is_told: tells_sides,
            is_client_alone: false,
            is_server_heard: tells_sides,
        }
    }

    /// Whether it is sure which request an answer of this sender with this id is
    /// to, if one waits.
    ///
    /// Where the sender is told by message, an answer out of what one side alone
    /// has sent is easily taken for the other side's: both count from 0.
    pub(super) fn may_tell(&self, from: Sender, id: Id<'_>) -> bool {
        let is_told = match from {
            Sender::Client => self.client_is_told,
            Sender::Server => !self.is_client_alone,
        };
        is_told && !self.is_lost() && !self.is_doubled(from, id)
    }

    /// The request of the server with this id that waits.
    pub(super) fn of_server(&self, id: Id<'_>) -> Option<Summary> {
        self.of_server.iter().find(|waiting| waiting.has_id(id)).copied()
    }

    /// Notes an accepted message. `opens` is whether the client waited for the
    /// answer to its `initialize` before it.
    pub(super) fn note(
        &mut self,
        from: Sender,
        message: &Message<'_>,
        noticed: &Noticed,
        opens: bool,
    ) {
        let method = message.method().and_then(Method::from_text);
        match from {
            Sender::Client => {
                self.client_is_told |= method.is_some_and(is_clients);
                let goes_on = method == Some(Method::Initialized);
                self.is_client_alone |= opens && goes_on && !self.is_server_heard;
            }
            Sender::Server => self.is_server_heard = true,
        }
        match message {
            Message::Request(request) if noticed.rules.contains(Rule::IdInFlight) => {
                self.double(other(from), request.id());
            }
            Message::Request(_) if from == Sender::Server && self.of_server.len() < MOST => {
                self.of_server.push(message.summary());
            }
            Message::Response(answer) => {
                if let Some(id) = answer.id() {
                    self.undouble(from, id);
                    if from == Sender::Client {
                        self.forget(id);
                    }
                }
            }
            Message::Notification(_) if from == Sender::Server && method == Some(CANCELLED) => {
                if let Some(id) = noticed.request.as_ref().and_then(Summary::id) {
                    self.forget(id);
                }
            }
            _ => {}
        }
    }

    /// A request of the server is over.
    pub(super) fn forget(&mut self, id: Id<'_>) {
        self.of_server.retain(|waiting| !waiting.has_id(id));
    }

    fn double(&mut self, answerer: Sender, id: Id<'_>) {
        if !self.is_lost() {
            self.doubled.insert(key(answerer, id));
        }
    }

    /// One of the two was answered, and the other does not wait by this id.
    fn undouble(&mut self, answerer: Sender, id: Id<'_>) {
        if !self.is_lost() && self.is_doubled(answerer, id) {
            self.doubled.remove(&key(answerer, id));
        }
    }

    fn is_doubled(&self, answerer: Sender, id: Id<'_>) -> bool {
        // Mostly none is, and then there is nothing to look for.
        !self.doubled.is_empty() && self.doubled.contains(&key(answerer, id))
    }

    fn is_lost(&self) -> bool {
        self.doubled.len() >= MOST_IDS
    }
}

const CANCELLED: Method = Method::Cancelled;

/// Whether no server may send the method, in any revision.
fn is_clients(method: Method) -> bool {
    method.sent_by(Sender::Server) == RevisionSet::EMPTY
}

const fn other(side: Sender) -> Sender {
    match side {
        Sender::Client => Sender::Server,
        Sender::Server => Sender::Client,
    }
}

fn key(answerer: Sender, id: Id<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (answerer == Sender::Server, id).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::{Exchange, Policy, Validator};

    /// Has the server send a `roots/list` with each of these ids, `times` at once.
    fn asked(ids: impl Iterator<Item = String>, times: usize) -> Requests {
        let mut validator = Validator::new(Policy::strict());
        let mut requests = Requests::new(Framing::Log);
        for id in ids {
            let mut exchange = Exchange::new();
            let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#);
            let request = validator.check(Sender::Server, request.as_bytes()).unwrap();
            for _ in 0..times {
                let noticed = exchange.received(&request);
                requests.note(Sender::Server, &request, &noticed, false);
            }
        }
        requests
    }

    #[test]
    fn so_many_requests_of_a_server_are_remembered() {
        let requests = asked((0..=MOST).map(|id| id.to_string()), 1);
        let knows = |id: usize| {
            let id = id.to_string();
            requests.of_server(Id::from_lexeme(id.as_bytes()).unwrap()).is_some()
        };
        assert!(knows(0) && knows(MOST - 1) && !knows(MOST));
    }

    #[test]
    fn from_so_many_ids_on_that_were_given_out_twice_no_answer_is_judged_by_its_request() {
        let one = Id::from_lexeme(b"-1").unwrap();
        for (count, may_tell) in [(MOST_IDS - 1, true), (MOST_IDS, false)] {
            let requests = asked((0..count).map(|id| id.to_string()), 2);
            assert_eq!(requests.may_tell(Sender::Client, one), may_tell);
        }
    }
}
