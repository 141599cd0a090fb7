//! The proxy as a child of the test.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{PATIENCE, Wire, soon};

pub(crate) struct Proxy {
    child: Child,
    address: SocketAddr,
    lines: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
}

impl Proxy {
    /// In front of `upstream`, with these arguments besides.
    pub(crate) async fn before(upstream: SocketAddr, arguments: &[&str]) -> Self {
        Self::of(&format!("http://{upstream}/mcp"), arguments).await
    }

    pub(crate) async fn of(upstream: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcparse"))
            .args(["proxy", "--listen", "127.0.0.1:0", "--upstream", upstream])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let stderr = child.stderr.take().unwrap();
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&lines);
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                kept.lock().unwrap().push(line);
            }
        });
        let nowhere = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut proxy = Self { child, address: nowhere, lines, reader: Some(reader) };
        let first = proxy.line(|line| line.contains("listening on http://")).await;
        let message = first["message"].as_str().unwrap();
        let rest = message.strip_prefix("listening on http://").unwrap();
        proxy.address = rest.split('/').next().unwrap().parse().unwrap();
        proxy
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) async fn connect(&self) -> Wire {
        Wire::connect(self.address).await
    }

    /// Waits for a log line.
    pub(crate) async fn line(&self, is_it: impl Fn(&str) -> bool) -> Value {
        let found = soon(async {
            loop {
                let found = self.lines().into_iter().find(|line| is_it(line));
                if let Some(found) = found {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        serde_json::from_str(&found.await).unwrap()
    }

    /// Waits for the log line of a refusal by this rule.
    pub(crate) async fn refusal(&self, rule: &str) -> Value {
        let field = format!("\"rule\":\"{rule}\"");
        self.line(|line| line.contains(&field)).await
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    /// The value of a metric with its labels.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").await;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0, |value| value.parse().unwrap())
    }

    /// Waits until a metric has a value.
    pub(crate) async fn metric_becomes(&self, name: &str, wanted: u64) {
        soon(async {
            while self.metric(name).await != wanted {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
    }

    /// What the proxy itself says at a path.
    pub(crate) async fn get(&self, path: &str) -> String {
        let mut wire = self.connect().await;
        wire.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
            .await;
        let (head, body) = wire.response().await;
        assert_eq!(head.status(), 200, "{head:?}");
        String::from_utf8(body).unwrap()
    }

    /// The memory that it holds, in KiB.
    pub(crate) fn resident(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    pub(crate) fn terminate(&self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
    }

    /// Waits for its exit. All that it wrote must be log lines.
    pub(crate) async fn exit(&mut self) -> ExitStatus {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not exit");
            // Clients of the test go on meanwhile.
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        for line in self.lines() {
            let value: Result<Value, _> = serde_json::from_str(&line);
            let value = value.unwrap_or_else(|_| panic!("no log line: {line}"));
            assert!(value["timestamp"].is_string() && value["level"].is_string(), "{line}");
        }
        assert_eq!(status.signal(), None, "{status}");
        status
    }

    /// Ends it as an operator does.
    pub(crate) async fn end(mut self) {
        self.terminate();
        assert_eq!(self.exit().await.code(), Some(0), "{:?}", self.lines());
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // It has ended, unless the test fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
