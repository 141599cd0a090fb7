//! Reads on in JSON that a lane has already accepted: the members of an object
//! and the elements of an array, one level at a time, straight from the
//! caller's bytes.
//!
//! For what the lanes do not note: small objects such as capabilities, and the
//! inside of params and results where a rule looks deeper. It checks no grammar
//! and decodes nothing; on bytes that are no JSON it ends early, it never fails.

use memchr::memchr2;

use crate::envelope::{Envelope, Field, JsonType, Noted};
use crate::text::Text;
use crate::words::stops;

/// One member of an object.
#[derive(Clone, Copy)]
pub(crate) struct Member<'m> {
    /// As it is written.
    pub(crate) name: Text<'m>,
    /// The offset of the quote that opens the name.
    pub(crate) offset: u32,
    pub(crate) value: Field,
}

/// The members of the value `object` of `message`, in the order of the text;
/// none if it is no object.
#[inline]
pub(crate) fn members(message: &[u8], object: Field) -> Members<'_> {
    Members { reader: Reader::inside(message, object, JsonType::Object) }
}

/// The elements of the value `array` of `message`; none if it is no array.
#[inline]
pub(crate) fn elements(message: &[u8], array: Field) -> Elements<'_> {
    Elements { reader: Reader::inside(message, array, JsonType::Array) }
}

/// The last member of `object` with this name; absent if there is none.
pub(crate) fn member(message: &[u8], object: Field, name: &str) -> Field {
    members(message, object)
        .filter(|member| member.name == *name)
        .fold(Field::default(), |_, member| member.value)
}

/// The string that `field` is; `None` if it is no string.
#[inline]
pub(crate) fn text(message: &[u8], field: Field) -> Option<Text<'_>> {
    let value = field.of(message);
    let is_string = field.json == JsonType::String && value.len() >= 2;
    is_string.then(|| Text::new(&value[1..value.len() - 1]))
}

/// The members of the `params` of a call, as the lanes noted them; where they are
/// too many to be noted they are read once more.
#[inline]
pub(crate) fn params<'s, 'm>(message: &'m [u8], envelope: &'s Envelope) -> NotedOrRead<'s, 'm> {
    noted(message, envelope, envelope.params)
}

/// The members of the `result` of a response, likewise.
#[inline]
pub(crate) fn result<'s, 'm>(message: &'m [u8], envelope: &'s Envelope) -> NotedOrRead<'s, 'm> {
    noted(message, envelope, envelope.result)
}

#[inline]
fn noted<'s, 'm>(message: &'m [u8], envelope: &'s Envelope, object: Field) -> NotedOrRead<'s, 'm> {
    match envelope.noted.all() {
        Some(noted) => NotedOrRead::Noted(message, noted.iter()),
        None => NotedOrRead::Read(members(message, object)),
    }
}

/// Goes over the members of `params` or of `result`.
pub(crate) enum NotedOrRead<'s, 'm> {
    Noted(&'m [u8], std::slice::Iter<'s, Noted>),
    Read(Members<'m>),
}

impl<'m> Iterator for NotedOrRead<'_, 'm> {
    type Item = Member<'m>;

    #[inline]
    fn next(&mut self) -> Option<Member<'m>> {
        match self {
            Self::Noted(message, noted) => {
                let noted = noted.next()?;
                let name = message.get(noted.start as usize..noted.end as usize)?;
                let offset = noted.start.saturating_sub(1);
                Some(Member { name: Text::new(name), offset, value: noted.value })
            }
            Self::Read(members) => next_read(members),
        }
    }
}

/// Out of the way of those that were noted.
#[cold]
fn next_read<'m>(members: &mut Members<'m>) -> Option<Member<'m>> {
    members.next()
}

/// Goes over the members of an object.
pub(crate) struct Members<'m> {
    reader: Reader<'m>,
}

impl<'m> Iterator for Members<'m> {
    type Item = Member<'m>;

    #[inline]
    fn next(&mut self) -> Option<Member<'m>> {
        let reader = &mut self.reader;
        reader.skip_to(b'"')?;
        let offset = u32::try_from(reader.at).ok()?;
        let name = reader.text()?;
        reader.skip_to(b':')?;
        reader.at += 1;
        reader.white();
        Some(Member { name, offset, value: reader.value()? })
    }
}

/// Goes over the elements of an array.
pub(crate) struct Elements<'m> {
    reader: Reader<'m>,
}

impl Iterator for Elements<'_> {
    type Item = Field;

    fn next(&mut self) -> Option<Field> {
        self.reader.separator();
        self.reader.value()
    }
}

/// For those who go over nested values in an order of their own.
pub(crate) struct Reader<'m> {
    /// Up to the end of the array or object that is read.
    message: &'m [u8],
    pub(crate) at: usize,
}

impl<'m> Reader<'m> {
    /// At the first byte of `value`.
    pub(crate) const fn over(value: &'m [u8]) -> Self {
        Self { message: value, at: 0 }
    }

