//! Where in a capture an event of a stream stands: a framer counts the bytes
//! and lines of the body alone, without the lines between its chunks.

use std::collections::VecDeque;

use super::super::judge::Place;
use super::wire::line_ends;

/// The most pieces that are remembered. An event in more pieces than this is
/// shown to begin where the first of those does.
const MOST_PIECES: usize = 1024;

/// The pieces that the next event may begin in.
pub(super) struct Places {
    pieces: VecDeque<Piece>,
    /// Of the next piece, in the body.
    next: Place,
}

struct Piece {
    in_body: Place,
    in_capture: Place,
}

impl Places {
    pub(super) fn new() -> Self {
        Self { pieces: VecDeque::new(), next: Place { line: 1, offset: 0 } }
    }

    /// A piece of the body stands at this place in the capture.
    pub(super) fn add(&mut self, in_capture: Place, piece: &[u8]) {
        if self.pieces.len() == MOST_PIECES {
            self.pieces.pop_front();
        }
        self.pieces.push_back(Piece { in_body: self.next, in_capture });
        self.next.line += line_ends(piece);
        self.next.offset += piece.len() as u64;
    }

    /// Where in the capture this place in the body is. What comes before it is
    /// not asked for any more.
    pub(super) fn find(&mut self, in_body: Place) -> Place {
        while self.pieces.get(1).is_some_and(|next| next.in_body.offset <= in_body.offset) {
            self.pieces.pop_front();
        }
        let Some(Piece { in_body: start, in_capture }) = self.pieces.front() else {
            return in_body;
        };
        Place {
            line: in_capture.line + in_body.line.saturating_sub(start.line),
            offset: in_capture.offset + in_body.offset.saturating_sub(start.offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_body_is_found_in_the_capture() {
        let mut places = Places::new();
        places.add(Place { line: 5, offset: 100 }, b"data: a\n\n");
        places.add(Place { line: 9, offset: 115 }, b"data: b\n");
        places.add(Place { line: 12, offset: 130 }, b"\ndata: c\n\n");
        let mut find = |line, offset| {
            let Place { line, offset } = places.find(Place { line, offset });
            (line, offset)
        };
        assert_eq!(find(1, 0), (5, 100));
        assert_eq!(find(3, 9), (9, 115));
        assert_eq!(find(5, 18), (13, 131));
    }
}
