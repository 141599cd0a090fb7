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

mod record;
mod streams;

use std::io::{self, Read, Write};

use mcparse::Sender;

use self::record::Record;
pub(super) use self::record::is_record;
use self::streams::Streams;
use super::args::Framing;
use super::input::{self, Cut, Frames, Piece, Source, Stop};
use super::judge::Place;
use super::{Outcome, Session};

/// Room in a line for what stands around its message.
const ROOM: usize = 64 << 10;

impl<W: Write> Session<W> {
    /// Judges the messages of a log, in its order.
    pub(super) fn replay(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), Stop> {
        let limit = self.judge.policy().limits().message_bytes;
        let mut streams = Streams::new(source, limit);
        let mut is_empty = true;
        let mut is_told = false;
        // An escape doubles what it stands for, at least.
        let longest = limit.saturating_mul(2).saturating_add(ROOM);
        let mut cut = Cut::new(reader, Framing::Log, longest, input::CHUNK);
        let mut frames = Frames::default();
        let mut goes_on = true;
        while goes_on {
            goes_on = cut.next(&mut frames).map_err(Stop::Read)?;
            for piece in frames.pieces() {
                match piece {
                    Piece::Message(place, line) => {
                        is_empty = false;
                        self.entry(source, &mut streams, place, line)?;
                        if !is_told && record::is_message(line) {
                            is_told = true;
                            let said = "these are messages; leave out --framing log";
                            self.note(&format!("{}: {said}", source.shown()))?;
                        }
                    }
                    Piece::Fault(violation) => {
                        self.fault(source, Place::of(&violation), &violation, None)?;
                    }
                    Piece::Other(_) => {}
                }
            }
            self.output.flush()?;
        }
        if is_empty {
            self.note(&source.empty(Framing::Log))?;
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
        let entry = match Record::of(line) {
            Ok(entry) => entry,
            Err(said) => return self.wrong(&at(&format!("no record of a log: {said}"))),
        };
        let from = entry.sender();
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
            (None, None) => self.wrong(&at(
                "no record of a log: there is neither a \"message\" (or \"text\") nor a \"len\"",
            )),
        }
    }

    /// What came from this side.
    fn piece(&mut self, source: &Source, from: Sender, piece: Piece<'_>) -> io::Result<()> {
        match piece {
            Piece::Message(place, message) => {
                let records = self.judge.judge_as(from, place, message);
                records.into_iter().try_for_each(|record| self.report(source, record))
            }
            Piece::Fault(violation) => {
                self.fault(source, Place::of(&violation), &violation, Some(from))
            }
            Piece::Other(_) => Ok(()),
        }
    }

    /// A part of the log that cannot be read does not keep the next one from being
    /// judged.
    fn wrong(&mut self, said: &str) -> io::Result<()> {
        self.tally.outcome = Outcome::Failed;
        self.note(said)
    }
}
