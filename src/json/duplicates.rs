//! Members given twice in any object of a message, however deep. Only looked
//! for when the policy asks, since it sorts all names.

use super::tape::Document;
use crate::envelope::Sighting;

/// The first name, in the order of the text, that its object gave before.
///
/// Allocates; takes O(n log n) in the members of the whole message.
pub(crate) fn first(document: &Document<'_>) -> Sighting {
    let mut names = Vec::new();
    document.for_each_name(|object, name, offset| names.push((object, name, offset)));
    names.sort_unstable();
    let repeated = names.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
    let mut sighting = Sighting::default();
    if let Some(offset) = repeated.map(|pair| pair[1].2).min() {
        sighting.note(offset);
    }
    sighting
}
