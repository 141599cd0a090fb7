//! The big list of naughty strings as ids, methods, names, arguments and names
//! of arguments: each accepted, echoed exactly, and read as serde reads it.

use std::fmt::Write;

use mcparse::{
    ErrorCode, Id, Limits, Message, Policy, ReplyId, Request, Rule, Sender, Validator,
    error_response,
};
use serde_json::Value;

use crate::support::{Corpora, Tally, same};

const STRINGS: usize = 515;
const LIMITS: Limits = Limits::new();

/// The ways to write a string in JSON: as serde does, and with every UTF-16
/// unit escaped.
fn spellings(text: &str) -> [String; 2] {
    let mut escaped = String::from("\"");
    for unit in text.encode_utf16() {
        write!(escaped, "\\u{unit:04x}").expect("writing to a string");
    }
    escaped.push('"');
    [Value::from(text).to_string(), escaped]
}

/// Runs `judge` on every string of the list, in each spelling. It is given the
/// string and its lexeme.
fn every_string(what: &str, mut judge: impl FnMut(&str, &str) -> Result<(), String>) {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    for text in corpora.json::<Vec<String>>("json/blns/blns.json") {
        for lexeme in spellings(&text) {
            tally.count(&lexeme, judge(&text, &lexeme));
        }
    }
    tally.finish(what, 2 * STRINGS);
}

/// The request in `bytes`, or the rule that it breaks.
fn request<'m>(validator: &mut Validator, bytes: &'m str) -> Result<Request<'m>, Rule> {
    match validator.check(Sender::Client, bytes.as_bytes()) {
        Ok(Message::Request(request)) if request_is_plain(&request, bytes) => Ok(request),
        Ok(message) => panic!("no plain request, but {message:?}"),
        Err(violation) => Err(violation.rule()),
    }
}

/// Whether nothing is reported but a method that nobody knows, and the spans
/// lead to the members.
fn request_is_plain(request: &Request<'_>, bytes: &str) -> bool {
    let known = Message::Request(*request).findings().without(Rule::UnknownMethod);
    bytes[request.id_span()].as_bytes() == request.id().lexeme()
        && bytes.as_bytes()[request.method_span()].ends_with(b"\"")
        && known.is_empty()
}

#[test]
fn every_naughty_string_is_an_id_and_is_echoed_exactly() {
    let mut validator = Validator::new(Policy::strict());
    every_string("naughty ids", |text, lexeme| {
        let call = format!(r#"{{"jsonrpc":"2.0","id":{lexeme},"method":"ping"}}"#);
        let request = match request(&mut validator, &call) {
            Err(Rule::IdTooLong) if lexeme.len() > LIMITS.id_bytes => return Ok(()),
            verdict => verdict.map_err(|rule| rule.to_string())?,
        };
        same(&request.id().lexeme(), &lexeme.as_bytes())?;
        same(&request.id().as_text().map(|id| id.decode()).as_deref(), &Some(text))?;
        same(&Id::from_lexeme(lexeme.as_bytes()), &Some(request.id()))?;

        let mut reply = Vec::new();
        error_response(&mut reply, ReplyId::Id(request.id()), ErrorCode::new(-1), text);
        let echoed = validator.check(Sender::Server, &reply).map_err(|error| error.to_string())?;
        same(&echoed.id().map(|id| id.lexeme().to_vec()).as_deref(), &Some(lexeme.as_bytes()))?;
        let value: Value = serde_json::from_slice(&reply).map_err(|error| error.to_string())?;
        same(&(value["id"].as_str(), value["error"]["message"].as_str()), &(Some(text), Some(text)))
    });
}

#[test]
fn every_naughty_id_of_a_refused_request_is_in_the_reply() {
    let mut validator = Validator::new(Policy::strict());
    every_string("naughty ids of refused requests", |text, lexeme| {
        let call = format!(r#"{{"id":{lexeme},"jsonrpc":"2.0","method":"ping","params":[]}}"#);
        let violation = validator.check(Sender::Client, call.as_bytes()).err().ok_or("accepted")?;
        let mut reply = Vec::new();
        same(&violation.rule(), &Rule::ParamsType)?;
        same(&violation.write_reply(&mut reply), &true)?;
        let value: Value = serde_json::from_slice(&reply).map_err(|error| error.to_string())?;
        let echoed = (lexeme.len() <= LIMITS.id_bytes).then_some(text);
        same(&value.get("id").and_then(Value::as_str), &echoed)?;
        same(&value["error"]["data"]["rule"].as_str(), &Some("params-type"))
    });
}

#[test]
fn every_naughty_string_is_a_method() {
    let mut validator = Validator::new(Policy::strict());
    every_string("naughty methods", |text, lexeme| {
        let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":{lexeme},"params":{{}}}}"#);
        let request = match request(&mut validator, &call) {
            Err(Rule::MethodTooLong) if lexeme.len() - 2 > LIMITS.method_bytes => return Ok(()),
            verdict => verdict.map_err(|rule| rule.to_string())?,
        };
        same(&call[request.method_span()].as_bytes(), &lexeme.as_bytes())?;
        same(&&*request.method().decode(), &text)?;
        same(&(request.method() == text), &true)?;
        let findings = Message::Request(request).findings();
        same(&findings.contains(Rule::UnknownMethod), &true)
    });
}

#[test]
fn every_naughty_string_is_a_name_and_an_argument() {
    let mut validator = Validator::new(Policy::strict());
    every_string("naughty names and arguments", |text, lexeme| {
        let params = format!(r#"{{"arguments":{{"a":{lexeme}}},"name":{lexeme} }}"#);
        let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let request = request(&mut validator, &call).map_err(|rule| rule.to_string())?;
        same(&request.params(), &Some(params.as_bytes()))?;
        same(&request.name().map(|name| name.decode()).as_deref(), &Some(text))?;
        let span = request.name_span().ok_or("no name")?;
        same(&&call[span], &lexeme)?;
        let value: Value = serde_json::from_str(&params).map_err(|error| error.to_string())?;
        same(&value["arguments"]["a"].as_str(), &Some(text))
    });
}

#[test]
fn every_naughty_string_is_the_name_of_an_argument() {
    let mut validator = Validator::new(Policy::strict());
    every_string("naughty names of arguments", |text, lexeme| {
        let params = format!(r#"{{"name":"n","arguments":{{{lexeme}:{{{lexeme}:1}}}}}}"#);
        let call = format!(r#"{{"params":{params},"jsonrpc":"2.0","id":1,"method":"tools/call"}}"#);
        let request = request(&mut validator, &call).map_err(|rule| rule.to_string())?;
        same(&request.params(), &Some(params.as_bytes()))?;
        same(&(request.method() == "tools/call"), &true)?;
        let value: Value = serde_json::from_str(&params).map_err(|error| error.to_string())?;
        same(&value["arguments"][text][text], &Value::from(1))
    });
}
