//! What the layer says of a stream of events, and what of it goes on, worked out on the
//! whole text at once.

use std::collections::BTreeMap;

use mcparse::layer::{Heard, Mode, Outcome};
use mcparse::{
    Action, Answering, Kind, Message, Policy, RevisionSet, Rule, RuleSet, Sender, Snapshot,
    Summary, Validator, Violation,
};

use super::reader::{Event, Part, parts};

/// How much longer than a message the text of its event may be.
pub(crate) const MOST_AROUND: usize = 64 << 10;

/// What was said of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) from: Sender,
    pub(crate) verdict: Result<(Kind, RuleSet), Rule>,
    pub(crate) outcome: Outcome,
    pub(crate) bytes: Vec<u8>,
    pub(crate) to: Option<Vec<u8>>,
}

impl Told {
    pub(crate) fn of(heard: &Heard<'_>) -> Self {
        Self {
            from: heard.sender(),
            verdict: said(heard.verdict()),
            outcome: heard.outcome(),
            bytes: heard.bytes().to_vec(),
            to: heard.to().map(name),
        }
    }
}

pub(crate) fn said(verdict: Result<&Message<'_>, &Violation<'_>>) -> Result<(Kind, RuleSet), Rule> {
    verdict.map(|message| (message.kind(), message.findings())).map_err(Violation::rule)
}

fn name(summary: &Summary) -> Vec<u8> {
    summary.id().map(|id| id.lexeme().to_vec()).unwrap_or_default()
}

/// How a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    Broken,
    Trailers,
}

/// How much of the stream must have come for a piece of it to go on.
#[derive(Clone, Copy, Debug)]
enum Due {
    At(usize),
    /// It begins here, and each of its bytes goes on by itself.
    Each(usize),
}

impl Due {
    fn by(self, length: usize, came: usize) -> usize {
        match self {
            Self::At(at) => {
                if came >= at {
                    length
                } else {
                    0
                }
            }
            Self::Each(start) => came.saturating_sub(start).min(length),
        }
    }
}

/// What is to come of a stream.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// What goes on.
    pieces: Vec<(Due, Vec<u8>)>,
    /// What goes on once the stream is over.
    last: Vec<u8>,
    pub(crate) told: Vec<Told>,
    /// What the stream breaks and is only reported.
    pub(crate) reported: Vec<Rule>,
    /// Whether the client sees that it broke.
    pub(crate) breaks: bool,
    /// Whether the rest of the stream is not read.
    pub(crate) is_left: bool,
}

impl Expected {
    /// How much has gone on once `came` bytes of the stream have come and no end.
    pub(crate) fn by(&self, came: usize) -> usize {
        self.pieces.iter().map(|(due, piece)| due.by(piece.len(), came)).sum()
    }

    pub(crate) fn all(&self) -> Vec<u8> {
        let pieces = self.pieces.iter().map(|(_, piece)| &piece[..]);
        pieces.chain([&self.last[..]]).collect::<Vec<_>>().concat()
    }
}

/// Who judges, and what the stream is to.
pub(crate) struct Model<'m> {
    pub(crate) policy: &'m Policy,
    pub(crate) mode: Mode,
    /// None if each message is judged alone.
    pub(crate) to: Option<Answering>,
    pub(crate) validator: Validator,
    pub(crate) expected: Expected,
}

