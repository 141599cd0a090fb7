//! stdio: a message on each line, until the client closes its end ([stdio]).
//!
//! Requests that take their time go on beside the others, each with a channel of
//! its own. To cancel one is to close its channel, as it is over HTTP. This table
//! of what is under way is the transport's: no request is judged or answered by it.
//!
//! [stdio]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio

use std::io;

use mcparse::{ErrorCode, Id, LineFramer, Message, Notification, Request, error_response};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use crate::access::Owner;
use crate::answer::{Answer, Out, Work};
use crate::judge::Judge;
use crate::service::Service;

/// What an application may use that has no code of the protocol's: outside of all
/// that JSON-RPC and MCP have reserved.
const UNAUTHORISED: ErrorCode = ErrorCode::new(401);

/// Messages that wait to be written. If the client does not read, nothing more is
/// read of what it writes.
const MOST_WAITING: usize = 64;

/// Serves until the client closes its end. Without an owner every request is refused:
/// who asks over stdio is said by the environment.
pub(crate) async fn serve(
    service: &Service,
    judge: &Judge,
    owner: Option<Owner>,
) -> io::Result<()> {
    let (out, mut waiting) = mpsc::channel::<Vec<u8>>(MOST_WAITING);
    let writer = tokio::spawn(async move {
        let mut stdout = tokio::io::stdout();
        while let Some(mut line) = waiting.recv().await {
            line.push(b'\n');
            stdout.write_all(&line).await?;
            stdout.flush().await?;
        }
        io::Result::Ok(())
    });

    let mut connection = Connection { service, judge, owner, out, at_work: Vec::new() };
    let mut framer = LineFramer::new(judge.most_bytes());
    let mut stdin = tokio::io::stdin();
    let mut chunk = vec![0; 64 << 10];
    loop {
        let read = stdin.read(&mut chunk).await?;
        let mut rest = &chunk[..read];
        while let Some(frame) = framer.next_frame(&mut rest) {
            let reply = match frame {
                Ok(frame) => connection.hear(frame.bytes()),
                Err(violation) => refusal(&violation),
            };
            connection.send(reply).await?;
        }
        if read == 0 {
            break;
        }
    }
    // A last line without its end.
    if let Some(Ok(frame)) = framer.finish() {
        let reply = connection.hear(frame.bytes());
        connection.send(reply).await?;
    }
    // The client is gone: what is at work ends, what was answered is still written.
    drop(connection);
    writer.await?
}

struct Connection<'s> {
    service: &'s Service,
    judge: &'s Judge,
    owner: Option<Owner>,
    out: Out,
    /// The ids of what is at work, and how to end it. No longer than the service
    /// has room for.
    at_work: Vec<(Vec<u8>, AbortHandle)>,
}

impl Connection<'_> {
    /// Hears one line. Gives the answer, if there is one now.
    fn hear(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        match self.judge.check(line) {
            Ok(Message::Request(request)) => self.answer(request),
            Ok(Message::Notification(notification)) => {
                self.cancel(&notification);
                None
            }
            // No client sends one in this revision: the judge refuses it.
            Ok(Message::Response(_)) => None,
            Err(violation) => refusal(&violation),
        }
    }

    fn answer(&mut self, request: Request<'_>) -> Option<Vec<u8>> {
        let refuse = |code, why| {
            let mut out = Vec::new();
            error_response(&mut out, request.id().into(), code, why);
            Some(out)
        };
        let Some(owner) = &self.owner else {
            return refuse(UNAUTHORISED, "NOTES_TOKEN is none that is known");
        };
        self.at_work.retain(|(_, task)| !task.is_finished());
        if self.position(request.id()).is_some() {
            return refuse(ErrorCode::INVALID_REQUEST, "the id is that of a request at work");
        }
        match self.service.answer(request, owner) {
            Ok(Answer::Now(answer)) => Some(answer),
            Ok(Answer::Later(work)) => {
                self.start(request.id(), work);
                None
            }
            Err(failure) => Some(failure.write(&request)),
        }
    }

    fn start(&mut self, id: Id<'_>, work: Work) {
        // Of one message, so that the work is no further than the client.
        let (own, mut messages) = mpsc::channel(1);
        tokio::spawn(work.run(own));
        let out = self.out.clone();
        let passes_on = tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                if out.send(message).await.is_err() {
                    return;
                }
            }
        });
        self.at_work.push((id.lexeme().to_vec(), passes_on.abort_handle()));
    }

    /// Ends what the client does not want any more. What is unknown, done already
    /// or malformed is passed over.
    fn cancel(&mut self, notification: &Notification<'_>) {
        #[derive(Deserialize)]
        struct Cancelled<'m> {
            #[serde(borrow, rename = "requestId")]
            request_id: &'m RawValue,
        }
        if notification.method() != "notifications/cancelled" {
            return;
        }
        let params = notification.params().unwrap_or_default();
        let Ok(Cancelled { request_id }) = serde_json::from_slice(params) else { return };
        let cancelled = Id::from_lexeme(request_id.get().as_bytes());
        if let Some(at) = cancelled.and_then(|id| self.position(id)) {
            let (_, task) = self.at_work.swap_remove(at);
            task.abort();
        }
    }

    fn position(&self, id: Id<'_>) -> Option<usize> {
        self.at_work.iter().position(|(known, _)| Id::from_lexeme(known) == Some(id))
    }

    async fn send(&self, reply: Option<Vec<u8>>) -> io::Result<()> {
        let Some(reply) = reply else { return Ok(()) };
        self.out.send(reply).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        self.at_work.iter().for_each(|(_, task)| task.abort());
    }
}

/// What a broken message is answered with, if anything.
fn refusal(violation: &mcparse::Violation<'_>) -> Option<Vec<u8>> {
    let mut reply = Vec::new();
    violation.write_reply(&mut reply).then_some(reply)
}
