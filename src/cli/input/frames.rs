//! What was read of a source at once, taken apart and held, so that it can be
//! judged while the next is read.

use std::io::{self, Read};
use std::ops::Range;

use mcparse::{Frame, Violation};

use super::super::judge::Place;

/// The most pieces that are held: whoever judges them holds more for each than a
/// short message has bytes.
const MOST: usize = 2048;
/// Room that is kept when a longer message has gone.
const KEPT: usize = 2 << 20;

/// What comes out of a source.
#[derive(Clone, Copy)]
pub(in super::super) enum Piece<'p> {
    /// A message, and where it begins.
    Message(Place, &'p [u8]),
    /// A rule that the stream breaks, at an offset and a line in it.
    Fault(Violation<'static>),
    /// An event of another name, which holds no message.
    Other(Place),
}

/// Pieces in their order. All of them are of one read, but that the first may have
/// begun in those before: so there are no more bytes than are read at once, and
/// the longest message.
#[derive(Default)]
pub(in super::super) struct Frames {
    bytes: Vec<u8>,
    held: Vec<Held>,
}

/// A piece whose bytes are in `bytes`.
enum Held {
    Message(Place, Range<usize>),
    Fault(Violation<'static>),
    Other(Place),
}

impl Frames {
    pub(in super::super) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
        self.held.clear();
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(in super::super) fn len(&self) -> usize {
        self.held.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.held.len() == MOST
    }

    pub(super) fn push(&mut self, framed: Result<Frame<'_>, Violation<'static>>) {
        self.held.push(match framed {
            Ok(frame) => {
                let place = Place { line: frame.line(), offset: frame.offset() };
                if frame.is_message() {
                    let start = self.bytes.len();
                    self.bytes.extend_from_slice(frame.bytes());
                    Held::Message(place, start..self.bytes.len())
                } else {
                    Held::Other(place)
                }
            }
            Err(violation) => Held::Fault(violation),
        });
    }

    /// The one message of a source. Of one that is too long, no more is read than
    /// shows that it is.
    pub(super) fn read_whole(&mut self, reader: &mut impl Read, limit: usize) -> io::Result<()> {
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        reader.take(most).read_to_end(&mut self.bytes)?;
        self.held.push(Held::Message(Place { line: 1, offset: 0 }, 0..self.bytes.len()));
        Ok(())
    }

    pub(in super::super) fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        self.held.iter().map(|held| match held {
            Held::Message(place, range) => Piece::Message(*place, &self.bytes[range.clone()]),
            Held::Fault(violation) => Piece::Fault(*violation),
            Held::Other(place) => Piece::Other(*place),
        })
    }
}