    /// Behind the opening bracket of `container`, up to before the closing one.
    #[inline]
    fn inside(message: &'m [u8], container: Field, json: JsonType) -> Self {
        let (start, end) = (container.start as usize, container.end as usize);
        if container.json == json && start < end && end <= message.len() {
            Self { message: &message[..end - 1], at: start + 1 }
        } else {
            Self { message: &[], at: 0 }
        }
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.message.get(self.at).copied()
    }

    #[inline]
    fn white(&mut self) {
        while let Some(..=b' ') = self.peek() {
            self.at += 1;
        }
    }

    /// White space, and a comma among it.
    #[inline]
    fn separator(&mut self) {
        while let Some(..=b' ' | b',') = self.peek() {
            self.at += 1;
        }
    }

    /// White space and commas, up to before `byte`.
    fn skip_to(&mut self, byte: u8) -> Option<()> {
        self.separator();
        (self.peek()? == byte).then_some(())
    }

    /// A value, from its first byte to behind its last.
    fn value(&mut self) -> Option<Field> {
        let start = self.at;
        let json = match self.peek()? {
            b'"' => {
                self.string()?;
                JsonType::String
            }
            b'{' => {
                self.container()?;
                JsonType::Object
            }
            b'[' => {
                self.container()?;
                JsonType::Array
            }
            first => {
                while let Some(b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E') = self.peek()
                {
                    self.at += 1;
                }
                match first {
                    b'n' => JsonType::Null,
                    b't' | b'f' => JsonType::Bool,
                    _ => JsonType::Number,
                }
            }
        };
        let place = |at: usize| u32::try_from(at).ok();
        (self.at > start).then_some(())?;
        Some(Field { json, start: place(start)?, end: place(self.at)? })
    }

    /// What stands between the quotes of a string, which is stepped over.
    #[inline]
    pub(crate) fn text(&mut self) -> Option<Text<'m>> {
        let start = self.at + 1;
        self.string()?;
        Some(Text::new(self.message.get(start..self.at - 1)?))
    }

    /// From the opening quote to behind the closing one.
    #[inline]
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.plain()?;
            if self.peek()? == b'"' {
                self.at += 1;
                return Some(());
            }
            self.at += 2;
        }
    }

    /// Up to a quote or a backslash, in words of eight bytes while the run is
    /// shorter than a search is worth.
    #[inline]
    fn plain(&mut self) -> Option<()> {
        for _ in 0..8 {
            let Some(chunk) = self.message.get(self.at..)?.first_chunk::<8>() else { break };
            let stops = stops(u64::from_le_bytes(*chunk));
            if stops != 0 {
                self.at += stops.trailing_zeros() as usize / 8;
                return Some(());
            }
            self.at += 8;
        }
        self.at += memchr2(b'"', b'\\', self.message.get(self.at..)?)?;
        Some(())
    }

    /// From the opening bracket to behind the closing one.
    pub(crate) fn container(&mut self) -> Option<()> {
        let mut open = 0usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(message: &str) -> Field {
        let json = if message.starts_with('[') { JsonType::Array } else { JsonType::Object };
        Field { json, start: 0, end: u32::try_from(message.len()).unwrap() }
    }

    #[test]
    fn members_are_read_in_the_order_of_the_text() {
        let message =
            r#"{ "a":1 , "b\"c" : {"x":[{}," ]}"]},"":"\\","d":true,"a":null, "e":-1.5E+3 }"#;
        let read: Vec<(String, &[u8])> = members(message.as_bytes(), root(message))
            .map(|member| (member.name.decode().into_owned(), member.value.of(message.as_bytes())))
            .collect();
        let expected: &[(&str, &[u8])] = &[
            ("a", b"1"),
            ("b\"c", br#"{"x":[{}," ]}"]}"#),
            ("", br#""\\""#),
            ("d", b"true"),
            ("a", b"null"),
            ("e", b"-1.5E+3"),
        ];
        assert!(read.iter().map(|(name, value)| (&**name, *value)).eq(expected.iter().copied()));
        let last = member(message.as_bytes(), root(message), "a");
        assert_eq!(last.json, JsonType::Null);
    }

    #[test]
    fn elements_are_read_in_order() {
        let message = r#"[ 1, "a,b" ,[[]],{"x":"]"} , false]"#;
        let read: Vec<&[u8]> = elements(message.as_bytes(), root(message))
            .map(|field| field.of(message.as_bytes()))
            .collect();
        assert_eq!(read, [&b"1"[..], br#""a,b""#, b"[[]]", br#"{"x":"]"}"#, b"false"]);
        assert_eq!(elements(b"[]", root("[]")).count(), 0);
    }

    #[test]
    fn what_is_no_json_ends_it() {
        let message = br#"{"a":[1,{"b":"c\"d"}],"e":2,}"#;
        for end in 0..=message.len() {
            for start in 0..=end {
                let place = |at: usize| u32::try_from(at).unwrap();
                for json in [JsonType::Object, JsonType::Array] {
                    let field = Field { json, start: place(start), end: place(end) };
                    assert!(members(message, field).count() < 9);
                    assert!(elements(message, field).count() < 99);
                }
            }
        }
    }
}
