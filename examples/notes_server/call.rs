//! One request that was judged and let in, and how its params are read.

use mcparse::Request;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::access::Owner;
use crate::answer::{Answer, Failure, tool_failed};
use crate::service::Service;

/// What a handler gets. All that it knows is in here.
#[derive(Clone, Copy)]
pub(crate) struct Call<'c> {
    /// The request, whose params the crate has judged one level deep.
    pub(crate) request: Request<'c>,
    /// Who asks.
    pub(crate) owner: &'c Owner,
    /// The replica that answers.
    pub(crate) service: &'c Service,
}

/// What comes of a request: an answer, or an error of the protocol.
pub(crate) type Outcome = Result<Answer, Failure>;

impl Call<'_> {
    /// The params in the form that a method takes them.
    pub(crate) fn params<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let params = self.request.params().unwrap_or(b"{}");
        serde_json::from_slice(params).map_err(|error| Failure::params(error.to_string()))
    }

    /// A list from its beginning. Every list is one page, so that no cursor was ever
    /// given out.
    pub(crate) fn only_page(self) -> Result<Self, Failure> {
        match self.params()? {
            Page { cursor: None } => Ok(self),
            Page { cursor: Some(_) } => Err(Failure::params("the cursor is not known")),
        }
    }

    /// Runs a tool by its arguments. That they are wrong is told to the model, as a
    /// result, since it may mend them ([Error Handling]).
    ///
    /// [Error Handling]: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    pub(crate) fn with_arguments<T: DeserializeOwned>(
        &self,
        run: impl FnOnce(T) -> Outcome,
    ) -> Outcome {
        let ToolParams { arguments } = self.params()?;
        match serde_json::from_value(arguments) {
            Ok(arguments) => run(arguments),
            Err(error) => {
                let reason: String = error.to_string().chars().take(200).collect();
                Ok(tool_failed(&self.request, &format!("invalid arguments: {reason}")))
            }
        }
    }
}

#[derive(Deserialize)]
struct Page {
    cursor: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct ToolParams {
    #[serde(default = "no_arguments")]
    arguments: Value,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}
