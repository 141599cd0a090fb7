//! The rules of params: whether they have the shape that the method asks for,
//! which of their members are given twice, and whether they answer what nobody
//! asked.
//!
//! One pass over the members finds all three; what to say of a fault is found
//! by a second one, once a message is refused or reported. One level deep: the
//! shapes are in `shapes.rs`.

use crate::envelope::{Envelope, Field, JsonType, Sighting};
use crate::id::Decimal;
use crate::json::reader;
use crate::kind::Kind;
use crate::method::{Method, RevisionSet};
use crate::rule::{Rule, RuleSet};
use crate::shapes::{self, Shape, Takes};
use crate::text::Text;

/// What the params lack or have wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    /// Of the wrong value, or of the name that should not be there; of the
    /// params if they lack a member, of the message if it lacks params.
    pub(crate) offset: u32,
    /// Empty where there are no `params` at all.
    pub(crate) member: &'static str,
    /// In words, after "must be".
    pub(crate) expected: &'static str,
    pub(crate) missing: bool,
}

/// The rules of this file that a message of `method` breaks: `params-shape`,
/// `duplicate-member` and `mrtr-params`.
///
/// `revisions` are those that the message may be of. It breaks the shape only
/// if it breaks that of all of them; those that do not have the method do not
/// count. Duplicates do not depend on the revision. Answers to questions are
/// only looked at if all `revisions` are modern.
#[inline]
pub(crate) fn broken(
    message: &[u8],
    envelope: &Envelope,
    method: Method,
    revisions: RevisionSet,
) -> RuleSet {
    let pass = Pass::over(message, envelope, method);
    let mut broken = RuleSet::EMPTY;
    broken.note(Rule::ParamsShape, !pass.is_sound() && pass.breaks(of(method, revisions)));
    broken.note(Rule::DuplicateMember, pass.repeated.is_seen());
    broken.note(Rule::MrtrParams, pass.unasked.is_seen() && has_unasked(method, revisions));
    broken
}

/// What the params lack or have wrong by `params-shape`: [`broken`] for callers
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

