//! The scan lane: one pass over the caller's own bytes that checks all of
//! RFC 8259 and notes the protocol members, without a copy and without a tape.
//!
//! It answers only for plain messages. Of anything odd it says *ask the tape*:
//! an escaped member name where names are read, one that looks like a protocol
//! member, an object given twice or a member twice in one, an unusual mix of
//! members, nesting deeper than [`LEVELS`], and bytes that are not JSON at all,
//! since `grammar.rs` knows better why. So it never accepts what the tape lane
//! would refuse, and what it reads is what the tape lane reads; tests and a
//! fuzzer hold the two together.
//!
//! This file knows objects and members; the tokens are read in `scan/tokens.rs`.

pub(super) mod tokens;

use super::members::{
    ERROR, MESSAGE, META, PARAMS, RESULT, capabilities_field, client_info_field, error_field,
    looks_like, message_field, meta_field, params_field, result_field,
};
use crate::envelope::{Envelope, Field, JsonType, Noted, Sighting};
use crate::method::Method;

/// The deepest nesting that this lane reads.
const LEVELS: usize = 512;

/// The other lane has to say: there is something odd about the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AskTape;

/// Reads the protocol members of `message` into an empty `envelope`, as
/// [`super::walk::envelope`] does: nested at most `depth` deep, and at most
/// `members` in each object that is read.
#[inline]
pub(crate) fn envelope(
    message: &[u8],
    depth: usize,
    members: usize,
    envelope: &mut Envelope,
) -> Result<(), AskTape> {
    let mut scan =
        Scan { message, at: 0, is_ascii: true, depth: depth.min(LEVELS), members, envelope };
    scan.message()?;
    if scan.is_ascii || simdutf8::basic::from_utf8(message).is_ok() { Ok(()) } else { Err(AskTape) }
}

struct Scan<'s> {
    message: &'s [u8],
    /// The next byte to read; at most the length of `message`.
    at: usize,
    /// Whether every byte so far is ASCII. Outside of strings no other is let
    /// pass, so UTF-8 is checked in one go at the end.
    is_ascii: bool,
    depth: usize,
    members: usize,
    envelope: &'s mut Envelope,
}

/// Where in the envelope the field of a member is.
type FieldOf = for<'e> fn(&'e mut Envelope, &[u8]) -> Option<&'e mut Field>;

impl<'s> Scan<'s> {
    /// `JSON-text = ws object ws`
    fn message(&mut self) -> Result<(), AskTape> {
        self.white();
        let start = self.at;
        self.take(b'{')?;
        let unknown =
            self.members::<false>(1, MESSAGE, message_field, |scan, name| match name {
                b"params" => scan.object::<true>(2, PARAMS, params_field),
                b"result" => scan.object::<true>(2, RESULT, result_field),
                b"error" => scan.object::<false>(2, ERROR, error_field),
                _ => scan.value(1),
            })?;
        let root = self.field(JsonType::Object, start)?;
        self.white();
        if self.at < self.message.len() {
            return Err(AskTape);
        }
        self.envelope.root = root;
        self.envelope.unknown = unknown;
        self.settle()
    }

    /// With all members known: whether they are a usual mix, and which of
    /// `params` names what the method is called on.
    fn settle(&mut self) -> Result<(), AskTape> {
        let Envelope { method, params, result, error, name, uri, task_id, called, .. } =
            self.envelope;
        let is_answer = result.is_present() || error.is_present();
        if method.is_present() == is_answer || params.is_present() && is_answer {
            return Err(AskTape);
        }
        let quoted = method.of(self.message);
        if quoted.contains(&b'\\') {
            return Err(AskTape);
        }
        let method = quoted.strip_prefix(b"\"").and_then(|quoted| quoted.strip_suffix(b"\""));
        *called = method.and_then(Method::from_bytes);
        let source = called.and_then(Method::name_source);
        *name = match source {
            Some("name") => *name,
            Some("uri") => *uri,
            Some("taskId") => *task_id,
            _ => Field::default(),
        };
        *uri = Field::default();
        *task_id = Field::default();
        Ok(())
    }

    /// A value of which, if it is an object, the members are read, and all
    /// noted if so wanted.
    fn object<const NOTE: bool>(
        &mut self,
        level: usize,
        names: &[&str],
        field_of: FieldOf,
    ) -> Result<JsonType, AskTape> {
        if self.peek() != Some(b'{') {
            return self.value(level - 1);
        }
        self.at += 1;
        self.members::<NOTE>(level, names, field_of, |scan, name| match name {
            b"_meta" if names.contains(&"_meta") => scan.meta(),
            _ => scan.value(level),
        })?;
        Ok(JsonType::Object)
    }

    /// The value of `_meta`.
    fn meta(&mut self) -> Result<JsonType, AskTape> {
        if self.peek() != Some(b'{') {
            return self.value(2);
        }
        self.at += 1;
        self.envelope.unknown_meta =
            self.members::<false>(3, META, meta_field, |scan, name| match name {
                b"io.modelcontextprotocol/clientCapabilities" => scan.open(capabilities_field),
                b"io.modelcontextprotocol/clientInfo" => scan.open(client_info_field),
                _ => scan.value(3),
            })?;
        Ok(JsonType::Object)
    }

