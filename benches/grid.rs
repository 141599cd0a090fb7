//! The criterion grid: one group for each class of traffic, one row for each
//! contender, in bytes and messages a second; a mixed stream, framed and
//! judged; and what bytes cost that are no message. The record over time; which
//! contender is faster than which is decided by `ratio.rs`.

#[path = "support/hostile.rs"]
mod hostile;
mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mcparse::{Body, ErrorCode, Policy, Sender, Validator};
use support::stream::Stream;
use support::{calls, classes, contenders};

fn grid(criterion: &mut Criterion) {
    for class in classes::all() {
        let mut group = criterion.benchmark_group(format!("{} {}", class.verdict, class.name));
        group.throughput(Throughput::ElementsAndBytes {
            elements: class.cases.len() as u64,
            bytes: class.bytes() as u64,
        });
        for mut contender in contenders::all() {
            contender.prove(&class.cases);
            group.bench_function(contender.name(), |bencher| {
                bencher.iter(|| contender.pass(black_box(&class.cases)));
            });
        }
        group.finish();
    }
}

/// The requests once more, with their heads.
fn with_heads(criterion: &mut Criterion) {
    let class = calls::class();
    let mut group = criterion.benchmark_group(format!("head {}", class.name));
    group.throughput(Throughput::ElementsAndBytes {
        elements: class.cases.len() as u64,
        bytes: class.bytes() as u64,
    });
    for mut contender in calls::all() {
        contender.prove(&class.cases);
        group.bench_function(contender.name(), |bencher| {
            bencher.iter(|| contender.pass(black_box(&class.cases)));
        });
    }
    group.finish();
}

fn stream(criterion: &mut Criterion) {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let mut stream = Stream::new(if is_test { 8 << 20 } else { 64 << 20 });
    let mut group = criterion.benchmark_group("stream");
    group.throughput(Throughput::ElementsAndBytes {
        elements: stream.messages as u64,
        bytes: stream.bytes.len() as u64,
    });
    group.bench_function("frame", |bencher| bencher.iter(|| stream.frame()));
    group.bench_function("frame and check", |bencher| bencher.iter(|| stream.check()));
    group.finish();
}

/// What bytes cost that are no message: the time for each is to stay within a bound
/// that `README.md` states, whatever they are.
fn amplification(criterion: &mut Criterion) {
    let mut validator = Validator::new(Policy::strict());
    let mut body = Body::new();
    let mut group = criterion.benchmark_group("amplification");
    for (name, bytes) in hostile::hostile() {
        assert_eq!(validator.classify(&bytes), Err(ErrorCode::PARSE_ERROR), "{name}");
        assert!(validator.check(Sender::Client, &bytes).is_err(), "{name}");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("{name}/classify"), |bencher| {
            bencher.iter(|| validator.classify(black_box(&bytes)));
        });
        group.bench_function(format!("{name}/check"), |bencher| {
            bencher.iter(|| validator.check(Sender::Client, black_box(&bytes)).is_err());
        });
        // As many chunks as of a body that comes in packets.
        group.bench_function(format!("{name}/push and finish"), |bencher| {
            bencher.iter(|| {
                body.clear();
                for chunk in bytes.chunks(1460) {
                    validator.push(&mut body, black_box(chunk));
                }
                validator.finish(Sender::Client, &mut body).is_err()
            });
        });
    }
    group.finish();
}

fn moderate() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(600))
}

criterion_group! {
    name = benches;
    config = moderate();
    targets = grid, with_heads, stream, amplification
}
criterion_main!(benches);
