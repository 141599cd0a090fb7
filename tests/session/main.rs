//! The sessions of the handshake era: a case for each rule and state, and a
//! plain twin.

mod against_twin;
mod cases;
mod http;
mod talk;
mod twin;
