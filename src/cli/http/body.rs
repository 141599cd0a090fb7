//! The body behind a head, piece by piece: by its length, in chunks, or until
//! the source ends. Nothing is held here.

use super::super::input::Stop;
use super::super::judge::Place;
use super::head::Length;
use super::wire::{Fault, Wire};

/// The longest line that says how long a chunk is, and the most lines behind
/// the last chunk.
const MOST_LINE: usize = 4096;
const MOST_TRAILERS: usize = 128;

/// How a body ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    /// The source ends before it.
    Cut,
    /// So does it, and this is what the length says and how much there is.
    Short {
        given: u64,
        there: u64,
    },
    /// The chunks are not as they must be, and how.
    Wrong(String),
}

/// What is done with a piece that stands at this place.
type Take<'t> = &'t mut dyn FnMut(Place, &[u8]) -> Result<(), Stop>;

/// Reads the whole body.
pub(super) fn read(wire: &mut Wire<'_>, length: Length, take: Take<'_>) -> Result<End, Stop> {
    match length {
        Length::Nothing => Ok(End::Whole),
        Length::Bytes(given) => {
            let start = wire.place().offset;
            let is_whole = exactly(wire, given, take)?;
            let there = wire.place().offset - start;
            Ok(if is_whole { End::Whole } else { End::Short { given, there } })
        }
        Length::UntilEnd => exactly(wire, u64::MAX, take).map(|_| End::Whole),
        Length::Chunked => match chunks(wire, take) {
            Ok(end) => Ok(end),
            Err(Broken::Stop(stop)) => Err(stop),
            Err(Broken::Fault(Fault::Read(error))) => Err(Stop::Read(error)),
            Err(Broken::Fault(Fault::Wrong(said) | Fault::NoHead(said))) => Ok(End::Wrong(said)),
        },
    }
}

/// Whether so many bytes were there.
fn exactly(wire: &mut Wire<'_>, count: u64, take: Take<'_>) -> Result<bool, Stop> {
    let mut left = count;
    while left > 0 {
        let place = wire.place();
        let piece = wire.available(left).map_err(Stop::Read)?;
        if piece.is_empty() {
            return Ok(false);
        }
        take(place, piece)?;
        let taken = piece.len();
        left -= taken as u64;
        wire.consume(taken);
    }
    Ok(true)
}

enum Broken {
    Stop(Stop),
    Fault(Fault),
}

impl From<Stop> for Broken {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// ```text
/// size line -> so many bytes -> line end -> size line ... -> size 0 -> trailers -> blank line
/// ```
fn chunks(wire: &mut Wire<'_>, take: Take<'_>) -> Result<End, Broken> {
    loop {
        let line = wire.line(MOST_LINE)?;
        if line.is_empty() {
            return Ok(End::Cut);
        }
        let Ok(httparse::Status::Complete((_, size))) = httparse::parse_chunk_size(&line) else {
            return Ok(End::Wrong("the line before a chunk is not its size".to_owned()));
        };
        if size == 0 {
            return trailers(wire);
        }
        if !exactly(wire, size, take)? {
            return Ok(End::Cut);
        }
        match wire.line(MOST_LINE)?.as_slice() {
            b"\r\n" | b"\n" => {}
            b"" => return Ok(End::Cut),
            _ => return Ok(End::Wrong("a chunk is longer than its size".to_owned())),
        }
    }
}

fn trailers(wire: &mut Wire<'_>) -> Result<End, Broken> {
    for _ in 0..MOST_TRAILERS {
        match wire.line(MOST_LINE)?.as_slice() {
            // Some captures leave the last line end out.
            b"\r\n" | b"\n" | b"" => return Ok(End::Whole),
            _ => {}
        }
    }
    Ok(End::Wrong("there are too many lines behind the last chunk".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dechunked(text: &str) -> (String, Option<End>) {
        let mut bytes = text.as_bytes();
        let mut wire = Wire::new(&mut bytes);
        let mut body = Vec::new();
        let end = read(&mut wire, Length::Chunked, &mut |_, piece| {
            body.extend_from_slice(piece);
            Ok(())
        });
        (String::from_utf8(body).unwrap(), end.ok())
    }

    #[test]
    fn chunks_are_put_together() {
        for text in ["3\r\nabc\r\n2;x=1\r\nde\r\n0\r\n\r\n", "5\r\nabcde\r\n0\r\nX: y\r\n\r\nrest"]
        {
            assert_eq!(dechunked(text), ("abcde".to_owned(), Some(End::Whole)));
        }
    }

    #[test]
    fn a_body_that_ends_too_early_is_cut() {
        for text in ["", "3\r\nab", "3\r\nabc", "3\r\nabc\r\n"] {
            assert_eq!(dechunked(text).1, Some(End::Cut), "{text:?}");
        }
    }

    #[test]
    fn wrong_chunks_are_said() {
        let endless = format!("{}\r\n", "0".repeat(5000));
        let trailers = format!("0\r\n{}", "a: b\r\n".repeat(200));
        for text in ["x\r\n", "2\r\nabc\r\n", "ffffffffffffffffff\r\n", &endless, &trailers] {
            assert!(matches!(dechunked(text).1, Some(End::Wrong(_))), "{text:?}");
        }
    }
}
