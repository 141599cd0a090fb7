//! The places of a message where something else is to stand.

use std::ops::Range;

use super::meta;
use crate::envelope::Field;

/// What stands at `old` is replaced by what stands in the new text at `new`.
#[derive(Clone, Default)]
pub(super) struct Edit {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// The edits of one message, in the order of its text, none over another.
pub(super) struct Edits {
    edits: [Edit; Self::MOST],
    count: usize,
}

impl Edits {
    /// The id, the name, and each key of `_meta`; all that are inserted are one.
    pub(super) const MOST: usize = 2 + meta::MOST;
    const EMPTY: Edit = Edit { old: 0..0, new: 0..0 };
    pub(super) const NONE: Self = Self { edits: [Self::EMPTY; Self::MOST], count: 0 };

    /// Has what `write` appends to `new` stand where `old` stands.
    pub(super) fn replace(
        &mut self,
        old: Field,
        new: &mut Vec<u8>,
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        let before = new.len();
        write(new);
        self.note(Edit { old: old.start as usize..old.end as usize, new: before..new.len() });
    }

    /// Has nothing stand at `old`.
    pub(super) fn remove(&mut self, old: Range<usize>) {
        self.note(Edit { old, new: 0..0 });
    }

    /// Has what `write` appends to `new` stand before byte `at`, and behind all
    /// that was noted for there already.
    pub(super) fn insert(
        &mut self,
        at: usize,
        new: &mut Vec<u8>,
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        let before = new.len();
        write(new);
        self.note(Edit { old: at..at, new: before..new.len() });
    }

    /// Lays the edit in its place. There is room for every kind of change.
    fn note(&mut self, edit: Edit) {
        if self.count == Self::MOST {
            return;
        }
        let behind = |other: &Edit| other.old.start > edit.old.start;
        let known = &self.edits[..self.count];
        let at = known.iter().position(behind).unwrap_or(self.count);
        self.edits[self.count] = edit;
        self.edits[at..=self.count].rotate_right(1);
        self.count += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter().take(self.count)
    }
}
