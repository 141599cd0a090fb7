//! What can be said of a message before those in front of it are judged: nearly
//! all of it. It may be said on any thread; [`Judge::judge`] goes on from there.

use mcparse::{Message, Sender, Validator, Violation};

use super::super::sender::{self, lenient};
use super::batch::is_batch;
use super::{Judge, Verdict, Way, kind};

/// Reads messages ahead for a judge.
pub(in crate::cli) struct Ahead {
    validator: Validator,
    way: AheadWay,
}

enum AheadWay {
    Classify,
    CheckFrom(Sender),
    /// By the sender that the message itself makes likely, which this one reads.
    CheckAuto(Validator),
}

/// What was read of a message.
pub(in crate::cli) enum Read<'m> {
    /// Nothing, as what is said of it depends on those before, or it is none.
    Nothing,
    /// What the truth table says.
    Kind(Verdict<'m>),
    /// What the rules say if it is of this sender.
    Checked {
        /// By which the sender is told, if that is not known.
        told: Option<Message<'m>>,
        from: Sender,
        checked: Result<Message<'m>, Violation<'m>>,
    },
}

impl Judge {
    /// One that reads ahead for this judge.
    pub(in crate::cli) fn ahead(&self) -> Ahead {
        let policy = self.policy();
        let way = match &self.way {
            Way::Classify => AheadWay::Classify,
            Way::CheckFrom(sender) => AheadWay::CheckFrom(*sender),
            Way::CheckAuto(_) => AheadWay::CheckAuto(Validator::new(lenient(policy))),
        };
        Ahead { validator: Validator::new(*policy), way }
    }
}

impl Ahead {
    pub(in crate::cli) fn read<'m>(&mut self, message: &'m [u8]) -> Read<'m> {
        let policy = *self.validator.policy();
        let (told, from) = match &mut self.way {
            // That a message is over the limit is all that anyone can say of it.
            AheadWay::Classify if message.len() <= policy.limits().message_bytes => {
                return Read::Kind(kind(&mut self.validator, message));
            }
            AheadWay::Classify => (None, Sender::Client),
            _ if is_batch(&policy, message) => return Read::Nothing,
            AheadWay::CheckFrom(sender) => (None, *sender),
            AheadWay::CheckAuto(reader) => {
                let told = reader.check(Sender::Client, message).ok();
                (told, sender::likely(reader.policy(), told.as_ref()))
            }
        };
        Read::Checked { told, from, checked: self.validator.check(from, message) }
    }
}
