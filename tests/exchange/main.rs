//! The account of one connection: a case for each rule, every bound at its limit
//! and past it, and a plain twin that forgets nothing.

mod cases;
mod subscriptions;
mod talk;
