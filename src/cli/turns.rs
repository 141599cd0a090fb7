//! What several threads use one after the other, in an order that is given.

use std::io;
use std::sync::{Condvar, Mutex, PoisonError};

pub(super) struct Turns<T> {
    /// Whose turn it is.
    next: Mutex<(u64, T)>,
    passed: Condvar,
}

impl<T> Turns<T> {
    pub(super) const fn new(shared: T) -> Self {
        Self { next: Mutex::new((0, shared)), passed: Condvar::new() }
    }

    /// Waits for all turns before this one, and passes it on. After a failure nobody
    /// has a turn any more, and whoever waits for one does so for ever.
    pub(super) fn take<R>(
        &self,
        turn: u64,
        act: impl FnOnce(&mut T) -> io::Result<R>,
    ) -> io::Result<R> {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = self
            .passed
            .wait_while(next, |(next, _)| *next != turn)
            .unwrap_or_else(PoisonError::into_inner);
        let done = act(&mut next.1)?;
        next.0 += 1;
        drop(next);
        self.passed.notify_all();
        Ok(done)
    }
}
