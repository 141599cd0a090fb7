//! The rules beyond the truth table: a file for each stage, naming its section.
//!
//! Those of the envelope read the envelope alone; the others read a
//! [`subject::Subject`], which says what revisions the message may be of.

pub(crate) mod answer;
pub(crate) mod capability;
pub(crate) mod direction;
pub(crate) mod envelope;
pub(crate) mod header_value;
pub(crate) mod headers;
pub(crate) mod metadata;
pub(crate) mod method;
pub(crate) mod mirrors;
pub(crate) mod param_headers;
pub(crate) mod params;
pub(crate) mod place;
pub(crate) mod response_head;
pub(crate) mod result;
pub(crate) mod shape;
pub(crate) mod subject;
pub(crate) mod transport;
pub(crate) mod version;
