//! Where messages come from: files and standard input, read in chunks through
//! a framer, so that memory does not grow with the length of a stream.

mod frames;

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::PathBuf;

use mcparse::{Frame, LineFramer, SseFramer, Violation};

pub(super) use self::frames::{Frames, Piece};
use super::args::Framing;
use super::safe::Safe;

/// How much is asked for at once. What is read at once is judged at once, and threads
/// that wait for each other more often gain less: by 128 KiB 1.4 times, not 1.7.
pub(super) const CHUNK: usize = 1 << 20;
/// The most characters of a source's name that are shown to a person.
const MOST_NAME: usize = 200;

/// A file, or standard input.
pub(super) struct Source {
    path: PathBuf,
    /// For JSON: the path as it was given.
    name: String,
    /// For a person.
    shown: String,
}

impl Source {
    /// The sources that these arguments name; standard input if there are none.
    pub(super) fn all(files: &[PathBuf]) -> Vec<Self> {
        if files.is_empty() {
            return vec![Self::new(PathBuf::from("-"))];
        }
        files.iter().cloned().map(Self::new).collect()
    }

    pub(super) fn new(path: PathBuf) -> Self {
        let name = path.to_string_lossy().into_owned();
        let shown = match &*name {
            "-" => "stdin".to_owned(),
            name => Safe::new(name, MOST_NAME).to_string(),
        };
        Self { path, name, shown }
    }

    fn is_stdin(&self) -> bool {
        self.name == "-"
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        if self.is_stdin() {
            Ok(Box::new(io::stdin()))
        } else {
            Ok(Box::new(File::open(&self.path)?))
        }
    }

    /// What to tell a person before this is read: that the command waits for them.
    pub(super) fn prompt(&self) -> Option<String> {
        let waits = self.is_stdin() && io::stdin().is_terminal();
        waits.then(|| {
            "reading messages from the terminal; end with Ctrl-D, or name a file".to_owned()
        })
    }

    /// That it cannot be read, and what to do about it.
    pub(super) fn unreadable(&self, error: &io::Error) -> String {
        let advice = match error.kind() {
            ErrorKind::NotFound => "; check the path, or give - for standard input",
            ErrorKind::PermissionDenied => "; make it readable, or pipe it in and give -",
            ErrorKind::IsADirectory => "; name the files in it",
            _ => "",
        };
        format!("cannot read {}: {error}{advice}", self.shown)
    }

    /// That there was nothing to be judged.
    pub(super) fn empty(&self, framing: Framing) -> String {
        format!("{} holds no message, read as {framing}", self.shown)
    }
}

/// Why reading stopped before the end.
pub(super) enum Stop {
    Read(io::Error),
    Write(io::Error),
}

/// What fails while a piece is dealt with is the output.
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// A source that is taken apart.
pub(super) struct Cut<R: Read> {
    reader: R,
    framer: Framer,
    buffer: Box<[u8]>,
    /// What of the buffer is read and not taken apart.
    left: std::ops::Range<usize>,
}

impl<R: Read> Cut<R> {
    /// Reads so many bytes at once. No message longer than `limit` is held.
    pub(super) fn new(reader: R, framing: Framing, limit: usize, chunk: usize) -> Self {
        let framer = match framing {
            Framing::Lines | Framing::Log => Framer::Lines(LineFramer::new(limit)),
            Framing::Sse => Framer::Events(SseFramer::new(limit)),
            // HTTP is no stream of messages alone; `http.rs` reads it.
            Framing::None | Framing::Http => Framer::Whole { limit },
        };
        Self { reader, framer, buffer: vec![0; chunk].into(), left: 0..0 }
    }

    /// What comes next, in place of what `frames` held: no more than was read at
    /// once, since the next read may have to wait. False at the end, when there may
    /// be a last piece.
    pub(super) fn next(&mut self, frames: &mut Frames) -> io::Result<bool> {
        frames.clear();
        if let Framer::Whole { limit } = self.framer {
            frames.read_whole(&mut self.reader, limit)?;
            return Ok(false);
        }
        loop {
            let mut rest = &self.buffer[self.left.clone()];
            while !frames.is_full()
                && let Some(framed) = self.framer.next_frame(&mut rest)
            {
                frames.push(framed);
            }
            self.left.start = self.left.end - rest.len();
            if !frames.is_empty() {
                return Ok(true);
            }
            match self.reader.read(&mut self.buffer) {
                Ok(0) => break,
                Ok(read) => self.left = 0..read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(framed) = self.framer.finish() {
            frames.push(framed);
        }
        Ok(false)
    }
}

/// The framers behind their common interface.
enum Framer {
    Lines(LineFramer),
    Events(SseFramer),
    /// None: all of the source is one message.
    Whole {
        limit: usize,
    },
}

impl Framer {
    fn next_frame<'s, 'c: 's>(
        &'s mut self,
        chunk: &mut &'c [u8],
    ) -> Option<Result<Frame<'s>, Violation<'static>>> {
        match self {
            Self::Lines(framer) => framer.next_frame(chunk),
            Self::Events(framer) => framer.next_frame(chunk),
            Self::Whole { .. } => None,
        }
    }

    fn finish(&mut self) -> Option<Result<Frame<'_>, Violation<'static>>> {
        match self {
            Self::Lines(framer) => framer.finish(),
            Self::Events(framer) => framer.finish(),
            Self::Whole { .. } => None,
        }
    }
}
