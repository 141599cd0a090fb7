//! Text from a peer, made safe for a terminal.
//!
//! A captured message may hold escape sequences that move the cursor or set
//! the window's title, and characters that turn the reading direction around,
//! so that a log shows what is not in it. They are shown by number instead.
//! Nothing here is for JSON output, which has its own escapes.

use std::fmt::{self, Write};

/// Shows at most so many characters of a text, and no character that acts on
/// the terminal or cannot be seen.
#[derive(Clone, Copy)]
pub(super) struct Safe<'t> {
    text: &'t str,
    most: usize,
}

impl<'t> Safe<'t> {
    pub(super) const fn new(text: &'t str, most: usize) -> Self {
        Self { text, most }
    }
}

impl fmt::Display for Safe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.text.chars();
        for shown in rest.by_ref().take(self.most) {
            if is_unsafe(shown) {
                write!(f, "{}", shown.escape_unicode())?;
            } else {
                f.write_char(shown)?;
            }
        }
        if rest.as_str().is_empty() { Ok(()) } else { f.write_char('\u{2026}') }
    }
}

/// Controls of the terminal (C0, DEL, C1), line and paragraph separators,
/// marks and overrides of the reading direction, and what has no shape at all.
fn is_unsafe(shown: char) -> bool {
    shown.is_control()
        || matches!(
            shown,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_shown_by_number() {
        let hostile = "a\x1b[31m\r\n\x7f\u{9b}2J\u{202e}b\u{2066}\u{200b}";
        assert_eq!(
            Safe::new(hostile, 99).to_string(),
            r"a\u{1b}[31m\u{d}\u{a}\u{7f}\u{9b}2J\u{202e}b\u{2066}\u{200b}"
        );
    }

    #[test]
    fn ordinary_text_is_shown_as_it_is() {
        for text in ["", "tools/call", "caf\u{e9} \u{65e5}\u{672c} \u{1f389}", r#""a\u0041""#] {
            assert_eq!(Safe::new(text, 99).to_string(), text);
        }
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(Safe::new("abc", 3).to_string(), "abc");
        assert_eq!(Safe::new("abcd", 3).to_string(), "abc\u{2026}");
    }
}
