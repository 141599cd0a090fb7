//! The rules beyond the truth table: one function each, naming its section.

pub(crate) mod envelope;
#[cfg_attr(not(test), expect(dead_code, reason = "wired in by the validator"))]
pub(crate) mod header_value;
#[cfg_attr(not(test), expect(dead_code, reason = "wired in by the validator"))]
pub(crate) mod param_headers;
