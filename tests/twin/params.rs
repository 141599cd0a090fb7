//! The rules of what a method takes.

use mcparse::{Kind, Revision, Rule};

use super::envelope::{is, repeated};
use super::message::Message;
use super::number::is_integral;
use super::read::{Json, Member, Value};
use super::shapes::{Row, SHAPES};
use super::truth::last;

/// A member that a method takes: name, whether it must be there, and types.
pub(crate) type Taken = (&'static str, bool, &'static str);

/// What a method takes in one revision, or one alternative of it.
pub(crate) struct Shape {
    needs_params: bool,
    pub(crate) members: Vec<Taken>,
}

pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> Option<usize> {
    let members = message.params.map(Value::members).unwrap_or_default();
    match rule {
        Rule::ParamsShape => {
            let newest = shapes(message).pop()?;
            let fits = |shape: &Shape| fits(shape, message);
            let is_broken = !shapes(message).iter().flatten().any(fits);
            is_broken.then(|| place(&newest, message))
        }
        Rule::MrtrParams => {
            let method = message.protocol_method()?;
            let is_meant = method.kind() == Kind::Request && !method.may_ask_for_input();
            let taken: Vec<_> = shapes(message).into_iter().flatten().collect();
            let is_own = |name: &[u8]| {
                taken.iter().flat_map(|shape| &shape.members).any(|one| one.0.as_bytes() == name)
            };
            let is_answer = |name: &[u8]| matches!(name, b"inputResponses" | b"requestState");
            let stray = members.iter().find(|one| is_answer(&one.name) && !is_own(&one.name))?.at;
            (message.is_modern() && is_meant).then_some(stray)
        }
        _ => None,
    }
}

/// Where a member that the method takes, in whatever revision, is given again.
pub(crate) fn repeated_param(message: &Message<'_>) -> Option<usize> {
    let method = message.protocol_method()?;
    let members = message.params?.members();
    let all = Revision::ALL.iter().flat_map(|&revision| alternatives(method.as_str(), revision));
    let taken: Vec<Taken> =
        all.filter(|shape| is_chosen(shape, &members)).flat_map(|shape| shape.members).collect();
    let is_taken = |member: &&Member<'_>| taken.iter().any(|one| is(member, one.0));
    repeated(members.iter().filter(is_taken))
}

/// Whether a shape is the one that the params choose by their `mode`.
fn is_chosen(shape: &Shape, members: &[Member<'_>]) -> bool {
    let is_url = last(members, "mode").is_some_and(|mode| mode.is_text("url"));
    match shape.members.iter().find(|member| member.0 == "mode") {
        Some((_, _, mode)) => (*mode == "url") == is_url,
        None => true,
    }
}

/// What the message's method takes in each of the revisions that the message may
/// be of and that have the method, whoever sends it; the newest is last.
fn shapes(message: &Message<'_>) -> Vec<Vec<Shape>> {
    let Some(method) = message.protocol_method() else { return Vec::new() };
    let has_method = method.revisions().union(method.asked_in_results());
    let revisions = message.revisions.intersection(has_method);
    revisions.iter().map(|revision| alternatives(method.as_str(), revision)).collect()
}

/// The shapes of a method in a revision, of which one must fit.
pub(crate) fn alternatives(method: &str, revision: Revision) -> Vec<Shape> {
    let is_meant =
        |row: &&Row| row.0 == method && row.1.split(' ').any(|date| date == revision.as_str());
    let shape = |row: &Row| Shape {
        needs_params: row.2,
        members: row.3.split_whitespace().map(member).collect(),
    };
    SHAPES.iter().filter(is_meant).map(shape).collect()
}

/// `name:type`, or `name?:type` for one that may be left out.
fn member(written: &'static str) -> Taken {
    let (name, types) = written.split_once(':').expect("a name and its types");
    (name.trim_end_matches('?'), !name.ends_with('?'), types)
}

fn fits(shape: &Shape, message: &Message<'_>) -> bool {
    let members = message.params.map(Value::members).unwrap_or_default();
    let is_right = |(name, is_required, types): &Taken| match last(&members, name) {
        Some(value) => is_any(value, types),
        None => !is_required,
    };
    (message.params.is_some() || !shape.needs_params) && shape.members.iter().all(is_right)
}

/// Where params do not fit their newest shape: the first wrong value of a member
/// that has no right one behind it, else the params, or the message without any.
fn place(newest: &[Shape], message: &Message<'_>) -> usize {
    let members = message.params.map(Value::members).unwrap_or_default();
    let chosen = newest.iter().filter(|shape| is_chosen(shape, &members));
    let taken: Vec<Taken> = chosen.flat_map(|shape| shape.members.clone()).collect();
    let is_wrong = |member: &&Member<'_>| {
        let of_it = |one: &&Taken| is(member, one.0);
        taken.iter().find(of_it).is_some_and(|(name, _, types)| {
            let counts = last(&members, name).is_some_and(|value| !is_any(value, types));
            counts && !is_any(member.value, types)
        })
    };
    let wrong = members.iter().find(is_wrong).map(|member| member.value.at);
    wrong.unwrap_or(message.params.unwrap_or(message.root).at)
}

fn is_any(value: Value<'_>, types: &str) -> bool {
    types.split('|').any(|one| is_one(value, one))
}

/// Whether a value is of this type, or is this string.
fn is_one(value: Value<'_>, one: &str) -> bool {
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
