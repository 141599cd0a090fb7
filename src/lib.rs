//! Judges MCP ([Model Context Protocol]) messages at wire speed: takes bytes
//! and says what message they are, whether it is valid, and what to answer if
//! it is not.
//!
//! ```text
//! bytes -> Framer -> message -> Envelope -> truth table, rules -> Message or Violation -> reply
//! ```
//!
//! - [`LineFramer`] and [`SseFramer`] find the messages in a byte stream.
//! - [`classify`] says what kind of message some bytes are, and no more.
//! - A [`Validator`] judges messages by a [`Policy`]: [`Validator::check`]
//!   gives a [`Message`], borrowed views of your bytes, or a [`Violation`],
//!   which names the [`Rule`] and writes the reply.
//! - An [`Exchange`] keeps account of one connection and notices what is wrong
//!   between messages. It is optional, and no verdict asks it.
//! - A [`Session`] knows what one session of the handshake era has agreed on, and
//!   says what does not fit it. It is optional, and no verdict asks it.
//! - [`Counters`] count what has been judged, for whoever watches over it.
//! - [`compose`] builds messages: requests, notifications, results and errors.
//!
//! ```
//! use mcparse::{LineFramer, Policy, Sender, Validator};
//!
//! let mut validator = Validator::new(Policy::strict());
//! let mut framer = LineFramer::new(validator.policy().limits().message_bytes);
//! let mut verdicts = Vec::new();
//!
//! // Chunks may be cut anywhere.
//! for chunk in [&b"{\"jsonrpc\":\"2.0\",\"id\":1,\"meth"[..], b"od\":\"ping\"}\n[]\n"] {
//!     let mut chunk = chunk;
//!     while let Some(frame) = framer.next_frame(&mut chunk) {
//!         // A line over the limit is an error, and the stream goes on behind it.
//!         let verdict = frame.and_then(|frame| validator.check(Sender::Client, frame.bytes()));
//!         verdicts.push(match verdict {
//!             Ok(message) => message.kind().to_string(),
//!             Err(violation) => violation.to_string(),
//!         });
//!     }
//! }
//! // A last line without its end would come out here.
//! assert!(framer.finish().is_none());
//!
//! assert_eq!(verdicts[0], "request");
//! assert!(verdicts[1].starts_with("batch at byte 0"));
//! ```
//!
//! # Features
//!
//! `default = []`; they add and never change what is judged.
//!
//! - `cli`: the command `mcparse`.
//! - `codec`: `codec::LineCodec`, messages as lines for tokio-util.
//! - `http`: `RequestHead::from_http`, for those who hold the types of the crate
//!   `http`.
//! - `tower`: `layer`, the judge in front of a service over HTTP.
//! - `tracing`: `telemetry`, spans and events by the names of OpenTelemetry.
//!
//! [Model Context Protocol]: https://modelcontextprotocol.io

#![deny(unsafe_code)]

mod answering;
mod body;
mod capabilities;
mod cause;
mod classify;
mod code;
#[cfg(feature = "codec")]
pub mod codec;
pub mod compose;
mod counters;
mod envelope;
mod era;
mod error_data;
mod exchange;
mod frame;
mod head;
mod id;
mod json;
mod kind;
#[cfg(feature = "tower")]
pub mod layer;
mod legacy;
mod message;
mod meta;
mod method;
mod param_headers;
mod policy;
mod reply;
mod revision;
mod rewrite;
mod rule;
mod rules;
mod shapes;
mod summary;
#[cfg(feature = "tracing")]
pub mod telemetry;
mod text;
mod validator;
mod violation;
mod words;
mod write;

pub use answering::Answering;
pub use body::{Body, ProvisionalRouting};
pub use capabilities::ClientCapabilities;
pub use cause::Cause;
pub use classify::classify;
pub use code::ErrorCode;
pub use counters::{Counters, RuleCounts, Snapshot};
pub use era::Era;
pub use exchange::{Exchange, ExchangeLimits, Noticed};
pub use frame::{Frame, LineFramer, SseFramer};
pub use head::{RequestHead, ResponseHead};
pub use id::Id;
pub use kind::{Kind, Sender};
pub use legacy::{Session, SessionNoticed, SessionState};
pub use message::{Message, Notification, Request, Response};
pub use meta::Meta;
pub use method::{Capability, Deprecation, Method, Primitive, RevisionSet};
pub use param_headers::{Learned, Page, ParamHeaders, ParamLimits, Unlearned, UnlearnedReason};
pub use policy::{ExtraMethod, Limits, Policy, Requirement};
pub use reply::{ReplyId, error_response};
pub use revision::Revision;
pub use rewrite::{NotRewritable, Obstacle, Rewrite, Slices};
pub use rule::{Action, Rule, RuleSet, Rules, Stage};
pub use summary::{Difference, HopChange, MessagePart, Summary};
pub use text::Text;
pub use validator::Validator;
pub use violation::Violation;

/// The README's examples, which must compile and hold, where there are the features
/// that some of them show.
#[cfg(all(doctest, feature = "codec", feature = "tower", feature = "tracing"))]
#[doc = include_str!("../README.md")]
struct Readme;
