//! A message on its way to a record, in three steps. What needs nothing but the
//! message is done in the first and the last, on any thread; what depends on the
//! messages before, in the order of the source, is done between them.

use mcparse::{Message, Noticed, Sender, Summary, Validator, Violation};

use super::super::likely::{lenient, likely};
use super::super::sender::Senders;
use super::super::tally::Said;
use super::record::kind;
use super::{Judge, Place, Record, Terms, Verdict, Way, batch};

/// Reads messages ahead of their judge.
pub(in crate::cli) struct Ahead {
    terms: Terms,
    validator: Validator,
    /// Reads who may have sent a message, where that is told by message.
    reader: Option<Validator>,
}

/// A message, and what is known of it by now.
pub(in crate::cli) struct Case<'m> {
    place: Place,
    message: &'m [u8],
    /// By which its sender is told, if nobody says who that is and it can be read.
    told: Option<Message<'m>>,
    /// Who is taken for its sender.
    from: Sender,
    known: Known<'m>,
}

enum Known<'m> {
    /// By the truth table, which looks at nothing else.
    Kind(Verdict<'m>),
    /// By the rules, as sent by `from`; first alone, then by the request `to`.
    Checked { checked: Result<Message<'m>, Violation<'m>>, beside: Option<Box<Beside>> },
    /// A batch that the policy takes. It is judged as a whole where messages are
    /// judged in order, and has no record before.
    Batch(Vec<Record<'m>>),
}

/// What the messages before have to do with it. Apart, as it is large and of many
/// there is nothing to say.
struct Beside {
    to: Option<Summary>,
    noticed: Option<Noticed>,
}

fn says_something(noticed: &Noticed) -> bool {
    noticed.request.is_some() || !noticed.rules.is_empty()
}

impl Judge {
    /// One that reads ahead of this judge.
    pub(in crate::cli) fn ahead(&self) -> Ahead {
        let policy = self.policy();
        let reader = matches!(self.terms.way, Way::CheckAuto);
        Ahead {
            terms: self.terms,
            validator: Validator::new(*policy),
            reader: reader.then(|| Validator::new(lenient(policy))),
        }
    }

    /// The second step: what the messages before say of it.
    pub(in crate::cli) fn judge(&mut self, case: &mut Case<'_>) {
        match &mut case.known {
            Known::Kind(_) => {}
            Known::Checked { checked, beside } => {
                let (by_request, to) = self.by_request(None, case.from, case.message, *checked);
                let noticed = self.hear(None, case.from, &by_request, to.as_ref());
                let noticed = noticed.filter(says_something);
                let is_beside = to.is_some() || noticed.is_some();
                *checked = by_request;
                *beside = is_beside.then(|| Box::new(Beside { to, noticed }));
            }
            Known::Batch(records) => {
                *records = self.judge_elements(case.place, None, case.from, None, case.message);
            }
        }
    }
}

impl Ahead {
    pub(in crate::cli) const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The first step: reads the message as sent by whoever is likely to send it.
    pub(in crate::cli) fn read<'m>(&mut self, place: Place, message: &'m [u8]) -> Case<'m> {
        let case = |told, from, known| Case { place, message, told, from, known };
        let is_batch = self.terms.takes(message);
        let (told, from) = match (self.terms.way, &mut self.reader) {
            (Way::Classify, _) if self.terms.is_whole(message) => {
                let verdict = Known::Kind(kind(&mut self.validator, message));
                return case(None, Sender::Client, verdict);
            }
            (Way::CheckFrom(sender), _) => (None, sender),
            (Way::CheckAuto, Some(reader)) if !is_batch => {
                let told = reader.check(Sender::Client, message).ok();
                (told, likely(reader.policy(), told.as_ref()))
            }
            // That a message is over the limit is all that anyone can say of it.
            (Way::Classify | Way::CheckAuto, _) => (None, Sender::Client),
        };
        if is_batch {
            return case(told, from, Known::Batch(Vec::new()));
        }
        let checked = self.validator.check(from, message);
        case(told, from, Known::Checked { checked, beside: None })
    }

    /// Reads it once more, as sent by `from`, if that was not likely.
    pub(in crate::cli) fn read_as(&mut self, from: Sender, case: &mut Case<'_>) {
        let is_likely = case.from == from;
        case.from = from;
        if let (Known::Checked { checked, .. }, false) = (&mut case.known, is_likely) {
            *checked = self.validator.check(from, case.message);
        }
    }
}

impl<'m> Case<'m> {
    /// Who sent it, as the messages before tell.
    pub(in crate::cli) fn sender(&self, senders: &mut Senders) -> Sender {
        if !matches!(self.known, Known::Batch(_)) {
            return senders.tell(self.told.as_ref());
        }
        // All of it is of one sender, who is told by the first message.
        let elements = batch::elements(self.message).into_iter();
        let told: Vec<Sender> = elements.map(|element| senders.sender(element)).collect();
        told.first().copied().unwrap_or(Sender::Client)
    }

    /// The last step: what is said of it. A record, or one for each message of a
    /// batch.
    pub(in crate::cli) fn say(self, terms: &Terms, said: &mut Vec<Said<'m>>) {
        match self.known {
            Known::Kind(verdict) => {
                let bytes = Some(self.message.len() as u64);
                said.push(Said::Record(Record::new(self.place, bytes, None, verdict)));
            }
            Known::Checked { checked, beside } => {
                let mut record = terms.record(self.place, self.from, self.message, checked);
                if let Some(beside) = beside {
                    record = record.to(beside.to.as_ref());
                    record = record.beside(beside.noticed.as_ref(), &terms.policy);
                }
                said.push(Said::Record(record));
            }
            Known::Batch(records) => said.extend(records.into_iter().map(Said::Record)),
        }
    }
}
