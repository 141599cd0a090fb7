//! Where in the message a rule is broken, and what more there is to say of it:
//! worked out only once a message is refused.

use super::shape::Fault;
use super::subject::Subject;
use super::{answer, capability, envelope, metadata, mirrors, params, result, version};
use crate::head::RequestHead;
use crate::json::members;
use crate::rule::{Rule, Stage};
use crate::violation::Detail;

/// The offset of what a person should look at, and the detail.
#[cold]
pub(crate) fn place<'v>(
    rule: Rule,
    subject: &Subject<'_, 'v>,
    head: Option<&RequestHead<'v>>,
) -> (usize, Detail<'v>) {
    let by_head = || head.and_then(|head| mirrors::place(rule, subject, head));
    let of_params_alone = || (subject.envelope.params.start, Detail::Nothing);
    let of_method = || (subject.envelope.method.start, Detail::Nothing);
    let (offset, detail) = match rule.stage() {
        Stage::Version => version::detail(subject),
        Stage::Capability => match capability::missing(subject) {
            Some(capability) => {
                (subject.envelope.meta.client_capabilities.start, Detail::Capability(capability))
            }
            None => of_method(),
        },
        Stage::Headers => by_head().unwrap_or_else(of_method),
        Stage::Method => of_method(),
        Stage::Answer => of_result(rule, subject).unwrap_or_else(|| answer::place(rule, subject)),
        Stage::Params => of_params(rule, subject).unwrap_or_else(of_method),
        _ if is_beyond_the_lanes(rule, subject) => {
            let of_own_method = || {
                let by_name = match rule {
                    Rule::DuplicateMember => subject.name_repeated,
                    _ => subject.name_lookalike,
                };
                let offset = by_name.is_seen().then(|| by_name.offset())?;
                Some((u32::try_from(offset).ok()?, Detail::Nothing))
            };
            let of_argument = || Some((by_head()?.0, Detail::Nothing));
            let of_params = of_params(rule, subject).or_else(|| of_result(rule, subject));
            let found = of_params.or_else(of_own_method).or_else(of_argument);
            found.unwrap_or_else(of_params_alone)
        }
        _ if rule == Rule::NameTooLong => (subject.name.start, Detail::Nothing),
        _ => {
            let Some(offset) = metadata::offset(rule, subject) else {
                let offset = envelope::offset(rule, subject.envelope);
                return (offset, named(rule, subject.message, offset));
            };
            (offset, Detail::Nothing)
        }
    };
    (offset as usize, detail)
}

/// Which member of the protocol is meant, where its name or one that looks like
/// it stands at `offset`.
fn named(rule: Rule, message: &[u8], offset: usize) -> Detail<'static> {
    let (before, after) = match rule {
        Rule::DuplicateMember => {
            ("the member ", " is given twice, and readers differ in which one they take")
        }
        Rule::LookalikeMember => {
            ("a member's name looks like ", ", and lenient readers take it for that")
        }
        _ => return Detail::Nothing,
    };
    match members::nearest(message.get(offset..).unwrap_or_default()) {
        Some(name) => Detail::Named { before, name, after },
        None => Detail::Nothing,
    }
}

/// Whether the message is ambiguous in a place that the lanes do not watch.
fn is_beyond_the_lanes(rule: Rule, subject: &Subject<'_, '_>) -> bool {
    match rule {
        Rule::DuplicateMember => !subject.envelope.duplicate.is_seen(),
        Rule::LookalikeMember => !subject.envelope.lookalike.is_seen(),
        _ => false,
    }
}

fn of_params(rule: Rule, subject: &Subject<'_, '_>) -> Option<(u32, Detail<'static>)> {
    let method = subject.envelope.called?;
    let fault = params::fault(rule, subject.message, subject.envelope, method, subject.revisions)?;
    Some(of_fault("params", fault))
}

fn of_result(rule: Rule, subject: &Subject<'_, '_>) -> Option<(u32, Detail<'static>)> {
    Some(of_fault("result", result::fault(rule, subject)?))
}

fn of_fault(object: &'static str, fault: Fault) -> (u32, Detail<'static>) {
    let Fault { rule, offset, member, expected, missing: is_missing } = fault;
    let detail = match rule {
        Rule::ParamsShape | Rule::ResultShape => {
            Detail::Member { object, member, expected, is_missing }
        }
        _ => Detail::Nothing,
    };
    (offset, detail)
}
