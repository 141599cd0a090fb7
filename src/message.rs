//! The truth table: what kind of message an envelope makes; and the public
//! [`Message`], borrowed views of the caller's bytes.
//!
//! ```text
//! jsonrpc "2.0" ── method? ── yes ─┬─ string ── id? ── no ────────────── notification
//!                     │            │             └─── string, integer ── request
//!                     │            └─ other ──────────────────────────── method-type
//!                     no
//!                     └─ result? error?
//!                          yes     no    object ── id string, integer ── result
//!                          no      yes   code, message ── id, null ───── error
//!                          yes     yes ───────────────────────────────── result-and-error
//!                          no      no ────────────────────────────────── no-kind
//! ```
//!
//! Presence decides, not truth: an `id` of `0` or `""` is an id, and
//! `"error": null` beside a `result` is both. Whether a number is an integer is
//! judged on its text.

mod view;

use std::ops::Range;

use crate::capabilities::ClientCapabilities;
use crate::envelope::{Envelope, Field, JsonType};
use crate::era::Era;
use crate::id::{Decimal, Id};
use crate::json::reader;
use crate::kind::{Kind, Sender};
use crate::meta::Meta;
use crate::method::RevisionSet;
use crate::rule::{Rule, RuleSet};
use crate::text::Text;
use crate::words;
pub(crate) use view::Places;
use view::View;

/// What an `id` is, in the words of the truth table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdForm {
    Absent,
    Null,
    StringOrInteger,
    /// An integer written as a float: `1.0`, `1e3`.
    Float,
    Other,
}

impl IdForm {
    #[inline]
    pub(crate) fn of(id: Field, message: &[u8]) -> Self {
        match id.json {
            JsonType::Absent => Self::Absent,
            JsonType::Null => Self::Null,
            JsonType::String => Self::StringOrInteger,
            JsonType::Number if is_integer(id.of(message)) => Self::StringOrInteger,
            JsonType::Number if Decimal::new(id.of(message)).is_integral() => Self::Float,
            JsonType::Number | JsonType::Bool | JsonType::Array | JsonType::Object => Self::Other,
        }
    }

    /// The rule that an id of this form breaks where a string or an integer
    /// must stand.
    const fn broken(self) -> Option<Rule> {
        match self {
            Self::Absent => Some(Rule::IdMissing),
            Self::Null => Some(Rule::IdNull),
            Self::Float => Some(Rule::IdFloat),
            Self::Other => Some(Rule::IdType),
            Self::StringOrInteger => None,
        }
    }
}

/// The truth table. Gives the kind and the first rule of it that is broken;
/// the kind is missing where no policy could give the message one.
///
/// An error without an id passes: only the newer revisions allow it, and the
/// message alone does not say which revision it is of.
#[inline]
pub(crate) fn kind(envelope: &Envelope, message: &[u8], id: IdForm) -> Result<Kind, Rule> {
    use JsonType::{Absent, Array, Object, String};

    let Envelope { root, jsonrpc, method, params, result, error, .. } = envelope;
    match root.json {
        Object => {}
        Array => return Err(Rule::Batch),
        _ => return Err(Rule::NotObject),
    }
    if !is_version_2(*jsonrpc, message) {
        return Err(Rule::JsonrpcVersion);
    }
    match (method.json, result.json, error.json) {
        (Absent, Absent, Absent) => Err(Rule::NoKind),
        (Absent, Object, Absent) => id.broken().map_or(Ok(Kind::Result), Err),
        (Absent, _, Absent) => Err(Rule::ResultType),
        (Absent, Absent, Object) if has_error_shape(envelope, message) => match id {
            IdForm::Absent | IdForm::Null => Ok(Kind::Error),
            id => id.broken().map_or(Ok(Kind::Error), Err),
        },
        (Absent, Absent, _) => Err(Rule::ErrorShape),
        (Absent, _, _) => Err(Rule::ResultAndError),
        (String, _, _) => {
            let kind = match id {
                IdForm::Absent => Kind::Notification,
                id => id.broken().map_or(Ok(Kind::Request), Err)?,
            };
            match params.json {
                Absent | Object => Ok(kind),
                _ => Err(Rule::ParamsType),
            }
        }
        (_, _, _) => Err(Rule::MethodType),
    }
}

