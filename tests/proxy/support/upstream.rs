//! Servers behind the proxy, which say what the test has them say.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use super::{Head, Wire, soon};

/// A request that came whole.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
}

pub(crate) struct Upstream {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    seen: UnboundedReceiver<Seen>,
    task: JoinHandle<()>,
}

/// A server's side of one connection.
pub(crate) struct Served {
    pub(crate) wire: Wire,
    seen: UnboundedSender<Seen>,
}

impl Served {
    /// The next request with its body; none once the connection has ended.
    pub(crate) async fn request(&mut self) -> Option<Seen> {
        let head = self.wire.try_head().await?;
        let body = self.wire.try_body(&head).await.ok()?;
        let seen = Seen { head, body };
        let _ = self.seen.send(seen.clone());
        Some(seen)
    }
}

impl Upstream {
    /// Runs `serve` for each connection.
    pub(crate) async fn start<F>(serve: impl Fn(Served) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let (sender, seen) = unbounded_channel();
        let count = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(Served { wire: Wire::new(stream), seen: sender.clone() }));
            }
        });
        Self { address, connections, seen, task }
    }

    /// Answers each request by what `respond` makes of it.
    pub(crate) async fn answering(
        respond: impl Fn(&Seen) -> Vec<u8> + Clone + Send + Sync + 'static,
    ) -> Self {
        Self::start(move |mut served| {
            let respond = respond.clone();
            async move {
                while let Some(seen) = served.request().await {
                    let response = respond(&seen);
                    if !served.wire.try_send(response).await {
                        return;
                    }
                }
            }
        })
        .await
    }

    /// Takes one request of each connection, says `bytes` and closes it.
    pub(crate) async fn saying(bytes: impl AsRef<[u8]>) -> Self {
        let bytes: Arc<[u8]> = bytes.as_ref().into();
        Self::start(move |mut served| {
            let bytes = Arc::clone(&bytes);
            async move {
                if served.request().await.is_some() {
                    served.wire.try_send(bytes).await;
                }
            }
        })
        .await
    }

    /// The next request that came.
    pub(crate) async fn seen(&mut self) -> Seen {
        soon(self.seen.recv()).await.expect("a request")
    }

    /// Whether no request has come that was not taken by `seen`.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.seen.try_recv().is_err()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.task.abort();
    }
}
