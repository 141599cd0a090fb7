//! Connections: taking them, and letting go of them.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::Semaphore;

use super::args::Proxy;
use super::counts::{Open, add};
use super::opening::Opening;
use super::route::Routes;

/// How many connections may wait to be taken.
const BACKLOG: u32 = 4096;
/// The most that the head of a request may have, in bytes.
const MOST_HEAD: usize = 64 << 10;
/// How many requests one connection of HTTP/2 may have open.
const MOST_STREAMS: u32 = 256;
/// After a failure to take a connection: too many files are open, say.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until it is told to stop, and what is under way has ended.
pub(super) async fn run(options: &Proxy, routes: Arc<Routes>) -> Result<(), String> {
    let mut stop = Stop::new().map_err(|error| format!("cannot listen for signals: {error}"))?;
    let listener = listen(options.listen)
        .map_err(|error| format!("cannot listen on {}: {error}", options.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    tracing::info!(upstream = %options.upstream, "listening on http://{address}{}", routes.path());

    let builder = builder(options);
    let idle = Duration::from_secs(options.idle.into());
    let graceful = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(options.max_connections as usize));
    loop {
        // Beyond the bound connections wait in the system's queue.
        let permit = tokio::select! {
            permit = Arc::clone(&permits).acquire_owned() => permit,
            () = stop.asked() => break,
        };
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "cannot take a connection");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            },
            () = stop.asked() => break,
        };
        // Events are small, and each is to go at once.
        let _ = stream.set_nodelay(true);
        let connection = connection(&builder, Opening::new(stream, idle), peer, &routes);
        let connection = graceful.watch(connection);
        let routes = Arc::clone(&routes);
        tokio::spawn(async move {
            add(&routes.counts().connections);
            let open = Open::new(&routes.counts().open);
            // What breaks a connection is its client's to know.
            let _ = connection.await;
            drop((open, permit));
        });
    }
    drop(listener);
    tracing::info!(open = graceful.count(), "stopping once what is under way has ended");
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(Duration::from_secs(options.drain.into())) => {
            tracing::warn!("closed what was still open");
        }
        () = stop.asked() => tracing::warn!("stopped at once"),
    }
    Ok(())
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // Connections take it over: one whose client has vanished is noticed some day.
    socket.set_keepalive(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn builder(options: &Proxy) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    let idle = Duration::from_secs(options.idle.into());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(idle)
        .max_buf_size(MOST_HEAD)
        .half_close(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(idle)
        .max_header_list_size(u32::try_from(MOST_HEAD).unwrap_or(u32::MAX))
        .max_concurrent_streams(MOST_STREAMS);
    builder
}

/// One connection, which serves request after request.
fn connection(
    builder: &Builder<TokioExecutor>,
    stream: Opening,
    peer: SocketAddr,
    routes: &Arc<Routes>,
) -> impl hyper_util::server::graceful::GracefulConnection + use<> {
    let routes = Arc::clone(routes);
    let service = service_fn(move |request: Request<Incoming>| {
        let routes = Arc::clone(&routes);
        async move { Ok::<_, Infallible>(routes.answer(request, peer.ip()).await) }
    });
    builder.serve_connection(TokioIo::new(stream), service).into_owned()
}

/// The signals that ask it to stop.
struct Stop {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Stop {
    #[cfg(unix)]
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(not(unix))]
    const fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next one.
    async fn asked(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }
}
