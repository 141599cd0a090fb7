//! Result responses: complete ones, and those that ask for more first.

use super::key;
use super::meta::meta;
use super::request_id::RequestId;
use super::server::Server;
use super::value::{Form, Member, Object, Value, member};
use crate::method::{Method, RevisionSet};
use crate::write;

/// Who may be served a result that was kept ([Cache Scope]).
///
/// [Cache Scope]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cache-scope-field
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CacheScope {
    /// Anybody: nothing in the result belongs to one user.
    Public,
    /// Only whoever asked, by the same authorization.
    Private,
}

impl CacheScope {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

/// Which members that describe the server a result has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Described {
    No,
    Discover(RevisionSet),
    Initialize,
}

/// A result to be sent, made by [`Server::result`]. See [Result Responses].
///
/// A modern result says for how long it may be kept wherever the method asks
/// for that ([Cacheable Results]): unless [`with_cache`](Self::with_cache) sets
/// it, not at all, and by nobody else. The result of `subscriptions/listen`,
/// which ends its stream, says in `_meta` which stream that is
/// ([SubscriptionsListenResult]).
///
/// [Result Responses]: https://modelcontextprotocol.io/specification/2026-07-28/basic#result-responses
/// [Cacheable Results]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cacheable-results
/// [SubscriptionsListenResult]: https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenresult
#[derive(Clone, Copy, Debug)]
#[must_use = "a result is nothing until it is written"]
pub struct CompleteResult<'a> {
    server: Server<'a>,
    id: RequestId<'a>,
    method: Option<Method>,
    described: Described,
    result_type: &'a str,
    cache: Option<(u64, CacheScope)>,
    members: &'a [Member<'a>],
    meta: &'a [Member<'a>],
}

impl<'a> CompleteResult<'a> {
    pub(super) const fn new(server: Server<'a>, id: RequestId<'a>, method: Option<Method>) -> Self {
        Self {
            server,
            id,
            method,
            described: Described::No,
            result_type: COMPLETE,
            cache: None,
            members: &[],
            meta: &[],
        }
    }

    pub(super) const fn describing(mut self, described: Described) -> Self {
        self.described = described;
        self
    }

    /// Sets the members, without `_meta`, which [`with_meta`](Self::with_meta)
    /// sets.
    pub const fn with_members(mut self, members: &'a [Member<'a>]) -> Self {
        self.members = members;
        self
    }

    /// Sets for how many milliseconds the result may be kept, and for whom. A
    /// legacy result has no place for it and leaves it out.
    ///
    /// All pages of one list must have the same scope.
    pub const fn with_cache(mut self, ttl_ms: u64, scope: CacheScope) -> Self {
        self.cache = Some((ttl_ms, scope));
        self
    }

    /// Sets the type of the result to one that an extension defines. Such a
    /// result says for how long it may be kept only if
    /// [`with_cache`](Self::with_cache) sets it ([ResultType]).
    ///
    /// [ResultType]: https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
    pub const fn with_result_type(mut self, result_type: &'a str) -> Self {
        self.result_type = result_type;
        self
    }

    /// Sets further members of `_meta`.
    pub const fn with_meta(mut self, members: &'a [Member<'a>]) -> Self {
        self.meta = members;
        self
    }

    /// Appends the result response to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let is_modern = self.server.is_modern();
        let modern = |member: Member<'a>| is_modern.then_some(member);
        let [versions, capabilities, info, instructions] = self.server.described(self.described);
        let cache = self.cache();
        let [server] = self.server.in_meta();
        let ends_stream = self.method == Some(Method::SubscriptionsListen);
        let stream = modern(member(key::SUBSCRIPTION_ID, self.id)).filter(|_| ends_stream);
        let in_meta = [server, stream];
        let own = [
            modern(member("resultType", self.result_type)),
            versions,
            capabilities,
            info,
            instructions,
            cache.and_then(|(ttl_ms, _)| modern(member("ttlMs", ttl_ms))),
            cache.and_then(|(_, scope)| modern(member("cacheScope", scope.as_str()))),
            meta(&in_meta, self.meta),
        ];
        write_result(out, self.id, &own, self.members);
    }

    fn cache(&self) -> Option<(u64, CacheScope)> {
        let must_say =
            self.result_type == COMPLETE && self.method.is_some_and(Method::is_cacheable);
        self.cache.or(must_say.then_some((0, CacheScope::Private)))
    }
}

