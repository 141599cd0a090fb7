//! The codec for tokio-util says of a stream what the framer says, however it is
//! cut, in bounded memory.
#![cfg(feature = "codec")]

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use futures_util::{SinkExt, StreamExt};
use mcparse::codec::{Line, LineCodec};
use mcparse::{Frame, LineFramer, Rule, Violation};
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};
use tokio_util::codec::{Decoder, Encoder, Framed, FramedRead};

/// One item of a stream: a message, or the place of a line that was too long.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    Line { bytes: Vec<u8>, offset: u64, line: u64 },
    TooLarge { offset: u64, line: Option<u64> },
}

impl Said {
    fn of_violation(violation: &Violation<'_>) -> Self {
        assert_eq!(violation.rule(), Rule::TooLarge);
        Self::TooLarge { offset: violation.offset(), line: violation.line() }
    }

    fn of_frame(frame: Result<Frame<'_>, Violation<'static>>) -> Self {
        match frame {
            Ok(frame) => Self::Line {
                bytes: frame.bytes().to_vec(),
                offset: frame.offset(),
                line: frame.line(),
            },
            Err(violation) => Self::of_violation(&violation),
        }
    }

    fn of_item(item: Result<Line, Violation<'static>>) -> Self {
        match item {
            Ok(line) => Self::Line {
                bytes: line.bytes().to_vec(),
                offset: line.offset(),
                line: line.number(),
            },
            Err(violation) => Self::of_violation(&violation),
        }
    }
}

fn framed(limit: usize, stream: &[u8]) -> Vec<Said> {
    let (mut framer, mut said, mut rest) = (LineFramer::new(limit), Vec::new(), stream);
    while let Some(frame) = framer.next_frame(&mut rest) {
        said.push(Said::of_frame(frame));
    }
    said.extend(framer.finish().map(Said::of_frame));
    said
}

/// By the codec alone, with a buffer that takes in what it is given.
fn decoded(codec: &mut LineCodec, chunks: &[Vec<u8>]) -> Vec<Said> {
    let (mut buffer, mut said) = (BytesMut::new(), Vec::new());
    for chunk in chunks {
        buffer.extend_from_slice(chunk);
        while let Some(item) = codec.decode(&mut buffer).unwrap() {
            said.push(Said::of_item(item));
        }
    }
    while let Some(item) = codec.decode_eof(&mut buffer).unwrap() {
        said.push(Said::of_item(item));
    }
    assert!(buffer.is_empty());
    said
}

/// A stream of what matters to lines, cut into chunks.
fn chunks() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop_oneof![
        3 => Just(b"\n".to_vec()),
        1 => Just(b"\r\n".to_vec()),
        1 => Just(b"\r".to_vec()),
        1 => Just(b" \t".to_vec()),
        4 => vec(any::<u8>(), 0..12),
    ];
    let chunk = vec(piece, 0..6).prop_map(|pieces| pieces.concat());
    vec(chunk, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_codec_says_what_the_framer_says(limit in 0_usize..24, chunks in chunks()) {
        let expected = framed(limit, &chunks.concat());
        let mut codec = LineCodec::new(limit);
        prop_assert_eq!(decoded(&mut codec, &chunks), &*expected);
        // Behind its end there is a new stream.
        let bytes = chunks.concat().into_iter().map(|byte| vec![byte]).collect::<Vec<_>>();
        prop_assert_eq!(decoded(&mut codec, &bytes), expected);
    }
}

#[test]
fn a_line_at_the_limit_passes_and_one_byte_more_does_not() {
    let stream = b"12345678\n1234567\r\n12345678\r\n123456789\n12345678";
    let mut codec = LineCodec::new(8);
    let said = decoded(&mut codec, &[stream.to_vec()]);
    let line = |bytes: &[u8], offset, line| Said::Line { bytes: bytes.to_vec(), offset, line };
    assert_eq!(
        said,
        [
            line(b"12345678", 0, 1),
            line(b"1234567", 9, 2),
            Said::TooLarge { offset: 18, line: Some(3) },
            Said::TooLarge { offset: 28, line: Some(4) },
            line(b"12345678", 38, 5),
        ]
    );
}

#[test]
fn a_line_that_is_too_long_is_said_before_its_end_and_once() {
    let mut codec = LineCodec::new(4);
    let mut buffer = BytesMut::from(&b"12345"[..]);
    let violation = codec.decode(&mut buffer).unwrap().unwrap().unwrap_err();
    assert_eq!((violation.offset(), violation.line()), (0, Some(1)));
    assert!(buffer.is_empty());
    for _ in 0..10 {
        buffer.extend_from_slice(b"more of it");
        assert!(codec.decode(&mut buffer).unwrap().is_none());
        assert!(buffer.is_empty());
    }
    buffer.extend_from_slice(b"\n{}\n");
    let line = codec.decode(&mut buffer).unwrap().unwrap().unwrap();
    assert_eq!((line.bytes(), line.offset(), line.number()), (&b"{}"[..], 106, 2));
}

