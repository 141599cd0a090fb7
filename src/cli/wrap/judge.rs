//! What becomes of one line: whether it is sent on, what is said of it, and to whom.
//!
//! ```text
//!        ┌─ refused ──▶ to the side that waits for it, if one does, an error
//! line ──┤
//!        └─ accepted ─ by its request too, if it is an answer ─ beside the others ──▶ sent on
//! ```
//!
//! Nothing is read or written here.

use mcparse::{
    Id, Message, ReplyId, Rule, RuleSet, Sender, Summary, Text, Validator, Violation,
    error_response,
};

use super::account::{Account, told};

/// What is wrong with an answer to nothing that waits.
const STRAY: [Rule; 3] = [Rule::AnswerUnknown, Rule::AnswerTwice, Rule::AnswerAfterCancel];

/// What is found of a line, and what is to be done about it.
pub(super) struct Judged<'m> {
    /// The rule by which it is refused.
    pub(super) refused: Option<Rule>,
    /// If it breaks it alone or by its request, and not beside others.
    pub(super) violation: Option<Violation<'m>>,
    pub(super) id: Option<Id<'m>>,
    pub(super) method: Option<Text<'m>>,
    pub(super) findings: RuleSet,
    pub(super) is_forwarded: bool,
    /// What is said in the place of somebody, to whom, without a line end.
    pub(super) said: Option<(Sender, Vec<u8>)>,
    /// Of a request of the client that is sent on: whether the account has it.
    pub(super) asks: Option<bool>,
}

