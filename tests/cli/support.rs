//! The command as a child process, and its output taken apart.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::{fs, process, thread};

use serde_json::value::RawValue;

pub(crate) const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
pub(crate) const ID_NULL: &str = "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n";

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcparse"));
    command.args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    command
}

pub(crate) fn spawn(arguments: &[&str]) -> Child {
    command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs to the end with this standard input.
pub(crate) fn run(arguments: &[&str], stdin: impl AsRef<[u8]> + Send + 'static) -> Output {
    let mut child = spawn(arguments);
    let mut input = child.stdin.take().unwrap();
    // On a thread of its own: the child may write before it has read it all.
    let writer = thread::spawn(move || input.write_all(stdin.as_ref()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A line of JSON output: each member as it is written.
pub(crate) struct Line<'o> {
    pub(crate) text: &'o str,
    pub(crate) members: HashMap<&'o str, &'o RawValue>,
}

impl<'o> Line<'o> {
    pub(crate) fn get(&self, name: &str) -> &'o str {
        self.members[name].get()
    }
}

pub(crate) fn lines(output: &Output) -> Vec<Line<'_>> {
    let line = |text| Line { text, members: serde_json::from_str(text).unwrap() };
    stdout(output).lines().map(line).collect()
}

/// A policy file that lives as long as the test.
pub(crate) struct File(PathBuf);

impl File {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mcparse-{}-{name}.toml", process::id()));
        fs::write(&path, text).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A folder that lives as long as the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mcparse-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
