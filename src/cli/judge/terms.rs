//! By what messages are judged. It does not change, so that every thread has its
//! own copy.

use mcparse::{Action, Message, Policy, Rule, Sender, Violation};

use super::super::input::Source;
use super::super::tally::Said;
use super::batch::is_array;
use super::{Broken, Place, Record, Verdict};

#[derive(Clone, Copy)]
pub(in crate::cli) struct Terms {
    pub(super) policy: Policy,
    pub(super) way: Way,
}

#[derive(Clone, Copy)]
pub(super) enum Way {
    /// By the truth table alone.
    Classify,
    /// By all rules, as sent from this side.
    CheckFrom(Sender),
    /// By all rules, as sent from the side that is told by the message.
    CheckAuto,
}

impl Terms {
    /// Whether this is an array, and the policy takes those.
    pub(super) fn takes(&self, message: &[u8]) -> bool {
        self.policy.batches() && !matches!(self.way, Way::Classify) && is_array(message)
    }

    /// Whether it is within the limit.
    pub(super) fn is_whole(&self, message: &[u8]) -> bool {
        message.len() <= self.policy.limits().message_bytes
    }

    /// What was said of a message.
    pub(super) fn record<'m>(
        &self,
        place: Place,
        from: Sender,
        message: &[u8],
        checked: Result<Message<'m>, Violation<'m>>,
    ) -> Record<'m> {
        let bytes = self.is_whole(message).then_some(message.len() as u64);
        let sender = (!matches!(self.way, Way::Classify)).then_some(from);
        Record { sender, ..Record::of(place, bytes, from, checked) }
    }

    /// What a framer found is judged by the policy like any other rule; if it
    /// only reports, there is no message to report it with. `from` is who sent it,
    /// if that is known for sure.
    pub(in crate::cli) fn fault(
        &self,
        source: &Source,
        place: Place,
        violation: &Violation<'static>,
        from: Option<Sender>,
    ) -> Option<Said<'static>> {
        let rule = violation.rule();
        match self.policy.action(rule) {
            Action::Refuse => Some(Said::Record(self.unread(place, violation, from))),
            Action::Report => {
                let note = format!("{}: {violation}", source.shown());
                Some(Said::Finding { rule, is_refused: false, note })
            }
            Action::Off => None,
        }
    }

    /// An event that holds no message is no fault of a framer's, so the policy is
    /// asked here.
    pub(in crate::cli) fn other_event(
        &self,
        source: &Source,
        place: Place,
    ) -> Option<Said<'static>> {
        let rule = Rule::SseEventOther;
        let is_refused = match self.policy.action(rule) {
            Action::Off => return None,
            Action::Report => false,
            Action::Refuse => true,
        };
        let note = format!("{}:{}: {rule}: {}", source.shown(), place.line, rule.reason());
        Some(Said::Finding { rule, is_refused, note })
    }

    /// What a framer refused: it begins at the violation's place, and one that is
    /// too large is wrong where it passes the limit.
    fn unread<'m>(
        &self,
        place: Place,
        violation: &Violation<'m>,
        from: Option<Sender>,
    ) -> Record<'m> {
        let at = match violation.rule() {
            Rule::TooLarge => self.policy.limits().message_bytes as u64,
            _ => 0,
        };
        let broken = Some(Broken {
            rule: violation.rule(),
            violation: Some(*violation),
            id: violation.id(),
            at,
        });
        let sender = match self.way {
            Way::Classify => None,
            Way::CheckFrom(sender) => Some(sender),
            Way::CheckAuto => from.or(Some(Sender::Client)),
        };
        let verdict = Verdict::Refused { code: violation.code(), broken };
        Record::new(place, None, sender, verdict)
    }
}
