//! The streams of notifications that the client has opened with
//! `subscriptions/listen`, each known by the id of that request.
//!
//! ```text
//!  listen ──▶ asked ──acknowledged──▶ open ──answer, cancel──▶ over
//!               │                      ├─ a type not asked for: subscription-unrequested
//!               │                      └─ acknowledged once more: ack-not-first
//!               └─ anything else, the result included: ack-not-first
//! ```
//!
//! A `notifications/resources/updated` may be about a part of a resource that
//! was asked for, so which one it is about is not judged.

use super::limits::ExchangeLimits;
use super::read::{Object, Value};
use super::table::{Slot, Table};
use crate::method::Method;
use crate::rule::{Rule, RuleSet};
use crate::summary::fingerprint;
use crate::text::Text;

/// The members of a filter, and the notification that each asks for. `taskIds`
/// is of the extension for tasks.
const FILTER: [(&str, Method); 5] = [
    ("toolsListChanged", Method::ToolsListChanged),
    ("promptsListChanged", Method::PromptsListChanged),
    ("resourcesListChanged", Method::ResourcesListChanged),
    ("resourceSubscriptions", Method::ResourcesUpdated),
    ("taskIds", Method::Tasks),
];

/// A stream.
#[derive(Clone, Copy)]
struct Subscription {
    /// Of its request.
    id: u64,
    /// A bit for each member of [`FILTER`].
    asked: u8,
    is_acknowledged: bool,
    /// How many resources and tasks it asks for, and whether all are in the table.
    items: usize,
    is_complete: bool,
}

/// A resource or a task that a stream which is not acknowledged asks for.
#[derive(Clone, Copy)]
struct Subscribed {
    id: u64,
}

pub(super) struct Subscriptions {
    open: Table<Subscription>,
    subscribed: Table<Subscribed>,
    /// How many streams are open that are not in the table.
    untracked: usize,
}

impl Subscriptions {
    pub(super) const fn new(limits: &ExchangeLimits) -> Self {
        Self {
            open: Table::new(limits.subscriptions),
            subscribed: Table::new(limits.subscribed),
            untracked: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.subscribed.clear();
        self.untracked = 0;
    }

    /// Notes the request with this id, which opens a stream.
    pub(super) fn begin(&mut self, id: u64, params: Object<'_>) -> (RuleSet, Option<Slot>) {
        let full = RuleSet::EMPTY.with(Rule::ExchangeFull);
        if self.open.is_full() {
            self.untracked += 1;
            return (full, None);
        }
        let mut subscription =
            Subscription { id, asked: 0, is_acknowledged: false, items: 0, is_complete: true };
        for (at, item) in items(params) {
            subscription.asked |= 1 << at;
            subscription.items += usize::from(item.is_some());
            if let Some(item) = item
                && self.subscribed.add(key(id, at, item), Subscribed { id }).is_none()
            {
                subscription.is_complete = false;
            }
        }
        let rules = if subscription.is_complete { RuleSet::EMPTY } else { full };
        (rules, self.open.add(id, subscription))
    }

    /// A stream is over.
    pub(super) fn end(&mut self, slot: Option<Slot>) {
        let Some(slot) = slot else {
            self.untracked = self.untracked.saturating_sub(1);
            return;
        };
        if let Some(Subscription { id, .. }) = self.open.remove(slot) {
            self.subscribed.remove_if(|subscribed| subscribed.id == id);
        }
    }

    /// Whether the stream has been acknowledged.
    pub(super) fn is_acknowledged(&self, slot: Slot) -> bool {
        self.open.get(slot).is_some_and(|subscription| subscription.is_acknowledged)
    }

    /// Hears a notification on a stream.
    pub(super) fn hear(
        &mut self,
        slot: Slot,
        method: Option<Method>,
        params: Object<'_>,
    ) -> RuleSet {
        if method == Some(Method::SubscriptionsAcknowledged) {
            return self.acknowledge(slot, params);
        }
        let mut rules = RuleSet::EMPTY;
        if let Some(subscription) = self.open.get(slot) {
            rules.note(Rule::AckNotFirst, !subscription.is_acknowledged);
            rules.note(Rule::SubscriptionUnrequested, !subscription.may_carry(method));
        }
        rules
    }

    fn acknowledge(&mut self, slot: Slot, params: Object<'_>) -> RuleSet {
        let mut rules = RuleSet::EMPTY;
        let Some(subscription) = self.open.get(slot).copied() else { return rules };
        let Subscription { id, asked, is_acknowledged, is_complete, .. } = subscription;
        rules.note(Rule::AckNotFirst, is_acknowledged);
        // What was asked for one by one is only kept until the first one.
        let knows_items = is_complete && !is_acknowledged;
        // More than were asked for are not looked up: each look-up takes as long
        // as the table is.
        let granted = items(params).filter(|(_, item)| item.is_some());
        let has_more =
            knows_items && granted.take(subscription.items + 1).count() > subscription.items;
        let is_widened = has_more
            || items(params).any(|(at, item)| {
                let is_asked = |item| self.subscribed.find(key(id, at, item)).is_some();
                asked >> at & 1 == 0 || knows_items && item.is_some_and(|item| !is_asked(item))
            });
        rules.note(Rule::AckWidened, is_widened);
        if let Some(subscription) = self.open.get_mut(slot) {
            subscription.is_acknowledged = true;
        }
        self.subscribed.remove_if(|subscribed| subscribed.id == id);
        rules
    }

    /// Whether a stream may have asked for notifications like this one, or it is
    /// none that streams carry.
    pub(super) fn ask_for(&self, method: Option<Method>) -> bool {
        place(method).is_none()
            || self.untracked > 0
            || self.open.iter().any(|subscription| subscription.may_carry(method))
    }
}

impl Subscription {
    /// Of what has nothing to do with filters only log messages are known never
    /// to come on a stream.
    fn may_carry(&self, method: Option<Method>) -> bool {
        match place(method) {
            Some(at) => self.asked >> at & 1 == 1,
            None => method != Some(Method::LogMessage),
        }
    }
}

/// Where in [`FILTER`] a notification stands, if it does.
fn place(method: Option<Method>) -> Option<usize> {
    FILTER.iter().position(|(_, carried)| Some(*carried) == method)
}

/// What the filter in `params` asks for: the place of the member in [`FILTER`],
/// and for those that are lists each item.
fn items(params: Object<'_>) -> impl Iterator<Item = (usize, Option<Text<'_>>)> {
    let filter = params.get("notifications").map(Value::object);
    let members = filter.into_iter().flat_map(Object::members);
    members.flat_map(|(name, value)| {
        let at = FILTER.iter().position(|(member, _)| name == **member);
        let whole = value.is_true().then_some(None);
        let items = value.elements().filter_map(|item| item.text().map(Some));
        whole.into_iter().chain(items).filter_map(move |item| Some((at?, item)))
    })
}

fn key(id: u64, at: usize, item: Text<'_>) -> u64 {
    fingerprint((id, at, item))
}
