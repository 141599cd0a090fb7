//! The stage of the headers as one: the mirrors of version, method and name, and
//! those of the arguments.

use std::time::Instant;

use super::headers::{self, Mirrored};
use super::param_headers::{self, Checked, Name, Received};
use super::subject::{HeaderVersion, Subject};
use super::transport;
use crate::envelope::Field;
use crate::head::{Header, RequestHead};
use crate::json::reader;
use crate::kind::Kind;
use crate::method::Method;
use crate::rule::{Rule, RuleSet};
use crate::violation::{Detail, HeaderName, Place};

/// What the head says of the revision.
#[inline]
pub(crate) fn version(head: &RequestHead<'_>) -> HeaderVersion {
    match (head.revision(), head.copies(Header::ProtocolVersion).is_present()) {
        (Some(revision), _) => HeaderVersion::Known(revision),
        (None, true) => HeaderVersion::Unknown,
        (None, false) => {
            let in_session = head.copies(Header::SessionId).is_present();
            HeaderVersion::Absent { in_session }
        }
    }
}

/// Notes the rules that message and head break together. Gives those of this
/// stage that may only be reported, if the table that they are broken by is stale.
#[inline]
pub(crate) fn note(
    subject: &Subject<'_, '_>,
    head: &RequestHead<'_>,
    broken: &mut RuleSet,
) -> Option<RuleSet> {
    let limit = subject.policy.limits().header_bytes;
    headers::note(broken, head, &mirrored(subject), subject.policy.revisions(), limit);
    if subject.is_modern() {
        transport::note_modern(broken, head);
    }
    let Checked { broken: by_arguments, is_stale, .. } = arguments(subject, head, None)?;
    if is_stale {
        return Some(by_arguments);
    }
    *broken = broken.union(by_arguments);
    None
}

fn mirrored<'s>(subject: &Subject<'s, 's>) -> Mirrored<'s> {
    Mirrored {
        envelope: subject.envelope,
        message: subject.message,
        is_modern: subject.is_modern(),
        agreed: subject.named.filter(|&named| subject.header == HeaderVersion::Known(named)),
        is_request: subject.kind == Kind::Request,
        needs_name: subject.name_source().is_some(),
        name: subject.name,
    }
}

/// The headers `Mcp-Param-*` against the arguments, if there is a table that
/// knows the tool. `wanted` is the rule whose fault is to be told.
#[inline]
fn arguments<'v>(
    subject: &Subject<'_, 'v>,
    head: &RequestHead<'v>,
    wanted: Option<Rule>,
) -> Option<Checked<'v>> {
    let table = head.table()?;
    if subject.envelope.called != Some(Method::ToolsCall) || !subject.is_modern_request() {
        return None;
    }
    let tool = reader::text(subject.message, subject.name)?;
    let (mut arguments, mut has_lookalike) = (Field::default(), false);
    for member in reader::params(subject.message, subject.envelope) {
        if member.name == *"arguments" {
            arguments = member.value;
        } else {
            has_lookalike |= param_headers::looks_like(member.name, "arguments");
        }
    }
    let received = Received {
        headers: head.params(),
        is_cut: head.has_too_many_params(),
        limit: subject.policy.limits().header_bytes,
        has_lookalike,
    };
    let (now, message) = (Instant::now, subject.message);
    Some(param_headers::check(table, now, tool, arguments, message, received, wanted))
}

/// Where `rule`, which message and head break together, is broken, and by what
/// values.
#[cold]
pub(crate) fn place<'v>(
    rule: Rule,
    subject: &Subject<'_, 'v>,
    head: &RequestHead<'v>,
) -> Option<(u32, Detail<'v>)> {
    let limit = subject.policy.limits().header_bytes;
    let root = subject.envelope.root.start;
    let evidence = headers::evidence(rule, head, subject.envelope, subject.name, limit);
    if let Some(headers::Evidence { header, value, body }) = evidence {
        // Only a mismatch is about both values.
        let body = match rule {
            Rule::VersionHeaderMissing
            | Rule::VersionHeaderMismatch
            | Rule::MethodHeaderMissing
            | Rule::MethodHeaderMismatch
            | Rule::NameHeaderMissing
            | Rule::NameHeaderMismatch => Place { start: body.start, end: body.end },
            _ => Place::default(),
        };
        let detail = Detail::Header { name: HeaderName::Known(header), value, body };
        return Some((body.start.max(root), detail));
    }
    let fault = arguments(subject, head, Some(rule))?.fault?;
    let argument = Place { start: fault.body.0, end: fault.body.1 };
    let body = match rule {
        Rule::ParamHeaderMissing | Rule::ParamHeaderMismatch => argument,
        _ => Place::default(),
    };
    let name = match fault.name {
        Name::Received(name) => HeaderName::Received(name),
        Name::Argument(name) => HeaderName::OfArgument(name.raw()),
    };
    let at = fault.offset.max(subject.envelope.params.start);
    Some((at, Detail::Header { name, value: fault.header, body }))
}
