//! The rules of what a method takes.

use mcparse::{Revision, Rule};

use super::envelope::repeated;
use super::message::Message;
use super::number::is_integral;
use super::read::{Json, Member, Value};
use super::shapes::SHAPES;
use super::truth::last;

/// The members that a method takes in one revision: alternatives of name, whether
/// it must be there, and type.
type Shape = Vec<(&'static str, bool, &'static str)>;

pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> Option<usize> {
    let members = message.params.map(Value::members).unwrap_or_default();
    let place = message.params.unwrap_or(message.root).at;
    match rule {
        Rule::ParamsShape => {
            let shapes = shapes(message);
            let fits = |shape: &Shape| fits(shape, &members);
            (!shapes.is_empty() && !shapes.iter().any(fits)).then_some(place)
        }
        Rule::MrtrParams => {
            let may_ask = message.protocol_method()?.may_ask_for_input();
            let shapes = shapes(message);
            let takes = |name: &str| shapes.iter().flatten().any(|member| member.0 == name);
            let mut answers = ["inputResponses", "requestState"].into_iter();
            let stray = answers.find(|name| !takes(name) && last(&members, name).is_some())?;
            let at = members.iter().rev().find(|member| member.name == stray.as_bytes())?.value.at;
            (message.is_request() && message.is_modern() && !may_ask).then_some(at)
        }
        _ => None,
    }
}

/// Where a member that the method takes is given again.
pub(crate) fn repeated_param(message: &Message<'_>) -> Option<usize> {
    let members = message.params.map(Value::members).unwrap_or_default();
    let shapes = shapes(message);
    let is_taken = |member: &&Member<'_>| {
        shapes.iter().flatten().any(|(name, _, _)| member.name == name.as_bytes())
    };
    repeated(members.iter().filter(is_taken))
}

/// What the message's method takes in each of the revisions that the message may
/// be of and that have the method, whoever sends it.
fn shapes(message: &Message<'_>) -> Vec<Shape> {
    let Some(method) = message.protocol_method() else { return Vec::new() };
    let has_method = method.revisions().union(method.asked_in_results());
    let revisions = message.revisions.intersection(has_method);
    revisions.iter().flat_map(|revision| alternatives(method.as_str(), revision)).collect()
}

/// The shapes of a method in a revision, of which one must fit.
pub(crate) fn alternatives(method: &str, revision: Revision) -> Vec<Shape> {
    let is_meant = |row: &&(&str, &str, &str)| {
        row.0 == method && row.1.split(' ').any(|date| date == revision.as_str())
    };
    let shape = |row: &(&'static str, &'static str, &'static str)| {
        row.2.split_whitespace().map(member).collect()
    };
    SHAPES.iter().filter(is_meant).map(shape).collect()
}

/// `name:type`, or `name?:type` for one that may be left out.
fn member(written: &'static str) -> (&'static str, bool, &'static str) {
    let (name, types) = written.split_once(':').expect("a name and its types");
    (name.trim_end_matches('?'), !name.ends_with('?'), types)
}

fn fits(shape: &Shape, members: &[Member<'_>]) -> bool {
    shape.iter().all(|(name, is_required, types)| match last(members, name) {
        Some(value) => types.split('|').any(|one| is(value, one)),
        None => !is_required,
    })
}

/// Whether a value is of this type, or is this string.
fn is(value: Value<'_>, one: &str) -> bool {
    let json = value.json();
    match one {
        "any" => true,
        "null" => json == Json::Null,
        "string" => json == Json::String,
        "number" => json == Json::Number,
        "integer" => json == Json::Number && is_integral(value.raw),
        "array" => json == Json::Array,
        "object" => json == Json::Object,
        word => value.is_text(word),
    }
}
