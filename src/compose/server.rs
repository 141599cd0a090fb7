//! What every result of a server says about its sender.

use super::implementation::Implementation;
use super::key;
use super::request_id::RequestId;
use super::result::{CompleteResult, Described, InputRequiredResult};
use super::value::{Member, Object, member};
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;

/// A server, as its results describe it: made once, used for every result.
///
/// The revision is that of the request which is answered, and decides the form:
/// a modern result has a `resultType`, says who the server is in `_meta`
/// ([Per-response protocol fields]) and, where it may be kept, for how long; a
/// legacy one has its members alone.
///
/// ```
/// use mcparse::compose::{Implementation, RawJson, Server, member};
/// use mcparse::{Method, Revision};
///
/// const SERVER: Server = Server::new(Implementation::new("weather", "1.0"));
///
/// let tools = [member("tools", RawJson::new("[]").unwrap())];
/// let mut out = Vec::new();
/// SERVER.result(1, Method::ToolsList).with_members(&tools).write(&mut out);
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"#,
///         r#""cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":"#,
///         r#"{"name":"weather","version":"1.0"}},"tools":[]}}"#,
///     )
/// );
///
/// // To a legacy client:
/// let legacy = SERVER.with_revision(Revision::V2025_11_25);
/// let mut out = Vec::new();
/// legacy.result(1, Method::ToolsList).with_members(&tools).write(&mut out);
/// assert_eq!(out, br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#);
/// ```
///
/// [Per-response protocol fields]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
#[derive(Clone, Copy, Debug)]
pub struct Server<'a> {
    info: Implementation<'a>,
    names_itself: bool,
    capabilities: Object<'a>,
    instructions: Option<&'a str>,
    revision: Revision,
}

impl<'a> Server<'a> {
    /// A server of the newest revision, without capabilities.
    #[must_use]
    pub const fn new(info: Implementation<'a>) -> Self {
        Self {
            info,
            names_itself: true,
            capabilities: Object::EMPTY,
            instructions: None,
            revision: Revision::V2026_07_28,
        }
    }

    /// Sets the revision of the request that is answered.
    #[must_use]
    pub const fn with_revision(mut self, revision: Revision) -> Self {
        self.revision = revision;
        self
    }

    /// Sets what it can do: by default nothing.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: impl Into<Object<'a>>) -> Self {
        self.capabilities = capabilities.into();
        self
    }

    /// Sets how a model uses it best.
    #[must_use]
    pub const fn with_instructions(mut self, instructions: &'a str) -> Self {
        self.instructions = Some(instructions);
        self
    }

    /// Leaves out who it is, where the protocol lets it: everywhere but in the
    /// answer to `initialize`. Results should say it unless someone wants them
    /// not to.
    #[must_use]
    pub const fn without_info(mut self) -> Self {
        self.names_itself = false;
        self
    }

    /// A complete result for the request `id`, without members of its own.
    ///
    /// `method` is that of the request, as [`Method::from_text`] gives it: some
    /// methods' results must say for how long they may be kept
    /// ([`Method::is_cacheable`]).
    pub fn result(
        &self,
        id: impl Into<RequestId<'a>>,
        method: impl Into<Option<Method>>,
    ) -> CompleteResult<'a> {
        CompleteResult::new(*self, id.into(), method.into())
    }

    /// The answer to `server/discover`: the revisions that are `served`, the
    /// capabilities and the instructions ([Discovery]).
    ///
    /// ```
    /// use mcparse::RevisionSet;
    /// use mcparse::compose::{CacheScope, Implementation, Object, Server, member};
    ///
    /// let capabilities = [member("tools", Object::EMPTY)];
    /// let server = Server::new(Implementation::new("weather", "1.0"))
    ///     .with_capabilities(&capabilities)
    ///     .with_instructions("Ask for a city.");
    ///
    /// let mut out = Vec::new();
    /// server
    ///     .discover_result("d-1", RevisionSet::MODERN)
    ///     .with_cache(3_600_000, CacheScope::Public)
    ///     .write(&mut out);
    /// ```
    ///
    /// [Discovery]: https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    pub fn discover_result(
        &self,
        id: impl Into<RequestId<'a>>,
        served: RevisionSet,
    ) -> CompleteResult<'a> {
        self.result(id, Method::ServerDiscover).describing(Described::Discover(served))
    }

    /// The answer to a legacy client's `initialize`: the server's revision,
    /// which must be a legacy one, its capabilities, who it is and its
    /// instructions ([Initialization]).
    ///
    /// ```
    /// use mcparse::Revision;
    /// use mcparse::compose::{Implementation, Server};
    ///
    /// const SERVER: Server = Server::new(Implementation::new("weather", "1.0"));
    ///
    /// let mut out = Vec::new();
    /// SERVER.with_revision(Revision::V2025_11_25).initialize_result(1).write(&mut out);
    /// assert_eq!(
    ///     String::from_utf8(out).unwrap(),
    ///     concat!(
    ///         r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","#,
    ///         r#""capabilities":{},"serverInfo":{"name":"weather","version":"1.0"}}}"#,
    ///     )
    /// );
    /// ```
    ///
    /// [Initialization]: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    pub fn initialize_result(&self, id: impl Into<RequestId<'a>>) -> CompleteResult<'a> {
        self.result(id, Method::Initialize).describing(Described::Initialize)
    }

    /// A result that asks for more before the request `id` can be completed.
    /// Only [some methods](Method::may_ask_for_input) of the modern revisions
    /// may be answered so.
    pub fn input_required(&self, id: impl Into<RequestId<'a>>) -> InputRequiredResult<'a> {
        InputRequiredResult::new(*self, id.into())
    }

    pub(super) const fn is_modern(&self) -> bool {
        self.revision.is_modern()
    }

    /// The members that describe the server, of an answer that is asked for
    /// them.
    pub(super) fn described(&self, described: Described) -> [Option<Member<'a>>; 4] {
        let (versions, info) = match described {
            Described::No => return [None; 4],
            Described::Discover(served) => (member("supportedVersions", served), None),
            Described::Initialize => {
                (member("protocolVersion", self.revision), Some(member("serverInfo", self.info)))
            }
        };
        [
            Some(versions),
            Some(member("capabilities", self.capabilities)),
            info,
            self.instructions.map(|instructions| member("instructions", instructions)),
        ]
    }

    /// The members of `_meta` that every result has.
    pub(super) fn in_meta(&self) -> [Option<Member<'a>>; 1] {
        let names_itself = self.is_modern() && self.names_itself;
        [names_itself.then(|| member(key::SERVER_INFO, self.info))]
    }
}
