//! Notifications, of either side.

use super::key;
use super::meta::{TraceContext, meta};
use super::request::write_call;
use super::request_id::RequestId;
use super::value::{Member, member};

/// A notification to be sent: a call that gets no answer. See [Notifications].
///
/// It has the same form in every revision.
///
/// ```
/// use mcparse::compose::{Notification, member};
///
/// let params = [member("requestId", 7), member("reason", "not needed any more")];
/// let mut out = Vec::new();
/// Notification::new("notifications/cancelled").with_params(&params).write(&mut out);
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"jsonrpc":"2.0","method":"notifications/cancelled","#,
///         r#""params":{"requestId":7,"reason":"not needed any more"}}"#,
///     )
/// );
/// ```
///
/// [Notifications]: https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications
#[derive(Clone, Copy, Debug)]
#[must_use = "a notification is nothing until it is written"]
pub struct Notification<'a> {
    method: &'a str,
    params: &'a [Member<'a>],
    subscription: Option<RequestId<'a>>,
    trace: Option<TraceContext<'a>>,
    meta: &'a [Member<'a>],
}

impl<'a> Notification<'a> {
    /// A notification without params.
    pub const fn new(method: &'a str) -> Self {
        Self { method, params: &[], subscription: None, trace: None, meta: &[] }
    }

    /// Sets the params, without `_meta`, which [`with_meta`](Self::with_meta)
    /// sets.
    pub const fn with_params(mut self, params: &'a [Member<'a>]) -> Self {
        self.params = params;
        self
    }

    /// Sets the `subscriptions/listen` request on whose stream it is sent, as
    /// every notification there must say ([Subscriptions]).
    ///
    /// [Subscriptions]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
    pub fn with_subscription(mut self, id: impl Into<RequestId<'a>>) -> Self {
        self.subscription = Some(id.into());
        self
    }

    /// Sets the trace that it belongs to.
    pub const fn with_trace(mut self, trace: TraceContext<'a>) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Sets further members of `_meta`.
    pub const fn with_meta(mut self, members: &'a [Member<'a>]) -> Self {
        self.meta = members;
        self
    }

    /// Appends the notification to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let [traceparent, tracestate, baggage] = TraceContext::members(self.trace);
        let in_meta = [
            self.subscription.map(|id| member(key::SUBSCRIPTION_ID, id)),
            traceparent,
            tracestate,
            baggage,
        ];
        write_call(out, None, self.method, &[meta(&in_meta, self.meta)], self.params);
    }
}
