//! What both directions know of the conversation: which requests wait, and whether
//! the server still hears and speaks. What becomes of one line is in `judge.rs`.
//!
//! Of every request that was sent on exactly one gives the answer: the server, or
//! whoever takes it out of this account, because its answer was refused, it could not
//! be sent, or the server has ended.

use mcparse::{
    ErrorCode, Exchange, Id, Message, Noticed, Policy, ReplyId, Rule, Sender, Summary, Validator,
    error_response,
};

/// The longest id that a [`Summary`] keeps, in bytes.
const KEPT: usize = 64;
/// The most ids longer than that which are kept here, of up to a kilobyte by default.
/// A request beyond that is sent on, and nobody answers in the server's place.
const MOST_LONG: usize = 256;

/// What is said where the server has ended, or says no more.
const ENDED: &str = "Internal error: the server has ended";
/// What is said where the server has closed its input.
const DEAF: &str = "Internal error: the server reads no more";

pub(super) struct Account {
    pub(super) policy: Policy,
    /// Whether what is refused is held back.
    pub(super) gates: bool,
    /// Says what a refused message is, as far as that can be told.
    pub(super) witness: Validator,
    exchange: Exchange,
    /// Long ids of requests that wait, or did.
    long: Vec<Box<[u8]>>,
    /// Whether ever a request of the client was not kept account of.
    misses_some: bool,
    /// Why no further request can be answered.
    over: Option<&'static str>,
}

impl Account {
    pub(super) fn new(policy: Policy, gates: bool) -> Self {
        let witness = Policy::observe()
            .with_limits(*policy.limits())
            .with_revisions(policy.revisions())
            .with_methods(policy.methods());
        Self {
            policy,
            gates,
            witness: Validator::new(witness),
            exchange: Exchange::new(),
            long: Vec::new(),
            misses_some: false,
            over: None,
        }
    }

    /// Why a request must not be sent on, if it must not.
    pub(super) const fn over(&self) -> Option<&'static str> {
        self.over
    }

    /// Whether an answer to nothing known may be to a request of the client.
    pub(super) const fn misses_some(&self) -> bool {
        self.misses_some
    }

    /// The client's request with this id, if it waits.
    pub(super) fn waiting(&self, id: Id<'_>) -> Option<Summary> {
        self.exchange.pending().find(|waiting| waiting.has_id(id)).copied()
    }

    /// Hears a message of `from` that is to be sent on.
    pub(super) fn hear(&mut self, from: Sender, message: &Message<'_>) -> Noticed {
        let noticed = match from {
            Sender::Client => self.exchange.sent(message),
            Sender::Server => return self.exchange.received(message),
        };
        self.misses_some |= noticed.rules.contains(Rule::ExchangeFull);
        let is_tracked = [Rule::IdInFlight, Rule::ExchangeFull]
            .iter()
            .all(|&rule| !noticed.rules.contains(rule));
        if let Message::Request(request) = message
            && is_tracked
        {
            self.keep(request.id());
        }
        noticed
    }

    /// Keeps an id that a summary does not. Those of requests that are over make room.
    fn keep(&mut self, id: Id<'_>) {
        if id.lexeme().len() <= KEPT {
            return;
        }
        let Self { exchange, long, .. } = self;
        if long.len() >= MOST_LONG {
            long.retain(|kept| {
                let id = Id::from_lexeme(kept);
                id.is_some_and(|id| exchange.pending().any(|waiting| waiting.has_id(id)))
            });
        }
        if long.len() < MOST_LONG {
            long.push(id.lexeme().into());
        }
    }

    /// The client's request is not sent on after all.
    pub(super) fn withdraw(&mut self, id: Id<'_>) {
        self.exchange.withdraw(id);
    }

    /// The request with this id of the side `asked` gets no answer from the other one:
    /// whoever gets the summary tells it.
    pub(super) fn fail(&mut self, asked: Sender, id: Id<'_>) -> Option<Summary> {
        match asked {
            Sender::Client => self.exchange.fail(id),
            Sender::Server => self.exchange.fail_of_server(id),
        }
    }

    /// The client's request could not be written, because the server has closed its
    /// input; what it has read it may still answer. Gives the answer to this one,
    /// unless it was answered meanwhile. Whether one that is not tracked was, nobody
    /// knows; it is answered, as it cannot have been by the server.
    pub(super) fn unsent(&mut self, id: Id<'_>, is_tracked: bool) -> Option<Vec<u8>> {
        let why = *self.over.get_or_insert(DEAF);
        if is_tracked {
            self.fail(Sender::Client, id)?;
        } else {
            self.withdraw(id);
        }
        Some(told(id, why))
    }

    /// The server says no more. Gives an answer for each request that waits.
    pub(super) fn end(&mut self) -> Vec<Vec<u8>> {
        self.over = Some(ENDED);
        let Self { exchange, long, gates, .. } = self;
        let waiting: Vec<_> = exchange.pending().filter(|_| *gates).copied().collect();
        let mut answers = Vec::with_capacity(waiting.len());
        for request in waiting {
            let mut kept = long.iter().filter_map(|id| Id::from_lexeme(id));
            let id = request.id().or_else(|| kept.find(|id| request.has_id(*id)));
            if let Some(id) = id {
                exchange.fail(id);
                answers.push(told(id, ENDED));
            }
        }
        answers
    }
}

/// The answer to a request that has failed through no fault of its own.
pub(super) fn told(id: Id<'_>, why: &str) -> Vec<u8> {
    let mut answer = Vec::new();
    error_response(&mut answer, ReplyId::Id(id), ErrorCode::INTERNAL_ERROR, why);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(account: &mut Account, id: &str) {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let mut validator = Validator::new(Policy::strict());
        let _ = account
            .hear(Sender::Client, &validator.check(Sender::Client, line.as_bytes()).unwrap());
    }

    #[test]
    fn every_request_that_waits_is_answered_once_when_the_server_ends() {
        let mut account = Account::new(Policy::strict(), true);
        let long = format!("\"{}\"", "x".repeat(KEPT - 1));
        for id in ["1", "\"1\"", &long, "2"] {
            ask(&mut account, id);
        }
        assert!(account.fail(Sender::Client, Id::from_lexeme(b"2").unwrap()).is_some());
        let answers = account.end();
        assert_eq!(answers.len(), 3);
        for (answer, id) in answers.iter().zip(["1", "\"1\"", &long]) {
            let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"#);
            assert!(answer.starts_with(start.as_bytes()));
        }
        assert!(account.end().is_empty());
        assert_eq!(account.unsent(Id::from_lexeme(b"1").unwrap(), true), None);
    }

    #[test]
    fn so_many_long_ids_are_kept_and_those_of_requests_that_are_over_make_room() {
        let mut account = Account::new(Policy::strict(), true);
        let id = |at: usize| format!("\"{at:0>63}\"");
        for at in 0..=MOST_LONG {
            ask(&mut account, &id(at));
        }
        assert_eq!(account.long.len(), MOST_LONG);
        assert_eq!(account.end().len(), MOST_LONG);
        let last = id(MOST_LONG);
        assert!(account.fail(Sender::Client, Id::from_lexeme(last.as_bytes()).unwrap()).is_some());
        ask(&mut account, &id(MOST_LONG + 1));
        assert_eq!(account.long.len(), 1);
    }
}
