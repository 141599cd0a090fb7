//! A log of both directions. Each line is a record that says who sent a message
//! and holds it, or how many bytes were read next of the stream of its direction,
//! which stands in a file of its own:
//!
//! ```text
//! {"direction":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping"}}
//! {"direction":"server","message":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}
//! {"dir":"c2s","len":41}
//! ```
//!
//! What else a record holds is the log's own. All of a log is one conversation.

mod streams;

use std::io::{self, Read, Write};

use mcparse::Sender;
use serde::Deserialize;
use serde_json::value::RawValue;

use self::streams::Streams;
use super::args::Framing;
use super::input::{self, Piece, Source, Stop};
use super::judge::Place;
use super::safe::Safe;
use super::{Outcome, Session};

/// Room in a line for what stands around its message.
const ROOM: usize = 64 << 10;
/// The most characters that are shown of what is wrong with a record.
const MOST_SAID: usize = 200;

#[derive(Deserialize)]
struct Entry<'l> {
    #[serde(alias = "dir", alias = "d")]
    direction: Direction,
    /// As JSON, or as a string that holds it.
    #[serde(borrow, alias = "text")]
    message: Option<&'l RawValue>,
    /// How many bytes were read.
    len: Option<u64>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    #[serde(alias = "c2s", alias = "client-to-server")]
    Client,
    #[serde(alias = "s2c", alias = "server-to-client")]
    Server,
}

impl Direction {
    const fn sender(self) -> Sender {
        match self {
            Self::Client => Sender::Client,
            Self::Server => Sender::Server,
        }
    }
}

impl<W: Write> Session<W> {
    /// Judges the messages of a log, in its order.
    pub(super) fn replay(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), Stop> {
        let limit = self.judge.policy().limits().message_bytes;
        let mut streams = Streams::new(source, limit);
        let mut is_empty = true;
        // An escape doubles what it stands for, at least.
        let longest = limit.saturating_mul(2).saturating_add(ROOM);
        input::pieces(reader, Framing::Lines, longest, &mut |piece| match piece {
            Piece::Message(place, line) => {
                is_empty = false;
                self.entry(source, &mut streams, place, line)
            }
            piece => self.take(source, piece),
        })?;
        if is_empty {
            self.note(&format!("{} holds no message, read as a log", source.shown()))?;
        }
        let rest = streams.finish(&mut |source, from, piece| self.piece(source, from, piece))?;
        for said in rest {
            self.wrong(&said)?;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        source: &Source,
        streams: &mut Streams,
        place: Place,
        line: &[u8],
    ) -> io::Result<()> {
        let at = |said: &str| format!("{}:{}: {said}", source.shown(), place.line);
        let entry: Entry<'_> = match serde_json::from_slice(line) {
            Ok(entry) => entry,
            Err(error) => {
                let said = format!("no record of a log: {error}");
                return self.wrong(&at(&Safe::new(&said, MOST_SAID).to_string()));
            }
        };
        let from = entry.direction.sender();
        match (entry.message, entry.len) {
            (Some(message), _) => {
                let json = message.get().as_bytes();
                let inside = json.as_ptr().addr() - line.as_ptr().addr();
                let place = Place { offset: place.offset + inside as u64, ..place };
                match serde_json::from_slice::<String>(json) {
                    Ok(text) => self.piece(source, from, Piece::Message(place, text.as_bytes())),
                    Err(_) => self.piece(source, from, Piece::Message(place, json)),
                }
            }
            (None, Some(len)) => {
                let mut take =
                    |source: &Source, from, piece: Piece<'_>| self.piece(source, from, piece);
                match streams.read(from, len, &mut take) {
                    Ok(()) => Ok(()),
                    Err(Stop::Read(error)) => {
                        self.wrong(&at(&format!("{error}; the reads behind it are left out")))
                    }
                    Err(Stop::Write(error)) => Err(error),
                }
            }
            (None, None) => self.wrong(&at("a record without a message, or the len of a read")),
        }
    }

    /// What came from this side.
    fn piece(&mut self, source: &Source, from: Sender, piece: Piece<'_>) -> io::Result<()> {
        match piece {
            Piece::Message(place, message) => {
                let records = self.judge.judge_as(from, place, message);
                records.iter().try_for_each(|record| self.report(source, record))
            }
            Piece::Fault(violation) => {
                let line = violation.line().unwrap_or_default();
                let place = Place { line, offset: violation.offset() };
                self.fault(source, place, &violation, Some(from))
            }
            Piece::Other(_) | Piece::Pause => Ok(()),
        }
    }

    /// A part of the log that cannot be read does not keep the next one from being
    /// judged.
    fn wrong(&mut self, said: &str) -> io::Result<()> {
        self.outcome = Outcome::Failed;
        self.note(said)
    }
}
