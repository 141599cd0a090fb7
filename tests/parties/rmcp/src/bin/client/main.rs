//! A client on the published `rmcp`: `client ERA URL`, or `client ERA -- COMMAND...`
//! for a server on stdio; ERA is `modern` or `session`. It does everything that the
//! servers of this folder offer. Each step prints `ok NAME: WHAT CAME BACK` or `ERR
//! NAME: WHY`, and what comes back is told so that it is the same in every run.

// What the sessions have and 2026-07-28 deprecates is a part of what is proven.
#![allow(deprecated, reason = "the suite asks for what the protocol has deprecated")]

mod host;
mod told;

use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{PeerRequestOptions, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceError};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::sleep;

use host::Host;
use told::{arguments, brief, example, refused, step};

type Client = RunningService<RoleClient, Host>;
type Said = Result<String, String>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [era, target, command @ ..] = words.as_slice() else {
        return Err("client ERA URL | client ERA -- COMMAND...".into());
    };
    let session = era == "session";
    let lifecycle = if session {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
    };
    let host = Host::with_tasks(!session);
    let client = if target == "--" {
        let (program, arguments) = command.split_first().ok_or("no command")?;
        let mut command = Command::new(program);
        command.args(arguments);
        host.serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle).await?
    } else {
        let transport = StreamableHttpClientTransport::from_uri(target.as_str());
        host.serve_with_lifecycle(transport, lifecycle).await?
    };
    walk(&client, session).await;
    client.cancel().await?;
    Ok(())
}

async fn walk(client: &Client, session: bool) {
    step("connect", async {
        Ok(client
            .peer_info()
            .map_or_else(String::new, |info| format!("{:?}", info.protocol_version)))
    })
    .await;
    if session {
        step(
            "ping",
            told_by(client.send_request(ClientRequest::PingRequest(PingRequest::default()))),
        )
        .await;
        let level = SetLevelRequestParams::new(LoggingLevel::Debug);
        step("logging/setLevel", done(client.set_level(level))).await;
    }
    let tools = client.list_all_tools().await;
    step("tools/list", async { json_of(&tools) }).await;
    for tool in tools.unwrap_or_default() {
        let given = example(&tool.input_schema);
        step(&format!("tools/call {}", tool.name), call(client, &tool.name, given)).await;
    }
    let odd = json!({ "a": [1, 1e30, null, { "b": "\u{2029}\u{0}" }] });
    step("tools/call of no tool", refused(call_plain(client, "no_such_tool_é", odd))).await;
    step("resources/templates/list", async {
        json_of(&client.list_all_resource_templates().await)
    })
    .await;
    let resources = client.list_all_resources().await;
    step("resources/list", async { json_of(&resources) }).await;
    let uris = resources.unwrap_or_default().into_iter().map(|resource| resource.uri.clone());
    for uri in uris.chain(["test://template/42/data".to_owned()]) {
        step(&format!("resources/read {uri}"), read(client, uri)).await;
    }
    let nowhere = ReadResourceRequestParams::new("test://nope/%C3%A9");
    step("resources/read of no resource", refused(client.read_resource(nowhere))).await;
    let prompts = client.list_all_prompts().await;
    step("prompts/list", async { json_of(&prompts) }).await;
    for prompt in prompts.unwrap_or_default() {
        step(&format!("prompts/get {}", prompt.name), got(client, &prompt)).await;
    }
    let nobody = GetPromptRequestParams::new("nope");
    step("prompts/get of no prompt", refused(client.get_prompt(nobody))).await;
    let complete =
        client.complete_prompt_argument("test_prompt_with_arguments", "arg1", "par", None);
    step("completion/complete of a prompt", values(complete)).await;
    let complete = client.complete_resource_argument("test://template/{id}/data", "id", "1", None);
    step("completion/complete of a template", values(complete)).await;
    if session {
        let watched = SubscribeRequestParams::new("test://watched-resource");
        step("resources/subscribe", done(client.subscribe(watched))).await;
        let watched = UnsubscribeRequestParams::new("test://watched-resource");
        step("resources/unsubscribe", done(client.unsubscribe(watched))).await;
        step("roots changed", done(client.notify_roots_list_changed())).await;
    } else {
        step("subscriptions/listen", listened(client)).await;
    }
    step("cancellation", cancelled(client)).await;
    step("after the cancellation", call(client, "test_simple_text", json!({}))).await;
}

async fn call_plain(
    client: &Client,
    name: &str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    let params = CallToolRequestParams::new(name.to_owned());
    client
        .call_tool(params.with_arguments(arguments.as_object().cloned().unwrap_or_default()))
        .await
}

