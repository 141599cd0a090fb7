//! The examples, as they are built: a server for notes and a client of it, over
//! stdio and over HTTP, and a gateway in front of two servers. Every message that the server sends is judged by the crate's
//! own strict policy and must have no findings.

mod client;
#[cfg(feature = "tower")]
mod gateway;
mod over_http;
mod over_stdio;
mod process;
mod rounds;
mod said;
mod web;
