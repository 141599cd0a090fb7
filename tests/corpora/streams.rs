//! `cases.jsonl`: the streams of lines and of server-sent events, whole and in
//! every way of cutting them.

use std::collections::BTreeSet;

use mcparse::{ErrorCode, Kind, Limits, LineFramer, SseFramer};
use serde_json::Value;

use crate::cases::{Case, Expected};
use crate::decisions::STREAMS;
use crate::framing::{Found, Framer, found};
use crate::support::{Chance, Corpora, Tally, in_words, same, say};

/// Random chunkings of each case; fewer where the code is not optimised.
const RANDOM_CHUNKINGS: usize = if cfg!(debug_assertions) { 60 } else { 600 };
/// Longer streams are cut in two at every 97th byte and near every line end.
const MOST_TO_CUT_EVERYWHERE: usize = 4096;

type Verdicts = Vec<Result<Kind, ErrorCode>>;

fn verdicts(found: &[Found]) -> Verdicts {
    found.iter().filter_map(Found::classify).collect()
}

/// The cuts to try: none, the case's own, one at each place, one at every
/// byte, and random ones.
fn chunkings(case: &Case, stream: &[u8]) -> Vec<Vec<usize>> {
    let mut chunkings = vec![vec![]];
    chunkings.extend(case.chunks.clone());
    let ends = |at: usize| {
        let near = at.saturating_sub(2)..(at + 2).min(stream.len());
        stream[near].iter().any(|byte| matches!(byte, b'\n' | b'\r'))
    };
    let is_short = stream.len() <= MOST_TO_CUT_EVERYWHERE;
    let places = (0..=stream.len()).filter(|&at| is_short || at % 97 == 0 || ends(at));
    chunkings.extend(places.map(|at| vec![at]));
    chunkings.push((1..stream.len()).collect());
    let mut chance = Chance::new(stream.len() as u64);
    let few = if is_short { RANDOM_CHUNKINGS } else { RANDOM_CHUNKINGS / 10 };
    chunkings.extend((0..few).map(|_| chance.cuts(stream.len())));
    chunkings
}

/// Runs a case whole and in all chunkings; gives how many there were.
fn run<F: Framer>(case: &Case) -> Result<usize, String> {
    let stream = case.input();
    let limit = case.context.max_line.unwrap_or(Limits::new().message_bytes);
    let expected: Vec<Expected> = case.expected();
    let expected: Vec<_> = expected.iter().map(|one| (&*one.kind, one.code)).collect();

    let whole = found::<F>(&stream, &[], limit);
    let got = verdicts(&whole);
    let in_words: Vec<_> = got.iter().map(|&verdict| in_words(verdict)).collect();
    same(&in_words, &expected)?;
    is_decided(case, &expected)?;
    if case.context.max_line.is_none() {
        F::is_right(&whole, &stream)?;
    }

    let chunkings = chunkings(case, &stream);
    for cuts in &chunkings {
        let found = found::<F>(&stream, cuts, limit);
        let at = || format!("cut at {:?}", &cuts[..cuts.len().min(20)]);
        same(&found, &whole).map_err(|error| format!("{}: {error}", at()))?;
        same(&verdicts(&found), &got).map_err(|error| format!("{}: {error}", at()))?;
    }
    Ok(chunkings.len())
}

/// Whether what a debatable case expects is the option that we chose.
fn is_decided(case: &Case, expected: &[(&str, Option<i32>)]) -> Result<(), String> {
    let row = STREAMS.iter().find(|(name, ..)| *name == case.name);
    match (row, case.options()) {
        (None, None) => Ok(()),
        (Some(&(_, choice, _)), Some(options)) => match &options[choice] {
            Value::Array(verdicts) => {
                let wanted =
                    verdicts.iter().map(|one| (one["kind"].as_str(), one["code"].as_i64()));
                let got = expected.iter().map(|&(kind, code)| (Some(kind), code.map(i64::from)));
                if got.eq(wanted) { Ok(()) } else { Err("not the option we chose".to_owned()) }
            }
            option => same(&option.as_str(), &Some("skip")),
        },
        _ => Err("debatable and decided are not the same".to_owned()),
    }
}

fn every_case_of<F: Framer>(surface: &str, expected: usize) {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    let mut chunkings = 0;
    for case in Case::all_of(&corpora, surface) {
        let outcome = run::<F>(&case);
        chunkings += outcome.as_ref().copied().unwrap_or_default();
        tally.count(&case.name, outcome.map(drop));
    }
    say(format_args!("{chunkings} chunkings of the {surface} cases"));
    tally.finish(&format!("{surface} cases"), expected);
}

#[test]
fn every_stream_of_lines_has_the_expected_verdicts_in_any_chunks() {
    every_case_of::<LineFramer>("stdio-stream", 32);
}

#[test]
fn every_stream_of_events_has_the_expected_verdicts_in_any_chunks() {
    every_case_of::<SseFramer>("sse-stream", 29);
}

#[test]
fn every_decision_on_a_stream_belongs_to_a_case() {
    let Some(corpora) = Corpora::find() else { return };
    let cases = ["stdio-stream", "sse-stream"].map(|surface| Case::all_of(&corpora, surface));
    let names: BTreeSet<_> = cases.iter().flatten().map(|case| &*case.name).collect();
    for (name, _, why) in STREAMS {
        assert!(names.contains(name), "{name}: {why}");
    }
    say(format_args!("{} debatable streams decided", STREAMS.len()));
}
