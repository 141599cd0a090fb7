//! Where and why bytes are not JSON: a plain reader of RFC 8259.
//!
//! The scan lane only knows that something is wrong; simd-json is vague about
//! what it refuses, and it refuses numbers of uncommon size that are JSON. So when
//! either has said no, this reader goes over the message again, one byte at a time,
//! and either names the first fault or hands over the things that simd-json could
//! not take. It never
//! recurses and never allocates. It decodes nothing, and does not look at what
//! names and values mean.

use std::ops::Range;

use crate::policy::Limits;
use crate::rule::{Rule, RuleSet};

/// Why a message is not JSON, or not JSON that the policy lets pass.
///
/// The offset is that of the first byte that cannot stand where it stands, and
/// the message's length if it ends too early. Where the reason names something
/// that begins earlier, that thing's first byte is meant: the backslash of an
/// escape, a word that is no literal, the sign of `-Infinity`, the zero that
/// leads a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    pub(crate) offset: usize,
    pub(crate) reason: &'static str,
}

/// What is JSON, or what the policy lets pass, but simd-json may not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A number that may be beyond 64 bits or beyond a double: the whole
    /// token. Many that are not, too.
    Number,
    /// A `\u` escape that is half of a surrogate pair: its six bytes.
    Surrogate,
    /// The byte order mark at the start: its three bytes.
    Bom,
}

/// Finds the first fault of `message`: first among its UTF-8, then from left
/// to right.
///
/// Arrays and objects may be nested `depth` levels deep, and at most
/// [`Limits::MOST_DEPTH`]. `refused` are the rules that the policy refuses by:
/// where [`Rule::Bom`] or [`Rule::UnpairedSurrogate`] is not among them, the
/// thing goes to `obstacle` instead of being a fault. What `obstacle` was given
/// means nothing if a fault follows.
pub(crate) fn check(
    message: &[u8],
    depth: usize,
    refused: RuleSet,
    obstacle: impl FnMut(Obstacle, Range<usize>),
) -> Result<(), Fault> {
    let text = std::str::from_utf8(message).map_err(|error| Fault {
        rule: Rule::NotUtf8,
        offset: error.valid_up_to(),
        reason: Rule::NotUtf8.reason(),
    })?;
    let mut reader = Reader { text, at: 0, refused, obstacle };
    if text.starts_with(BYTE_ORDER_MARK) {
        reader.at += reader.pass(Rule::Bom, Obstacle::Bom, BYTE_ORDER_MARK.len_utf8())?;
    }
    reader.json_text(depth.min(Limits::MOST_DEPTH))
}

/// Whether `lexeme` is one JSON string and nothing else, with every surrogate
/// in a pair.
pub(crate) fn is_string(lexeme: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(lexeme) else { return false };
    let refused = RuleSet::EMPTY.with(Rule::UnpairedSurrogate);
    let mut reader = Reader { text, at: 0, refused, obstacle: |_, _| () };
    text.starts_with('"') && reader.string().is_ok() && reader.at == text.len()
}

/// What `json` is if it is not one JSON value, with every surrogate in a pair
/// and no byte order mark, of at most `depth` levels.
pub(crate) fn fault(json: &[u8], depth: usize) -> Option<Fault> {
    let refused = RuleSet::EMPTY.with(Rule::Bom).with(Rule::UnpairedSurrogate);
    check(json, depth, refused, |_, _| ()).err()
}

