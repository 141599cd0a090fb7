//! Connections at rest: one on which nothing is under way for too long is let go of,
//! whatever HTTP it speaks, and also if it has not said so much that this is known.
//!
//! The servers' own limits do not cover it: that on the head of a request begins once the
//! version is known, and HTTP/2 has none between requests.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

/// How many requests of one connection are under way.
#[derive(Clone)]
pub(super) struct Running(Arc<watch::Sender<usize>>);

/// One of them, until it is dropped.
pub(super) struct UnderWay(Running);

impl Running {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    pub(super) fn begin(&self) -> UnderWay {
        self.0.send_modify(|count| *count = count.saturating_add(1));
        UnderWay(self.clone())
    }

    /// Returns once none has been under way for as long as `most`.
    pub(super) async fn has_rested(&self, most: Duration) {
        let mut counts = self.0.subscribe();
        loop {
            let is_resting = *counts.borrow_and_update() == 0;
            // It cannot be closed: `self` has its sender.
            if !is_resting {
                let _ = counts.changed().await;
            } else if timeout(most, counts.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Duration = Duration::from_millis(20);
    const LONGER: Duration = Duration::from_millis(200);

    fn block_on(future: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(future);
    }

    #[test]
    fn a_connection_without_a_request_has_rested() {
        block_on(async { timeout(LONGER, Running::new().has_rested(MOST)).await.unwrap() });
    }

    #[test]
    fn one_with_a_request_under_way_rests_once_the_last_has_ended() {
        block_on(async {
            let running = Running::new();
            let (first, second) = (running.begin(), running.begin());
            drop(first);
            assert!(timeout(LONGER, running.has_rested(MOST)).await.is_err());
            drop(second);
            timeout(LONGER, running.has_rested(MOST)).await.unwrap();
        });
    }
}
