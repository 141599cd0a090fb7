//! The tool that takes its time: it counts notes again and again, tells of its
//! progress where the client wants that ([Progress]), and ends at once when the
//! client is gone ([Cancellation]).
//!
//! [Progress]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
//! [Cancellation]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation

use std::sync::Arc;
use std::time::Duration;

use mcparse::Id;
use mcparse::compose::{Notification, RequestId, member};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;

use crate::access::Owner;
use crate::answer::{Answer, Out, Work, of_tool, tool_failed};
use crate::call::{Call, Outcome};
use crate::registry::Tool;
use crate::store::Store;

/// Counts notes for a while.
pub(crate) const TOOL: Tool = Tool {
    name: "watch_notes",
    title: "Watch notes",
    description: "Counts the notes at every step, and tells how many there were.",
    input: r#"{"type":"object","properties":{
        "steps":{"type":"integer","minimum":1,"maximum":1000,"default":3},
        "pauseMs":{"type":"integer","minimum":1,"maximum":60000,"default":1000}}}"#,
    output: None,
    run: start,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Arguments {
    steps: u32,
    pause_ms: u64,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { steps: 3, pause_ms: 1000 }
    }
}

/// A watch under way.
pub(crate) struct Watch {
    /// As the client wrote it.
    id: Vec<u8>,
    /// As the client wrote it, if it wants to hear of the progress.
    token: Option<Vec<u8>>,
    steps: u32,
    pause: Duration,
    owner: Owner,
    store: Arc<dyn Store>,
    room: OwnedSemaphorePermit,
}

fn start(call: Call<'_>) -> Outcome {
    call.with_arguments(|Arguments { steps, pause_ms }: Arguments| {
        if !(1..=1000).contains(&steps) || !(1..=60_000).contains(&pause_ms) {
            let wrong = "steps are 1 to 1000, with pauses of 1 to 60000 ms";
            return Ok(tool_failed(&call.request, wrong));
        }
        let token = call.request.meta().and_then(|meta| meta.progress_token());
        Ok(Answer::Later(Work::Watch(Watch {
            id: call.request.id().lexeme().to_vec(),
            token: token.map(|token| token.lexeme().to_vec()),
            steps,
            pause: Duration::from_millis(pause_ms),
            owner: call.owner.clone(),
            store: Arc::clone(call.service.store()),
            room: call.service.room()?,
        })))
    })
}

impl Watch {
    /// Counts, until it is done or nobody listens.
    pub(crate) async fn run(self, out: Out) {
        let mut seen = 0;
        for step in 1..=self.steps {
            tokio::select! {
                () = out.closed() => {
                    drop(self.room);
                    eprintln!("watch_notes ended at step {step} of {}: the client is gone", self.steps);
                    return;
                }
                () = tokio::time::sleep(self.pause) => {}
            }
            seen = self.store.all(&self.owner).len();
            if let Some(progress) = self.progress(step, seen) {
                // If nobody listens, the next step notices.
                let _is_heard = out.send(progress).await;
            }
        }
        let Some(id) = Id::from_lexeme(&self.id) else { return };
        let text = format!("{seen} notes after {} steps", self.steps);
        let _is_heard = out.send(of_tool(id.into(), &text, &[])).await;
    }

    fn progress(&self, step: u32, seen: usize) -> Option<Vec<u8>> {
        let token = RequestId::from(Id::from_lexeme(self.token.as_ref()?)?);
        let message = format!("{seen} notes");
        let params = [
            member("progressToken", token),
            member("progress", step),
            member("total", self.steps),
            member("message", &message),
        ];
        let mut out = Vec::new();
        Notification::new("notifications/progress").with_params(&params).write(&mut out);
        Some(out)
    }
}
