//! Judging on several threads, with the output of one.
//!
//! All threads do the same: take the next block of the input, read its messages,
//! wait for their turn to judge them, and for their turn to print.
//!
//! ```text
//! thread 1   next  read ahead  judge  format  print   next  read ahead  judge ...
//! thread 2         next  read ahead ···  judge  format ··· print   next  ...
//! ```
//!
//! What depends on the messages before (`next`, `judge`, `print`) is done by one
//! thread at a time and in the order of the input, so that the output cannot
//! depend on how many there are. The rest, which is most of it, needs nothing but
//! the message. Each thread holds one block, and none waits in a queue: that bounds
//! the memory, and what a message borrows never leaves its thread.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use super::Outcome;
use super::account::Account;
use super::block::{Block, Blocks};
use super::input::{Piece, Source};
use super::judge::{Ahead, Read};
use super::output::{Printed, Style};
use super::turns::Turns;

/// Judges the messages of all sources on so many threads, and prints what is said
/// of them.
///
/// If the output fails this returns at once, and leaves behind the threads that
/// wait for their turn, or for input which may never come.
pub(super) fn run<W: Write + Send + 'static>(
    blocks: Blocks,
    account: Account,
    output: W,
    style: Style,
    threads: usize,
) -> io::Result<Outcome> {
    let ahead: Vec<Ahead> = (0..threads.max(1)).map(|_| account.judge.ahead()).collect();
    let work = Arc::new(Work {
        sources: blocks.sources(),
        blocks: Mutex::new(blocks),
        account: Turns::new(account),
        output: Turns::new(output),
        style,
    });
    work.share(ahead)?;
    work.end()
}

/// What the threads share.
struct Work<W> {
    sources: Arc<[Source]>,
    blocks: Mutex<Blocks>,
    account: Turns<Account>,
    output: Turns<W>,
    style: Style,
}

impl<W: Write + Send + 'static> Work<W> {
    /// Does all of it, on a thread for each of `ahead`.
    fn share(self: &Arc<Self>, mut ahead: Vec<Ahead>) -> io::Result<()> {
        if let [only] = &mut *ahead {
            return self.go_on(only);
        }
        let (over, ends) = mpsc::channel();
        for mut ahead in ahead {
            let (work, over) = (Arc::clone(self), over.clone());
            let act = move || {
                let done = catch_unwind(AssertUnwindSafe(|| work.go_on(&mut ahead)));
                // Nobody listens any more if another one has failed.
                let _ = over.send(done);
            };
            thread::Builder::new().spawn(act)?;
        }
        drop(over);
        // A panic goes on here, where it ends the program as it does on one thread.
        ends.iter().try_for_each(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// What each thread does, until there is no more.
    fn go_on(&self, ahead: &mut Ahead) -> io::Result<()> {
        let mut block = Block::default();
        let mut printed = Printed::default();
        while let Some(turn) = self.next(&mut block) {
            let source = &self.sources[block.source];
            let read = block.frames.pieces().map(|piece| match piece {
                Piece::Message(_, message) => ahead.read(message),
                Piece::Fault(_) | Piece::Other(_) => Read::Nothing,
            });
            let read = read.collect();
            let said =
                self.account.take(turn, |account| Ok(account.judge(source, &block, read)))?;
            said.into_iter().try_for_each(|said| printed.say(self.style, source, said))?;
            self.output.take(turn, |output| printed.write(output))?;
        }
        Ok(())
    }

    fn next(&self, block: &mut Block) -> Option<u64> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).next(block)
    }

    /// Prints the sums, in the turn behind all others, and tells how it went.
    fn end(&self) -> io::Result<Outcome> {
        let turn = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).count();
        self.account.take(turn, |account| {
            let mut printed = Printed::default();
            printed.statistics(self.style, &account.statistics)?;
            self.output.take(turn, |output| printed.write(output))?;
            Ok(account.outcome)
        })
    }
}
