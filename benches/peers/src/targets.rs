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
struct Outcome {
    what: String,
    wanted: f64,
    figure: f64,
    met: bool,
}

impl Outcome {
    fn at_least(what: String, wanted: f64, figure: f64) -> Self {
        Self { what, wanted, figure, met: figure >= wanted }
    }

    fn at_most(what: String, wanted: f64, figure: f64) -> Self {
        Self { what, wanted, figure, met: figure <= wanted }
    }
}

/// All of them as a table. Those of `check` are there where their outcome is
/// another than that of `classify`.
pub(crate) fn table(measured: &[Measured], rates: Option<&Rates>) -> String {
    let by_classify = outcomes(measured, rates, CLASSIFY);
    let by_check = outcomes(measured, rates, CHECK);
    let mut table = "## Targets\n\nBy the time of `classify`; by that of `check` where it comes out otherwise.\n\n\
        | | wanted | is | |\n| --- | ---: | ---: | --- |\n"
        .to_owned();
    for (outcome, other) in by_classify.iter().zip(&by_check) {
        line(&mut table, outcome, "");
        if other.met != outcome.met {
            line(&mut table, other, " (check)");
        }
    }
    let is_http = |measured: &&Measured| measured.time(CHECK_HTTP).is_some();
    if let Some(measured) = measured.iter().find(is_http) {
        let ratio = quotient(measured, CHECK_HTTP, CLASSIFY);
        let what = format!("{CHECK_HTTP} by {CLASSIFY}, {}, at most", measured.class);
        line(&mut table, &Outcome::at_most(what, HTTP_AT_MOST, ratio), "");
    }
    let met = by_classify.iter().filter(|outcome| outcome.met).count();
    let _ = writeln!(table, "\nBy `classify` {met} of {} are met.", by_classify.len());
    table
}

fn line(table: &mut String, outcome: &Outcome, mark: &str) {
    let Outcome { what, wanted, figure, met } = outcome;
    let met = if *met { "met" } else { "missed" };
    let _ = writeln!(table, "| {what}{mark} | {wanted:.2} | {figure:.2} | {met} |");
}

/// In the same order whoever `ours` is.
fn outcomes(measured: &[Measured], rates: Option<&Rates>, ours: &str) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for AtLeast { peer, wanted } in &RATIOS {
        for measured in measured {
            let ratio = quotient(measured, peer, ours);
            let what = format!("{peer}, {}, at least", measured.class);
            outcomes.push(Outcome::at_least(what, wanted(measured.sort()), ratio));
        }
    }
    for (sort, wanted) in UTF8_AT_MOST {
        for measured in measured.iter().filter(|measured| measured.sort() == sort) {
            let what = format!("ours by {UTF8}, {}, at most", measured.class);
            outcomes.push(Outcome::at_most(what, wanted, quotient(measured, ours, UTF8)));
        }
    }
    if let Some(rates) = rates {
        let (one, two) = match ours {
            CHECK => (rates.check, rates.check_by_two),
            _ => (rates.classify, rates.classify_by_two),
        };
        let what = "mixed stream, GB/s by one thread, at least".to_owned();
        outcomes.push(Outcome::at_least(what, STREAM_GB, one));
        let what = "mixed stream, two threads by one, at least".to_owned();
        outcomes.push(Outcome::at_least(what, STREAM_BY_TWO, two / one));
    }
    outcomes
}

/// Of the times of two contenders that are there.
fn quotient(measured: &Measured, over: &str, under: &str) -> f64 {
    let time = |name| measured.time(name).expect("it is measured in every class");
    time(over) / time(under)
}
