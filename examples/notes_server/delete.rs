//! The tool that asks first. The first call is answered with a question for the
//! user; the client asks them and calls again with the answer ([MRTR]).
//!
//! The two calls are independent requests and may come to different replicas. What
//! ties them is `requestState`: a secret that the store knows, of this owner and
//! this note, good once and for ten minutes. A client that changes it, keeps it or
//! takes it elsewhere is refused.
//!
//! That the client can ask its user has been judged before by the policy: without
//! `elicitation` the call is refused with -32021 and never comes here.
//!
//! [MRTR]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr

use mcparse::Method;
use mcparse::compose::{InputRequest, RawObject};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Failure, of_tool, server, tool_failed};
use crate::call::{Call, Outcome};
use crate::registry::Tool;
use crate::store::{Handle, Note, Refused};
use crate::tools::OnNote;

/// Deletes a note, if the user wants that.
pub(crate) const TOOL: Tool = Tool {
    name: "delete_note",
    title: "Delete a note",
    description: "Deletes a note for good, after the user has said so.",
    input: r#"{"type":"object","properties":{
        "note":{"type":"string","description":"The handle"}},"required":["note"]}"#,
    output: None,
    run: delete,
};

/// The key of the question.
const CONFIRM: &str = "confirm";

/// What a retry has besides the arguments.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Retry {
    request_state: Option<String>,
    #[serde(default)]
    input_responses: serde_json::Map<String, Value>,
}

fn delete(call: Call<'_>) -> Outcome {
    let retry: Retry = call.params()?;
    call.with_arguments(|on: OnNote| {
        let handle = on.handle();
        match (&retry.request_state, retry.input_responses.get(CONFIRM)) {
            (Some(secret), Some(response)) => settle(call, &handle, secret, is_yes(response)),
            // The first call, or one that lacks what was asked for: it is asked again.
            _ => ask(call, &handle),
        }
    })
}

fn ask(call: Call<'_>, handle: &Handle) -> Outcome {
    let store = call.service.store();
    let asked = store.read(call.owner, handle).and_then(|note| {
        let secret = store.ask_to_delete(call.owner, handle)?;
        Ok((note, secret))
    });
    let (note, secret) = match asked {
        Ok(asked) => asked,
        Err(refused) => return Ok(tool_failed(&call.request, &refused.to_string())),
    };
    let params = question(&note).to_string();
    let params = RawObject::new(&params).map_err(|_| Failure::internal())?;
    let requests = [InputRequest::new(CONFIRM, Method::ElicitationCreate, params)];
    let mut out = Vec::new();
    server()
        .input_required(call.request.id())
        .with_requests(&requests)
        .with_state(&secret)
        .write(&mut out);
    Ok(Answer::Now(out))
}

fn question(note: &Note) -> Value {
    json!({
        "mode": "form",
        "message": format!("Delete the note \"{}\" for good?", note.title),
        "requestedSchema": {
            "type": "object",
            "properties": { "delete": { "type": "boolean", "title": "Delete it" } },
            "required": ["delete"],
        },
    })
}

/// Whether the user accepted, and said yes.
fn is_yes(response: &Value) -> bool {
    response["action"] == "accept" && response["content"]["delete"] == true
}

fn settle(call: Call<'_>, handle: &Handle, secret: &str, delete: bool) -> Outcome {
    let settled = call.service.store().settle(call.owner, handle, secret, delete);
    match settled {
        Ok(note) => {
            let done = if delete { "deleted" } else { "kept" };
            let text = format!("{done}: {}", note.title);
            Ok(Answer::Now(of_tool(call.request.id().into(), &text, &[])))
        }
        Err(Refused::NotConfirmed) => Err(Failure::params(Refused::NotConfirmed.to_string())),
        Err(refused) => Ok(tool_failed(&call.request, &refused.to_string())),
    }
}