/// Whether `lexeme` is one JSON integer, without fraction or exponent, and
/// nothing else.
pub(crate) fn is_integer(lexeme: &[u8]) -> bool {
    match lexeme.strip_prefix(b"-").unwrap_or(lexeme) {
        [b'0'] => true,
        [b'1'..=b'9', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// From this many bytes on, a number may be beyond what simd-json takes.
const LONG_NUMBER: usize = 18;

const INVISIBLE: &str = "a character that only looks like white space stands outside a string";
const NOT_FINITE: &str = "the numbers NaN and Infinity are not JSON";

/// Where the reader stands between two tokens.
///
/// ```text
/// Value, ArrayStart, Element ---------------- value -> ValueEnd
/// ObjectStart, Name -- string -> NameEnd ---- ":" ---> Value
/// ArrayStart ----- "]" ------------------------------> ValueEnd
/// ObjectStart ---- "}" ------------------------------> ValueEnd
/// ValueEnd ------- "]" or "}" -----------------------> ValueEnd
/// ValueEnd ------- "," ------------------------------> Element or Name
///
/// value: "[" -> ArrayStart, "{" -> ObjectStart, or a scalar
/// ```
#[derive(Clone, Copy)]
enum Place {
    Value,
    ArrayStart,
    Element,
    ObjectStart,
    Name,
    NameEnd,
    ValueEnd,
}

struct Reader<'m, F> {
    text: &'m str,
    /// The next byte to read; at most the length of `text`.
    at: usize,
    refused: RuleSet,
    obstacle: F,
}

impl<'m, F: FnMut(Obstacle, Range<usize>)> Reader<'m, F> {
    /// `JSON-text = ws value ws`
    fn json_text(&mut self, depth: usize) -> Result<(), Fault> {
        let mut open = Containers { objects: [0; WORDS], level: 0, depth };
        let mut place = Place::Value;
        loop {
            while self.take(b" \t\n\r") {}
            place = match self.peek() {
                Some(byte) => self.token(byte, place, &mut open)?,
                None => return self.end(place, open.innermost()),
            };
        }
    }

    /// Reads the token that starts with `byte`, and gives the place behind it.
    fn token(&mut self, byte: u8, place: Place, open: &mut Containers) -> Result<Place, Fault> {
        match (place, byte) {
            (Place::ArrayStart, b']') | (Place::ObjectStart, b'}') => {
                open.level -= 1;
                Ok(self.step(Place::ValueEnd))
            }
            (Place::Element, b']') | (Place::Name, b'}') => {
                self.not_json("a closing bracket follows a trailing comma")
            }
            (Place::ObjectStart | Place::Name, b'"') => self.string().map(|()| Place::NameEnd),
            (Place::ObjectStart | Place::Name, _) => {
                self.stray("a member name must be a string in double quotes")
            }
            (Place::NameEnd, b':') => Ok(self.step(Place::Value)),
            (Place::NameEnd, _) => self.stray("a colon must follow a member name"),
            (Place::ValueEnd, _) => self.behind_value(byte, open),
            (_, b'[' | b'{') if open.level == open.depth => self.fault(Rule::TooDeep),
            (_, b'[' | b'{') => {
                open.push(byte);
                Ok(self.step(if byte == b'[' { Place::ArrayStart } else { Place::ObjectStart }))
            }
            (_, _) => self.scalar(byte).map(|()| Place::ValueEnd),
        }
    }

    /// What may follow a value depends on what the value stands in.
    fn behind_value(&mut self, byte: u8, open: &mut Containers) -> Result<Place, Fault> {
        match (open.innermost(), byte) {
            (Some(b'['), b',') => Ok(self.step(Place::Element)),
            (Some(b'{'), b',') => Ok(self.step(Place::Name)),
            (Some(b'['), b']') | (Some(b'{'), b'}') => {
                open.level -= 1;
                Ok(self.step(Place::ValueEnd))
            }
            (Some(b'['), _) => self.stray("a comma or a closing bracket must follow an element"),
            (Some(_), _) => self.stray("a comma or a closing brace must follow a member"),
            (None, b'{' | b'[' | b'"') => self.not_json("a second value follows the first"),
            (None, b'}' | b']') => self.not_json("a closing bracket has no opening one"),
            (None, _) => self.stray("text follows the value"),
        }
    }

    /// The message is over; is that a fault?
    fn end(&self, place: Place, innermost: Option<u8>) -> Result<(), Fault> {
        match (place, innermost) {
            (Place::ValueEnd, None) => Ok(()),
            (_, Some(b'[')) => self.not_json("the message ends inside an array"),
            (_, Some(_)) => self.not_json("the message ends inside an object"),
            (_, None) => self.not_json("the message is empty or only white space"),
        }
    }

    /// Only a string, a number or a literal may start with `byte`.
    fn scalar(&mut self, byte: u8) -> Result<(), Fault> {
        match byte {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' => self.literal(),
            b'\'' => self.not_json("a string must stand in double quotes, not single ones"),
            b'+' => self.not_json("a number must not start with a plus sign"),
            b'.' => self.not_json("a number needs a digit before its point"),
            b',' | b':' | b']' | b'}' => {
                self.not_json("a value is missing before a comma, a colon or a bracket")
            }
            _ => self.stray("an unexpected character stands where a value should start"),
        }
    }

    /// From the opening quote to behind the closing one.
    fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            let rest = self.rest();
            let stop = |byte: &u8| matches!(byte, b'"' | b'\\' | ..b' ');
            self.at += rest.iter().position(stop).unwrap_or(rest.len());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += self.escape()?,
                Some(b'\n' | b'\r') => {
                    return self.not_json("a line break stands unescaped in a string");
                }
                Some(_) => {
                    return self.not_json("a control character stands unescaped in a string");
                }
                None => return self.not_json("the message ends inside a string"),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// How long the escape is; a surrogate pair is read as one. Where the
    /// message ends before the escape or the pair does, how long the rest is.
    fn escape(&mut self) -> Result<usize, Fault> {
        let rest = self.rest();
        match rest.get(1) {
            None => Ok(rest.len()),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
            Some(b'u') => match (code_unit(rest), code_unit(rest.get(6..).unwrap_or_default())) {
                (Unit::Malformed, _) => self.not_json("a \\u escape needs four hex digits"),
                (Unit::Cut, _) | (Unit::High, Unit::Cut) => Ok(rest.len()),
                (Unit::High, Unit::Low) => Ok(12),
                (Unit::High | Unit::Low, _) => {
                    self.pass(Rule::UnpairedSurrogate, Obstacle::Surrogate, 6)
                }
                (Unit::Character, _) => Ok(6),
            },
            Some(_) => self.not_json("a backslash is followed by a character that is no escape"),
        }
    }

    /// `number = [ minus ] int [ frac ] [ exp ]`
    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        if let [b'-', b'I' | b'i' | b'N' | b'n', ..] = self.rest() {
            return self.not_json(NOT_FINITE);
        }
        self.take(b"-");
        if let [b'0', b'0'..=b'9', ..] = self.rest() {
            return self.not_json("a number has a leading zero");
        }
        self.digits("a minus sign must be followed by a digit")?;
        if self.take(b".") {
            self.digits("a number needs a digit after its point")?;
        }
        let exponent = self.take(b"eE");
        if exponent {
            self.take(b"+-");
            self.digits("a number needs a digit in its exponent")?;
        }
        if self.peek().is_some_and(|byte| is_word(byte) || b".+-".contains(&byte)) {
            return self.not_json("a number runs into a character that is no part of it");
        }
        if exponent || self.at - start >= LONG_NUMBER {
            (self.obstacle)(Obstacle::Number, start..self.at);
        }
        Ok(())
    }

    /// One digit or more; `missing` is the reason if there is none.
    fn digits(&mut self, missing: &'static str) -> Result<(), Fault> {
        match self.peek() {
            Some(b'0'..=b'9') => while self.take(b"0123456789") {},
            Some(_) => return self.not_json(missing),
            None => return self.not_json("the message ends inside a number"),
        }
        Ok(())
    }

    /// `true`, `false` or `null`, and a helpful reason for other words.
    fn literal(&mut self) -> Result<(), Fault> {
        let rest = self.rest();
        let len = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        let word = &rest[..len];
        let literals: [&[u8]; 3] = [b"true", b"false", b"null"];
        if literals.contains(&word) {
            self.at += len;
            return Ok(());
        }
        if len == rest.len() && literals.iter().any(|literal| literal.starts_with(word)) {
            self.at += len;
            return self.not_json("the message ends inside a literal");
        }
        self.not_json(match word {
            b"NaN" | b"nan" | b"Infinity" | b"inf" => NOT_FINITE,
            b"None" | b"True" | b"False" => "the words None, True and False are not JSON",
            b"undefined" => "the word undefined is not JSON",
            _ if literals.iter().any(|literal| literal.eq_ignore_ascii_case(word)) => {
                "the words true, false and null must be in lower case"
            }
            _ => "a word other than true, false or null stands where a value should start",
        })
    }

    /// Hands the next `len` bytes over, unless the policy refuses by `rule`.
    fn pass(&mut self, rule: Rule, obstacle: Obstacle, len: usize) -> Result<usize, Fault> {
        if self.refused.contains(rule) {
            return self.fault(rule);
        }
        (self.obstacle)(obstacle, self.at..self.at + len);
        Ok(len)
    }

    /// Steps over the next byte if it is `any` of these.
    fn take(&mut self, any: &[u8]) -> bool {
        let taken = self.peek().is_some_and(|byte| any.contains(&byte));
        self.at += usize::from(taken);
        taken
    }

    /// Steps over the next byte, which leads to `place`.
    fn step(&mut self, place: Place) -> Place {
        self.at += 1;
        place
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'m [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The next character belongs to no token; `reason` unless it tells more.
    fn stray<T>(&self, reason: &'static str) -> Result<T, Fault> {
        let mut rest = self.text.get(self.at..).unwrap_or_default().chars();
        self.not_json(match (rest.next(), rest.next()) {
            (Some('/'), Some('/' | '*')) => "comments are not JSON",
            (Some(..' ' | '\u{7f}'), _) => "a control character stands outside a string",
            (Some('\u{2018}'..='\u{201f}'), _) => {
                "a string must stand in straight double quotes, not curly ones"
            }
            (Some(space), _) if space.is_whitespace() || space == BYTE_ORDER_MARK => INVISIBLE,
            _ => reason,
        })
    }

    fn not_json<T>(&self, reason: &'static str) -> Result<T, Fault> {
        Err(Fault { rule: Rule::NotJson, offset: self.at, reason })
    }

    fn fault<T>(&self, rule: Rule) -> Result<T, Fault> {
        Err(Fault { rule, offset: self.at, reason: rule.reason() })
    }
}

/// Whether a number or a literal that runs into `byte` is broken by it.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What a `\u` escape stands for: half of a surrogate pair, or a character.
enum Unit {
    High,
    Low,
    Character,
    /// The message ends before the escape does.
    Cut,
    Malformed,
}

/// Reads the escape at the start of `bytes`.
fn code_unit(bytes: &[u8]) -> Unit {
    let fits = |(byte, model): (&u8, &u8)| match model {
        b'0' => byte.is_ascii_hexdigit(),
        _ => byte == model,
    };
    match bytes {
        _ if !bytes.iter().zip(br"\u0000").all(fits) => Unit::Malformed,
        [_, _, b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', _, _, ..] => Unit::High,
        [_, _, b'd' | b'D', b'c'..=b'f' | b'C'..=b'F', _, _, ..] => Unit::Low,
        [_, _, _, _, _, _, ..] => Unit::Character,
        _ => Unit::Cut,
    }
}

const WORDS: usize = Limits::MOST_DEPTH.div_ceil(64);

/// The arrays and objects that are open at one place.
struct Containers {
    /// Bit `n` says whether the container at level `n + 1` is an object.
    objects: [u64; WORDS],
    /// How many are open; at most `depth`.
    level: usize,
    /// At most [`Limits::MOST_DEPTH`].
    depth: usize,
}

impl Containers {
    /// Opens a container with `bracket`; `level` must be below `depth`.
    fn push(&mut self, bracket: u8) {
        let (word, bit) = (self.level / 64, self.level % 64);
        self.objects[word] &= !(1 << bit);
        self.objects[word] |= u64::from(bracket == b'{') << bit;
        self.level += 1;
    }

    /// The bracket that opened the innermost container.
    fn innermost(&self) -> Option<u8> {
        let top = self.level.checked_sub(1)?;
        Some(if self.objects[top / 64] >> (top % 64) & 1 == 1 { b'{' } else { b'[' })
    }
}

#[cfg(test)]
mod tests;
