//! Both framers say the same of a stream however it is cut, hold no more than
//! they promise, and lend lines that stand in the stream where they say.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use mcparse::{Frame, LineFramer, Rule, SseFramer, Violation};

/// One result, without what it borrows.
#[derive(Debug, PartialEq)]
enum Said {
    Frame { bytes: Vec<u8>, offset: u64, line: u64, event: Option<Vec<u8>> },
    Violation { rule: Rule, offset: u64 },
}

impl Said {
    fn of(result: Result<Frame<'_>, Violation<'static>>) -> Self {
        match result {
            Ok(frame) => Self::Frame {
                bytes: frame.bytes().to_vec(),
                offset: frame.offset(),
                line: frame.line(),
                event: frame.event().map(<[u8]>::to_vec),
            },
            Err(violation) => {
                Self::Violation { rule: violation.rule(), offset: violation.offset() }
            }
        }
    }
}

/// The stream in chunks of these sizes in turn; one of no size is empty.
fn chunks(stream: &[u8], sizes: [usize; 2]) -> Vec<&[u8]> {
    let mut rest = stream;
    let mut all = Vec::new();
    for size in sizes.into_iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, behind) = rest.split_at(size.min(rest.len()));
        all.push(chunk);
        rest = behind;
    }
    all
}

fn lines(framer: &mut LineFramer, chunks: &[&[u8]], limit: usize) -> Vec<Said> {
    let mut said = Vec::new();
    for &chunk in chunks {
        let mut rest = chunk;
        while let Some(result) = framer.next_frame(&mut rest) {
            said.push(Said::of(result));
        }
        assert!(rest.is_empty());
        assert!(framer.bytes_held() <= limit);
    }
    said.extend(framer.finish().map(Said::of));
    said
}

/// Each result with the last event id and the time to wait as they then were.
type Noted = (Option<Said>, Vec<u8>, Option<Duration>);

fn events(framer: &mut SseFramer, chunks: &[&[u8]], limit: usize) -> Vec<Noted> {
    let noted = |said, framer: &SseFramer| -> Noted {
        (said, framer.last_event_id().to_vec(), framer.retry())
    };
    let mut said = Vec::new();
    for &chunk in chunks {
        let mut rest = chunk;
        while let Some(result) = framer.next_frame(&mut rest).map(Said::of) {
            said.push(noted(Some(result), framer));
        }
        assert!(rest.is_empty());
        assert!(framer.bytes_held() <= 2 * limit + (3 << 10));
        assert!(framer.last_event_id().len() <= 1 << 10);
    }
    let last = framer.finish().map(Said::of);
    said.push(noted(last, framer));
    said
}

/// Each line is the bytes at its offset, up to an end of line, and has the
/// number of its place; what is left between lines is blank or was refused.
fn check_lines(said: &[Said], stream: &[u8], limit: usize) {
    let mut results = said.iter();
    let mut next = results.next();
    let mut at = 0;
    for (number, line) in (1..).zip(stream.split(|&byte| byte == b'\n')) {
        let here = next.filter(|said| match said {
            Said::Frame { offset, .. } | Said::Violation { offset, .. } => *offset == at,
        });
        match here {
            Some(Said::Frame { bytes, line: own_number, event, .. }) => {
                let end = line.strip_prefix(&bytes[..]).expect("the bytes at the offset");
                assert!(matches!(end, b"" | b"\r") && line.len() <= limit);
                assert_eq!((*own_number, event), (number, &None));
            }
            Some(Said::Violation { rule, .. }) => {
                assert_eq!(*rule, Rule::TooLarge);
                assert!(line.len() > limit);
            }
            None => assert!(line.len() <= limit && line.iter().all(|byte| b" \t\r".contains(byte))),
        }
        if here.is_some() {
            next = results.next();
        }
        at += line.len() as u64 + 1;
    }
    assert_eq!(next, None);
}

fuzz_target!(|data: &[u8]| {
    let Some((&[limit, first, second], stream)) = data.split_first_chunk() else { return };
    let limit = usize::from(limit);
    let chunks = chunks(stream, [usize::from(first % 32) + 1, usize::from(second % 32)]);

    let whole = lines(&mut LineFramer::new(limit), &[stream], limit);
    check_lines(&whole, stream, limit);
    let mut framer = LineFramer::new(limit);
    // Twice, as what ended must leave nothing behind.
    assert_eq!(lines(&mut framer, &chunks, limit), whole);
    assert_eq!(lines(&mut framer, &chunks, limit), whole);

    let whole = events(&mut SseFramer::new(limit), &[stream], limit);
    let mut framer = SseFramer::new(limit);
    assert_eq!(events(&mut framer, &chunks, limit), whole);
    let again = events(&mut framer, &chunks, limit);
    assert!(again.iter().map(|noted| &noted.0).eq(whole.iter().map(|noted| &noted.0)));
});
