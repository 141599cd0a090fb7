//! The rules beyond the truth table: one function each, naming its section.

pub(crate) mod envelope;
