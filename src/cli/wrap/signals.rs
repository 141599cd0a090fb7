//! Signals: those that we get, which are passed on, and those that we send. Only
//! Unix has them.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::Sender as Tell;

use super::wire::Event;

/// What ends a server that does not end by itself.
#[derive(Clone, Copy)]
pub(super) enum Push {
    /// It may clean up.
    Terminate,
    Kill,
}

/// Has signals told from now on: those to pass on, and the one that says that a
/// child has ended.
#[cfg(unix)]
pub(super) fn listen(events: Tell<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP, SIGCHLD])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if events.send(Event::Signal(signal)).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn listen(_events: Tell<Event>) -> io::Result<()> {
    Ok(())
}

/// Whether the signal says nothing but that a child has ended.
#[cfg(unix)]
pub(super) const fn is_of_child(signal: i32) -> bool {
    signal == signal_hook::consts::SIGCHLD
}

#[cfg(not(unix))]
pub(super) const fn is_of_child(_signal: i32) -> bool {
    true
}

/// Passes a signal on to a child that has not been waited for, so that its number
/// is nobody else's.
#[cfg(unix)]
pub(super) fn pass_on(signal: i32, child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    let signal = Signal::from_named_raw(signal);
    if let (Some(pid), Some(signal)) = (Pid::from_raw(child.id().cast_signed()), signal) {
        // It may have ended meanwhile.
        let _ = kill_process(pid, signal);
    }
}

#[cfg(not(unix))]
pub(super) fn pass_on(_signal: i32, _child: &Child) {}

/// Ends a child that has not been waited for.
pub(super) fn push(push: Push, child: &mut Child) {
    match push {
        #[cfg(unix)]
        Push::Terminate => pass_on(signal_hook::consts::SIGTERM, child),
        // There is no softer way.
        #[cfg(not(unix))]
        Push::Terminate => drop(child.kill()),
        Push::Kill => drop(child.kill()),
    }
}

/// The exit code that stands for how it ended, as shells have it.
pub(super) fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let code = status.code().or(signal.map(|signal| 128 + signal)).unwrap_or(1);
    // A code of more than a byte, as some systems have, is a failure in any case.
    u8::try_from(code).unwrap_or(1)
}
