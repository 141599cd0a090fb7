//! The command `mcparse`: judges MCP messages in files and streams. All it
//! does is in `cli`; this file only makes it a program.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(&cli::arguments()).into()
}
