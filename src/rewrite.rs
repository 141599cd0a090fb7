//! Sending a message on with another id, another name or other metadata, and
//! everything else as it was, byte by byte.
//!
//! A few members are told apart from the rest; nothing is serialised again.
//! What the new values mean is not judged here: it is the caller who chose them.

mod edits;
mod meta;
mod refused;
mod slices;
mod sole;

use std::borrow::Cow;

pub use refused::{NotRewritable, Obstacle};
pub use slices::Slices;

use crate::compose::{HeaderValue, RequestId, Value};
use crate::envelope::{Field, JsonType};
use crate::json::reader;
use crate::message::{Message, Places};
use crate::method::Method;
use crate::write;
use edits::Edits;
use meta::MetaChanges;

/// A message and what to change of it on the way on.
///
/// Changes are said first and made by [`slices`](Self::slices), which gives the
/// new message as a few slices: what is new from a vector of yours, the rest
/// from the message's own bytes. Nothing is allocated once that vector has its
/// size.
///
/// ```
/// use mcparse::{Policy, Sender, Validator};
///
/// let bytes = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"docs__read"}}"#;
/// let message = Validator::new(Policy::strict()).check(Sender::Client, bytes)?;
///
/// let mut new = Vec::new(); // kept from message to message
/// let rewrite = message.rewrite().with_id("gw-31").without_name_prefix("docs__");
/// let slices = rewrite.slices(&mut new).unwrap();
///
/// let mut sent = Vec::new();
/// slices.write(&mut sent);
/// assert_eq!(
///     sent,
///     br#"{"jsonrpc":"2.0","id":"gw-31","method":"tools/call","params":{"name":"read"}}"#
/// );
/// // Over HTTP the header `Mcp-Name` must follow.
/// assert_eq!(rewrite.name_header().unwrap().to_string(), "read");
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
///
/// # What is refused
///
/// A policy may let a message pass in which a member is given twice, or looks
/// like another. Where the gateway and the server behind it may then differ in
/// what is changed, nothing is: see [`NotRewritable`].
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<'r> {
    message: Message<'r>,
    id: Option<RequestId<'r>>,
    name: NameChange<'r>,
    meta: MetaChanges<'r>,
}

/// What becomes of the name; prefixes are taken off before others are put on.
#[derive(Clone, Copy, Debug)]
enum NameChange<'r> {
    Whole(&'r str),
    Prefix { off: &'r str, on: &'r str },
}

impl NameChange<'_> {
    const NONE: Self = Self::Prefix { off: "", on: "" };
}

impl<'m> Message<'m> {
    /// To send it on with something changed: see [`Rewrite`].
    #[must_use]
    pub const fn rewrite(&self) -> Rewrite<'m> {
        Rewrite::of(self)
    }
}

impl<'r> Rewrite<'r> {
    /// The most members of `_meta` that may be changed at once.
    pub const MOST_META: usize = meta::MOST;

    /// `message` as it is.
    #[must_use]
    pub const fn of(message: &Message<'r>) -> Self {
        Self { message: *message, id: None, name: NameChange::NONE, meta: MetaChanges::NONE }
    }

    /// Sends it under this id: a request that a gateway numbers itself, or the
    /// answer to it, on its way back to who asked. Takes what a
    /// [`RequestId`] is made of, an [`Id`](crate::Id) among them.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<RequestId<'r>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Has the method called on `name`: a tool, a prompt, a resource, a task.
    /// It replaces what was said of the name before.
    #[must_use]
    pub const fn with_name(mut self, name: &'r str) -> Self {
        self.name = NameChange::Whole(name);
        self
    }

    /// Puts `prefix` before the name, after what
    /// [`without_name_prefix`](Self::without_name_prefix) takes off.
    #[must_use]
    pub const fn with_name_prefix(mut self, prefix: &'r str) -> Self {
        let off = match self.name {
            NameChange::Prefix { off, .. } => off,
            NameChange::Whole(_) => "",
        };
        self.name = NameChange::Prefix { off, on: prefix };
        self
    }

    /// Takes `prefix` off the name, however the message spells it; refused if
    /// the name does not start so.
    #[must_use]
    pub const fn without_name_prefix(mut self, prefix: &'r str) -> Self {
        let on = match self.name {
            NameChange::Prefix { on, .. } => on,
            NameChange::Whole(_) => "",
        };
        self.name = NameChange::Prefix { off: prefix, on };
        self
    }

    /// Gives the member `key` of `_meta` this value, whether it is there yet or
    /// not. `_meta`, and the params around it, are added where there are none;
    /// that of an answer is its result's.
    ///
    /// The keys of the protocol decide how a message is judged: with the
    /// version of a client in `_meta`, for one, it is a modern request.
    ///
    /// ```
    /// use mcparse::{Policy, Sender, Validator};
    ///
    /// let bytes = br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    /// let message = Validator::new(Policy::strict()).check(Sender::Client, bytes)?;
    /// let (mut new, mut sent) = (Vec::new(), Vec::new());
    /// message.rewrite().with_meta("com.example/tenant", "blue").slices(&mut new).unwrap().write(&mut sent);
    /// assert_eq!(
    ///     String::from_utf8(sent).unwrap(),
    ///     concat!(
    ///         r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","#,
    ///         r#""params":{"_meta":{"com.example/tenant":"blue"}}}"#,
    ///     )
    /// );
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    #[must_use]
    pub fn with_meta(mut self, key: &'r str, value: impl Into<Value<'r>>) -> Self {
        self.meta.push(key, Some(value.into()));
        self
    }

