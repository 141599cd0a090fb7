//! Which arguments of which tool stand in a header `Mcp-Param-*` as well: what the
//! schemas of `tools/list` say by `x-mcp-header`.

use mcparse::compose::{HeaderValue, RawJson};
use serde_json::Value;

/// The headers of all tools.
#[derive(Default)]
pub(crate) struct Mirrors {
    /// Tool, argument, and the end of the header's name.
    known: Vec<(String, String, String)>,
}

impl Mirrors {
    /// Learns from the result of a `tools/list`. This client looks at the arguments
    /// themselves, and not at what is inside them.
    pub(crate) fn learn(&mut self, listed: &Value) {
        self.known.clear();
        for tool in listed["tools"].as_array().into_iter().flatten() {
            let arguments = tool["inputSchema"]["properties"].as_object();
            for (argument, schema) in arguments.into_iter().flatten() {
                if let (Some(tool), Some(header)) =
                    (tool["name"].as_str(), schema["x-mcp-header"].as_str())
                {
                    self.known.push((tool.to_owned(), argument.clone(), header.to_owned()));
                }
            }
        }
    }

    /// The headers that go with a call of `tool`: none for what is absent or null.
    pub(crate) fn headers(&self, tool: &str, arguments: &Value) -> Vec<(String, String)> {
        let of_tool = self.known.iter().filter(|(known, ..)| known == tool);
        let header = |(_, argument, header): &(String, String, String)| {
            let json = arguments.get(argument)?.to_string();
            let value = HeaderValue::of(RawJson::new(&json).ok()?.into())?.to_string();
            Some((format!("Mcp-Param-{header}"), value))
        };
        of_tool.filter_map(header).collect()
    }
}
