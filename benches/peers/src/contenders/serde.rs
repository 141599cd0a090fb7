//! `serde_json`: into its tree, and into a struct of the envelope that leaves
//! what is inside its members as text. The struct is used by sonic-rs too.

use std::borrow::Cow;
use std::hint::black_box;

use mcparse::Kind;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::contender::Reader;
use crate::seen::{Fields, Json, Length, Seen};
use crate::support::classes::Case;

pub(crate) struct Typed;

impl Reader for Typed {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        let message = black_box(&*case.message);
        let envelope: Envelope<'_, &RawValue, &RawValue> = serde_json::from_slice(message).ok()?;
        black_box(&envelope).seen(Raw::json).kind()
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        let message = black_box(&*case.message);
        let envelope: Envelope<'_, &RawValue, Params<'_>> = serde_json::from_slice(message).ok()?;
        black_box(&envelope).fields()
    }
}

/// A value left as text.
pub(crate) trait Raw {
    fn text(&self) -> &str;

    /// Its type, by its text.
    fn json(&self) -> Json {
        let text = self.text();
        match text.as_bytes() {
            [b'"', ..] => Json::Text,
            [b'{', ..] => Json::Object,
            b"null" => Json::Null,
            [b'-' | b'0'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => Json::Integer,
            _ => Json::Other,
        }
    }
}

impl Raw for &RawValue {
    fn text(&self) -> &str {
        self.get()
    }
}

/// The envelope: values as `V`, the params as `P`.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'm, V: Deserialize<'de>, P: Deserialize<'de>"))]
pub(crate) struct Envelope<'m, V, P> {
    #[serde(borrow)]
    jsonrpc: Cow<'m, str>,
    #[serde(default, deserialize_with = "present")]
    id: Option<V>,
    #[serde(borrow)]
    method: Option<Cow<'m, str>>,
    #[serde(default, deserialize_with = "present")]
    params: Option<P>,
    #[serde(default, deserialize_with = "present")]
    result: Option<V>,
    #[serde(borrow)]
    error: Option<ErrorObject<'m>>,
}

#[derive(Deserialize)]
struct ErrorObject<'m> {
    code: i64,
    #[serde(borrow)]
    #[expect(dead_code, reason = "that it can be read is all that is asked")]
    message: Cow<'m, str>,
}

/// What of the params a gateway routes by.
#[derive(Deserialize)]
pub(crate) struct Params<'m> {
    #[serde(borrow)]
    name: Option<Cow<'m, str>>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'m>>,
}

#[derive(Deserialize)]
struct Meta<'m> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    revision: Option<Cow<'m, str>>,
}

/// A member that is there, `null` or not.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

impl<V: Raw, P> Envelope<'_, V, P> {
    /// What the truth table asks. The params are what `params` says.
    #[inline]
    pub(crate) fn seen(&self, params: impl Fn(&P) -> Json) -> Seen {
        let json = |value: &Option<V>| value.as_ref().map_or(Json::Absent, Raw::json);
        let if_there = |is_there: bool, json| if is_there { json } else { Json::Absent };
        let has_error = self.error.is_some();
        Seen {
            version: self.jsonrpc == "2.0",
            id: json(&self.id),
            method: if_there(self.method.is_some(), Json::Text),
            params: self.params.as_ref().map_or(Json::Absent, params),
            result: json(&self.result),
            error: if_there(has_error, Json::Object),
            code: if_there(has_error, Json::Integer),
            message: if_there(has_error, Json::Text),
            ..Seen::default()
        }
    }
}

impl<V: Raw> Envelope<'_, V, Params<'_>> {
    #[inline]
    pub(crate) fn fields(&self) -> Option<Fields> {
        let kind = self.seen(|_| Json::Object).kind()?;
        let meta = self.params.as_ref().and_then(|params| params.meta.as_ref());
        Some(Fields {
            kind,
            id: self.id.as_ref().map_or((0, Length::default()), |id| id_of(id.text())),
            method: Length::of_any(self.method.as_deref()),
            name: Length::of_any(self.params.as_ref().and_then(|params| params.name.as_deref())),
            revision: Length::of_any(meta.and_then(|meta| meta.revision.as_deref())),
            code: self.error.as_ref().map_or(0, |error| error.code),
        })
    }
}

/// The id from its text in JSON.
fn id_of(text: &str) -> (i64, Length) {
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(plain) if !plain.contains('\\') => (0, Length::of(plain)),
        Some(_) => {
            let decoded: Option<String> = serde_json::from_str(text).ok();
            (0, Length::of_any(decoded.as_deref()))
        }
        None => (text.parse().unwrap_or_default(), Length::default()),
    }
}

pub(crate) struct Tree;

impl Reader for Tree {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        let tree: Value = serde_json::from_slice(black_box(&case.message)).ok()?;
        seen(black_box(&tree)).kind()
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        let tree: Value = serde_json::from_slice(black_box(&case.message)).ok()?;
        let tree = black_box(&tree);
        let text = |value: Option<&Value>| Length::of_any(value.and_then(Value::as_str));
        let number = |value: Option<&Value>| value.and_then(Value::as_i64).unwrap_or_default();
        let (id, params, error) = (tree.get("id"), tree.get("params"), tree.get("error"));
        let meta = params.and_then(|params| params.get("_meta"));
        Some(Fields {
            kind: seen(tree).kind()?,
            id: (number(id), text(id)),
            method: text(tree.get("method")),
            name: text(params.and_then(|params| params.get("name"))),
            revision: text(
                meta.and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion")),
            ),
            code: number(error.and_then(|error| error.get("code"))),
        })
    }
}

/// What the truth table asks, by look-ups.
fn seen(tree: &Value) -> Seen {
    let json = |value: Option<&Value>| match value {
        None => Json::Absent,
        Some(Value::Null) => Json::Null,
        Some(Value::String(_)) => Json::Text,
        Some(Value::Object(_)) => Json::Object,
        Some(Value::Number(number)) if number.is_i64() || number.is_u64() => Json::Integer,
        Some(_) => Json::Other,
    };
    let error = tree.get("error");
    Seen {
        version: tree.get("jsonrpc").is_some_and(|version| version == "2.0"),
        id: json(tree.get("id")),
        method: json(tree.get("method")),
        params: json(tree.get("params")),
        result: json(tree.get("result")),
        error: json(error),
        code: json(error.and_then(|error| error.get("code"))),
        message: json(error.and_then(|error| error.get("message"))),
        ..Seen::default()
    }
}