    /// Takes the member `key` out of `_meta`, if it is there.
    #[must_use]
    pub fn without_meta(mut self, key: &'r str) -> Self {
        self.meta.push(key, None);
        self
    }

    /// The message with the changes made. What is new is written into `new`,
    /// which is emptied first.
    ///
    /// # Errors
    ///
    /// [`NotRewritable`], if what is to be changed is not there, or may be
    /// something else to another reader.
    pub fn slices<'s>(&self, new: &'s mut Vec<u8>) -> Result<Slices<'s>, NotRewritable<'r>>
    where
        'r: 's,
    {
        new.clear();
        let mut edits = Edits::NONE;
        let places = self.message.places();
        self.edit_id(&places, new, &mut edits)?;
        self.edit_name(&places, new, &mut edits)?;
        self.meta.edit(self.message.bytes(), &places, new, &mut edits)?;
        Ok(Slices::new(self.message.bytes(), new, &edits))
    }

    /// The value of the header `Mcp-Name` that mirrors the name as it will be
    /// sent; none if there is no name, or not with the prefix that is to be
    /// taken off. Allocates only for a new prefix and for a name with escapes.
    ///
    /// A changed protocol version has its header too, `MCP-Protocol-Version`,
    /// which is that version.
    #[must_use]
    pub fn name_header(&self) -> Option<HeaderValue<'r>> {
        let bytes = self.message.bytes();
        let name = reader::text(bytes, self.message.places().name)?;
        let text = match self.name {
            NameChange::Whole(name) => Cow::Borrowed(name),
            NameChange::Prefix { off, on } => {
                name.written_prefix(off)?;
                let rest = match name.decode() {
                    Cow::Borrowed(name) => Cow::Borrowed(name.strip_prefix(off)?),
                    Cow::Owned(name) => Cow::Owned(name.strip_prefix(off)?.to_owned()),
                };
                if on.is_empty() { rest } else { Cow::Owned(format!("{on}{rest}")) }
            }
        };
        Some(HeaderValue::of_text(text))
    }

    fn edit_id(
        &self,
        places: &Places,
        new: &mut Vec<u8>,
        edits: &mut Edits,
    ) -> Result<(), NotRewritable<'r>> {
        let Some(id) = self.id else { return Ok(()) };
        if places.is_ambiguous {
            sole::in_message(self.message.bytes(), "id")?;
        }
        if !places.id.is_present() {
            return Err(NotRewritable::new("id", Obstacle::Missing));
        }
        edits.replace(places.id, new, |new| Value::from(id).write(new));
        Ok(())
    }

    fn edit_name(
        &self,
        places: &Places,
        new: &mut Vec<u8>,
        edits: &mut Edits,
    ) -> Result<(), NotRewritable<'r>> {
        if matches!(self.name, NameChange::Prefix { off: "", on: "" }) {
            return Ok(());
        }
        self.is_sole_name(places)?;
        let bytes = self.message.bytes();
        let refused = |obstacle| NotRewritable::new("name", obstacle);
        let Some(name) = reader::text(bytes, places.name) else {
            return Err(refused(Obstacle::Missing));
        };
        match self.name {
            NameChange::Whole(name) => {
                edits.replace(places.name, new, |new| write::string(new, name));
            }
            NameChange::Prefix { off, on } => {
                let len = name.written_prefix(off).ok_or(refused(Obstacle::NoPrefix))?;
                // It is shorter than the message, whose places are of 32 bits.
                let len = u32::try_from(len).unwrap_or_default();
                let start = places.name.start + 1;
                let prefix = Field { json: JsonType::String, start, end: start + len };
                edits.replace(prefix, new, |new| write::escaped(new, on.bytes()));
            }
        }
        Ok(())
    }

    /// Whether every reader takes the same member for the name.
    fn is_sole_name(&self, places: &Places) -> Result<(), NotRewritable<'r>> {
        let is_known = || self.message.method().and_then(Method::from_text);
        // Of a method that only the policy knows, nobody has looked for a second
        // name yet.
        if !places.is_ambiguous && is_known().is_some() {
            return Ok(());
        }
        let bytes = self.message.bytes();
        sole::in_message(bytes, "method")?;
        sole::in_message(bytes, "params")?;
        let mut members = reader::members(bytes, places.around_meta);
        let Some(source) = members.find(|member| member.value == places.name) else {
            return Ok(());
        };
        sole::in_object(bytes, places.around_meta, &source.name.decode())
            .map_err(|obstacle| NotRewritable::new("name", obstacle))
    }
}
