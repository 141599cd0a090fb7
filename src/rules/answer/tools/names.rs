//! The names of one list of tools, to tell whether one comes twice.
//!
//! A table of places in the message, by the hash of the name that stands there,
//! open to the next free place: it has a fixed size and allocates nothing. The
//! hash has a key of its own each time, so that no server can choose names that
//! meet in one place.

use std::hash::{BuildHasher as _, RandomState};

use crate::envelope::{Field, JsonType};
use crate::json::reader;

/// How many names are compared. What comes behind them is not judged.
pub(super) const MOST_NAMES: usize = 1024;
/// Never more than half full, so that a free place is close. A power of two.
const PLACES: usize = 2 * MOST_NAMES;

pub(super) struct Names<'m> {
    message: &'m [u8],
    key: RandomState,
    /// Where a name starts and ends; a name never ends at 0.
    places: [(u32, u32); PLACES],
    count: usize,
}

impl<'m> Names<'m> {
    pub(super) fn new(message: &'m [u8]) -> Self {
        Self { message, key: RandomState::new(), places: [(0, 0); PLACES], count: 0 }
    }

    /// Adds a name, if it is a string. Whether it is new, as far as is known.
    pub(super) fn add(&mut self, name: Field) -> bool {
        let Some(text) = reader::text(self.message, name) else { return true };
        if self.count == MOST_NAMES {
            return true;
        }
        self.count += 1;
        let hash = usize::try_from(self.key.hash_one(text) % PLACES as u64).unwrap_or(0);
        for at in hash..hash + PLACES {
            let Some(place) = self.places.get_mut(at % PLACES) else { break };
            let (start, end) = *place;
            if end == 0 {
                *place = (name.start, name.end);
                return true;
            }
            let other = Field { json: JsonType::String, start, end };
            if reader::text(self.message, other) == Some(text) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each of the strings is new.
    fn added(list: &str) -> Vec<bool> {
        let end = u32::try_from(list.len()).unwrap();
        let array = Field { json: JsonType::Array, start: 0, end };
        let mut names = Names::new(list.as_bytes());
        reader::elements(list.as_bytes(), array).map(|name| names.add(name)).collect()
    }

    #[test]
    fn names_are_compared_as_they_decode_and_by_case() {
        let new = added(r#"["a","A","b","\u0061","b","",7,7,null,""]"#);
        let expected = [true, true, true, false, false, true, true, true, true, false];
        assert_eq!(new, expected);
    }

    #[test]
    fn the_first_1024_names_are_compared_and_no_more() {
        for (others, is_new) in [(MOST_NAMES - 2, false), (MOST_NAMES - 1, true), (9999, true)] {
            let many: Vec<_> = (0..others).map(|at| format!("\"n{at}\"")).collect();
            let new = added(&format!("[\"x\",{},\"x\"]", many.join(",")));
            assert_eq!(new.last(), Some(&is_new), "{others}");
            assert!(new[..=others].iter().all(|&is_new| is_new));
        }
    }
}
