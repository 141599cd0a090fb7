//! A small reader of captured HTTP/1.1 messages: head, and body by length, by
//! chunks, or to the end. Only as good as the captures need.

use serde_json::Value;

use crate::framing::events_by_hand;

/// One request or response.
pub(crate) struct Http {
    /// The request or the status line.
    pub(crate) start: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Where in the body the chunks ended that it was sent in.
    pub(crate) chunk_ends: Vec<usize>,
    /// Whether the capture holds the body to its end.
    pub(crate) is_complete: bool,
}

impl Http {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let head_end = find(bytes, b"\r\n\r\n").expect("a complete head");
        let head = str::from_utf8(&bytes[..head_end]).expect("a head in ASCII");
        let mut lines = head.split("\r\n");
        let start = lines.next().unwrap_or_default().to_owned();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').expect("a header line");
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let headers = lines.map(header).collect();
        let mut http =
            Self { start, headers, body: Vec::new(), chunk_ends: Vec::new(), is_complete: true };
        let rest = &bytes[head_end + 4..];
        if http.header("transfer-encoding").is_some_and(|coding| coding == "chunked") {
            http.read_chunks(rest);
        } else if let Some(length) = http.header("content-length") {
            let length: usize = length.parse().expect("a length");
            http.is_complete = rest.len() >= length;
            http.body = rest[..length.min(rest.len())].to_vec();
        } else {
            http.body = rest.to_vec();
        }
        http
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The method of a request.
    pub(crate) fn method(&self) -> &str {
        self.start.split(' ').next().unwrap_or_default()
    }

    /// The status of a response.
    pub(crate) fn status(&self) -> u16 {
        let status = self.start.split(' ').nth(1).and_then(|status| status.parse().ok());
        status.expect("a status line")
    }

    /// The texts that should be messages: the body, or the data of each event
    /// that is named `message`.
    pub(crate) fn messages(&self) -> Vec<Vec<u8>> {
        if self.is("text/event-stream") {
            let (events, _) = events_by_hand(&self.body);
            let is_message = |name: &[u8]| matches!(name, b"" | b"message");
            events.into_iter().filter(|(name, _)| is_message(name)).map(|(_, data)| data).collect()
        } else {
            // One server writes several messages into one body, a line each.
            let lines = self.body.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            match serde_json::from_slice::<Value>(&self.body) {
                Ok(_) => vec![self.body.clone()],
                Err(_) => lines.map(<[u8]>::to_vec).collect(),
            }
        }
    }

    /// Whether the body is of this media type.
    pub(crate) fn is(&self, media_type: &str) -> bool {
        self.header("content-type").is_some_and(|value| value.split(';').next() == Some(media_type))
    }

    fn read_chunks(&mut self, mut rest: &[u8]) {
        self.is_complete = false;
        while let Some(line_end) = find(rest, b"\r\n") {
            let size = str::from_utf8(&rest[..line_end]).expect("a chunk size");
            let size = size.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).expect("a chunk size");
            rest = &rest[line_end + 2..];
            if size == 0 {
                self.is_complete = true;
                return;
            }
            let chunk = &rest[..size.min(rest.len())];
            self.body.extend_from_slice(chunk);
            self.chunk_ends.push(self.body.len());
            rest = rest.get(size + 2..).unwrap_or_default();
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[test]
fn bodies_are_read_by_length_by_chunks_and_to_the_end() {
    let of = |head: &str, body: &str| Http::read(format!("{head}\r\n\r\n{body}").as_bytes());
    let sized = of("POST / HTTP/1.1\r\nContent-Length: 2", "{}rest");
    assert_eq!((&*sized.body, sized.is_complete), (&b"{}"[..], true));
    let open = of("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8", "data");
    assert!(open.is("text/event-stream") && open.body == b"data");
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked";
    let whole = of(chunked, "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n");
    assert_eq!((&*whole.body, &*whole.chunk_ends), (&b"abc0123456789"[..], &[3, 13][..]));
    assert!(whole.is_complete);
    let cut = of(chunked, "3\r\nabc\r\n5\r\n01");
    assert_eq!((&*cut.body, cut.is_complete), (&b"abc01"[..], false));
}
