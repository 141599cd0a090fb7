//! The streams beside a log of reads: `NAME.order.jsonl` says in which order
//! `NAME.c2s.jsonl` and `NAME.s2c.jsonl` were read.

use std::io::{self, Read};
use std::path::PathBuf;

use mcparse::{Frame, LineFramer, Sender, Violation};

use super::super::input::{Piece, Source, Stop};
use super::super::judge::Place;

const ORDER: &str = ".order.jsonl";
/// How much is asked for at once.
const CHUNK: u64 = 128 << 10;

/// What is done with a piece of a stream, of this sender.
type Take<'t> = &'t mut dyn FnMut(&Source, Sender, Piece<'_>) -> io::Result<()>;

pub(super) struct Streams {
    /// The path of the log without its ending; none if it has another.
    stem: Option<String>,
    limit: usize,
    /// Opened when they are first read.
    open: Vec<Stream>,
    /// A read was wrong, and nobody knows where the next ones begin.
    is_lost: bool,
}

/// The stream of one direction.
struct Stream {
    from: Sender,
    source: Source,
    reader: Box<dyn Read>,
    framer: LineFramer,
    /// How much was read of it.
    read: u64,
}

impl Streams {
    /// Those beside `log`. No message longer than `limit` is held.
    pub(super) fn new(log: &Source, limit: usize) -> Self {
        let stem = log.name().strip_suffix(ORDER).map(str::to_owned);
        Self { stem, limit, open: Vec::new(), is_lost: false }
    }

    /// Reads on in the stream of this sender, unless a read was wrong before.
    pub(super) fn read(&mut self, from: Sender, len: u64, take: Take<'_>) -> Result<(), Stop> {
        if self.is_lost {
            return Ok(());
        }
        let read = self.read_on(from, len, take);
        self.is_lost = read.is_err();
        read
    }

    fn read_on(&mut self, from: Sender, len: u64, take: Take<'_>) -> Result<(), Stop> {
        let at = match self.open.iter().position(|stream| stream.from == from) {
            Some(at) => at,
            None => self.open(from).map_err(Stop::Read)?,
        };
        self.open[at].go_on(len, take)
    }

    fn open(&mut self, from: Sender) -> io::Result<usize> {
        let Some(stem) = &self.stem else {
            return Err(io::Error::other(format!(
                "a read of a stream, in a log that is not called NAME{ORDER}"
            )));
        };
        let direction = match from {
            Sender::Client => "c2s",
            Sender::Server => "s2c",
        };
        let source = Source::new(PathBuf::from(format!("{stem}.{direction}.jsonl")));
        let reader = source.open().map_err(|error| {
            io::Error::new(error.kind(), format!("cannot read {}: {error}", source.shown()))
        })?;
        let framer = LineFramer::new(self.limit);
        self.open.push(Stream { from, source, reader, framer, read: 0 });
        Ok(self.open.len() - 1)
    }

    /// What is left behind the last line ends, and what is in no read.
    pub(super) fn finish(mut self, take: Take<'_>) -> io::Result<Vec<String>> {
        let mut wrong = Vec::new();
        for Stream { from, source, reader, framer, read } in &mut self.open {
            if let Some(framed) = framer.finish() {
                take(source, *from, piece(framed))?;
            }
            let is_all = self.is_lost || reader.read(&mut [0]).is_ok_and(|more| more == 0);
            if !is_all {
                wrong.push(format!("{}: what follows byte {read} is in no read", source.shown()));
            }
        }
        Ok(wrong)
    }
}

impl Stream {
    fn go_on(&mut self, len: u64, take: Take<'_>) -> Result<(), Stop> {
        let mut left = len;
        let mut buffer = Vec::new();
        while left > 0 {
            buffer.clear();
            let piece_of = (&mut self.reader).take(left.min(CHUNK)).read_to_end(&mut buffer);
            let count = piece_of.map_err(Stop::Read)? as u64;
            if count == 0 {
                return Err(wrong(format!("{} ends inside a read", self.source.shown())));
            }
            (left, self.read) = (left - count, self.read + count);
            let mut chunk = buffer.as_slice();
            while let Some(framed) = self.framer.next_frame(&mut chunk) {
                take(&self.source, self.from, piece(framed))?;
            }
        }
        Ok(())
    }
}

fn piece<'f>(framed: Result<Frame<'f>, Violation<'static>>) -> Piece<'f> {
    match framed {
        Ok(frame) => {
            Piece::Message(Place { line: frame.line(), offset: frame.offset() }, frame.bytes())
        }
        Err(violation) => Piece::Fault(violation),
    }
}

fn wrong(said: String) -> Stop {
    Stop::Read(io::Error::other(said))
}
