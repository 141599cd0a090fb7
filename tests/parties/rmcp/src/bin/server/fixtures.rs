//! What the suite wants to find, as JSON: tools, resources, prompts, and the
//! answers that never change.

use rmcp::model::{Prompt, Resource, ResourceTemplate, Tool};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/// The tools that may answer with a task.
pub(crate) const TASKS: [&str; 7] = [
    "greet",
    "slow_compute",
    "failing_job",
    "protocol_error_job",
    "confirm_delete",
    "multi_input",
    "test_tool_with_task",
];

const WITHOUT_ARGUMENTS: [&str; 24] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_reconnection",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_logging_tool",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
];

/// Takes a fixture through the SDK's own type.
pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the SDK knows what the suite asks for")
}

fn schema(name: &str) -> Value {
    let (properties, required) = match name {
        "test_sampling" => (json!({ "prompt": { "type": "string" } }), json!(["prompt"])),
        "test_elicitation" => (json!({ "message": { "type": "string" } }), json!(["message"])),
        "test_x_mcp_header" => {
            (json!({ "region": { "type": "string", "x-mcp-header": "Region" } }), json!([]))
        }
        "greet" => (json!({ "name": { "type": "string" } }), json!(["name"])),
        "slow_compute" => {
            (json!({ "seconds": { "type": "number" }, "label": { "type": "string" } }), json!([]))
        }
        "confirm_delete" => (json!({ "filename": { "type": "string" } }), json!([])),
        "json_schema_2020_12_tool" => return wide_schema(),
        _ => (json!({}), json!([])),
    };
    json!({ "type": "object", "properties": properties, "required": required })
}

fn wide_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "address",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
            }
        },
        "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
        "allOf": [{ "anyOf": [{ "required": ["name"] }, { "required": ["address"] }] }],
        "if": { "required": ["address"] },
        "then": { "properties": { "address": { "required": ["street"] } } },
        "else": { "required": ["name"] },
        "additionalProperties": false
    })
}

pub(crate) fn tools() -> Vec<Tool> {
    let with_arguments =
        ["test_sampling", "test_elicitation", "test_x_mcp_header", "json_schema_2020_12_tool"];
    WITHOUT_ARGUMENTS
        .iter()
        .chain(&with_arguments)
        .chain(&TASKS)
        .map(|name| {
            typed(json!({ "name": name, "description": name, "inputSchema": schema(name) }))
        })
        .collect()
}

/// What a tool always answers, if it always answers the same. The SDK takes
/// `resultType` out again where the revision has none.
pub(crate) fn result(tool: &str) -> Option<Value> {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let resource = |uri: &str, kind: &str, text: &str| json!({ "type": "resource", "resource": { "uri": uri, "mimeType": kind, "text": text } });
    let image = json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
    let content = match tool {
        "test_simple_text" => json!([text("This is a simple text response for testing.")]),
        "test_image_content" => json!([image]),
        "test_audio_content" => {
            json!([{ "type": "audio", "data": WAV, "mimeType": "audio/wav" }])
        }
        "test_embedded_resource" => {
            json!([resource("test://embedded-resource", "text/plain", "embedded")])
        }
        "test_multiple_content_types" => json!([
            text("several kinds"),
            image,
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data"}"#)
        ]),
        "test_error_handling" => {
            let content = [text("This tool intentionally returns an error for testing")];
            return Some(json!({ "resultType": "complete", "content": content, "isError": true }));
        }
        "json_schema_2020_12_tool" => json!([text("called")]),
        _ => return None,
    };
    Some(json!({ "resultType": "complete", "content": content }))
}

pub(crate) fn resources() -> Vec<Resource> {
    typed(json!([
        { "uri": "test://static-text", "name": "static-text", "mimeType": "text/plain" },
        { "uri": "test://static-binary", "name": "static-binary", "mimeType": "image/png" },
        { "uri": "test://watched-resource", "name": "watched-resource", "mimeType": "text/plain" }
    ]))
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    typed(json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "mimeType": "application/json"
    }]))
}

pub(crate) fn contents(uri: &str) -> Option<Value> {
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    if let Some(id) = id {
        let text = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
        return Some(
            json!({ "uri": uri, "mimeType": "application/json", "text": text.to_string() }),
        );
    }
    match uri {
        "test://static-text" => {
            Some(json!({ "uri": uri, "mimeType": "text/plain", "text": "the static text" }))
        }
        "test://static-binary" => Some(json!({ "uri": uri, "mimeType": "image/png", "blob": PNG })),
        "test://watched-resource" => {
            Some(json!({ "uri": uri, "mimeType": "text/plain", "text": "the watched text" }))
        }
        _ => None,
    }
}

pub(crate) fn prompts() -> Vec<Prompt> {
    let argument = |name: &str| json!({ "name": name, "required": true });
    typed(json!([
        { "name": "test_simple_prompt", "description": "without arguments" },
        {
            "name": "test_prompt_with_arguments",
            "description": "with two",
            "arguments": [argument("arg1"), argument("arg2")]
        },
        {
            "name": "test_prompt_with_embedded_resource",
            "description": "with a resource",
            "arguments": [argument("resourceUri")]
        },
        { "name": "test_prompt_with_image", "description": "with an image" },
        { "name": "test_input_required_result_prompt", "description": "asks first" }
    ]))
}

/// The content of a prompt's message.
pub(crate) fn prompt(name: &str, arguments: &Map<String, Value>) -> Option<Value> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    match name {
        "test_simple_prompt" => Some(json!({ "type": "text", "text": "a simple prompt" })),
        "test_prompt_with_arguments" => {
            let text = format!("arg1='{}', arg2='{}'", argument("arg1"), argument("arg2"));
            Some(json!({ "type": "text", "text": text }))
        }
        "test_prompt_with_embedded_resource" => Some(json!({
            "type": "resource",
            "resource": {
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "embedded"
            }
        })),
        "test_prompt_with_image" => {
            Some(json!({ "type": "image", "data": PNG, "mimeType": "image/png" }))
        }
        _ => None,
    }
}
