//! Requests, and the HTTP headers that mirror them.

use super::client::Client;
use super::header::HeaderValue;
use super::key;
use super::meta::{LogLevel, TraceContext, meta};
use super::request_id::RequestId;
use super::value::{Form, Member, Value, member};
use crate::method::Method;
use crate::revision::Revision;

/// A request to be sent, made by [`Client::request`]. See [Requests].
///
/// ```
/// use mcparse::compose::{Client, Implementation, LogLevel, member};
///
/// const CLIENT: Client = Client::new(Implementation::new("acme", "1.0"));
///
/// let params = [member("uri", "file:///readme.md")];
/// let request = CLIENT
///     .request("read-1", "resources/read")
///     .with_progress_token(7)
///     .with_log_level(LogLevel::Warning)
///     .with_params(&params);
///
/// let mut body = Vec::new();
/// request.write(&mut body);
/// let headers: Vec<_> = request.headers().unwrap().map(|(name, value)| (name, value.to_string())).collect();
/// assert_eq!(headers, [
///     ("MCP-Protocol-Version", "2026-07-28".to_owned()),
///     ("Mcp-Method", "resources/read".to_owned()),
///     ("Mcp-Name", "file:///readme.md".to_owned()),
/// ]);
/// ```
///
/// To retry a request that was answered with `input_required`, compose it with
/// a new id and the further params `inputResponses` and, if the answer had
/// one, `requestState` ([Multi Round-Trip Requests]).
///
/// [Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
/// [Multi Round-Trip Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
#[derive(Clone, Copy, Debug)]
#[must_use = "a request is nothing until it is written"]
pub struct Request<'a> {
    client: Client<'a>,
    id: RequestId<'a>,
    method: &'a str,
    params: &'a [Member<'a>],
    progress_token: Option<RequestId<'a>>,
    log_level: Option<LogLevel>,
    trace: Option<TraceContext<'a>>,
    meta: &'a [Member<'a>],
}

impl<'a> Request<'a> {
    pub(super) const fn new(client: Client<'a>, id: RequestId<'a>, method: &'a str) -> Self {
        Self {
            client,
            id,
            method,
            params: &[],
            progress_token: None,
            log_level: None,
            trace: None,
            meta: &[],
        }
    }

    /// Sets the params, without `_meta`, which [`with_meta`](Self::with_meta)
    /// sets.
    pub const fn with_params(mut self, params: &'a [Member<'a>]) -> Self {
        self.params = params;
        self
    }

    /// Asks for notifications of progress, which will carry `token`
    /// ([Progress]).
    ///
    /// [Progress]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
    pub fn with_progress_token(mut self, token: impl Into<RequestId<'a>>) -> Self {
        self.progress_token = Some(token.into());
        self
    }

    /// Asks for log messages from this level on. A legacy request has no place
    /// for it and leaves it out. Deprecated by the protocol since 2026-07-28
    /// ([Logging]).
    ///
    /// [Logging]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
    pub const fn with_log_level(mut self, level: LogLevel) -> Self {
        self.log_level = Some(level);
        self
    }

    /// Sets the trace that it belongs to.
    pub const fn with_trace(mut self, trace: TraceContext<'a>) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Sets further members of `_meta`. Their names must have the form that
    /// the specification asks for, such as `com.example/tenant` ([`_meta`]).
    ///
    /// [`_meta`]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
    pub const fn with_meta(mut self, members: &'a [Member<'a>]) -> Self {
        self.meta = members;
        self
    }

    /// Appends the request to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let Client { info, names_itself, capabilities, revision } = self.client;
        let is_modern = revision.is_modern();
        let modern = |member: Member<'a>| is_modern.then_some(member);
        let [traceparent, tracestate, baggage] = TraceContext::members(self.trace);
        let in_meta = [
            modern(member(key::PROTOCOL_VERSION, revision)),
            modern(member(key::CLIENT_INFO, info)).filter(|_| names_itself),
            modern(member(key::CLIENT_CAPABILITIES, capabilities)),
            self.log_level.and_then(|level| modern(member(key::LOG_LEVEL, level.as_str()))),
            self.progress_token.map(|token| member(key::PROGRESS_TOKEN, token)),
            traceparent,
            tracestate,
            baggage,
        ];
        let handshake = |member: Member<'a>| (!is_modern && self.is_handshake()).then_some(member);
        let in_params = [
            handshake(member("protocolVersion", revision)),
            handshake(member("capabilities", capabilities)),
            handshake(member("clientInfo", info)),
            meta(&in_meta, self.meta),
        ];
        write_call(out, Some(self.id), self.method, &in_params, self.params);
    }

    /// The HTTP headers that mirror the request, for the same POST
    /// ([Request Metadata]): `MCP-Protocol-Version`, `Mcp-Method` and, where the
    /// method is called on something, `Mcp-Name`. Of a legacy request the
    /// version alone, from 2025-06-18 on and once the handshake is over.
    ///
    /// `None` if the method cannot stand in a header, as none that the protocol
    /// knows: for methods no encoding is defined, and as it is it could break
    /// out of its header.
    ///
    /// [Request Metadata]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
    #[must_use]
    pub fn headers(
        &self,
    ) -> Option<impl Iterator<Item = (&'static str, HeaderValue<'a>)> + use<'a>> {
        let revision = self.client.revision;
        let is_modern = revision.is_modern();
        let has_version = is_modern || revision >= Revision::V2025_06_18 && !self.is_handshake();
        let method = HeaderValue::new(self.method);
        if self.method.is_empty() || !method.is_plain() {
            return None;
        }
        let version = has_version.then(|| HeaderValue::new(revision.as_str()));
        let headers = [
            version.map(|version| ("MCP-Protocol-Version", version)),
            is_modern.then_some(("Mcp-Method", method)),
            self.name().filter(|_| is_modern).map(|name| ("Mcp-Name", name)),
        ];
        Some(headers.into_iter().flatten())
    }

    /// What the method is called on, if it is a string.
    fn name(&self) -> Option<HeaderValue<'a>> {
        let source = Method::from_bytes(self.method.as_bytes())?.name_source()?;
        let name = self.params.iter().rev().find(|member| member.name == source)?;
        HeaderValue::of_string(name.value)
    }

    fn is_handshake(&self) -> bool {
        self.method == Method::Initialize.as_str()
    }
}

/// Writes a request, or without an id a notification. Params that would be
/// empty are left out.
pub(super) fn write_call(
    out: &mut Vec<u8>,
    id: Option<RequestId<'_>>,
    method: &str,
    own: &[Option<Member<'_>>],
    params: &[Member<'_>],
) {
    let has_params = own.iter().any(Option::is_some) || !params.is_empty();
    let params = Value::new(Form::Object { own, others: params });
    let message = [
        Some(member("jsonrpc", "2.0")),
        id.map(|id| member("id", id)),
        Some(member("method", method)),
        has_params.then(|| member("params", params)),
    ];
    Value::new(Form::Object { own: &message, others: &[] }).write(out);
}
