//! The rules of who may call what: direction, version, capability, method.

use mcparse::{Capability, Kind, Method, Revision, RevisionSet, Rule, Sender};

use super::message::{Message, PROTOCOL_VERSION};
use super::read::{Json, Value};
use super::revisions::sent_by;
use super::truth::last;

pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> Option<usize> {
    let method = message.method.map(|method| method.at);
    let is_client = message.from == Sender::Client;
    match rule {
        Rule::ClientResponse => {
            let is_broken = is_client && method.is_none() && message.is_modern();
            is_broken.then_some(message.root.at)
        }
        Rule::ServerRequest => {
            let is_broken = !is_client && message.is_request() && message.is_modern();
            is_broken.then_some(message.root.at)
        }
        Rule::NotificationWithId => {
            let is_broken = message.is_request() && is_notifications(message);
            is_broken.then_some(message.root.at)
        }
        Rule::RequestWithoutId => {
            let is_broken = message.id.is_none() && kind(message) == Some(Kind::Request);
            is_broken.then_some(message.root.at)
        }
        Rule::EraNotServed => unserved_era(message),
        Rule::UnsupportedVersion => unsupported_version(message).map(|version| version.at),
        Rule::MissingCapability => {
            missing_capability(message).and(message.capabilities()).map(|declared| declared.at)
        }
        Rule::UnknownMethod => method.filter(|_| kind(message).is_none()),
        Rule::MethodOfOtherSender
        | Rule::MethodOfOtherRevision
        | Rule::NotificationOfOtherRevision => method.filter(|_| misplaced(message) == Some(rule)),
        _ => None,
    }
}

/// The kind that the method makes a message, by the protocol or the policy.
fn kind(message: &Message<'_>) -> Option<Kind> {
    let extra = message.extra_method().map(mcparse::ExtraMethod::kind);
    message.protocol_method().map(Method::kind).or(extra)
}

fn is_notifications(message: &Message<'_>) -> bool {
    match kind(message) {
        Some(kind) => kind == Kind::Notification,
        None => message.method_name().is_some_and(|name| name.starts_with(b"notifications/")),
    }
}

/// Which of the three rules about misplaced methods a call breaks.
fn misplaced(message: &Message<'_>) -> Option<Rule> {
    let other = match message.from {
        Sender::Client => Sender::Server,
        Sender::Server => Sender::Client,
    };
    let [own, others] = [message.from, other].map(|side| sent_by(message, side));
    kind(message)?;
    if !own.intersection(message.revisions).is_empty() {
        return None;
    }
    Some(match message.kind() {
        _ if own.is_empty() && !others.is_empty() => Rule::MethodOfOtherSender,
        Kind::Request => Rule::MethodOfOtherRevision,
        _ => Rule::NotificationOfOtherRevision,
    })
}

fn unserved_era(message: &Message<'_>) -> Option<usize> {
    let is_broken = message.is_modern_client_request()
        && message.policy.revisions().intersection(RevisionSet::MODERN).is_empty();
    let place = message.meta_member(PROTOCOL_VERSION).unwrap_or(message.root);
    is_broken.then_some(place.at)
}

/// The version that a client's request asks for, if it does.
pub(crate) fn requested_version<'m>(message: &Message<'m>) -> Option<Value<'m>> {
    let is_initialize = message.protocol_method() == Some(Method::Initialize);
    let version = if message.is_modern_client_request() {
        message.meta_member(PROTOCOL_VERSION)
    } else if message.from == Sender::Client && message.is_request() && is_initialize {
        message.param("protocolVersion")
    } else {
        None
    };
    version.filter(|version| version.json() == Json::String)
}

/// The version that was asked for and is not served.
fn unsupported_version<'m>(message: &Message<'m>) -> Option<Value<'m>> {
    let served = message.policy.revisions();
    let [modern, legacy] =
        [RevisionSet::MODERN, RevisionSet::LEGACY].map(|era| served.intersection(era));
    let is_broken = |version: &Value<'_>| {
        if message.is_modern_client_request() {
            let is_served = modern.iter().any(|revision| version.is_text(revision.as_str()));
            !modern.is_empty() && !is_served
        } else {
            message.is_legacy() && legacy.is_empty()
        }
    };
    requested_version(message).filter(is_broken)
}

/// The first capability that a modern request needs and its client lacks.
pub(crate) fn missing_capability(message: &Message<'_>) -> Option<Capability> {
    if !message.is_modern_client_request() {
        return None;
    }
    let declared = message.capabilities()?;
    let by_protocol = message
        .protocol_method()
        .filter(|method| method.sent_by(Sender::Client).contains(Revision::V2026_07_28))
        .and_then(|method| method.capability(Sender::Client, Revision::V2026_07_28))
        .filter(|need| need.owner == Sender::Client);
    let by_policy = message.policy.requirements().iter().filter(|requirement| {
        let name = message.name().and_then(Value::decoded);
        let is_on = requirement.name().is_none_or(|on| name == Some(on.as_bytes().to_vec()));
        message.method.is_some_and(|method| method.is_text(requirement.method())) && is_on
    });
    by_protocol
        .into_iter()
        .chain(by_policy.map(mcparse::Requirement::capability))
        .find(|&need| !has(declared, need))
}

fn has(declared: Value<'_>, need: Capability) -> bool {
    let object = |of: Value<'_>, name: &str| -> bool {
        last(&of.members(), name).is_some_and(|value| value.json() == Json::Object)
    };
    let Some(value) = last(&declared.members(), need.name) else { return false };
    let is_form = (need.name, need.part) == ("elicitation", Some("form"));
    value.json() == Json::Object
        && need.part.is_none_or(|part| {
            object(value, part) || is_form && last(&value.members(), "url").is_none()
        })
}
