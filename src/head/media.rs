//! Media types in headers: the parts of a value, and whether an `Accept` covers
//! the two types that an MCP answer may have.

use super::copies::trim;

/// The parts of `value` between delimiters that stand in no quoted string,
/// without blanks around them ([RFC 9110, section 5.6.4]).
///
/// [RFC 9110, section 5.6.4]: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.4
pub(crate) fn parts(value: &[u8], delimiter: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(value);
    std::iter::from_fn(move || {
        let from = rest?;
        let end = end_of_part(from, delimiter);
        rest = from.get(end.saturating_add(1)..);
        from.get(..end).map(trim)
    })
}

#[inline]
fn end_of_part(value: &[u8], delimiter: u8) -> usize {
    match memchr::memchr2(delimiter, b'"', value) {
        Some(at) if value.get(at) == Some(&delimiter) => at,
        Some(_) => end_of_quoting_part(value, delimiter),
        None => value.len(),
    }
}

#[cold]
fn end_of_quoting_part(value: &[u8], delimiter: u8) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let is_end = |&byte: &u8| {
        let is_text = std::mem::take(&mut is_escaped);
        is_escaped = is_quoted && !is_text && byte == b'\\';
        is_quoted ^= !is_text && byte == b'"';
        byte == delimiter && !is_quoted
    };
    value.iter().position(is_end).unwrap_or(value.len())
}

/// The name and the value of a parameter, if it has one.
pub(crate) fn parameter(part: &[u8]) -> (&[u8], Option<&[u8]>) {
    match part.iter().position(|&byte| byte == b'=').and_then(|at| part.split_at_checked(at)) {
        Some((name, value)) => (trim(name), value.get(1..).map(trim)),
        None => (part, None),
    }
}

/// What the media ranges of `Accept`, seen so far, say of the two types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accepted {
    json: Cover,
    events: Cover,
}

/// What they say of one type. The range that names it closest decides
/// ([RFC 9110, section 12.5.1]).
///
/// [RFC 9110, section 12.5.1]: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cover {
    by: Closeness,
    is_accepted: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    #[default]
    Nothing,
    /// `*/*`
    Any,
    /// `text/*`
    Family,
    /// `text/event-stream`
    Itself,
}

impl Accepted {
    /// Notes the ranges of one copy of `Accept`.
    #[inline]
    pub(crate) fn note(&mut self, value: &[u8]) {
        // As most clients write it: seeing that costs a tenth of taking it apart.
        if value == b"application/json, text/event-stream" {
            let itself = Cover { by: Closeness::Itself, is_accepted: true };
            *self = Self { json: itself, events: itself };
        } else {
            self.note_ranges(value);
        }
    }

    fn note_ranges(&mut self, value: &[u8]) {
        for range in parts(value, b',') {
            let mut parts = parts(range, b';');
            let media_type = parts.next().unwrap_or_default();
            let is_accepted = !parts.any(is_zero_quality);
            self.json.note(media_type, [b"application/*", b"application/json"], is_accepted);
            self.events.note(media_type, [b"text/*", b"text/event-stream"], is_accepted);
        }
    }

    /// Whether JSON and event streams are both accepted.
    pub(crate) const fn has_both(self) -> bool {
        self.json.is_accepted && self.events.is_accepted
    }
}

impl Cover {
    fn note(&mut self, range: &[u8], [family, itself]: [&[u8]; 2], is_accepted: bool) {
        let by = if range.eq_ignore_ascii_case(itself) {
            Closeness::Itself
        } else if range.eq_ignore_ascii_case(family) {
            Closeness::Family
        } else if range == b"*/*" {
            Closeness::Any
        } else {
            return;
        };
        if by > self.by {
            *self = Self { by, is_accepted };
        } else if by == self.by {
            // The same range with other parameters, say.
            self.is_accepted |= is_accepted;
        }
    }
}

