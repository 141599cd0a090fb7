//! Asking, and what may come between a question and its answer: a version that is
//! not served, and a question of the server's.

use std::error::Error;

use mcparse::compose::{Client, Implementation, Member, RawJson, RawObject, member};
use mcparse::{Message, Revision, Sender, Validator};
use serde_json::{Value, json};

use crate::mirrors::Mirrors;
use crate::trace;
use crate::wire::{Answer, Outgoing, POLICY, Wire};

const INFO: Implementation<'static> =
    Implementation::new("notes-client", env!("CARGO_PKG_VERSION"));
/// It can ask its user, or says so.
const CAPABILITIES: &str = r#"{"elicitation":{}}"#;
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const VERSION_HEADER: &str = "MCP-Protocol-Version";
/// How often a server may ask back before it has its answer.
const MOST_ROUNDS: usize = 4;

/// What is said to one server.
pub(crate) struct Talk {
    wire: Wire,
    validator: Validator,
    mirrors: Mirrors,
    /// Every request has its own id, a retry as well.
    last_id: u64,
    /// A version to name in place of the one that is spoken, until it is refused.
    wrong_version: Option<String>,
    says_yes: bool,
}

impl Talk {
    /// Says nothing yet.
    pub(crate) fn new(wire: Wire, wrong_version: Option<String>, says_yes: bool) -> Self {
        let validator = Validator::new(POLICY);
        let mirrors = Mirrors::default();
        Self { wire, validator, mirrors, last_id: 0, wrong_version, says_yes }
    }

    /// Asks for the tools, and keeps which headers they want.
    pub(crate) async fn list_tools(&mut self) -> Result<(), Box<dyn Error>> {
        let listed = self.ask("tools/list", &[], &[]).await?;
        self.mirrors.learn(&listed);
        Ok(())
    }

    /// Calls a tool, and answers what the server asks back, each time with what it
    /// wants to see again ([MRTR]).
    ///
    /// [MRTR]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#client-requirements-basic-workflow
    pub(crate) async fn call(
        &mut self,
        tool: &str,
        arguments: Value,
    ) -> Result<Value, Box<dyn Error>> {
        let headers = self.mirrors.headers(tool, &arguments);
        let headers = headers.ok_or_else(|| format!("there is no tool {tool} to be called"))?;
        let arguments = arguments.to_string();
        let (mut responses, mut state) = (String::new(), None);
        for _ in 0..MOST_ROUNDS {
            let mut params =
                vec![member("name", tool), member("arguments", RawJson::new(&arguments)?)];
            if !responses.is_empty() {
                params.push(member("inputResponses", RawJson::new(&responses)?));
            }
            params.extend(state.as_ref().map(|state| member("requestState", state)));
            let result = self.ask("tools/call", &params, &headers).await?;
            if result["resultType"] != "input_required" {
                return Ok(result);
            }
            state = result["requestState"].as_str().map(str::to_owned);
            responses = self.respond(&result["inputRequests"]).to_string();
        }
        Err("the server asks on and on".into())
    }

    /// What the user says to each question. This one is asked nothing: what it says
    /// to a form of yes and no was said at the start.
    fn respond(&self, requests: &Value) -> Value {
        let mut responses = serde_json::Map::new();
        for (key, request) in requests.as_object().into_iter().flatten() {
            trace::say(&format!("the server asks: {}", request["params"]["message"]));
            let fields = request["params"]["requestedSchema"]["properties"].as_object();
            let content: serde_json::Map<_, _> = fields
                .into_iter()
                .flatten()
                .filter(|(_, schema)| schema["type"] == "boolean")
                .map(|(field, _)| (field.clone(), json!(true)))
                .collect();
            let response = if self.says_yes {
                json!({ "action": "accept", "content": content })
            } else {
                json!({ "action": "decline" })
            };
            responses.insert(key.clone(), response);
        }
        Value::Object(responses)
    }

    /// Ends the talk.
    pub(crate) async fn end(self) -> Result<(), Box<dyn Error>> {
        self.wire.end().await
    }

    /// Asks, and asks again with another id if the version was not served.
    async fn ask(
        &mut self,
        method: &str,
        params: &[Member<'_>],
        mirrors: &[(String, String)],
    ) -> Result<Value, Box<dyn Error>> {
        loop {
            match self.ask_once(method, params, mirrors).await? {
                Ok(result) => return Ok(result),
                Err(error) if error["code"] == -32022 && self.wrong_version.is_some() => {
                    self.wrong_version = None;
                    choose(&error["data"]["supported"])?;
                }
                Err(error) => return Err(format!("the server refused: {error}").into()),
            }
        }
    }

    async fn ask_once(
        &mut self,
        method: &str,
        params: &[Member<'_>],
        mirrors: &[(String, String)],
    ) -> Result<Answer, Box<dyn Error>> {
        self.last_id += 1;
        let client = Client::new(INFO).with_capabilities(RawObject::new(CAPABILITIES)?);
        let request = client.request(self.last_id, method).with_params(params);
        let mut body = Vec::new();
        request.write(&mut body);
        let own = request.headers().ok_or("the method cannot stand in a header")?;
        let mut headers: Vec<_> =
            own.map(|(name, value)| (name.to_owned(), value.to_string())).collect();
        headers.extend_from_slice(mirrors);

        let message = self.validator.check(Sender::Client, &body);
        let message = message.map_err(|violation| violation.to_string())?;
        let summary = message.summary();
        if let Some(wrong) = &self.wrong_version {
            let named = with_version(&message, wrong)?;
            for (name, value) in &mut headers {
                if name == VERSION_HEADER {
                    value.clone_from(wrong);
                }
            }
            body = named;
        }
        trace::sent(&body);
        self.wire.ask(&mut self.validator, Outgoing { body, headers, summary }).await
    }
}

/// The message as one of another version.
fn with_version(message: &Message<'_>, version: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut new = Vec::new();
    let rewrite = message.rewrite().with_meta(VERSION_KEY, version);
    let slices = rewrite.slices(&mut new).map_err(|refused| refused.to_string())?;
    let mut out = Vec::new();
    slices.write(&mut out);
    Ok(out)
}

/// The newest version of those that are served that this client speaks: it has one.
fn choose(supported: &Value) -> Result<(), Box<dyn Error>> {
    let spoken = Revision::V2026_07_28.as_str();
    let served = supported.as_array().into_iter().flatten();
    if served.into_iter().any(|version| version == spoken) {
        trace::say(&format!("tries again with {spoken}"));
        return Ok(());
    }
    Err(format!("the server serves {supported} and this client speaks {spoken}").into())
}
