//! Whether a result has the shape that the method of its request gives
//! ([Result Responses]), and which of its members are given twice.
//!
//! One level deep, like params: the shapes are in `shapes.rs`.
//!
//! [Result Responses]: https://modelcontextprotocol.io/specification/2026-07-28/basic#result-responses

use super::answer::ResultType;
use super::shape::{Fault, Pass};
use super::subject::Subject;
use crate::envelope::JsonType;
use crate::json::reader;
use crate::kind::Kind;
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;
use crate::rule::{Rule, RuleSet};
use crate::shapes::{self, Shape};

/// The rules of this file that an answer breaks: `result-shape` and
/// `duplicate-member`.
///
/// The shape is broken only if that of all revisions is that the request may be
/// of; those that do not have the method do not count.
#[inline]
pub(super) fn broken(subject: &Subject<'_, '_>) -> RuleSet {
    let mut broken = RuleSet::EMPTY;
    let Some((method, shape)) = expected(subject) else { return broken };
    let pass = over(subject, shape);
    let is_broken =
        !pass.is_sound() && pass.breaks(of(method, subject.revisions)) && !is_task(subject, method);
    broken.note(Rule::ResultShape, is_broken);
    broken.note(Rule::DuplicateMember, pass.repeated.is_seen());
    broken
}

/// What there is to say of `rule`, one that [`broken`] gave for the same answer;
/// `None` if it is not broken.
#[cold]
pub(super) fn fault(rule: Rule, subject: &Subject<'_, '_>) -> Option<Fault> {
    let (method, shape) = expected(subject)?;
    let pass = over(subject, shape);
    let Subject { message, envelope, revisions, .. } = *subject;
    let members = || reader::result(message, envelope);
    match rule {
        Rule::ResultShape => {
            let start = envelope.result.start;
            pass.fault(rule, start, message, members(), of(method, revisions))
        }
        Rule::DuplicateMember => pass.repetition(members()),
        _ => None,
    }
}

/// The method that a result answers, and the shape that it must have; `None` if
/// nothing is known of it. What is no request has no result.
fn expected(subject: &Subject<'_, '_>) -> Option<(Method, &'static Shape)> {
    let to = subject.to.filter(|to| to.kind() == Kind::Request)?;
    let method = to.method().filter(|_| subject.kind == Kind::Result)?;
    if subject.is_legacy() {
        return Some((method, shapes::of_result(method)));
    }
    match ResultType::of(subject) {
        ResultType::Missing | ResultType::Complete => Some((method, shapes::of_result(method))),
        ResultType::InputRequired => Some((method, shapes::INPUT_REQUIRED)),
        ResultType::Task | ResultType::OfPolicy | ResultType::Unknown => None,
    }
}

#[inline]
fn over(subject: &Subject<'_, '_>, shape: &'static Shape) -> Pass {
    let members = reader::result(subject.message, subject.envelope);
    Pass::over(shape, true, subject.message, members, |_| {})
}

/// Those of `revisions` that have the method.
const fn of(method: Method, revisions: RevisionSet) -> RevisionSet {
    revisions.intersection(method.revisions())
}

/// Whether it may be that of a request which asked to be run as a task, as the
/// experimental tasks of 2025-11-25 have it ([Creating Tasks]).
///
/// [Creating Tasks]: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#creating-tasks
#[cold]
fn is_task(subject: &Subject<'_, '_>, method: Method) -> bool {
    let may_be = matches!(
        method,
        Method::ToolsCall | Method::SamplingCreateMessage | Method::ElicitationCreate
    );
    let has_task = || {
        reader::result(subject.message, subject.envelope)
            .any(|member| member.name == *"task" && member.value.json == JsonType::Object)
    };
    may_be && subject.revisions.contains(Revision::V2025_11_25) && has_task()
}
