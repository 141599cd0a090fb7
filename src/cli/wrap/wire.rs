//! What both directions share, and how they share it without waiting for each
//! other.
//!
//! Three threads: one carries what the client sends, one what the server sends,
//! and the main one waits for signals and ends. The first speaks to both sides, as
//! a refused request is answered and a refused answer is told to the server; the
//! second speaks to the client only. So this waits for that:
//!
//! ```text
//! client's thread ──▶ the server reads its input ──▶ the server's thread reads its output
//!        │                                                        │
//!        └────────────▶ the client reads our output ◀─────────────┘
//! ```
//!
//! All arrows end at the client: while it reads, everything moves; when it does
//! not, everything stands still, within fixed buffers and with nothing lost, and
//! moves on when it reads again. There is no circle, because the server's thread
//! never writes to the server, and because the account and the log are locked for a
//! moment of work only, never while either side is read or written. A client that
//! writes without end and reads nothing stops itself, as it would with the server
//! alone.
//!
//! A writer is locked for one line, so that lines never mix.

use std::io::{self, BufWriter, Stdout, Write};
use std::mem;
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender as Tell;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use mcparse::{Sender, Violation};

use super::account::Account;
use super::journal::{Entry, Journal};
use super::judge::Judged;

/// How much is read at once, and written if it is small.
pub(super) const CHUNK: usize = 64 << 10;

/// What the main thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The process got this signal.
    #[cfg_attr(not(unix), expect(dead_code, reason = "nobody sends it there"))]
    Signal(i32),
    /// The client has closed our input.
    ClientEnded,
    /// The client does not read our output any more.
    ClientGone,
    /// All that the server has sent was carried, and who still waited was told.
    ServerEnded,
}

/// How far a direction is.
#[derive(Default)]
pub(super) struct Progress {
    /// How often something came.
    reads: AtomicU64,
    /// Whether the next is waited for: else what came is being written.
    awaits: AtomicBool,
}

impl Progress {
    /// Notes that the next is waited for.
    pub(super) fn waits(&self) {
        self.awaits.store(true, Ordering::Release);
    }

    /// Notes that it came.
    pub(super) fn came(&self) {
        self.awaits.store(false, Ordering::Release);
        self.reads.fetch_add(1, Ordering::AcqRel);
    }

    /// How often something came, if the next is waited for.
    pub(super) fn idle(&self) -> Option<u64> {
        let reads = self.reads.load(Ordering::Acquire);
        self.awaits.load(Ordering::Acquire).then_some(reads)
    }
}

pub(super) struct Wire {
    pub(super) account: Mutex<Account>,
    pub(super) journal: Mutex<Journal>,
    pub(super) to_client: Mutex<Lines<Stdout>>,
    /// None once it is closed. Only the client's thread writes to it.
    to_server: Mutex<Option<Lines<ChildStdin>>>,
    /// Whether it is to be closed by whoever holds it.
    is_closing: AtomicBool,
    client_is_gone: AtomicBool,
    /// How far the two directions are.
    pub(super) of_client: Progress,
    pub(super) of_server: Progress,
    /// Whether what is refused is held back.
    pub(super) gates: bool,
    events: Mutex<Tell<Event>>,
}

impl Wire {
    pub(super) fn new(
        account: Account,
        journal: Journal,
        server: ChildStdin,
        gates: bool,
        events: Tell<Event>,
    ) -> Self {
        Self {
            account: Mutex::new(account),
            journal: Mutex::new(journal),
            to_client: Mutex::new(Lines::new(io::stdout())),
            to_server: Mutex::new(Some(Lines::new(server))),
            is_closing: AtomicBool::new(false),
            client_is_gone: AtomicBool::new(false),
            of_client: Progress::default(),
            of_server: Progress::default(),
            gates,
            events: Mutex::new(events),
        }
    }

    /// Tells the main thread, which may be past caring.
    pub(super) fn tell(&self, event: Event) {
        let _ = lock(&self.events).send(event);
    }

    /// Writes to the client. That it is gone is told once.
    pub(super) fn client(&self, write: impl FnOnce(&mut Lines<Stdout>) -> io::Result<()>) {
        if self.client_is_gone() {
            return;
        }
        let written = write(&mut lock(&self.to_client));
        if written.is_err() && !self.client_is_gone.swap(true, Ordering::AcqRel) {
            self.tell(Event::ClientGone);
        }
    }

