//! The scan lane: one pass over the caller's own bytes that checks all of
//! RFC 8259 and notes the protocol members, without a copy and without a tape.
//!
//! It answers only for plain messages. Of anything odd it says *ask the tape*:
//! a message that is no object, an escaped member name where names are read, an
//! escaped method, a name that looks like a protocol member's, a member given twice
//! (unless it is one of the message's own and no object), too many of them, an
//! unusual mix, nesting deeper than the policy says or than [`LEVELS`]. And of bytes that are not JSON it says
//! only that: `grammar.rs` knows better why. So it never accepts what the tape lane
//! would refuse, and what it reads is what the tape lane reads; tests and a
//! fuzzer hold the two together.
//!
//! Where strings end is told by `ends.rs`; this file reads what is between
//! them. Objects whose members are read are kept as [`Frame`]s; everything else is
//! only checked, in `scan/skip.rs`. Both can stop wherever the bytes at hand end,
//! and go on when there are more.

#![allow(clippy::inline_always, reason = "each is used once or twice, in the innermost loop")]

mod scope;
mod skip;
mod tokens;

use super::ends::Ends;
use super::kernel::Kernel;
use crate::envelope::{Envelope, Field, JsonType, Noted, Sighting};
use crate::method::Method;
use scope::Scope;
use skip::Nest;
use tokens::{colon_and, next, scalar, white_run};

/// The deepest nesting that this lane reads.
const LEVELS: usize = 512;

/// Why the scan does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The bytes at hand are over, the message is not; or a string is not JSON, so
    /// that its end was not looked for.
    More,
    /// It is not JSON, or none that every policy takes for JSON.
    NotJson,
    /// There is something odd about the message: the other lane has to say.
    AskTape,
}

/// Where the scan stands between two tokens of an object; in the order in which it
/// comes there, which is relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Place {
    /// Before the message.
    Start,
    Name,
    Colon,
    Value,
    /// In a value that is only checked.
    Inside,
    Behind,
    /// Behind the message.
    End,
}

/// An object that is open and whose members are read.
#[derive(Clone, Copy, Debug)]
struct Frame {
    scope: Scope,
    /// Of the member at hand: its name without the quotes, and where its value
    /// starts.
    name: u32,
    name_end: u32,
    value: u32,
    /// How many more members it may have.
    left: usize,
    /// The first member that has no field.
    unknown: Sighting,
}

/// How the scan goes on at an array or object.
enum Way {
    /// Its members are read.
    Into,
    /// It is empty, and behind us.
    Past,
    /// It is only checked.
    Over,
}

/// A scan, and how far it is.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    at: usize,
    place: Place,
    ends: Ends,
    /// The innermost object whose members are read, and those around it: the
    /// message, `params` or the like, `_meta`.
    frame: Frame,
    around: [Frame; 3],
    level: usize,
    /// What is open in the value that is only checked.
    nest: Nest,
    depth: usize,
    members: usize,
}

impl Scan {
    /// One that has not [begun](Self::begin).
    pub(crate) fn new(kernel: Kernel) -> Self {
        let frame = Frame {
            scope: Scope::Message,
            name: 0,
            name_end: 0,
            value: 0,
            left: 0,
            unknown: Sighting::default(),
        };
        Self {
            at: 0,
            place: Place::Start,
            ends: Ends::new(kernel),
            frame,
            around: [frame; 3],
            level: 0,
            nest: Nest::new(),
            depth: 0,
            members: 0,
        }
    }

    /// Reads the protocol members of `message` into an empty `envelope`, as
    /// [`super::walk::envelope`] does: nested at most `depth` deep, and at most
    /// `members` in each object that is read.
    #[inline]
    pub(crate) fn envelope(
        &mut self,
        message: &[u8],
        depth: usize,
        members: usize,
        envelope: &mut Envelope,
    ) -> Result<(), Stop> {
        self.begin(depth, members, true);
        self.read::<false>(message, envelope)?;
        self.finish(message, envelope)
    }

    /// Begins with a message, whose bytes are all at hand or not.
    #[inline]
    pub(super) fn begin(&mut self, depth: usize, members: usize, is_whole: bool) {
        self.ends.restart(is_whole);
        (self.depth, self.members) = (depth.min(LEVELS), members);
        (self.at, self.place, self.level) = (0, Place::Start, 0);
        (self.frame.scope, self.frame.left) = (Scope::Message, members);
        self.frame.unknown = Sighting::default();
    }

    /// Goes on with a message that begins with what was read of it so far.
    #[inline(never)]
    pub(super) fn go_on(&mut self, message: &[u8], envelope: &mut Envelope) -> Result<(), Stop> {
        self.ends.resume(self.at());
        self.read::<true>(message, envelope)
    }

    /// Where the token starts that was not read yet.
    pub(super) fn at(&self) -> usize {
        if self.place == Place::Inside { self.nest.at } else { self.at }
    }

    /// Whether a string was seen that is not JSON.
    pub(super) fn is_broken(&self) -> bool {
        self.ends.is_broken
    }

    /// Whether all members are read.
    pub(super) fn is_at_end(&self) -> bool {
        self.place == Place::End
    }

