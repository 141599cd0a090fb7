//! Log lines on standard error, by a thread of their own: a terminal that stands still must
//! not keep messages from passing. What it cannot write in time is left out, and counted.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mcparse::layer::{Heard, Outcome};
use mcparse::telemetry::TARGET;
use mcparse::{Id, Rule, Sender, Summary, Text, Violation};
use tracing::Level;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use super::args::Log;

/// How many lines may wait.
const MOST_WAITING: usize = 4096;
/// The most bytes that are shown of an id or a method.
const MOST_SHOWN: usize = 64;
/// How long the last lines may take.
const LAST: Duration = Duration::from_secs(1);

/// How many lines were left out.
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

pub(super) fn left_out() -> u64 {
    LEFT_OUT.load(Ordering::Relaxed)
}

/// What writes.
pub(super) struct Writing {
    lines: Lines,
    thread: Option<JoinHandle<()>>,
}

/// Begins to write log lines.
pub(super) fn start(form: Log) -> Writing {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let lines = Lines(sender);
    let thread = thread::Builder::new().name("log".to_owned()).spawn(move || write(&receiver)).ok();
    // The spans and events of the library are for those who send them on, and what
    // HTTP does with its connections is for those who mend it.
    let is_ours = filter_fn(|about| {
        about.is_event() && about.target() != TARGET && *about.level() <= Level::INFO
    });
    let layer = fmt::layer().with_writer(lines.clone()).with_target(false);
    let registry = tracing_subscriber::registry();
    // There is one subscriber for a process; this is its only place.
    match form {
        Log::Json => {
            let layer = layer.json().flatten_event(true);
            let layer = layer.with_current_span(false).with_span_list(false);
            registry.with(layer.with_filter(is_ours)).init();
        }
        Log::Text => registry.with(layer.with_ansi(false).with_filter(is_ours)).init(),
    }
    Writing { lines, thread }
}

impl Writing {
    /// Writes what there is still to write.
    pub(super) fn finish(self) {
        let Some(thread) = self.thread else { return };
        // An empty line is the last; a thread that cannot write it is not waited for.
        let _ = self.lines.0.try_send(Vec::new());
        let start = Instant::now();
        while !thread.is_finished() && start.elapsed() < LAST {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn write(lines: &Receiver<Vec<u8>>) {
    while let Ok(line) = lines.recv() {
        if line.is_empty() {
            return;
        }
        let _ = io::stderr().lock().write_all(&line);
    }
}

/// Takes lines that are to be written.
#[derive(Clone)]
struct Lines(SyncSender<Vec<u8>>);

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Err(TrySendError::Full(_)) = self.0.try_send(line.to_vec()) {
            LEFT_OUT.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for Lines {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        self.clone()
    }
}

/// Tells of a message that was refused, and if `findings` are wanted of one that was not and
/// broke rules that are only reported. What breaks none is only counted.
pub(super) fn heard(heard: &Heard<'_>, findings: bool) {
    let direction = if heard.sender() == Sender::Client { "c2s" } else { "s2c" };
    match heard.verdict() {
        Err(violation) => refused(heard, direction, violation),
        Ok(message) if findings && !message.findings().is_empty() => {
            let rules: Vec<_> = message.findings().iter().map(Rule::id).collect();
            tracing::info!(
                rules = rules.join(" "),
                direction,
                id = message.id().map(shown_id),
                method = message.method().map(shown),
                to = heard.to().and_then(Summary::method_text).map(shown),
                bytes = heard.bytes().len(),
                "reported",
            );
        }
        Ok(_) => {}
    }
}

fn refused(heard: &Heard<'_>, direction: &str, violation: &Violation<'_>) {
    let (said, outcome) = match heard.outcome() {
        Outcome::LetThrough => ("would be refused", "let through"),
        Outcome::Answered => ("refused", "answered"),
        Outcome::Replaced => ("refused", "replaced"),
        Outcome::Dropped => ("refused", "dropped"),
        _ => ("refused", "forwarded"),
    };
    let detail = violation.detail().map(|detail| detail.to_string());
    // Of an answer, what it was to: its own may not be readable.
    let id = violation.id().or_else(|| heard.to().and_then(Summary::id));
    tracing::warn!(
        rule = violation.rule().id(),
        direction,
        outcome,
        code = violation.code().get(),
        status = violation.http_status(),
        offset = violation.offset(),
        id = id.map(shown_id),
        to = heard.to().and_then(Summary::method_text).map(shown),
        reason = detail.as_deref().unwrap_or(violation.reason()),
        bytes = heard.bytes().len(),
        "{said}",
    );
}

fn shown_id(id: Id<'_>) -> String {
    cut(id.lexeme())
}

/// A method, cut and escaped.
pub(super) fn shown(method: Text<'_>) -> String {
    cut(method.raw())
}

/// The start of what a peer wrote, in printable ASCII.
fn cut(text: &[u8]) -> String {
    text.get(..MOST_SHOWN).unwrap_or(text).escape_ascii().to_string()
}
