//! The work whose instructions `.ci/counts.py` counts: every class of messages
//! in every way of ours, and a mixed stream. Each is done once within
//! [`counted`], which callgrind looks for by its name. Run by itself it times
//! nothing and only proves the verdicts.
//!
//! Prints the vector features that the processor shows, then a line for each
//! call of `counted`: how many messages it goes over, and what the row is called.

mod support;

use std::hint::black_box;

use support::calls;
use support::classes::{self, Class};
use support::contenders::{self, Contender};
use support::stream::Stream;

/// How often each work is done before it counts: its buffers have grown by
/// then, and what asks for the processor's features has asked.
const WARM: usize = 2;

fn main() {
    println!("{}", features().join(" "));
    for class in classes::all() {
        for contender in contenders::all() {
            if ["classify", "check", "tape check"].contains(&contender.name()) {
                row(&class, contender);
            }
        }
    }
    let class = calls::class();
    // The first two stand above.
    for contender in calls::all().into_iter().skip(2) {
        row(&class, contender);
    }
    let mut stream = Stream::new(1 << 20);
    count(stream.messages, "mixed stream: framed", || stream.frame());
    count(stream.messages, "mixed stream: framed and checked", || stream.check());
}

fn row(class: &Class, mut contender: Box<dyn Contender>) {
    contender.prove(&class.cases);
    let name = format!("{}, {}: {}", class.name, class.verdict, contender.name());
    count(class.cases.len(), &name, || contender.pass(black_box(&class.cases)));
}

fn count(messages: usize, name: &str, mut work: impl FnMut() -> usize) {
    for _ in 0..WARM {
        black_box(work());
    }
    counted(&mut work);
    println!("{messages} {name}");
}

/// Puts what is called below it on the same place of a page in every run: the
/// environment lies above it on the stack, and some copies are longer or shorter
/// by where their bytes lie.
#[repr(align(4096))]
struct Page(#[expect(dead_code, reason = "only its place matters")] u8);

/// All that callgrind counts. It ends with something else than the call, so
/// that it is seen to return.
#[inline(never)]
fn counted(work: &mut dyn FnMut() -> usize) {
    black_box(&mut Page(0));
    black_box(work());
}

/// What the processor shows of the features that ours and our dependencies'
/// code asks for as it runs.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let all = [
        ("sse4.2", is_x86_feature_detected!("sse4.2")),
        ("pclmulqdq", is_x86_feature_detected!("pclmulqdq")),
        ("popcnt", is_x86_feature_detected!("popcnt")),
        ("lzcnt", is_x86_feature_detected!("lzcnt")),
        ("bmi1", is_x86_feature_detected!("bmi1")),
        ("bmi2", is_x86_feature_detected!("bmi2")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512vbmi2", is_x86_feature_detected!("avx512vbmi2")),
    ];
    let shown = all.into_iter().filter(|&(_, is_shown)| is_shown).map(|(name, _)| name);
    std::iter::once("x86_64").chain(shown).collect()
}

/// Elsewhere they are those of the target.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    vec![std::env::consts::ARCH]
}
