//! What of the envelope depends on the revision: whether a message is of a kind
//! that its sender may send ([Message Patterns]), and when an error may have no
//! id.
//!
//! [Message Patterns]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns

use super::subject::Subject;
use crate::envelope::JsonType;
use crate::kind::{Kind, Sender};
use crate::method::RevisionSet;
use crate::revision::Revision;
use crate::rule::{Rule, RuleSet};

/// Notes the rules of this file that the message breaks.
#[inline]
pub(crate) fn note(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    match (subject.kind, subject.from) {
        (Kind::Result | Kind::Error, Sender::Client) => {
            broken.note(Rule::ClientResponse, subject.is_modern());
        }
        (Kind::Result | Kind::Error, Sender::Server) => {}
        (Kind::Request, from) => {
            broken.note(Rule::ServerRequest, from == Sender::Server && subject.is_modern());
            broken.note(Rule::NotificationWithId, is_notification(subject));
        }
        (Kind::Notification, _) => {
            let is_request = subject.kind_of_method() == Some(Kind::Request);
            broken.note(Rule::RequestWithoutId, is_request);
        }
    }
    if subject.kind == Kind::Error {
        note_error_id(subject, broken);
    }
    broken.note(Rule::NameTooLong, is_name_too_long(subject));
    broken.note(Rule::DuplicateMember, subject.name_repeated.is_seen());
    broken.note(Rule::LookalikeMember, subject.name_lookalike.is_seen());
}

/// `notification-with-id`: the method is a notification's, by the table or by
/// its prefix.
#[inline]
fn is_notification(subject: &Subject<'_, '_>) -> bool {
    const PREFIX: &[u8] = b"notifications/";
    match subject.kind_of_method() {
        Some(kind) => kind == Kind::Notification,
        None => subject.method().is_some_and(|method| {
            let starts = || method.bytes().take(PREFIX.len()).eq(PREFIX.iter().copied());
            method.raw().starts_with(PREFIX) || method.is_escaped() && starts()
        }),
    }
}

/// `id-missing`, `error-id-null`: an id that could not be read is left out from
/// 2025-11-25 on, and is `null` before.
fn note_error_id(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    let leaves_out = RevisionSet::since(Revision::V2025_11_25);
    let is_older = subject.revisions.intersection(leaves_out).is_empty();
    match subject.envelope.id.json {
        JsonType::Absent => broken.note(Rule::IdMissing, is_older),
        JsonType::Null => broken.note(Rule::ErrorIdNull, !is_older),
        _ => {}
    }
}

/// `name-too-long`: what the method is called on, a string as written, is beyond
/// the limit.
#[inline]
fn is_name_too_long(subject: &Subject<'_, '_>) -> bool {
    let quotes = 2;
    let most = subject.policy.limits().name_bytes.saturating_add(quotes);
    let name = subject.name;
    name.json == JsonType::String && (name.end - name.start) as usize > most
}
