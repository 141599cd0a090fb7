//! The command: reads each source, has each message judged, prints a line for
//! it, and says by its exit code how it went.
//!
//! It uses the crate's public API only and holds no rule. How a source is cut
//! into messages is in `cli/input.rs`, `cli/http.rs` and `cli/log.rs`, how a verdict is printed
//! in `cli/output.rs`; what is said of rules is in `cli/explain.rs` and
//! `cli/listing.rs`.

mod args;
mod conversation;
mod conversations;
mod explain;
mod http;
mod input;
mod json;
mod judge;
mod listing;
mod log;
mod near;
mod output;
mod policy;
mod requests;
mod safe;
mod sender;
mod statistics;
mod text;
mod upstream;

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use mcparse::{Action, Policy, Rule, Sender, Violation};

use args::{Arguments, Command, Framing, Judging, Options};
use input::{Piece, Source, Stop};
use judge::{Judge, Place, Record};
use output::Output;
use statistics::Statistics;

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
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Accepted => 0,
            Outcome::Refused => 1,
            Outcome::Failed => 2,
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
    let mut session = Session {
        judge,
        framing: options.framing,
        output: Output::new(io::stdout().lock(), options.format, with_replies, &sources),
        statistics: Statistics::default(),
        outcome: Outcome::Accepted,
    };
    let written = session.run(&sources, options.statistics);
    ended(written, session.outcome)
}

/// Prints what is no verdict.
fn print(text: &str) -> Outcome {
    ended(io::stdout().lock().write_all(text.as_bytes()), Outcome::Accepted)
}

/// The outcome of what was written, if it could be.
fn ended(written: io::Result<()>, outcome: Outcome) -> Outcome {
    match written {
        Ok(()) => outcome,
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

/// One run over all sources.
struct Session<W: Write> {
    judge: Judge,
    framing: Framing,
    output: Output<W>,
    statistics: Statistics,
    outcome: Outcome,
}

impl<W: Write> Session<W> {
    /// Judges all sources in order. One that cannot be read does not keep the
    /// next ones from being judged: only the output can fail.
    fn run(&mut self, sources: &[Source], with_statistics: bool) -> io::Result<()> {
        for source in sources {
            match self.read(source) {
                Ok(()) => {}
                Err(Stop::Write(error)) => return Err(error),
                Err(Stop::Read(error)) => {
                    let advice = advice(error.kind());
                    self.note(&format!("cannot read {}: {error}{advice}", source.shown()))?;
                    self.outcome = Outcome::Failed;
                }
            }
        }
        if with_statistics {
            self.output.statistics(&self.statistics)?;
        }
        self.output.flush()
    }

    fn read(&mut self, source: &Source) -> Result<(), Stop> {
        if source.is_stdin() && io::stdin().is_terminal() {
            self.note("reading messages from the terminal; end with Ctrl-D, or name a file")?;
        }
        let mut reader = source.open().map_err(Stop::Read)?;
        self.judge.begin();
        match self.framing {
            Framing::Http => return self.converse(source, &mut *reader),
            Framing::Log => return self.replay(source, &mut *reader),
            Framing::Lines | Framing::Sse | Framing::None => {}
        }
        let limit = self.judge.policy().limits().message_bytes;
        let mut is_empty = true;
        input::pieces(&mut *reader, self.framing, limit, &mut |piece| {
            if let (true, Piece::Message(_, first)) = (is_empty, piece) {
                self.hint(source, first)?;
            }
            is_empty &= matches!(piece, Piece::Pause | Piece::Other(_));
            self.take(source, piece)
        })?;
        if is_empty {
            let framing = self.framing;
            self.note(&format!("{} holds no message, read as {framing}", source.shown()))?;
        }
        Ok(())
    }

    /// What is read as lines and begins like something else is pointed out.
    fn hint(&mut self, source: &Source, first: &[u8]) -> io::Result<()> {
        let (is, framing) = match self.framing {
            Framing::Lines if http::begins_like_a_head(first) => ("HTTP", "http"),
            Framing::Lines if log::is_record(first) => ("a log", "log"),
            _ => return Ok(()),
        };
        self.note(&format!("{}: this looks like {is}: try --framing {framing}", source.shown()))
    }

    fn take(&mut self, source: &Source, piece: Piece<'_>) -> io::Result<()> {
        match piece {
            Piece::Message(place, bytes) => {
                self.judge.judge(place, bytes).iter().try_for_each(|one| self.report(source, one))
            }
            Piece::Fault(violation) => {
                let line = violation.line().unwrap_or_default();
                self.fault(source, Place { line, offset: violation.offset() }, &violation, None)
            }
            Piece::Other(place) => self.other_event(source, place),
            Piece::Pause => self.output.flush(),
        }
    }

    /// What a framer found is judged by the policy like any other rule; if it
    /// only reports, there is no message to report it with. `from` is who sent it,
    /// if that is known for sure.
    fn fault(
        &mut self,
        source: &Source,
        place: Place,
        violation: &Violation<'static>,
        from: Option<Sender>,
    ) -> io::Result<()> {
        match self.judge.policy().action(violation.rule()) {
            Action::Refuse => self.report(source, &self.judge.unread(place, violation, from)),
            Action::Report => {
                self.statistics.add_finding(violation.rule());
                self.note(&format!("{}: {violation}", source.shown()))
            }
            Action::Off => Ok(()),
        }
    }

    /// An event that holds no message is no fault of a framer's, so the policy is
    /// asked here.
    fn other_event(&mut self, source: &Source, place: Place) -> io::Result<()> {
        let rule = Rule::SseEventOther;
        match self.judge.policy().action(rule) {
            Action::Off => return Ok(()),
            Action::Report => {}
            Action::Refuse => self.outcome = self.outcome.max(Outcome::Refused),
        }
        self.statistics.add_finding(rule);
        self.note(&format!("{}:{}: {rule}: {}", source.shown(), place.line, rule.reason()))
    }

    fn report(&mut self, source: &Source, record: &Record<'_>) -> io::Result<()> {
        self.statistics.add(record);
        if record.is_refused() {
            self.outcome = self.outcome.max(Outcome::Refused);
        }
        self.output.record(source, record)
    }

    /// Speaks on standard error, after all that was judged so far.
    fn note(&mut self, text: &str) -> io::Result<()> {
        self.output.flush()?;
        say(text);
        Ok(())
    }
}

/// What to do about a source that cannot be read.
const fn advice(error: ErrorKind) -> &'static str {
    match error {
        ErrorKind::NotFound => "; check the path, or give - for standard input",
        ErrorKind::PermissionDenied => "; make it readable, or pipe it in and give -",
        ErrorKind::IsADirectory => "; name the files in it",
        _ => "",
    }
}
