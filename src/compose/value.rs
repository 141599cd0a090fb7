//! Members and their values: what every message is built of.

use super::implementation::Implementation;
use super::raw::{RawJson, RawObject};
use super::result::InputRequest;
use crate::error_data;
use crate::id::Id;
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;
use crate::write;

/// A JSON value to be written. It borrows; making one copies nothing.
///
/// Made by `into()` of text, integers, `bool`, `()` (which is `null`),
/// [`RawJson`], [`RawObject`], slices of [`Member`]s (an object) and of values
/// (an array), and of the crate's own [`Revision`], [`RevisionSet`], [`Method`],
/// [`Id`], [`RequestId`](super::RequestId) and [`Implementation`]. A number
/// with a fraction is a [`RawJson`], since its text decides.
///
/// ```
/// use mcparse::compose::{Value, member};
///
/// let text = [member("type", "text"), member("text", "4 °C, \"feels\" like 1")];
/// let mut out = Vec::new();
/// Value::from(&[Value::from(&text)]).write(&mut out);
/// assert_eq!(out, r#"[{"type":"text","text":"4 °C, \"feels\" like 1"}]"#.as_bytes());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Value<'a>(Form<'a>);

#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    Null,
    Bool(bool),
    /// Every `i64` and `u64`.
    Integer(i128),
    Text(&'a str),
    /// A string or a number as it was written.
    Lexeme(&'a [u8]),
    Raw(RawJson<'a>),
    Array(&'a [Value<'a>]),
    /// The members that the protocol asks for come first; one of `others` that
    /// is named like one of them is not written.
    Object {
        own: &'a [Option<Member<'a>>],
        others: &'a [Member<'a>],
    },
    Versions(RevisionSet),
    Implementation(Implementation<'a>),
    Asked(&'a [InputRequest<'a>]),
}

impl<'a> Value<'a> {
    pub(super) const fn new(form: Form<'a>) -> Self {
        Self(form)
    }

    /// Appends the value to `out` as JSON without line breaks.
    ///
    /// Of members with the same name the last one is written. To find it, each
    /// is compared with those behind it; an object with thousands of members is
    /// better given as [`RawJson`].
    pub fn write(&self, out: &mut Vec<u8>) {
        match self.0 {
            Form::Null => out.extend_from_slice(b"null"),
            Form::Bool(true) => out.extend_from_slice(b"true"),
            Form::Bool(false) => out.extend_from_slice(b"false"),
            Form::Integer(integer) => write::integer(out, integer),
            Form::Text(text) => write::string(out, text),
            Form::Lexeme(lexeme) => out.extend_from_slice(lexeme),
            Form::Raw(raw) => write::json(out, raw.as_bytes()),
            Form::Array(values) => {
                out.push(b'[');
                for (at, value) in values.iter().enumerate() {
                    separate(out, at == 0);
                    value.write(out);
                }
                out.push(b']');
            }
            Form::Object { own, others } => write_object(out, own, others),
            Form::Versions(revisions) => error_data::write_versions(out, revisions),
            Form::Implementation(implementation) => implementation.write(out),
            Form::Asked(requests) => InputRequest::write_all(out, requests),
        }
    }

    pub(super) const fn form(&self) -> Form<'a> {
        self.0
    }
}

fn write_object(out: &mut Vec<u8>, own: &[Option<Member<'_>>], others: &[Member<'_>]) {
    let own = || own.iter().flatten();
    let others = others.iter().enumerate().filter(|&(at, member)| {
        let is_same = |other: &Member<'_>| other.name == member.name;
        !own().any(is_same) && !others[at + 1..].iter().any(is_same)
    });
    out.push(b'{');
    for (at, member) in own().chain(others.map(|(_, member)| member)).enumerate() {
        separate(out, at == 0);
        write::string(out, member.name);
        out.push(b':');
        member.value.write(out);
    }
    out.push(b'}');
}

fn separate(out: &mut Vec<u8>, is_first: bool) {
    if !is_first {
        out.push(b',');
    }
}

/// A member of an object: a name and its value.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pub(super) name: &'a str,
    pub(super) value: Value<'a>,
}

/// The member `name`, with this value: see [`Value`] for what can be one.
///
/// ```
/// use mcparse::compose::{RawJson, member};
///
/// let arguments = RawJson::new(r#"{"city":"Oslo"}"#).unwrap();
/// let params = [member("name", "get_weather"), member("arguments", arguments)];
/// ```
pub fn member<'a>(name: &'a str, value: impl Into<Value<'a>>) -> Member<'a> {
    Member { name, value: value.into() }
}

