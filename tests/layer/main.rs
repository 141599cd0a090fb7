//! The layer in front of services: requests are judged whole, answers as they flow, and what
//! is accepted goes on byte by byte.
#![cfg(feature = "tower")]

mod answers;
mod hostile;
mod observing;
mod requests;
mod streams;
mod support;
mod twin;
