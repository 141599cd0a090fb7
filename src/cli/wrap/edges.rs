//! How a line begins and ends that is too long to be read: enough to tell whom it
//! was to answer, so that its client does not wait for ever.
//!
//! Implementations write the id before the result or behind it, and what is big is
//! in between. So the members before the first `result` or `error` are read from the
//! front, and those behind it from the back. What is there stands at the top: from
//! the front because nothing was opened, from the back because the last brace closes
//! the message. All else (escapes, other members, a method) tells nothing, and then
//! nobody is answered.

use mcparse::Id;

/// The most bytes that are kept of either end: room for an id and the members that
/// go with it.
const MOST: usize = 512;

/// The ends of a line under way.
#[derive(Default)]
pub(super) struct Edges {
    /// Its first bytes.
    front: Vec<u8>,
    /// Its last bytes.
    back: Vec<u8>,
}

impl Edges {
    /// The next bytes of the line.
    pub(super) fn push(&mut self, piece: &[u8]) {
        let room = MOST - self.front.len();
        self.front.extend_from_slice(piece.get(..room).unwrap_or(piece));
        let last = piece.get(piece.len().saturating_sub(MOST)..).unwrap_or_default();
        let over = (self.back.len() + last.len()).saturating_sub(MOST);
        self.back.drain(..over.min(self.back.len()));
        self.back.extend_from_slice(last);
    }

    /// Another line begins.
    pub(super) fn clear(&mut self) {
        self.front.clear();
        self.back.clear();
    }

    /// The id of the request that the line answers, if that is sure.
    pub(super) fn answered(&self) -> Option<Id<'_>> {
        match first(&self.front)? {
            Front::Id(id) => Some(id),
            Front::Answer => last(&self.back),
        }
    }
}

/// What the front of an answer tells.
enum Front<'f> {
    Id(Id<'f>),
    /// That it is one, and that its id is further back.
    Answer,
}

/// What is in front of the `result` or `error`, if the message is an answer.
fn first(front: &[u8]) -> Option<Front<'_>> {
    let mut rest = front.trim_ascii_start().strip_prefix(b"{")?;
    let mut told = Front::Answer;
    loop {
        let (key, behind) = string(rest.trim_ascii_start())?;
        let value = behind.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let (value, behind) = match key {
            b"\"result\"" | b"\"error\"" => return Some(told),
            b"\"jsonrpc\"" | b"\"id\"" => string(value).or_else(|| number(value))?,
            _ => return None,
        };
        if key == b"\"id\"" {
            told = Front::Id(Id::from_lexeme(value)?);
        }
        rest = behind.trim_ascii_start().strip_prefix(b",")?;
    }
}

/// The id among the last members.
fn last(back: &[u8]) -> Option<Id<'_>> {
    let mut rest = back.trim_ascii_end().strip_suffix(b"}")?;
    loop {
        rest = rest.trim_ascii_end();
        let (before, value) = string_before(rest).or_else(|| number_before(rest))?;
        let before = before.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
        let (before, key) = string_before(before)?;
        // The quote in front of a key opens it only if a comma is in front of that.
        rest = before.trim_ascii_end().strip_suffix(b",")?;
        match key {
            b"\"id\"" => return Id::from_lexeme(value),
            b"\"jsonrpc\"" => {}
            _ => return None,
        }
    }
}

/// A string without escapes, with its quotes, and what is behind it.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.strip_prefix(b"\"")?.iter().position(|byte| matches!(byte, b'"' | b'\\'))? + 1;
    (text.get(end) == Some(&b'"')).then(|| text.split_at(end + 1))
}

/// What is before a string without escapes, and that with its quotes.
fn string_before(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = text.strip_suffix(b"\"")?;
    let start = inside.iter().rposition(|byte| matches!(byte, b'"' | b'\\'))?;
    let is_escaped = start > 0 && inside.get(start - 1) == Some(&b'\\');
    (inside.get(start) == Some(&b'"') && !is_escaped).then(|| text.split_at(start))
}

