//! The command: reads each source, has each message judged, prints a line for
//! it, and says by its exit code how it went.
//!
//! It uses the crate's public API only and holds no rule. How a source is cut
//! into messages is in `cli/input.rs`, `cli/http.rs` and `cli/log.rs`, how they are
//! shared among threads in `cli/workers.rs`, how a verdict is printed in
//! `cli/output.rs`; `cli/wrap.rs` judges what a client and its server say to each
//! other while they do; what is said of rules is in `cli/explain.rs` and
//! `cli/listing.rs`.

mod args;
mod block;
mod conversation;
mod conversations;
mod explain;
mod http;
mod input;
mod json;
mod judge;
mod likely;
mod listing;
mod log;
mod near;
mod output;
mod policy;
mod proxy;
mod requests;
mod safe;
mod sender;
mod session;
mod statistics;
mod tally;
mod text;
mod turns;
mod upstream;
mod workers;
mod wrap;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use mcparse::{Policy, Sender};

use args::{Arguments, Command, Framing, Judging, Options};
use block::Blocks;
use input::Source;
use judge::Judge;
use output::{Output, Style};
use session::Session;
use tally::Tally;

pub(crate) use args::arguments;

/// How it went, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Every message was accepted.
    Accepted,
    /// Some message was refused.
    Refused,
    /// Something could not be read or written.
    Failed,
    /// A command that was run ended with this code, which is ours too.
    Ended(u8),
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Accepted => 0,
            Outcome::Refused => 1,
            Outcome::Failed => 2,
            Outcome::Ended(code) => code,
        })
    }
}

/// Does what the arguments ask for.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Classify(options) => judge(Judge::classifier(Policy::strict()), options, false),
        Command::Check(checking) => {
            let options = &checking.options;
            match checker(&checking.judging, options.framing) {
                Ok(checker) => judge(checker, options, checking.replies),
                Err(fault) => failed(&fault),
            }
        }
        Command::Proxy(options) => proxy::run(options),
        Command::Wrap(wrapping) => wrap::run(wrapping),
        Command::Explain { rule } => match explain::explain(rule.as_deref()) {
            Ok(text) => print(&text),
            Err(fault) => failed(&fault),
        },
        Command::Rules { format, policy } => {
            match policy.as_deref().map(policy::read).transpose() {
                Ok(policy) => print(&listing::rules(*format, policy.as_ref())),
                Err(fault) => failed(&fault),
            }
        }
    }
}

/// What judges as `check` is asked to.
fn checker(judging: &Judging, framing: Framing) -> Result<Judge, String> {
    let policy = policy::policy(judging)?;
    let from = match (framing, judging.from.sender()) {
        (Framing::Http, Some(_)) => {
            return Err("HTTP tells who sent a message; leave --from out".to_owned());
        }
        (Framing::Log, Some(_)) => {
            return Err("a log tells who sent a message; leave --from out".to_owned());
        }
        // Only servers stream events.
        (Framing::Sse, None) => Some(Sender::Server),
        (_, from) => from,
    };
    Ok(Judge::checker(policy, from, framing, judging.alone))
}

/// Has all messages of the sources judged.
fn judge(judge: Judge, options: &Options, with_replies: bool) -> Outcome {
    let sources = Source::all(&options.files);
    let style = Style::new(options, with_replies, &sources);
    let limit = judge.policy().limits().message_bytes;
    ended(match options.framing {
        Framing::Http | Framing::Log => {
            let output = Output::new(io::stdout().lock(), style);
            Session { judge, tally: Tally::new(), output }.run(&sources, options.framing)
        }
        Framing::Lines | Framing::Sse | Framing::None => {
            let blocks = Blocks::new(sources.into(), options.framing, limit, input::CHUNK);
            workers::run(blocks, judge, io::stdout(), style, options.threads())
        }
    })
}

/// Prints what is no verdict.
fn print(text: &str) -> Outcome {
    let written = io::stdout().lock().write_all(text.as_bytes());
    ended(written.map(|()| Outcome::Accepted))
}

/// The outcome of what was written, if it could be.
fn ended(written: io::Result<Outcome>) -> Outcome {
    match written {
        Ok(outcome) => outcome,
        // The reader has seen enough: `mcparse check session.jsonl | head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Outcome::Accepted,
        Err(error) => failed(&format!("cannot write to standard output: {error}")),
    }
}

fn failed(fault: &str) -> Outcome {
    say(fault);
    Outcome::Failed
}

/// Tells the person at the terminal. That nobody can hear it is no reason to
/// stop.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "mcparse: {text}");
}