/// Whether the member `jsonrpc` is the string `2.0`, however spelled.
#[inline]
fn is_version_2(jsonrpc: Field, message: &[u8]) -> bool {
    let value = jsonrpc.of(message);
    value == br#""2.0""# || jsonrpc.json == JsonType::String && text(value) == "2.0"
}

/// Whether `error` has an integer `code` and a string `message`.
fn has_error_shape(envelope: &Envelope, message: &[u8]) -> bool {
    let Envelope { code, message: text, .. } = envelope;
    code.json == JsonType::Number && is_integer(code.of(message)) && text.json == JsonType::String
}

/// Whether a JSON number is written as an integer.
#[inline]
fn is_integer(number: &[u8]) -> bool {
    !words::has_letter_or_point(number)
}

/// The text of a JSON string with its quotes.
fn text(string: &[u8]) -> Text<'_> {
    Text::new(string.get(1..string.len().saturating_sub(1)).unwrap_or_default())
}

/// An accepted message: views of the caller's bytes, nothing copied.
///
/// It borrows the message and not the validator, so that several can be held
/// at once. What it gives are the bytes to forward; nothing needs to be
/// serialised again.
///
/// ```
/// use mcparse::{Message, Policy, Sender, Validator};
///
/// let mut validator = Validator::new(Policy::strict());
/// let bytes = br#"{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"add"}}"#;
/// let message = validator.check(Sender::Client, bytes)?;
/// let Message::Request(request) = message else { panic!("a request") };
/// assert_eq!(request.id().lexeme(), br#""a-1""#);
/// assert_eq!(request.method(), "tools/call");
/// assert_eq!(request.params(), Some(&br#"{"name":"add"}"#[..]));
/// assert_eq!(request.name().unwrap(), "add");
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Message<'m> {
    /// A call that wants an answer.
    Request(Request<'m>),
    /// A call that wants none.
    Notification(Notification<'m>),
    /// An answer, successful or not.
    Response(Response<'m>),
}

impl<'m> Message<'m> {
    pub(crate) fn new(
        kind: Kind,
        message: &'m [u8],
        from: Sender,
        envelope: &Envelope,
        name: Field,
        revisions: RevisionSet,
        findings: RuleSet,
    ) -> Self {
        let view = View::new(message, from, envelope, name, revisions, findings);
        match kind {
            Kind::Request => Self::Request(Request { view }),
            Kind::Notification => Self::Notification(Notification { view }),
            Kind::Result | Kind::Error => Self::Response(Response { view }),
        }
    }

    const fn view(&self) -> &View<'m> {
        match self {
            Self::Request(Request { view })
            | Self::Notification(Notification { view })
            | Self::Response(Response { view }) => view,
        }
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Request(_) => Kind::Request,
            Self::Notification(_) => Kind::Notification,
            Self::Response(response) if response.result().is_some() => Kind::Result,
            Self::Response(_) => Kind::Error,
        }
    }

    /// The whole message, as the caller gave it; see
    /// [`is_one_line`](Self::is_one_line) before it is sent on over stdio.
    #[must_use]
    pub const fn bytes(&self) -> &'m [u8] {
        self.view().message
    }

    /// Whether it stands on one line. Between its tokens a message may hold line
    /// breaks, which over HTTP and in an event are white space; on a transport of
    /// lines ([stdio]) each would end it, and what follows be read as another
    /// message. There refuse it, or write a space in the place of each `\n` and
    /// `\r`, which stand nowhere else.
    ///
    /// ```
    /// use mcparse::{Policy, Sender, Validator};
    ///
    /// let body = b"{\"jsonrpc\":\"2.0\",\"id\":1,\n\"method\":\"ping\"}";
    /// let message = Validator::new(Policy::strict()).check(Sender::Client, body)?;
    /// assert!(!message.is_one_line());
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    ///
    /// [stdio]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
    #[must_use]
    pub fn is_one_line(&self) -> bool {
        memchr::memchr2(b'\n', b'\r', self.bytes()).is_none()
    }

    /// The id: always of a request or a result, never of a notification, and
    /// of an error unless it is `null` or left out.
    #[must_use]
    pub fn id(&self) -> Option<Id<'m>> {
        self.view().id()
    }

    /// The method of a request or a notification.
    #[must_use]
    pub fn method(&self) -> Option<Text<'m>> {
        self.view().method()
    }

    /// Who sent it, as the caller said.
    pub(crate) const fn sender(&self) -> Sender {
        self.view().from
    }

    /// The same with more that is only reported.
    pub(crate) fn with_findings(mut self, findings: RuleSet) -> Self {
        let (Self::Request(Request { view })
        | Self::Notification(Notification { view })
        | Self::Response(Response { view })) = &mut self;
        view.findings = view.findings.union(findings);
        self
    }

    /// The rules that the message breaks and that the policy only reports.
    #[must_use]
    pub const fn findings(&self) -> RuleSet {
        self.view().findings
    }

    /// The revisions that it may be of: what it says itself, what its head
    /// says, and what the policy serves leave these. Never empty.
    #[must_use]
    pub const fn revisions(&self) -> RevisionSet {
        self.view().revisions
    }

    /// The era that it is of; `None` if it may be of either, which no request
    /// is.
    #[must_use]
    pub fn era(&self) -> Option<Era> {
        self.view().era()
    }

    /// Where those members stand that it may be sent on with changed.
    pub(crate) fn places(&self) -> Places {
        self.view().places()
    }

    /// Where the id stands in [`bytes`](Self::bytes); to send the message on
    /// under another one, see [`rewrite`](Self::rewrite). If a policy let a doubled id pass
    /// ([`Rule::DuplicateMember`] is among the findings), this is the last one.
    ///
    /// ```
    /// use mcparse::{Policy, Sender, Validator};
    ///
    /// let bytes = br#"{"jsonrpc":"2.0","id":"a-1","method":"ping"}"#;
    /// let message = Validator::new(Policy::strict()).check(Sender::Client, bytes)?;
    /// let id = message.id_span().unwrap();
    /// let forwarded = [&bytes[..id.start], b"42", &bytes[id.end..]].concat();
    /// assert_eq!(forwarded, br#"{"jsonrpc":"2.0","id":42,"method":"ping"}"#);
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    #[must_use]
    pub fn id_span(&self) -> Option<Range<usize>> {
        self.view().id.span()
    }
}

