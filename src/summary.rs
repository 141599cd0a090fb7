//! What is kept of a request until its answer comes: small, owned, and without
//! a pointer into the message.

mod differences;
mod kept;

use std::fmt;

pub use differences::{Difference, HopChange, MessagePart};
use kept::Meaning;
pub(crate) use kept::{Kept, fingerprint};

use crate::capabilities::ClientCapabilities;
use crate::head::{Header, RequestHead};
use crate::id::Id;
use crate::kind::{Kind, Sender};
use crate::message::Message;
use crate::meta::Meta;
use crate::method::{Capability, Method, RevisionSet};
use crate::revision::Revision;
use crate::text::Text;

/// What a gateway keeps of a message that it forwards: enough to judge the
/// answer by, to answer in the server's place, and to tell what a hop changed.
///
/// A few hundred bytes, owned, never growing. An id, a name or a method of more
/// than 64 bytes is not kept itself, only compared.
///
/// ```
/// use mcparse::{Method, Policy, Sender, Validator};
///
/// let mut validator = Validator::new(Policy::strict());
/// let bytes = br#"{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"add"}}"#.to_vec();
/// let summary = validator.check(Sender::Client, &bytes).unwrap().summary();
/// drop(bytes);
///
/// assert_eq!(summary.id().unwrap().lexeme(), br#""a-1""#);
/// assert_eq!(summary.method(), Some(Method::ToolsCall));
/// assert_eq!(summary.name().unwrap(), "add");
/// ```
#[derive(Clone, Copy)]
pub struct Summary {
    kind: Kind,
    from: Sender,
    called: Option<Method>,
    revisions: RevisionSet,
    version: Option<Revision>,
    capabilities: u8,
    id: Kept,
    method: Kept,
    name: Kept,
    progress_token: Option<u64>,
    /// The fingerprints of the values of `META_KEYS`; 0 where there is none.
    meta: [u64; META_KEYS.len()],
    /// Of the mirror headers, in the order of `HEADERS`; 0 where there is none.
    headers: [u64; HEADERS.len()],
    has_head: bool,
}

/// The reserved keys of `_meta`: what a request may have, and behind that what
/// tells a notification or a result apart.
const META_KEYS: [&str; 10] = [
    "progressToken",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/logLevel",
    "traceparent",
    "tracestate",
    "baggage",
    "io.modelcontextprotocol/subscriptionId",
    "io.modelcontextprotocol/serverInfo",
];

/// The headers that mirror a request's body.
pub(crate) const HEADERS: [Header; 3] = [Header::ProtocolVersion, Header::Method, Header::Name];

/// The capabilities that a server may ask a client to use.
const CAPABILITIES: [Capability; 7] = [
    Capability::of_client("roots"),
    Capability::of_client("sampling"),
    Capability::of_client("elicitation").with_part("form"),
    Capability::of_client("elicitation").with_part("url"),
    Capability::of_client("extensions").with_part("io.modelcontextprotocol/tasks"),
    Capability::of_client("elicitation"),
    Capability::of_client("sampling").with_part("tools"),
];

impl Summary {
    pub(crate) fn new(message: &Message<'_>) -> Self {
        let text =
            |text: Option<Text<'_>>| text.map_or(Kept::NOTHING, |text| Kept::new(text.raw(), text));
        let (name, meta) = match message {
            Message::Request(call) => (call.name(), call.meta()),
            Message::Notification(call) => (call.name(), call.meta()),
            Message::Response(answer) => (None, answer.meta()),
        };
        let Told { version, token, capabilities, prints } =
            meta.map_or_else(Told::default, Told::by);
        // An answer asks for nothing by it.
        let is_asking = !message.kind().is_response();
        let token = token.filter(|_| is_asking);
        let capabilities = capabilities.filter(|_| is_asking);
        let version = version.filter(|_| is_asking);
        let version = Revision::ALL
            .into_iter()
            .find(|revision| version.is_some_and(|version| version == *revision.as_str()));
        Self {
            kind: message.kind(),
            from: message.sender(),
            called: message.method().and_then(Method::from_text),
            revisions: message.revisions(),
            version,
            capabilities: capabilities.map_or(0, bits),
            id: message.id().map_or(Kept::NOTHING, |id| Kept::new(id.lexeme(), id)),
            method: text(message.method()),
            name: text(name),
            progress_token: token.map(fingerprint),
            meta: prints,
            headers: [0; HEADERS.len()],
            has_head: false,
        }
    }

