//! The command line.

use std::net::SocketAddr;
use std::time::Duration;

/// What is said where the command line is wrong.
pub(crate) const USAGE: &str = "\
usage: notes_server [--http ADDRESS]... [--token SECRET]... [--note-lives-ms N] [--reversed]

  --http ADDRESS      serve HTTP on ADDRESS, such as 127.0.0.1:8931, and not stdio;
                      given again, another replica with the same notes
  --token SECRET      who may ask: a bearer token over HTTP, NOTES_TOKEN in the
                      environment over stdio; each token has its own notes
  --note-lives-ms N   how long a note is kept (default: a day)
  --reversed          register the tools the other way round, which nobody sees";

/// What the server is told at its start.
#[derive(Debug)]
pub(crate) struct Args {
    /// Where to serve HTTP; stdio if there is none.
    pub(crate) http: Vec<SocketAddr>,
    /// Who may ask; everybody if there is none.
    pub(crate) tokens: Vec<String>,
    /// How long a note is kept.
    pub(crate) note_lives: Duration,
    /// Whether the tools are registered from the last to the first.
    pub(crate) reversed: bool,
}

impl Args {
    /// Reads the arguments behind the program's name.
    pub(crate) fn from_command_line(
        args: impl IntoIterator<Item = String>,
    ) -> Result<Self, String> {
        let mut read = Self {
            http: Vec::new(),
            tokens: Vec::new(),
            note_lives: Duration::from_secs(24 * 60 * 60),
            reversed: false,
        };
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--http" => {
                    let address = value()?;
                    let parsed = address.parse().map_err(|error| format!("{address}: {error}"))?;
                    read.http.push(parsed);
                }
                "--token" => read.tokens.push(value()?),
                "--note-lives-ms" => {
                    let millis = value()?;
                    let parsed = millis.parse().map_err(|error| format!("{millis}: {error}"))?;
                    read.note_lives = Duration::from_millis(parsed);
                }
                "--reversed" => read.reversed = true,
                other => return Err(format!("{other} is not known")),
            }
        }
        Ok(read)
    }
}
