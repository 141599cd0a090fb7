//! `mcparse proxy` as a process, between clients and servers that are written byte by byte:
//! what passes, what does not, and what becomes of it when either side breaks.
#![cfg(all(feature = "cli", unix))]

mod breaking;
mod bytes;
mod clients;
mod failing;
mod framing;
mod headers;
mod http2;
mod load;
mod local;
mod metrics;
mod refusals;
mod signals;
mod starting;
mod streams;
mod support;
