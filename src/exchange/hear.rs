//! Which of its tables an exchange asks about a message, by kind and method.

use super::Exchange;
use super::lists;
use super::noticed::Noticed;
use super::read::{Object, Value};
use super::side::{End, Named, Side, Waiting};
use super::table::Slot;
use crate::era::Era;
use crate::id::Id;
use crate::kind::Sender;
use crate::message::{Message, Notification, Request, Response};
use crate::method::Method;
use crate::rule::Rule;
use crate::summary::{Summary, fingerprint};

impl Exchange {
    /// Hears a message, whoever sent it.
    pub(super) fn hear(&mut self, from: Sender, message: &Message<'_>) -> Noticed {
        match message {
            Message::Request(request) => self.request(from, message, request),
            Message::Notification(call) => self.notification(from, message, call),
            Message::Response(answer) => self.answer(other(from), answer),
        }
    }

    /// Ends a request that waits, to be forgotten or remembered as `end`.
    pub(super) fn end(&mut self, of: Sender, id: Id<'_>, end: Option<End>) -> Option<Summary> {
        let Named::Waiting(slot, _) = self.side(of).named(id) else { return None };
        self.end_at(of, slot, end).map(|waiting| waiting.summary)
    }

    fn request(&mut self, from: Sender, message: &Message<'_>, request: &Request<'_>) -> Noticed {
        if let Some(holder) = self.side(from).holder(request.id()) {
            return Noticed::about(holder).note(Rule::IdInFlight, true);
        }
        let params = Object::new(request.params());
        let call = fingerprint((request.method(), request.name()));
        let waiting = Waiting {
            summary: message.summary(),
            id: fingerprint(request.id()),
            call,
            page: lists::page(call, params.get("cursor")),
            is_modern: request.era() == Era::Modern,
            wants_log: request.meta().is_some_and(|meta| meta.log_level().is_some()),
            subscription: None,
        };
        let (rules, slot) = self.side_mut(from).begin(&waiting);
        let noticed = Noticed::NOTHING.and(rules);
        if from == Sender::Server {
            return noticed;
        }
        let is_modern = waiting.is_modern && self.era != Some(Era::Legacy);
        self.era = Some(if is_modern { Era::Modern } else { Era::Legacy });
        let noticed = noticed.and(self.rounds.retry(&waiting, params, self.missed > 0));
        self.missed = self.missed.saturating_add(usize::from(slot.is_none()));
        match slot {
            Some(slot) if listens(&waiting.summary) => {
                let (rules, subscription) = self.subscriptions.begin(waiting.id, params);
                self.client.opened(slot, subscription);
                noticed.and(rules)
            }
            _ => noticed,
        }
    }

    /// An answer to a request of the side `asked`.
    fn answer(&mut self, asked: Sender, answer: &Response<'_>) -> Noticed {
        let named = answer.id().map(|id| self.side(asked).named(id));
        let slot = match named {
            Some(Named::Waiting(slot, _)) => slot,
            Some(Named::Over(_, &request)) => {
                let rule = self.side_mut(asked).stray_answer(answer.id());
                return Noticed::about(&request).and(rule.into_iter().collect());
            }
            _ => {
                let rule = self.side_mut(asked).stray_answer(answer.id());
                return Noticed::NOTHING.and(rule.into_iter().collect());
            }
        };
        let is_early = answer.result().is_some() && self.is_unacknowledged(asked, slot);
        let Some(waiting) = self.end_at(asked, slot, Some(End::Answered)) else {
            return Noticed::NOTHING;
        };
        let noticed = Noticed::about(&waiting.summary).note(Rule::AckNotFirst, is_early);
        let result = Object::new(answer.result());
        if let Some(token) = waiting.summary.progress_token()
            && is_task(result)
        {
            self.side_mut(asked).tokens.goes_on(token);
        }
        if asked == Sender::Server {
            return noticed;
        }
        self.rounds.hear(&waiting, result);
        noticed.and(self.lists.hear(&waiting, result))
    }

    fn notification(
        &mut self,
        from: Sender,
        message: &Message<'_>,
        call: &Notification<'_>,
    ) -> Noticed {
        let params = Object::new(call.params());
        let method = Method::from_text(call.method());
        if method == Some(Method::Cancelled) {
            let over_http = from == Sender::Client && self.is_http && self.is_modern(message);
            let id = params.get("requestId").and_then(Value::id);
            // One that names nothing is malformed, and ignored.
            let noticed = id.map_or(Noticed::NOTHING, |id| self.cancelled(from, id));
            return noticed.note(Rule::CancelOverHttp, over_http);
        }
        self.side_mut(from).notify();
        if method == Some(Method::Progress) {
            return self.progress(other(from), params);
        }
        if from == Sender::Client {
            return Noticed::NOTHING;
        }
        let logs = method == Some(Method::LogMessage);
        let logs_unasked = logs && self.is_modern(message) && !self.client.wants_log();
        let noticed = match subscription_id(call) {
            Some(id) => self.on_stream(id, method, params),
            None => self.on_no_stream(method, message),
        };
        noticed.note(Rule::LogWithoutLevel, logs_unasked)
    }

