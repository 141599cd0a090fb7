//! The account of one connection: a case for each rule, every bound at its limit
//! and past it, and a plain twin that forgets nothing.

mod against_twin;
mod bounds;
mod cases;
mod subscriptions;
mod talk;
mod twin;