/// A request: a call that wants an answer. See [Requests].
///
/// [Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
#[derive(Clone, Copy, Debug)]
pub struct Request<'m> {
    view: View<'m>,
}

impl<'m> Request<'m> {
    /// The id, to be echoed in the answer.
    #[must_use]
    pub fn id(&self) -> Id<'m> {
        Id::new(self.view.id.value(self.view.message).unwrap_or_default())
    }

    /// Where the id stands in the message.
    #[must_use]
    pub fn id_span(&self) -> Range<usize> {
        self.view.id.span().unwrap_or_default()
    }

    /// The era that it is of.
    #[must_use]
    pub fn era(&self) -> Era {
        self.view.era().unwrap_or(Era::Legacy)
    }

    /// The protocol version that it names: in `_meta`, as every modern request
    /// must; or in the params of an `initialize`, where it is the newest that the
    /// client knows, and a server that serves it answers with the same.
    #[must_use]
    pub fn protocol_version(&self) -> Option<Text<'m>> {
        let in_meta = self.meta().and_then(|meta| meta.protocol_version());
        in_meta.or_else(|| {
            let View { message, params, .. } = self.view;
            let version = reader::member(message, params.field(), "protocolVersion");
            (self.method() == "initialize").then(|| reader::text(message, version)).flatten()
        })
    }

    /// The capabilities that its client declares with it, as every modern
    /// request must.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<ClientCapabilities<'m>> {
        self.meta()?.client_capabilities()
    }
}