    pub(super) fn client_is_gone(&self) -> bool {
        self.client_is_gone.load(Ordering::Acquire)
    }

    /// Writes to the server. Whether it was heard.
    pub(super) fn server(
        &self,
        write: impl FnOnce(&mut Lines<ChildStdin>) -> io::Result<()>,
    ) -> bool {
        let mut server = lock(&self.to_server);
        let is_heard = server.as_mut().is_some_and(|lines| write(lines).is_ok());
        if !is_heard {
            *server = None;
        }
        drop(server);
        // Who was to close it meanwhile found it locked.
        if self.is_closing.load(Ordering::Acquire) {
            self.close_server();
        }
        is_heard
    }

    /// Ends the server's input: now, or as soon as what is being written is.
    pub(super) fn close_server(&self) {
        self.is_closing.store(true, Ordering::Release);
        match self.to_server.try_lock() {
            Ok(mut server) => *server = None,
            Err(TryLockError::Poisoned(server)) => *server.into_inner() = None,
            Err(TryLockError::WouldBlock) => {}
        }
    }

    /// Nothing more comes from the server: whoever waits is told, once.
    pub(super) fn server_ended(&self) {
        let failures = lock(&self.account).end();
        if !failures.is_empty() {
            self.client(|lines| {
                failures.iter().try_for_each(|failure| lines.say(failure))?;
                lines.flush()
            });
        }
        self.tell(Event::ServerEnded);
    }

    /// Lets nobody write to the client any more, so that the last line is whole.
    /// Whether that is so: not while somebody does.
    pub(super) fn seal(&self) -> bool {
        match self.to_client.try_lock() {
            Ok(lines) => mem::forget(lines),
            Err(TryLockError::Poisoned(lines)) => mem::forget(lines),
            Err(TryLockError::WouldBlock) => return false,
        }
        true
    }

    /// Tells the log of a line.
    pub(super) fn log(&self, from: Sender, line: u64, bytes: Option<usize>, judged: &Judged<'_>) {
        lock(&self.journal).tell(&Entry {
            from,
            line,
            bytes,
            refused: judged.refused,
            violation: judged.violation,
            id: judged.id,
            method: judged.method,
            findings: judged.findings,
            is_forwarded: judged.is_forwarded,
        });
    }

    /// Judges and logs a line that a framer has refused.
    pub(super) fn unread(&self, from: Sender, violation: Violation<'static>) -> Judged<'static> {
        let judged = lock(&self.account).judge_unread(from, violation);
        self.log(from, violation.line().unwrap_or_default(), None, &judged);
        judged
    }
}

/// A thread that panicked while it held the lock is no reason to stop the others:
/// none leaves half of anything behind.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A writer of lines: those that pass, byte by byte, and our own between them.
pub(super) struct Lines<W: Write> {
    out: BufWriter<W>,
    /// Whether the last line has no end.
    is_open: bool,
}

impl<W: Write> Lines<W> {
    fn new(out: W) -> Self {
        Self { out: BufWriter::with_capacity(CHUNK, out), is_open: false }
    }

    /// A line as it came.
    pub(super) fn pass(&mut self, line: &[u8], end: &[u8]) -> io::Result<()> {
        self.out.write_all(line)?;
        self.out.write_all(end)?;
        self.is_open = end.is_empty();
        Ok(())
    }

    /// Part of the stream as it came.
    pub(super) fn pass_on(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.out.write_all(chunk)
    }

    /// A message of ours.
    pub(super) fn say(&mut self, message: &[u8]) -> io::Result<()> {
        if self.is_open {
            self.out.write_all(b"\n")?;
        }
        self.pass(message, b"\n")
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_ours_begins_a_line() {
        let mut lines = Lines::new(Vec::new());
        lines.pass(b"{}", b"\r\n").unwrap();
        lines.say(b"[1]").unwrap();
        lines.pass(b"{}", b"").unwrap();
        lines.say(b"[2]").unwrap();
        assert_eq!(lines.out.into_inner().unwrap(), b"{}\r\n[1]\n{}\n[2]\n");
    }
}
