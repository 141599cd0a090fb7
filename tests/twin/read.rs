//! Bytes to JSON, through `std::str::from_utf8` and `serde_json`.
//!
//! Every value is kept as the text it was written in (`RawValue`), and every
//! object as the list of its members, so that nothing is lost: neither a
//! duplicate nor the digits of a number. `RawValue` asks for correct grammar
//! but not for paired surrogates, and `serde_json`'s own bound on depth is not
//! ours, so those two are looked for by a plain scan of the text.

use std::fmt;

use mcparse::Rule;
use serde::Deserializer as _;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A JSON value, and where it stands in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value<'m> {
    pub(crate) at: usize,
    pub(crate) raw: &'m str,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub(crate) struct Member<'m> {
    /// Decoded; half a surrogate pair is U+FFFD, as lenient readers have it.
    pub(crate) name: Vec<u8>,
    /// Where the name stands in the message.
    pub(crate) at: usize,
    pub(crate) value: Value<'m>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// Why a message is not read, and where; the place is not compared where only
/// `serde_json` could tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    pub(crate) offset: Option<usize>,
}

/// Reads a message nested at most `depth` deep. Gives its value, and the rules
/// that it breaks although they do not refuse.
///
/// UTF-8 comes first, then a byte order mark, then whatever is wrong first in
/// the text.
pub(crate) fn read(
    message: &[u8],
    depth: usize,
    refuses: impl Fn(Rule) -> bool,
) -> Result<(Value<'_>, Vec<Rule>), Fault> {
    let fault = |rule, offset| Err(Fault { rule, offset });
    let mut tolerated = Vec::new();
    let whole = match std::str::from_utf8(message) {
        Ok(whole) => whole,
        Err(error) => return fault(Rule::NotUtf8, Some(error.valid_up_to())),
    };
    let text = whole.strip_prefix('\u{feff}').unwrap_or(whole);
    if text.len() < whole.len() {
        if refuses(Rule::Bom) {
            return fault(Rule::Bom, Some(0));
        }
        tolerated.push(Rule::Bom);
    }

    let begin = whole.len() - text.len();
    let parsed = serde_json::from_str::<&RawValue>(text);
    let end = parsed.as_ref().err().map_or(text.len(), |error| place(text, error));
    let mut seen = scan(text.as_bytes(), end, depth);
    if parsed.as_ref().is_err_and(|error| !error.is_eof()) {
        // The last byte may be the very one that does not belong there.
        seen.too_deep = seen.too_deep.filter(|&at| at + 1 < end);
    }
    let lone = seen.lone_surrogate.filter(|_| refuses(Rule::UnpairedSurrogate));
    match (seen.too_deep, lone) {
        (Some(deep), Some(lone)) if lone < deep => {
            return fault(Rule::UnpairedSurrogate, Some(begin + lone));
        }
        (Some(deep), _) => return fault(Rule::TooDeep, Some(begin + deep)),
        (None, Some(lone)) => return fault(Rule::UnpairedSurrogate, Some(begin + lone)),
        (None, None) => {}
    }
    let Ok(value) = parsed else { return fault(Rule::NotJson, None) };
    if seen.lone_surrogate.is_some() {
        tolerated.push(Rule::UnpairedSurrogate);
    }
    let at = begin + offset_in(text, value.get());
    Ok((Value { at, raw: value.get() }, tolerated))
}

/// Where `serde_json` found that `text` is not JSON: it names the byte it looked
/// at or the one behind that.
fn place(text: &str, error: &serde_json::Error) -> usize {
    if error.is_eof() {
        return text.len();
    }
    let lines = text.split_inclusive('\n').take(error.line() - 1);
    lines.map(str::len).sum::<usize>() + error.column()
}

struct Seen {
    /// The first bracket that opens one level too many.
    too_deep: Option<usize>,
    /// The first escape that is half of a surrogate pair.
    lone_surrogate: Option<usize>,
}

