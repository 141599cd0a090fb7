//! The table of the README by the letter: one JSON value in, its kind or a code out.
//! Of a member given twice the last counts.

use mcparse::Kind;

use super::number::is_integer;
use super::read::{Json, Member, Value};

pub(crate) const PARSE_ERROR: i32 = -32700;
pub(crate) const INVALID_REQUEST: i32 = -32600;

/// The plain function that `classify` stands for.
pub(crate) fn kind(value: Value<'_>) -> Result<Kind, i32> {
    kind_of(value).ok_or(INVALID_REQUEST)
}

fn kind_of(value: Value<'_>) -> Option<Kind> {
    if value.json() != Json::Object {
        return None;
    }
    let members = value.members();
    let get = |name| last(&members, name);
    if !get("jsonrpc")?.is_text("2.0") {
        return None;
    }
    let id = get("id");
    if let Some(method) = get("method") {
        let params_are_fine = get("params").is_none_or(|params| params.json() == Json::Object);
        if method.json() != Json::String || !params_are_fine {
            return None;
        }
        return match id {
            None => Some(Kind::Notification),
            Some(id) => is_valid_id(id).then_some(Kind::Request),
        };
    }
    let id = id?;
    match (get("result"), get("error")) {
        (Some(result), None) => {
            (is_valid_id(id) && result.json() == Json::Object).then_some(Kind::Result)
        }
        (None, Some(error)) => {
            let has_id = is_valid_id(id) || id.json() == Json::Null;
            (has_id && is_error_object(error)).then_some(Kind::Error)
        }
        _ => None,
    }
}

pub(crate) fn last<'m>(members: &[Member<'m>], name: &str) -> Option<Value<'m>> {
    members.iter().rev().find(|member| member.name == name.as_bytes()).map(|member| member.value)
}

/// A string or an integer.
pub(crate) fn is_valid_id(id: Value<'_>) -> bool {
    match id.json() {
        Json::String => true,
        Json::Number => is_integer(id.raw),
        _ => false,
    }
}

/// An object with an integer `code` and a string `message`.
pub(crate) fn is_error_object(error: Value<'_>) -> bool {
    let members = error.members();
    let is_code = |code: Value<'_>| code.json() == Json::Number && is_integer(code.raw);
    let is_message = |message: Value<'_>| message.json() == Json::String;
    last(&members, "code").is_some_and(is_code) && last(&members, "message").is_some_and(is_message)
}