impl Model<'_> {
    /// The stream, in chunks that end at these places.
    pub(crate) fn stream(mut self, text: &[u8], ends: &[usize], ending: Ending) -> Expected {
        let mut last_id = Vec::new();
        let mut is_cut = false;
        for part in parts(text, self.policy.limits().message_bytes) {
            match part {
                Part::Between { start, end } => {
                    // The BOM is known by its last byte, all else by itself.
                    let is_bom = start == 0 && text[0] == 0xef;
                    let due = if is_bom { Due::At(end) } else { Due::Each(start) };
                    self.expected.pieces.push((due, text[start..end].to_vec()));
                }
                Part::Event(event) => {
                    if let Some(end) = self.held_too_long(&event, ends) {
                        self.expected.is_left = true;
                        self.tell(Rule::TooLarge);
                        let most = self.policy.limits().message_bytes;
                        let there = parts(&text[..end], most);
                        if let Some(Part::Event(event)) = there.last()
                            && event.is_cut()
                        {
                            self.odd(Rule::SseEventCut);
                        }
                        self.finish(&last_id);
                        return self.done(text);
                    }
                    let goes_on = self.event(&event, text);
                    if self.expected.is_left {
                        return self.done(text);
                    }
                    is_cut = event.end.is_none() && event.is_cut();
                    if event.end.is_some() && goes_on {
                        last_id = event.id.unwrap_or(last_id);
                    }
                }
            }
        }
        if is_cut {
            self.odd(Rule::SseEventCut);
        }
        self.finish(&last_id);
        self.expected.breaks = ending == Ending::Broken && self.expected.last.is_empty();
        self.done(text)
    }

    /// Whether the client gets it.
    fn event(&mut self, event: &Event, text: &[u8]) -> bool {
        if event.too_large.is_some() {
            self.tell(Rule::TooLarge);
            return self.mode == Mode::Observe;
        }
        let Some(end) = event.end else { return false };
        let data = event.data.as_deref().unwrap_or_default();
        let is_message = matches!(&*event.name, b"" | b"message");
        let raw = &text[event.start..end];
        if data.is_empty() {
            self.pass(end, raw);
        } else if !is_message {
            if self.odd(Rule::SseEventOther) {
                return self.mode == Mode::Observe;
            }
            self.pass(end, raw);
        } else {
            return self.message(data, raw, end);
        }
        true
    }

    /// The same of one that is a message.
    fn message(&mut self, data: &[u8], raw: &[u8], end: usize) -> bool {
        let verdict = match &mut self.to {
            Some(answering) => self.validator.check_event(answering, data),
            None => self.validator.check(Sender::Server, data),
        };
        let heard = said(verdict.as_ref());
        let failure = verdict.err().filter(|_| self.mode == Mode::Gate).map(|violation| {
            let concerns = violation.concerns_pending();
            self.to.as_ref().filter(|_| concerns).map(|to| failure(to, &violation))
        });
        let goes_on = failure.is_none();
        match failure {
            None => {
                let outcome = if heard.is_ok() { Outcome::Forwarded } else { Outcome::LetThrough };
                self.note(heard, outcome, data);
                self.pass(end, raw);
            }
            Some(None) => self.note(heard, Outcome::Dropped, data),
            Some(Some(failure)) => {
                self.note(heard, Outcome::Replaced, data);
                let put = self.put(&failure);
                self.expected.pieces.push((Due::At(end), put));
                self.expected.is_left = true;
            }
        }
        goes_on
    }

    /// The stream is over: a request without its answer is told so.
    fn finish(&mut self, last_id: &[u8]) {
        let Some(to) = self.to else { return };
        let is_legacy = to.request().revisions().intersection(RevisionSet::LEGACY);
        if !is_legacy.is_empty() && !last_id.is_empty() {
            return;
        }
        let Some(violation) = to.finish() else { return };
        if self.mode == Mode::Observe {
            self.note(Err(violation.rule()), Outcome::LetThrough, b"");
        } else {
            self.note(Err(violation.rule()), Outcome::Replaced, b"");
            self.expected.last = self.put(&failure(&to, &violation));
        }
    }

    /// The end of the chunk with which the event is longer than one may be held.
    fn held_too_long(&self, event: &Event, ends: &[usize]) -> Option<usize> {
        let most = self.policy.limits().message_bytes + MOST_AROUND;
        let until = event.too_large.into_iter().chain(event.end).min().unwrap_or(usize::MAX);
        let is_held = |&end: &usize| end < until && end > event.start + most;
        ends.iter().copied().find(is_held).filter(|_| self.mode == Mode::Gate)
    }

    /// Exactly what comes goes on, if all that is done is to observe.
    fn done(mut self, text: &[u8]) -> Expected {
        if self.mode == Mode::Observe {
            self.expected.pieces = vec![(Due::Each(0), text.to_vec())];
            self.expected.is_left = false;
        }
        self.expected
    }

    fn pass(&mut self, at: usize, piece: &[u8]) {
        // A mark that comes first because of what was left out is none.
        if self.expected.pieces.is_empty() && at > piece.len() && piece.starts_with(b"\xEF") {
            self.expected.pieces.push((Due::At(at), b"\n".to_vec()));
        }
        self.expected.pieces.push((Due::At(at), piece.to_vec()));
    }

    /// An event with this message, on a line of its own.
    fn put(&self, message: &[u8]) -> Vec<u8> {
        let before = self.expected.pieces.last().and_then(|(_, piece)| piece.last());
        let end: &[u8] = match before {
            None | Some(b'\r' | b'\n') => b"",
            Some(_) => b"\n",
        };
        [end, b"data: ", message, b"\n\n"].concat()
    }

    /// What is wrong with the stream, and concerns nobody.
    fn tell(&mut self, rule: Rule) {
        let outcome = if self.mode == Mode::Gate { Outcome::Dropped } else { Outcome::LetThrough };
        self.note(Err(rule), outcome, b"");
    }

    /// What holds no message. Whether it is refused.
    fn odd(&mut self, rule: Rule) -> bool {
        let action = self.policy.action(rule);
        match action {
            Action::Refuse => self.tell(rule),
            Action::Report => self.expected.reported.push(rule),
            Action::Off => {}
        }
        action == Action::Refuse
    }

    fn note(&mut self, verdict: Result<(Kind, RuleSet), Rule>, outcome: Outcome, bytes: &[u8]) {
        let to = self.to.as_ref().map(|to| name(to.request()));
        let bytes = bytes.to_vec();
        self.expected.told.push(Told { from: Sender::Server, verdict, outcome, bytes, to });
    }
}

