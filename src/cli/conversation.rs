//! What is wrong between the messages of one conversation.

use std::collections::HashSet;

use mcparse::{Exchange, Message, Noticed, Rule, RuleSet, Sender, Summary, Violation};

/// The most ids of refused requests that are remembered, and the longest.
const MOST_IDS: usize = 1024;
const MOST_ID: usize = 1024;

/// What is wrong with an answer to nothing that waits.
const STRAY: [Rule; 4] =
    [Rule::AnswerUnknown, Rule::AnswerTwice, Rule::AnswerAfterCancel, Rule::NotificationAnswered];

/// The account of one conversation.
///
/// Nothing is said until both sides have spoken: in what one side alone has
/// sent, every answer would be to nothing and every request would wait.
pub(super) struct Conversation {
    exchange: Exchange,
    client_spoke: bool,
    server_spoke: bool,
    /// Ids of requests that were refused here, and that the server may answer
    /// all the same.
    refused: HashSet<Vec<u8>>,
    /// How many messages of the client were refused. An error without an id may
    /// be about one of them.
    misses: usize,
}

impl Conversation {
    pub(super) fn new(over_http: bool) -> Self {
        let exchange = Exchange::new();
        Self {
            exchange: if over_http { exchange.over_http() } else { exchange },
            client_spoke: false,
            server_spoke: false,
            refused: HashSet::new(),
            misses: 0,
        }
    }

    /// Hears an accepted message.
    pub(super) fn hear(&mut self, from: Sender, message: &Message<'_>) -> Noticed {
        let mut noticed = match from {
            Sender::Client => self.exchange.sent(message),
            Sender::Server => self.exchange.received(message),
        };
        match from {
            Sender::Client => self.client_spoke = true,
            Sender::Server => self.server_spoke = true,
        }
        if !(self.client_spoke && self.server_spoke) {
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
        let id = violation.id().map(|id| id.lexeme());
        if let Some(id) = id.filter(|id| id.len() <= MOST_ID)
            && self.refused.len() < MOST_IDS
        {
            self.refused.insert(id.to_owned());
        }
    }

    /// Nothing can answer this request of the client any more. If nothing has,
    /// its id is free again.
    pub(super) fn end(&mut self, request: &Summary) {
        if let Some(id) = request.id() {
            self.exchange.fail(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::{Policy, Validator};

    #[test]
    fn so_many_ids_of_refused_requests_are_remembered() {
        let mut validator = Validator::new(Policy::strict());
        let mut conversation = Conversation::new(false);
        for id in 0..=MOST_IDS {
            let refused = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":0}}"#);
            let refused = validator.check(Sender::Client, refused.as_bytes()).unwrap_err();
            conversation.miss(Sender::Client, &refused);
        }
        assert_eq!(conversation.refused.len(), MOST_IDS);
        let ready = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let ready = validator.check(Sender::Client, ready).unwrap();
        let _both_sides_speak = conversation.hear(Sender::Client, &ready);
        for (id, is_known) in [(0, true), (MOST_IDS - 1, true), (MOST_IDS, false)] {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
            let answer = validator.check(Sender::Server, answer.as_bytes()).unwrap();
            let noticed = conversation.hear(Sender::Server, &answer).rules;
            assert_eq!(noticed.is_empty(), is_known, "{id}");
        }
    }
}
