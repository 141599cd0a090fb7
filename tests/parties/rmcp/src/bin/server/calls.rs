//! The tools that say or ask something on the way to their answer.

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::*;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::fixtures::typed;
use super::input::text;
use super::{Context, Party};

impl Party {
    pub(crate) async fn call(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        // A client that is gone by now misses what is told; the answer does not depend on it.
        Ok(match &*request.name {
            "test_tool_with_logging" => {
                for said in
                    ["Tool execution started", "Tool processing data", "Tool execution completed"]
                {
                    let _ = log(&context, LoggingLevel::Info, said).await;
                    sleep(Duration::from_millis(50)).await;
                }
                text("logged").into()
            }
            "test_logging_tool" => {
                if let Some(level) = context.meta.log_level() {
                    let _ = log(&context, level, "only where it was asked for").await;
                }
                text("logged").into()
            }
            "test_tool_with_progress" => {
                for progress in [0.0, 50.0, 100.0] {
                    if let Some(token) = context.meta.get_progress_token() {
                        let told =
                            ProgressNotificationParam::new(token, progress).with_total(100.0);
                        let _ = context.peer.notify_progress(told.with_message("on the way")).await;
                    }
                    sleep(Duration::from_millis(50)).await;
                }
                text("done").into()
            }
            "test_reconnection" => {
                sleep(Duration::from_millis(100)).await;
                text("reconnected").into()
            }
            "test_x_mcp_header" => text(format!("region={}", argument("region"))).into(),
            "test_sampling" => {
                let messages = json!([{ "role": "user", "content": { "type": "text", "text": argument("prompt") } }]);
                let asked = typed(json!({ "messages": messages, "maxTokens": 100 }));
                told(&context.peer.create_message(asked).await).into()
            }
            "test_elicitation" => {
                let properties =
                    json!({ "username": { "type": "string" }, "email": { "type": "string" } });
                asked(&context, argument("message"), &properties, &json!(["username", "email"]))
                    .await
            }
            "test_elicitation_sep1034_defaults" => {
                asked(&context, "defaults", &five_defaults(), &json!([])).await
            }
            "test_elicitation_sep1330_enums" => {
                asked(&context, "enums", &five_enums(), &json!([])).await
            }
            "test_streaming_elicitation" => text("results only").into(),
            "test_missing_capability" => {
                let declared = context.meta.client_capabilities().unwrap_or_default();
                if declared.sampling.is_none() {
                    let needed = ClientCapabilities::builder().enable_sampling().build();
                    return Err(ErrorData::missing_required_client_capability(needed));
                }
                text("declared").into()
            }
            "test_trigger_tool_change" => {
                for stream in self.streams().await {
                    let _ = stream.notify_tool_list_changed().await;
                }
                text("told").into()
            }
            "test_trigger_prompt_change" => {
                for stream in self.streams().await {
                    let _ = stream.notify_prompt_list_changed().await;
                }
                text("told").into()
            }
            _ => return Err(ErrorData::invalid_params("no such tool", None)),
        })
    }
}

async fn log(context: &Context, level: LoggingLevel, said: &str) -> Result<(), rmcp::ServiceError> {
    let params = LoggingMessageNotificationParam::new(level, json!(said)).with_logger("party");
    context.peer.notify_logging_message(params).await
}

/// Puts a form before the user in the middle of the call, which only a session can.
async fn asked(
    context: &Context,
    message: &str,
    properties: &Value,
    required: &Value,
) -> CallToolResponse {
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.into(),
        requested_schema: typed(schema),
    };
    told(&context.peer.create_elicitation(form).await).into()
}

fn told<T: std::fmt::Debug>(answer: &Result<T, rmcp::ServiceError>) -> CallToolResult {
    match answer {
        Ok(answer) => text(format!("the client said {answer:?}")),
        Err(why) => CallToolResult::error(vec![ContentBlock::text(why.to_string())]),
    }
}

fn five_defaults() -> Value {
    json!({
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true }
    })
}

fn five_enums() -> Value {
    let titled = json!([{ "const": "a", "title": "First" }, { "const": "b", "title": "Second" }]);
    json!({
        "untitledSingle": { "type": "string", "enum": ["a", "b", "c"] },
        "titledSingle": { "type": "string", "oneOf": titled },
        "legacyEnum": { "type": "string", "enum": ["a", "b"], "enumNames": ["First", "Second"] },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": ["a", "b", "c"] } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled } }
    })
}