/// A notification: a call that must not be answered. See [Notifications].
///
/// [Notifications]: https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications
#[derive(Clone, Copy, Debug)]
pub struct Notification<'m> {
    view: View<'m>,
}

/// What requests and notifications have in common.
macro_rules! call {
    ($call:ident) => {
        impl<'m> $call<'m> {
            /// The method.
            #[must_use]
            pub fn method(&self) -> Text<'m> {
                self.view.method().unwrap_or(Text::new(b""))
            }

            /// The params as they stand in the message: a JSON object.
            #[must_use]
            pub fn params(&self) -> Option<&'m [u8]> {
                self.view.params.value(self.view.message)
            }

            /// What the method is called on, where the header `Mcp-Name`
            /// mirrors it and it is a string: a tool's or a prompt's name, a
            /// resource's URI, a task's id.
            #[must_use]
            pub fn name(&self) -> Option<Text<'m>> {
                let name = self.view.name.value(self.view.message)?;
                name.starts_with(b"\"").then(|| text(name))
            }

            /// What it says of itself in `params._meta`.
            #[must_use]
            pub fn meta(&self) -> Option<Meta<'m>> {
                self.view.meta()
            }

            /// Where the method stands in the message, with its quotes.
            #[must_use]
            pub fn method_span(&self) -> Range<usize> {
                self.view.method.span().unwrap_or_default()
            }

            /// Where the params stand in the message.
            #[must_use]
            pub fn params_span(&self) -> Option<Range<usize>> {
                self.view.params.span()
            }

            /// Where the name stands in the message, with its quotes.
            #[must_use]
            pub fn name_span(&self) -> Option<Range<usize>> {
                self.name().and(self.view.name.span())
            }
        }
    };
}

call!(Request);
call!(Notification);

/// A response: the answer to a request. See [Responses].
///
/// [Responses]: https://modelcontextprotocol.io/specification/2026-07-28/basic#responses
#[derive(Clone, Copy, Debug)]
pub struct Response<'m> {
    view: View<'m>,
}

impl<'m> Response<'m> {
    /// The id of the request that it answers; an error may have none.
    #[must_use]
    pub fn id(&self) -> Option<Id<'m>> {
        self.view.id()
    }

    /// The result of a successful answer, as it stands in the message: a JSON
    /// object.
    #[must_use]
    pub fn result(&self) -> Option<&'m [u8]> {
        self.view.result.value(self.view.message)
    }

    /// The metadata of the result, if it is an object.
    pub(crate) fn meta(&self) -> Option<Meta<'m>> {
        self.view.meta()
    }

    /// The error of a failed answer, as it stands in the message: a JSON
    /// object.
    #[must_use]
    pub fn error(&self) -> Option<&'m [u8]> {
        self.view.error.value(self.view.message)
    }

    /// The integer in `error.code`, as it is written.
    #[must_use]
    pub fn error_code(&self) -> Option<&'m [u8]> {
        self.view.code.value(self.view.message)
    }

    /// Whether the result of `tools/call` says that the tool failed.
    #[cfg(feature = "tracing")]
    pub(crate) fn is_tool_error(&self) -> bool {
        let View { message, result, .. } = self.view;
        reader::member(message, result.field(), "isError").of(message) == b"true"
    }

    /// Whether only a modern server answers so: with one of the three errors of
    /// the modern revisions, with the result of `server/discover`, or with any
    /// result that says its type.
    pub(crate) fn is_of_modern_server(&self) -> bool {
        if let Some(code) = self.error_code() {
            return matches!(code, b"-32020" | b"-32021" | b"-32022");
        }
        let member = |name| reader::member(self.view.message, self.view.result.field(), name).json;
        member("resultType") == JsonType::String || member("supportedVersions") == JsonType::Array
    }

    /// Where the result stands in the message.
    #[must_use]
    pub fn result_span(&self) -> Option<Range<usize>> {
        self.view.result.span()
    }
}
