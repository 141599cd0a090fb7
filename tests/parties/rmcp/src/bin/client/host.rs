//! What a host would ask its user, its model and its settings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::model::*;
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde_json::{Map, Value, json};

#[derive(Clone, Default)]
pub(crate) struct Host {
    progress: Arc<AtomicUsize>,
    tasks: bool,
}

impl Host {
    /// One that knows the tasks of 2026-07-28, which have another form than those
    /// of 2025-11-25: in a session the SDK would give and take the newer form.
    pub(crate) fn with_tasks(tasks: bool) -> Self {
        Self { tasks, ..Self::default() }
    }

    /// How often something has told of its progress.
    pub(crate) fn progress(&self) -> usize {
        self.progress.load(Ordering::SeqCst)
    }
}

impl ClientHandler for Host {
    fn get_info(&self) -> ClientInfo {
        let mut info = ClientInfo::default();
        let capabilities = ClientCapabilities::builder()
            .enable_elicitation()
            .enable_roots()
            .enable_roots_list_changed()
            .enable_sampling();
        info.capabilities =
            if self.tasks { capabilities.enable_tasks().build() } else { capabilities.build() };
        info.client_info = Implementation::new("party-rmcp", "1.0.0");
        info
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        serde_json::from_value(sampled())
            .map_err(|why| ErrorData::internal_error(why.to_string(), None))
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        serde_json::from_value(roots())
            .map_err(|why| ErrorData::internal_error(why.to_string(), None))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let content = filled(&json!(request)["requestedSchema"]);
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }

    async fn on_progress(&self, _: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.fetch_add(1, Ordering::SeqCst);
    }
}

fn sampled() -> Value {
    json!({
        "role": "assistant",
        "model": "none",
        "content": { "type": "text", "text": "Paris é ☃" },
        "stopReason": "endTurn"
    })
}

fn roots() -> Value {
    json!({ "roots": [{ "uri": "file:///tmp/x", "name": "x" }] })
}

/// The answers to all that `inputRequests` asks for.
pub(crate) fn answers(asked: &Value) -> BTreeMap<String, Value> {
    let answer = |request: &Value| match request["method"].as_str() {
        Some("sampling/createMessage") => sampled(),
        Some("roots/list") => roots(),
        _ => {
            json!({ "action": "accept", "content": filled(&request["params"]["requestedSchema"]) })
        }
    };
    let asked = asked["inputRequests"].as_object();
    asked.into_iter().flatten().map(|(key, request)| (key.clone(), answer(request))).collect()
}

/// A form filled with its defaults, its first choices, or something of the right type.
fn filled(schema: &Value) -> Value {
    let mut content = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let items = &field["items"];
        let titled =
            [&field["oneOf"][0]["const"], &field["anyOf"][0]["const"], &items["anyOf"][0]["const"]];
        let choices = [&field["default"], &field["enum"][0], &items["enum"][0]];
        let chosen = choices.into_iter().chain(titled).find(|value| !value.is_null()).cloned();
        let one = chosen.unwrap_or_else(|| match field["type"].as_str() {
            Some("integer") => json!(1),
            Some("number") => json!(1.5),
            Some("boolean") => json!(true),
            _ => json!("x"),
        });
        let one = if field["type"] == "array" && !one.is_array() { json!([one]) } else { one };
        content.insert(name.clone(), one);
    }
    Value::Object(content)
}
