//! Every contender of a class in one process, in short slices that take turns,
//! so that whatever else the machine does hits all of them alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::contender::{Contender, Level};
use crate::contenders;
use crate::seen::Tally;
use crate::support::calls;
use crate::support::classes::{Case, Class};

/// How long and how often each contender is measured on each class.
pub(crate) struct Effort {
    /// How often the contenders are made anew: where their buffers come to lie
    /// costs or saves some percent.
    pub(crate) trials: usize,
    rounds: usize,
    slice: Duration,
    /// Bytes of the mixed stream.
    pub(crate) stream: usize,
}

impl Effort {
    pub(crate) const FULL: Self =
        Self { trials: 8, rounds: 25, slice: Duration::from_micros(300), stream: 64 << 20 };
    pub(crate) const QUICK: Self =
        Self { trials: 2, rounds: 15, slice: Duration::from_micros(200), stream: 64 << 20 };
}

/// One contender on one class.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    /// Nanoseconds per message: the tenth percentile of all slices. A slice that
    /// the machine disturbed cannot lower it.
    pub(crate) low: f64,
    /// The ninetieth percentile.
    pub(crate) high: f64,
}

/// All contenders on one class.
pub(crate) struct Measured {
    pub(crate) class: String,
    /// Those that are not asked for more than the kind, `classify` first.
    pub(crate) kinds: Vec<Row>,
    /// Those that are asked for the fields, `check` first.
    pub(crate) fields: Vec<Row>,
}

impl Measured {
    /// `request` of `request 463 B`.
    pub(crate) fn sort(&self) -> &str {
        self.class.split(' ').next().unwrap_or_default()
    }

    /// What `name` takes when it is asked for no more than the kind.
    pub(crate) fn time(&self, name: &str) -> Option<f64> {
        self.kinds.iter().find(|row| row.name == name).map(|row| row.low)
    }
}

/// All contenders of both tables, and how many are of the first.
fn all(class: &Class) -> (Vec<Box<dyn Contender>>, usize) {
    let mut all = contenders::kinds(class.name == calls::class().name);
    let kinds = all.len();
    all.extend(contenders::fields());
    (all, kinds)
}

/// Panics unless all accept every message, and see the same in them if they are
/// of one level. Gives the number of contenders.
pub(crate) fn prove(class: &Class) -> usize {
    let (mut contenders, _) = all(class);
    prove_alike(&mut contenders, &class.cases);
    contenders.len()
}

fn prove_alike(contenders: &mut [Box<dyn Contender>], cases: &[Case]) {
    let mut seen: Vec<(Level, Tally)> = Vec::new();
    for contender in contenders {
        let (name, level) = (contender.name(), contender.level());
        contender.prepare(cases);
        let tally = contender.pass(cases);
        assert_eq!(tally.accepted, cases.len(), "{name} refuses messages");
        match seen.iter().find(|(other, _)| *other == level) {
            Some((_, other)) => assert_eq!(tally, *other, "{name} sees other {}", level.as_str()),
            None => seen.push((level, tally)),
        }
    }
}

pub(crate) fn measure(class: &Class, effort: &Effort) -> Measured {
    let (_, kinds) = all(class);
    let mut rows = rows(class, effort);
    let fields = rows.split_off(kinds);
    Measured { class: class.name.clone(), kinds: rows, fields }
}

fn rows(class: &Class, effort: &Effort) -> Vec<Row> {
    let (contenders, _) = all(class);
    let mut slices = vec![Vec::new(); contenders.len()];
    let steps = steps(contenders.len());
    for _ in 0..effort.trials {
        let (mut contenders, _) = all(class);
        prove_alike(&mut contenders, &class.cases);
        let passes: Vec<u32> =
            contenders.iter_mut().map(|it| passes(&mut **it, class, effort)).collect();
        for round in 0..effort.rounds {
            let step = steps[round % steps.len()];
            for turn in 0..contenders.len() {
                // Nobody always runs behind the same neighbour.
                let at = (turn * step + round) % contenders.len();
                let start = Instant::now();
                for _ in 0..passes[at] {
                    black_box(contenders[at].pass(black_box(&class.cases)));
                }
                slices[at].push(start.elapsed() / passes[at]);
            }
        }
    }
    let messages = u32::try_from(class.cases.len()).unwrap_or(u32::MAX);
    let row = |(contender, mut times): (Box<dyn Contender>, Vec<Duration>)| {
        times.sort_unstable();
        let at = |percent: usize| {
            times[times.len() * percent / 100].as_secs_f64() * 1e9 / f64::from(messages)
        };
        Row { name: contender.name(), level: contender.level(), low: at(10), high: at(90) }
    };
    contenders.into_iter().zip(slices).map(row).collect()
}

/// How many passes fill a slice.
fn passes(contender: &mut dyn Contender, class: &Class, effort: &Effort) -> u32 {
    let start = Instant::now();
    black_box(contender.pass(&class.cases));
    let pass = start.elapsed().as_nanos().max(1);
    u32::try_from(effort.slice.as_nanos() / pass).unwrap_or(u32::MAX).max(1)
}

/// The steps by which all of `count` are reached.
fn steps(count: usize) -> Vec<usize> {
    let divides_both =
        |by: &usize, step: usize| count.is_multiple_of(*by) && step.is_multiple_of(*by);
    (1..count).filter(|&step| !(2..=step).any(|by| divides_both(&by, step))).collect()
}
