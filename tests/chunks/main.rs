//! A message that comes in chunks: however it is cut, `finish` says what `check` says
//! of the whole, and what is said before that holds.
//!
//! - `same.rs`: the comparison, which the corpora and a fuzz target use, too
//! - `cuts.rs`: messages near the rules, drawn and damaged, cut everywhere
//! - `bodies.rs`: bodies used again, many at once, and policies that change
//! - `limits.rs`: every limit at its bound, and time that stays linear
//! - `routing.rs`: what is told before the end, and when nothing is

mod bodies;
mod cuts;
mod limits;
mod routing;
mod same;
#[path = "../twin/mod.rs"]
#[allow(dead_code, reason = "the other tests use more of it")]
mod twin;
