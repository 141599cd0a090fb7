//! What goes into `_meta` besides what its sender is: the trace context, the
//! log level, and the caller's own members.

use std::fmt;

use super::value::{Form, Member, Value, member};

/// The member `_meta`; none if nothing would stand in it.
pub(super) fn meta<'a>(
    own: &'a [Option<Member<'a>>],
    others: &'a [Member<'a>],
) -> Option<Member<'a>> {
    let is_empty = own.iter().all(Option::is_none) && others.is_empty();
    (!is_empty).then(|| member("_meta", Value::new(Form::Object { own, others })))
}

/// Where a message belongs in a distributed trace ([OpenTelemetry trace
/// context]). The values must be in the formats of W3C; they are written, not
/// checked.
///
/// ```
/// use mcparse::compose::TraceContext;
///
/// let parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
/// let trace = TraceContext::new(parent).with_tracestate("vendor=1");
/// ```
///
/// [OpenTelemetry trace context]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
#[derive(Clone, Copy, Debug)]
pub struct TraceContext<'a> {
    traceparent: &'a str,
    tracestate: Option<&'a str>,
    baggage: Option<&'a str>,
}

impl<'a> TraceContext<'a> {
    /// The span that the message was sent in.
    #[must_use]
    pub const fn new(traceparent: &'a str) -> Self {
        Self { traceparent, tracestate: None, baggage: None }
    }

    /// Sets what tracing systems add.
    #[must_use]
    pub const fn with_tracestate(mut self, tracestate: &'a str) -> Self {
        self.tracestate = Some(tracestate);
        self
    }

    /// Sets what the application adds.
    #[must_use]
    pub const fn with_baggage(mut self, baggage: &'a str) -> Self {
        self.baggage = Some(baggage);
        self
    }

    pub(super) fn members(trace: Option<Self>) -> [Option<Member<'a>>; 3] {
        [
            trace.map(|trace| member("traceparent", trace.traceparent)),
            trace.and_then(|trace| Some(member("tracestate", trace.tracestate?))),
            trace.and_then(|trace| Some(member("baggage", trace.baggage?))),
        ]
    }
}

/// How severe a log message is, the least severe first ([Log Levels]).
///
/// ```
/// use mcparse::compose::LogLevel;
///
/// assert!(LogLevel::Debug < LogLevel::Emergency);
/// assert_eq!(LogLevel::Warning.as_str(), "warning");
/// ```
///
/// [Log Levels]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#log-levels
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// Details for finding faults.
    Debug,
    /// What goes on.
    Info,
    /// What goes on and matters.
    Notice,
    /// What may be a fault.
    Warning,
    /// A fault.
    Error,
    /// A part has failed.
    Critical,
    /// Somebody must act at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
