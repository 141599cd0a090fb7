//! Whether the members of an object have the shape that a table asks for: what
//! the rules of params and those of results have in common.
//!
//! One pass over the members finds what is wrong; what to say of it is found by
//! a second one, once a message is refused.

use crate::envelope::{Field, JsonType, Sighting};
use crate::id;
use crate::json::reader::{self, Member};
use crate::method::RevisionSet;
use crate::rule::Rule;
use crate::shapes::{self, Shape, Takes};
use crate::text::Text;

/// What an object lacks or has wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    /// Of the wrong value, or of the name that should not be there; of the
    /// object if it lacks a member, of the message if it lacks the object.
    pub(crate) offset: u32,
    /// Empty where there is no object at all.
    pub(crate) member: &'static str,
    /// In words, after "must be".
    pub(crate) expected: &'static str,
    pub(crate) missing: bool,
}

/// What one pass over the members has found. A bit of `seen`, `wrong` and
/// `wrong_later` is a member of `shape`; of a member given twice the last one
/// counts.
pub(super) struct Pass {
    pub(super) shape: &'static Shape,
    /// Whether there is an object at all.
    pub(super) is_there: bool,
    seen: u16,
    wrong: u16,
    /// Wrong too where a later revision takes more.
    wrong_later: u16,
    /// A member of the shape that was given before.
    pub(super) repeated: Sighting,
}

impl Pass {
    /// `stranger` is called with each member that the shape does not have.
    #[inline]
    pub(super) fn over<'m>(
        shape: &'static Shape,
        is_there: bool,
        message: &[u8],
        members: impl Iterator<Item = Member<'m>>,
        mut stranger: impl FnMut(&Member<'m>),
    ) -> Self {
        let mut pass = Self {
            shape,
            is_there,
            seen: 0,
            wrong: 0,
            wrong_later: 0,
            repeated: Sighting::default(),
        };
        for given in members {
            let Some(at) = shape.position(given.name) else {
                stranger(&given);
                continue;
            };
            let Some(member) = shape.members.get(at) else { continue };
            let bit = 1 << at;
            if pass.seen & bit != 0 {
                pass.repeated.note(given.offset);
            }
            pass.seen |= bit;
            pass.wrong &= !bit;
            pass.wrong_later &= !bit;
            if !member.takes.has(message, given.value) {
                pass.wrong |= bit;
                let takes_later = |later: shapes::Later| later.takes.has(message, given.value);
                if !member.later.is_some_and(takes_later) {
                    pass.wrong_later |= bit;
                }
            }
        }
        pass
    }

    /// Whether the object has the shape in every revision there is.
    #[inline]
    pub(super) fn is_sound(&self) -> bool {
        let has_all = self.seen & self.shape.required == self.shape.required;
        self.wrong == 0 && has_all && (self.is_there || self.shape.needed.is_empty())
    }

    /// Whether the object breaks the shape in all `revisions`, of which there
    /// must be some.
    pub(super) fn breaks(&self, revisions: RevisionSet) -> bool {
        let mut broken = RevisionSet::EMPTY;
        if !self.is_there {
            broken = self.shape.needed;
        }
        for (at, member) in self.shape.members.iter().enumerate() {
            if self.seen >> at & 1 == 0 {
                broken = broken.union(member.required);
            } else if self.wrong >> at & 1 != 0 {
                broken = broken.union(self.wrong_in(at));
            }
        }
        !revisions.is_empty() && broken.intersection(revisions) == revisions
    }

    /// The revisions in which the value of this member, which is wrong in some,
    /// is wrong.
    fn wrong_in(&self, at: usize) -> RevisionSet {
        let Some(member) = self.shape.members.get(at) else { return RevisionSet::EMPTY };
        match member.later {
            Some(later) if self.wrong_later >> at & 1 == 0 => {
                member.defined.without_all(later.revisions)
            }
            _ => member.defined,
        }
    }

    /// The first fault in the newest of `revisions`: a wrong value, in the
    /// order of the text, else what is missing, in the order of the table.
    /// `start` is where the object starts, or the message if there is none.
    pub(super) fn fault<'m>(
        &self,
        rule: Rule,
        start: u32,
        message: &[u8],
        members: impl Iterator<Item = Member<'m>>,
        revisions: RevisionSet,
    ) -> Option<Fault> {
        let newest = revisions.newest().filter(|_| self.breaks(revisions))?;
        if !self.is_there && self.shape.needed.contains(newest) {
            let expected = Takes::Object.expected();
            return Some(Fault { rule, offset: start, member: "", expected, missing: true });
        }
        for given in members {
            let Some(at) = self.shape.position(given.name) else { continue };
            let Some(member) = self.shape.members.get(at) else { continue };
            let counts = self.wrong >> at & 1 != 0 && self.wrong_in(at).contains(newest);
            let takes = member.takes_in(newest);
            if counts && !takes.has(message, given.value) {
                let (offset, expected) = (given.value.start, takes.expected());
                return Some(Fault { rule, offset, member: member.name, expected, missing: false });
            }
        }
        let mut members = self.shape.members.iter().enumerate();
        let (_, member) = members
            .find(|(at, member)| self.seen >> at & 1 == 0 && member.required.contains(newest))?;
        let expected = member.takes_in(newest).expected();
        Some(Fault { rule, offset: start, member: member.name, expected, missing: true })
    }

    /// The member of the shape that was given twice.
    #[cold]
    pub(super) fn repetition<'m>(
        &self,
        mut members: impl Iterator<Item = Member<'m>>,
    ) -> Option<Fault> {
        let place = self.repeated.offset();
        let given = members.find(|given| given.offset as usize == place)?;
        let known = self.shape.members.get(self.shape.position(given.name)?)?;
        Some(Fault {
            rule: Rule::DuplicateMember,
            offset: given.offset,
            member: known.name,
            expected: "given once",
            missing: false,
        })
    }
}

impl Shape {
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
        self.types() >> value.json as u32 & 1 != 0
            && (self.is_of_type_alone() || self.has_closely(message, value))
    }

    /// A bit for each type that it takes values of: a table, so that no jump
    /// depends on the member.
    const fn types(self) -> u8 {
        use JsonType::{Array, Bool, Null, Number, Object, String};

        const fn of(types: &[JsonType]) -> u8 {
            match types {
                [] => 0,
                [first, rest @ ..] => 1 << *first as u32 | of(rest),
            }
        }
        match self {
            Self::Anything => u8::MAX,
            Self::Boolean => const { of(&[Bool]) },
            Self::String | Self::Word(_) => const { of(&[String]) },
            Self::Number | Self::Integer => const { of(&[Number]) },
            Self::IntegerOrNull => const { of(&[Number, Null]) },
            Self::StringOrInteger => const { of(&[String, Number]) },
            Self::Array => const { of(&[Array]) },
            Self::Object => const { of(&[Object]) },
            Self::ObjectOrArray => const { of(&[Object, Array]) },
            Self::ObjectOrNull => const { of(&[Object, Null]) },
        }
    }

    const fn is_of_type_alone(self) -> bool {
        !matches!(self, Self::Integer | Self::IntegerOrNull | Self::StringOrInteger | Self::Word(_))
    }

    /// Whether a value of a type that it takes is one of those that it takes.
    fn has_closely(self, message: &[u8], value: Field) -> bool {
        match self {
            Self::Word(list) => reader::text(message, value)
                .is_some_and(|text| list.words.iter().any(|word| text == **word)),
            _ => value.json != JsonType::Number || id::is_integral(value.of(message)),
        }
    }
}
