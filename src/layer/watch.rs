//! A response in JSON that goes on as it comes, and is judged at its end.
//!
//! The end has three faces: the body says so, it gives nothing more, or it is let go
//! of once as many bytes have come as were announced, since whoever sends
//! them on counts them too.

use bytes::Bytes;
use http_body::Frame;

use super::collect::Collected;
use super::hearing::Hearing;
use crate::rule::Rule;
use crate::violation::Violation;

pub(super) struct Watch {
    /// None once all is said.
    hearing: Option<Hearing>,
    collected: Collected,
    /// How many bytes will have come, if that was announced.
    announced: Option<u64>,
    came: u64,
}

impl Watch {
    pub(super) fn new(hearing: Hearing, announced: Option<u64>) -> Self {
        Self { hearing: Some(hearing), collected: Collected::default(), announced, came: 0 }
    }

    /// Notes what goes on.
    pub(super) fn take(&mut self, frame: &Frame<Bytes>) {
        let (Some(hearing), Some(data)) = (&self.hearing, frame.data_ref()) else { return };
        self.came = self.came.saturating_add(data.len() as u64);
        if self.collected.push(hearing.judge(), data.clone()).is_err() {
            hearing.fault(&Violation::of_stream(Rule::TooLarge));
            self.leave();
        }
    }

    /// All has come.
    pub(super) fn end(&mut self) {
        let Some(mut hearing) = self.hearing.take() else { return };
        let collected = std::mem::take(&mut self.collected);
        if !collected.is_empty() || hearing.waits() {
            hearing.hear(collected.bytes());
        }
        hearing.end(false);
    }

    /// It breaks off, and so there is no answer.
    pub(super) fn break_off(&mut self) {
        if let Some(mut hearing) = self.hearing.take() {
            hearing.end(false);
        }
        self.leave();
    }

    /// Reads no further.
    fn leave(&mut self) {
        (self.hearing, self.collected) = (None, Collected::default());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.announced == Some(self.came) {
            self.end();
        }
    }
}
