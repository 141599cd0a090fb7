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

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::{Policy, Sender, Validator};

    /// Asks for a list under each id; how much is remarked on the answer to
    /// `of`, which has a tool that cannot be learned.
    fn remarks(asked: impl Iterator<Item = String>, of: &str) -> usize {
        // By which an id may be longer than is remembered.
        let mut validator = Validator::new(Policy::observe());
        let mut upstream = Upstream::default();
        for id in asked {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
            upstream.ask(&validator.check(Sender::Client, text.as_bytes()).unwrap());
        }
        let text =
            format!(r#"{{"jsonrpc":"2.0","id":{of},"result":{{"tools":[{{"name":"t"}}]}}}}"#);
        upstream.learn(&validator.check(Sender::Server, text.as_bytes()).unwrap());
        upstream.remarks().len()
    }

    #[test]
    fn so_many_requests_for_a_list_are_remembered() {
        for (count, is_learned) in [(MOST_IDS, 1), (MOST_IDS + 1, 0)] {
            let ids = (0..count).map(|id| id.to_string());
            assert_eq!(remarks(ids, &(count - 1).to_string()), is_learned, "{count}");
        }
    }

    #[test]
    fn so_long_an_id_of_a_request_for_a_list_is_remembered() {
        for (bytes, is_learned) in [(MOST_ID, 1), (MOST_ID + 1, 0)] {
            let id = format!("\"{}\"", "x".repeat(bytes - 2));
            assert_eq!(remarks(std::iter::once(id.clone()), &id), is_learned, "{bytes}");
        }
    }
}