impl Account {
    /// Judges a line of `from`, of which `alone` is the verdict without the others.
    pub(super) fn judge<'m>(
        &mut self,
        validator: &mut Validator,
        from: Sender,
        line: &'m [u8],
        alone: Result<Message<'m>, Violation<'m>>,
    ) -> Judged<'m> {
        let known = match alone {
            Err(violation) if from == Sender::Server => self.by_request(validator, line, violation),
            known => known,
        };
        let mut judged = match known {
            Ok(message) if from == Sender::Client => self.of_client(validator, message),
            Ok(message) => self.of_server(validator, message),
            Err(violation) => self.broken(from, line, violation),
        };
        if !self.gates {
            (judged.is_forwarded, judged.said) = (true, None);
        }
        judged
    }

    /// Judges a line that was not read to its end. Whom it was to answer is not known.
    pub(super) fn judge_unread(
        &self,
        from: Sender,
        violation: Violation<'static>,
    ) -> Judged<'static> {
        let mut judged = Judged::of(None);
        judged.refuse(violation.rule(), Some(violation));
        judged.is_forwarded = !self.gates;
        let mut reply = Vec::new();
        if self.gates && from == Sender::Client && violation.write_reply(&mut reply) {
            judged.said = Some((Sender::Client, reply));
        }
        judged
    }

    /// What a server's line is that is refused alone. As the answer to a request that
    /// waits it may be right: what caching hints are, for one, depends on the method.
    fn by_request<'m>(
        &self,
        validator: &mut Validator,
        line: &'m [u8],
        alone: Violation<'m>,
    ) -> Result<Message<'m>, Violation<'m>> {
        let Some(to) = alone.answered_id().and_then(|id| self.waiting(id)) else {
            return Err(alone);
        };
        match validator.check_answer(&to, line) {
            Err(violation) if violation.answered_id().is_none() => Err(alone),
            known => known,
        }
    }

    /// The server's answer to this request was too long to be read. What is said to
    /// the client that waits for it, if one does.
    pub(super) fn lost(&mut self, id: Id<'_>) -> Option<Vec<u8>> {
        if !self.gates {
            return None;
        }
        let waits = self.fail(Sender::Client, id).is_some() || self.misses_some();
        waits.then(|| refused_answer(id, Rule::TooLarge.reason()))
    }

    fn of_client<'m>(&mut self, validator: &mut Validator, message: Message<'m>) -> Judged<'m> {
        let mut judged = Judged::of(Some(&message));
        if let (Message::Request(request), Some(why), true) = (&message, self.over(), self.gates) {
            judged.is_forwarded = false;
            // Nothing is said under the id of one that waits: what the server has read
            // it may still answer.
            if self.waiting(request.id()).is_none() {
                judged.said = Some((Sender::Client, told(request.id(), why)));
            }
            return judged;
        }
        let noticed = self.hear(Sender::Client, &message);
        judged.findings = judged.findings.union(noticed.reported(&self.policy));
        if let Some(rule) = noticed.refused(&self.policy) {
            judged.refuse(rule, None);
            // To a request whose id is taken nothing is said: it would be read as the
            // answer to the first one.
            if let Message::Request(request) = &message
                && self.gates
                && !noticed.rules.contains(Rule::IdInFlight)
            {
                self.withdraw(request.id());
                judged.said = Some((Sender::Client, refusal(request.id(), rule)));
            }
            return judged;
        }
        match (&message, noticed.request) {
            (Message::Request(_), _) => {
                judged.asks = Some(!noticed.rules.contains(Rule::ExchangeFull));
            }
            (Message::Response(answer), Some(to)) if !is_stray(noticed.rules) => {
                match validator.check_answer(&to, message.bytes()) {
                    Ok(again) => judged.findings = judged.findings.union(again.findings()),
                    Err(violation) => {
                        judged.refuse(violation.rule(), Some(violation));
                        let failure = |id| (Sender::Server, failure(&to, id, &violation));
                        judged.said = answer.id().map(failure);
                    }
                }
            }
            _ => {}
        }
        judged
    }

    fn of_server<'m>(&mut self, validator: &mut Validator, message: Message<'m>) -> Judged<'m> {
        let mut judged = Judged::of(Some(&message));
        let id = message.id().filter(|_| message.kind().is_response());
        let to = id.and_then(|id| Some((id, self.waiting(id)?)));
        if let Some((id, to)) = &to {
            match validator.check_answer(to, message.bytes()) {
                Ok(again) => judged.findings = judged.findings.union(again.findings()),
                Err(violation) => {
                    judged.refuse(violation.rule(), Some(violation));
                    if !self.gates {
                        // It is sent on, and so the request has its answer.
                        let _ = self.hear(Sender::Server, &message);
                    } else if self.fail(Sender::Client, *id).is_some() {
                        judged.said = Some((Sender::Client, failure(to, *id, &violation)));
                    }
                    return judged;
                }
            }
        }
        let noticed = self.hear(Sender::Server, &message);
        judged.findings = judged.findings.union(noticed.reported(&self.policy));
        if let Some(rule) = noticed.refused(&self.policy) {
            judged.refuse(rule, None);
            // It was the answer, and there will be no other.
            if let Some((id, _)) = to {
                judged.said = Some((Sender::Client, refused_answer(id, rule.reason())));
            }
        }
        judged
    }

    /// A line that is refused whatever else was said.
    fn broken<'m>(&mut self, from: Sender, line: &'m [u8], violation: Violation<'m>) -> Judged<'m> {
        let message = self.witness.check(from, line).ok();
        let mut judged = Judged::of(message.as_ref());
        judged.refuse(violation.rule(), Some(violation));
        judged.findings = RuleSet::EMPTY;
        judged.id = judged.id.or_else(|| violation.id()).or_else(|| violation.answered_id());
        let asked = other(from);
        match (violation.answered_id(), message) {
            // It is sent on, and may have an answer, or be one.
            (_, Some(message)) if !self.gates => drop(self.hear(from, &message)),
            (Some(id), _) => {
                let said = match self.fail(asked, id) {
                    Some(to) => Some(failure(&to, id, &violation)),
                    // It may be to a request that is not kept account of. If it is to
                    // none, a client passes over it.
                    None if from == Sender::Server && self.misses_some() => {
                        Some(refused_answer(id, violation.reason()))
                    }
                    None => None,
                };
                judged.said = said.map(|said| (asked, said));
            }
            (None, _) => {
                // An answer with the id of a request that waits would be taken for the
                // answer to that one.
                let is_taken = violation.id().is_some_and(|id| self.waiting(id).is_some());
                let mut reply = Vec::new();
                if !is_taken && violation.write_reply(&mut reply) {
                    judged.said = Some((from, reply));
                }
            }
        }
        judged
    }
}

