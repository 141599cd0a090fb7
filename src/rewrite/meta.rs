//! Changes to `_meta`: members replaced, taken out, and put in at the end, with
//! the commas that this asks for.
//!
//! ```text
//! { "a":1 , "b":2 , "c":3 }    without b, with d
//! { "a":1 ········, "c":3,"d":4 }
//! ```
//!
//! A member goes with the comma before it, and as long as none is kept, with the
//! one behind it.

use super::edits::Edits;
use super::refused::{NotRewritable, Obstacle};
use super::sole;
use crate::compose::Value;
use crate::envelope::{Field, JsonType};
use crate::json::members::{META, folds_to};
use crate::json::reader::{self, Member};
use crate::message::Places;
use crate::write;

/// The most keys that may be changed at once.
pub(super) const MOST: usize = 8;

/// What is to become of some keys of `_meta`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MetaChanges<'r> {
    changes: [Change<'r>; MOST],
    count: usize,
}

/// The value that a key is to have; without one it is taken out.
#[derive(Clone, Copy, Debug)]
struct Change<'r> {
    key: &'r str,
    value: Option<Value<'r>>,
}

impl<'r> MetaChanges<'r> {
    const EMPTY: Change<'r> = Change { key: "", value: None };
    pub(super) const NONE: Self = Self { changes: [Self::EMPTY; MOST], count: 0 };

    /// Beyond `MOST` only the last one's place is taken, to be named in the
    /// refusal.
    pub(super) fn push(&mut self, key: &'r str, value: Option<Value<'r>>) {
        let at = self.count.min(MOST - 1);
        self.changes[at] = Change { key, value };
        self.count = self.count.saturating_add(1);
    }

    /// Notes what this asks of the message.
    pub(super) fn edit(
        &self,
        message: &[u8],
        places: &Places,
        new: &mut Vec<u8>,
        edits: &mut Edits,
    ) -> Result<(), NotRewritable<'r>> {
        let Some(changes) = self.changes.get(..self.count) else {
            let last = self.changes[MOST - 1].key;
            return Err(NotRewritable::new(last, Obstacle::TooMany));
        };
        if changes.is_empty() {
            return Ok(());
        }
        fit_together(changes)?;
        let around = if places.is_answer { "result" } else { "params" };
        if places.is_ambiguous {
            sole::in_message(message, around)?;
            sole::in_object(message, places.around_meta, "_meta")
                .map_err(|obstacle| NotRewritable::new("_meta", obstacle))?;
        }
        match (places.around_meta.json, places.meta.json) {
            (_, JsonType::Object) => change(changes, message, places.meta, new, edits),
            (_, JsonType::Absent) if changes.iter().all(|change| change.value.is_none()) => Ok(()),
            (JsonType::Object, JsonType::Absent) => {
                append(message, places.around_meta, new, edits, |new| {
                    new.extend_from_slice(br#""_meta":{"#);
                    write_members(changes.iter(), new);
                    new.push(b'}');
                });
                Ok(())
            }
            (JsonType::Absent, _) if !places.is_answer => {
                append(message, sole::root(message), new, edits, |new| {
                    new.extend_from_slice(br#""params":{"_meta":{"#);
                    write_members(changes.iter(), new);
                    new.extend_from_slice(b"}}");
                });
                Ok(())
            }
            (JsonType::Absent, _) => Err(NotRewritable::new(around, Obstacle::Missing)),
            _ => Err(NotRewritable::new("_meta", Obstacle::NotObject)),
        }
    }
}

/// Whether the changes are for different keys, and none brings in a look-alike
/// of one that the protocol reads.
fn fit_together<'r>(changes: &[Change<'r>]) -> Result<(), NotRewritable<'r>> {
    for (at, change) in changes.iter().enumerate() {
        let refused = |obstacle| Err(NotRewritable::new(change.key, obstacle));
        let folds_to = |other: &str| folds_to(change.key.bytes(), other);
        let is_again = |other: &Change<'_>| {
            folds_to(other.key) || self::folds_to(other.key.bytes(), change.key)
        };
        if changes.iter().take(at).any(is_again) {
            return refused(Obstacle::ChangedTwice);
        }
        if META.iter().any(|known| *known != change.key && folds_to(known)) {
            return refused(Obstacle::Lookalike);
        }
    }
    Ok(())
}

/// Notes the changes to the members of an object.
fn change<'r>(
    changes: &[Change<'r>],
    message: &[u8],
    meta: Field,
    new: &mut Vec<u8>,
    edits: &mut Edits,
) -> Result<(), NotRewritable<'r>> {
    // By place in `changes`.
    let mut found = [false; MOST];
    // Where the members begin that go with the commas behind them.
    let mut going = None;
    let mut has_kept = false;
    let mut end = meta.start as usize + 1;
    for member in reader::members(message, meta) {
        let asked = asked(changes, &member, &mut found)?;
        let (start, behind) = (member.offset as usize, member.value.end as usize);
        match asked {
            Some(Change { value: None, .. }) if has_kept => edits.remove(end..behind),
            Some(Change { value: None, .. }) => going = going.or(Some(start)),
            _ => {
                if let Some(from) = going.take() {
                    edits.remove(from..start);
                }
                has_kept = true;
            }
        }
        if let Some(value) = asked.and_then(|change| change.value) {
            edits.replace(member.value, new, |new| value.write(new));
        }
        end = behind;
    }
    if let Some(from) = going {
        edits.remove(from..end);
    }
    let mut missing = changes.iter().zip(found).filter(|(_, found)| !found).map(|(asked, _)| asked);
    if missing.clone().any(|change| change.value.is_some()) {
        edits.insert(end, new, |new| {
            if has_kept {
                new.push(b',');
            }
            write_members(&mut missing, new);
        });
    }
    Ok(())
}

/// The change that is asked for of `member`. It must be the only member of its
/// name.
fn asked<'c, 'r>(
    changes: &'c [Change<'r>],
    member: &Member<'_>,
    found: &mut [bool; MOST],
) -> Result<Option<&'c Change<'r>>, NotRewritable<'r>> {
    let mut asked = None;
    for (change, found) in changes.iter().zip(found) {
        if member.name == *change.key {
            if *found {
                return Err(NotRewritable::new(change.key, Obstacle::Repeated));
            }
            *found = true;
            asked = Some(change);
        } else if folds_to(member.name.bytes(), change.key) {
            return Err(NotRewritable::new(change.key, Obstacle::Lookalike));
        }
    }
    Ok(asked)
}

/// Notes a member more at the end of `object`.
fn append(
    message: &[u8],
    object: Field,
    new: &mut Vec<u8>,
    edits: &mut Edits,
    write: impl FnOnce(&mut Vec<u8>),
) {
    let inside = object.of(message).strip_suffix(b"}").unwrap_or_default().trim_ascii_end();
    edits.insert(object.start as usize + inside.len(), new, |new| {
        if inside.len() > 1 {
            new.push(b',');
        }
        write(new);
    });
}

/// Writes the members that are to be there, with commas between them.
fn write_members<'c, 'r: 'c>(changes: impl Iterator<Item = &'c Change<'r>>, new: &mut Vec<u8>) {
    let mut is_first = true;
    for change in changes {
        let Some(value) = change.value else { continue };
        if !is_first {
            new.push(b',');
        }
        is_first = false;
        write::string(new, change.key);
        new.push(b':');
        value.write(new);
    }
}