/// Whether a parameter of a range is `q=0`: not acceptable.
fn is_zero_quality(part: &[u8]) -> bool {
    let (name, value) = parameter(part);
    let is_zero = |value: &[u8]| {
        value.starts_with(b"0") && value.iter().all(|byte| matches!(byte, b'0' | b'.'))
    };
    name.eq_ignore_ascii_case(b"q") && value.is_some_and(is_zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(value: &str, delimiter: u8) -> Vec<&str> {
        parts(value.as_bytes(), delimiter).map(|part| std::str::from_utf8(part).unwrap()).collect()
    }

    #[test]
    fn a_delimiter_in_quotes_is_text() {
        assert_eq!(split("a; b ;\tc", b';'), ["a", "b", "c"]);
        assert_eq!(split("", b';'), [""]);
        assert_eq!(split(";", b';'), ["", ""]);
        assert_eq!(split(r#"a;x="b;c";d"#, b';'), ["a", r#"x="b;c""#, "d"]);
        assert_eq!(split(r#"x="\";y";z"#, b';'), [r#"x="\";y""#, "z"]);
        assert_eq!(split(r#"x="\\";y"#, b';'), [r#"x="\\""#, "y"]);
        assert_eq!(split(r#"x="open;y"#, b';'), [r#"x="open;y"#]);
        assert_eq!(split(r"a\;b", b';'), [r"a\", "b"]);
    }

    #[test]
    fn a_parameter_has_a_name_and_perhaps_a_value() {
        for (part, name, value) in [
            ("q=0.5", "q", Some("0.5")),
            ("q = 1", "q", Some("1")),
            ("x=a=b", "x", Some("a=b")),
            ("q=", "q", Some("")),
            ("q", "q", None),
            ("", "", None),
        ] {
            assert_eq!(
                parameter(part.as_bytes()),
                (name.as_bytes(), value.map(str::as_bytes)),
                "{part}"
            );
        }
    }

    fn accepts_both(copies: &[&str]) -> bool {
        let mut accepted = Accepted::default();
        for value in copies {
            accepted.note(value.as_bytes());
        }
        accepted.has_both()
    }

    #[test]
    fn both_types_must_be_covered() {
        for value in [
            "application/json, text/event-stream",
            "text/event-stream,application/json",
            "Application/JSON;q=0.1, TEXT/event-stream; q=1.000",
            "*/*",
            "text/html, */*;q=0.1",
            "application/*, text/*",
            "application/json, */*",
            "application/json;charset=utf-8, text/event-stream",
            ",, application/json ,text/event-stream,",
        ] {
            assert!(accepts_both(&[value]), "{value}");
        }
        for value in [
            "",
            "application/json",
            "text/event-stream",
            "text/*",
            "application/*",
            "application/json text/event-stream",
            "application/json; text/event-stream",
            r#"application/json; x=", text/event-stream""#,
            "application/jsonp, text/event-streams",
        ] {
            assert!(!accepts_both(&[value]), "{value}");
        }
    }

    #[test]
    fn the_usual_value_is_seen_as_what_it_says() {
        let usual = b"application/json, text/event-stream";
        for before in
            ["", "*/*", "*/*;q=0", "application/json;q=0", "text/*;q=0, text/event-stream;q=0"]
        {
            let mut at_once = Accepted::default();
            at_once.note(before.as_bytes());
            let mut apart = at_once;
            at_once.note(usual);
            apart.note_ranges(usual);
            assert_eq!(at_once, apart, "{before}");
        }
    }

    #[test]
    fn a_quality_of_zero_covers_nothing() {
        for quality in ["q=0", "Q=0", "q=0.", "q=0.0", "x=1;q=0.000"] {
            assert!(!accepts_both(&[&format!("application/json, text/event-stream;{quality}")]));
            assert!(!accepts_both(&[&format!("*/*;{quality}")]));
        }
        for quality in ["q=0.001", "q=1", "q=", "qq=0", "x=0"] {
            assert!(accepts_both(&[&format!("application/json, text/event-stream;{quality}")]));
        }
    }

    #[test]
    fn the_closest_range_decides() {
        assert!(!accepts_both(&["application/json;q=0, */*"]));
        assert!(!accepts_both(&["*/*, text/*;q=0"]));
        assert!(accepts_both(&["*/*;q=0, text/*, application/json"]));
        assert!(accepts_both(&["application/json;q=0, application/json, text/event-stream"]));
    }

    #[test]
    fn several_copies_are_one_list() {
        assert!(accepts_both(&["application/json", "text/event-stream"]));
        assert!(!accepts_both(&["application/json", "text/html"]));
    }
}