impl<'m> Judged<'m> {
    /// A message that nothing is wrong with but what it says itself.
    fn of(message: Option<&Message<'m>>) -> Self {
        Self {
            refused: None,
            violation: None,
            id: message.and_then(Message::id),
            method: message.and_then(Message::method),
            findings: message.map_or(RuleSet::EMPTY, Message::findings),
            is_forwarded: true,
            said: None,
            asks: None,
        }
    }

    fn refuse(&mut self, rule: Rule, violation: Option<Violation<'m>>) {
        self.refused = Some(rule);
        self.violation = violation;
        self.is_forwarded = false;
    }
}

fn is_stray(rules: RuleSet) -> bool {
    STRAY.iter().any(|&rule| rules.contains(rule))
}

/// What whoever sent the request `to` is told, whose answer was refused.
fn failure(to: &Summary, id: Id<'_>, violation: &Violation<'_>) -> Vec<u8> {
    let mut failure = Vec::new();
    if to.write_failure(&mut failure, violation) {
        return failure;
    }
    // Its id is too long for a summary.
    refused_answer(id, violation.reason())
}

fn refused_answer(id: Id<'_>, reason: &str) -> Vec<u8> {
    told(id, &format!("Internal error: the answer was refused: {reason}"))
}

/// What is said to a request that is refused because of those before it.
fn refusal(id: Id<'_>, rule: Rule) -> Vec<u8> {
    let mut refusal = Vec::new();
    let text = format!("{}: {}", rule.code().meaning(), rule.reason());
    error_response(&mut refusal, ReplyId::Id(id), rule.code(), &text);
    refusal
}

