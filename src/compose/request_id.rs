//! Ids and progress tokens to be written.

use super::value::{Form, Value};
use crate::id::Id;

/// The id of a request to be composed, or a progress token, which has the same
/// form: an integer, a text, or an [`Id`] as it was written ([Requests]).
///
/// ```
/// use mcparse::Id;
/// use mcparse::compose::RequestId;
///
/// let counted = RequestId::from(7);
/// let named = RequestId::from("search-7");
/// let echoed = RequestId::from(Id::from_lexeme(b"12345678901234567890123").unwrap());
/// ```
///
/// That it is unique among the requests without an answer is for the caller to
/// see to.
///
/// [Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
#[derive(Clone, Copy, Debug)]
pub struct RequestId<'i>(Form<'i>);

impl<'i> From<Id<'i>> for RequestId<'i> {
    fn from(id: Id<'i>) -> Self {
        Self(Form::Lexeme(id.lexeme()))
    }
}

impl<'i> From<&'i str> for RequestId<'i> {
    fn from(text: &'i str) -> Self {
        Self(Form::Text(text))
    }
}

impl<'i> From<&'i String> for RequestId<'i> {
    fn from(text: &'i String) -> Self {
        Self(Form::Text(text))
    }
}

macro_rules! from_integer {
    ($($integer:ident)*) => { $(
        impl From<$integer> for RequestId<'_> {
            fn from(integer: $integer) -> Self {
                Self(Form::Integer(integer.into()))
            }
        }
    )* };
}

from_integer! { u32 i32 u64 i64 }

impl<'i> From<RequestId<'i>> for Value<'i> {
    fn from(id: RequestId<'i>) -> Self {
        Self::new(id.0)
    }
}
