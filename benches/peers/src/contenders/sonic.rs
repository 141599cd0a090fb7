//! sonic-rs: the struct of the envelope over its lazy values, and its tree. Its
//! vector code is chosen when it is compiled, so without `target-cpu` it has
//! only what every machine has.

use std::hint::black_box;

use mcparse::Kind;
use sonic_rs::{JsonNumberTrait as _, JsonType, JsonValueTrait as _, LazyValue, Value};

use super::serde::{Envelope, Params, Raw};
use crate::contender::Reader;
use crate::seen::{Fields, Json, Length, Seen};
use crate::support::classes::Case;

pub(crate) struct SonicTyped;

impl Raw for LazyValue<'_> {
    fn text(&self) -> &str {
        self.as_raw_str()
    }
}

impl Reader for SonicTyped {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        let message = black_box(&*case.message);
        let envelope: Envelope<'_, LazyValue<'_>, LazyValue<'_>> =
            sonic_rs::from_slice(message).ok()?;
        black_box(&envelope).seen(Raw::json).kind()
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        let message = black_box(&*case.message);
        let envelope: Envelope<'_, LazyValue<'_>, Params<'_>> =
            sonic_rs::from_slice(message).ok()?;
        black_box(&envelope).fields()
    }
}

pub(crate) struct SonicTree;

impl Reader for SonicTree {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        let tree: Value = sonic_rs::from_slice(black_box(&case.message)).ok()?;
        seen(black_box(&tree)).kind()
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        let tree: Value = sonic_rs::from_slice(black_box(&case.message)).ok()?;
        let tree = black_box(&tree);
        let text = |value: Option<&Value>| Length::of_any(value.and_then(|value| value.as_str()));
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
    let json = |value: Option<&Value>| {
        let Some(value) = value else { return Json::Absent };
        match value.get_type() {
            JsonType::Null => Json::Null,
            JsonType::String => Json::Text,
            JsonType::Object => Json::Object,
            JsonType::Number if value.as_number().is_some_and(|it| !it.is_f64()) => Json::Integer,
            _ => Json::Other,
        }
    };
    let error = tree.get("error");
    Seen {
        version: tree.get("jsonrpc").and_then(|version| version.as_str()) == Some("2.0"),
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
