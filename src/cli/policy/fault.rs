//! What is wrong with a policy file, where, and what would be right.

use std::fmt;
use std::ops::Range;

use super::super::near::nearest;
use super::super::safe::Safe;

/// The most characters that are shown of what the file holds.
const MOST_SHOWN: usize = 80;

/// One fault; the first one found.
#[derive(Debug)]
pub(in super::super) struct Fault {
    /// Of the key or the value, in bytes of the file.
    at: usize,
    said: String,
}

impl Fault {
    pub(super) fn new(at: &Range<usize>, said: impl Into<String>) -> Self {
        Self { at: at.start, said: said.into() }
    }

    /// A name that is none of `names`, which are all that there are.
    pub(super) fn unknown<'n>(
        at: &Range<usize>,
        what: &str,
        typed: &str,
        names: impl IntoIterator<Item = &'n str> + Clone,
    ) -> Self {
        let shown = Safe::new(typed, MOST_SHOWN);
        let advice = match nearest(typed, names.clone()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("it may be {}", list(names)),
        };
        Self::new(at, format!("there is no {what} \"{shown}\"; {advice}"))
    }

    /// What the TOML reader says of `text`, in the words of [`Fault::unknown`]
    /// where it is a name that does not exist.
    pub(super) fn of_toml(error: &toml::de::Error, text: &str) -> Self {
        let at = error.span().unwrap_or_default();
        // serde names what it does not know, then what it knows, in backquotes.
        let mut quoted = error.message().split('`').skip(1).step_by(2);
        let what = match error.message() {
            message if message.starts_with("unknown field") => "key",
            message if message.starts_with("unknown variant") => "value",
            message => {
                let said = match message {
                    "wanted string or table" => "it must be a string".to_owned(),
                    message => message.replace('\n', ", ").replace('`', "\""),
                };
                let key = key_at(text, at.start).map(|key| format!("\"{key}\": "));
                let said = key.unwrap_or_default() + &said;
                return Self::new(&at, Safe::new(&said, 4 * MOST_SHOWN).to_string());
            }
        };
        let typed = quoted.next().unwrap_or_default();
        let names: Vec<&str> = quoted.collect();
        Self::unknown(&at, what, typed, names)
    }

    /// The line in `text`, from 1.
    pub(in super::super) fn line(&self, text: &str) -> usize {
        1 + text.bytes().take(self.at).filter(|&byte| byte == b'\n').count()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

/// The key on the line that holds the byte `at`, if there is one before it.
fn key_at(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let (key, _) = line.split_once('=')?;
    Some(key.trim())
}

/// `"a", "b" or "c"`.
fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
