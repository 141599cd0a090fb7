//! Reading what an exchange needs of params and results.

use crate::envelope::{Field, JsonType};
use crate::id::{Id, is_integral};
use crate::json::reader;
use crate::summary::fingerprint;
use crate::text::Text;

/// A JSON object, such as params or a result.
#[derive(Clone, Copy)]
pub(super) struct Object<'m> {
    message: &'m [u8],
    field: Field,
}

/// The value of a member.
#[derive(Clone, Copy)]
pub(super) struct Value<'m> {
    message: &'m [u8],
    field: Field,
}

impl<'m> Object<'m> {
    /// `json` is what a message gave as its params or result. Nothing, and what
    /// is no object, is an object without members.
    pub(super) fn new(json: Option<&'m [u8]>) -> Self {
        let message = json.unwrap_or_default();
        let end = u32::try_from(message.len()).unwrap_or_default();
        let json = if message.starts_with(b"{") { JsonType::Object } else { JsonType::Absent };
        Self { message, field: Field { json, start: 0, end } }
    }

    /// The members, in the order of the text.
    pub(super) fn members(self) -> impl Iterator<Item = (Text<'m>, Value<'m>)> {
        let Self { message, field } = self;
        reader::members(message, field)
            .map(move |member| (member.name, Value { message, field: member.value }))
    }

    /// The last member with this name, if there is one.
    pub(super) fn get(self, name: &str) -> Option<Value<'m>> {
        let field = reader::member(self.message, self.field, name);
        field.is_present().then_some(Value { message: self.message, field })
    }
}

impl<'m> Value<'m> {
    pub(super) fn object(self) -> Object<'m> {
        Object { message: self.message, field: self.field }
    }

    /// The elements, if it is an array.
    pub(super) fn elements(self) -> impl Iterator<Item = Self> {
        let message = self.message;
        reader::elements(message, self.field).map(move |field| Self { message, field })
    }

    pub(super) fn text(self) -> Option<Text<'m>> {
        reader::text(self.message, self.field)
    }

    pub(super) fn json(self) -> &'m [u8] {
        self.field.of(self.message)
    }

    pub(super) fn number(self) -> Option<&'m [u8]> {
        (self.field.json == JsonType::Number).then(|| self.json())
    }

    /// An id or a token: a string or an integer.
    pub(super) fn id(self) -> Option<Id<'m>> {
        let is_id = match self.number() {
            Some(number) => is_integral(number),
            None => self.text().is_some(),
        };
        is_id.then(|| Id::new(self.json()))
    }

    pub(super) fn is_true(self) -> bool {
        self.json() == b"true"
    }

    /// Strings that mean the same share it, and other values that are written
    /// alike.
    pub(super) fn fingerprint(self) -> u64 {
        match self.text() {
            Some(text) => fingerprint((true, text)),
            None => fingerprint((false, self.json())),
        }
    }
}
