//! The rules beyond the truth table: one function each, naming its section.

pub(crate) mod envelope;
pub(crate) mod header_value;
pub(crate) mod headers;
pub(crate) mod transport;
