//! What is wrong between the messages of one conversation.

use std::collections::HashSet;

use mcparse::{Exchange, Id, Message, Method, Noticed, Rule, RuleSet, Sender, Summary, Violation};

use super::args::Framing;
use super::requests::Requests;
use super::sender::keep;

/// The most ids of refused requests that are remembered.
const MOST_IDS: usize = 1024;

/// What is wrong with an answer to nothing that waits.
const STRAY: [Rule; 4] =
    [Rule::AnswerUnknown, Rule::AnswerTwice, Rule::AnswerAfterCancel, Rule::NotificationAnswered];

/// The account of one conversation.
pub(super) struct Conversation {
    exchange: Exchange,
    requests: Requests,
    /// Ids of requests that were refused here, and that the server may answer
    /// all the same.
    refused: HashSet<Vec<u8>>,
    /// How many messages of the client were refused. An error without an id may
    /// be about one of them.
    misses: usize,
}

impl Conversation {
    pub(super) fn new(framing: Framing) -> Self {
        let exchange = Exchange::new();
        Self {
            exchange: if framing == Framing::Http { exchange.over_http() } else { exchange },
            requests: Requests::new(framing),
            refused: HashSet::new(),
            misses: 0,
        }
    }

    /// The request that an answer of this sender with this id is to, if that is
    /// sure. What was refused under the same id may be answered too.
    pub(super) fn request(&self, from: Sender, id: Id<'_>) -> Option<Summary> {
        if !self.requests.may_tell(from, id) {
            return None;
        }
        match from {
            Sender::Server if self.refused.contains(id.lexeme()) => None,
            Sender::Server => self.exchange.pending().find(|waiting| waiting.has_id(id)).copied(),
            Sender::Client => self.requests.of_server(id),
        }
    }

    /// Hears an accepted message. Unless `is_sure` nothing is said of it.
    pub(super) fn hear(&mut self, from: Sender, message: &Message<'_>, is_sure: bool) -> Noticed {
        let goes_on = message.method().and_then(Method::from_text) == Some(Method::Initialized);
        let opens = goes_on && self.exchange.pending().any(is_initialize);
        let mut noticed = match from {
            Sender::Client => self.exchange.sent(message),
            Sender::Server => self.exchange.received(message),
        };
        self.requests.note(from, message, &noticed, opens);
        if !is_sure {
            noticed.rules = RuleSet::EMPTY;
        }
        if from == Sender::Server && self.may_be_missed(message, noticed.rules) {
            noticed.rules = noticed.rules.iter().filter(|rule| !STRAY.contains(rule)).collect();
        }
        noticed
    }

    /// Whether an answer to nothing that is known may be to what was refused.
    fn may_be_missed(&mut self, message: &Message<'_>, rules: RuleSet) -> bool {
        let is_stray = STRAY.iter().any(|&rule| rules.contains(rule));
        let may_be = is_stray
            && match message.id() {
                Some(id) => self.refused.remove(id.lexeme()),
                None => self.misses > 0,
            };
        self.misses -= usize::from(may_be && self.misses > 0);
        may_be
    }

    /// A message was refused, and was sent nevertheless.
    pub(super) fn miss(&mut self, from: Sender, violation: &Violation<'_>) {
        if from == Sender::Server {
            return;
        }
        self.misses = self.misses.saturating_add(1);
        if let Some(id) = violation.id() {
            keep(&mut self.refused, id.lexeme(), MOST_IDS);
        }
    }

    /// Nothing of `from` can answer this request any more: its answer was refused,
    /// or the response is over. If nothing has, its id is free again.
    pub(super) fn fail(&mut self, from: Sender, request: &Summary) {
        let Some(id) = request.id() else { return };
        match from {
            Sender::Server => drop(self.exchange.fail(id)),
            Sender::Client => {
                self.exchange.fail_of_server(id);
                self.requests.forget(id);
            }
        }
    }
}

fn is_initialize(request: &Summary) -> bool {
    request.method() == Some(Method::Initialize)
}

#[cfg(test)]
mod tests {
    use super::super::sender::MOST_ID;
    use super::*;
    use mcparse::{Policy, Validator};

    #[test]
    fn so_many_ids_of_refused_requests_are_remembered() {
        let mut validator = Validator::new(Policy::strict());
        let mut conversation = Conversation::new(Framing::Lines);
        for id in 0..=MOST_IDS {
            let refused = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":0}}"#);
            let refused = validator.check(Sender::Client, refused.as_bytes()).unwrap_err();
            conversation.miss(Sender::Client, &refused);
        }
        assert_eq!(conversation.refused.len(), MOST_IDS);
        for (id, is_known) in [(0, true), (MOST_IDS - 1, true), (MOST_IDS, false)] {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
            let answer = validator.check(Sender::Server, answer.as_bytes()).unwrap();
            let noticed = conversation.hear(Sender::Server, &answer, true).rules;
            assert_eq!(noticed.is_empty(), is_known, "{id}");
        }
    }

    #[test]
    fn ids_up_to_a_length_are_remembered() {
        let limits = mcparse::Limits::new().with_id_bytes(2 * MOST_ID);
        let mut validator = Validator::new(Policy::strict().with_limits(limits));
        let mut conversation = Conversation::new(Framing::Lines);
        for (length, is_known) in [(MOST_ID, true), (MOST_ID + 1, false)] {
            let id = "i".repeat(length - 2);
            let refused = format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"ping","params":0}}"#);
            let refused = validator.check(Sender::Client, refused.as_bytes()).unwrap_err();
            conversation.miss(Sender::Client, &refused);
            assert_eq!(conversation.refused.contains(format!("\"{id}\"").as_bytes()), is_known);
        }
    }
}
