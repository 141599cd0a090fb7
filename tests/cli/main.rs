//! The command as a person or a script meets it: arguments, input, output and
//! exit codes. What the rules say is tested with the library.

#![cfg(feature = "cli")]

mod answers;
mod batches;
mod conversation;
mod explain;
mod http;
mod input;
mod log;
mod output;
mod over_http;
mod policy;
mod sender;
mod support;
mod threads;