/// A JSON object to be written, where the protocol asks for one: made by
/// `into()` of [`Member`]s or of a [`RawObject`].
#[derive(Clone, Copy, Debug)]
pub struct Object<'a>(Form<'a>);

impl Object<'_> {
    /// `{}`.
    pub const EMPTY: Self = Self(Form::Object { own: &[], others: &[] });
}

impl Default for Object<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<'a> From<&'a [Member<'a>]> for Object<'a> {
    fn from(members: &'a [Member<'a>]) -> Self {
        Self(Form::Object { own: &[], others: members })
    }
}

impl<'a, const N: usize> From<&'a [Member<'a>; N]> for Object<'a> {
    fn from(members: &'a [Member<'a>; N]) -> Self {
        members.as_slice().into()
    }
}

impl<'a> From<RawObject<'a>> for Object<'a> {
    fn from(object: RawObject<'a>) -> Self {
        Self(Form::Raw(object.into()))
    }
}

impl<'a> From<Object<'a>> for Value<'a> {
    fn from(object: Object<'a>) -> Self {
        Self(object.0)
    }
}

impl<'a, const N: usize> From<&'a [Member<'a>; N]> for Value<'a> {
    fn from(members: &'a [Member<'a>; N]) -> Self {
        members.as_slice().into()
    }
}

impl<'a, const N: usize> From<&'a [Value<'a>; N]> for Value<'a> {
    fn from(values: &'a [Value<'a>; N]) -> Self {
        values.as_slice().into()
    }
}

/// `From` for `Value`, by the form that it takes.
macro_rules! from {
    ($($given:ty => |$name:ident| $form:expr;)*) => { $(
        impl<'a> From<$given> for Value<'a> {
            fn from($name: $given) -> Self {
                Self($form)
            }
        }
    )* };
}

from! {
    () => |_null| Form::Null;
    bool => |truth| Form::Bool(truth);
    u32 => |integer| Form::Integer(integer.into());
    i32 => |integer| Form::Integer(integer.into());
    u64 => |integer| Form::Integer(integer.into());
    i64 => |integer| Form::Integer(integer.into());
    &'a str => |text| Form::Text(text);
    &'a String => |text| Form::Text(text);
    Id<'a> => |id| Form::Lexeme(id.lexeme());
    RawJson<'a> => |raw| Form::Raw(raw);
    RawObject<'a> => |object| Form::Raw(object.into());
    &'a [Value<'a>] => |values| Form::Array(values);
    &'a [Member<'a>] => |members| Form::Object { own: &[], others: members };
    Revision => |revision| Form::Text(revision.as_str());
    RevisionSet => |revisions| Form::Versions(revisions);
    Method => |method| Form::Text(method.as_str());
    Implementation<'a> => |implementation| Form::Implementation(implementation);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written<'a>(value: impl Into<Value<'a>>) -> String {
        let mut out = Vec::new();
        value.into().write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn values_are_written_as_json() {
        assert_eq!(written(()), "null");
        assert_eq!(written(true), "true");
        assert_eq!(written(u64::MAX), "18446744073709551615");
        assert_eq!(written(i64::MIN), "-9223372036854775808");
        assert_eq!(written("a\"\u{1}\n"), r#""a\"\u0001\n""#);
        assert_eq!(written(RawJson::new("[1.50,\n 2]").unwrap()), "[1.50, 2]");
        assert_eq!(
            written(&[Value::from(1), "b".into(), (&[] as &[Value<'_>]).into()]),
            r#"[1,"b",[]]"#
        );
        assert_eq!(written(RevisionSet::MODERN), r#"["2026-07-28"]"#);
        assert_eq!(written(Method::ToolsCall), r#""tools/call""#);
        assert_eq!(written(Object::EMPTY), "{}");
    }

    #[test]
    fn of_members_with_one_name_the_last_is_written() {
        let members = [member("a", 1), member("b", 2), member("a", 3)];
        assert_eq!(written(&members), r#"{"b":2,"a":3}"#);
    }

    #[test]
    fn what_the_protocol_asks_for_wins() {
        let own = [None, Some(member("a", 1))];
        let others = [member("a", 2), member("b", 3)];
        let value = Value::new(Form::Object { own: &own, others: &others });
        assert_eq!(written(value), r#"{"a":1,"b":3}"#);
    }
}
