//! Answers, judged by what is kept of their request: a case for each rule, what
//! the client is told, and streams.

mod failures;
mod kept;
mod modern;
mod sessions;
mod streams;
mod support;
mod tools;
