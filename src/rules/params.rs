//! The rules of params: whether they have the shape that the method asks for,
//! which of their members are given twice, and whether they answer what nobody
//! asked.
//!
//! One pass over the members finds all three; what to say of a fault is found
//! by a second one, once a message is refused or reported. One level deep: the
//! shapes are in `shapes.rs`.

use super::shape::{Fault, Pass};
use crate::envelope::{Envelope, Field, JsonType, Sighting};
use crate::json::reader;
use crate::kind::Kind;
use crate::method::{Method, RevisionSet};
use crate::rule::{Rule, RuleSet};
use crate::shapes::{self, Shape};
use crate::text::Text;

/// Notes the rules of this file that a message of `method` breaks:
/// `params-shape`, `duplicate-member` and `mrtr-params`.
///
/// `revisions` are those that the message may be of. It breaks the shape only
/// if it breaks that of all of them; those that do not have the method do not
/// count. Duplicates do not depend on the revision. Answers to questions are
/// only looked at if all `revisions` are modern.
#[inline]
pub(crate) fn note(
    message: &[u8],
    envelope: &Envelope,
    method: Method,
    revisions: RevisionSet,
    broken: &mut RuleSet,
) {
    let Given { pass, unasked } = Given::over(message, envelope, method);
    broken.note(Rule::ParamsShape, !pass.is_sound() && pass.breaks(of(method, revisions)));
    broken.note(Rule::DuplicateMember, pass.repeated.is_seen());
    broken.note(Rule::MrtrParams, unasked.is_seen() && has_unasked(method, revisions));
}

/// What [`note`] notes.
#[cfg(test)]
pub(crate) fn broken(
    message: &[u8],
    envelope: &Envelope,
    method: Method,
    revisions: RevisionSet,
) -> RuleSet {
    let mut broken = RuleSet::EMPTY;
    note(message, envelope, method, revisions, &mut broken);
    broken
}

/// What the params lack or have wrong by `params-shape`: [`note`] for callers
/// that ask for nothing else, which only tests are.
#[cfg(test)]
pub(crate) fn check(
    message: &[u8],
    envelope: &Envelope,
    method: Method,
    revisions: RevisionSet,
) -> Option<Fault> {
    let broken = broken(message, envelope, method, revisions);
    let is_broken = broken.contains(Rule::ParamsShape);
    is_broken.then(|| fault(Rule::ParamsShape, message, envelope, method, revisions)).flatten()
}

/// What there is to say of `rule`, one that [`note`] noted for the same
/// message; `None` if it is not broken.
#[cold]
pub(crate) fn fault(
    rule: Rule,
    message: &[u8],
    envelope: &Envelope,
    method: Method,
    revisions: RevisionSet,
) -> Option<Fault> {
    let Given { pass, unasked } = Given::over(message, envelope, method);
    let members = || reader::params(message, envelope);
    match rule {
        Rule::ParamsShape => {
            let start = envelope.params.start.max(envelope.root.start);
            pass.fault(rule, start, message, members(), of(method, revisions))
        }
        Rule::DuplicateMember => pass.repetition(members()),
        Rule::MrtrParams if has_unasked(method, revisions) => {
            let (offset, member) = members()
                .filter(|given| given.offset as usize == unasked.offset())
                .find_map(|given| Some((given.offset, answer(given.name)?)))?;
            Some(Fault { rule, offset, member, expected: "left out", missing: false })
        }
        _ => None,
    }
}

/// Those of `revisions` that have the method.
const fn of(method: Method, revisions: RevisionSet) -> RevisionSet {
    revisions.intersection(method.revisions().union(method.asked_in_results()))
}

/// `mrtr-params`: whether an answer on this method is to a question that no
/// server may have asked ([Supported Requests]).
///
/// [Supported Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests
fn has_unasked(method: Method, revisions: RevisionSet) -> bool {
    let is_modern = !revisions.is_empty() && revisions.intersection(RevisionSet::LEGACY).is_empty();
    is_modern && method.kind() == Kind::Request && !method.may_ask_for_input()
}

/// The member of this name that answers what an earlier result asked.
fn answer(name: Text<'_>) -> Option<&'static str> {
    ["inputResponses", "requestState"].into_iter().find(|answer| name == **answer)
}

/// What one pass over the params has found.
struct Given {
    pass: Pass,
    /// An answer that the shape does not have.
    unasked: Sighting,
}

impl Given {
    #[inline]
    fn over(message: &[u8], envelope: &Envelope, method: Method) -> Self {
        let mut unasked = Sighting::default();
        let shape = Shape::given(message, envelope, method);
        let is_there = envelope.params.json == JsonType::Object;
        let members = reader::params(message, envelope);
        let pass = Pass::over(shape, is_there, message, members, |given| {
            if answer(given.name).is_some() {
                unasked.note(given.offset);
            }
        });
        Self { pass, unasked }
    }
}

impl Shape {
    /// The shape that these params must have.
    #[inline]
    fn given(message: &[u8], envelope: &Envelope, method: Method) -> &'static Self {
        let shape = shapes::of(method);
        if shape.variant.is_none() { shape } else { shape.chosen(message, envelope) }
    }

    fn chosen(&'static self, message: &[u8], envelope: &Envelope) -> &'static Self {
        let Some(variant) = self.variant else { return self };
        let value = reader::params(message, envelope)
            .filter(|given| given.name == *variant.member)
            .fold(Field::default(), |_, given| given.value);
        let says_so = reader::text(message, value).is_some_and(|text| text == *variant.word);
        if says_so { variant.shape } else { self }
    }
}

#[cfg(test)]
mod tests;
