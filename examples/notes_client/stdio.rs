//! A server that the client starts, and speaks to by lines.

use std::error::Error;
use std::process::Stdio as Pipe;
use std::time::Duration;

use mcparse::{Answering, LineFramer, Message, Validator};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::trace;
use crate::wire::{Answer, Outgoing, POLICY, answer};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a server may take to end once its input is closed.
const FAREWELL: Duration = Duration::from_secs(5);

/// The server and the two pipes.
pub(crate) struct Stdio {
    server: Child,
    input: ChildStdin,
    output: ChildStdout,
    framer: LineFramer,
    chunk: Vec<u8>,
}

impl Stdio {
    /// Starts the server. What it says on its standard error is shown.
    pub(crate) fn start(command: &[String], token: Option<&str>) -> Result<Self, Box<dyn Error>> {
        let (program, args) = command.split_first().ok_or("no command")?;
        let mut command = Command::new(program);
        command.args(args).stdin(Pipe::piped()).stdout(Pipe::piped()).kill_on_drop(true);
        if let Some(token) = token {
            command.env("NOTES_TOKEN", token);
        }
        let mut server = command.spawn().map_err(|error| format!("{program}: {error}"))?;
        let input = server.stdin.take().ok_or("no pipe to the server")?;
        let output = server.stdout.take().ok_or("no pipe from the server")?;
        let framer = LineFramer::new(POLICY.limits().message_bytes);
        Ok(Self { server, input, output, framer, chunk: vec![0; 64 << 10] })
    }

    /// Sends a request and reads on until it is answered.
    pub(crate) async fn ask(
        &mut self,
        validator: &mut Validator,
        request: &Outgoing,
    ) -> Result<Answer, Box<dyn Error>> {
        self.input.write_all(&request.body).await?;
        self.input.write_all(b"\n").await?;
        timeout(PATIENCE, self.hear(validator, request)).await?
    }

    /// One request is under way at a time, so that nothing comes behind its answer.
    async fn hear(
        &mut self,
        validator: &mut Validator,
        request: &Outgoing,
    ) -> Result<Answer, Box<dyn Error>> {
        let mut answering = Answering::new(&request.summary);
        loop {
            let read = self.output.read(&mut self.chunk).await?;
            if read == 0 {
                return Err("the server ended without an answer".into());
            }
            let mut rest = &self.chunk[..read];
            while let Some(frame) = self.framer.next_frame(&mut rest) {
                let frame = frame.map_err(|violation| violation.to_string())?;
                match validator.check_event(&mut answering, frame.bytes()) {
                    Ok(message) => {
                        trace::received(&message);
                        if let Message::Response(response) = message {
                            return Ok(answer(&response)?);
                        }
                    }
                    Err(violation) => {
                        trace::refused(&violation);
                        if violation.concerns_pending() {
                            return Err("the answer was refused".into());
                        }
                    }
                }
            }
        }
    }

    /// Closes the server's input and waits for it to end ([Shutdown]).
    ///
    /// [Shutdown]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
    pub(crate) async fn end(mut self) -> Result<(), Box<dyn Error>> {
        drop(self.input);
        let status = timeout(FAREWELL, self.server.wait()).await??;
        trace::say(&format!("the server ended: {status}"));
        if status.success() { Ok(()) } else { Err("the server failed".into()) }
    }
}
