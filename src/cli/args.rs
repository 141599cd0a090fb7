//! What may be typed: the subcommands, their options and their help.

use std::fmt;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  mcparse check session.jsonl                    judge each line of a capture
  my-server < requests.jsonl | mcparse check     judge what a server says
  mcparse check --framing sse events.txt         judge a stream of server-sent events
  mcparse check --format json log.jsonl | jq 'select(.verdict == \"refuse\")'
  mcparse check --statistics *.jsonl             count kinds, rules and methods
  mcparse classify --framing none message.json   what kind of message a file is

Exit code: 0 if every message was accepted, 1 if one was refused, 2 if something
could not be read. A message longer than 4 MiB is refused and skipped.";

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
    Check(Options),
    /// Say what kind of message each one is, and nothing more
    ///
    /// The last of duplicate members counts, and nothing is refused for being
    /// ambiguous. For rules, reasons and replies use `mcparse check`.
    #[command(after_help = EXAMPLES)]
    Classify(Options),
}

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

    /// Files to read in order; - or none is standard input
    #[arg(value_name = "FILES")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Framing {
    /// Each line is a message (stdio)
    Lines,
    /// Each server-sent event is a message (HTTP)
    Sse,
    /// The whole file is one message
    None,
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines => "lines",
            Self::Sse => "server-sent events",
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
