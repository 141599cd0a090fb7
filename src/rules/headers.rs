//! The headers that mirror a message's body: version, method and name. Whoever
//! routes by a header must be able to trust that the body says the same
//! ([Server Validation]).
//!
//! Only modern revisions have the mirrors. Of a legacy message the version is
//! judged, and for itself. The headers `Mcp-Param-*` are not judged here.
//!
//! [Server Validation]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation

mod evidence;

pub(crate) use evidence::{Evidence, evidence};

use super::header_value;
use crate::envelope::{Envelope, Field};
use crate::head::{Header, RequestHead};
use crate::json::reader::text;
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;
use crate::rule::{Rule, RuleSet};
use crate::text::Text;

/// The headers that are judged here, in the order in which they are.
const MIRRORS: [Header; 3] = [Header::ProtocolVersion, Header::Method, Header::Name];

/// What of a message the headers mirror, and what it is judged as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mirrored<'m> {
    pub(crate) envelope: &'m Envelope,
    /// The bytes that the envelope was read from.
    pub(crate) message: &'m [u8],
    pub(crate) is_modern: bool,
    /// The revision that it names, as it is written, and the head as well.
    pub(crate) agreed: Option<Revision>,
    /// Else a notification or a response.
    pub(crate) is_request: bool,
    /// Whether `Mcp-Name` mirrors something in messages of this method.
    pub(crate) needs_name: bool,
    /// What it mirrors; absent if the body lacks it.
    pub(crate) name: Field,
}

/// Notes all the rules of this file that a message and its head break together.
/// `served` are the revisions that the policy serves, `limit` the most bytes of
/// a header's value.
#[inline]
pub(crate) fn note(
    broken: &mut RuleSet,
    head: &RequestHead<'_>,
    body: &Mirrored<'_>,
    served: RevisionSet,
    limit: usize,
) {
    if !body.is_modern {
        note_form(broken, head, Header::ProtocolVersion, limit);
        note_legacy(broken, head, body, served);
    } else if !is_usual(head, body, limit) {
        note_modern(broken, head, body, served, limit);
    }
}

/// The same of a modern message.
fn note_modern(
    broken: &mut RuleSet,
    head: &RequestHead<'_>,
    body: &Mirrored<'_>,
    served: RevisionSet,
    limit: usize,
) {
    for header in MIRRORS {
        note_form(broken, head, header, limit);
    }
    note_version(broken, head, body);
    // What a request names is for the stage of the version to judge.
    let revision = head.revision().filter(|_| !body.is_request);
    let is_unserved = revision.is_some_and(|revision| !served.contains(revision));
    broken.note(Rule::VersionHeaderUnknown, is_unserved);
    note_method(broken, head, body);
    note_name(broken, head, body);
}

/// Whether each mirror of a request is given once, and says in plain bytes what
/// the body says as plainly: nearly all are so, and break nothing here.
#[inline]
fn is_usual(head: &RequestHead<'_>, body: &Mirrored<'_>, limit: usize) -> bool {
    let says = |header, field| {
        let (Some(value), Some(written)) = (head.copies(header).only(), text(body.message, field))
        else {
            return false;
        };
        value.len() <= limit && written.is_visibly(value)
    };
    let version = head.copies(Header::ProtocolVersion).only();
    body.is_request
        && body.agreed.is_some()
        && version.is_some_and(|version| version.len() <= limit)
        && says(Header::Method, body.envelope.method)
        && match head.value(Header::Name) {
            // One that starts so may stand for something else.
            Some(value) => {
                body.needs_name && !value.starts_with(b"=") && says(Header::Name, body.name)
            }
            None => !body.needs_name,
        }
}

/// `header-characters`, `header-too-long`, `header-repeated` and
/// `header-repeated-equal`: whatever the body says, the header is not in order.
#[inline]
fn note_form(broken: &mut RuleSet, head: &RequestHead<'_>, header: Header, limit: usize) {
    let copies = head.copies(header);
    let Some(value) = copies.first() else { return };
    broken.note(Rule::HeaderCharacters, !header_value::is_plain(value));
    broken.note(Rule::HeaderTooLong, value.len() > limit);
    broken.note(Rule::HeaderRepeated, copies.has_different());
    broken.note(Rule::HeaderRepeatedEqual, copies.has_equal());
}

