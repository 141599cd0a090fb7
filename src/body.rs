//! A message that comes in chunks, kept until it is whole.

use std::fmt;

use crate::envelope::{Envelope, Field, JsonType};
use crate::id::Id;
use crate::json::chunks::Chunks;
use crate::method::Method;
use crate::policy::{ExtraMethod, Limits, Policy};
use crate::rule::{Action, Rule};
use crate::text::Text;

/// The bytes of one message, as they come from a body of HTTP or the like, and how
/// far they are read.
///
/// It is filled by [`Validator::push`](crate::Validator::push) and judged by
/// [`Validator::finish`](crate::Validator::finish): a validator is needed only
/// while there is something to read, so that one can serve many bodies at once.
/// Holds the message, up to the policy's limit on its length, and some 1,300 bytes
/// besides.
#[derive(Default)]
pub struct Body {
    bytes: Vec<u8>,
    /// How far they are read, once there are any.
    chunks: Option<Box<Chunks>>,
    is_too_long: bool,
    /// The policy refuses a member given twice, so that the first one counts.
    is_first_final: bool,
    /// The policy's own methods.
    methods: &'static [ExtraMethod],
}

impl Body {
    /// An empty one. Allocates nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One of which it is known before it comes that it is too long.
    #[cfg(feature = "tower")]
    pub(crate) fn too_long() -> Self {
        Self { is_too_long: true, ..Self::default() }
    }

    /// What has come so far, at most [`Limits::message_bytes`](crate::Limits) of it.
    /// Once `push` has given `false` it is a part of the message, without the chunk
    /// that was too much and whatever came after it: not to be sent on.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, and the memory with it.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Begins with the next message, in the memory of this one, which is kept however
    /// much it is. Without it, the next chunk would belong to this message.
    pub fn clear(&mut self) {
        self.bytes.clear();
        *self = Self { bytes: std::mem::take(&mut self.bytes), ..Self::default() };
    }

