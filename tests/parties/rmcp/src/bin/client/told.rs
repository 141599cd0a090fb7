//! What a step prints, and what is given to the servers.

use std::time::Duration;

use rmcp::ServiceError;
use rmcp::model::Prompt;
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

const ODD: &str = "vàlue ☃ \u{1f680} \"q\" \\ \u{2028}";
const STEP: Duration = Duration::from_secs(12);

pub(crate) async fn step(name: &str, does: impl Future<Output = Result<String, String>>) {
    match timeout(STEP, does).await {
        Ok(Ok(said)) => println!("ok {name}: {said}"),
        Ok(Err(why)) => println!("ERR {name}: {}", why.replace('\n', " ")),
        Err(_) => println!("ERR {name}: took too long"),
    }
}

/// Wants an error of the protocol, or a result that says that it is one.
pub(crate) async fn refused<T: Serialize>(
    does: impl Future<Output = Result<T, ServiceError>>,
) -> Result<String, String> {
    match does.await {
        Err(ServiceError::McpError(why)) => Ok(format!("refused with {}", why.code.0)),
        Err(why) => Err(why.to_string()),
        Ok(result) => {
            let result = json!(result);
            if result["isError"] == true {
                Ok(format!("told as a result: {}", brief(&result["content"])))
            } else {
                Err("was not refused".to_owned())
            }
        }
    }
}

/// A line for a list of content blocks, or of the contents of a resource.
pub(crate) fn brief(blocks: &Value) -> String {
    let one = |block: &Value| {
        let said = block["text"].as_str().or_else(|| block["resource"]["uri"].as_str());
        let size = block["data"].as_str().or_else(|| block["blob"].as_str()).map_or(0, str::len);
        said.map_or_else(|| format!("{} of {size}", block["type"]), str::to_owned)
    };
    let blocks: Vec<String> = blocks.as_array().into_iter().flatten().map(one).collect();
    blocks.join(" | ")
}

/// Arguments for what is required, and for what goes into a header, too.
pub(crate) fn example(schema: &Map<String, Value>) -> Value {
    let schema = json!(schema);
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut given = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if required.contains(&json!(name)) || field.get("x-mcp-header").is_some() {
            let value = match field["type"].as_str() {
                Some("string") => json!(ODD),
                Some("number") => json!(2.5),
                Some("integer") => json!(3),
                Some("boolean") => json!(true),
                Some("array") => json!([]),
                Some("object") => json!({}),
                _ => json!("x"),
            };
            given.insert(name.clone(), value);
        }
    }
    Value::Object(given)
}

pub(crate) fn arguments(prompt: &Prompt) -> Map<String, Value> {
    let example =
        |name: &str| if name.contains("Uri") { json!("test://static-text") } else { json!(ODD) };
    let arguments = prompt.arguments.iter().flatten();
    arguments.map(|argument| (argument.name.clone(), example(&argument.name))).collect()
}
