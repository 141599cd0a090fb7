//! The two directions: read, judge, send on.

use std::io::{self, ErrorKind, Read};
use std::process::ChildStdout;

use mcparse::{Frame, LineFramer, Policy, Sender, Validator};

use super::wire::{CHUNK, Event, Wire, lock};

/// Carries what the client sends, until its end.
pub(super) fn from_client(wire: &Wire, policy: Policy) {
    let mut carrier = Carrier::new(wire, policy, Sender::Client);
    carrier.run(io::stdin().lock());
    wire.close_server();
    wire.tell(Event::ClientEnded);
}

/// Carries what the server sends, until its end.
pub(super) fn from_server(wire: &Wire, policy: Policy, out: ChildStdout) {
    let mut carrier = Carrier::new(wire, policy, Sender::Server);
    carrier.run(out);
    wire.server_ended();
}

struct Carrier<'w> {
    wire: &'w Wire,
    from: Sender,
    validator: Validator,
    framer: LineFramer,
}

impl<'w> Carrier<'w> {
    fn new(wire: &'w Wire, policy: Policy, from: Sender) -> Self {
        let framer = LineFramer::new(policy.limits().message_bytes);
        // What is sent on as it came, line by line, has blank lines too.
        let framer = if wire.gates { framer.with_blank_lines() } else { framer };
        Self { wire, from, validator: Validator::new(policy), framer }
    }

    /// Reads to the end of the stream. That it cannot be read is its end.
    fn run(&mut self, mut stream: impl Read) {
        let mut buffer = vec![0; CHUNK];
        while let Some(chunk) = self.read(&mut stream, &mut buffer) {
            if self.wire.client_is_gone() {
                match self.from {
                    // Nobody is there to hear an answer.
                    Sender::Client => return,
                    // Read nevertheless, so that the server can end by itself.
                    Sender::Server => continue,
                }
            }
            self.take(chunk);
        }
        let Self { wire, from, validator, framer } = self;
        if let Some(last) = framer.finish() {
            let mut line = Line { wire, from: *from, validator };
            match last {
                Ok(frame) => line.judge(frame),
                Err(violation) => line.refuse(violation),
            }
        }
        self.flush();
    }

    /// The next part of the stream.
    fn read<'b>(&self, stream: &mut impl Read, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let progress = match self.from {
            Sender::Client => &self.wire.of_client,
            Sender::Server => &self.wire.of_server,
        };
        progress.waits();
        let read = loop {
            match stream.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read.unwrap_or(0),
            }
        };
        progress.came();
        buffer.get(..read).filter(|chunk| !chunk.is_empty())
    }

    /// All lines that end in the chunk.
    fn take(&mut self, chunk: &[u8]) {
        let Self { wire, from, validator, framer } = self;
        let mut rest = chunk;
        while let Some(frame) = framer.next_frame(&mut rest) {
            let mut line = Line { wire, from: *from, validator: &mut *validator };
            match frame {
                Ok(frame) => line.judge(frame),
                Err(violation) => line.refuse(violation),
            }
        }
        if !wire.gates {
            // Behind the judging, so that the account has a request before its
            // answer.
            match from {
                Sender::Client => {
                    wire.server(|lines| lines.pass_on(chunk).and_then(|()| lines.flush()));
                }
                Sender::Server => wire.client(|lines| lines.pass_on(chunk)),
            }
        }
        self.flush();
    }

    /// What was written to the client so far. To the server each line is written
    /// by itself, so that it is known which one did not arrive.
    fn flush(&self) {
        if self.from == Sender::Server {
            self.wire.client(super::wire::Lines::flush);
        }
    }
}

/// A line under way.
struct Line<'l, 'w> {
    wire: &'w Wire,
    from: Sender,
    validator: &'l mut Validator,
}

impl Line<'_, '_> {
    fn judge(&mut self, frame: Frame<'_>) {
        let bytes = frame.bytes();
        if bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            self.pass(frame);
            return;
        }
        let alone = self.validator.check(self.from, bytes);
        let judged = lock(&self.wire.account).judge(self.validator, self.from, bytes, alone);
        self.wire.log(self.from, frame.line(), Some(bytes.len()), &judged);
        if let Some((to, said)) = &judged.said {
            self.say(*to, said);
        }
        if judged.is_forwarded
            && !self.pass(frame)
            && let (Some(is_tracked), Some(id)) = (judged.asks, judged.id)
        {
            let told = lock(&self.wire.account).unsent(id, is_tracked);
            if let Some(told) = told {
                self.say(Sender::Client, &told);
            }
        }
    }

    fn refuse(&self, violation: mcparse::Violation<'static>) {
        if let Some((to, said)) = self.wire.unread(self.from, violation).said {
            self.say(to, &said);
        }
    }

    /// Sends it on as it came, unless its whole chunk is. Whether it was heard.
    fn pass(&self, frame: Frame<'_>) -> bool {
        if !self.wire.gates {
            return true;
        }
        let (line, end) = (frame.bytes(), frame.end());
        match self.from {
            Sender::Client => {
                self.wire.server(|lines| lines.pass(line, end).and_then(|()| lines.flush()))
            }
            Sender::Server => {
                self.wire.client(|lines| lines.pass(line, end));
                true
            }
        }
    }

    fn say(&self, to: Sender, message: &[u8]) {
        match to {
            Sender::Client => {
                self.wire.client(|lines| lines.say(message).and_then(|()| lines.flush()));
            }
            Sender::Server => {
                self.wire.server(|lines| lines.say(message).and_then(|()| lines.flush()));
            }
        }
    }
}
