//! What revisions a message may be of.

use mcparse::{Kind, Method, Revision, RevisionSet, Sender};

use super::message::{CLIENT_CAPABILITIES, CLIENT_INFO, Message, PROTOCOL_VERSION};

/// What the header `MCP-Protocol-Version` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionHeader {
    /// The message did not come over HTTP.
    NoHead,
    Missing {
        in_session: bool,
    },
    Unknown,
    Known(Revision),
}

/// What a message may be of before any of it is read.
pub(crate) fn unread(header: VersionHeader, served: RevisionSet) -> RevisionSet {
    match header {
        VersionHeader::Known(revision) => RevisionSet::only(revision),
        _ => served,
    }
}

pub(crate) fn of(message: &Message<'_>) -> RevisionSet {
    let served = message.policy.revisions();
    let says_modern = [PROTOCOL_VERSION, CLIENT_CAPABILITIES, CLIENT_INFO]
        .iter()
        .any(|key| message.meta_member(key).is_some());
    match message.kind() {
        Kind::Request if says_modern => RevisionSet::MODERN,
        Kind::Request => of_request(message, served),
        _ if matches!(message.header, VersionHeader::Known(_)) => unread(message.header, served),
        Kind::Notification
            if says_modern && !served.intersection(RevisionSet::MODERN).is_empty() =>
        {
            RevisionSet::MODERN
        }
        _ => unread(message.header, served),
    }
}

/// A request that does not say itself that it is modern.
fn of_request(message: &Message<'_>, served: RevisionSet) -> RevisionSet {
    let legacy = served.intersection(RevisionSet::LEGACY);
    let is_initialize = message.protocol_method() == Some(Method::Initialize);
    if let VersionHeader::Known(revision) = message.header
        && revision.is_modern()
    {
        return RevisionSet::MODERN;
    }
    if is_modern_method(message) {
        return RevisionSet::MODERN;
    }
    if legacy.is_empty() {
        return if is_initialize { RevisionSet::LEGACY } else { RevisionSet::MODERN };
    }
    if is_initialize {
        return legacy;
    }
    match message.header {
        VersionHeader::Known(revision) => RevisionSet::only(revision),
        VersionHeader::Missing { in_session: false } => {
            let without_header: RevisionSet =
                [Revision::V2024_11_05, Revision::V2025_03_26].into_iter().collect();
            let old = legacy.intersection(without_header);
            if old.is_empty() { legacy } else { old }
        }
        _ => legacy,
    }
}

/// Whether its sender may send the method in modern revisions only.
fn is_modern_method(message: &Message<'_>) -> bool {
    let is_modern =
        |revisions: RevisionSet| !revisions.is_empty() && revisions.iter().all(Revision::is_modern);
    is_modern(sent_by(message, message.from))
}

/// The revisions in which this side may send the message's method: the protocol's
/// word beats the policy's.
pub(crate) fn sent_by(message: &Message<'_>, side: Sender) -> RevisionSet {
    if let Some(method) = message.protocol_method() {
        return method.sent_by(side);
    }
    let extra = message.extra_method().filter(|extra| extra.sender() == side);
    extra.map_or(RevisionSet::EMPTY, mcparse::ExtraMethod::revisions)
}
