//! The rules of the envelope: what the members of a message must be.

use mcparse::{Revision, Rule};

use super::answers::repeated_member;
use super::message::{MESSAGE, Message};
use super::metadata::repeated_capability;
use super::number;
use super::params::repeated_param;
use super::read::{Json, Member, Value};
use super::truth::{is_error_object, is_valid_id, last};

pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> Option<usize> {
    let limits = message.policy.limits();
    let root = message.root.at;
    let is_object = message.root.json() == Json::Object;
    let is_call = message.method.is_some();
    let is_error = !is_call && message.error.is_some() && message.result.is_none();
    let is_result = !is_call && message.result.is_some() && message.error.is_none();
    let id_is = |json: Json| message.id.filter(|id| id.json() == json);
    let at = |value: Value<'_>| value.at;
    match rule {
        Rule::Batch => (message.root.json() == Json::Array).then_some(root),
        Rule::NotObject => (!is_object && message.root.json() != Json::Array).then_some(root),
        Rule::JsonrpcVersion => match last(&message.own, "jsonrpc") {
            Some(jsonrpc) => (!jsonrpc.is_text("2.0")).then_some(jsonrpc.at),
            None => Some(root),
        },
        Rule::NoKind => {
            let is_any = is_call || message.result.is_some() || message.error.is_some();
            (!is_any).then_some(root)
        }
        Rule::ResultAndError if is_call => None,
        Rule::ResultAndError => message.result.and(message.error).map(at),
        Rule::MethodType => message.method.filter(|method| method.json() != Json::String).map(at),
        Rule::ResultType => {
            message.result.filter(|result| is_result && result.json() != Json::Object).map(at)
        }
        Rule::ErrorShape => {
            message.error.filter(|&error| is_error && !is_error_object(error)).map(at)
        }
        Rule::IdMissing => {
            let may_lack = is_error && message.revisions.iter().any(leaves_ids_out);
            (!is_call && message.id.is_none() && !may_lack).then_some(root)
        }
        Rule::IdNull if is_error => None,
        Rule::IdNull => id_is(Json::Null).map(at),
        Rule::IdType => message.id.filter(|id| !is_id_or_float(*id)).map(at),
        Rule::IdFloat => {
            let is_float = |id: &Value<'_>| is_id_or_float(*id) && !is_valid_id(*id);
            message.id.filter(|id| id.json() != Json::Null && is_float(id)).map(at)
        }
        Rule::ParamsType => {
            let is_wrong = |params: &Value<'_>| is_call && params.json() != Json::Object;
            message.params.filter(is_wrong).map(at)
        }
        Rule::DuplicateMember => {
            let in_scope = |(members, names): &(Vec<Member<'_>>, Vec<&str>)| {
                let is_read = |member: &Member<'_>| names.iter().any(|name| is(member, name));
                repeated(members.iter().filter(|member| is_read(member)))
            };
            // The capabilities stand in `_meta`, which is the third scope.
            let (to_meta, behind) = message.scopes.split_at(3);
            let of_protocol = to_meta.iter().find_map(in_scope);
            let of_protocol = of_protocol.or_else(|| repeated_capability(message));
            let of_protocol = of_protocol.or_else(|| behind.iter().find_map(in_scope));
            let of_protocol = of_protocol.or_else(|| repeated_param(message));
            let of_protocol = of_protocol.or_else(|| repeated_member(message));
            of_protocol.or_else(|| in_scope(&message.scope_of_extra()?))
        }
        Rule::LookalikeMember => {
            let in_scope = |(members, names): &(Vec<Member<'_>>, Vec<&str>)| {
                members.iter().find(|member| looks_like_one_of(member, names)).map(|m| m.at)
            };
            let of_protocol = message.scopes.iter().find_map(in_scope);
            of_protocol.or_else(|| in_scope(&message.scope_of_extra()?))
        }
        Rule::Hybrid if is_call => message.result.or(message.error).map(at),
        Rule::IdTooLong => message.id.filter(|id| id.raw.len() > limits.id_bytes).map(at),
        Rule::MethodTooLong => {
            message.method.filter(|method| method.raw.len() - 2 > limits.method_bytes).map(at)
        }
        Rule::MembersTooMany => {
            let beyond =
                |(members, _): &(Vec<Member<'_>>, _)| Some(members.get(limits.members)?.at);
            message.scopes.iter().find_map(beyond)
        }
        // Of all names that their own object gave before, the first.
        Rule::DeepDuplicate => {
            let objects = all_objects(message.root);
            objects.iter().filter_map(|object| repeated(object.members().iter())).min()
        }
        Rule::UnknownMember => {
            let stranger = |m: &&Member<'_>| !MESSAGE.iter().any(|name| is(m, name));
            let params = message.params.filter(|_| !is_call);
            message.own.iter().find(stranger).map(|m| m.at).or(params.map(at))
        }
        Rule::IdUnsafeInteger => id_is(Json::Number).filter(|id| number::is_unsafe(id.raw)).map(at),
        Rule::ErrorIdNull => {
            let is_broken = is_error && message.revisions.iter().any(leaves_ids_out);
            id_is(Json::Null).filter(|_| is_broken).map(at)
        }
        Rule::NameTooLong => {
            message.name().filter(|name| name.raw.len() - 2 > limits.name_bytes).map(at)
        }
        _ => None,
    }
}

/// `null`, a string, or a number that is an integer in whatever form.
pub(crate) fn is_id_or_float(id: Value<'_>) -> bool {
    match id.json() {
        Json::Null | Json::String => true,
        Json::Number => number::is_integral(id.raw),
        _ => false,
    }
}

pub(crate) fn is(member: &Member<'_>, name: &str) -> bool {
    member.name == name.as_bytes()
}

/// Where the first member stands whose name was given before.
pub(crate) fn repeated<'a, 'm: 'a>(members: impl Iterator<Item = &'a Member<'m>>) -> Option<usize> {
    let mut before = Vec::new();
    for member in members {
        if before.contains(&&member.name) {
            return Some(member.at);
        }
        before.push(&member.name);
    }
    None
}

/// Whether the name is none of `names`, but is one of them to a reader that
/// does not mind case, takes U+017F for `s` and U+212A for `k`, or stops at a
/// NUL.
fn looks_like_one_of(member: &Member<'_>, names: &[&str]) -> bool {
    let fold = |name: &str| {
        let name = name.replace('\u{17f}', "s").replace('\u{212a}', "k");
        name.trim_end_matches('\0').to_ascii_lowercase()
    };
    let name = std::str::from_utf8(&member.name).expect("a string");
    !names.contains(&name) && names.iter().any(|known| fold(known) == fold(name))
}

/// Every object of the message, itself included.
fn all_objects(root: Value<'_>) -> Vec<Value<'_>> {
    let mut objects = Vec::new();
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        if value.json() == Json::Object {
            objects.push(value);
        }
        if matches!(value.json(), Json::Object | Json::Array) {
            left.extend(value.parts());
        }
    }
    objects
}

/// Whether errors leave out an id that could not be read.
pub(crate) fn leaves_ids_out(revision: Revision) -> bool {
    revision >= Revision::V2025_11_25
}
