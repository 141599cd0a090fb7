//! What may be typed: the subcommands, their options and their help.

use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Parser, Subcommand, ValueEnum};
use mcparse::{Revision, Sender};

use super::proxy;
use super::wrap;

/// The most threads that are taken where nobody asks for more: what one of them at a
/// time must do leaves no more to gain.
const MOST_THREADS: usize = 4;

const EXAMPLES: &str = "\
Examples:
  mcparse check session.jsonl                    judge each line of a capture
  my-server < requests.jsonl | mcparse check --from server
  mcparse check --framing sse events.txt         judge a stream of server-sent events
  mcparse check --framing http *.http            judge requests and responses with their heads
  mcparse check --framing log trace.jsonl        judge a log with a direction in each line
  mcparse check --policy policy.toml --replies session.jsonl
  mcparse check --format json session.jsonl | jq 'select(.verdict == \"refuse\")'
  mcparse check --statistics *.jsonl             count kinds, rules and methods
  mcparse wrap -- my-server --stdio              run a server, and judge both directions
  mcparse classify --framing none message.json   what kind of message a file is
  mcparse explain id-null                        what a rule means, with examples
  mcparse proxy --upstream http://127.0.0.1:3000/mcp     in front of a server over HTTP
  mcparse wrap -- my-server --its-option         around a server on stdio

Exit code: 0 if every message was accepted, 1 if one was refused, 2 if something
could not be read. A message longer than the limit, 4 MiB unless the policy says
otherwise, is refused and skipped.";

/// Reads the command line. Shows the help or the version, or says what is
/// wrong (exit code 2), if it asks for that.
pub(crate) fn arguments() -> Arguments {
    Arguments::parse()
}

/// Judges MCP (Model Context Protocol) messages: what each one is, and whether
/// it is valid.
#[derive(Debug, Parser)]
#[command(name = "mcparse", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check messages against the rules, and say which one is broken and where
    #[command(after_help = EXAMPLES)]
    Check(Checking),
    /// Say what kind of message each one is, and nothing more
    ///
    /// The last of duplicate members counts, and nothing is refused for being
    /// ambiguous. For rules, reasons and replies use `mcparse check`.
    #[command(after_help = EXAMPLES)]
    Classify(Options),
    Proxy(proxy::Proxy),
    /// Run an MCP server on stdio and judge what it and its client say to each other
    ///
    /// What is accepted goes on byte by byte. What is refused does not; whoever
    /// waits for it is answered in the other side's place.
    #[command(after_help = wrap::EXAMPLES)]
    Wrap(wrap::Wrapping),
    /// Explain a rule, with a message that breaks it and one that does not
    #[command(after_help = EXAMPLES)]
    Explain {
        /// The id of the rule, as `check` prints it; none lists all of them
        #[arg(value_name = "RULE")]
        rule: Option<String>,
    },
    /// List all rules: id, stage, code, HTTP status and what is done by default
    ///
    /// Those of the stage session are noticed by the library's Session alone:
    /// `check` keeps no session.
    #[command(after_help = EXAMPLES)]
    Rules {
        /// How the rules are printed
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,

        /// List what this policy does too
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
    },
}

/// What `check` takes.
#[derive(Debug, clap::Args)]
pub(super) struct Checking {
    #[command(flatten)]
    pub(super) judging: Judging,

    #[command(flatten)]
    pub(super) options: Options,

    /// Show below each refused message what a server would answer
    #[arg(long)]
    pub(super) replies: bool,
}

/// By what messages are judged.
#[derive(Debug, clap::Args)]
pub(super) struct Judging {
    /// Who sent the messages
    ///
    /// HTTP and logs tell by themselves.
    #[arg(long, value_enum, default_value_t = From::Auto)]
    pub(super) from: From,

    /// The one revision that is served; auto leaves it to the policy
    #[arg(long, default_value = "auto", hide_default_value = true,
          value_parser = PossibleValuesParser::new(Named::NAMES).map(|name| Named::of(&name)))]
    pub(super) revision: Named,

    /// A policy in TOML; strict if there is none
    #[arg(long, value_name = "FILE")]
    pub(super) policy: Option<PathBuf>,

    /// Judge each message alone
    ///
    /// Without it a response over HTTP is judged by the request that it answers,
    /// and where both sides speak in one source, what is wrong between their
    /// messages is found too.
    #[arg(long)]
    pub(super) alone: bool,
}

/// What both ways of judging take.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Where messages begin and end
    #[arg(long, value_enum, default_value_t = Framing::Lines)]
    pub(super) framing: Framing,

    /// How verdicts are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,

    /// Print sums over all messages at the end
    #[arg(long)]
    pub(super) statistics: bool,

    /// How many threads judge, 1 to 64: by default as many as there are cores, up to 4
    ///
    /// What is printed does not depend on it. HTTP and logs take one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) threads: Option<u16>,

    /// Files to read in order; - or none is standard input
    #[arg(value_name = "FILES")]
    pub(super) files: Vec<PathBuf>,
}

impl Options {
    /// On how many threads to judge.
    pub(super) fn threads(&self) -> usize {
        // Where not even that is known, one will do.
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.map_or_else(|| cores().min(MOST_THREADS), usize::from)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum From {
    /// A client
    Client,
    /// A server
    Server,
    /// By message: whoever may send the method, the client if both may; a
    /// response is the server's, unless a server's request in the same source
    /// had its id
    Auto,
}

impl From {
    /// The sender of every message, if it is not told by message.
    pub(super) const fn sender(self) -> Option<Sender> {
        match self {
            Self::Client => Some(Sender::Client),
            Self::Server => Some(Sender::Server),
            Self::Auto => None,
        }
    }
}

/// A revision as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Auto,
    Only(Revision),
}

impl Named {
    const NAMES: [&str; 6] = {
        let mut names = ["auto"; 6];
        let mut at = 0;
        while at < Revision::ALL.len() {
            names[at + 1] = Revision::ALL[at].as_str();
            at += 1;
        }
        names
    };

    fn of(name: &str) -> Self {
        Revision::from_bytes(name.as_bytes()).map_or(Self::Auto, Self::Only)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Framing {
    /// Each line is a message (stdio)
    Lines,
    /// Each server-sent event is a message (HTTP)
    Sse,
    /// HTTP/1.1 requests and responses with their heads, one after the other;
    /// all files are one conversation
    Http,
    /// Each line is a record of a log that says who sent its message: direction
    /// (or dir) client or server (or c2s, s2c), and message (or text). In
    /// NAME.order.jsonl it may be the len of a read of NAME.c2s.jsonl or
    /// NAME.s2c.jsonl
    Log,
    /// The whole file is one message
    None,
}

impl Framing {
    /// Whether it says who sent each message.
    pub(super) const fn tells_sides(self) -> bool {
        matches!(self, Self::Http | Self::Log)
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines => "lines",
            Self::Sse => "server-sent events",
            Self::Http => "HTTP",
            Self::Log => "a log",
            Self::None => "one message",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A line for a person; text from the messages is cut and escaped
    Text,
    /// A JSON object a line, for a program
    Json,
}