    /// The same with what the head of the HTTP request says, for telling what a
    /// hop changed.
    #[must_use]
    pub fn with_head(mut self, head: &RequestHead<'_>) -> Self {
        self.headers =
            HEADERS.map(|header| head.value(header).map_or(0, |value| fingerprint(value).max(1)));
        self.has_head = true;
        self
    }

    /// What the message is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Who answers: the other side than the one that sent the message.
    pub(crate) const fn answerer(&self) -> Sender {
        match self.from {
            Sender::Client => Sender::Server,
            Sender::Server => Sender::Client,
        }
    }

    /// The id of a request, unless it is longer than 64 bytes.
    #[must_use]
    pub fn id(&self) -> Option<Id<'_>> {
        self.id.lexeme().filter(|lexeme| !lexeme.is_empty()).map(Id::new)
    }

    /// Whether `id` is this message's: of the same type and value, however long.
    #[must_use]
    pub fn has_id(&self, id: Id<'_>) -> bool {
        match self.id() {
            Some(own) => own == id,
            None => !self.id.is_empty() && self.id.fingerprint() == fingerprint(id),
        }
    }

    /// The method, if it is one of the protocol's.
    #[must_use]
    pub const fn method(&self) -> Option<Method> {
        self.called
    }

    /// The method as it is written, unless it is longer than 64 bytes.
    #[must_use]
    pub fn method_text(&self) -> Option<Text<'_>> {
        self.method.lexeme().filter(|lexeme| !lexeme.is_empty()).map(Text::new)
    }

    /// What the method is called on, unless it is longer than 64 bytes.
    #[must_use]
    pub fn name(&self) -> Option<Text<'_>> {
        self.name.lexeme().filter(|lexeme| !lexeme.is_empty()).map(Text::new)
    }

    /// The revisions that the message may be of.
    #[must_use]
    pub const fn revisions(&self) -> RevisionSet {
        self.revisions
    }

    /// The protocol version that a modern request names.
    #[must_use]
    pub const fn version(&self) -> Option<Revision> {
        self.version
    }

    /// Whether the client declared this capability with the request: one of
    /// `roots`, `sampling` and its part `tools`, `elicitation` and its parts
    /// `form` and `url`, and the tasks extension. Others are not kept.
    #[must_use]
    pub fn has_capability(&self, capability: Capability) -> bool {
        let known = CAPABILITIES.iter().position(|&known| known == capability);
        known.is_some_and(|at| self.capabilities >> at & 1 == 1)
    }

    /// The fingerprint of the token under which progress is told.
    pub(crate) const fn progress_token(&self) -> Option<u64> {
        self.progress_token
    }
}

/// What `_meta` tells, read in one go; of a key that is given twice, the last.
#[derive(Default)]
struct Told<'m> {
    version: Option<Text<'m>>,
    token: Option<Id<'m>>,
    capabilities: Option<ClientCapabilities<'m>>,
    /// In the order of `META_KEYS`.
    prints: [u64; META_KEYS.len()],
}

impl<'m> Told<'m> {
    fn by(meta: Meta<'m>) -> Self {
        let mut told = Self { version: meta.protocol_version(), ..Self::default() };
        for (name, value) in meta.members() {
            let Some(at) = META_KEYS.iter().position(|key| name == **key) else { continue };
            told.prints[at] = fingerprint(Meaning(value.json())).max(1);
            match at {
                0 => told.token = value.id(),
                2 => told.capabilities = value.capabilities(),
                _ => {}
            }
        }
        told
    }
}

fn bits(capabilities: ClientCapabilities<'_>) -> u8 {
    if capabilities.is_empty() {
        return 0;
    }
    let has =
        |(at, &capability): (usize, &Capability)| u8::from(capabilities.has(capability)) << at;
    CAPABILITIES.iter().enumerate().map(has).sum()
}

impl fmt::Debug for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Summary")
            .field("kind", &self.kind)
            .field("id", &self.id)
            .field("method", &self.method)
            .field("name", &self.name)
            .field("revisions", &self.revisions)
            .finish_non_exhaustive()
    }
}

impl Message<'_> {
    /// What to keep of it until its answer comes.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::new(self)
    }
}
