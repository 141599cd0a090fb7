//! Spans and events of what passes, if the feature `tracing` is on; else nothing.

#[cfg(not(feature = "tracing"))]
pub(super) use off::{Trace, let_through, refused, reported};
#[cfg(feature = "tracing")]
pub(super) use on::{Trace, let_through, refused, reported};

#[cfg(feature = "tracing")]
mod on {
    use http::HeaderMap;

    use crate::kind::Sender;
    use crate::message::Message;
    use crate::summary::Summary;
    use crate::telemetry::{self, NETWORK_PROTOCOL_NAME, NETWORK_TRANSPORT, SESSION_ID};
    use crate::violation::Violation;

    /// The span of one message, from when it is accepted until its answer has ended.
    pub(in crate::layer) struct Trace(tracing::Span);

    impl Trace {
        pub(in crate::layer) fn begin(summary: &Summary, headers: &HeaderMap) -> Self {
            let span = telemetry::span(summary);
            if !span.is_disabled() {
                telemetry::record(&span, NETWORK_TRANSPORT, b"tcp");
                telemetry::record(&span, NETWORK_PROTOCOL_NAME, b"http");
                if let Some(session) = headers.get("mcp-session-id") {
                    telemetry::record(&span, SESSION_ID, session.as_bytes());
                }
            }
            Self(span)
        }

        /// Does something within the span.
        pub(in crate::layer) fn within<R>(&self, act: impl FnOnce() -> R) -> R {
            self.0.in_scope(act)
        }

        pub(in crate::layer) fn answered(
            &self,
            to: &Summary,
            verdict: Result<&Message<'_>, &Violation<'_>>,
        ) {
            telemetry::answered(&self.0, to, verdict);
        }
    }

    pub(in crate::layer) fn refused(from: Sender, violation: &Violation<'_>) {
        telemetry::refused(from, violation);
    }

    pub(in crate::layer) fn let_through(from: Sender, violation: &Violation<'_>) {
        telemetry::let_through(from, violation);
    }

    pub(in crate::layer) fn reported(from: Sender, message: &Message<'_>) {
        telemetry::reported(from, message.findings());
    }
}

#[cfg(not(feature = "tracing"))]
mod off {
    use http::HeaderMap;

    use crate::kind::Sender;
    use crate::message::Message;
    use crate::summary::Summary;
    use crate::violation::Violation;

    pub(in crate::layer) struct Trace;

    impl Trace {
        pub(in crate::layer) const fn begin(_: &Summary, _: &HeaderMap) -> Self {
            Self
        }

        #[expect(clippy::unused_self, reason = "it is the span where there are spans")]
        pub(in crate::layer) fn within<R>(&self, act: impl FnOnce() -> R) -> R {
            act()
        }

        #[expect(clippy::unused_self, reason = "it is the span where there are spans")]
        pub(in crate::layer) const fn answered(
            &self,
            _: &Summary,
            _: Result<&Message<'_>, &Violation<'_>>,
        ) {
        }
    }

    pub(in crate::layer) const fn refused(_: Sender, _: &Violation<'_>) {}

    pub(in crate::layer) const fn let_through(_: Sender, _: &Violation<'_>) {}

    pub(in crate::layer) const fn reported(_: Sender, _: &Message<'_>) {}
}
