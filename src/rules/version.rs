//! Whether the revision that a request asks for is served ([Protocol Version
//! Negotiation]).
//!
//! [Protocol Version Negotiation]: https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation

use super::subject::Subject;
use crate::envelope::JsonType;
use crate::json::reader;
use crate::kind::{Kind, Sender};
use crate::method::{Method, RevisionSet};
use crate::rule::{Rule, RuleSet};
use crate::violation::{Detail, Place};

/// Notes the rules of this stage that the message breaks.
#[inline]
pub(crate) fn note(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    if subject.kind != Kind::Request || subject.from == Sender::Server {
        return;
    }
    let served = subject.policy.revisions();
    if subject.is_modern() {
        let served = served.intersection(RevisionSet::MODERN);
        broken.note(Rule::EraNotServed, served.is_empty());
        broken.note(Rule::UnsupportedVersion, !served.is_empty() && !names_any(subject, served));
    } else if subject.envelope.called == Some(Method::Initialize) {
        // Within the legacy revisions a handshake settles on one that both
        // know; without any of them there is nothing to settle on.
        let is_hopeless = served.intersection(RevisionSet::LEGACY).is_empty();
        let named = || reader::text(subject.message, subject.requested_version());
        broken.note(Rule::UnsupportedVersion, is_hopeless && named().is_some());
    }
}

/// Whether the request names one of these revisions, or none in a way that the
/// stage before has a rule for.
#[inline]
fn names_any(subject: &Subject<'_, '_>, served: RevisionSet) -> bool {
    match subject.named {
        Some(revision) => served.contains(revision),
        None => names_none_or_escaped(subject, served),
    }
}

#[cold]
fn names_none_or_escaped(subject: &Subject<'_, '_>, served: RevisionSet) -> bool {
    let version = reader::text(subject.message, subject.envelope.meta.protocol_version);
    version.is_none_or(|version| served.iter().any(|revision| version == *revision.as_str()))
}

/// What was asked for, and what is served. A request of an era that is not served
/// need not say what it asks for.
pub(crate) fn detail(subject: &Subject<'_, '_>) -> (u32, Detail<'static>) {
    let requested = subject.requested_version();
    if requested.json != JsonType::String {
        return (requested.start.max(subject.envelope.root.start), Detail::Nothing);
    }
    let requested = Place { start: requested.start, end: requested.end };
    (requested.start, Detail::Version { requested, served: subject.policy.revisions() })
}
