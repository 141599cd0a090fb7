//! The framers against slow, plain readers of the whole stream, and against
//! themselves with the stream cut into chunks in every way.

use std::iter;
use std::time::Duration;

use mcparse::{Frame, LineFramer, Rule, SseFramer, Violation};
use proptest::collection::vec;
use proptest::prelude::*;

/// One thing a framer said, and what it had noted by then.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    what: What,
    notes: Notes,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Frame { bytes: Vec<u8>, offset: u64, line: u64, event: Option<Vec<u8>> },
    Violation { rule: Rule, offset: u64 },
    End,
}

/// The last event id and the time to wait, for server-sent events.
type Notes = (Vec<u8>, Option<Duration>);

type Outcome<'s> = Option<Result<Frame<'s>, Violation<'static>>>;

/// What both framers have in common.
trait Framer: Clone {
    /// What may be held of a stream, by its documentation.
    fn bound(limit: usize) -> usize;
    fn next<'s, 'c: 's>(&'s mut self, chunk: &mut &'c [u8]) -> Outcome<'s>;
    fn end(&mut self) -> Outcome<'_>;
    fn held(&self) -> usize;
    fn notes(&self) -> Notes;
}

impl Framer for LineFramer {
    fn bound(limit: usize) -> usize {
        limit
    }

    fn next<'s, 'c: 's>(&'s mut self, chunk: &mut &'c [u8]) -> Outcome<'s> {
        self.next_frame(chunk)
    }

    fn end(&mut self) -> Outcome<'_> {
        self.finish()
    }

    fn held(&self) -> usize {
        self.bytes_held()
    }

    fn notes(&self) -> Notes {
        Notes::default()
    }
}

impl Framer for SseFramer {
    fn bound(limit: usize) -> usize {
        2 * limit + 3 * 1024
    }

    fn next<'s, 'c: 's>(&'s mut self, chunk: &mut &'c [u8]) -> Outcome<'s> {
        self.next_frame(chunk)
    }

    fn end(&mut self) -> Outcome<'_> {
        self.finish()
    }

    fn held(&self) -> usize {
        self.bytes_held()
    }

    fn notes(&self) -> Notes {
        (self.last_event_id().to_vec(), self.retry())
    }
}

fn what(outcome: Result<Frame<'_>, Violation<'static>>) -> What {
    match outcome {
        Ok(frame) => What::Frame {
            bytes: frame.bytes().to_vec(),
            offset: frame.offset(),
            line: frame.line(),
            event: frame.event().map(<[u8]>::to_vec),
        },
        Err(violation) => What::Violation { rule: violation.rule(), offset: violation.offset() },
    }
}

/// All that a framer says of a stream that comes in chunks of these sizes, over
/// and over, while the memory it holds stays within `bound`.
fn read<F: Framer>(framer: &mut F, stream: &[u8], sizes: &[usize], bound: usize) -> Vec<Said> {
    let mut said = Vec::new();
    let mut rest = stream;
    let mut sizes = sizes.iter().copied().cycle();
    while !rest.is_empty() {
        let size = sizes.next().map_or(rest.len(), |size| size.min(rest.len()));
        let (mut chunk, behind) = rest.split_at(size);
        rest = behind;
        loop {
            let what = framer.next(&mut chunk).map(what);
            assert!(framer.held() <= bound, "{} bytes held", framer.held());
            let Some(what) = what else { break };
            said.push(Said { what, notes: framer.notes() });
        }
        assert!(chunk.is_empty(), "more is asked for before all is read");
    }
    let last = framer.end().map(what);
    said.extend(last.map(|what| Said { what, notes: framer.notes() }));
    said.push(Said { what: What::End, notes: framer.notes() });
    said
}

fn lines(stream: &[u8], limit: usize) -> Vec<What> {
    bare(read(&mut LineFramer::new(limit), stream, &[], usize::MAX))
}

fn events(stream: &[u8], limit: usize) -> Vec<What> {
    bare(read(&mut SseFramer::new(limit), stream, &[], usize::MAX))
}

fn bare(said: Vec<Said>) -> Vec<What> {
    said.into_iter().map(|said| said.what).filter(|what| *what != What::End).collect()
}