/// Calls a tool to its end, be that now or as a task.
async fn call(client: &Client, name: &str, arguments: Value) -> Said {
    let before = client.service().progress();
    let result = match call_plain(client, name, arguments.clone()).await {
        // The SDK leaves tasks to its user, who has to call again in the other way.
        Err(ServiceError::UnexpectedResponse) => return task(client, name, arguments).await,
        result => result.map_err(|why| why.to_string())?,
    };
    // What is told of progress comes by another way than the result, and may be later.
    if name == "test_tool_with_progress" {
        for _ in 0..100 {
            if client.service().progress() >= before + 3 {
                return Ok("done; progress 3".to_owned());
            }
            sleep(Duration::from_millis(20)).await;
        }
        return Err(format!("heard of progress {} times", client.service().progress() - before));
    }
    let kind = if result.is_error == Some(true) { "error " } else { "" };
    Ok(format!("{kind}{}", brief(&json!(result.content))))
}

/// A task from its creation to its end: it is looked after, and what it asks for is given.
async fn task(client: &Client, name: &str, arguments: Value) -> Said {
    let say = |why: ServiceError| why.to_string();
    let params = CallToolRequestParams::new(name.to_owned());
    let mut params = params.with_arguments(arguments.as_object().cloned().unwrap_or_default());
    let created = loop {
        match client.call_tool_once(params.clone()).await.map_err(say)? {
            CallToolResponse::Task(created) => break created,
            CallToolResponse::InputRequired(asked) => {
                let asked = json!(asked);
                params.input_responses = Some(host::answers(&asked));
                params.request_state = asked["requestState"].as_str().map(str::to_owned);
            }
            _ => return Err("came to no task".to_owned()),
        }
    };
    let id = json!(created)["taskId"].as_str().unwrap_or_default().to_owned();
    let mut seen = Vec::new();
    for _ in 0..200 {
        let task = json!(client.get_task(GetTaskParams::new(id.clone())).await.map_err(say)?);
        let status = task["status"].as_str().unwrap_or("none").to_owned();
        if seen.last() != Some(&status) {
            seen.push(status.clone());
        }
        match status.as_str() {
            "working" => sleep(Duration::from_millis(50)).await,
            "input_required" => {
                let update = UpdateTaskParams::new(id.clone(), host::answers(&task));
                client.update_task(update).await.map_err(say)?;
                sleep(Duration::from_millis(50)).await;
            }
            // `working` may be over before anyone looks.
            _ => return Ok(format!("a task that is {status}")),
        }
    }
    Err(format!("the task does not end: {seen:?}"))
}

async fn read(client: &Client, uri: String) -> Said {
    let result = client.read_resource(ReadResourceRequestParams::new(uri)).await;
    Ok(brief(&json!(result.map_err(|why| why.to_string())?.contents)))
}

async fn got(client: &Client, prompt: &Prompt) -> Said {
    let params = GetPromptRequestParams::new(prompt.name.clone()).with_arguments(arguments(prompt));
    let result = client.get_prompt(params).await.map_err(|why| why.to_string())?;
    let content: Vec<Value> =
        result.messages.iter().map(|message| json!(message.content)).collect();
    Ok(brief(&json!(content)))
}

async fn listened(client: &Client) -> Said {
    let say = |why: ServiceError| why.to_string();
    let filter = SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().build();
    let mut stream = client.listen(filter).await.map_err(say)?;
    let mut heard = Vec::new();
    for tool in ["test_trigger_tool_change", "test_trigger_prompt_change"] {
        call_plain(client, tool, json!({})).await.map_err(say)?;
        let told = stream.next().await.map_err(say)?.ok_or("the stream is over")?;
        heard.push(json!(told)["method"].as_str().unwrap_or("nothing").to_owned());
    }
    stream.cancel().await.map_err(say)?;
    Ok(heard.join(" and "))
}

async fn cancelled(client: &Client) -> Said {
    let before = client.service().progress();
    let params = CallToolRequestParams::new("test_tool_with_progress");
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let call = client.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
    let call = call.map_err(|why| why.to_string())?;
    for _ in 0..100 {
        if client.service().progress() > before {
            call.cancel(Some("enough é".to_owned())).await.map_err(|why| why.to_string())?;
            return Ok("gave up after the first progress".to_owned());
        }
        sleep(Duration::from_millis(10)).await;
    }
    Err("heard of no progress".to_owned())
}

fn json_of<T: serde::Serialize>(result: &Result<T, ServiceError>) -> Said {
    result.as_ref().map(|list| json!(list).to_string()).map_err(ToString::to_string)
}

async fn done(result: impl Future<Output = Result<(), ServiceError>>) -> Said {
    result.await.map(|()| "done".to_owned()).map_err(|why| why.to_string())
}

async fn told_by(result: impl Future<Output = Result<ServerResult, ServiceError>>) -> Said {
    result.await.map(|_| "answered".to_owned()).map_err(|why| why.to_string())
}

async fn values(result: impl Future<Output = Result<CompletionInfo, ServiceError>>) -> Said {
    result.await.map(|info| info.values.join(", ")).map_err(|why| why.to_string())
}
