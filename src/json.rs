//! From bytes to an envelope. `grammar.rs` says where and why bytes are not
//! JSON; `tape.rs` parses them, and `walk.rs` reads the protocol members off
//! the tape. None of it judges what the members mean.

pub(crate) mod duplicates;
pub(crate) mod grammar;
pub(crate) mod tape;
pub(crate) mod walk;
