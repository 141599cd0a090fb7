//! Whether the server is closing: told to all that would otherwise go on.

use std::io;

use tokio::sync::watch;

/// Knows whether the server is closing.
pub(crate) type Closing = watch::Receiver<bool>;

/// It never is.
pub(crate) fn never() -> Closing {
    watch::channel(false).1
}

/// It is once somebody presses Ctrl and C, which from now on is heard.
pub(crate) fn on_interrupt() -> io::Result<Closing> {
    #[cfg(unix)]
    let mut interrupts = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
    #[cfg(windows)]
    let mut interrupts = tokio::signal::windows::ctrl_c()?;
    let (close, closing) = watch::channel(false);
    tokio::spawn(async move {
        interrupts.recv().await;
        close.send_replace(true);
    });
    Ok(closing)
}

/// Waits until it is.
pub(crate) async fn closed(closing: &mut Closing) {
    if closing.wait_for(|&is_closing| is_closing).await.is_err() {
        // Nobody is there any more who could say so.
        std::future::pending::<()>().await;
    }
}
