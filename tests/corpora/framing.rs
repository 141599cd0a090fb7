//! Running a stream through a framer in given chunks, and two slow readers,
//! written from the standards alone, to hold the framers against.

use mcparse::{ErrorCode, Frame, Kind, LineFramer, Rule, Sender, SseFramer, Validator, Violation};

use crate::support::{Decision, same};

/// What a framer found, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Frame { bytes: Vec<u8>, event: Option<Vec<u8>>, offset: u64, line: u64 },
    Broken { rule: Rule, offset: u64 },
}

impl Found {
    fn new(found: Result<Frame<'_>, Violation<'static>>) -> Self {
        match found {
            Ok(frame) => Self::Frame {
                bytes: frame.bytes().to_vec(),
                event: frame.event().map(<[u8]>::to_vec),
                offset: frame.offset(),
                line: frame.line(),
            },
            Err(violation) => Self::Broken { rule: violation.rule(), offset: violation.offset() },
        }
    }

    /// The message, if it is one.
    pub(crate) fn message(&self) -> Option<&[u8]> {
        match self {
            Self::Frame { bytes, event: None, .. } => Some(bytes),
            Self::Frame { .. } | Self::Broken { .. } => None,
        }
    }

    /// Its verdict by `classify`; none if it is no message: an event of another
    /// name, or what a cut stream ends with.
    pub(crate) fn classify(&self) -> Option<Result<Kind, ErrorCode>> {
        match self {
            Self::Broken { rule: Rule::SseEventCut, .. } => None,
            Self::Broken { rule, .. } => Some(Err(rule.code())),
            Self::Frame { .. } => self.message().map(mcparse::classify),
        }
    }

    /// Its verdict by `check`, with the same exceptions.
    pub(crate) fn check(&self, validator: &mut Validator, from: Sender) -> Option<Decision> {
        match self {
            Self::Broken { rule: Rule::SseEventCut, .. } => None,
            Self::Broken { rule, .. } => Some(Decision::Refuse(*rule)),
            Self::Frame { .. } => self.message().map(|message| check(validator, from, message)),
        }
    }
}

/// The verdict of `check` on one message.
pub(crate) fn check(validator: &mut Validator, from: Sender, message: &[u8]) -> Decision {
    match validator.check(from, message) {
        Ok(message) => Decision::Accept(message.kind()),
        Err(violation) => Decision::Refuse(violation.rule()),
    }
}

/// What the two framers have in common.
pub(crate) trait Framer {
    fn new(limit: usize) -> Self;
    fn feed(&mut self, chunk: &[u8], found: &mut Vec<Found>);
    fn end(&mut self, found: &mut Vec<Found>);

    /// Whether this is what `stream` holds, as it is read by hand.
    fn is_right(found: &[Found], stream: &[u8]) -> Result<(), String>;
}

macro_rules! framer {
    ($framer:ident, $is_right:expr) => {
        impl Framer for $framer {
            fn new(limit: usize) -> Self {
                Self::new(limit)
            }

            fn feed(&mut self, mut chunk: &[u8], found: &mut Vec<Found>) {
                while let Some(next) = self.next_frame(&mut chunk) {
                    found.push(Found::new(next));
                }
                assert!(chunk.is_empty(), "a framer that asks for more has read all");
            }

            fn end(&mut self, found: &mut Vec<Found>) {
                found.extend(self.finish().map(Found::new));
            }

            fn is_right(found: &[Found], stream: &[u8]) -> Result<(), String> {
                $is_right(found, stream)
            }
        }
    };
}

framer!(LineFramer, |found: &[Found], stream| same(&found, &&*lines_by_hand(stream)));
framer!(SseFramer, are_events);

/// What a new framer finds in `stream`, read in chunks that end at `cuts`.
pub(crate) fn found<F: Framer>(stream: &[u8], cuts: &[usize], limit: usize) -> Vec<Found> {
    let mut framer = F::new(limit);
    let mut found = Vec::new();
    let mut from = 0;
    for &to in cuts.iter().chain([&stream.len()]) {
        framer.feed(&stream[from..to], &mut found);
        from = to;
    }
    framer.end(&mut found);
    found
}

/// Whether exactly the events of a stream were found, and that it is cut.
fn are_events(found: &[Found], stream: &[u8]) -> Result<(), String> {
    let mut got = Vec::new();
    let mut said_cut = false;
    for one in found {
        match one {
            Found::Frame { bytes, event, .. } => got.push((event.clone(), bytes.clone())),
            Found::Broken { rule, .. } => said_cut |= *rule == Rule::SseEventCut,
        }
    }
    let (events, is_cut) = events_by_hand(stream);
    let is_message = |name: &[u8]| matches!(name, b"" | b"message");
    let events =
        events.into_iter().map(|(name, data)| ((!is_message(&name)).then_some(name), data));
    same(&got, &events.collect())?;
    same(&said_cut, &is_cut)
}

/// The lines of a stream, by hand: every LF ends one, with a CR before it, and
/// lines of nothing but white space are no messages.
fn lines_by_hand(stream: &[u8]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut offset = 0;
    for (number, line) in (1..).zip(stream.split_inclusive(|&byte| byte == b'\n')) {
        let end = if line.ends_with(b"\r\n") { 2 } else { usize::from(line.ends_with(b"\n")) };
        let bytes = line[..line.len() - end].to_vec();
        if !bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            found.push(Found::Frame { bytes, event: None, offset, line: number });
        }
        offset += line.len() as u64;
    }
    found
}

/// The name and the data of an event.
pub(crate) type Event = (Vec<u8>, Vec<u8>);

/// Every event of a stream that has data, by hand, as the standard says under
/// "Interpreting an event stream"; and whether the stream ends inside one.
pub(crate) fn events_by_hand(stream: &[u8]) -> (Vec<Event>, bool) {
    let text = stream.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stream);
    let mut lines = lines_of_events(text);
    let unterminated = lines.pop().unwrap_or_default();
    let mut events = Vec::new();
    let (mut name, mut data) = (Vec::new(), Vec::new());
    for line in lines {
        if line.is_empty() {
            if data.pop().is_some() && !data.is_empty() {
                events.push((name, data));
            }
            (name, data) = (Vec::new(), Vec::new());
            continue;
        }
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"event" => name = value.to_vec(),
            b"data" => {
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            _ => {}
        }
    }
    let is_inside_a_line = !unterminated.is_empty() && !unterminated.starts_with(b":");
    (events, data.len() > 1 || is_inside_a_line)
}

/// Lines that end with CR, LF or CRLF; the last is what no end follows.
fn lines_of_events(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    let mut bytes = text.iter().peekable();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\r' => {
                bytes.next_if(|&&next| next == b'\n');
                lines.push(Vec::new());
            }
            b'\n' => lines.push(Vec::new()),
            byte => lines.last_mut().expect("never empty").push(byte),
        }
    }
    lines
}
