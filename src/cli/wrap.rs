//! `mcparse wrap`: stands between a client and its server on stdio, runs the server
//! as its child, and judges every line of both directions.
//!
//! What becomes of a line is in `wrap/judge.rs`; how the directions go on side by
//! side without waiting for each other in `wrap/wire.rs` and `wrap/carry.rs`; how it
//! all ends in `wrap/course.rs`. Nothing is re-serialised: what is accepted goes on
//! byte by byte, its line end included.

mod account;
mod args;
mod carry;
mod clock;
mod course;
mod edges;
mod journal;
mod judge;
mod signals;
mod wire;

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;

use mcparse::Policy;

use self::account::Account;
use self::args::Mode;
pub(super) use self::args::{EXAMPLES, Wrapping};
use self::course::Course;
use self::journal::Journal;
use self::wire::Wire;
use super::safe::Safe;
use super::{Outcome, failed, policy, say};

/// The most characters that are shown of a command's name.
const MOST_NAME: usize = 200;
/// As shells say that a command is not there, and that it cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUN: u8 = 126;

/// Runs the server, and ends as it does.
pub(super) fn run(wrapping: &Wrapping) -> Outcome {
    match start(wrapping) {
        Ok(course) => Outcome::Ended(course.run()),
        Err(Fault::Ours(fault)) => failed(&fault),
        Err(Fault::OfCommand(code, fault)) => {
            say(&fault);
            Outcome::Ended(code)
        }
    }
}

/// Why nothing was started.
enum Fault {
    Ours(String),
    /// With the exit code that says so.
    OfCommand(u8, String),
}

fn start(wrapping: &Wrapping) -> Result<Course, Fault> {
    let policy = match &wrapping.policy {
        Some(path) => policy::read(path).map_err(Fault::Ours)?,
        None => Policy::strict(),
    };
    if policy.batches() {
        let fault = "the policy takes batches, which wrap does not: it carries one message a line";
        return Err(Fault::Ours(fault.to_owned()));
    }
    let journal = Journal::open(wrapping.log.as_deref(), wrapping.log_bytes, wrapping.log_all)
        .map_err(|error| {
            let path = wrapping.log.as_deref().unwrap_or(Path::new("")).display();
            Fault::Ours(format!("cannot open the log {path}: {error}"))
        })?;
    let (tell, events) = mpsc::channel();
    // Before there is a child whose end could be missed.
    signals::listen(tell.clone())
        .map_err(|error| Fault::Ours(format!("cannot listen for signals: {error}")))?;
    let mut child = spawn(wrapping)?;
    let (Some(server), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Fault::Ours("the server has no pipes".to_owned()));
    };
    let gates = wrapping.mode == Mode::Gate;
    let wire = Arc::new(Wire::new(Account::new(policy, gates), journal, server, gates, tell));
    let (ours, theirs) = (Arc::clone(&wire), Arc::clone(&wire));
    // They end with the process: one may be waiting for a client that says nothing.
    thread::spawn(move || carry::from_client(&ours, policy));
    thread::spawn(move || carry::from_server(&theirs, policy, out));
    Ok(Course::new(child, wire, events, wrapping.grace))
}

fn spawn(wrapping: &Wrapping) -> Result<Child, Fault> {
    let Some((program, arguments)) = wrapping.command.split_first() else {
        return Err(Fault::Ours("there is no command to run".to_owned()));
    };
    let mut command = Command::new(program);
    // What it says to people goes where ours does.
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().map_err(|error| {
        let shown = program.to_string_lossy();
        let code = if error.kind() == ErrorKind::NotFound { NOT_FOUND } else { NOT_RUN };
        Fault::OfCommand(code, format!("cannot run {}: {error}", Safe::new(&shown, MOST_NAME)))
    })
}
