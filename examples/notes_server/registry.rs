//! The tools, in an order that does not depend on who registered them when: by
//! their names. So the list is the same, byte by byte, at every replica and at
//! every start, and whoever keeps it may compare it.

use std::time::{Duration, Instant};

use mcparse::compose::{Member, NotJson, RawJson, Value, member};
use mcparse::{Page, ParamHeaders, ParamLimits};

use crate::answer::{FOR_EVERYBODY, Failure, kept};
use crate::call::{Call, Outcome};

/// A tool: what a model reads of it, and what it does.
pub(crate) struct Tool {
    /// What it is called by.
    pub(crate) name: &'static str,
    /// What people read.
    pub(crate) title: &'static str,
    /// What a model reads.
    pub(crate) description: &'static str,
    /// The JSON Schema of its arguments.
    pub(crate) input: &'static str,
    /// The JSON Schema of its structured results.
    pub(crate) output: Option<&'static str>,
    /// What it does.
    pub(crate) run: fn(Call<'_>) -> Outcome,
}

/// All tools of the server.
pub(crate) struct Registry {
    /// By their names, in ascending order.
    tools: Vec<Tool>,
    /// The member `tools` of the list.
    listed: Vec<u8>,
    /// Which headers must mirror which arguments: what the list says.
    param_headers: ParamHeaders,
}

impl Registry {
    /// A registry of these tools, in whatever order they come.
    ///
    /// # Errors
    ///
    /// A schema that is no JSON.
    pub(crate) fn new(tools: impl IntoIterator<Item = Tool>) -> Result<Self, NotJson> {
        let mut tools: Vec<_> = tools.into_iter().collect();
        tools.sort_by_key(|tool| tool.name);
        let listed = list(&tools)?;

        // The server's own list is true for as long as the server runs.
        let never_stale = ParamLimits::new().with_least_ttl(Duration::MAX);
        let param_headers = ParamHeaders::with_limits(never_stale);
        let result = [b"{\"tools\":", &*listed, b"}"].concat();
        param_headers.learn(Page::First, &result, Instant::now());
        Ok(Self { tools, listed, param_headers })
    }

    /// What to compare the headers `Mcp-Param-*` by.
    pub(crate) const fn param_headers(&self) -> &ParamHeaders {
        &self.param_headers
    }

    /// The answer to `tools/list`.
    pub(crate) fn list(&self, call: Call<'_>) -> Outcome {
        let tools = RawJson::new(&self.listed).map_err(|_| Failure::internal())?;
        Ok(kept(&call.request, FOR_EVERYBODY, &[member("tools", tools)]))
    }

    /// The answer to `tools/call`.
    pub(crate) fn call(&self, call: Call<'_>) -> Outcome {
        let name = call.request.name().ok_or_else(|| Failure::params("a tool has a name"))?;
        let Some(tool) = self.tools.iter().find(|tool| name == tool.name) else {
            return Err(Failure::params(format!("Unknown tool: {name}")));
        };
        (tool.run)(call)
    }
}

/// The tools as an array of JSON.
fn list(tools: &[Tool]) -> Result<Vec<u8>, NotJson> {
    let mut described = Vec::new();
    for tool in tools {
        let mut members: Vec<Member<'_>> = vec![
            member("name", tool.name),
            member("title", tool.title),
            member("description", tool.description),
            member("inputSchema", RawJson::new(tool.input)?),
        ];
        if let Some(output) = tool.output {
            members.push(member("outputSchema", RawJson::new(output)?));
        }
        described.push(members);
    }
    let values: Vec<_> = described.iter().map(|members| Value::from(&**members)).collect();
    let mut out = Vec::new();
    Value::from(&*values).write(&mut out);
    Ok(out)
}