#[test]
fn a_line_is_not_copied() {
    let mut buffer = BytesMut::from(&b"{\"a\":1}\r\n{\"b\":2}\n"[..]);
    let start = buffer.as_ptr();
    let mut codec = LineCodec::default();
    let line = codec.decode(&mut buffer).unwrap().unwrap().unwrap();
    assert_eq!(line.as_ref(), b"{\"a\":1}");
    assert_eq!(line.into_bytes().as_ptr(), start);
}

/// Gives out what it has in chunks of a few bytes, fewer if there is less room,
/// and has something to say only every second time.
struct Trickle {
    rest: VecDeque<u8>,
    most: usize,
    is_ready: bool,
}

impl AsyncRead for Trickle {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.is_ready = !self.is_ready;
        if !self.is_ready {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let len = self.most.min(room.remaining()).min(self.rest.len());
        let chunk: Vec<u8> = self.rest.drain(..len).collect();
        room.put_slice(&chunk);
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn over_a_reader_of_tokio_it_says_what_the_framer_says() {
    let long = [b'x'; 300];
    let stream = [&b"{}\r\n\n \n{\"a\":1}\n"[..], &long, b"\n[1]\n", &long, b"\nlast\r"].concat();
    for (limit, most) in [(299, 1), (299, 7), (300, 1), (300, 4096), (0, 3), (8, 2)] {
        let read = Trickle { rest: stream.iter().copied().collect(), most, is_ready: false };
        let items = FramedRead::new(read, LineCodec::new(limit));
        let said: Vec<_> = items.map(|item| Said::of_item(item.unwrap())).collect().await;
        assert_eq!(said, framed(limit, &stream), "{limit} {most}");
    }
}

#[tokio::test]
async fn what_is_sent_through_a_narrow_pipe_arrives() {
    let (client, server) = tokio::io::duplex(3);
    let sent: Vec<Bytes> = (0..50).map(|n| Bytes::from(format!("{{\"id\":{n}}}"))).collect();
    let messages = sent.clone();
    let writer = tokio::spawn(async move {
        let mut client = Framed::new(client, LineCodec::new(100));
        for message in messages {
            client.send(message).await.unwrap();
        }
        client.get_mut().shutdown().await.unwrap();
    });
    let server = Framed::new(server, LineCodec::new(100));
    let got: Vec<_> = server.map(|item| item.unwrap().unwrap().into_bytes()).collect().await;
    writer.await.unwrap();
    assert_eq!(got, sent);
}

#[tokio::test]
async fn the_buffer_never_grows_past_one_byte_more_than_the_limit() {
    const LIMIT: usize = 200_000;
    let mut stream = vec![b'x'; LIMIT];
    stream.push(b'\n');
    stream.extend_from_slice(&vec![b'y'; 3 * LIMIT]);
    stream.extend_from_slice(b"\n{}\n");
    let read = Trickle { rest: stream.into(), most: 50_000, is_ready: false };
    let mut items = FramedRead::new(read, LineCodec::new(LIMIT));
    let mut said = Vec::new();
    while let Some(item) = items.next().await {
        said.push(item.unwrap().map(|line| line.bytes().len()).map_err(|found| found.line()));
        let capacity = items.read_buffer().capacity();
        assert!(capacity <= LIMIT + 1, "{capacity}");
    }
    assert_eq!(said, [Ok(LIMIT), Err(Some(2)), Ok(2)]);
    let capacity = items.read_buffer().capacity();
    assert!(capacity <= 64 << 10, "{capacity} bytes are kept");
}

#[test]
fn a_buffer_that_is_read_into_by_its_room_stays_within_the_limit() {
    for limit in [10_000, 65_535, 65_536, 1 << 20] {
        let mut codec = LineCodec::new(limit);
        let mut buffer = BytesMut::with_capacity(8 << 10);
        let mut most = 0;
        loop {
            buffer.reserve(1);
            most = most.max(buffer.capacity());
            let room = buffer.capacity() - buffer.len();
            buffer.extend_from_slice(&vec![b'x'; room]);
            if let Some(item) = codec.decode(&mut buffer).unwrap() {
                assert_eq!(item.unwrap_err().rule(), Rule::TooLarge);
                break;
            }
        }
        assert_eq!(most, limit + 1);
        assert!(buffer.is_empty() && buffer.capacity() <= 64 << 10);
    }
}

#[test]
fn a_message_is_written_with_its_end() {
    let mut out = BytesMut::new();
    let mut codec = LineCodec::default();
    codec.encode(b"{}", &mut out).unwrap();
    codec.encode("[]", &mut out).unwrap();
    codec.encode(Bytes::from_static(b"1"), &mut out).unwrap();
    assert_eq!(out, &b"{}\n[]\n1\n"[..]);
}

#[test]
fn a_message_of_two_lines_is_not_written() {
    let mut codec = LineCodec::default();
    for message in ["{\n}", "{\r}", "{}\n", "{}\r\n", "\n", "\r"] {
        let mut out = BytesMut::from("before");
        let error = codec.encode(message, &mut out).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().contains("line break"), "{error}");
        assert_eq!(out, &b"before"[..]);
    }
}
