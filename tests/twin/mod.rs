//! The twin: what every message is and what becomes of it, worked out by
//! `serde_json` and plain code. Slow, obvious, and independent: of `mcparse` it
//! uses the names of things (`Rule`, `Kind`, `Policy`) and nothing that reads.
//!
//! - `read.rs`: bytes to a JSON value, or the fault that makes it none
//! - `truth.rs`: the table of the README by the letter, a function of that value
//! - `judge.rs`: every rule as a sentence, the first broken one wins
//! - `message.rs`, `revisions.rs`: what the rules ask of a message, and what
//!   revisions it may be of
//! - `envelope.rs`, `metadata.rs`, `calls.rs`, `params.rs`, `answers.rs`: the rules, stage by
//!   stage; `formats.rs` and `shapes.rs` are their texts and tables
//! - `tools.rs`: the rules of what the tools of a list say of themselves
//! - `number.rs`: JSON numbers compared as schoolbook decimals
//! - `head.rs`, `transport.rs`, `mirrors.rs`: HTTP heads, and the rules of them
//! - `generate.rs`, `generate_calls.rs`, `generate_answers.rs`, `generate_tools.rs`, `generate_heads.rs`,
//!   `words.rs`, `damage.rs`: messages near the truth table and calls of every method, whole and damaged, and policies
//! - `compare.rs`: the one place where the twin and `mcparse` meet

pub(crate) mod answers;
pub(crate) mod calls;
pub(crate) mod compare;
pub(crate) mod damage;
pub(crate) mod envelope;
pub(crate) mod formats;
pub(crate) mod generate;
pub(crate) mod generate_answers;
pub(crate) mod generate_calls;
pub(crate) mod generate_heads;
pub(crate) mod generate_tools;
pub(crate) mod head;
pub(crate) mod judge;
pub(crate) mod message;
pub(crate) mod metadata;
pub(crate) mod mirrors;
pub(crate) mod number;
pub(crate) mod params;
pub(crate) mod read;
pub(crate) mod result_shapes;
pub(crate) mod revisions;
pub(crate) mod shapes;
pub(crate) mod tools;
pub(crate) mod transport;
pub(crate) mod truth;
pub(crate) mod words;
