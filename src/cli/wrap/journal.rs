//! What is told of the messages that pass: JSON lines in a file of bounded size,
//! or a line for each refusal on standard error.
//!
//! Nothing of what a peer wrote is in it but ids, methods and excerpts, all of them
//! cut. That a log cannot be written is no reason to stop: it is said once, and
//! refusals are told on standard error from there on.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use mcparse::{Id, Rule, RuleSet, Sender, Text, Violation};
use serde::Serialize;
use serde_json::value::RawValue;

use super::super::say;
use super::clock::Moment;

/// The longest id and method that are told, in bytes; longer ones are left out.
const MOST_BYTES: usize = 256;
/// The most refusals that are told on standard error: a client that does not read
/// that would be waited for.
const MOST_TOLD: u64 = 100;

pub(super) struct Journal {
    file: Option<Rotating>,
    /// Whether messages that broke no rule are told too.
    tells_all: bool,
    /// How many refusals were told on standard error.
    told: u64,
}

/// What is told of one message.
pub(super) struct Entry<'m> {
    pub(super) from: Sender,
    /// The line in its stream, from 1.
    pub(super) line: u64,
    /// None of one over the limit, which is not read to its end.
    pub(super) bytes: Option<usize>,
    /// The rule by which it is refused.
    pub(super) refused: Option<Rule>,
    /// That it breaks it alone or by its request, and not beside others.
    pub(super) violation: Option<Violation<'m>>,
    pub(super) id: Option<Id<'m>>,
    pub(super) method: Option<Text<'m>>,
    pub(super) findings: RuleSet,
    pub(super) is_forwarded: bool,
}

/// The names and their order are part of the command's contract: fields may be
/// added at the end, none is changed.
#[derive(Serialize)]
struct Fields<'e> {
    time: String,
    direction: &'static str,
    verdict: &'static str,
    rule: Option<&'static str>,
    reason: Option<&'static str>,
    detail: Option<String>,
    id: Option<&'e RawValue>,
    method: Option<Cow<'e, str>>,
    findings: Vec<&'static str>,
    line: u64,
    bytes: Option<usize>,
    forwarded: bool,
}

impl Journal {
    /// One that appends to this file, if there is one.
    pub(super) fn open(path: Option<&Path>, most: u64, tells_all: bool) -> io::Result<Self> {
        let file = path.map(|path| Rotating::open(path, most)).transpose()?;
        Ok(Self { file, tells_all, told: 0 })
    }

    pub(super) fn tell(&mut self, entry: &Entry<'_>) {
        let Some(file) = &mut self.file else { return self.say(entry) };
        if !self.tells_all && entry.refused.is_none() && entry.findings.is_empty() {
            return;
        }
        let mut line = entry.json();
        line.push(b'\n');
        if let Err(error) = file.write(&line) {
            say(&format!("cannot write the log: {error}"));
            self.file = None;
            self.say(entry);
        }
    }

    /// Says on standard error that it is refused, if it is.
    fn say(&mut self, entry: &Entry<'_>) {
        let Some(rule) = entry.refused else { return };
        self.told = self.told.saturating_add(1);
        if self.told > MOST_TOLD {
            if self.told == MOST_TOLD + 1 {
                say(&format!("more than {MOST_TOLD} lines were refused; no more is said here"));
            }
            return;
        }
        let sender = if entry.from == Sender::Client { "client" } else { "server" };
        let line = entry.line;
        let would = if entry.is_forwarded { "would be" } else { "is" };
        let what = format!("line {line} of the {sender} {would} refused");
        say(&match &entry.violation {
            // Neither has text of the peer's.
            Some(violation) => match violation.detail() {
                // Cut and escaped, as in replies.
                Some(detail) => format!("{what}: {violation}: {detail}"),
                None => format!("{what}: {violation}"),
            },
            None => format!("{what}: {rule}: {}", rule.reason()),
        });
    }
}

impl Entry<'_> {
    fn json(&self) -> Vec<u8> {
        let violation = self.violation.as_ref();
        let id = self.id.map(|id| id.lexeme()).filter(|id| id.len() <= MOST_BYTES);
        let method = self.method.filter(|method| method.raw().len() <= MOST_BYTES);
        let fields = Fields {
            time: Moment::now().to_string(),
            direction: if self.from == Sender::Client { "c2s" } else { "s2c" },
            verdict: if self.refused.is_some() { "refuse" } else { "accept" },
            rule: self.refused.map(Rule::id),
            reason: violation.map(Violation::reason).or(self.refused.map(Rule::reason)),
            detail: violation.and_then(Violation::detail).map(|detail| detail.to_string()),
            id: id.and_then(|id| serde_json::from_slice(id).ok()),
            method: method.map(|method| method.decode()),
            findings: self.findings.iter().map(Rule::id).collect(),
            line: self.line,
            bytes: self.bytes,
            forwarded: self.is_forwarded,
        };
        // Strings and numbers cannot fail.
        serde_json::to_vec(&fields).unwrap_or_default()
    }
}

/// A file that is appended to, and set aside before it is longer than `most`.
struct Rotating {
    path: PathBuf,
    file: File,
    /// How long it is; 0 of what is no plain file, which is never set aside.
    length: u64,
    most: u64,
    is_plain: bool,
}

impl Rotating {
    fn open(path: &Path, most: u64) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let metadata = file.metadata()?;
        let is_plain = metadata.is_file();
        let length = if is_plain { metadata.len() } else { 0 };
        Ok(Self { path: path.to_owned(), file, length, most, is_plain })
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let added = line.len() as u64;
        if self.is_plain && self.length > 0 && self.length.saturating_add(added) > self.most {
            let mut aside = self.path.clone().into_os_string();
            aside.push(".1");
            fs::rename(&self.path, aside)?;
            *self = Self::open(&self.path, self.most)?;
        }
        self.file.write_all(line)?;
        self.length = self.length.saturating_add(added);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_set_aside_once_a_line_would_make_it_longer_than_its_bound() {
        let folder = std::env::temp_dir().join(format!("mcparse-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, aside) = (folder.join("log"), folder.join("log.1"));
        let mut log = Rotating::open(&path, 10).unwrap();
        log.write(b"1234\n").unwrap();
        log.write(b"5678\n").unwrap();
        assert!(!aside.exists(), "at the bound");
        log.write(b"9\n").unwrap();
        assert_eq!(fs::read(&aside).unwrap(), b"1234\n5678\n");
        assert_eq!(fs::read(&path).unwrap(), b"9\n");
        // What is there counts when the log is opened again, and what is set aside
        // replaces what was.
        let mut log = Rotating::open(&path, 10).unwrap();
        log.write(b"12345678\n").unwrap();
        assert_eq!(fs::read(&aside).unwrap(), b"9\n");
        fs::remove_dir_all(&folder).unwrap();
    }
}
