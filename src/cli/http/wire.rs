//! The bytes of a capture, and where in it they stand.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use super::super::judge::Place;

/// How much is asked for at once.
const CHUNK: usize = 64 << 10;

/// Why a capture cannot be read on.
pub(super) enum Fault {
    /// The source fails.
    Read(io::Error),
    /// It is not HTTP/1.1, and how.
    Wrong(String),
    /// What stands where a head should does not begin like one.
    NoHead(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

pub(super) struct Wire<'r> {
    reader: BufReader<&'r mut dyn Read>,
    /// Of the next byte.
    place: Place,
}

impl<'r> Wire<'r> {
    pub(super) fn new(reader: &'r mut dyn Read) -> Self {
        let reader = BufReader::with_capacity(CHUNK, reader);
        Self { reader, place: Place { line: 1, offset: 0 } }
    }

    /// Where the next byte stands.
    pub(super) const fn place(&self) -> Place {
        self.place
    }

    /// The bytes that are there to be taken, at most so many; none at the end.
    pub(super) fn available(&mut self, most: u64) -> io::Result<&[u8]> {
        loop {
            match self.reader.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let there = self.reader.buffer();
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(there.len());
        Ok(there.get(..most).unwrap_or_default())
    }

    /// Goes past so many of the available bytes.
    pub(super) fn consume(&mut self, count: usize) {
        let taken = self.reader.buffer().get(..count).unwrap_or_default();
        let (ends, count) = (line_ends(taken), taken.len());
        self.place.line += ends;
        self.place.offset += count as u64;
        self.reader.consume(count);
    }

    /// The next line with its end, or what is left without one; empty at the
    /// end. One longer than `most` is a fault.
    pub(super) fn line(&mut self, most: usize) -> Result<Vec<u8>, Fault> {
        let mut line = Vec::new();
        loop {
            let there = self.available(u64::MAX)?;
            let (count, is_end) = match memchr::memchr(b'\n', there) {
                Some(end) => (end + 1, true),
                None => (there.len(), there.is_empty()),
            };
            if line.len() + count > most {
                return Err(Fault::Wrong(format!("a line is longer than {most} bytes")));
            }
            line.extend_from_slice(there.get(..count).unwrap_or_default());
            self.consume(count);
            if is_end {
                return Ok(line);
            }
        }
    }
}

pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
