//! A server on the published `rmcp` with all that the official conformance suite
//! asks a server for: `server PORT` serves `http://127.0.0.1:PORT/mcp`, `server
//! --stdio` its standard input. The SDK itself tells the revisions apart.
//!
//! What the answers say stands as JSON in `fixtures` and goes through rmcp's own
//! types, so what it cannot say, this server cannot send.

// What the sessions have and 2026-07-28 deprecates is a part of what is proven.
#![allow(deprecated, reason = "the suite asks for what the protocol has deprecated")]

mod calls;
mod fixtures;
mod input;
mod tasks;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::task_manager::TaskManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::json;
use tokio::sync::Mutex;

use fixtures::typed;

type Paged = Option<PaginatedRequestParams>;
type Context = RequestContext<RoleServer>;

#[derive(Clone)]
struct Party {
    sealed: RequestStateCodec,
    tasks: TaskManager,
    streams: Arc<Mutex<HashMap<u64, SubscriptionSink>>>,
    next_stream: Arc<AtomicU64>,
}

impl Party {
    fn new() -> Self {
        Self {
            sealed: RequestStateCodec::new_unchecked(
                b"a key of a test, known to everyone in the world",
            ),
            tasks: TaskManager::new(),
            streams: Arc::default(),
            next_stream: Arc::default(),
        }
    }

    /// The streams that hear of changes. The SDK acknowledges one before it says
    /// so here, and the client may be quicker, so that one gets half a second.
    async fn streams(&self) -> Vec<SubscriptionSink> {
        for _ in 0..25 {
            if !self.streams.lock().await.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.streams.lock().await.values().cloned().collect()
    }
}

impl ServerHandler for Party {
    fn get_info(&self) -> ServerInfo {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_tasks()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        ServerInfo::new(capabilities).with_server_info(Implementation::new("party-rmcp", "1.0.0"))
    }

    /// The SDK asks for the tool's schema to compare the headers that mirror arguments.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        fixtures::tools().into_iter().find(|tool| tool.name == name)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        _: Context,
    ) -> Result<InitializeResult, ErrorData> {
        let info = self.get_info();
        Ok(InitializeResult::new(info.capabilities)
            .with_protocol_version(request.protocol_version)
            .with_server_info(info.server_info))
    }

    fn accepted_subscription_filter(
        &self,
        asked: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(asked.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let key = self.next_stream.fetch_add(1, Ordering::Relaxed);
        self.streams.lock().await.insert(key, context.sink().clone());
        context.cancelled().await;
        self.streams.lock().await.remove(&key);
        Ok(())
    }

    async fn ping(&self, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_tools(&self, _: Paged, _: Context) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult { tools: fixtures::tools(), ..Default::default() };
        Ok(list.with_ttl_ms(60_000).with_cache_scope(CacheScope::Public))
    }

    async fn list_resources(&self, _: Paged, _: Context) -> Result<ListResourcesResult, ErrorData> {
        let list = ListResourcesResult { resources: fixtures::resources(), ..Default::default() };
        Ok(list.with_ttl_ms(60_000).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _: Paged,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let resource_templates = fixtures::templates();
        let list = ListResourceTemplatesResult { resource_templates, ..Default::default() };
        Ok(list.with_ttl_ms(60_000).with_cache_scope(CacheScope::Public))
    }

    async fn list_prompts(&self, _: Paged, _: Context) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult { prompts: fixtures::prompts(), ..Default::default() };
        Ok(list.with_ttl_ms(60_000).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = fixtures::contents(&request.uri).ok_or_else(|| {
            ErrorData::resource_not_found("no such resource", Some(json!({ "uri": request.uri })))
        })?;
        let result: ReadResourceResult =
            typed(json!({ "resultType": "complete", "contents": [contents] }));
        Ok(result.with_ttl_ms(60_000).with_cache_scope(CacheScope::Public).into())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name == input::PROMPT {
            return Ok(input::prompt(&request));
        }
        let arguments = request.arguments.unwrap_or_default();
        let content = fixtures::prompt(&request.name, &arguments)
            .ok_or_else(|| ErrorData::invalid_params("no such prompt", None))?;
        let messages = json!([{ "role": "user", "content": content }]);
        Ok(typed::<GetPromptResult>(json!({ "resultType": "complete", "messages": messages }))
            .into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let values = vec![format!("{}is", request.argument.value)];
        let info =
            CompletionInfo::new(values).map_err(|why| ErrorData::internal_error(why, None))?;
        Ok(CompleteResult::new(info))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(result) = fixtures::result(&request.name) {
            return Ok(typed::<CallToolResult>(result).into());
        }
        if request.name.starts_with("test_input_required_result_") {
            return self.call_asking(&request, &context.meta);
        }
        if fixtures::TASKS.contains(&&*request.name) {
            return self.call_task(&request, &context).await;
        }
        self.call(request, context).await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: Context,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn update_task(&self, request: UpdateTaskParams, _: Context) -> Result<(), ErrorData> {
        self.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: Context) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place = std::env::args().nth(1).ok_or("server PORT | server --stdio")?;
    if place == "--stdio" {
        let running = Party::new().serve(rmcp::transport::stdio()).await?;
        running.waiting().await?;
        return Ok(());
    }
    let party = Party::new();
    let service = StreamableHttpService::new(
        move || Ok(party.clone()),
        LocalSessionManager::default().into(),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", place.parse()?)).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
