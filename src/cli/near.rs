//! What a person probably meant by a name that does not exist.

/// More letters than this are not looked at: no name of ours is that long.
const MOST: usize = 64;

/// The name that is nearest to `typed`, if any is near enough to be a slip.
pub(super) fn nearest<'n>(
    typed: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    nearest_few(typed, names).first().copied()
}

/// The names that are near to `typed`, at most three, the nearest first.
pub(super) fn nearest_few<'n>(
    typed: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Vec<&'n str> {
    let typed: String = typed.to_lowercase().replace('_', "-").chars().take(MOST).collect();
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let plain = name.to_lowercase().replace('_', "-");
            let slips = slips(&typed, &plain);
            let is_part = typed.len() > 3 && (plain.contains(&typed) || typed.contains(&plain));
            (slips <= 1 + typed.len() / 4 || is_part).then_some((slips, name))
        })
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters must be put in, taken out or changed to get from one to the
/// other (the Levenshtein distance), row by row.
fn slips(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut diagonal = at;
        let mut left = at + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&to) {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = *cell;
            left = changed.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (from, to, count) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(slips(from, to), count, "{from} {to}");
            assert_eq!(slips(to, from), count, "{from} {to}");
        }
    }

    #[test]
    fn a_slip_leads_to_the_name_that_was_meant() {
        let names = ["preset", "revisions", "result-types", "id-null", "id-type"];
        assert_eq!(nearest("presett", names), Some("preset"));
        assert_eq!(nearest("Result_Types", names), Some("result-types"));
        assert_eq!(nearest("xyz", names), None);
        assert_eq!(nearest_few("id-nul", names), ["id-null"]);
        assert_eq!(nearest(&"x".repeat(1000), names), None);
    }
}