    /// A `notifications/cancelled` with this id.
    fn cancelled(&mut self, from: Sender, id: Id<'_>) -> Noticed {
        match self.side(from).named(id) {
            Named::Waiting(slot, waiting) => {
                let request = waiting.summary;
                self.end_at(from, slot, Some(End::Cancelled));
                Noticed::about(&request)
            }
            // The answer and the cancellation have crossed.
            Named::Over(_, request) => Noticed::about(request),
            Named::Untracked => Noticed::NOTHING,
            Named::Unknown if from == Sender::Server => self.cancelled_by_server(id),
            Named::Unknown => Noticed::broken(Rule::CancelUnknown),
        }
    }

    /// A server cancels what is no request of its own: it may close streams.
    fn cancelled_by_server(&mut self, id: Id<'_>) -> Noticed {
        match self.client.named(id) {
            Named::Waiting(slot, waiting) => {
                let request = waiting.summary;
                let closes = listens(&request);
                if closes {
                    self.end_at(Sender::Client, slot, Some(End::Closed));
                }
                Noticed::about(&request).note(Rule::CancelByServer, !closes)
            }
            Named::Over(_, request) => {
                Noticed::about(request).note(Rule::CancelByServer, !listens(request))
            }
            Named::Untracked => Noticed::NOTHING,
            Named::Unknown => Noticed::broken(Rule::CancelUnknown),
        }
    }

    /// Progress of a request of the side `asked`.
    fn progress(&mut self, asked: Sender, params: Object<'_>) -> Noticed {
        let Some(token) = params.get("progressToken").and_then(Value::id) else {
            return Noticed::NOTHING;
        };
        let progress = params.get("progress").and_then(Value::number);
        let side = self.side_mut(asked);
        let misses_some = side.misses_some();
        let (slot, rule) = side.tokens.hear(fingerprint(token), progress, misses_some);
        let request = slot.and_then(|slot| side.get(slot)).map(|waiting| &waiting.summary);
        request.map_or(Noticed::NOTHING, Noticed::about).and(rule.into_iter().collect())
    }

    /// A notification that says which subscription it belongs to.
    fn on_stream(&mut self, id: Id<'_>, method: Option<Method>, params: Object<'_>) -> Noticed {
        match self.client.named(id) {
            Named::Waiting(_, Waiting { summary, subscription, .. }) => {
                let noticed = Noticed::about(summary);
                match *subscription {
                    Some(slot) => noticed.and(self.subscriptions.hear(slot, method, params)),
                    None => noticed.note(Rule::SubscriptionUnrequested, !listens(summary)),
                }
            }
            Named::Over(end, request) => {
                // The server may not have heard of it yet.
                let has_crossed = end == End::Cancelled && listens(request);
                Noticed::about(request).note(Rule::SubscriptionUnrequested, !has_crossed)
            }
            Named::Untracked => Noticed::NOTHING,
            Named::Unknown => Noticed::broken(Rule::SubscriptionUnrequested),
        }
    }

    /// A notification that does not say so. If any stream asks for it, it lacks
    /// the id, which is for another rule to say.
    fn on_no_stream(&self, method: Option<Method>, message: &Message<'_>) -> Noticed {
        let is_unasked = self.is_modern(message)
            && !self.client.misses_some()
            && !self.subscriptions.ask_for(method);
        Noticed::NOTHING.note(Rule::SubscriptionUnrequested, is_unasked)
    }

    fn end_at(&mut self, of: Sender, slot: Slot, end: Option<End>) -> Option<Waiting> {
        let waiting = self.side_mut(of).end(slot, end)?;
        if of == Sender::Client && listens(&waiting.summary) {
            self.subscriptions.end(waiting.subscription);
        }
        Some(waiting)
    }

    /// Whether it is a request that opened a stream, and that was not
    /// acknowledged.
    fn is_unacknowledged(&self, of: Sender, slot: Slot) -> bool {
        let waiting = self.client.get(slot).filter(|_| of == Sender::Client);
        let subscription = waiting.and_then(|waiting| waiting.subscription);
        subscription.is_some_and(|slot| !self.subscriptions.is_acknowledged(slot))
    }

    /// Whether a notification is of a modern revision: as it says, or as all
    /// requests so far were.
    fn is_modern(&self, message: &Message<'_>) -> bool {
        message.era().or(self.era) == Some(Era::Modern)
    }

    const fn side(&self, of: Sender) -> &Side {
        match of {
            Sender::Client => &self.client,
            Sender::Server => &self.server,
        }
    }

    const fn side_mut(&mut self, of: Sender) -> &mut Side {
        match of {
            Sender::Client => &mut self.client,
            Sender::Server => &mut self.server,
        }
    }
}

const fn other(side: Sender) -> Sender {
    match side {
        Sender::Client => Sender::Server,
        Sender::Server => Sender::Client,
    }
}

fn listens(request: &Summary) -> bool {
    request.method() == Some(Method::SubscriptionsListen)
}

fn subscription_id<'m>(call: &Notification<'m>) -> Option<Id<'m>> {
    let meta = Object::new(Some(call.meta()?.json()));
    meta.get("io.modelcontextprotocol/subscriptionId")?.id()
}

/// Whether the answer is a task, which goes on: by `resultType`, or as 2025-11-25
/// has it.
fn is_task(result: Object<'_>) -> bool {
    let says_task = |value: Value<'_>| value.text().is_some_and(|text| text == *"task");
    result.get("resultType").is_some_and(says_task)
        || result.get("task").is_some_and(|task| task.json().starts_with(b"{"))
}
