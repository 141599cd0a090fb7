//! Which arguments of which tool stand in a header `Mcp-Param-*` as well: what the
//! schemas of `tools/list` say by `x-mcp-header` ([Custom headers]).
//!
//! [Custom headers]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters

use std::time::Instant;

use mcparse::compose::{HeaderValue, RawJson};
use mcparse::{Page, ParamHeaders, Unlearned};
use serde_json::Value;

use crate::trace;

/// The tools that may be called, with their headers.
#[derive(Default)]
pub(crate) struct Mirrors {
    tools: Vec<(String, Vec<Mirror>)>,
}

/// An argument that is mirrored.
struct Mirror {
    /// Where it stands in the arguments, as a JSON pointer.
    argument: String,
    /// The end of the header's name.
    header: String,
}

impl Mirrors {
    /// Learns from the result of a `tools/list`. A tool whose annotations are wrong is
    /// left out, as it must be; the crate says which ones and why.
    pub(crate) fn learn(&mut self, listed: &Value) {
        let result = listed.to_string();
        let learned = ParamHeaders::new().learn(Page::First, result.as_bytes(), Instant::now());
        for unlearned in &learned.unlearned {
            trace::say(&format!("left out: {:?}, {}", unlearned.tool, unlearned.reason.id()));
        }
        self.tools.clear();
        // Beyond so many it is not said which ones are wrong.
        if learned.unlearned_in_all > learned.unlearned.len() {
            return;
        }
        for tool in listed["tools"].as_array().into_iter().flatten() {
            let Some(name) = tool["name"].as_str() else { continue };
            // Of a long name the crate gives the front.
            let front: String = name.chars().take(Unlearned::MOST_NAME_CHARS).collect();
            if learned.unlearned.iter().all(|unlearned| unlearned.tool != front) {
                let mut mirrors = Vec::new();
                find(&tool["inputSchema"], "", &mut mirrors);
                self.tools.push((name.to_owned(), mirrors));
            }
        }
    }

    /// The headers that go with a call of `tool`: none for what is absent or null.
    /// Without any answer the tool may not be called.
    pub(crate) fn headers(&self, tool: &str, arguments: &Value) -> Option<Vec<(String, String)>> {
        let (_, mirrors) = self.tools.iter().find(|(known, _)| known == tool)?;
        let header = |Mirror { argument, header }: &Mirror| {
            let json = arguments.pointer(argument)?.to_string();
            let value = HeaderValue::of(RawJson::new(&json).ok()?.into())?.to_string();
            Some((format!("Mcp-Param-{header}"), value))
        };
        Some(mirrors.iter().filter_map(header).collect())
    }
}

/// Finds the annotations that are reached by properties of properties. It goes no
/// deeper than the list, which was read from JSON with a bound.
fn find(schema: &Value, at: &str, found: &mut Vec<Mirror>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let argument = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        if let Some(header) = property["x-mcp-header"].as_str() {
            found.push(Mirror { argument: argument.clone(), header: header.to_owned() });
        }
        find(property, &argument, found);
    }
}
