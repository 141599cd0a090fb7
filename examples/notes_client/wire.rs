//! How a request gets to a server and its answer back.

use std::error::Error;

use mcparse::{Policy, RevisionSet, Summary, Validator};
use serde_json::Value;

use crate::args::Args;
use crate::http::Http;
use crate::stdio::Stdio;

/// What the client takes from a server: this revision alone, by the strict rules.
pub(crate) const POLICY: Policy = Policy::strict().with_revisions(RevisionSet::MODERN);

/// One request, as it goes out.
pub(crate) struct Outgoing {
    /// The message.
    pub(crate) body: Vec<u8>,
    /// The headers that mirror it, for HTTP.
    pub(crate) headers: Vec<(String, String)>,
    /// What the answer is judged by.
    pub(crate) summary: Summary,
}

/// A result, or an error of the protocol.
pub(crate) type Answer = Result<Value, Value>;

/// Either transport.
pub(crate) enum Wire {
    /// A server of the client's own.
    Stdio(Box<Stdio>),
    /// Servers elsewhere.
    Http(Box<Http>),
}

impl Wire {
    /// Starts the server, or notes where the servers are.
    pub(crate) fn new(args: &Args) -> Result<Self, Box<dyn Error>> {
        Ok(if args.urls.is_empty() {
            Self::Stdio(Box::new(Stdio::start(&args.command, args.token.as_deref())?))
        } else {
            Self::Http(Box::new(Http::new(&args.urls, args.token.as_deref())?))
        })
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn ask(
        &mut self,
        validator: &mut Validator,
        request: Outgoing,
    ) -> Result<Answer, Box<dyn Error>> {
        match self {
            Self::Stdio(stdio) => stdio.ask(validator, &request).await,
            Self::Http(http) => http.ask(validator, request).await,
        }
    }

    /// Lets the server end, if it is the client's own.
    pub(crate) async fn end(self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Stdio(stdio) => stdio.end().await,
            Self::Http(_) => Ok(()),
        }
    }
}

/// The answer in an accepted response.
pub(crate) fn answer(response: &mcparse::Response<'_>) -> serde_json::Result<Answer> {
    Ok(match (response.result(), response.error()) {
        (Some(result), _) => Ok(serde_json::from_slice(result)?),
        (None, error) => Err(serde_json::from_slice(error.unwrap_or(b"null"))?),
    })
}
