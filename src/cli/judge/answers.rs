//! Answers, judged by the requests that they answer, where the conversation knows
//! those.

use mcparse::{Id, Message, Noticed, Sender, Summary, Violation};
use serde::de::{Deserialize, Deserializer, IgnoredAny};
use serde_json::value::RawValue;

use super::super::conversations::SessionId;
use super::Judge;

/// What tells an answer that was refused.
#[derive(serde::Deserialize)]
struct Told<'m> {
    #[serde(borrow)]
    id: Option<&'m RawValue>,
    #[serde(default)]
    method: IsThere,
    #[serde(default)]
    result: IsThere,
    #[serde(default)]
    error: IsThere,
}

/// Whether there is a member, be it `null`.
#[derive(Default)]
struct IsThere(bool);

impl<'de> Deserialize<'de> for IsThere {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self(true))
    }
}

impl Judge {
    /// The verdict on a message, which has this one `alone`; if it answers a
    /// request that waits in its session, by that request.
    pub(super) fn by_request<'m>(
        &mut self,
        session: Option<SessionId>,
        from: Sender,
        message: &'m [u8],
        alone: Result<Message<'m>, Violation<'m>>,
    ) -> (Result<Message<'m>, Violation<'m>>, Option<Summary>) {
        let id = match &alone {
            Ok(Message::Response(response)) => response.id(),
            Ok(Message::Request(_) | Message::Notification(_)) => None,
            Err(_) => id_of_answer(message),
        };
        let known = |id| self.conversations.as_ref()?.request(session, from, id);
        match id.and_then(known) {
            Some(to) => (self.validator.check_answer(&to, message), Some(to)),
            None => (alone, None),
        }
    }

    /// What is noticed of a message that was judged by `to`, beside the others of
    /// its session.
    pub(super) fn hear(
        &mut self,
        session: Option<SessionId>,
        from: Sender,
        checked: &Result<Message<'_>, Violation<'_>>,
        to: Option<&Summary>,
    ) -> Option<Noticed> {
        self.conversations.as_mut()?.hear(session, from, checked, to)
    }
}

/// The id of what was to be an answer, as far as it can be read.
fn id_of_answer(message: &[u8]) -> Option<Id<'_>> {
    let told: Told<'_> = serde_json::from_slice(message).ok()?;
    let is_answer = !told.method.0 && (told.result.0 || told.error.0);
    Id::from_lexeme(told.id.filter(|_| is_answer)?.get().as_bytes())
}
