//! The two directions: read, judge, send on.

use std::io::{self, ErrorKind, Read};
use std::process::ChildStdout;

use mcparse::{Frame, LineFramer, Policy, Sender, Validator, Violation};
use memchr::{memchr, memrchr};

use super::edges::Edges;
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
    /// How the line under way begins; its end too once it is `over` the limit.
    edges: Edges,
    /// Whether the line under way is over the limit, and its end is yet to come.
    over: bool,
}

impl<'w> Carrier<'w> {
    fn new(wire: &'w Wire, policy: Policy, from: Sender) -> Self {
        let framer = LineFramer::new(policy.limits().message_bytes);
        // What is sent on as it came, line by line, has blank lines too.
        let framer = if wire.gates { framer.with_blank_lines() } else { framer };
        let validator = Validator::new(policy);
        Self { wire, from, validator, framer, edges: Edges::default(), over: false }
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
        if self.over {
            self.end_over();
        }
        let Self { wire, from, validator, framer, .. } = self;
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
        let mut rest = chunk;
        while !rest.is_empty() {
            self.next(&mut rest);
        }
        let Self { wire, from, .. } = self;
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

    /// The next line that ends in `rest`, or what is there of one.
    fn next(&mut self, rest: &mut &[u8]) {
        if self.over {
            // The framer drops the same bytes.
            let end = memchr(b'\n', rest);
            self.edges.push(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default());
            if end.is_some() {
                self.end_over();
            }
        }
        let Self { wire, from, validator, framer, edges, over } = self;
        let before = *rest;
        let mut line = Line { wire, from: *from, validator };
        match framer.next_frame(rest) {
            Some(Ok(frame)) => {
                line.judge(frame);
                edges.clear();
            }
            Some(Err(violation)) => {
                line.refuse(violation);
                let taken = before.get(..before.len() - rest.len()).unwrap_or_default();
                edges.push(behind_ends(taken.strip_suffix(b"\n").unwrap_or(taken)));
                *over = true;
                if taken.ends_with(b"\n") {
                    self.end_over();
                }
            }
            None if !*over => edges.push(behind_ends(before)),
            None => {}
        }
    }

    /// A line over the limit is at its end. Whom a server answers with it is told, if
    /// that can be made out.
    fn end_over(&mut self) {
        if let (Sender::Server, Some(id)) = (self.from, self.edges.answered()) {
            let told = lock(&self.wire.account).lost(id);
            if let Some(told) = told {
                self.wire.client(|lines| lines.say(&told).and_then(|()| lines.flush()));
            }
        }
        self.edges.clear();
        self.over = false;
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

    fn refuse(&self, violation: Violation<'static>) {
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

/// What is behind the last line end.
fn behind_ends(bytes: &[u8]) -> &[u8] {
    let start = memrchr(b'\n', bytes).map_or(0, |end| end + 1);
    bytes.get(start..).unwrap_or_default()
}
