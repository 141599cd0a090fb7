//! With blocks far smaller than those of the command, so that each thread has
//! many, and messages lie across them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mcparse::Policy;

use super::super::args::{Format, Framing, Options};
use super::super::input::CHUNK;
use super::*;

const LIMIT: usize = 5000;

/// What was written, and a failure once it is so much.
#[derive(Clone)]
struct Written {
    bytes: Arc<Mutex<Vec<u8>>>,
    most: usize,
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.bytes.lock().unwrap();
        if written.len() + bytes.len() > self.most {
            return Err(ErrorKind::BrokenPipe.into());
        }
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// How it went, and what was written.
fn judged(
    threads: usize,
    chunk: usize,
    format: Format,
    most: usize,
) -> (io::Result<Outcome>, Vec<u8>) {
    let files = ["session.jsonl", "broken.jsonl", "policy.toml", "session-legacy.jsonl"].map(data);
    let sources = Source::all(&files);
    let style = Style::new(&options(format), true, &sources);
    let blocks = Blocks::new(sources.into(), Framing::Lines, LIMIT, chunk);
    let judge = Judge::checker(Policy::strict(), None, Framing::Lines, false);
    let written = Written { bytes: Arc::default(), most };
    let outcome = run(blocks, judge, written.clone(), style, threads);
    let bytes = written.bytes.lock().unwrap().clone();
    (outcome, bytes)
}

fn options(format: Format) -> Options {
    Options { framing: Framing::Lines, format, statistics: true, threads: None, files: Vec::new() }
}

#[test]
fn what_is_written_depends_neither_on_the_threads_nor_on_the_blocks() {
    for format in [Format::Text, Format::Json] {
        let (_, expected) = judged(1, CHUNK, format, usize::MAX);
        assert!(expected.len() > 2000);
        for chunk in [1, 100, 1000] {
            for threads in [1, 2, 7] {
                let (outcome, written) = judged(threads, chunk, format, usize::MAX);
                assert!(matches!(outcome, Ok(Outcome::Refused)));
                assert!(written == expected, "{threads} threads, blocks of {chunk} bytes");
            }
        }
    }
}

#[test]
fn when_the_output_fails_all_threads_stop_and_nothing_more_is_written() {
    let (_, all) = judged(1, CHUNK, Format::Text, usize::MAX);
    for most in [0, 1, 1000, all.len() - 1] {
        for threads in [1, 2, 7] {
            let (outcome, written) = judged(threads, 100, Format::Text, most);
            assert!(outcome.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe));
            assert!(all.starts_with(&written), "{threads} threads, {most} bytes");
        }
    }
}
