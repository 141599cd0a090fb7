//! Answers, judged by the requests that they answer, where the conversation knows
//! those.

use mcparse::{Message, Noticed, Sender, Summary, Violation};

use super::super::conversations::SessionId;
use super::Judge;

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
            Err(violation) => violation.answered_id(),
        };
        let known = |id| self.conversations.as_ref()?.request(session, from, id);
        match id.and_then(known) {
            Some(to) => (self.validator.check_answer(&to, message), Some(to)),
            None => (alone, None),
        }
    }

    /// The same of what a client has posted, which was judged with its head: what
    /// that says of an answer counts, unless the answer is refused by its request.
    pub(super) fn by_request_too<'m>(
        &mut self,
        session: Option<SessionId>,
        body: &'m [u8],
        with_head: Result<Message<'m>, Violation<'m>>,
    ) -> (Result<Message<'m>, Violation<'m>>, Option<Summary>) {
        let Ok(answer @ Message::Response(_)) = with_head else { return (with_head, None) };
        let (by_request, to) = self.by_request(session, Sender::Client, body, Ok(answer));
        (by_request.and(Ok(answer)), to)
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