// Of copies that differ one at most can match, so that a policy which lets
// `header-repeated` pass is still told of the one that does not.

/// `version-header-missing`, `version-header-mismatch`. A body that names no
/// version is the metadata stage's to refuse.
#[inline]
fn note_version(broken: &mut RuleSet, head: &RequestHead<'_>, body: &Mirrored<'_>) {
    match head.value(Header::ProtocolVersion) {
        Some(value) => {
            let version = text(body.message, body.envelope.meta.protocol_version);
            let differ = head.copies(Header::ProtocolVersion).has_different();
            let is_other = version.is_some_and(|version| differ || !version.is(value));
            broken.note(Rule::VersionHeaderMismatch, is_other);
        }
        None => broken.note(Rule::VersionHeaderMissing, body.is_request),
    }
}

/// `method-header-missing`, `method-header-mismatch`. A response has no method
/// that the header could match.
#[inline]
fn note_method(broken: &mut RuleSet, head: &RequestHead<'_>, body: &Mirrored<'_>) {
    match head.value(Header::Method) {
        Some(value) => {
            let method = text(body.message, body.envelope.method);
            let is_same = method.is_some_and(|method| method.is(value));
            let differ = head.copies(Header::Method).has_different();
            broken.note(Rule::MethodHeaderMismatch, differ || !is_same);
        }
        None => broken.note(Rule::MethodHeaderMissing, body.is_request),
    }
}

/// The rules of `Mcp-Name`. A header with a name that the body lacks matches
/// nothing, and neither does one that cannot be unwrapped.
#[inline]
fn note_name(broken: &mut RuleSet, head: &RequestHead<'_>, body: &Mirrored<'_>) {
    let Some(value) = head.value(Header::Name) else {
        broken.note(Rule::NameHeaderMissing, body.needs_name && body.is_request);
        return;
    };
    if !body.needs_name {
        broken.note(Rule::NameHeaderUnexpected, true);
        return;
    }
    let name = text(body.message, body.name);
    match header_value::compare(value, name.unwrap_or(Text::new(b""))) {
        Ok(found) => {
            let differ = head.copies(Header::Name).has_different();
            broken.note(Rule::NameHeaderMismatch, differ || name.is_none() || !found.is_equal);
            broken.note(Rule::HeaderBase64StrayBits, found.has_stray_bits);
        }
        Err(rule) => {
            broken.note(rule, true);
            broken.note(Rule::NameHeaderMismatch, true);
        }
    }
}

/// `version-header-unknown`, `mirror-without-version`. An `initialize` where no
/// legacy revision is served is left to `unsupported-version`, which says those
/// that are.
#[inline]
fn note_legacy(
    broken: &mut RuleSet,
    head: &RequestHead<'_>,
    body: &Mirrored<'_>,
    served: RevisionSet,
) {
    let version = head.value(Header::ProtocolVersion);
    let revision = version.and_then(Revision::from_bytes);
    let legacy = revision.filter(|revision| !revision.is_modern());
    let is_served = legacy.is_some_and(|revision| served.contains(revision));
    let opens_a_session = body.is_request && body.envelope.called == Some(Method::Initialize);
    let is_hopeless = opens_a_session && served.intersection(RevisionSet::LEGACY).is_empty();
    broken.note(Rule::VersionHeaderUnknown, version.is_some() && !is_served && !is_hopeless);

    let has_mirror = head.copies(Header::Method).is_present()
        || head.copies(Header::Name).is_present()
        || !head.params().is_empty();
    let has_no_mirrors = version.is_none() || legacy.is_some();
    broken.note(Rule::MirrorWithoutVersion, has_mirror && has_no_mirrors);
}

#[cfg(test)]
mod tests;