fn message(bytes: &[u8], offset: u64, line: u64) -> What {
    What::Frame { bytes: bytes.to_vec(), offset, line, event: None }
}

fn named(event: &[u8], bytes: &[u8], offset: u64, line: u64) -> What {
    What::Frame { bytes: bytes.to_vec(), offset, line, event: Some(event.to_vec()) }
}

const fn too_large(offset: u64) -> What {
    What::Violation { rule: Rule::TooLarge, offset }
}

const fn cut(offset: u64) -> What {
    What::Violation { rule: Rule::SseEventCut, offset }
}

/// The lines of a stream, read plainly.
fn reference_lines(stream: &[u8], limit: usize) -> Vec<What> {
    let mut offset = 0;
    let mut all = Vec::new();
    let parts: Vec<_> = stream.split(|&byte| byte == b'\n').collect();
    for (at, part) in parts.iter().enumerate() {
        let has_lf = at + 1 < parts.len();
        let bytes = part.strip_suffix(b"\r").filter(|_| has_lf).unwrap_or(part);
        if part.len() > limit {
            all.push(too_large(offset));
        } else if !part.iter().all(|byte| b" \t\r".contains(byte)) {
            all.push(message(bytes, offset, at as u64 + 1));
        }
        offset += part.len() as u64 + 1;
    }
    all
}

/// The lines of an event stream behind its byte order mark: where each begins,
/// what it holds, and whether it has an end.
fn split_events(stream: &[u8]) -> Vec<(u64, &[u8], bool)> {
    let mut all = Vec::new();
    let mut at = if stream.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    while at < stream.len() {
        let rest = &stream[at..];
        let length = rest.iter().position(|byte| b"\r\n".contains(byte)).unwrap_or(rest.len());
        let end = if rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
        all.push((at as u64, &rest[..length], length < rest.len()));
        at += length + end;
    }
    all
}

/// The events of a stream, read plainly and in the order of the standard.
fn reference_events(stream: &[u8], limit: usize) -> Vec<Said> {
    let mut said = Vec::new();
    // The buffers of the standard.
    let (mut data, mut name, mut id) = (Vec::new(), Vec::new(), Vec::new());
    let mut notes = Notes::default();
    // Ours: where the event begins, and whether it is too large.
    let mut start: Option<(u64, u64)> = None;
    let mut over = false;

    let mut last_is_cut = false;
    for (at, (offset, line, has_end)) in split_events(stream).into_iter().enumerate() {
        if line.is_empty() {
            notes.0.clone_from(&id);
            let bytes: &[u8] = data.strip_suffix(b"\n").unwrap_or(&data);
            if let Some((offset, line)) = start
                && !bytes.is_empty()
                && !over
            {
                let what = match &name[..] {
                    b"" | b"message" => message(bytes, offset, line),
                    name => named(name, bytes, offset, line),
                };
                said.push(Said { what, notes: notes.clone() });
            }
            (data, name, start, over) = (Vec::new(), Vec::new(), None, false);
            continue;
        }
        if line.starts_with(b":") {
            continue;
        }
        let (start, _) = *start.get_or_insert((offset, at as u64 + 1));
        last_is_cut = !has_end;
        let mut parts = line.splitn(2, |&byte| byte == b':');
        let field = parts.next().unwrap_or_default();
        let value = parts.next();
        if !has_end && value.is_none() {
            continue;
        }
        let value = value.unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            b"event" => name = value.to_vec(),
            b"id" if has_end && !value.contains(&0) && value.len() <= 1024 => id = value.to_vec(),
            b"retry" if has_end && value.iter().all(u8::is_ascii_digit) => {
                let digits = String::from_utf8_lossy(value);
                notes.1 = digits.parse().ok().map(Duration::from_millis).or(notes.1);
            }
            _ => {}
        }
        if !over && data.len().saturating_sub(1) + name.len() > limit {
            over = true;
            said.push(Said { what: too_large(start), notes: notes.clone() });
        }
    }
    let has_data = data.len() > 1;
    if let Some((offset, _)) = start
        && !over
        && (has_data || last_is_cut)
    {
        said.push(Said { what: cut(offset), notes: notes.clone() });
    }
    said.push(Said { what: What::End, notes });
    said
}

