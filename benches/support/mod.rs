//! What the benchmarks share: the traffic they run over, and the contenders.

pub(crate) mod calls;
pub(crate) mod classes;
pub(crate) mod contenders;
mod messages;
mod random;
pub(crate) mod stream;
