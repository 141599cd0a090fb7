//! From bytes to an envelope.
//!
//! Two lanes lead there: `scan.rs` reads plain messages in one pass, and
//! `tape.rs` with `walk.rs` reads any; `lanes.rs` knows which one is to read,
//! and `members.rs` what they both look for. `grammar.rs` says where and why
//! bytes are not JSON. None of it judges what the members mean.
//!
//! The scan asks `ends.rs` where strings end, which asks a `kernel.rs` to find them by
//! the masks of `blocks.rs`. `chunks.rs` scans what comes in pieces. `reader.rs` goes
//! over what was accepted once more, and `duplicates.rs` over all names of a tape.

mod blocks;
pub(crate) mod chunks;
mod duplicates;
mod ends;
pub(crate) mod grammar;
mod kernel;
pub(crate) mod lanes;
pub(crate) mod members;
pub(crate) mod reader;
mod scan;
mod tape;
mod walk;
