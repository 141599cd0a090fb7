//! Where messages come from: files and standard input, read in chunks through
//! a framer, so that memory does not grow with the length of a stream.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;

use mcparse::{Frame, LineFramer, SseFramer, Violation};

use super::args::Framing;
use super::judge::Place;
use super::safe::Safe;

/// How much is asked for at once.
const CHUNK: usize = 128 << 10;
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

    pub(super) fn is_stdin(&self) -> bool {
        self.name == "-"
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn open(&self) -> io::Result<Box<dyn Read>> {
        if self.is_stdin() {
            Ok(Box::new(io::stdin().lock()))
        } else {
            Ok(Box::new(File::open(&self.path)?))
        }
    }
}

/// What comes out of a source.
#[derive(Clone, Copy)]
pub(super) enum Piece<'p> {
    /// A message, and where it begins.
    Message(Place, &'p [u8]),
    /// A rule that the stream breaks, at an offset and a line in it.
    Fault(Violation<'static>),
    /// An event of another name, which holds no message.
    Other(Place),
    /// All that was read is dealt with; the next read may have to wait.
    Pause,
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

/// Takes the source apart. No message longer than `limit` is held.
pub(super) fn pieces(
    reader: &mut dyn Read,
    framing: Framing,
    limit: usize,
    take: &mut dyn FnMut(Piece<'_>) -> io::Result<()>,
) -> Result<(), Stop> {
    match framing {
        Framing::Lines => framed(reader, Framer::Lines(LineFramer::new(limit)), take),
        Framing::Sse => framed(reader, Framer::Events(SseFramer::new(limit)), take),
        // These are no streams of messages alone; `http.rs` and `log.rs` read them.
        Framing::None | Framing::Http | Framing::Log => whole(reader, limit, take),
    }
}

/// The one message of a source. Of one that is too long, no more is read than
/// shows that it is.
fn whole(
    reader: &mut dyn Read,
    limit: usize,
    take: &mut dyn FnMut(Piece<'_>) -> io::Result<()>,
) -> Result<(), Stop> {
    let mut message = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(most).read_to_end(&mut message).map_err(Stop::Read)?;
    take(Piece::Message(Place { line: 1, offset: 0 }, &message))?;
    Ok(())
}

fn framed(
    reader: &mut dyn Read,
    mut framer: Framer,
    take: &mut dyn FnMut(Piece<'_>) -> io::Result<()>,
) -> Result<(), Stop> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let chunk = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => &buffer[..read],
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(Stop::Read(error)),
        };
        let mut rest = chunk;
        while let Some(framed) = framer.next_frame(&mut rest) {
            piece(framed, take)?;
        }
        take(Piece::Pause)?;
    }
    if let Some(framed) = framer.finish() {
        piece(framed, take)?;
    }
    Ok(())
}

fn piece(
    framed: Result<Frame<'_>, Violation<'static>>,
    take: &mut dyn FnMut(Piece<'_>) -> io::Result<()>,
) -> io::Result<()> {
    match framed {
        Ok(frame) => {
            let place = Place { line: frame.line(), offset: frame.offset() };
            if frame.is_message() {
                take(Piece::Message(place, frame.bytes()))
            } else {
                take(Piece::Other(place))
            }
        }
        Err(violation) => take(Piece::Fault(violation)),
    }
}

/// The two framers behind their common interface.
enum Framer {
    Lines(LineFramer),
    Events(SseFramer),
}

impl Framer {
    fn next_frame<'s, 'c: 's>(
        &'s mut self,
        chunk: &mut &'c [u8],
    ) -> Option<Result<Frame<'s>, Violation<'static>>> {
        match self {
            Self::Lines(framer) => framer.next_frame(chunk),
            Self::Events(framer) => framer.next_frame(chunk),
        }
    }

    fn finish(&mut self) -> Option<Result<Frame<'_>, Violation<'static>>> {
        match self {
            Self::Lines(framer) => framer.finish(),
            Self::Events(framer) => framer.finish(),
        }
    }
}
