//! A bounded table: what is kept by a fingerprint, in order of age.

/// Where an entry stands. Good until the entry is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

#[derive(Clone, Copy)]
struct Key {
    fingerprint: u64,
    slot: Slot,
}

/// Up to `most` entries. Fingerprints stand apart from the entries, so that a
/// search runs over few and close bytes, and a removal moves no entry.
pub(super) struct Table<T> {
    /// Of the entries, the oldest first.
    keys: Vec<Key>,
    /// As many as `keys` and `free` together, `most` at the most. What stands in
    /// a free slot means nothing.
    entries: Vec<T>,
    free: Vec<Slot>,
    most: usize,
}

impl<T: Copy> Table<T> {
    /// An empty table, which takes up nothing yet.
    pub(super) const fn new(most: usize) -> Self {
        Self { keys: Vec::new(), entries: Vec::new(), free: Vec::new(), most }
    }

    pub(super) fn is_full(&self) -> bool {
        self.keys.len() >= self.most
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The entries, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.keys.iter().filter_map(|key| self.get(key.slot))
    }

    /// The entries under `fingerprint`, the oldest first.
    pub(super) fn all(&self, fingerprint: u64) -> impl Iterator<Item = (Slot, &T)> {
        let under = self.keys.iter().filter(move |key| key.fingerprint == fingerprint);
        under.filter_map(|key| Some((key.slot, self.get(key.slot)?)))
    }

    /// The oldest entry under `fingerprint`.
    pub(super) fn find(&self, fingerprint: u64) -> Option<(Slot, &T)> {
        self.all(fingerprint).next()
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&T> {
        self.entries.get(slot.0 as usize)
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut T> {
        self.entries.get_mut(slot.0 as usize)
    }

    /// Adds an entry, unless the table is full.
    pub(super) fn add(&mut self, fingerprint: u64, entry: T) -> Option<Slot> {
        if self.is_full() {
            return None;
        }
        let slot = if let Some(slot) = self.free.pop() {
            *self.get_mut(slot)? = entry;
            slot
        } else {
            let slot = Slot(u32::try_from(self.entries.len()).ok()?);
            self.entries.push(entry);
            slot
        };
        self.keys.push(Key { fingerprint, slot });
        Some(slot)
    }

    /// Puts an entry in the place of all others under `fingerprint`. If the
    /// table is full, the oldest entry goes.
    pub(super) fn replace(&mut self, fingerprint: u64, entry: T) {
        self.forget(fingerprint);
        self.push(fingerprint, entry);
    }

    /// Adds an entry. If the table is full, the oldest entry goes.
    pub(super) fn push(&mut self, fingerprint: u64, entry: T) {
        if self.is_full()
            && let Some(oldest) = self.keys.first()
        {
            self.remove(oldest.slot);
        }
        self.add(fingerprint, entry);
    }

    /// Removes an entry.
    pub(super) fn remove(&mut self, slot: Slot) -> Option<T> {
        let at = self.keys.iter().position(|key| key.slot == slot)?;
        self.keys.remove(at);
        self.free.push(slot);
        self.get(slot).copied()
    }

    /// Removes all entries under `fingerprint`.
    pub(super) fn forget(&mut self, fingerprint: u64) {
        while let Some((slot, _)) = self.find(fingerprint) {
            self.remove(slot);
        }
    }

    /// Removes the entries that `goes` names.
    pub(super) fn remove_if(&mut self, goes: impl Fn(&T) -> bool) {
        let Self { keys, entries, free, .. } = self;
        keys.retain(|key| {
            let is_kept = !entries.get(key.slot.0 as usize).is_some_and(&goes);
            if !is_kept {
                free.push(key.slot);
            }
            is_kept
        });
    }

    /// Removes all entries. The room stays.
    pub(super) fn clear(&mut self) {
        self.remove_if(|_| true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_takes_no_more_until_something_goes() {
        let mut table = Table::new(2);
        let first = table.add(7, 'a').unwrap();
        assert!(table.add(7, 'b').is_some() && table.is_full());
        assert!(table.add(8, 'c').is_none());
        assert_eq!(table.remove(first), Some('a'));
        assert_eq!(table.remove(first), None);
        assert!(table.add(8, 'c').is_some());
        assert!(table.iter().eq(&['b', 'c']), "the oldest first");
        assert_eq!(table.entries.len(), 2);
    }

    #[test]
    fn a_table_that_forgets_forgets_the_oldest() {
        let mut table = Table::new(2);
        table.push(1, 'a');
        table.push(2, 'b');
        table.push(3, 'c');
        assert!(table.iter().eq(&['b', 'c']));
        table.replace(2, 'd');
        assert!(table.iter().eq(&['c', 'd']), "what was replaced is new");
        assert!(table.find(1).is_none());
        table.clear();
        assert!(table.is_empty() && table.entries.len() == 2);
    }

    #[test]
    fn a_table_of_nothing_holds_nothing() {
        let mut table = Table::new(0);
        table.push(1, 'a');
        assert!(table.is_empty() && table.is_full() && table.add(1, 'a').is_none());
    }
}