/// Sizes of chunks, not all of them empty.
fn sizes() -> impl Strategy<Value = Vec<usize>> {
    vec(0..9_usize, 1..6).prop_map(|mut sizes| {
        sizes.push(1 + sizes[0]);
        sizes
    })
}

/// Streams made of what decides: ends of lines, white space, long lines.
fn line_stream() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        4 => Just(b"\n".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        1 => Just(b"\r".to_vec()),
        1 => Just(b" \t".to_vec()),
        2 => Just(b"{}".to_vec()),
        1 => Just("\u{2028}\u{1F600}".as_bytes().to_vec()),
        2 => (0..40_usize).prop_map(|length| vec![b'x'; length]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    vec(part, 0..40).prop_map(|parts| parts.concat())
}

/// Streams made of what decides: ends of lines, names, colons, byte order
/// marks, long values.
fn event_stream() -> impl Strategy<Value = Vec<u8>> {
    const WHOLE: &[&[u8]] = &[
        b"data: {}\n",
        b"data:\n",
        b"data\n",
        b"data:  x\r\n",
        b"event: message\n",
        b"event: ping\r",
        b"event\n",
        b"id: 1\n",
        b"id: a\0b\n",
        b"id\n",
        b"retry: 10\n",
        b"retry: 1x\n",
        b"retry:\n",
        b"retry: 99999999999999999999\n",
        b": comment\n",
        b"unknown-field: x\n",
        b"Data: x\n",
        b"datax: x\n",
        b" data: x\n",
    ];
    const PIECES: &[&[u8]] = &[
        b":",
        b" ",
        b"\0",
        b"data",
        b"event",
        b"id",
        b"retry",
        b"7",
        b"x",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB",
        "\u{2028}".as_bytes(),
    ];
    let part = prop_oneof![
        4 => Just(b"\n".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        2 => Just(b"\r".to_vec()),
        8 => proptest::sample::select(WHOLE).prop_map(<[u8]>::to_vec),
        5 => proptest::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        2 => (0..40_usize).prop_map(|length| vec![b'y'; length]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    let mark = prop_oneof![3 => Just(&b""[..]), 1 => Just(&b"\xEF\xBB\xBF"[..])];
    (mark, vec(part, 0..40)).prop_map(|(mark, parts)| [mark.to_vec(), parts.concat()].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn lines_are_those_of_the_plain_reader(stream in line_stream(), limit in 0..50_usize) {
        prop_assert_eq!(lines(&stream, limit), reference_lines(&stream, limit));
    }

    #[test]
    fn events_are_those_of_the_plain_reader(stream in event_stream(), limit in 0..50_usize) {
        let said = read(&mut SseFramer::new(limit), &stream, &[], usize::MAX);
        prop_assert_eq!(said, reference_events(&stream, limit));
    }

    #[test]
    fn every_line_stands_in_the_stream_at_its_offset(
        stream in line_stream(),
        limit in 0..50_usize,
    ) {
        for what in lines(&stream, limit) {
            if let What::Frame { bytes, offset, line, .. } = what {
                let (before, behind) = stream.split_at(usize::try_from(offset)?);
                prop_assert!(behind.starts_with(&bytes));
                prop_assert_eq!(line, before.split(|&byte| byte == b'\n').count() as u64);
                prop_assert!(before.is_empty() || before.ends_with(b"\n"));
            }
        }
    }
}

proptest! {
    #[test]
    fn lines_do_not_depend_on_the_chunks(
        stream in line_stream(),
        limit in 0..50_usize,
        sizes in sizes(),
    ) {
        chunks_do_not_matter(&LineFramer::new(limit), &stream, limit, &sizes)?;
    }

    #[test]
    fn events_do_not_depend_on_the_chunks(
        stream in event_stream(),
        limit in 0..50_usize,
        sizes in sizes(),
    ) {
        chunks_do_not_matter(&SseFramer::new(limit), &stream, limit, &sizes)?;
    }
}

/// A framer says the same of chunks as of the whole, then of each half, and
/// once more of the same stream after it has ended.
fn chunks_do_not_matter<F: Framer>(
    framer: &F,
    stream: &[u8],
    limit: usize,
    sizes: &[usize],
) -> Result<(), TestCaseError> {
    let bound = F::bound(limit);
    let whole = read(&mut framer.clone(), stream, &[], bound);
    let mut chunked = framer.clone();
    prop_assert_eq!(&read(&mut chunked, stream, sizes, bound), &whole);
    let again = read(&mut chunked, stream, &[1], bound);
    prop_assert_eq!(bare(again), bare(whole.clone()));
    for at in 1..stream.len() {
        let halves = read(&mut framer.clone(), stream, &[at, stream.len() - at], bound);
        prop_assert_eq!(&halves, &whole, "cut at {}", at);
    }
    Ok(())
}

#[test]
fn a_line_ends_with_lf_or_crlf_and_with_nothing_else() {
    assert_eq!(
        lines(b"{}\r\n[\r]\r\r\n\"\xE2\x80\xA8\"\n\x0B\n\x0C\n", 99),
        [
            message(b"{}", 0, 1),
            message(b"[\r]\r", 4, 2),
            message(b"\"\xE2\x80\xA8\"", 10, 3),
            message(b"\x0B", 16, 4),
            message(b"\x0C", 18, 5),
        ]
    );
}

#[test]
fn blank_lines_are_passed_over_but_counted() {
    assert_eq!(lines(b"\n\r\n \t\r\n1\n\n", 99), [message(b"1", 7, 4)]);
    assert_eq!(lines(b"\n \t\r", 99), []);
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(lines(b"1\n2\r", 99), [message(b"1", 0, 1), message(b"2\r", 2, 2)]);
}

#[test]
fn a_line_at_the_limit_passes_and_one_past_it_is_refused_once() {
    assert_eq!(lines(b"abcd\nabc\r\nabcd", 4).len(), 3);
    for line in [&b"abcde\n"[..], b"abcd\r\n", b"     \n", b"abcdefghijkl\n"] {
        let stream = [b"1\n", line, b"2\n"].concat();
        let behind = 2 + line.len() as u64;
        let expected = [message(b"1", 0, 1), too_large(2), message(b"2", behind, 3)];
        assert_eq!(lines(&stream, 4), expected);
    }
    assert_eq!(lines(b"abcde", 4), [too_large(0)]);
}

#[test]
fn a_line_past_the_limit_is_refused_without_waiting_for_its_end() {
    let mut framer = LineFramer::new(4);
    assert!(framer.next_frame(&mut &b"abcd"[..]).is_none());
    assert!(matches!(framer.next_frame(&mut &b"e"[..]), Some(Err(_))));
    assert!(framer.next_frame(&mut &b"fghijklmn"[..]).is_none());
    assert!(framer.finish().is_none());
}

#[test]
fn a_line_whole_in_its_chunk_is_lent_from_there() {
    let stream = b"{\"a\"\n{\"id\":1}\r\n{\"id\":2}\n{";
    let mut framer = LineFramer::default();
    let mut chunk = &stream[..];
    for expected in [&stream[..4], &stream[5..13], &stream[15..23]] {
        let frame = framer.next_frame(&mut chunk).unwrap().unwrap();
        assert!(std::ptr::eq(frame.bytes(), expected));
        assert_eq!(framer.bytes_held(), 0);
    }
    assert!(framer.next_frame(&mut chunk).is_none());
    assert_eq!(framer.bytes_held(), 1);
}

#[test]
fn data_whole_in_its_chunk_is_lent_from_there() {
    let stream = b"\xEF\xBB\xBFevent: message\nid: 1\ndata: {\"id\":1}\n\n\
        data:{}\r\n: comment\r\nevent: ping\r\n\r\ndata\ndata: x\n\n";
    let mut framer = SseFramer::default();
    let mut chunk = &stream[..];
    for expected in [&b"{\"id\":1}"[..], b"{}"] {
        let at = stream.windows(expected.len()).position(|part| part == expected).unwrap();
        let frame = framer.next_frame(&mut chunk).unwrap().unwrap();
        assert!(std::ptr::eq(frame.bytes(), &raw const stream[at..at + expected.len()]));
    }
    let joined = framer.next_frame(&mut chunk).unwrap().unwrap();
    assert_eq!(joined.bytes(), b"\nx");
    assert!(!stream.as_ptr_range().contains(&joined.bytes().as_ptr()));
}

#[test]
fn a_value_is_lent_even_if_its_name_came_in_an_earlier_chunk() {
    let mut framer = SseFramer::default();
    assert!(framer.next_frame(&mut &b"event: message\nda"[..]).is_none());
    let chunk = b"ta: {}\n\n";
    let frame = framer.next_frame(&mut &chunk[..]).unwrap().unwrap();
    assert!(std::ptr::eq(frame.bytes(), &raw const chunk[4..6]));
}

#[test]
fn lines_of_an_event_stream_end_with_cr_lf_or_both() {
    let expected = [message(b"a\nb", 0, 1), message(b"c", 18, 4)];
    assert_eq!(events(b"data: a\ndata: b\r\n\rdata: c\r\r", 99), expected);
}

#[test]
fn an_event_is_not_held_back_for_the_lf_that_may_follow() {
    let mut framer = SseFramer::default();
    let frame = framer.next_frame(&mut &b"data: 1\r\n\r"[..]).unwrap().unwrap();
    assert_eq!(frame.bytes(), b"1");
    assert!(framer.next_frame(&mut &b"\n"[..]).is_none());
    let frame = framer.next_frame(&mut &b"data: 2\n\n"[..]).unwrap().unwrap();
    assert_eq!((frame.bytes(), frame.offset(), frame.line()), (&b"2"[..], 11, 3));
}

#[test]
fn one_byte_order_mark_is_passed_over_and_only_at_the_start() {
    let mark = b"\xEF\xBB\xBF";
    assert_eq!(events(&[mark, &b"data: 1\n\n"[..]].concat(), 99), [message(b"1", 3, 1)]);
    assert_eq!(events(&[mark, mark, &b"data: 1\n\n"[..]].concat(), 99), []);
    assert_eq!(events(&[&b"\n"[..], mark, b"data: 1\n\n"].concat(), 99), []);
    for (first, expected) in [
        (&b"event: x\n"[..], named(b"x", b"1", 3, 1)),
        (b"eventx: x\n", message(b"1", 3, 1)),
        (b"\n", message(b"1", 4, 2)),
        (b": x\n", message(b"1", 7, 2)),
    ] {
        assert_eq!(events(&[mark, first, b"data: 1\n\n"].concat(), 99), [expected]);
    }
    assert_eq!(events(mark, 99), []);
    assert_eq!(events(&mark[..2], 99), [cut(0)]);
}

#[test]
fn an_event_named_message_or_not_at_all_is_a_message() {
    let stream = b"event: message\ndata: 1\n\nevent:\ndata: 2\n\nevent: ping\n\ndata: 3\n\n\
        event: ping\ndata: 4\n\nevent: x\nevent: Message\ndata: 5\n\n";
    assert_eq!(
        events(stream, 99),
        [
            message(b"1", 0, 1),
            message(b"2", 24, 4),
            message(b"3", 53, 9),
            named(b"ping", b"4", 62, 11),
            named(b"Message", b"5", 83, 14),
        ]
    );
}

#[test]
fn one_space_behind_the_colon_is_not_part_of_the_value() {
    assert_eq!(events(b"data:1\n\n", 99), [message(b"1", 0, 1)]);
    assert_eq!(events(b"data:  1 : 2 \n\n", 99), [message(b" 1 : 2 ", 0, 1)]);
    assert_eq!(events(b"data:\t1\n\n", 99), [message(b"\t1", 0, 1)]);
}

#[test]
fn what_is_no_field_is_ignored() {
    let stream = b":data: 0\n:\nDATA: 1\n data: 2\ndata : 3\ndat: 4\ndatas: 5\nx\n\ndata: 6\n\n";
    assert_eq!(events(stream, 99), [message(b"6", 56, 10)]);
}

#[test]
fn an_event_begins_at_its_first_line_that_is_no_comment() {
    let stream = b"\n: one\n\n: two\nid: 1\ndata: 1\n\n";
    assert_eq!(events(stream, 99), [message(b"1", 14, 5)]);
}

#[test]
fn an_event_without_data_or_with_empty_data_is_no_frame() {
    assert_eq!(events(b"id: 1\ndata:\n\nevent: x\ndata\n\nevent: y\n\nretry: 3\n\n", 99), []);
    assert_eq!(events(b"data\ndata\n\n", 99), [message(b"\n", 0, 1)]);
}

#[test]
fn an_event_cut_at_the_end_is_dropped_and_reported() {
    for tail in [&b"data: 2\n"[..], b"data: 2", b"dat", b"event: x", b"id: 1\ndata: 1\n: x", b"x"] {
        let stream = [b"data: 1\n\n", tail].concat();
        assert_eq!(events(&stream, 99), [message(b"1", 0, 1), cut(9)], "{tail:?}");
    }
    for tail in [&b""[..], b": comment", b": comment\n", b"id: 1\n", b"data:\n", b"event: x\n"] {
        let stream = [b"data: 1\n\n", tail].concat();
        assert_eq!(events(&stream, 99), [message(b"1", 0, 1)], "{tail:?}");
    }
}

#[test]
fn an_event_at_the_limit_passes_and_one_past_it_is_refused_once() {
    for event in [
        &b"data: 123456\n"[..],
        b"data: 123\ndata: 45\n",
        b"event: 123\ndata: 123\n",
        b"event: 12\ndata: 12\ndata: 3\n",
        b"data: 123\nevent: 123\n",
        b"data: 1\ndata: 2\nevent: 123\n",
    ] {
        assert_eq!(events(&[event, b"\n"].concat(), 6).len(), 1);
        let stream = [b"id: 1\n", event, b"\ndata: 9\n\n"].concat();
        let behind = 7 + event.len() as u64;
        let line = 2 + event.split(|&byte| byte == b'\n').count() as u64;
        assert_eq!(events(&stream, 5), [too_large(0), message(b"9", behind, line)]);
    }
    let long = b"data: 1234567\nevent: 1234567\ndata: 1234567\n: 1234567\n\ndata: 9\n\n";
    assert_eq!(events(long, 5), [too_large(0), message(b"9", 54, 6)]);
    assert_eq!(events(b"data: 1\nevent: 12345", 5), [too_large(0)]);
    assert_eq!(events(b"data: 12345\ndata:\n\n", 5), [too_large(0)]);
    assert_eq!(events(b"data: 1234\ndata\n\n", 5), [message(b"1234\n", 0, 1)]);
}

#[test]
fn only_the_last_name_of_an_event_counts() {
    let stream = b"event: 12345\nevent: x\ndata: 1234\n\n";
    assert_eq!(events(stream, 5), [named(b"x", b"1234", 0, 1)]);
    assert_eq!(events(stream, 4), [too_large(0)]);
}

/// What a framer of events has noted at the end of a stream.
fn notes(stream: &[u8]) -> Notes {
    let whole = read(&mut SseFramer::new(99), stream, &[], usize::MAX);
    let bytewise = read(&mut SseFramer::new(99), stream, &[1], usize::MAX);
    assert_eq!(whole, bytewise);
    whole.last().unwrap().notes.clone()
}

#[test]
fn the_last_event_id_is_that_of_the_last_blank_line() {
    assert_eq!(notes(b"id: 1\ndata: 1\n\nid: 2\n\nid: 3\n").0, b"2");
    assert_eq!(notes(b"id: 1\n\ndata: 1\n\n").0, b"1");
    assert_eq!(notes(b"id: 1\n\nid\n\n").0, b"");
    assert_eq!(notes(b"id: 1\nid: 2\nid: \0\n\n").0, b"2");
}

#[test]
fn an_event_that_is_too_large_still_sets_the_id() {
    let stream = [&b"data: "[..], &[b'x'; 200], b"\nid: 1\nretry: 5\n\n"].concat();
    assert_eq!(notes(&stream), (b"1".to_vec(), Some(Duration::from_millis(5))));
}

#[test]
fn an_id_may_have_a_kibibyte() {
    for (length, expected) in [(1024, 1024), (1025, 1)] {
        let stream = [&b"id: 1\nid: "[..], &vec![b'x'; length], b"\n\n"].concat();
        assert_eq!(notes(&stream).0.len(), expected);
    }
}

#[test]
fn the_time_to_wait_is_digits_and_holds_at_once() {
    assert_eq!(notes(b"retry: 0010\n").1, Some(Duration::from_millis(10)));
    assert_eq!(notes(b"retry:7\nretry\nretry: \nretry: 8\n").1, Some(Duration::from_millis(8)));
    for odd in ["", "+1", "-1", "1.5", "1 ", " 1", "x", "18446744073709551616", "\u{661}"] {
        let stream = format!("retry: 7\nretry: {odd}\nretry:{odd}x\n");
        assert_eq!(notes(stream.as_bytes()).1, Some(Duration::from_millis(7)), "{odd:?}");
    }
}

#[test]
fn the_id_and_the_time_to_wait_outlive_the_stream_and_the_rest_does_not() {
    let mut framer = SseFramer::default();
    assert!(framer.next_frame(&mut &b"\n\nid: 1\nretry: 5\n\nid: 2\ndata: 1\n\r"[..]).is_some());
    assert!(framer.next_frame(&mut &b"id: 3\ndata: 2\ndata"[..]).is_none());
    assert!(matches!(framer.finish(), Some(Err(_))));
    assert!(framer.finish().is_none());
    assert_eq!(framer.notes(), (b"2".to_vec(), Some(Duration::from_millis(5))));

    let mut next = &b"\xEF\xBB\xBFdata: 3\n\n"[..];
    assert_eq!(framer.next_frame(&mut next).map(what), Some(message(b"3", 3, 1)));
    assert_eq!(framer.last_event_id(), b"2");
}

#[test]
fn a_stream_that_ended_leaves_nothing_to_the_next() {
    for last in [&b"\r"[..], b"data: 1\r", b": 1", b"data", b"data: 123456", b"event: x\n", b""] {
        let mut framer = SseFramer::new(5);
        read(&mut framer, last, &[], usize::MAX);
        let next = bare(read(&mut framer, b"\ndata: 2\n\n", &[], usize::MAX));
        assert_eq!(next, [message(b"2", 1, 2)], "{last:?}");
    }
    for last in [&b"\r"[..], b"1", b"123456", b"1\n", b""] {
        let mut framer = LineFramer::new(5);
        read(&mut framer, last, &[], usize::MAX);
        let next = bare(read(&mut framer, b"\n2\n", &[], usize::MAX));
        assert_eq!(next, [message(b"2", 1, 2)], "{last:?}");
    }
}

/// Feeds `count` chunks of a kibibyte of `x` and returns the most held.
fn most_held<F: Framer>(framer: &mut F, start: &[u8], count: usize) -> usize {
    let filler = [b'x'; 1024];
    let mut violations = 0;
    let mut most = 0;
    for mut chunk in iter::once(start).chain(iter::repeat_n(&filler[..], count)) {
        while let Some(outcome) = framer.next(&mut chunk) {
            violations += usize::from(outcome.is_err());
        }
        most = most.max(framer.held());
    }
    assert!(violations <= 1);
    most
}

#[test]
fn endless_lines_are_not_held_beyond_the_limit() {
    const COUNT: usize = 100 << 10;
    assert!(most_held(&mut LineFramer::new(4096), b"", COUNT) <= 4096);
    for start in [&b"data: "[..], b"event: ", b"data: \ndata: \nevent:"] {
        assert!(most_held(&mut SseFramer::new(4096), start, COUNT / 10) <= 4096 + 32, "{start:?}");
    }
    for start in [&b": "[..], b"", b"unknown: ", b"id: ", b"retry: "] {
        assert!(most_held(&mut SseFramer::new(4096), start, COUNT / 10) <= 1024, "{start:?}");
    }
}

#[test]
fn memory_that_a_long_message_took_is_given_back() {
    let mut lines = LineFramer::default();
    assert!(most_held(&mut lines, b"", 2048) >= 2 << 20);
    let mut chunk = &b"\n1"[..];
    let frame = lines.next_frame(&mut chunk).unwrap().unwrap();
    assert_eq!(frame.bytes().len(), 2 << 20);
    assert!(lines.next_frame(&mut chunk).is_none());
    assert_eq!(lines.bytes_held(), 64 << 10);

    let mut events = SseFramer::default();
    assert!(most_held(&mut events, b"data: ", 2048) >= 2 << 20);
    let mut chunk = &b"\n\n: 1"[..];
    assert!(events.next_frame(&mut chunk).unwrap().is_ok());
    assert!(events.next_frame(&mut chunk).is_none());
    assert!(events.bytes_held() <= (64 << 10) + 1024);
}

#[test]
fn memory_grows_with_what_is_held_and_not_to_the_limit_at_once() {
    let mut framer = LineFramer::new(1 << 30);
    assert!(most_held(&mut framer, b"", 3) <= 4096);
}

/// The stream as put together again from its frames, and those that are not blank.
fn again(stream: &[u8], sizes: &[usize], limit: usize) -> (Vec<u8>, Vec<What>) {
    let mut framer = LineFramer::new(limit).with_blank_lines();
    let (mut bytes, mut messages) = (Vec::new(), Vec::new());
    let mut take = |outcome: Result<Frame<'_>, Violation<'static>>| {
        if let Ok(frame) = outcome {
            bytes.extend_from_slice(frame.bytes());
            bytes.extend_from_slice(frame.end());
            if frame.bytes().iter().all(|byte| b" \t\r".contains(byte)) {
                return;
            }
        }
        messages.push(what(outcome));
    };
    let (mut rest, mut sizes) = (stream, sizes.iter().copied().cycle());
    while !rest.is_empty() {
        let size = sizes.next().map_or(rest.len(), |size| size.clamp(1, rest.len()));
        let (mut chunk, behind) = rest.split_at(size);
        rest = behind;
        while let Some(outcome) = framer.next_frame(&mut chunk) {
            take(outcome);
        }
    }
    if let Some(outcome) = framer.finish() {
        take(outcome);
    }
    (bytes, messages)
}

#[test]
fn blank_lines_are_frames_where_they_are_asked_for_and_each_says_how_it_ended() {
    let mut framer = LineFramer::new(9).with_blank_lines();
    let (mut chunk, mut seen) = (&b"{}\r\n\n \t\r\n1\r\r\n"[..], Vec::new());
    while let Some(Ok(frame)) = framer.next_frame(&mut chunk) {
        seen.push((frame.line(), frame.offset(), frame.bytes().to_vec(), frame.end()));
    }
    let expected: [(u64, u64, &[u8], &[u8]); 4] = [
        (1, 0, b"{}", b"\r\n"),
        (2, 4, b"", b"\n"),
        (3, 5, b" \t", b"\r\n"),
        (4, 9, b"1\r", b"\r\n"),
    ];
    assert_eq!(seen, expected.map(|(line, at, bytes, end)| (line, at, bytes.to_vec(), end)));
    // Nothing is left to end, and what is left has no end.
    assert!(framer.finish().is_none());
    assert!(framer.next_frame(&mut &b" \r"[..]).is_none());
    let last = framer.finish().unwrap().unwrap();
    assert_eq!((last.bytes(), last.end()), (&b" \r"[..], &b""[..]));
}

#[test]
fn an_event_has_no_end_of_a_line() {
    let mut framer = SseFramer::new(9);
    let mut chunk = &b"data: {}\r\n\r\n"[..];
    assert_eq!(framer.next_frame(&mut chunk).unwrap().unwrap().end(), b"");
}

#[test]
fn a_blank_line_past_the_limit_is_refused_where_blank_lines_are_asked_for() {
    assert_eq!(again(b"    \n1\n", &[], 4), (b"    \n1\n".to_vec(), vec![message(b"1", 5, 2)]));
    let (bytes, messages) = again(b"     \n1\n", &[], 4);
    assert_eq!((bytes, messages), (b"1\n".to_vec(), vec![too_large(0), message(b"1", 6, 2)]));
}

proptest! {
    #[test]
    fn lines_and_their_ends_are_the_stream_however_it_is_cut(
        stream in line_stream(), sizes in sizes(), limit in 0_usize..40,
    ) {
        let (bytes, messages) = again(&stream, &sizes, limit);
        // The messages are those of a framer that passes blank lines over.
        prop_assert_eq!(messages, lines(&stream, limit));
        let within = stream.split_inclusive(|&byte| byte == b'\n');
        let within = within.filter(|line| line.strip_suffix(b"\n").unwrap_or(line).len() <= limit);
        prop_assert_eq!(bytes, within.collect::<Vec<_>>().concat());
    }
}