    /// Whether the members of `result` or `error` are at hand.
    pub(super) fn is_in_answer(&self) -> bool {
        let outer = if self.level > 1 { self.around.get(1) } else { Some(&self.frame) };
        outer.is_some_and(|frame| matches!(frame.scope, Scope::Result | Scope::Error))
    }

    /// Whether `message` is JSON, as far as this lane can tell, whatever it says:
    /// nested at most `depth` deep.
    pub(super) fn is_json(&mut self, message: &[u8], depth: usize) -> bool {
        self.begin(depth, 0, true);
        self.nest.enter(0, self.depth);
        let behind = self.nest.skip(message, 0, &mut self.ends);
        behind.is_ok_and(|at| self.end(message, at).is_ok()) && self.ends.are_json(message)
    }

    /// Reads up to the end of `message`; if it `GOES_ON`, from where the last read
    /// of it stopped, which saw less of it.
    #[inline]
    fn read<const GOES_ON: bool>(
        &mut self,
        message: &[u8],
        envelope: &mut Envelope,
    ) -> Result<(), Stop> {
        let mut at = self.at;
        let mut frame = self.frame;
        // What could not be read is read again from where it starts.
        macro_rules! read {
            ($place:expr, $result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => {
                        if GOES_ON {
                            (self.place, self.at, self.frame) = ($place, at, frame);
                        }
                        return Err(stop);
                    }
                }
            };
        }
        // Where the first round starts; the others start at a name.
        let mut place = if GOES_ON { self.place } else { Place::Start };
        if place == Place::Start {
            place = read!(Place::Start, self.start(message, &mut at, &mut frame, envelope));
        }
        'member: while place != Place::End {
            let mut json = JsonType::Object;
            if !GOES_ON || place <= Place::Name {
                if read!(Place::Name, next(message, &mut at)) != b'"' {
                    return Err(Stop::NotJson);
                }
                let end = read!(Place::Name, self.ends.next(message));
                (frame.name, frame.name_end) = (position(at + 1), position(end));
                at = end + 1;
            }
            if !GOES_ON || place <= Place::Value {
                let is_named = !GOES_ON || place <= Place::Colon;
                let usual = colon_and(message, at).filter(|_| is_named);
                let first = if let Some(first) = usual {
                    at += 1;
                    first
                } else {
                    if is_named {
                        if read!(Place::Colon, next(message, &mut at)) != b':' {
                            return Err(Stop::NotJson);
                        }
                        at += 1;
                    }
                    read!(Place::Value, next(message, &mut at))
                };
                frame.value = position(at);
                match first {
                    b'"' => {
                        at = read!(Place::Value, self.ends.next(message)) + 1;
                        json = JsonType::String;
                    }
                    b'{' | b'[' => {
                        let way = self.way(message, first, &mut at, &mut frame, envelope);
                        match read!(Place::Value, way) {
                            Way::Into => {
                                place = Place::Name;
                                continue;
                            }
                            Way::Past => {}
                            Way::Over => {
                                let end = self.nest.skip(message, at, &mut self.ends);
                                at = read!(Place::Inside, end);
                            }
                        }
                        json = container(first);
                    }
                    _ => (json, at) = read!(Place::Value, scalar(message, at, first)),
                }
            }
            if GOES_ON && place == Place::Inside {
                json = container(message.get(frame.value as usize).copied().unwrap_or_default());
                at = read!(Place::Inside, self.nest.skip(message, self.nest.at, &mut self.ends));
            }
            loop {
                if !GOES_ON || place != Place::Behind {
                    let found = Field { json, start: frame.value, end: position(at) };
                    self.note(message, &mut frame, found, envelope)?;
                }
                place = Place::Name;
                let byte = read!(Place::Behind, next(message, &mut at));
                at += 1;
                match byte {
                    b',' => continue 'member,
                    b'}' => {}
                    _ => return Err(Stop::NotJson),
                }
                if self.level == 0 {
                    (envelope.unknown, envelope.root.end) = (frame.unknown, position(at));
                    break 'member;
                }
                if frame.scope == Scope::Meta {
                    envelope.unknown_meta = frame.unknown;
                }
                self.level -= 1;
                frame = *self.around.get(self.level).ok_or(Stop::AskTape)?;
                json = JsonType::Object;
            }
        }
        self.end(message, at)
    }

    /// Behind the message only white space may stand.
    #[inline(always)]
    fn end(&mut self, message: &[u8], at: usize) -> Result<(), Stop> {
        (self.at, self.place) = (white_run(message, at), Place::End);
        if self.at < message.len() { Err(Stop::NotJson) } else { Ok(()) }
    }

    /// From the start of the message to its first member, or beyond it.
    #[inline(always)]
    fn start(
        &mut self,
        message: &[u8],
        at: &mut usize,
        frame: &mut Frame,
        envelope: &mut Envelope,
    ) -> Result<Place, Stop> {
        // As nearly every message starts.
        const USUAL: &[u8; 17] = br#"{"jsonrpc":"2.0","#;
        if self.depth > 0 && self.members > 0 && message.first_chunk() == Some(USUAL) {
            self.ends.next(message)?;
            self.ends.next(message)?;
            envelope.root = Field { json: JsonType::Object, start: 0, end: 0 };
            envelope.jsonrpc = Field { json: JsonType::String, start: 11, end: 16 };
            frame.left -= 1;
            *at = USUAL.len();
            return Ok(Place::Name);
        }
        // What is no object is JSON, too, and no message.
        if next(message, at)? != b'{' || self.depth == 0 {
            return Err(Stop::AskTape);
        }
        let mut inside = *at + 1;
        let first = next(message, &mut inside)?;
        envelope.root = Field { json: JsonType::Object, start: position(*at), end: 0 };
        *at = inside;
        if first == b'}' {
            *at += 1;
            envelope.root.end = position(*at);
            return Ok(Place::End);
        }
        Ok(Place::Name)
    }

    /// Which way the scan goes on at an array or object that is the value of the
    /// member at hand.
    #[inline(always)]
    fn way(
        &mut self,
        message: &[u8],
        first: u8,
        at: &mut usize,
        frame: &mut Frame,
        envelope: &mut Envelope,
    ) -> Result<Way, Stop> {
        let name = part(message, frame.name, frame.name_end);
        let scope = frame.scope.inside(name);
        let Some(scope) = scope.filter(|_| first == b'{') else {
            self.nest.enter(self.level + 1, self.depth);
            return Ok(Way::Over);
        };
        // Given before: what is inside this one is not to be taken for the first's.
        if frame.scope.field(envelope, name).is_some_and(|field| field.is_present()) {
            return Err(Stop::AskTape);
        }
        let mut inside = *at + 1;
        let is_empty = next(message, &mut inside)? == b'}';
        if self.level + 1 >= self.depth {
            return Err(Stop::AskTape);
        }
        *at = inside;
        if is_empty {
            *at += 1;
            return Ok(Way::Past);
        }
        *self.around.get_mut(self.level).ok_or(Stop::AskTape)? = *frame;
        self.level += 1;
        (frame.scope, frame.left) = (scope, self.members);
        frame.unknown = Sighting::default();
        Ok(Way::Into)
    }

    /// Notes the member at hand, whose value was read.
    #[inline(always)]
    fn note(
        &self,
        message: &[u8],
        frame: &mut Frame,
        found: Field,
        envelope: &mut Envelope,
    ) -> Result<(), Stop> {
        frame.left = frame.left.checked_sub(1).ok_or(Stop::AskTape)?;
        let (scope, start, end) = (frame.scope, frame.name, frame.name_end);
        let name = part(message, start, end);
        if matches!(scope, Scope::Params | Scope::Result) && name != b"_meta" {
            envelope.noted.note(Noted { start, end, value: found });
        }
        // The name's quote.
        let offset = start.wrapping_sub(1);
        match scope.field(envelope, name) {
            Some(field) if !field.is_present() => *field = found,
            // Given twice. What was read inside the first would have to be
            // forgotten, and of `params` only what the method names counts.
            Some(field)
                if scope != Scope::Message
                    || found.json == JsonType::Object
                    || field.json == JsonType::Object =>
            {
                return Err(Stop::AskTape);
            }
            Some(field) => {
                *field = found;
                envelope.id_repeated |= name == b"id";
                envelope.duplicate.note(offset);
            }
            None if self.ends.has_backslash() && name.contains(&b'\\') => {
                return Err(Stop::AskTape);
            }
            None if scope.is_lookalike(name) => return Err(Stop::AskTape),
            None => frame.unknown.note(offset),
        }
        Ok(())
    }

    /// With the whole message read: whether it is JSON, whether its members are a
    /// usual mix, and which of `params` names what the method is called on.
    #[inline]
    pub(crate) fn finish(&mut self, message: &[u8], envelope: &mut Envelope) -> Result<(), Stop> {
        if !self.ends.are_json(message) {
            return Err(Stop::NotJson);
        }
        let Envelope { method, params, result, error, .. } = envelope;
        let is_answer = result.is_present() || error.is_present();
        if method.is_present() == is_answer || params.is_present() && is_answer {
            return Err(Stop::AskTape);
        }
        let quoted = method.of(message);
        if self.ends.has_backslash() && quoted.contains(&b'\\') {
            return Err(Stop::AskTape);
        }
        let method = quoted.strip_prefix(b"\"").and_then(|quoted| quoted.strip_suffix(b"\""));
        envelope.called = method.and_then(Method::from_bytes);
        envelope.name = envelope.named_for(envelope.called);
        (envelope.uri, envelope.task_id) = Default::default();
        Ok(())
    }
}

#[inline(always)]
fn part(message: &[u8], start: u32, end: u32) -> &[u8] {
    message.get(start as usize..end as usize).unwrap_or_default()
}

/// What an opening bracket opens.
#[inline(always)]
fn container(bracket: u8) -> JsonType {
    if bracket == b'[' { JsonType::Array } else { JsonType::Object }
}

/// A message is no longer than 1 GiB.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "no message is as long")]
fn position(at: usize) -> u32 {
    at as u32
}