/// What there is to say of `rule`, one that [`broken`] gave for the same
/// message; `None` if it is not broken.
#[cold]
pub(crate) fn fault(
    rule: Rule,
    message: &[u8],
    envelope: &Envelope,
    method: Method,
    revisions: RevisionSet,
) -> Option<Fault> {
    let pass = Pass::over(message, envelope, method);
    match rule {
        Rule::ParamsShape => pass.fault(message, envelope, of(method, revisions)),
        Rule::DuplicateMember => {
            let member = |name| pass.shape.members.get(pass.shape.position(name)?);
            let known = reader::params(message, envelope)
                .filter(|given| given.offset as usize == pass.repeated.offset())
                .find_map(|given| member(given.name))?;
            let offset = place(pass.repeated);
            Some(Fault { rule, offset, member: known.name, expected: "given once", missing: false })
        }
        Rule::MrtrParams if has_unasked(method, revisions) => {
            let (offset, member) = reader::params(message, envelope)
                .filter(|given| given.offset as usize == pass.unasked.offset())
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

fn place(sighting: Sighting) -> u32 {
    u32::try_from(sighting.offset()).unwrap_or(u32::MAX)
}

/// What one pass over the members has found. A bit of `seen` and `wrong` is a
/// member of `shape`; of a member given twice the last one counts.
struct Pass {
    shape: &'static Shape,
    has_params: bool,
    seen: u16,
    wrong: u16,
    /// A member of the shape that was given before.
    repeated: Sighting,
    /// An answer that the shape does not have.
    unasked: Sighting,
}

impl Pass {
    #[inline]
    fn over(message: &[u8], envelope: &Envelope, method: Method) -> Self {
        let mut pass = Self {
            shape: Shape::given(message, envelope, method),
            has_params: envelope.params.json == JsonType::Object,
            seen: 0,
            wrong: 0,
            repeated: Sighting::default(),
            unasked: Sighting::default(),
        };
        for given in reader::params(message, envelope) {
            let Some(at) = pass.shape.position(given.name) else {
                if answer(given.name).is_some() {
                    pass.unasked.note(given.offset);
                }
                continue;
            };
            let Some(member) = pass.shape.members.get(at) else { continue };
            let bit = 1 << at;
            if pass.seen & bit != 0 {
                pass.repeated.note(given.offset);
            }
            pass.seen |= bit;
            pass.wrong &= !bit;
            if !member.takes.has(message, given.value) {
                pass.wrong |= bit;
            }
        }
        pass
    }

    /// Whether the params have the shape in every revision there is.
    #[inline]
    fn is_sound(&self) -> bool {
        let has_all = self.seen & self.shape.required == self.shape.required;
        self.wrong == 0 && has_all && (self.has_params || self.shape.needed.is_empty())
    }

    /// Whether the params break the shape in all `revisions`, of which there
    /// must be some.
    fn breaks(&self, revisions: RevisionSet) -> bool {
        let mut broken = RevisionSet::EMPTY;
        if !self.has_params {
            broken = self.shape.needed;
        }
        for (at, member) in self.shape.members.iter().enumerate() {
            if self.seen >> at & 1 == 0 {
                broken = broken.union(member.required);
            } else if self.wrong >> at & 1 != 0 {
                broken = broken.union(member.defined);
            }
        }
        !revisions.is_empty() && broken.intersection(revisions) == revisions
    }

    /// The first fault in the newest of `revisions`: a wrong value, in the
    /// order of the text, else what is missing, in the order of the table.
    fn fault(&self, message: &[u8], envelope: &Envelope, revisions: RevisionSet) -> Option<Fault> {
        let rule = Rule::ParamsShape;
        let newest = revisions.newest().filter(|_| self.breaks(revisions))?;
        if !self.has_params && self.shape.needed.contains(newest) {
            let (offset, expected) = (envelope.root.start, Takes::Object.expected());
            return Some(Fault { rule, offset, member: "", expected, missing: true });
        }
        for given in reader::params(message, envelope) {
            let Some(at) = self.shape.position(given.name) else { continue };
            let Some(member) = self.shape.members.get(at) else { continue };
            let counts = self.wrong >> at & 1 != 0 && member.defined.contains(newest);
            if counts && !member.takes.has(message, given.value) {
                let (offset, expected) = (given.value.start, member.takes.expected());
                return Some(Fault { rule, offset, member: member.name, expected, missing: false });
            }
        }
        let mut members = self.shape.members.iter().enumerate();
        let (_, member) = members
            .find(|(at, member)| self.seen >> at & 1 == 0 && member.required.contains(newest))?;
        let offset = envelope.params.start.max(envelope.root.start);
        let expected = member.takes.expected();
        Some(Fault { rule, offset, member: member.name, expected, missing: true })
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

    /// Where in the table the member of this name is.
    #[inline]
    fn position(&self, name: Text<'_>) -> Option<usize> {
        // No name of a table holds a backslash, so what is found as it stands
        // is not escaped.
        let plain = self.members.iter().position(|member| member.name.as_bytes() == name.raw());
        if plain.is_none() && name.is_escaped() { self.position_of_escaped(name) } else { plain }
    }

    #[cold]
    fn position_of_escaped(&self, name: Text<'_>) -> Option<usize> {
        self.members.iter().position(|member| name == *member.name)
    }
}

impl Takes {
    #[inline]
    fn has(self, message: &[u8], value: Field) -> bool {
        use JsonType::{Array, Null, Number, Object, String};

        let is_integral = || Decimal::new(value.of(message)).is_integral();
        match self {
            Self::Anything => true,
            Self::String => value.json == String,
            Self::Number => value.json == Number,
            Self::Integer => value.json == Number && is_integral(),
            Self::IntegerOrNull => value.json == Null || value.json == Number && is_integral(),
            Self::StringOrInteger => value.json == String || value.json == Number && is_integral(),
            Self::Array => value.json == Array,
            Self::Object => value.json == Object,
            Self::ObjectOrNull => matches!(value.json, Object | Null),
            Self::Word(list) => reader::text(message, value)
                .is_some_and(|text| list.words.iter().any(|word| text == **word)),
        }
    }
}

#[cfg(test)]
mod tests;