const COMPLETE: &str = "complete";

/// A result that asks the client for input, made by [`Server::input_required`]
/// ([InputRequiredResult]).
///
/// It has requests, a state, or both; with neither, it asks for no input and to
/// be tried again.
///
/// ```
/// use mcparse::Method;
/// use mcparse::compose::{Implementation, InputRequest, RawObject, Server};
///
/// let params = RawObject::new(r#"{"mode":"form","message":"Which city?",
///     "requestedSchema":{"type":"object","properties":{"city":{"type":"string"}}}}"#).unwrap();
/// let requests = [InputRequest::new("city", Method::ElicitationCreate, params)];
///
/// let server = Server::new(Implementation::new("weather", "1.0")).without_info();
/// let mut out = Vec::new();
/// server.input_required(1).with_requests(&requests).with_state("sealed").write(&mut out);
/// assert!(out.starts_with(
///     br#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"sealed","#,
/// ));
/// ```
///
/// [InputRequiredResult]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequiredresult
#[derive(Clone, Copy, Debug)]
#[must_use = "a result is nothing until it is written"]
pub struct InputRequiredResult<'a> {
    server: Server<'a>,
    id: RequestId<'a>,
    requests: &'a [InputRequest<'a>],
    state: Option<&'a str>,
    meta: &'a [Member<'a>],
}

impl<'a> InputRequiredResult<'a> {
    pub(super) const fn new(server: Server<'a>, id: RequestId<'a>) -> Self {
        Self { server, id, requests: &[], state: None, meta: &[] }
    }

    /// Sets what the client is asked for, which it must have declared that it
    /// can do.
    pub const fn with_requests(mut self, requests: &'a [InputRequest<'a>]) -> Self {
        self.requests = requests;
        self
    }

    /// Sets what the client is to send back as it is. It comes back through
    /// hands that may have changed it: protect it ([Server Requirements]).
    ///
    /// [Server Requirements]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow
    pub const fn with_state(mut self, state: &'a str) -> Self {
        self.state = Some(state);
        self
    }

    /// Sets further members of `_meta`.
    pub const fn with_meta(mut self, members: &'a [Member<'a>]) -> Self {
        self.meta = members;
        self
    }

    /// Appends the result response to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        // One of the two must be there.
        let has_requests = !self.requests.is_empty() || self.state.is_none();
        let in_meta = self.server.in_meta();
        let own = [
            Some(member("resultType", "input_required")),
            self.state.map(|state| member("requestState", state)),
            meta(&in_meta, self.meta),
            has_requests.then(|| member("inputRequests", Value::new(Form::Asked(self.requests)))),
        ];
        write_result(out, self.id, &own, &[]);
    }
}

/// One of the requests in an [`InputRequiredResult`] ([InputRequests]).
///
/// [InputRequests]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequests
#[derive(Clone, Copy, Debug)]
pub struct InputRequest<'a> {
    key: &'a str,
    method: Method,
    params: Object<'a>,
}

impl<'a> InputRequest<'a> {
    /// A request under a `key` of the server's choice, under which the client
    /// will answer it. Of several under one key the last is sent.
    ///
    /// `method` is one that may be asked in a result
    /// ([`Method::asked_in_results`]).
    pub fn new(key: &'a str, method: Method, params: impl Into<Object<'a>>) -> Self {
        Self { key, method, params: params.into() }
    }

    /// Writes the object of all `requests`, by their keys.
    pub(super) fn write_all(out: &mut Vec<u8>, requests: &[Self]) {
        out.push(b'{');
        let mut is_first = true;
        for (at, request) in requests.iter().enumerate() {
            if requests[at + 1..].iter().any(|later| later.key == request.key) {
                continue;
            }
            if !is_first {
                out.push(b',');
            }
            is_first = false;
            let call = [member("method", request.method), member("params", request.params)];
            write::string(out, request.key);
            out.push(b':');
            Value::from(&call).write(out);
        }
        out.push(b'}');
    }
}

/// Writes a result response whose result has `own` and `other` members.
fn write_result(
    out: &mut Vec<u8>,
    id: RequestId<'_>,
    own: &[Option<Member<'_>>],
    others: &[Member<'_>],
) {
    let result = Value::new(Form::Object { own, others });
    let message = [member("jsonrpc", "2.0"), member("id", id), member("result", result)];
    Value::from(&message).write(out);
}
