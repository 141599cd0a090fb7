//! The whole way from bytes to verdict: a mixed stream in chunks as a pipe or a
//! socket gives them, framed and read by one thread and by two.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use mcparse::{LineFramer, Policy, Sender, Validator};
use serde::de::IgnoredAny;

use crate::measure::Effort;
use crate::support::classes;
use crate::support::stream::count;

/// What is done with each message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Frame,
    Classify,
    Check,
    IgnoredAny,
}

/// A part of the stream, from line to line, and the thread's own reader of it.
struct Part<'s> {
    bytes: &'s [u8],
    /// Who sent each message.
    senders: &'s [Sender],
    framer: LineFramer,
    validator: Validator,
}

impl<'s> Part<'s> {
    fn new(bytes: &'s [u8], senders: &'s [Sender]) -> Self {
        let policy = Policy::strict();
        let framer = LineFramer::new(policy.limits().message_bytes);
        Self { bytes, senders, framer, validator: Validator::new(policy) }
    }

    /// How many messages are accepted.
    fn read(&mut self, work: Work) -> usize {
        let Self { bytes, senders, framer, validator } = self;
        let mut senders = senders.iter();
        match work {
            Work::Frame => count(framer, bytes, |_| true),
            Work::Classify => {
                count(framer, bytes, |message| black_box(&validator.classify(message)).is_ok())
            }
            Work::Check => count(framer, bytes, |message| {
                let from = senders.next().copied().unwrap_or(Sender::Client);
                black_box(&validator.check(from, message)).is_ok()
            }),
            Work::IgnoredAny => count(framer, bytes, |message| {
                black_box(&serde_json::from_slice::<IgnoredAny>(message)).is_ok()
            }),
        }
    }
}

/// Two halves, split behind the line that the middle is in.
fn halves<'s>(bytes: &'s [u8], senders: &'s [Sender]) -> [Part<'s>; 2] {
    let middle = bytes.len() / 2;
    let line = bytes[middle..].iter().position(|&byte| byte == b'\n').expect("lines");
    let (first, second) = bytes.split_at(middle + line + 1);
    let lines = first.split_inclusive(|&byte| byte == b'\n').count();
    let (from_first, from_second) = senders.split_at(lines);
    [Part::new(first, from_first), Part::new(second, from_second)]
}

fn by_two(parts: &mut [Part<'_>; 2], work: Work) -> usize {
    let [first, second] = parts;
    thread::scope(|scope| {
        let other = scope.spawn(|| second.read(work));
        first.read(work) + other.join().expect("the other thread reads on")
    })
}

/// Bytes a second, in the best of all trials.
pub(crate) struct Rates {
    messages: usize,
    bytes: usize,
    /// By one thread: framed; framed and classified, checked, ignored.
    frame: f64,
    pub(crate) classify: f64,
    pub(crate) check: f64,
    pub(crate) ignored: f64,
    /// By two.
    pub(crate) classify_by_two: f64,
    pub(crate) check_by_two: f64,
}

pub(crate) fn measure(effort: &Effort) -> Rates {
    let (bytes, senders) = classes::stream(effort.stream);
    let mut whole = Part::new(&bytes, &senders);
    let mut parts = halves(&bytes, &senders);
    let mut best = [0.0f64; 6];
    for _ in 0..effort.trials {
        let rates = [
            rate(&bytes, senders.len(), || whole.read(Work::Frame)),
            rate(&bytes, senders.len(), || whole.read(Work::Classify)),
            rate(&bytes, senders.len(), || whole.read(Work::Check)),
            rate(&bytes, senders.len(), || whole.read(Work::IgnoredAny)),
            rate(&bytes, senders.len(), || by_two(&mut parts, Work::Classify)),
            rate(&bytes, senders.len(), || by_two(&mut parts, Work::Check)),
        ];
        for (best, rate) in best.iter_mut().zip(rates) {
            *best = best.max(rate);
        }
    }
    let [frame, classify, check, ignored, classify_by_two, check_by_two] = best;
    let (messages, bytes) = (senders.len(), bytes.len());
    Rates { messages, bytes, frame, classify, check, ignored, classify_by_two, check_by_two }
}

fn rate(bytes: &[u8], messages: usize, read: impl FnOnce() -> usize) -> f64 {
    let start = Instant::now();
    let accepted = read();
    let time = start.elapsed();
    assert_eq!(accepted, messages);
    Duration::from_nanos(bytes.len() as u64).as_secs_f64() / time.as_secs_f64()
}

/// Panics unless each way through a small stream accepts every message.
pub(crate) fn prove() {
    let (bytes, senders) = classes::stream(1 << 20);
    let mut whole = Part::new(&bytes, &senders);
    let mut parts = halves(&bytes, &senders);
    for work in [Work::Frame, Work::Classify, Work::Check, Work::IgnoredAny] {
        assert_eq!(whole.read(work), senders.len());
        assert_eq!(by_two(&mut parts, work), senders.len());
    }
}

impl Rates {
    pub(crate) fn table(&self) -> String {
        let Self { messages, bytes, .. } = self;
        let row = |name, one: f64, two: Option<f64>| {
            let two = two.map_or(" | ".to_owned(), |two| format!("{two:.2} | {:.2}", two / one));
            format!("| {name} | {one:.2} | {:.2} | {two} |\n", self.ignored / one)
        };
        format!(
            "## A mixed stream\n\n{messages} messages, {bytes} bytes, in chunks of 64 KiB; each half by a thread of its own with \
             validator and framer. The best of all trials.\n\n\
             | framed and | GB/s by one thread | IgnoredAny's rate by this | GB/s by two | by one |\n\
             | --- | ---: | ---: | ---: | ---: |\n{}{}{}{}",
            row("no more", self.frame, None),
            row("classified", self.classify, Some(self.classify_by_two)),
            row("checked", self.check, Some(self.check_by_two)),
            row("read by IgnoredAny", self.ignored, None),
        )
    }
}
