//! A wrapped server, and its client's side of the pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use std::{fs, process, thread};

use serde_json::Value;

/// How long anything may take before it is taken to hang: much longer than it
/// needs on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
pub(crate) const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
/// No id may be null.
pub(crate) const ID_NULL: &str = r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#;

/// A shell script as a server, wrapped. It is ended when the test is over.
pub(crate) struct Wrapped {
    child: Child,
    stdin: Option<ChildStdin>,
    /// What comes out, line by line with its end.
    lines: Option<Receiver<Vec<u8>>>,
    stderr: Receiver<Vec<u8>>,
}

impl Wrapped {
    pub(crate) fn script(options: &[&str], script: &str) -> Self {
        Self::command(options, &["sh", "-c", script])
    }

    pub(crate) fn command(options: &[&str], command: &[&str]) -> Self {
        let mut wrapped = Self::unread(options, command);
        let out = wrapped.child.stdout.take().unwrap();
        let (tell, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut out = BufReader::new(out);
            loop {
                let mut line = Vec::new();
                if out.read_until(b'\n', &mut line).unwrap_or(0) == 0 || tell.send(line).is_err() {
                    return;
                }
            }
        });
        wrapped.lines = Some(lines);
        wrapped
    }

    /// One whose output nobody reads yet.
    pub(crate) fn unread(options: &[&str], command: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcparse"))
            .arg("wrap")
            .args(options)
            .arg("--")
            .args(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let mut err = child.stderr.take().unwrap();
        let (tell, stderr) = mpsc::channel();
        thread::spawn(move || {
            let mut all = Vec::new();
            let _ = err.read_to_end(&mut all);
            let _ = tell.send(all);
        });
        Self { child, stdin, lines: None, stderr }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) const fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    pub(crate) fn take_stdin(&mut self) -> ChildStdin {
        self.stdin.take().unwrap()
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes.as_ref()).unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.send(format!("{line}\n"));
    }

    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// The next line that comes out, with its end.
    pub(crate) fn raw_line(&self) -> Vec<u8> {
        let lines = self.lines.as_ref().expect("the output is read");
        lines.recv_timeout(PATIENCE).expect("a line comes in time")
    }

    pub(crate) fn line(&self) -> String {
        String::from_utf8(self.raw_line()).unwrap().trim_end().to_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.raw_line()).unwrap()
    }

    /// All that comes out until the end.
    pub(crate) fn rest(&self) -> Vec<u8> {
        let (lines, until) = (self.lines.as_ref().unwrap(), Instant::now() + PATIENCE);
        let mut all = Vec::new();
        loop {
            match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => all.extend(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return all,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("the output does not end"),
            }
        }
    }

    /// How it ends.
    pub(crate) fn status(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn code(&mut self) -> i32 {
        self.status().code().unwrap()
    }

    /// What it said to people, once it has ended.
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.stderr.recv_timeout(PATIENCE).unwrap()).unwrap()
    }
}

impl Drop for Wrapped {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends `input` through a wrapped script, cut into such pieces, closes, and gives
/// what comes out.
pub(crate) fn through(options: &[&str], script: &str, input: &[u8], piece: usize) -> Vec<u8> {
    let mut wrapped = Wrapped::script(options, script);
    let mut stdin = wrapped.take_stdin();
    let input = input.to_vec();
    // The script may write before it has read it all.
    let writer = thread::spawn(move || {
        for piece in input.chunks(piece) {
            if stdin.write_all(piece).is_err() {
                return;
            }
        }
    });
    let out = wrapped.rest();
    writer.join().unwrap();
    assert_eq!(wrapped.code(), 0);
    out
}

/// A folder that lives as long as the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mcparse-wrap-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, file: &str, text: &str) -> String {
        let path = self.path(file);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits until the file is there, and gives its text.
pub(crate) fn appears(path: &str) -> String {
    let until = Instant::now() + PATIENCE;
    while !Path::new(path).exists() {
        assert!(Instant::now() < until, "{path} does not appear");
        thread::sleep(Duration::from_millis(5));
    }
    fs::read_to_string(path).unwrap()
}

/// The objects of a log.
pub(crate) fn records(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
