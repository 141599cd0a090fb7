//! `subscriptions/listen`: a stream that tells the owner when a note has come or
//! gone, until the client or the server ends it ([Subscriptions]).
//!
//! [Subscriptions]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions

use mcparse::compose::{Member, Notification, member};
use mcparse::{Id, Method};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::access::Owner;
use crate::answer::{Answer, Out, Work, result};
use crate::call::{Call, Outcome};
use crate::closing::{Closing, closed};

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
    closing: Closing,
    _room: OwnedSemaphorePermit,
}

/// Starts listening at once, so that nothing is missed.
pub(crate) fn start(call: Call<'_>) -> Outcome {
    let Params { notifications: Filter { resources_list_changed } } = call.params()?;
    Ok(Answer::Later(Work::Listen(Listen {
        id: call.request.id().lexeme().to_vec(),
        owner: call.owner.clone(),
        changes: resources_list_changed.then(|| call.service.store().changes()),
        closing: call.service.closing(),
        _room: call.service.room()?,
    })))
}

impl Listen {
    /// Says what is honoured, then tells of changes until nobody listens or the
    /// server ends.
    pub(crate) async fn run(mut self, out: Out) {
        let honoured: &[Member<'_>] = match self.changes {
            Some(_) => &[member("resourcesListChanged", true)],
            None => &[],
        };
        let acknowledged = [member("notifications", honoured)];
        let first = self.notification("notifications/subscriptions/acknowledged", &acknowledged);
        // The first of all, whatever has changed since.
        let _is_heard = out.send(first).await;
        loop {
            match self.next(&out).await {
                Next::Changed => {
                    let changed = self.notification("notifications/resources/list_changed", &[]);
                    let _is_heard = out.send(changed).await;
                }
                Next::Gone => {
                    eprintln!("subscriptions/listen ended: the client is gone");
                    return;
                }
                Next::Closing => break,
            }
        }
        // The server ends it: its answer says that this is no accident.
        if let Some(id) = Id::from_lexeme(&self.id) {
            let ended = result(id.into(), Method::SubscriptionsListen, &[]);
            let _is_heard = out.send(ended).await;
        }
    }

    /// Waits for a change of the owner's, or an end.
    async fn next(&mut self, out: &Out) -> Next {
        loop {
            let change = tokio::select! {
                () = out.closed() => return Next::Gone,
                () = closed(&mut self.closing) => return Next::Closing,
                change = change(self.changes.as_mut()) => change,
            };
            match change {
                Ok(owner) if owner != self.owner => {}
                // Too far behind to know whose they were: the owner may look.
                Ok(_) | Err(RecvError::Lagged(_)) => return Next::Changed,
                Err(RecvError::Closed) => return Next::Closing,
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

/// What a listener waits for.
enum Next {
    /// The owner's list is another.
    Changed,
    /// Nobody listens.
    Gone,
    /// The server ends.
    Closing,
}

/// The next change of anybody's, which never comes if none was asked for.
async fn change(changes: Option<&mut Receiver<Owner>>) -> Result<Owner, RecvError> {
    match changes {
        Some(changes) => changes.recv().await,
        None => std::future::pending().await,
    }
}
