//! What `wrap` takes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

pub(in crate::cli) const EXAMPLES: &str = "\
Examples:
  mcparse wrap -- my-server --stdio                    refuse what breaks a rule
  mcparse wrap --mode observe --log mcp.jsonl -- npx -y @scope/server /data

In a client's configuration it stands in the server's place:
  { \"command\": \"mcparse\", \"args\": [\"wrap\", \"--\", \"my-server\", \"--stdio\"] }

Exit code: the server's own, 128 + N if signal N ended it; 127 if the command is
not there, 126 if it cannot be run, 2 if the policy or the log cannot be used.";

/// The longest grace that may be asked for: a day.
const MOST_GRACE: f64 = 86_400.0;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Wrapping {
    /// A policy in TOML; strict if there is none
    #[arg(long, value_name = "FILE")]
    pub(super) policy: Option<PathBuf>,

    /// Whether what breaks a rule is held back
    #[arg(long, value_enum, default_value_t = Mode::Gate)]
    pub(super) mode: Mode,

    /// Append a JSON object a line for each message that broke a rule
    ///
    /// Without it the first 100 refused messages are told on standard error.
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,

    /// Log every message, and not only those that broke a rule
    #[arg(long, requires = "log")]
    pub(super) log_all: bool,

    /// The size at which the log becomes FILE.1, in the place of the last such, and
    /// a new one begins
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, requires = "log",
          value_parser = clap::value_parser!(u64).range(4096..))]
    pub(super) log_bytes: u64,

    /// How long a server may live on after its input has ended; then it gets
    /// SIGTERM, and as long after that SIGKILL
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(super) grace: Duration,

    /// The server's command and its arguments
    #[arg(value_name = "COMMAND", last = true, required = true)]
    pub(super) command: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Mode {
    /// Hold back what the policy refuses, and answer in its place
    Gate,
    /// Send everything on byte by byte, and only tell of it
    Observe,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if !(0.0..=MOST_GRACE).contains(&seconds) {
        return Err(format!("must be from 0 to {MOST_GRACE}"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grace_is_from_nothing_to_a_day() {
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("86400"), Ok(Duration::from_secs(86_400)));
        for wrong in ["86400.5", "-1", "NaN", "inf", "", "5s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