fn number(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|&byte| !is_of_number(byte))?;
    (end > 0).then(|| text.split_at(end))
}

fn number_before(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = text.iter().rposition(|&byte| !is_of_number(byte))? + 1;
    (start < text.len()).then(|| text.split_at(start))
}

const fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(line: &str, piece: usize) -> Option<String> {
        let mut edges = Edges::default();
        for piece in line.as_bytes().chunks(piece) {
            edges.push(piece);
        }
        assert!(edges.front.len() <= MOST && edges.back.len() <= MOST);
        edges.answered().map(|id| String::from_utf8(id.lexeme().to_vec()).unwrap())
    }

    #[test]
    fn the_id_is_told_from_either_end() {
        let big = format!(r#"{{"content":[{{"id":9,"text":"{}"}}]}}"#, "x".repeat(5000));
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"result":BIG}"#, Some("7")),
            (r#" { "id" : "a-7" , "jsonrpc" : "2.0" , "error" : BIG } "#, Some("\"a-7\"")),
            (r#"{"result":BIG,"jsonrpc":"2.0","id":7}"#, Some("7")),
            (r#"{"jsonrpc":"2.0","result":BIG,"id":"seven"}"#, Some("\"seven\"")),
            ("{\"result\":BIG , \"id\" : -7 , \"jsonrpc\":\"2.0\" } \r", Some("-7")),
            // Both are asked for, and the first is there.
            (r#"{"id":7,"result":BIG,"id":8}"#, Some("7")),
            // A request or a notification, or not known to be an answer.
            (r#"{"method":"m","params":BIG,"jsonrpc":"2.0","id":7}"#, None),
            (r#"{"jsonrpc":"2.0","id":7,"method":"m","params":BIG}"#, None),
            (r#"{"jsonrpc":"2.0","id":7,"x":BIG,"result":{}}"#, None),
            // No id, or none that is sure.
            (r#"{"jsonrpc":"2.0","result":BIG}"#, None),
            (r#"{"jsonrpc":"2.0","id":1.5,"result":BIG}"#, None),
            (r#"{"jsonrpc":"2.0","id":"\u0037","result":BIG}"#, None),
            (r#"{"result":BIG,"id":null}"#, None),
            (r#"{"result":BIG,"\"id":7}"#, None),
            (r#"{"result":BIG,"x":"\\","id":7}"#, Some("7")),
            (r#"{"result":BIG,"id":7"#, None),
            (r#"["result",BIG,"id",7]"#, None),
            ("BIG", None),
            ("", None),
        ] {
            let line = line.replace("BIG", &big);
            for piece in [1, 100, MOST - 1, MOST, MOST + 1, 100_000] {
                assert_eq!(answered(&line, piece).as_deref(), id, "{line:.60}, {piece}");
            }
        }
    }

    #[test]
    fn an_id_is_told_as_far_as_the_ends_are_kept() {
        // The members in front of `"result":` and that, and those behind the result.
        for (spare, is_told) in [(0, true), (1, false)] {
            let padding = " ".repeat(MOST - r#"{"id":7,"result":"#.len() + spare);
            let line = format!(r#"{{{padding}"id":7,"result":[{}]}}"#, " ".repeat(2000));
            assert_eq!(answered(&line, 64).is_some(), is_told, "front, {spare}");
            let padding = " ".repeat(MOST - r#","id":7}"#.len() + spare);
            let line = format!(r#"{{"result":[{}],"id":7{padding}}}"#, " ".repeat(2000));
            assert_eq!(answered(&line, 64).is_some(), is_told, "back, {spare}");
        }
    }

    #[test]
    fn a_line_that_is_over_is_forgotten() {
        let mut edges = Edges::default();
        edges.push(br#"{"id":7,"result":"#);
        edges.clear();
        edges.push(br#"{"id":8,"result":"#);
        assert_eq!(edges.answered().map(|id| id.lexeme().to_vec()), Some(b"8".to_vec()));
    }
}
