//! What was wanted, and whether the figures of this run reach it.

use std::fmt::Write as _;

use crate::contenders::{
    CHECK, CHECK_HTTP, CLASSIFY, DOM, DOM_COPY, IGNORED, ON_DEMAND, ON_DEMAND_COPY, RMCP, TOWER,
    UTF8,
};
use crate::measure::Measured;
use crate::stream::Rates;

/// A peer's time divided by ours: at least this on a class of the sort.
struct AtLeast {
    peer: &'static str,
    wanted: fn(sort: &str) -> f64,
}

const RATIOS: [AtLeast; 7] = [
    AtLeast {
        peer: RMCP,
        wanted: |sort| match sort {
            "numbers" => 7.0,
            "blob" => 3.5,
            _ => 14.0,
        },
    },
    AtLeast { peer: TOWER, wanted: |_| 20.0 },
    AtLeast {
        peer: IGNORED,
        wanted: |sort| match sort {
            "text" | "escapes" => 4.0,
            _ => 1.3,
        },
    },
    AtLeast { peer: DOM, wanted: of_dom },
    AtLeast { peer: DOM_COPY, wanted: of_dom },
    AtLeast { peer: ON_DEMAND, wanted: of_on_demand },
    AtLeast { peer: ON_DEMAND_COPY, wanted: of_on_demand },
];

fn of_dom(sort: &str) -> f64 {
    match sort {
        "request" => 1.0,
        "text" | "blob" | "escapes" => 3.0,
        _ => 1.15,
    }
}

fn of_on_demand(sort: &str) -> f64 {
    match sort {
        "numbers" | "escapes" => 0.5,
        _ => 1.0,
    }
}

/// Our time divided by that of simdutf8: at most this.
const UTF8_AT_MOST: [(&str, f64); 2] = [("blob", 1.1), ("CJK", 2.0)];
/// `check_http` divided by `classify`: at most this.
const HTTP_AT_MOST: f64 = 1.35;
const STREAM_GB: f64 = 1.7;
const STREAM_BY_TWO: f64 = 1.8;

/// One that was wanted, and what came of it.
#[derive(Clone, Copy)]
struct Outcome {
    wanted: f64,
    figure: f64,
    met: bool,
}

impl Outcome {
    fn at_least(wanted: f64, figure: f64) -> Self {
        Self { wanted, figure, met: figure >= wanted }
    }

    fn at_most(wanted: f64, figure: f64) -> Self {
        Self { wanted, figure, met: figure <= wanted }
    }
}

/// All of them as two tables. Those of `check` are there where their outcome is
/// another than that of `classify`.
pub(crate) fn table(measured: &[Measured], rates: Option<&Rates>) -> String {
    let mut table =
        "## Targets\n\nA peer's time divided by that of `classify`, and at least what is wanted; \
        by that of `check` where it comes out otherwise.\n\n"
            .to_owned();
    let mut all = Vec::new();
    peers(&mut table, measured, &mut all);
    let [by_classify, by_check] = [CLASSIFY, CHECK].map(|ours| rest(measured, rates, ours));
    if !by_classify.is_empty() {
        table.push_str("\n| the rest | |\n| --- | ---: |\n");
    }
    for (at, (what, outcome)) in by_classify.iter().enumerate() {
        let _ = writeln!(table, "| {what} | {} |", cell(*outcome));
        match by_check.get(at) {
            Some((_, other)) if other.met != outcome.met => {
                let _ = writeln!(table, "| the same by check | {} |", cell(*other));
            }
            _ => {}
        }
        all.push(*outcome);
    }
    let met = all.iter().filter(|outcome| outcome.met).count();
    let _ = writeln!(table, "\nBy `classify` {met} of {} are met.", all.len());
    table
}

/// A row a peer, a column a class. Adds what came of them to `all`.
fn peers(table: &mut String, measured: &[Measured], all: &mut Vec<Outcome>) {
    let classes: Vec<&str> = measured.iter().map(|measured| &*measured.class).collect();
    let _ = writeln!(table, "| at least | {} |", classes.join(" | "));
    let _ = writeln!(table, "| --- |{}", " ---: |".repeat(classes.len()));
    for AtLeast { peer, wanted } in &RATIOS {
        let by = |ours| {
            let outcome = |measured: &Measured| {
                Outcome::at_least(wanted(measured.sort()), quotient(measured, peer, ours))
            };
            measured.iter().map(outcome).collect::<Vec<_>>()
        };
        let [classify, check] = [by(CLASSIFY), by(CHECK)];
        let cells: Vec<String> = classify.iter().copied().map(cell).collect();
        let _ = writeln!(table, "| {peer} | {} |", cells.join(" | "));
        let differs = |(one, other): (&Outcome, &Outcome)| {
            if one.met == other.met { String::new() } else { cell(*other) }
        };
        let cells: Vec<String> = classify.iter().zip(&check).map(differs).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            let _ = writeln!(table, "| the same by check | {} |", cells.join(" | "));
        }
        all.extend(classify);
    }
}

fn cell(Outcome { wanted, figure, met }: Outcome) -> String {
    format!("{figure:.2} of {wanted:.2}, {}", if met { "met" } else { "missed" })
}

/// Those that are not wanted in every class, in the same order whoever `ours`
/// is; the last is of `check_http` and by `classify` only.
fn rest(measured: &[Measured], rates: Option<&Rates>, ours: &str) -> Vec<(String, Outcome)> {
    let mut rest = Vec::new();
    for (sort, wanted) in UTF8_AT_MOST {
        for measured in measured.iter().filter(|measured| measured.sort() == sort) {
            let outcome = Outcome::at_most(wanted, quotient(measured, ours, UTF8));
            rest.push((format!("our time by simdutf8's, {}, at most", measured.class), outcome));
        }
    }
    if let Some(rates) = rates {
        let (one, two) = match ours {
            CHECK => (rates.check, rates.check_by_two),
            _ => (rates.classify, rates.classify_by_two),
        };
        let what = "the mixed stream, GB/s by one thread, at least".to_owned();
        rest.push((what, Outcome::at_least(STREAM_GB, one)));
        let what = "the mixed stream, two threads by one, at least".to_owned();
        rest.push((what, Outcome::at_least(STREAM_BY_TWO, two / one)));
    }
    for measured in measured.iter().filter(|measured| measured.time(CHECK_HTTP).is_some()) {
        let outcome = Outcome::at_most(HTTP_AT_MOST, quotient(measured, CHECK_HTTP, CLASSIFY));
        rest.push((format!("check_http by classify, {}, at most", measured.class), outcome));
    }
    rest
}

/// Of the times of two contenders that are there.
fn quotient(measured: &Measured, over: &str, under: &str) -> f64 {
    let time = |name| measured.time(name).expect("it is measured in every class");
    time(over) / time(under)
}
