//! The proxy as a child, and both of its sides.

pub(crate) mod messages;
pub(crate) mod proxy;
pub(crate) mod upstream;
pub(crate) mod wire;

use std::future::Future;
use std::time::Duration;

pub(crate) use messages::{answer, call, post, post_with, reply};
pub(crate) use proxy::Proxy;
pub(crate) use upstream::Upstream;
pub(crate) use wire::{Head, Wire};

/// How long anything may take that must happen: a machine that does much else is slow.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for what must happen.
pub(crate) async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future).await.expect("it happens in time")
}

/// Waits for what must happen within that many seconds.
pub(crate) async fn within<F: Future>(seconds: u64, future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(seconds), future)
        .await
        .unwrap_or_else(|_| panic!("it does not happen within {seconds} s"))
}
