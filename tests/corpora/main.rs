//! Our verdicts against real material: bug reports of others, official examples
//! and schemas, captured traffic of the official SDKs, public JSON suites.
//!
//! None of it lies in this project. It is read from the folder that
//! `MCPARSE_CORPORA` names, else from `../shared/corpora`; where that is absent
//! each test says `skipped` and passes, unless `MCPARSE_CORPORA_REQUIRED=1`.
//! Each test prints what it counted. What we answer where others differ stands
//! in tables beside the tests, a line of reason in each row.

mod answers;
mod answers_elsewhere;
mod blns;
mod bound;
mod captures;
mod cases;
mod chunks;
#[cfg(feature = "cli")]
mod command;
mod decisions;
mod edits;
mod eras;
mod examples;
mod exchange;
mod framing;
mod http;
mod http_cases;
mod http_responses;
mod json_suite;
mod jsonrpc;
#[cfg(feature = "tower")]
mod layer;
#[cfg(feature = "tower")]
#[allow(dead_code, reason = "what it has besides is for the tests of the layer")]
#[path = "../layer/support.rs"]
mod layer_support;
mod legacy;
mod matrix;
mod messages;
mod modern;
mod mutations;
mod oracle;
mod requests;
#[path = "../chunks/same.rs"]
mod same;
mod sessions;
mod stdio;
mod streams;
mod support;
