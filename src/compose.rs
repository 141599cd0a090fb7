//! Building messages: what a small client, server or gateway sends.
//!
//! A [`Client`] composes requests and a [`Server`] the answers, with what the
//! revision in use asks for around what the caller gives. Everything is
//! appended to a vector of the caller's, escaped as it must be, on one line and
//! without an allocation in between.
//!
//! ```
//! use mcparse::compose::{Client, Implementation, RawJson, Server, Value, member};
//! use mcparse::{Message, Method, Policy, Sender, Validator};
//!
//! // A client asks,
//! let client = Client::new(Implementation::new("acme", "1.0.0"));
//! let arguments = RawJson::new(r#"{"city":"Oslo"}"#)?;
//! let params = [member("name", "get_weather"), member("arguments", arguments)];
//! let mut asked = Vec::new();
//! client.request(1, "tools/call").with_params(&params).write(&mut asked);
//!
//! // and a server answers.
//! let server = Server::new(Implementation::new("weather", "1.0.0"));
//! let mut validator = Validator::new(Policy::strict());
//! let Ok(Message::Request(call)) = validator.check(Sender::Client, &asked) else { panic!() };
//! let text = [member("type", "text"), member("text", "4 °C")];
//! let content = [Value::from(&text)];
//! let members = [member("content", &content)];
//! let mut answer = Vec::new();
//! server
//!     .result(call.id(), Method::from_text(call.method()))
//!     .with_members(&members)
//!     .write(&mut answer);
//! assert!(validator.check(Sender::Server, &answer).is_ok());
//! # Ok::<(), mcparse::compose::NotJson>(())
//! ```
//!
//! What is composed is always JSON: text is escaped, and JSON of the caller's
//! is checked once, by [`RawJson`]. It does not judge what the members mean.
//! Limits on the length of ids, methods and names are the receiver's; the
//! crate's own are in [`Limits`](crate::Limits).
//!
//! # Members given twice
//!
//! No object is written with two members of one name: of several that the
//! caller gives the last is written, and none that is named like a member that
//! the builder writes itself. So a version or a cache scope that has been set
//! cannot be overruled by a list of members from elsewhere.

mod client;
mod error;
mod header;
mod implementation;
mod key;
mod meta;
mod notification;
mod raw;
mod request;
mod request_id;
mod result;
mod server;
#[cfg(test)]
mod tests;
mod value;

pub use client::Client;
pub use error::ErrorResponse;
pub use header::{HeaderValue, header_value};
pub use implementation::Implementation;
pub use meta::{LogLevel, TraceContext};
pub use notification::Notification;
pub use raw::{NotJson, RawJson, RawObject};
pub use request::Request;
pub use request_id::RequestId;
pub use result::{CacheScope, CompleteResult, InputRequest, InputRequiredResult};
pub use server::Server;
pub use value::{Member, Object, Value, member};
