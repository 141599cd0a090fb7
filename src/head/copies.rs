//! One header of a request: the value of its first copy, and whether further
//! ones say the same. What follows from that is for the rules to say.

/// The copies of one header. A header that is given once has one copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Copies<'h> {
    first: Option<&'h [u8]>,
    /// A further copy equals the first.
    equal: bool,
    /// A further copy does not.
    different: bool,
}

impl<'h> Copies<'h> {
    /// The value of the first copy, as received but for blanks around it.
    #[inline]
    pub(crate) const fn first(self) -> Option<&'h [u8]> {
        self.first
    }

    /// The same if there is no further copy.
    #[inline]
    pub(crate) fn only(self) -> Option<&'h [u8]> {
        self.first.filter(|_| !self.equal && !self.different)
    }

    #[inline]
    pub(crate) const fn is_present(self) -> bool {
        self.first.is_some()
    }

    /// Whether a further copy equals the first.
    #[inline]
    pub(crate) const fn has_equal(self) -> bool {
        self.equal
    }

    /// Whether a further copy differs from the first.
    #[inline]
    pub(crate) const fn has_different(self) -> bool {
        self.different
    }

    /// What the first copy says, where a comma joins copies.
    #[inline]
    pub(super) fn first_part(self) -> Option<&'h [u8]> {
        self.first.and_then(|first| parts(first).next())
    }

    /// Notes a copy.
    #[inline]
    pub(super) fn note(&mut self, value: &'h [u8]) {
        match self.first {
            Some(first) => self.compare(first, value),
            None => self.first = Some(value),
        }
    }

    /// Notes what may be several copies that somebody on the way has joined
    /// with commas, as [RFC 9110, section 5.3] lets them.
    ///
    /// [RFC 9110, section 5.3]: https://www.rfc-editor.org/rfc/rfc9110#section-5.3
    #[inline]
    pub(super) fn note_joined(&mut self, value: &'h [u8]) {
        if self.first.is_none() {
            self.first = Some(value);
            if memchr::memchr(b',', value).is_some() {
                self.compare_parts(parts(value).skip(1));
            }
        } else {
            self.compare_parts(parts(value));
        }
    }

    #[cold]
    fn compare_parts(&mut self, further: impl Iterator<Item = &'h [u8]>) {
        let first = self.first_part().unwrap_or_default();
        further.for_each(|part| self.compare(first, part));
    }

    fn compare(&mut self, first: &[u8], further: &[u8]) {
        let is_equal = first == further;
        self.equal |= is_equal;
        self.different |= !is_equal;
    }
}

fn parts(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(trim)
}

/// `value` without the spaces and tabs around it. No other blank is one in a
/// header ([RFC 9110, section 5.6.3]).
///
/// [RFC 9110, section 5.6.3]: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.3
#[inline]
pub(crate) fn trim(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(
        values: &[&'static str],
        note: fn(&mut Copies<'static>, &'static [u8]),
    ) -> Copies<'static> {
        let mut copies = Copies::default();
        for value in values {
            note(&mut copies, value.as_bytes());
        }
        copies
    }

    #[test]
    fn further_copies_are_compared_with_the_first() {
        for (values, equal, different) in [
            (&[][..], false, false),
            (&["a"][..], false, false),
            (&["a", "a"][..], true, false),
            (&["a", "b"][..], false, true),
            (&["a", "b", "a"][..], true, true),
            (&["", ""][..], true, false),
            (&["a", "A"][..], false, true),
            (&["a, a"][..], false, false),
        ] {
            let copies = noted(values, Copies::note);
            assert_eq!(copies.first(), values.first().map(|first| first.as_bytes()), "{values:?}");
            assert_eq!(copies.has_equal(), equal, "{values:?}");
            assert_eq!(copies.has_different(), different, "{values:?}");
        }
    }

    #[test]
    fn joined_copies_are_copies() {
        for (values, first, equal, different) in [
            (&["a"][..], "a", false, false),
            (&["a, a"][..], "a", true, false),
            (&["a\t,a ,  a"][..], "a", true, false),
            (&["a,b"][..], "a", false, true),
            (&["a, a", "a"][..], "a", true, false),
            (&["a", "a,b"][..], "a", true, true),
            (&["a,b", "b"][..], "a", false, true),
            // An empty part says something else than the first.
            (&["a,"][..], "a", false, true),
            (&[",a"][..], "", false, true),
            (&[","][..], "", true, false),
        ] {
            let copies = noted(values, Copies::note_joined);
            assert_eq!(copies.first(), Some(values[0].as_bytes()), "{values:?}");
            assert_eq!(copies.first_part(), Some(first.as_bytes()), "{values:?}");
            assert_eq!(copies.has_equal(), equal, "{values:?}");
            assert_eq!(copies.has_different(), different, "{values:?}");
        }
    }

    #[test]
    fn only_spaces_and_tabs_are_trimmed() {
        for (value, trimmed) in [
            (" \ta b\t ", "a b"),
            ("", ""),
            (" \t", ""),
            ("\u{b}a\r", "\u{b}a\r"),
            ("\u{a0}a\u{2003}", "\u{a0}a\u{2003}"),
        ] {
            assert_eq!(trim(value.as_bytes()), trimmed.as_bytes(), "{value:?}");
        }
    }
}
