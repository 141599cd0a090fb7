//! Where records go: standard output, in the format asked for.
//!
//! Buffered, so that a long capture costs few writes; the session flushes
//! before it waits for more input, so that a live stream is seen as it happens.

use std::io::{self, BufWriter, Write};

use super::args::Format;
use super::input::Source;
use super::judge::Record;
use super::statistics::Statistics;
use super::{json, text};

/// Room for `:` and a line number behind the name of a source. A longer number
/// moves the columns of its own line.
const LINE_DIGITS: usize = 5;
/// A name longer than this does not move the columns of the other lines.
const MOST_NAME: usize = 40;

pub(super) struct Output<W: Write> {
    out: BufWriter<W>,
    format: Format,
    /// In text, whether to show what would be answered.
    with_replies: bool,
    /// The width of the first column of the text.
    width: usize,
}

impl<W: Write> Output<W> {
    pub(super) fn new(out: W, format: Format, with_replies: bool, sources: &[Source]) -> Self {
        let names = sources.iter().map(|source| source.shown().chars().count());
        let longest = names.max().unwrap_or_default();
        Self {
            out: BufWriter::with_capacity(64 << 10, out),
            format,
            with_replies,
            width: longest.min(MOST_NAME) + LINE_DIGITS,
        }
    }

    pub(super) fn record(&mut self, source: &Source, record: &Record<'_>) -> io::Result<()> {
        match self.format {
            Format::Json => json::record(&mut self.out, source.name(), record),
            Format::Text => {
                let element = record.element.map(|at| format!("[{at}]")).unwrap_or_default();
                let place = format!("{}:{}{element}", source.shown(), record.place.line);
                text::record(&mut self.out, &place, self.width, record, self.with_replies)
            }
        }
    }

    pub(super) fn statistics(&mut self, statistics: &Statistics) -> io::Result<()> {
        match self.format {
            Format::Json => json::statistics(&mut self.out, statistics),
            Format::Text => text::statistics(&mut self.out, statistics),
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
