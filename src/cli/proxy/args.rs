//! What `mcparse proxy` takes.

use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::ValueEnum;

const EXAMPLES: &str = "\
Examples:
  mcparse proxy --upstream http://127.0.0.1:3000/mcp
        clients connect to http://127.0.0.1:8080/mcp; what breaks a rule is refused
  mcparse proxy --upstream http://127.0.0.1:3000/mcp --mode observe
        everything passes, and what breaks a rule is logged
  mcparse proxy --upstream http://10.0.0.7/mcp --listen 0.0.0.0:80 --policy policy.toml
        for others than this machine: put TLS and authorisation in front of it

GET /healthz and GET /metrics (Prometheus) are answered by the proxy itself. SIGTERM
and SIGINT let what is under way end, then it exits with 0; a second one exits at once.";

/// Judges all that passes between HTTP clients and a server
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Proxy {
    /// The server's MCP endpoint, `http://HOST[:PORT]/PATH`
    ///
    /// The same path of the proxy is judged and forwarded.
    #[arg(long, value_name = "URL")]
    pub(super) upstream: String,

    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub(super) listen: SocketAddr,

    /// What becomes of a message that is refused
    #[arg(long, value_enum, default_value_t = Judging::Gate)]
    pub(super) mode: Judging,

    /// A policy in TOML, which should say what revisions the server serves
    ///
    /// Without one it is strict, but for versions that are not served: those are left to
    /// the server.
    #[arg(long, value_name = "FILE")]
    pub(super) policy: Option<PathBuf>,

    /// A value of Origin that may send, besides those of this machine
    ///
    /// Where the proxy listens on this machine only, other origins are refused, so
    /// that no web page reaches the server by way of the browser. Elsewhere they are refused
    /// once this is given.
    #[arg(long, value_name = "ORIGIN")]
    pub(super) allow_origin: Vec<String>,

    /// A host name that the proxy is asked for, besides those of this machine
    #[arg(long, value_name = "HOST")]
    pub(super) allow_host: Vec<String>,

    /// Paths that start so are forwarded and not judged
    #[arg(long, value_name = "PREFIX", default_value = "/.well-known/")]
    pub(super) pass: Vec<String>,

    /// How long to wait for the upstream's connection, for the head of its response, and
    /// between the pieces of a body; 0 is for ever. Events may be as far apart as they like
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(super) timeout: u32,

    /// How long a connection may wait for its next request
    #[arg(long, value_name = "SECONDS", default_value_t = 120,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) idle: u32,

    /// How long what is under way may go on after SIGTERM
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(super) drain: u32,

    /// How many clients may be connected; more wait
    #[arg(long, value_name = "N", default_value_t = 16384,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) max_connections: u32,

    /// How many threads serve: by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: Option<u16>,

    /// How log lines are written to standard error: by default text on a terminal, else JSON
    #[arg(long, value_enum)]
    pub(super) log: Option<Log>,

    /// Log the messages, too, that pass and break rules that are only reported
    #[arg(long)]
    pub(super) findings: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Judging {
    /// It is answered in the server's place, or replaced by an error
    Gate,
    /// It passes, and is logged and counted
    Observe,
    /// Nothing is judged
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Log {
    /// A JSON object a line
    Json,
    /// A line for a person
    Text,
}

impl Proxy {
    pub(super) fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.map_or_else(cores, usize::from)
    }

    pub(super) fn log(&self) -> Log {
        let usual = || if io::stderr().is_terminal() { Log::Text } else { Log::Json };
        self.log.unwrap_or_else(usual)
    }

    /// None is for ever.
    pub(super) fn timeout(&self) -> Option<Duration> {
        (self.timeout > 0).then(|| Duration::from_secs(self.timeout.into()))
    }
}
