//! The table that decides: every contender of every class measured in one
//! process, in short slices that take turns, so that whatever else the machine
//! does hits all of them alike.
//!
//! ```text
//! cargo bench --bench ratio            all classes
//! cargo bench --bench ratio -- tiny    those whose name holds `tiny`
//! ```
//!
//! Of each contender it keeps the time of every slice and reports the tenth
//! percentile: a slice that the machine disturbed cannot lower it. Contenders
//! are made anew a few times, since where their buffers come to lie costs or
//! saves some percent. Prints one Markdown table.

mod support;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use support::calls;
use support::classes::{self, Class};
use support::contenders::{self, Contender};
use support::stream::Stream;

/// How long and how often each contender is measured on each class.
struct Effort {
    trials: usize,
    rounds: usize,
    slice: Duration,
    /// Bytes of the mixed stream.
    stream: usize,
}

const FULL: Effort =
    Effort { trials: 8, rounds: 25, slice: Duration::from_micros(300), stream: 64 << 20 };
/// Proves the verdicts and shows that the table can be printed.
const TEST: Effort = Effort { trials: 1, rounds: 1, slice: Duration::ZERO, stream: 8 << 20 };

fn main() {
    // Cargo passes `--bench`, and `--test` may follow.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let effort = if arguments.iter().any(|argument| argument == "--test") { TEST } else { FULL };
    let wanted: Vec<&String> = arguments.iter().filter(|name| !name.starts_with('-')).collect();

    let names: Vec<&str> = contenders::all().iter().map(|contender| contender.name()).collect();
    println!(
        "ns per message, then the ceiling's time divided by ours (0.85 is wanted, 0.75 under 200 B)\n"
    );
    println!("| class | | {} | classify | check | tape lane | |", names.join(" | "));
    println!("| --- | --- |{}", " ---: |".repeat(names.len() + 3) + " --- |");
    for class in classes::all() {
        if wanted.is_empty() || wanted.iter().any(|part| class.name.contains(*part)) {
            println!("{}", row(&class, &effort));
        }
    }
    if wanted.is_empty() || wanted.iter().any(|part| "request with its head".contains(*part)) {
        println!("\n{}", with_heads(&effort));
    }
    if wanted.is_empty() {
        println!("\n{}", stream(&effort));
    }
}

/// The most that `check_http` may take, in times of `classify`.
const WANTED: f64 = 1.35;

/// What requests of a modern revision cost with their heads, as a table.
fn with_heads(effort: &Effort) -> String {
    let class = calls::class();
    let times = measure(&class, effort, calls::all);
    let [classify, _, check_http, ..] = times[..] else { return String::new() };
    let mut table = format!("| {} with its head | ns | by classify |\n", class.name);
    table.push_str("| --- | ---: | ---: |\n");
    for (contender, &time) in calls::all().iter().zip(&times) {
        let (name, time, ratio) = (contender.name(), figure(time), time / classify);
        let _ = writeln!(table, "| {name} | {time} | {ratio:.2} |");
    }
    let ratio = check_http / classify;
    let met = if ratio <= WANTED { "met" } else { "missed" };
    let _ = write!(
        table,
        "\ncheck_http takes {ratio:.2} times as long as classify; {WANTED} is wanted: {met}."
    );
    table
}

/// How fast a mixed stream is framed and judged.
fn stream(effort: &Effort) -> String {
    let mut stream = Stream::new(effort.stream);
    let bytes = Duration::from_nanos(stream.bytes.len() as u64);
    let mut rates = [0.0f64; 2];
    for _ in 0..effort.trials {
        let times = [time(|| stream.frame()), time(|| stream.check())];
        for (rate, time) in rates.iter_mut().zip(times) {
            *rate = rate.max(bytes.as_secs_f64() / time.as_secs_f64());
        }
    }
    let [framed, checked] = rates;
    let (messages, bytes) = (stream.messages, stream.bytes.len());
    format!(
        "A mixed stream of {messages} messages, {bytes} bytes, in chunks of 64 KiB: \
         framed at {framed:.2} GB/s, framed and checked at {checked:.2} GB/s (the best of {}).",
        effort.trials
    )
}

/// One row of the table.
fn row(class: &Class, effort: &Effort) -> String {
    let times = measure(class, effort, contenders::all);
    let [ceiling, classify, check, tape, ..] = times[..] else { return String::new() };
    let [classify, check, tape] = [classify, check, tape].map(|ours| ceiling / ours);
    let wanted = if class.bytes() < 200 * class.cases.len() { 0.75 } else { 0.85 };
    let mark = match class.verdict {
        "accept" | "refuse" if classify.min(check) < wanted => "missed",
        "accept" | "refuse" => "",
        _ => "exempt",
    };
    let times: Vec<String> = times.into_iter().map(figure).collect();
    format!(
        "| {} | {} | {} | {classify:.2} | {check:.2} | {tape:.2} | {mark} |",
        class.name,
        class.verdict,
        times.join(" | ")
    )
}

/// Nanoseconds per message, for each contender. Their number must not be a
/// multiple of 5, by which every second round steps.
fn measure(class: &Class, effort: &Effort, all: impl Fn() -> Vec<Box<dyn Contender>>) -> Vec<f64> {
    let mut slices = vec![Vec::new(); all().len()];
    assert!(!slices.len().is_multiple_of(5));
    for _ in 0..effort.trials {
        let mut contenders = all();
        let passes: Vec<u32> = contenders
            .iter_mut()
            .map(|contender| {
                contender.prove(&class.cases);
                let start = Instant::now();
                black_box(contender.pass(&class.cases));
                let pass = start.elapsed().as_nanos().max(1);
                u32::try_from(effort.slice.as_nanos() / pass).unwrap_or(u32::MAX).max(1)
            })
            .collect();
        for round in 0..effort.rounds {
            for turn in 0..contenders.len() {
                // Nobody always runs behind the same neighbour.
                let at = (turn * (1 + round % 2 * 4) + round) % contenders.len();
                let start = Instant::now();
                for _ in 0..passes[at] {
                    black_box(contenders[at].pass(black_box(&class.cases)));
                }
                slices[at].push(start.elapsed() / passes[at]);
            }
        }
    }
    let messages = u32::try_from(class.cases.len()).unwrap_or(u32::MAX);
    slices.into_iter().map(|times| nanoseconds(low(times)) / f64::from(messages)).collect()
}

fn time(work: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// The tenth percentile.
fn low(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 10]
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

fn figure(nanoseconds: f64) -> String {
    match nanoseconds {
        10_000.0.. => format!("{:.1}k", nanoseconds / 1e3),
        _ => format!("{nanoseconds:.0}"),
    }
}
