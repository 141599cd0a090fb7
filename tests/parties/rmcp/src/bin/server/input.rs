//! The tools, and the prompt, that ask the client by `input_required` before they answer.

use rmcp::ErrorData;
use rmcp::model::*;
use serde_json::{Map, Value, json};

use super::Party;
use super::fixtures::typed;

pub(crate) const PROMPT: &str = "test_input_required_result_prompt";

/// A form of one field.
pub(crate) fn form(message: &str, name: &str, kind: &str) -> Value {
    let schema =
        json!({ "type": "object", "properties": { name: { "type": kind } }, "required": [name] });
    json!({
        "method": "elicitation/create",
        "params": { "mode": "form", "message": message, "requestedSchema": schema }
    })
}

fn sampling(prompt: &str) -> Value {
    let messages = json!([{ "role": "user", "content": { "type": "text", "text": prompt } }]);
    json!({
        "method": "sampling/createMessage",
        "params": { "messages": messages, "maxTokens": 100 }
    })
}

fn roots() -> Value {
    json!({ "method": "roots/list" })
}

/// What the client has answered; what is no object is as good as no answer.
pub(crate) fn answer<'a>(
    responses: Option<&'a InputResponses>,
    key: &str,
) -> Option<&'a Map<String, Value>> {
    responses?.get(key)?.as_object()
}

/// The field of a filled form.
pub(crate) fn field<'a>(answer: &'a Map<String, Value>, name: &str) -> &'a str {
    answer.get("content").and_then(|content| content[name].as_str()).unwrap_or("no one")
}

pub(crate) fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn need(requests: Value, state: Option<String>) -> InputRequiredResult {
    InputRequiredResult::new(Some(typed(requests)), state)
}

/// The prompt, once the client has told the context.
pub(crate) fn prompt(request: &GetPromptRequestParams) -> GetPromptResponse {
    let Some(context) = answer(request.input_responses.as_ref(), "user_context") else {
        let requests = json!({ "user_context": form("Which context?", "context", "string") });
        return need(requests, None).into();
    };
    let text = format!("with {}", field(context, "context"));
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into()
}

impl Party {
    pub(crate) fn call_asking(
        &self,
        request: &CallToolRequestParams,
        meta: &RequestMetaObject,
    ) -> Result<CallToolResponse, ErrorData> {
        let responses = request.input_responses.as_ref();
        let given = |key: &str| answer(responses, key);
        let state = self.opened(request.request_state.as_deref())?;
        Ok(match request.name.trim_start_matches("test_input_required_result_") {
            "elicitation" => match given("user_name") {
                Some(name) => text(format!("Hello, {}!", field(name, "name"))).into(),
                None => {
                    need(json!({ "user_name": form("Your name?", "name", "string") }), None).into()
                }
            },
            "sampling" => match given("capital_question") {
                Some(said) => text(format!("the model said {}", json!(said))).into(),
                None => need(
                    json!({ "capital_question": sampling("What is the capital of France?") }),
                    None,
                )
                .into(),
            },
            "list_roots" => match given("client_roots") {
                Some(said) => text(format!("roots: {}", json!(said))).into(),
                None => need(json!({ "client_roots": roots() }), None).into(),
            },
            "request_state" | "tampered_state" => match (&state, given("confirm")) {
                (Some(_), Some(_)) => text("state-ok").into(),
                _ => need(
                    json!({ "confirm": form("Please confirm", "ok", "boolean") }),
                    Some(self.sealed(&json!({}))?),
                )
                .into(),
            },
            "multiple_inputs" => {
                let all = ["user_name", "greeting", "client_roots"];
                if all.iter().all(|key| given(key).is_some()) {
                    return Ok(text("all three").into());
                }
                let requests = json!({
                    "user_name": form("Your name?", "name", "string"),
                    "greeting": sampling("a greeting"),
                    "client_roots": roots()
                });
                need(requests, Some(self.sealed(&json!({}))?)).into()
            }
            "multi_round" => self.rounds(state.as_ref(), responses)?,
            "capabilities" => match capable(responses, meta) {
                Some(requests) => need(requests, None).into(),
                None => text("done").into(),
            },
            _ => return Err(ErrorData::invalid_params("no such tool", None)),
        })
    }

    /// Two rounds of asking, and a state that tells how far they are.
    fn rounds(
        &self,
        state: Option<&Value>,
        responses: Option<&InputResponses>,
    ) -> Result<CallToolResponse, ErrorData> {
        let round = state.map_or(0, |state| state["round"].as_u64().unwrap_or(0));
        let step = |key| {
            answer(responses, key)
                .map(|said| field(said, if key == "step1" { "name" } else { "color" }))
        };
        Ok(match (round, step("step1"), step("step2")) {
            (1, Some(name), _) => need(
                json!({ "step2": form("Step 2: your colour?", "color", "string") }),
                Some(self.sealed(&json!({ "round": 2, "name": name }))?),
            )
            .into(),
            (2, _, Some(color)) => text(format!("someone likes {color}")).into(),
            _ => need(
                json!({ "step1": form("Step 1: your name?", "name", "string") }),
                Some(self.sealed(&json!({ "round": 1 }))?),
            )
            .into(),
        })
    }

    fn sealed(&self, state: &Value) -> Result<String, ErrorData> {
        self.sealed.seal_json(state).map_err(|why| ErrorData::internal_error(why.to_string(), None))
    }

    /// What comes back from the client is the client's: it counts only if it is what was sealed.
    fn opened(&self, state: Option<&str>) -> Result<Option<Value>, ErrorData> {
        state
            .map(|state| self.sealed.open_json(state))
            .transpose()
            .map_err(|_| ErrorData::invalid_params("requestState is not what was given out", None))
    }
}

/// Requests of the kinds that the client has declared, if it has and has not answered yet.
fn capable(responses: Option<&InputResponses>, meta: &RequestMetaObject) -> Option<Value> {
    let declared = meta.client_capabilities().unwrap_or_default();
    let mut requests = Map::new();
    if declared.elicitation.is_some() {
        requests.insert("user_name".into(), form("Your name?", "name", "string"));
    }
    if declared.sampling.is_some() {
        requests.insert("greeting".into(), sampling("a greeting"));
    }
    if declared.roots.is_some() {
        requests.insert("client_roots".into(), roots());
    }
    (responses.is_none() && !requests.is_empty()).then_some(Value::Object(requests))
}
