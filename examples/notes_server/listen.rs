//! `subscriptions/listen`: a stream that tells the owner when a note has come or
//! gone, until the client ends it ([Subscriptions]).
//!
//! [Subscriptions]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions

use mcparse::Id;
use mcparse::compose::{Member, Notification, member};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::access::Owner;
use crate::answer::{Answer, Out, Work};
use crate::call::{Call, Outcome};

#[derive(Deserialize)]
struct Params {
    notifications: Filter,
}

/// Of all that can be asked for, what this server has: its tools and prompts never
/// change, and neither does a note.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    #[serde(default)]
    resources_list_changed: bool,
}

/// A subscription under way.
pub(crate) struct Listen {
    /// As the client wrote it; it is in all that is sent.
    id: Vec<u8>,
    owner: Owner,
    /// None if the client asked for nothing that this server has.
    changes: Option<Receiver<Owner>>,
    _room: OwnedSemaphorePermit,
}

/// Starts listening at once, so that nothing is missed.
pub(crate) fn start(call: Call<'_>) -> Outcome {
    let Params { notifications: Filter { resources_list_changed } } = call.params()?;
    Ok(Answer::Later(Work::Listen(Listen {
        id: call.request.id().lexeme().to_vec(),
        owner: call.owner.clone(),
        changes: resources_list_changed.then(|| call.service.store().changes()),
        _room: call.service.room()?,
    })))
}

impl Listen {
    /// Says what is honoured, then tells of changes until nobody listens.
    pub(crate) async fn run(mut self, out: Out) {
        let honoured: &[Member<'_>] = match self.changes {
            Some(_) => &[member("resourcesListChanged", true)],
            None => &[],
        };
        let acknowledged = [member("notifications", honoured)];
        let first = self.notification("notifications/subscriptions/acknowledged", &acknowledged);
        // The first of all, whatever has changed since.
        let _is_heard = out.send(first).await;
        while let Some(()) = self.changed(&out).await {
            let changed = self.notification("notifications/resources/list_changed", &[]);
            let _is_heard = out.send(changed).await;
        }
        eprintln!("subscriptions/listen ended: the client is gone");
    }

    /// Waits for a change of the owner's; none will come once nobody listens.
    async fn changed(&mut self, out: &Out) -> Option<()> {
        let Some(changes) = &mut self.changes else {
            out.closed().await;
            return None;
        };
        loop {
            let change = tokio::select! {
                () = out.closed() => return None,
                change = changes.recv() => change,
            };
            match change {
                Ok(owner) if owner != self.owner => {}
                // Too far behind to know whose they were: the owner may look.
                Ok(_) | Err(RecvError::Lagged(_)) => return Some(()),
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn notification(&self, method: &str, params: &[Member<'_>]) -> Vec<u8> {
        let mut out = Vec::new();
        let notification = Notification::new(method).with_params(params);
        match Id::from_lexeme(&self.id) {
            Some(id) => notification.with_subscription(id).write(&mut out),
            None => notification.write(&mut out),
        }
        out
    }
}
