//! One run over sources that hold more than messages: HTTP and logs. What the next
//! bytes are is told by those before, so it is judged on one thread, while it is
//! read.

use std::io::{self, Write};

use mcparse::{Sender, Violation};

use super::Outcome;
use super::args::Framing;
use super::input::{Source, Stop};
use super::judge::{Judge, Place, Record};
use super::output::Output;
use super::tally::{Said, Tally};

pub(super) struct Session<W: Write> {
    pub(super) judge: Judge,
    pub(super) tally: Tally,
    pub(super) output: Output<W>,
}

impl<W: Write> Session<W> {
    /// Judges all sources in order. One that cannot be read does not keep the
    /// next ones from being judged: only the output can fail.
    pub(super) fn run(&mut self, sources: &[Source], framing: Framing) -> io::Result<Outcome> {
        for source in sources {
            match self.read(source, framing) {
                Ok(()) => {}
                Err(Stop::Write(error)) => return Err(error),
                Err(Stop::Read(error)) => {
                    self.say(source, Some(Said::Failure(source.unreadable(&error))))?;
                }
            }
        }
        self.output.statistics(&self.tally.statistics)?;
        self.output.flush()?;
        Ok(self.tally.outcome)
    }

    fn read(&mut self, source: &Source, framing: Framing) -> Result<(), Stop> {
        if let Some(prompt) = source.prompt() {
            self.note(&prompt)?;
        }
        let mut reader = source.open().map_err(Stop::Read)?;
        self.judge.begin();
        if framing == Framing::Http {
            self.converse(source, &mut *reader)
        } else {
            self.replay(source, &mut *reader)
        }
    }

    /// What a framer found. `from` is who sent it, if that is known for sure.
    pub(super) fn fault(
        &mut self,
        source: &Source,
        place: Place,
        violation: &Violation<'static>,
        from: Option<Sender>,
    ) -> io::Result<()> {
        let said = self.judge.terms().fault(source, place, violation, from);
        self.say(source, said)
    }

    /// An event that holds no message.
    pub(super) fn other_event(&mut self, source: &Source, place: Place) -> io::Result<()> {
        let said = self.judge.terms().other_event(source, place);
        self.say(source, said)
    }

    pub(super) fn report(&mut self, source: &Source, record: Record<'_>) -> io::Result<()> {
        self.say(source, Some(Said::Record(record)))
    }

    /// Speaks on standard error, after all that was judged so far.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        self.output.note(text)
    }

    fn say(&mut self, source: &Source, said: Option<Said<'_>>) -> io::Result<()> {
        let Some(said) = said else { return Ok(()) };
        self.tally.count(&said);
        self.output.say(source, &said)
    }
}
