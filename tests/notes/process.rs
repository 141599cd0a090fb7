//! The built examples as processes, with bounds on how long they are waited for.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::said::judged;

/// How long is waited for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// An example, where cargo has built it: beside the folder of the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples");
    let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        path.exists(),
        "{} is not built: cargo build --features tower --examples",
        path.display()
    );
    path
}

/// A server for notes, killed at the end of its test.
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Server {
    /// Starts one with these arguments, and perhaps a token in its environment.
    pub(crate) fn start(args: &[&str], token: Option<&str>) -> Self {
        Self::start_as("notes_server", args, token)
    }

    /// Starts another example that serves.
    pub(crate) fn start_as(name: &str, args: &[&str], token: Option<&str>) -> Self {
        let mut command = Command::new(example(name));
        command.args(args).env_remove("NOTES_TOKEN");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(token) = token {
            command.env("NOTES_TOKEN", token);
        }
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let lines = each_line(child.stdout.take().unwrap());
        let errors = each_line(child.stderr.take().unwrap());
        Self { child, input, lines, errors }
    }

    /// Writes a line.
    pub(crate) fn write(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).and_then(|()| input.write_all(b"\n")).unwrap();
    }

    /// Writes the last line, without its end.
    pub(crate) fn write_unended(&mut self, line: &[u8]) {
        self.input.as_mut().unwrap().write_all(line).unwrap();
    }

    /// The next line that it writes.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the server says nothing")
    }

    /// Asks, and gives the answer as it was written, once it has been judged.
    pub(crate) fn ask_text(&mut self, request: &Value) -> String {
        let request = request.to_string();
        self.write(request.as_bytes());
        let line = self.line();
        judged(&request, line.as_bytes());
        line
    }

    /// Asks, and gives the judged answer.
    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        serde_json::from_str(&self.ask_text(request)).unwrap()
    }

    /// Waits for a line on its standard error that holds `what`, and gives it.
    pub(crate) fn error_with(&self, what: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.errors.recv_timeout(left).unwrap_or_else(|_| panic!("no line: {what}"));
            if line.contains(what) {
                return line;
            }
        }
    }

    /// Where it listens, once it does.
    pub(crate) fn address(&self) -> String {
        let line = self.error_with("listening on http://");
        let (_, address) = line.split_once("http://").unwrap();
        address.trim_end_matches("/mcp").to_owned()
    }

    /// Asks it to end, as the keys Ctrl and C do.
    #[cfg(unix)]
    pub(crate) fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }

    /// Closes its input and waits for its end. Gives also what it wrote until then.
    pub(crate) fn end(&mut self) -> (ExitStatus, Vec<String>) {
        self.input = None;
        let until = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < until, "the server does not end with its input");
            std::thread::sleep(Duration::from_millis(5));
        };
        (status, self.lines.iter().collect())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn each_line(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