const fn other(side: Sender) -> Sender {
    match side {
        Sender::Client => Sender::Server,
        Sender::Server => Sender::Client,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::{Action, Policy, RevisionSet};

    /// An account with its validator.
    struct Pair(Account, Validator);

    impl Pair {
        fn new(policy: Policy, gates: bool) -> Self {
            Self(Account::new(policy, gates), Validator::new(policy))
        }

        /// Whether the line goes on, and what is said of it to whom.
        fn say(&mut self, from: Sender, line: &str) -> (bool, Option<(Sender, String)>) {
            let alone = self.1.check(from, line.as_bytes());
            let judged = self.0.judge(&mut self.1, from, line.as_bytes(), alone);
            let text = |(to, said)| (to, String::from_utf8(said).unwrap());
            (judged.is_forwarded, judged.said.map(text))
        }
    }

    const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    const ROOTS: &str = r#"{"jsonrpc":"2.0","id":7,"method":"roots/list"}"#;

    #[test]
    fn a_refused_answer_is_told_once_to_whoever_waits_for_it() {
        let broken = [
            r#"{"jsonrpc":"2.0","id":7,"result":{"tools":{}}}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{}}"#,
        ];
        for line in broken {
            let mut pair = Pair::new(Policy::strict(), true);
            assert_eq!(pair.say(Sender::Client, CALL), (true, None));
            let (is_forwarded, said) = pair.say(Sender::Server, line);
            let (to, said) = said.unwrap();
            assert!(!is_forwarded && to == Sender::Client);
            assert!(said.starts_with(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"#));
            assert!(pair.0.end().is_empty());
        }
    }

    #[test]
    fn a_server_is_told_that_the_answer_to_its_own_request_was_refused() {
        for line in [
            r#"{"jsonrpc":"2.0","id":7,"result":{"roots":{}}}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{}}"#,
        ] {
            let mut pair = Pair::new(Policy::strict(), true);
            assert_eq!(pair.say(Sender::Server, ROOTS), (true, None));
            let (is_forwarded, said) = pair.say(Sender::Client, line);
            let (to, said) = said.unwrap();
            assert!(!is_forwarded && to == Sender::Server);
            assert!(said.starts_with(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"#));
        }
    }

    #[test]
    fn nothing_is_said_under_an_id_that_waits() {
        let mut pair = Pair::new(Policy::strict(), true);
        assert_eq!(pair.say(Sender::Client, CALL), (true, None));
        assert_eq!(pair.say(Sender::Client, CALL), (false, None));
        let broken = r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":0}"#;
        assert_eq!(pair.say(Sender::Client, broken), (false, None));
        let other = broken.replace('7', "8");
        assert!(pair.say(Sender::Client, &other).1.is_some());
    }

    #[test]
    fn a_request_refused_beside_others_is_answered_and_was_never_sent() {
        let policy = Policy::strict().with_action(Rule::ExchangeFull, Action::Refuse);
        let mut pair = Pair::new(policy, true);
        for id in 0..1024 {
            assert_eq!(pair.say(Sender::Client, &CALL.replace('7', &id.to_string())), (true, None));
        }
        let (is_forwarded, said) = pair.say(Sender::Client, &CALL.replace('7', "1024"));
        assert!(!is_forwarded && said.unwrap().1.contains(r#""id":1024,"error""#));
        assert_eq!(pair.0.end().len(), 1024);
    }

    #[test]
    fn an_answer_is_what_it_is_to_its_request_whatever_it_is_alone() {
        let policy = Policy::strict().with_revisions(RevisionSet::MODERN);
        let mut pair = Pair::new(policy, true);
        let call = concat!(
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"#,
            r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
            r#""io.modelcontextprotocol/clientCapabilities":{}}}}"#
        );
        // Calls have no caching hints: they are the tool's own members.
        let answer = concat!(
            r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[],"#,
            r#""cacheScope":5,"ttlMs":"x"}}"#
        );
        assert!(pair.1.check(Sender::Server, answer.as_bytes()).is_err(), "alone");
        assert_eq!(pair.say(Sender::Client, call), (true, None));
        assert_eq!(pair.say(Sender::Server, answer), (true, None));
        assert_eq!(pair.say(Sender::Server, answer), (false, None), "the second is to nothing");
    }

    #[test]
    fn even_a_client_that_is_not_kept_account_of_is_told_that_its_answer_was_refused() {
        let mut pair = Pair::new(Policy::strict(), true);
        let broken = r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{}}"#;
        for id in 0..1024 {
            let broken = broken.replace('7', "2000");
            assert_eq!(pair.say(Sender::Server, &broken), (false, None), "{id} requests");
            assert_eq!(pair.say(Sender::Client, &CALL.replace('7', &id.to_string())), (true, None));
        }
        assert_eq!(pair.say(Sender::Client, &CALL.replace('7', "2000")), (true, None));
        let (is_forwarded, said) = pair.say(Sender::Server, &broken.replace('7', "2000"));
        assert!(!is_forwarded);
        let (to, said) = said.unwrap();
        assert!(to == Sender::Client && said.starts_with(r#"{"jsonrpc":"2.0","id":2000,"error""#));
    }

    #[test]
    fn nothing_is_said_under_an_id_that_waits_when_the_server_is_deaf_either() {
        let mut pair = Pair::new(Policy::strict(), true);
        assert_eq!(pair.say(Sender::Client, CALL), (true, None));
        let unsent = CALL.replace('7', "8");
        assert_eq!(pair.say(Sender::Client, &unsent), (true, None));
        assert!(pair.0.unsent(Id::from_lexeme(b"8").unwrap(), true).is_some());
        assert_eq!(pair.say(Sender::Client, CALL), (false, None));
        let (is_forwarded, said) = pair.say(Sender::Client, &unsent);
        assert!(!is_forwarded && said.unwrap().1.contains(r#""id":8,"error""#));
    }

    #[test]
    fn an_observer_holds_nothing_back_and_says_nothing() {
        let mut pair = Pair::new(Policy::strict(), false);
        for (from, line) in [
            (Sender::Client, "no JSON"),
            (Sender::Client, r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":0}"#),
            (Sender::Server, r#"{"jsonrpc":"2.0","id":7,"result":0}"#),
            (Sender::Client, CALL),
            (Sender::Client, CALL),
            (Sender::Server, r#"{"jsonrpc":"2.0","id":7,"result":{"tools":{}}}"#),
        ] {
            assert_eq!(pair.say(from, line), (true, None), "{line}");
        }
        assert!(pair.0.end().is_empty());
    }
}
