//! Members given twice in any object of a message, however deep. Only looked
//! for when the policy asks, since it sorts the names of every object.

use super::tape::Document;
use crate::envelope::Sighting;

/// The first object, in the order of the text, that gives a member twice: the
/// place of a repeated member's name.
///
/// Allocates; takes O(n log n) in the members of each object.
pub(crate) fn first(document: &Document<'_>) -> Sighting {
    let mut sighting = Sighting::default();
    document.for_each_object(|object| {
        let mut names = Vec::new();
        document.for_each_member(object, |member| names.push((member.name, member.offset)));
        names.sort_unstable();
        let repeated = names.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        if let Some(at) = repeated.map(|pair| pair[1].1).min() {
            sighting.note(at);
        }
    });
    sighting
}
