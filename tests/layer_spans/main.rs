//! The spans and events of the layer. A process of its own: which of them are wanted is
//! remembered by `tracing` for the whole process, and tests beside these want none.
#![cfg(all(feature = "tower", feature = "tracing"))]

mod spans;
#[allow(dead_code, reason = "what it has besides is for the tests of the layer")]
#[path = "../layer/support.rs"]
mod support;
