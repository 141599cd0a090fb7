//! A stream of events taken apart by hand, line by line, on the whole of its text: where each
//! event begins and ends, and what is between them.

/// A part of a stream, in the order in which it is complete.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// Bytes that belong to no event: a BOM, comments and blank lines between events.
    Between {
        start: usize,
        end: usize,
    },
    Event(Event),
}

/// An event from its first line that is no comment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    pub(crate) start: usize,
    /// Behind its blank line; none if that does not come.
    pub(crate) end: Option<usize>,
    pub(crate) name: Vec<u8>,
    pub(crate) data: Option<Vec<u8>>,
    /// With how much of the stream it is longer than a message may be.
    pub(crate) too_large: Option<usize>,
    /// The id that it sets.
    pub(crate) id: Option<Vec<u8>>,
    /// Whether the stream ends in a line of it that is no comment.
    pub(crate) is_in_line: bool,
}

const BOM: &[u8] = b"\xef\xbb\xbf";
const MOST_ID: usize = 1024;

/// The parts of a stream whose events may have `most` bytes.
pub(crate) fn parts(text: &[u8], most: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    if text.starts_with(BOM) {
        parts.push(Part::Between { start: 0, end: 3 });
        at = 3;
    }
    let mut open: Option<Event> = None;
    while at < text.len() {
        let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
        let length = text[at..].iter().position(is_end);
        let stop = length.map_or(text.len(), |length| at + length);
        let line = &text[at..stop];
        let is_whole = stop < text.len();
        let is_crlf = text[stop..].starts_with(b"\r\n");
        let next = stop + usize::from(is_whole) + usize::from(is_crlf);
        if line.is_empty()
            && let Some(mut event) = open.take()
        {
            // The LF of a CRLF is no part of it: with the CR all is said.
            event.end = Some(stop + 1);
            parts.push(Part::Event(event));
            if is_crlf {
                parts.push(Part::Between { start: stop + 1, end: next });
            }
        } else if let Some(event) = &mut open
            && line.starts_with(b":")
        {
            event.is_in_line = false;
        } else if line.is_empty() || line.starts_with(b":") {
            parts.push(Part::Between { start: at, end: next });
        } else {
            let event = open.get_or_insert_with(|| Event { start: at, ..Event::default() });
            event.read(at, line, is_whole, most);
        }
        at = next;
    }
    parts.extend(open.map(Part::Event));
    parts
}

impl Event {
    /// Reads a line that begins `at` and is no comment.
    fn read(&mut self, at: usize, line: &[u8], is_whole: bool, most: usize) {
        self.is_in_line = !is_whole;
        let colon = line.iter().position(|&byte| byte == b':');
        let field = &line[..colon.unwrap_or(line.len())];
        if colon.is_none() && !is_whole {
            return;
        }
        let behind = colon.map_or(line.len(), |colon| colon + 1);
        let from = behind + usize::from(line[behind..].starts_with(b" "));
        let value = &line[from..];
        match field {
            b"data" if self.too_large.is_none() => {
                let is_first = self.data.is_none();
                let data = self.data.get_or_insert_default();
                if !is_first {
                    data.push(b'\n');
                }
                let before = data.len() + self.name.len();
                data.extend_from_slice(value);
                if before > most {
                    self.too_large = Some(at + field.len() + 1);
                } else if before + value.len() > most {
                    self.too_large = Some(at + from + most - before + 1);
                }
            }
            b"event" if self.too_large.is_none() => {
                self.name = value.to_vec();
                let before = self.data.as_ref().map_or(0, Vec::len);
                if before + value.len() > most {
                    self.too_large = Some(at + from + most - before + 1);
                }
            }
            b"id" if is_whole && value.len() <= MOST_ID && !value.contains(&0) => {
                self.id = Some(value.to_vec());
            }
            _ => {}
        }
    }

    /// Whether the stream is cut in it, if it has no end.
    pub(crate) fn is_cut(&self) -> bool {
        let has_data = self.data.as_ref().is_some_and(|data| !data.is_empty());
        self.too_large.is_none() && (has_data || self.is_in_line)
    }
}
