//! All sources, one after the other, in blocks that can be judged beside each
//! other. What begins and ends a source goes with its blocks, so that it is told
//! in its place.

use std::io::Read;
use std::mem;
use std::sync::Arc;

use super::args::Framing;
use super::input::{Cut, Frames, Piece, Source};
use super::tally::Said;
use super::{http, log};

/// A part of a source.
#[derive(Default)]
pub(super) struct Block {
    /// Which source it is of.
    pub(super) source: usize,
    /// Whether the source begins with it.
    pub(super) begins: bool,
    /// What a person is told before its messages are judged, and behind them.
    pub(super) before: Option<Said<'static>>,
    pub(super) after: Option<Said<'static>>,
    pub(super) frames: Frames,
}

/// Reads the sources in order. One that cannot be read does not keep the next ones
/// from it.
pub(super) struct Blocks {
    sources: Arc<[Source]>,
    framing: Framing,
    limit: usize,
    chunk: usize,
    /// The source under way, or the next one.
    at: usize,
    open: Option<Open>,
    count: u64,
}

/// The source under way.
struct Open {
    cut: Cut<Box<dyn Read + Send>>,
    /// Whether nothing in it was a message, or should have been one.
    is_empty: bool,
}

impl Blocks {
    /// Reads so many bytes at once. No message longer than `limit` is held.
    pub(super) const fn new(
        sources: Arc<[Source]>,
        framing: Framing,
        limit: usize,
        chunk: usize,
    ) -> Self {
        Self { sources, framing, limit, chunk, at: 0, open: None, count: 0 }
    }

    pub(super) fn sources(&self) -> Arc<[Source]> {
        Arc::clone(&self.sources)
    }

    /// How many there were so far.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The next block, in place of the last one, and which one it is, from 0. None
    /// at the end of the last source.
    pub(super) fn next(&mut self, block: &mut Block) -> Option<u64> {
        let source = self.sources.get(self.at)?;
        *block =
            Block { source: self.at, frames: mem::take(&mut block.frames), ..Block::default() };
        let is_over = match &mut self.open {
            // A block of its own: reading may have to wait for whom it speaks to.
            None => {
                block.frames.clear();
                block.before = source.prompt().map(Said::Note);
                match source.open() {
                    Ok(reader) => {
                        block.begins = true;
                        let cut = Cut::new(reader, self.framing, self.limit, self.chunk);
                        self.open = Some(Open { cut, is_empty: true });
                        false
                    }
                    Err(error) => {
                        block.after = Some(Said::Failure(source.unreadable(&error)));
                        true
                    }
                }
            }
            Some(open) => !open.next(source, self.framing, block),
        };
        if is_over {
            self.open = None;
            self.at += 1;
        }
        self.count += 1;
        Some(self.count - 1)
    }
}

impl Open {
    /// False at the end.
    fn next(&mut self, source: &Source, framing: Framing, block: &mut Block) -> bool {
        let goes_on = self.cut.next(&mut block.frames);
        if self.is_empty
            && let Some(Piece::Message(_, first)) = block.frames.pieces().next()
        {
            block.before = hint(source, framing, first).map(Said::Note);
        }
        self.is_empty &= block.frames.pieces().all(|piece| matches!(piece, Piece::Other(_)));
        match &goes_on {
            Ok(true) => {}
            Ok(false) => {
                block.after = self.is_empty.then(|| Said::Note(source.empty(framing)));
            }
            Err(error) => block.after = Some(Said::Failure(source.unreadable(error))),
        }
        goes_on.unwrap_or(false)
    }
}

/// What is read as lines and begins like something else is pointed out.
fn hint(source: &Source, framing: Framing, first: &[u8]) -> Option<String> {
    let (is, framing) = match framing {
        Framing::Lines if http::begins_like_a_head(first) => ("HTTP", "http"),
        Framing::Lines if log::is_record(first) => ("a log", "log"),
        _ => return None,
    };
    Some(format!("{}: this looks like {is}: try --framing {framing}", source.shown()))
}
