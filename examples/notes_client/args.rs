//! The command line.

/// What is said where the command line is wrong.
pub(crate) const USAGE: &str = "\
usage: notes_client [--token SECRET] [--first-version V] [--decline] --url URL...
       notes_client [--token SECRET] [--first-version V] [--decline] -- COMMAND [ARGS]

  --url URL           asks over HTTP; of several, each request goes to the next
  -- COMMAND [ARGS]   starts the server and asks over stdio
  --token SECRET      sends it as a bearer token, or gives it to the server that it
                      starts as NOTES_TOKEN
  --first-version V   names this version first, to see what comes of it
  --decline           says no to what the server asks";

/// What the client is told at its start.
#[derive(Debug, Default)]
pub(crate) struct Args {
    /// The servers, over HTTP.
    pub(crate) urls: Vec<String>,
    /// The server's command and its arguments, over stdio.
    pub(crate) command: Vec<String>,
    /// What shows who asks.
    pub(crate) token: Option<String>,
    /// The version of the first request, instead of the one that is spoken.
    pub(crate) first_version: Option<String>,
    /// Whether questions are declined.
    pub(crate) decline: bool,
}

impl Args {
    /// Reads the arguments behind the program's name.
    pub(crate) fn from_command_line(
        args: impl IntoIterator<Item = String>,
    ) -> Result<Self, String> {
        let mut read = Self::default();
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--url" => read.urls.push(value()?),
                "--token" => read.token = Some(value()?),
                "--first-version" => read.first_version = Some(value()?),
                "--decline" => read.decline = true,
                "--" => read.command.extend(args.by_ref()),
                other => return Err(format!("{other} is not known")),
            }
        }
        if read.urls.is_empty() == read.command.is_empty() {
            return Err("either a URL or a command is needed".to_owned());
        }
        Ok(read)
    }
}
