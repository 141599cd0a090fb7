//! What a conversation over HTTP teaches about the server's tools: which
//! headers mirror which of their arguments.
//!
//! Learned only from answers to requests for a list of tools that were seen.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use mcparse::{Message, Method, Page, ParamHeaders};
use serde::Deserialize;

use super::safe::Safe;

/// The most requests that are remembered without an answer, and the longest id.
/// The answers to others teach nothing.
const MOST_IDS: usize = 4096;
const MOST_ID: usize = 1024;
/// The most characters that are shown of a tool's name.
const MOST_NAME: usize = 80;

#[derive(Default)]
pub(super) struct Upstream {
    /// The ids of requests for a list without an answer, and which page it is.
    asked: HashMap<Vec<u8>, Page>,
    headers: Arc<ParamHeaders>,
    remarks: Vec<String>,
}

/// What matters of the params of a request for a list.
#[derive(Deserialize)]
struct Params<'p> {
    #[serde(borrow)]
    cursor: Option<&'p serde_json::value::RawValue>,
}

impl Upstream {
    /// What is known by now.
    pub(super) fn headers(&self) -> Arc<ParamHeaders> {
        Arc::clone(&self.headers)
    }

    /// The client has sent this message.
    pub(super) fn ask(&mut self, message: &Message<'_>) {
        let Message::Request(request) = message else { return };
        let id = request.id().lexeme();
        if Method::from_text(request.method()) != Some(Method::ToolsList) {
            // The id is another request's now.
            self.asked.remove(id);
        } else if id.len() <= MOST_ID && self.asked.len() < MOST_IDS {
            let params = request.params().and_then(|text| serde_json::from_slice(text).ok());
            let has_cursor = params.is_some_and(|params: Params<'_>| params.cursor.is_some());
            let page = if has_cursor { Page::Next } else { Page::First };
            self.asked.insert(id.to_owned(), page);
        }
    }

    /// The server has sent this message.
    pub(super) fn learn(&mut self, message: &Message<'_>) {
        let changed = Some(Method::ToolsListChanged);
        if message.method().is_some_and(|method| Method::from_text(method) == changed) {
            return self.headers.forget();
        }
        let Message::Response(response) = message else { return };
        let asked = response.id().and_then(|id| self.asked.remove(id.lexeme()));
        let (Some(page), Some(result)) = (asked, response.result()) else { return };
        let learned = self.headers.learn(page, result, Instant::now());
        for unlearned in &learned.unlearned {
            let tool = Safe::new(&unlearned.tool, MOST_NAME);
            self.remarks.push(format!(
                "the headers of the tool {tool} cannot be compared: {}",
                unlearned.reason
            ));
        }
    }

    /// What a person should know of what was learned last.
    pub(super) fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
}
