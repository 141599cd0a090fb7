//! The tools that go on as tasks once they have answered.

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::*;
use rmcp::task_manager::{TaskExit, TaskOptions};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::fixtures::typed;
use super::input::{answer, field, form, text};
use super::{Context, Party};

/// These have no answer but a task, so a client that knows none is refused.
const ONLY_TASKS: [&str; 4] =
    ["failing_job", "test_tool_with_task", "confirm_delete", "multi_input"];

impl Party {
    pub(crate) async fn call_task(
        &self,
        request: &CallToolRequestParams,
        context: &Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = &*request.name;
        let knows_tasks =
            context.client_capabilities().is_some_and(|declared| declared.supports_tasks());
        if ONLY_TASKS.contains(&name) && !knows_tasks {
            let needed = ClientCapabilities::builder().enable_tasks().build();
            return Err(ErrorData::missing_required_client_capability(needed));
        }
        let arguments = request.arguments.as_ref();
        let argument = |name: &str| arguments.and_then(|arguments| arguments.get(name));
        let seconds = argument("seconds").and_then(Value::as_f64).unwrap_or(1.0).clamp(0.0, 60.0);
        let time = Duration::from_secs_f64(seconds);
        let options = TaskOptions::default();
        let task = match name {
            "greet" => {
                let who = argument("name").and_then(Value::as_str).unwrap_or("friend");
                return Ok(text(format!("Hello, {who}!")).into());
            }
            "slow_compute" if !knows_tasks => {
                sleep(time).await;
                return Ok(text("computed").into());
            }
            "protocol_error_job" if !knows_tasks => return Err(failure()),
            "slow_compute" => self.tasks.spawn(options, move |task| {
                Box::pin(async move {
                    tokio::select! {
                        () = task.cancelled() => Err(TaskExit::Cancelled),
                        () = sleep(time) => Ok(text("computed")),
                    }
                })
            }),
            "failing_job" => self.tasks.spawn(options, |_| {
                Box::pin(async {
                    sleep(Duration::from_secs(1)).await;
                    Ok(CallToolResult::error(vec![ContentBlock::text("failed, as it should")]))
                })
            }),
            "protocol_error_job" => self.tasks.spawn(options, |_| {
                Box::pin(async {
                    sleep(Duration::from_millis(200)).await;
                    Err(TaskExit::Error(failure()))
                })
            }),
            "confirm_delete" => self.tasks.spawn(options, |task| {
                Box::pin(async move {
                    let asked = typed(form("Delete it?", "confirm", "boolean"));
                    let said = task.request_input("confirm", asked).await?;
                    Ok(text(format!("the client said {said:?}")))
                })
            }),
            "multi_input" => self.tasks.spawn(options, |task| {
                Box::pin(async move {
                    let first = task.request_input("input-a", typed(form("A?", "value", "string")));
                    let second =
                        task.request_input("input-b", typed(form("B?", "value", "string")));
                    let (first, second) = tokio::join!(first, second);
                    Ok(text(format!("the client said {:?} and {:?}", first?, second?)))
                })
            }),
            _ => {
                let Some(said) = answer(request.input_responses.as_ref(), "user_name") else {
                    let requests =
                        typed(json!({ "user_name": form("Your name?", "name", "string") }));
                    return Ok(InputRequiredResult::new(Some(requests), None).into());
                };
                let name = field(said, "name").to_owned();
                self.tasks.spawn(options, move |_| {
                    Box::pin(async move {
                        sleep(Duration::from_millis(200)).await;
                        Ok(text(format!("Hello, {name}!")))
                    })
                })
            }
        };
        Ok(CreateTaskResult::new(task).into())
    }
}

fn failure() -> ErrorData {
    ErrorData::internal_error("failed, as it should", None)
}