    /// What the message says of where it is to go, as soon as that has come: a
    /// gateway can choose an upstream while the rest is on its way.
    ///
    /// None before, and of anything but a plain call: an answer, an escaped or a
    /// look-alike name of a member, a member given twice, a method of the policy's own
    /// that is called on something. Of a notification, or where the id stands behind
    /// `params`, only once the message closes; so too if the policy lets
    /// [`Rule::DuplicateMember`] pass, since then the last of two counts. None at all where
    /// a method, a name or an id is longer than the policy's limit, or if
    /// it looks for [`Rule::DeepDuplicate`]. What was given is taken back when more
    /// comes that is odd or no JSON.
    ///
    /// ```
    /// use mcparse::{Body, Policy, Sender, Validator};
    ///
    /// let mut validator = Validator::new(Policy::strict());
    /// let mut body = Body::new();
    /// validator.push(&mut body, br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"#);
    /// assert!(body.routing().is_none());
    /// validator.push(&mut body, br#""name":"add","_meta":{"io.modelcontextprotocol/protocolVersion":"#);
    /// validator.push(&mut body, br#""2026-07-28","#);
    ///
    /// let routing = body.routing().unwrap();
    /// assert_eq!(routing.method(), "tools/call");
    /// assert_eq!(routing.id().unwrap().lexeme(), b"7");
    /// assert_eq!(routing.name().unwrap(), "add");
    /// assert_eq!(routing.protocol_version().unwrap(), "2026-07-28");
    /// ```
    #[must_use]
    pub fn routing(&self) -> Option<ProvisionalRouting<'_>> {
        let chunks = self.chunks.as_deref().filter(|_| !self.is_too_long)?;
        let envelope = chunks.so_far()?;
        let is_over = chunks.is_at_end();
        let Envelope { method, id, params, result, error, meta, .. } = envelope;
        let is_answer = result.is_present() || error.is_present() || chunks.is_in_answer();
        if is_answer || envelope.duplicate.is_seen() {
            return None;
        }
        if !is_over && (!self.is_first_final || !id.is_present()) {
            return None;
        }
        // Texts of any length would be gone over at every call.
        let Limits { method_bytes, name_bytes, id_bytes, .. } = *chunks.limits();
        if !is_within(*method, method_bytes) {
            return None;
        }
        let method = self.text(*method).filter(|method| !method.is_escaped())?;
        let known = Method::from_text(method);
        if known.is_none() && self.is_own_and_named(method) {
            return None;
        }
        let name = envelope.named_for(known);
        let needs_name = known.is_some_and(|known| known.name_source().is_some());
        let version = meta.protocol_version;
        // Behind `params` neither can come any more.
        let is_known = version.is_present() && (name.is_present() || !needs_name);
        if !is_over && !params.is_present() && !is_known {
            return None;
        }
        let bounded = [(*id, id_bytes), (name, name_bytes), (version, MOST_VERSION)];
        if !bounded.into_iter().all(|(field, most)| is_within(field, most)) {
            return None;
        }
        let id = Some(*id).filter(|id| matches!(id.json, JsonType::String | JsonType::Number));
        Some(ProvisionalRouting {
            method,
            id: id.map(|id| id.of(&self.bytes)).filter(|id| is_utf8(id)).map(Id::new),
            name: self.text(name),
            protocol_version: self.text(version),
        })
    }

    /// Whether the policy says of `method` what it is called on: any member, which
    /// the scan may not know.
    fn is_own_and_named(&self, method: Text<'_>) -> bool {
        self.methods.iter().any(|own| own.name_source().is_some() && method == *own.name())
    }

    fn text(&self, field: Field) -> Option<Text<'_>> {
        let quoted = Some(field.of(&self.bytes)).filter(|_| field.json == JsonType::String)?;
        quoted.get(1..quoted.len().checked_sub(1)?).filter(|text| is_utf8(text)).map(Text::new)
    }

    /// Takes more of the message in. Whether more is wanted.
    pub(crate) fn push(&mut self, chunk: &[u8], policy: &Policy, is_scanned: bool) -> bool {
        let most = policy.limits().message_bytes;
        let Some(length) = self.bytes.len().checked_add(chunk.len()).filter(|&len| len <= most)
        else {
            self.is_too_long = true;
            return false;
        };
        if self.is_too_long {
            return false;
        }
        if length > self.bytes.capacity() {
            // As a vector grows, but never beyond what a message may have.
            let roomy = self.bytes.capacity().saturating_mul(2).min(most).max(length);
            self.bytes.reserve_exact(roomy - self.bytes.len());
        }
        self.bytes.extend_from_slice(chunk);
        if is_scanned {
            self.methods = policy.methods();
            self.is_first_final = policy.action(Rule::DuplicateMember) == Action::Refuse;
            let chunks = || Box::new(Chunks::new(*policy.limits()));
            self.chunks.get_or_insert_with(chunks).read(&self.bytes);
        } else {
            self.chunks = None;
        }
        true
    }

    pub(crate) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// The bytes, and how far they are read.
    pub(crate) fn parts(&mut self) -> (&[u8], Option<&mut Chunks>) {
        (&self.bytes, self.chunks.as_deref_mut())
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("len", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// The longest version that is told of, in bytes.
const MOST_VERSION: usize = 1024;

/// Whether the value is no longer than `most` and its quotes.
fn is_within(field: Field, most: usize) -> bool {
    (field.end - field.start) as usize <= most.saturating_add(2)
}

/// The message as a whole is not checked yet.
fn is_utf8(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok()
}

/// What a message that is still coming says of where it is to go. No verdict: the
/// rest of it may break any rule, and then [`finish`](crate::Validator::finish)
/// refuses it; a gateway must not have acted on it before. Nor is what it holds judged:
/// limits, versions, the form of an id. How to get one: [`Body::routing`].
#[derive(Clone, Copy, Debug)]
pub struct ProvisionalRouting<'b> {
    method: Text<'b>,
    id: Option<Id<'b>>,
    name: Option<Text<'b>>,
    protocol_version: Option<Text<'b>>,
}

impl<'b> ProvisionalRouting<'b> {
    /// The method.
    #[must_use]
    pub fn method(&self) -> Text<'b> {
        self.method
    }

    /// The id; none of a notification, or if it is neither a string nor a number.
    #[must_use]
    pub fn id(&self) -> Option<Id<'b>> {
        self.id
    }

    /// What the method is called on, if that is a string: a tool's or a prompt's name, a resource's URI, a
    /// task's id. What the header `Mcp-Name` mirrors.
    #[must_use]
    pub fn name(&self) -> Option<Text<'b>> {
        self.name
    }

    /// The version in `_meta`, which the header `MCP-Protocol-Version` mirrors.
    #[must_use]
    pub fn protocol_version(&self) -> Option<Text<'b>> {
        self.protocol_version
    }
}
