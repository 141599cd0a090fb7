//! Judging on several threads, with the output of one.
//!
//! All threads do the same: take the next block of the input, read its messages,
//! judge them beside the messages before, and print what is said of them.
//!
//! ```text
//! thread 1   take  read  senders  judge  format  print  take  read  senders ...
//! thread 2         take  read ··· senders ··· judge  format ··· print  take ...
//! ```
//!
//! `take`, `senders`, `judge` and `print` depend on the messages before: each is
//! done by one thread at a time, in the order of the input, so that nothing that
//! is said can depend on how many threads there are. `read` and `format` need
//! nothing but the message. A thread holds one block, and nothing waits in a queue:
//! that bounds the memory, and what a message lends never leaves its thread.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use super::Outcome;
use super::block::{Block, Blocks};
use super::input::{Piece, Source};
use super::judge::{Ahead, Case, Judge, Place};
use super::output::{Printed, Style};
use super::sender::Senders;
use super::tally::{Said, Tally};
use super::turns::Turns;

/// Judges the messages of all sources on so many threads, and prints what is said
/// of them.
///
/// If the output fails this returns at once, and leaves behind the threads that
/// wait for their turn, or for input which may never come.
pub(super) fn run<W: Write + Send + 'static>(
    blocks: Blocks,
    judge: Judge,
    output: W,
    style: Style,
    threads: usize,
) -> io::Result<Outcome> {
    // One needs no thread but this.
    let others = if threads > 1 { threads } else { 0 };
    let (ahead, others) = (judge.ahead(), (0..others).map(|_| judge.ahead()).collect());
    let work = Arc::new(Work {
        sources: blocks.sources(),
        blocks: Mutex::new(blocks),
        senders: Turns::new(judge.senders()),
        judge: Turns::new(judge),
        output: Turns::new((Tally::new(), output)),
        style,
    });
    work.share(ahead, others)?;
    work.end()
}

/// What the threads share.
struct Work<W> {
    sources: Arc<[Source]>,
    blocks: Mutex<Blocks>,
    /// None where it is known who sent a message.
    senders: Turns<Option<Senders>>,
    judge: Turns<Judge>,
    output: Turns<(Tally, W)>,
    style: Style,
}

impl<W: Write + Send + 'static> Work<W> {
    /// Does all of it: on threads for the `others` while the system has some, else
    /// on this one.
    fn share(self: &Arc<Self>, mut ahead: Ahead, others: Vec<Ahead>) -> io::Result<()> {
        let (over, ends) = mpsc::channel();
        let start = |mut ahead: Ahead| {
            let (work, over) = (Arc::clone(self), over.clone());
            let act = move || {
                let done = catch_unwind(AssertUnwindSafe(|| work.go_on(&mut ahead)));
                // Nobody listens any more if another one has failed.
                let _ = over.send(done);
            };
            thread::Builder::new().spawn(act).ok()
        };
        let started = others.into_iter().map_while(start).count();
        if started == 0 {
            return self.go_on(&mut ahead);
        }
        // A panic goes on here, where it ends the program as it does on one thread.
        let mut ends = ends.iter().take(started);
        ends.try_for_each(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// What each thread does, until there is no more.
    fn go_on(&self, ahead: &mut Ahead) -> io::Result<()> {
        let mut block = Block::default();
        let mut printed = Printed::default();
        while let Some(turn) = self.next(&mut block) {
            let source = &self.sources[block.source];
            let said = self.judge(turn, ahead, source, &mut block)?;
            said.iter().try_for_each(|said| printed.say(self.style, source, said))?;
            self.output.take(turn, |(tally, output)| {
                for said in &said {
                    tally.count(said);
                }
                printed.write(output)
            })?;
        }
        Ok(())
    }

    /// What is said of a block.
    fn judge<'b>(
        &self,
        turn: u64,
        ahead: &mut Ahead,
        source: &Source,
        block: &'b mut Block,
    ) -> io::Result<Vec<Said<'b>>> {
        let (before, after) = (block.before.take(), block.after.take());
        let mut parts = Vec::with_capacity(block.frames.len() + 2);
        parts.extend(before.map(Part::Said));
        parts.extend(block.frames.pieces().filter_map(|piece| Part::read(ahead, source, piece)));
        parts.extend(after.map(Part::Said));

        let told = self.senders.take(turn, |senders| {
            let Some(senders) = senders else { return Ok(Vec::new()) };
            if block.begins {
                senders.forget();
            }
            Ok(cases(&mut parts).map(|case| case.sender(senders)).collect())
        })?;
        cases(&mut parts).zip(told).for_each(|(case, from)| ahead.read_as(from, case));

        self.judge.take(turn, |judge| {
            if block.begins {
                judge.begin();
            }
            cases(&mut parts).for_each(|case| judge.judge(case));
            Ok(())
        })?;
        let mut said = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Part::Case(case) => case.say(ahead.terms(), &mut said),
                Part::Said(one) => said.push(one),
            }
        }
        Ok(said)
    }

    fn next(&self, block: &mut Block) -> Option<u64> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).next(block)
    }

    /// Prints the sums, in the turn behind all others, and tells how it went.
    fn end(&self) -> io::Result<Outcome> {
        let turn = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).count();
        self.output.take(turn, |(tally, output)| {
            let mut printed = Printed::default();
            printed.statistics(self.style, &tally.statistics)?;
            printed.write(output)?;
            Ok(tally.outcome)
        })
    }
}

/// Of a block, in its order.
enum Part<'b> {
    /// A message, of which nothing is said yet.
    Case(Case<'b>),
    Said(Said<'static>),
}

impl<'b> Part<'b> {
    fn read(ahead: &mut Ahead, source: &Source, piece: Piece<'b>) -> Option<Self> {
        match piece {
            Piece::Message(place, message) => Some(Self::Case(ahead.read(place, message))),
            Piece::Fault(violation) => {
                let place = Place::of(&violation);
                ahead.terms().fault(source, place, &violation, None).map(Self::Said)
            }
            Piece::Other(place) => ahead.terms().other_event(source, place).map(Self::Said),
        }
    }
}

fn cases<'p, 'b>(parts: &'p mut [Part<'b>]) -> impl Iterator<Item = &'p mut Case<'b>> {
    parts.iter_mut().filter_map(|part| match part {
        Part::Case(case) => Some(case),
        Part::Said(_) => None,
    })
}

#[cfg(test)]
mod tests;
