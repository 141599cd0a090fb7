//! From the start of the server to its end.
//!
//! ```text
//! running ──── the client has ended, or is gone, ────▶ closed ──grace──▶ SIGTERM ──grace──▶ SIGKILL
//!    │         or the server says nothing more           │                  │                 │
//!    └────────────────────── the process is over ────────┴──────────────────┴─────────────────┘
//!                                     │
//!                                     ▼
//!                      what it has said is carried to its end ──▶ over
//! ```
//!
//! A process that the server has left behind may hold its output open: nothing that
//! comes from there within a grace is waited for.

use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::signals::{self, Push};
use super::wire::{Event, Wire};

/// The longest that a server may live on when its client does not read any more.
const GONE_GRACE: Duration = Duration::from_secs(2);
/// How long what a client sends is answered once its server is over.
const SETTLING: Duration = Duration::from_secs(1);
/// How often the process is looked at: rarely where a signal tells of its end, unless
/// whoever started us has it blocked.
const TICK: Duration = if cfg!(unix) { Duration::from_secs(1) } else { Duration::from_millis(50) };

pub(super) struct Course {
    child: Child,
    wire: Arc<Wire>,
    events: Receiver<Event>,
    grace: Duration,
    stage: Stage,
    /// When the stage is over.
    deadline: Option<Instant>,
    /// All that the server has said was carried.
    has_carried: bool,
    /// The exit code, once the process is over.
    code: Option<u8>,
    /// How often something had come from the server when it was last looked at, if
    /// the next was waited for.
    reads: Option<u64>,
    /// The client has said all.
    has_heard_all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// Its input has ended.
    Closed,
    Terminated,
    Killed,
    /// The process is over, and what it has said is being carried.
    Carrying,
    /// Nothing more is waited for but that those who wait are told.
    Telling,
}

impl Course {
    pub(super) fn new(
        child: Child,
        wire: Arc<Wire>,
        events: Receiver<Event>,
        grace: Duration,
    ) -> Self {
        Self {
            child,
            wire,
            events,
            grace,
            stage: Stage::Running,
            deadline: None,
            has_carried: false,
            code: None,
            reads: None,
            has_heard_all: false,
        }
    }

    /// Waits for the end. Gives the exit code.
    pub(super) fn run(mut self) -> u8 {
        loop {
            let now = Instant::now();
            let left =
                self.deadline.map_or(TICK, |deadline| deadline.saturating_duration_since(now));
            match self.events.recv_timeout(left.min(TICK)) {
                Ok(Event::Signal(signal)) if signals::is_of_child(signal) => {}
                Ok(Event::Signal(signal)) => {
                    if let Some(code) = self.code {
                        // There is nobody to pass it on to.
                        return code;
                    }
                    signals::pass_on(signal, &self.child);
                }
                Ok(Event::ClientEnded) => {
                    self.has_heard_all = true;
                    self.close(self.grace);
                }
                Ok(Event::ClientGone) => self.close(self.grace.min(GONE_GRACE)),
                Ok(Event::ServerEnded) => {
                    self.has_carried = true;
                    self.close(self.grace);
                }
                // It cannot be: the wire, which we hold, has a sender.
                Err(RecvTimeoutError::Disconnected) => {}
                Err(RecvTimeoutError::Timeout) => {
                    if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                        self.go_on();
                    }
                }
            }
            self.look();
            match self.code {
                Some(code) if self.has_carried => {
                    self.settle();
                    return code;
                }
                Some(code) if self.wire.client_is_gone() => return code,
                _ => {}
            }
        }
    }

    /// The server is over. What its client has sent meanwhile is answered too, and
    /// then nothing is written any more. A client that sends on and on is not heard
    /// for longer than a moment; one that does not read is waited for, as a line of
    /// its is under way.
    fn settle(&mut self) {
        let until = Instant::now() + SETTLING;
        let mut before = None;
        while !self.wire.client_is_gone() {
            let reads = self.wire.of_client.idle();
            let is_idle = self.has_heard_all || (reads.is_some() && reads == before);
            if (is_idle || until <= Instant::now()) && self.wire.seal() {
                return;
            }
            before = reads;
            match self.events.recv_timeout(SETTLING / 20) {
                Ok(Event::ClientEnded) => self.has_heard_all = true,
                Ok(Event::Signal(signal)) if !signals::is_of_child(signal) => return,
                _ => {}
            }
        }
    }

    /// Ends the server's input, and gives it so long to end.
    fn close(&mut self, grace: Duration) {
        self.wire.close_server();
        if self.stage == Stage::Running {
            self.enter(Stage::Closed, grace);
        } else if self.stage == Stage::Closed {
            let deadline = Instant::now() + grace;
            self.deadline = self.deadline.map(|set| set.min(deadline));
        }
    }

    /// The time of the stage is over.
    fn go_on(&mut self) {
        match self.stage {
            Stage::Closed => {
                signals::push(Push::Terminate, &mut self.child);
                self.enter(Stage::Terminated, self.grace);
            }
            Stage::Terminated => {
                signals::push(Push::Kill, &mut self.child);
                self.enter(Stage::Killed, GONE_GRACE);
            }
            // Not even the system can end it.
            Stage::Killed => self.over(128 + 9),
            Stage::Carrying => {
                let reads = self.wire.of_server.idle();
                if reads.is_some() && reads == self.reads {
                    // Apart, as the client may not read: signals are still heard.
                    let wire = Arc::clone(&self.wire);
                    thread::spawn(move || wire.server_ended());
                    (self.stage, self.deadline) = (Stage::Telling, None);
                } else {
                    self.reads = reads;
                    self.enter(Stage::Carrying, self.grace);
                }
            }
            Stage::Running | Stage::Telling => self.deadline = None,
        }
    }

    /// Looks whether the process is over.
    fn look(&mut self) {
        if self.code.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.over(signals::code(status));
        }
    }

    fn over(&mut self, code: u8) {
        self.code = Some(code);
        self.reads = self.wire.of_server.idle();
        self.enter(Stage::Carrying, self.grace);
    }

    fn enter(&mut self, stage: Stage, time: Duration) {
        (self.stage, self.deadline) = (stage, Some(Instant::now() + time));
    }
}
