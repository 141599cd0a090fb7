//! What a call says of itself in `params._meta`: read on demand, since a gateway
//! asks for few of the keys.

use crate::capabilities::ClientCapabilities;
use crate::envelope::{Field, JsonType};
use crate::id::Id;
use crate::json::reader;
use crate::text::Text;

/// The metadata of a request or a notification ([`_meta`]).
///
/// ```
/// use mcparse::{Message, Policy, Sender, Validator};
///
/// let bytes = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
///     "io.modelcontextprotocol/clientCapabilities":{},
///     "io.modelcontextprotocol/clientInfo":{"name":"notes","version":"1"},
///     "progressToken":7,"com.example/tenant":"blue"}}}"#;
/// let message = Validator::new(Policy::strict()).check(Sender::Client, bytes)?;
/// let Message::Request(request) = message else { panic!("a request") };
///
/// let meta = request.meta().unwrap();
/// assert_eq!(meta.protocol_version().unwrap(), "2026-07-28");
/// assert_eq!(meta.progress_token().unwrap().lexeme(), b"7");
/// assert_eq!(meta.get("com.example/tenant"), Some(&br#""blue""#[..]));
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
///
/// [`_meta`]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
#[derive(Clone, Copy, Debug)]
pub struct Meta<'m> {
    message: &'m [u8],
    object: Field,
    /// Of the members, the one that every gateway asks for.
    version: Field,
}

impl<'m> Meta<'m> {
    pub(crate) fn new(message: &'m [u8], object: Field, version: Field) -> Option<Self> {
        object.of(message).starts_with(b"{").then_some(Self { message, object, version })
    }

    /// The protocol version of a modern request.
    #[must_use]
    pub fn protocol_version(&self) -> Option<Text<'m>> {
        reader::text(self.message, self.version)
    }

    /// What the client declares that it can do.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<ClientCapabilities<'m>> {
        self.told("io.modelcontextprotocol/clientCapabilities").capabilities()
    }

    /// Who the client says it is, a JSON object. Nobody has verified it: it is
    /// for display and logs.
    #[must_use]
    pub fn client_info(&self) -> Option<&'m [u8]> {
        self.get("io.modelcontextprotocol/clientInfo")
    }

    /// The token under which the client wants to hear of progress: a string or
    /// an integer, like an id.
    #[must_use]
    pub fn progress_token(&self) -> Option<Id<'m>> {
        self.told("progressToken").id()
    }

    /// The least severe level of the log messages that the client wants.
    #[must_use]
    pub fn log_level(&self) -> Option<Text<'m>> {
        self.text("io.modelcontextprotocol/logLevel")
    }

    /// The trace context of W3C: `traceparent`.
    #[must_use]
    pub fn traceparent(&self) -> Option<Text<'m>> {
        self.text("traceparent")
    }

    /// The value of any key, as it stands in the message.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'m [u8]> {
        let field = self.field(key);
        field.is_present().then(|| field.of(self.message))
    }

    /// All of it, as it stands in the message: a JSON object.
    #[must_use]
    pub fn json(&self) -> &'m [u8] {
        self.object.of(self.message)
    }

    /// The members, in the order of the text.
    pub(crate) fn members(&self) -> impl Iterator<Item = (Text<'m>, Told<'m>)> + use<'m> {
        let message = self.message;
        reader::members(message, self.object)
            .map(move |member| (member.name, Told { message, field: member.value }))
    }

    fn told(&self, key: &str) -> Told<'m> {
        Told { message: self.message, field: self.field(key) }
    }

    fn field(&self, key: &str) -> Field {
        reader::member(self.message, self.object, key)
    }

    fn text(&self, key: &str) -> Option<Text<'m>> {
        reader::text(self.message, self.field(key))
    }
}

/// The value of a key.
#[derive(Clone, Copy)]
pub(crate) struct Told<'m> {
    message: &'m [u8],
    field: Field,
}

impl<'m> Told<'m> {
    pub(crate) fn json(self) -> &'m [u8] {
        self.field.of(self.message)
    }

    /// A token, if it is a string or a number.
    pub(crate) fn id(self) -> Option<Id<'m>> {
        let is_token = matches!(self.field.json, JsonType::String | JsonType::Number);
        is_token.then(|| Id::new(self.json()))
    }

    pub(crate) fn capabilities(self) -> Option<ClientCapabilities<'m>> {
        let is_object = self.field.json == JsonType::Object;
        is_object.then(|| ClientCapabilities::new(self.message, self.field))
    }
}