/// Looks through a JSON text that is correct up to `end`.
fn scan(text: &[u8], end: usize, depth: usize) -> Seen {
    let mut seen = Seen { too_deep: None, lone_surrogate: None };
    let mut open = 0_usize;
    let mut in_string = false;
    let mut at = 0;
    while at < end {
        let mut step = 1;
        match text[at] {
            b'"' => in_string = !in_string,
            b'\\' if in_string && text.get(at + 1) == Some(&b'u') => match code_unit(text, at) {
                Some(0xd800..0xdc00) if matches!(code_unit(text, at + 6), Some(0xdc00..0xe000)) => {
                    step = 12;
                }
                // Its other half may be what is missing.
                Some(0xd800..0xdc00) if is_cut_escape(&text[at + 6..]) => break,
                Some(0xd800..0xe000) => {
                    seen.lone_surrogate = seen.lone_surrogate.or(Some(at));
                    step = 6;
                }
                Some(_) => step = 6,
                None => break,
            },
            b'\\' => step = 2,
            b'[' | b'{' if !in_string => {
                open += 1;
                if open > depth {
                    seen.too_deep = seen.too_deep.or(Some(at));
                }
            }
            // The last byte may be one bracket too many.
            b']' | b'}' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
        at += step;
    }
    seen
}

/// The number in the `\u` escape that starts at `at`.
fn code_unit(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix(br"\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether the text ends inside a `\u` escape, or before it.
fn is_cut_escape(rest: &[u8]) -> bool {
    let all_digits = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    match rest {
        [] | [b'\\'] => true,
        _ => rest.len() < 6 && rest.strip_prefix(br"\u").is_some_and(all_digits),
    }
}

fn offset_in(whole: &str, part: &str) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

impl<'m> Value<'m> {
    pub(crate) fn json(self) -> Json {
        match self.raw.as_bytes()[0] {
            b'n' => Json::Null,
            b't' | b'f' => Json::Bool,
            b'"' => Json::String,
            b'[' => Json::Array,
            b'{' => Json::Object,
            _ => Json::Number,
        }
    }

    pub(crate) fn span(self) -> std::ops::Range<usize> {
        self.at..self.at + self.raw.len()
    }

    /// What a string decodes to.
    pub(crate) fn decoded(self) -> Option<Vec<u8>> {
        (self.json() == Json::String).then(|| decode(self.raw))
    }

    pub(crate) fn is_text(self, text: &str) -> bool {
        self.decoded().is_some_and(|decoded| decoded == text.as_bytes())
    }

    /// The members of an object, in the order of the text; none of anything
    /// else.
    pub(crate) fn members(self) -> Vec<Member<'m>> {
        if self.json() != Json::Object {
            return Vec::new();
        }
        let members: Members<'m> = serde_json::from_str(self.raw).expect("it has been read");
        let member = |(name, value): (&'m RawValue, &'m RawValue)| Member {
            name: decode(name.get()),
            at: self.at + offset_in(self.raw, name.get()),
            value: self.part(value),
        };
        members.0.into_iter().map(member).collect()
    }

    /// The values directly inside: of an array, or of an object's members.
    pub(crate) fn parts(self) -> Vec<Value<'m>> {
        if self.json() != Json::Array {
            return self.members().into_iter().map(|member| member.value).collect();
        }
        let elements: Elements<'m> = serde_json::from_str(self.raw).expect("it has been read");
        elements.0.into_iter().map(|element| self.part(element)).collect()
    }

    fn part(self, value: &'m RawValue) -> Value<'m> {
        Value { at: self.at + offset_in(self.raw, value.get()), raw: value.get() }
    }
}

/// Decodes a JSON string. Asked for bytes, `serde_json` lets half a surrogate
/// pair pass, as the three bytes ED A0..BF xx that are not UTF-8.
fn decode(string: &str) -> Vec<u8> {
    let mut deserializer = serde_json::Deserializer::from_str(string);
    let mut bytes = deserializer.deserialize_bytes(Bytes).expect("it has been read");
    for at in 0..bytes.len() {
        if bytes[at] == 0xed && bytes[at + 1] >= 0xa0 {
            bytes[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
        }
    }
    bytes
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

/// The members of one object as `serde_json` meets them.
struct Members<'m>(Vec<(&'m RawValue, &'m RawValue)>);

impl<'m> serde::Deserialize<'m> for Members<'m> {
    fn deserialize<D: serde::Deserializer<'m>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'m> Visitor<'m> for MembersVisitor {
    type Value = Members<'m>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'m>>(self, mut map: A) -> Result<Members<'m>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// The elements of one array.
struct Elements<'m>(Vec<&'m RawValue>);

impl<'m> serde::Deserialize<'m> for Elements<'m> {
    fn deserialize<D: serde::Deserializer<'m>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ElementsVisitor)
    }
}

struct ElementsVisitor;

impl<'m> Visitor<'m> for ElementsVisitor {
    type Value = Elements<'m>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'m>>(self, mut seq: A) -> Result<Elements<'m>, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Elements(elements))
    }
}
