//! Where records go: standard output, in the format asked for.
//!
//! Written in blocks, so that a long capture costs few writes; and before anybody
//! waits for more input, so that a live stream is seen as it happens.

use std::io::{self, Write};
use std::mem;

use super::args::{Format, Options};
use super::input::Source;
use super::judge::Record;
use super::say;
use super::statistics::Statistics;
use super::tally::Said;
use super::{json, text};

/// Room for `:` and a line number behind the name of a source. A longer number
/// moves the columns of its own line.
const LINE_DIGITS: usize = 5;
/// A name longer than this does not move the columns of the other lines.
const MOST_NAME: usize = 40;
/// What is held before it is written.
const ENOUGH: usize = 64 << 10;
/// Room that is kept when more than this was written.
const KEPT: usize = 1 << 20;

/// How records look.
#[derive(Clone, Copy)]
pub(super) struct Style {
    format: Format,
    /// In text, whether to show what would be answered.
    with_replies: bool,
    with_statistics: bool,
    /// The width of the first column of the text.
    width: usize,
}

impl Style {
    pub(super) fn new(options: &Options, with_replies: bool, sources: &[Source]) -> Self {
        let names = sources.iter().map(|source| source.shown().chars().count());
        let longest = names.max().unwrap_or_default();
        Self {
            format: options.format,
            with_replies,
            with_statistics: options.statistics,
            width: longest.min(MOST_NAME) + LINE_DIGITS,
        }
    }

    fn record(self, out: &mut impl Write, source: &Source, record: &Record<'_>) -> io::Result<()> {
        match self.format {
            Format::Json => json::record(out, source.name(), record),
            Format::Text => {
                let element = record.element.map(|at| format!("[{at}]")).unwrap_or_default();
                let place = format!("{}:{}{element}", source.shown(), record.place.line);
                text::record(out, &place, self.width, record, self.with_replies)
            }
        }
    }

    fn statistics(self, out: &mut impl Write, statistics: &Statistics) -> io::Result<()> {
        match self.format {
            _ if !self.with_statistics => Ok(()),
            Format::Json => json::statistics(out, statistics),
            Format::Text => text::statistics(out, statistics),
        }
    }
}

/// What will be written.
#[derive(Default)]
pub(super) struct Printed {
    bytes: Vec<u8>,
    /// What goes to standard error, each behind so many of the bytes.
    notes: Vec<(usize, String)>,
}

impl Printed {
    pub(super) fn say(&mut self, style: Style, source: &Source, said: &Said<'_>) -> io::Result<()> {
        match said {
            Said::Record(record) => style.record(&mut self.bytes, source, record),
            Said::Finding { note, .. } | Said::Note(note) | Said::Failure(note) => {
                self.note(note.clone());
                Ok(())
            }
        }
    }

    fn note(&mut self, note: String) {
        self.notes.push((self.bytes.len(), note));
    }

    pub(super) fn statistics(&mut self, style: Style, statistics: &Statistics) -> io::Result<()> {
        style.statistics(&mut self.bytes, statistics)
    }

    /// Whether it should not wait any longer. Notes never do: what is wrong is said at
    /// once.
    fn is_enough(&self) -> bool {
        !self.notes.is_empty() || self.bytes.len() >= ENOUGH
    }

    /// Writes all of it, and holds nothing any more.
    pub(super) fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut written = 0;
        for (before, note) in mem::take(&mut self.notes) {
            out.write_all(&self.bytes[written..before])?;
            out.flush()?;
            written = before;
            say(&note);
        }
        out.write_all(&self.bytes[written..])?;
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
        out.flush()
    }
}

/// Standard output, for what is judged on one thread.
pub(super) struct Output<W> {
    out: W,
    style: Style,
    printed: Printed,
}

impl<W: Write> Output<W> {
    pub(super) fn new(out: W, style: Style) -> Self {
        Self { out, style, printed: Printed::default() }
    }

    pub(super) fn say(&mut self, source: &Source, said: &Said<'_>) -> io::Result<()> {
        self.printed.say(self.style, source, said)?;
        if self.printed.is_enough() { self.flush() } else { Ok(()) }
    }

    /// Speaks on standard error, behind all that was judged so far.
    pub(super) fn note(&mut self, note: &str) -> io::Result<()> {
        self.printed.note(note.to_owned());
        self.flush()
    }

    pub(super) fn statistics(&mut self, statistics: &Statistics) -> io::Result<()> {
        self.printed.statistics(self.style, statistics)
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.printed.write(&mut self.out)
    }
}
