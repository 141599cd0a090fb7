//! `mcparse wrap` as a client meets it: the servers are shell scripts, and every
//! wait has a limit.

#![cfg(all(feature = "cli", unix))]

mod bytes;
mod ends;
mod floods;
mod log;
mod refusals;
mod signals;
mod support;