    /// A value in `_meta` of which, if it is an object, the members are read;
    /// none of them is a look-alike.
    fn open(&mut self, field_of: FieldOf) -> Result<JsonType, AskTape> {
        if self.peek() != Some(b'{') {
            return self.value(3);
        }
        self.at += 1;
        self.members::<false>(4, &[], field_of, |scan, _| scan.value(4))?;
        Ok(JsonType::Object)
    }

    /// The members of an object whose brace has been read, up to behind the
    /// closing one. `value` reads the value of the member that it is given the
    /// name of. Gives the place of the first member that is none of `names`.
    #[inline]
    fn members<const NOTE: bool>(
        &mut self,
        level: usize,
        names: &[&str],
        field_of: FieldOf,
        mut value: impl FnMut(&mut Self, &[u8]) -> Result<JsonType, AskTape>,
    ) -> Result<Sighting, AskTape> {
        let mut unknown = Sighting::default();
        if level > self.depth {
            return Err(AskTape);
        }
        self.white();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(unknown);
        }
        for _ in 0..self.members {
            let (name, offset) = self.name()?;
            let start = self.at;
            let json = value(self, name)?;
            let found = self.field(json, start)?;
            if NOTE && name != b"_meta" {
                let start = offset + 1;
                // A message is no longer than 1 GiB.
                let end = start + u32::try_from(name.len()).map_err(|_| AskTape)?;
                self.envelope.noted.note(Noted { start, end, value: found });
            }
            match field_of(self.envelope, name) {
                Some(field) if !field.is_present() => *field = found,
                // Given twice. What was read inside the first would have to be
                // forgotten, and of `params` only what the method names counts.
                Some(field)
                    if level > 1 || json == JsonType::Object || field.json == JsonType::Object =>
                {
                    return Err(AskTape);
                }
                Some(field) => {
                    *field = found;
                    self.envelope.id_repeated |= name == b"id";
                    self.envelope.duplicate.note(offset);
                }
                None if names.iter().any(|known| looks_like(name, known)) => return Err(AskTape),
                None => unknown.note(offset),
            }
            self.white();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    self.white();
                }
                Some(b'}') => {
                    self.at += 1;
                    return Ok(unknown);
                }
                _ => return Err(AskTape),
            }
        }
        Err(AskTape)
    }

    /// The name of a member, its offset, and the colon and white space behind.
    #[inline]
    fn name(&mut self) -> Result<(&'s [u8], u32), AskTape> {
        let offset = u32::try_from(self.at).map_err(|_| AskTape)?;
        self.take(b'"')?;
        let start = self.at;
        self.plain();
        let name = self.message.get(start..self.at).unwrap_or_default();
        // An escape stops the run, and the quote is not there.
        self.take(b'"')?;
        self.white();
        self.take(b':')?;
        self.white();
        Ok((name, offset))
    }

    /// A value that stands in `level` arrays and objects.
    #[inline]
    fn value(&mut self, level: usize) -> Result<JsonType, AskTape> {
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                self.string().map(|()| JsonType::String)
            }
            Some(b'{') => self.containers(level).map(|()| JsonType::Object),
            Some(b'[') => self.containers(level).map(|()| JsonType::Array),
            _ => self.scalar(),
        }
    }

    /// An array or object in `level` others, with all that it holds.
    fn containers(&mut self, level: usize) -> Result<(), AskTape> {
        // Bit `n` says whether the container at level `n` below is an object.
        let mut objects = [0u64; LEVELS / 64];
        let mut open = 0;
        loop {
            // At the start of a value.
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    let is_object = bracket == b'{';
                    let word = objects.get_mut(open / 64).ok_or(AskTape)?;
                    let bit = 1 << (open % 64);
                    *word = if is_object { *word | bit } else { *word & !bit };
                    open += 1;
                    if level + open > self.depth {
                        return Err(AskTape);
                    }
                    self.at += 1;
                    self.white();
                    let closing = if is_object { b'}' } else { b']' };
                    if self.peek() != Some(closing) {
                        if is_object {
                            self.skip_name()?;
                        }
                        continue;
                    }
                    self.at += 1;
                    open -= 1;
                }
                Some(b'"') => {
                    self.at += 1;
                    self.string()?;
                }
                _ => {
                    self.scalar()?;
                }
            }
            // Behind a value.
            loop {
                if open == 0 {
                    return Ok(());
                }
                let is_object = objects[(open - 1) / 64] >> ((open - 1) % 64) & 1 == 1;
                self.white();
                match (self.peek(), is_object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        self.white();
                        if is_object {
                            self.skip_name()?;
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        open -= 1;
                    }
                    _ => return Err(AskTape),
                }
            }
        }
    }

    /// The name of a member that is not read, and the colon behind it.
    #[inline]
    fn skip_name(&mut self) -> Result<(), AskTape> {
        self.take(b'"')?;
        self.string()?;
        self.white();
        self.take(b':')?;
        self.white();
        Ok(())
    }

    /// The field of a value that starts at `start` and ends here.
    #[inline]
    fn field(&self, json: JsonType, start: usize) -> Result<Field, AskTape> {
        let place = |at: usize| u32::try_from(at).map_err(|_| AskTape);
        Ok(Field { json, start: place(start)?, end: place(self.at)? })
    }
}