/// What a client is told in the place of its answer.
fn failure(to: &Answering, violation: &Violation<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    assert!(to.request().write_failure(&mut out, violation));
    out
}

/// Numbers by what they count.
pub(crate) type Numbers = BTreeMap<String, u64>;

/// What is counted of these messages, and of what a server's response breaks besides.
pub(crate) fn numbers(told: &[Told], reported: impl IntoIterator<Item = Rule>) -> Numbers {
    let mut numbers = Numbers::new();
    let mut add = |what: String, more: u64| *numbers.entry(what).or_default() += more;
    for rule in reported {
        add(format!("server {rule} reported"), 1);
    }
    for Told { from, verdict, outcome, bytes, .. } in told {
        add(format!("{from} bytes"), bytes.len() as u64);
        match verdict {
            Ok((kind, findings)) => {
                add(format!("{from} {kind:?}"), 1);
                for rule in *findings {
                    add(format!("{from} {rule} reported"), 1);
                }
            }
            Err(rule) if *outcome == Outcome::LetThrough => {
                add(format!("{from} {rule} let through"), 1);
            }
            Err(rule) => add(format!("{from} {rule} refused"), 1),
        }
        add("replaced".to_owned(), u64::from(*outcome == Outcome::Replaced));
        add("dropped".to_owned(), u64::from(*outcome == Outcome::Dropped));
    }
    numbers.retain(|_, number| *number > 0);
    numbers
}

/// The same, as it was counted.
pub(crate) fn counted(snapshot: &Snapshot) -> Numbers {
    let mut numbers = Numbers::new();
    for from in [Sender::Client, Sender::Server] {
        numbers.insert(format!("{from} bytes"), snapshot.bytes(from));
        for kind in [Kind::Request, Kind::Notification, Kind::Result, Kind::Error] {
            numbers.insert(format!("{from} {kind:?}"), snapshot.accepted(from, kind));
        }
    }
    for (from, rule, counts) in snapshot.rules() {
        numbers.insert(format!("{from} {rule} reported"), counts.reported);
        numbers.insert(format!("{from} {rule} let through"), counts.let_through);
        numbers.insert(format!("{from} {rule} refused"), counts.refused);
    }
    numbers.insert("replaced".to_owned(), snapshot.replaced());
    numbers.insert("dropped".to_owned(), snapshot.dropped());
    numbers.retain(|_, number| *number > 0);
    numbers
}
