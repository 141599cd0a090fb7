//! Whether every reader takes the same member for the one of some name.

use super::refused::{NotRewritable, Obstacle};
use crate::envelope::{Field, JsonType};
use crate::json::members::folds_to;
use crate::json::reader;

/// Whether the message itself has at most one member `name`, and none that
/// looks like it.
pub(super) fn in_message(message: &[u8], name: &'static str) -> Result<(), NotRewritable<'static>> {
    in_object(message, root(message), name).map_err(|obstacle| NotRewritable::new(name, obstacle))
}

/// The same of another object.
pub(super) fn in_object(message: &[u8], object: Field, name: &str) -> Result<(), Obstacle> {
    let mut is_seen = false;
    for member in reader::members(message, object) {
        if member.name == *name {
            if is_seen {
                return Err(Obstacle::Repeated);
            }
            is_seen = true;
        } else if folds_to(member.name.bytes(), name) {
            return Err(Obstacle::Lookalike);
        }
    }
    Ok(())
}

/// The object that an accepted message is, without what stands around it.
pub(super) fn root(message: &[u8]) -> Field {
    let place = |at: Option<usize>| u32::try_from(at.unwrap_or_default()).unwrap_or_default();
    let start = place(memchr::memchr(b'{', message));
    let end = place(memchr::memrchr(b'}', message).map(|at| at + 1));
    Field { json: JsonType::Object, start, end }
}
