//! A client of revision 2026-07-28, written with this crate and no SDK: it creates a
//! note, reads, finds and deletes it, and shows every message on a line.
//!
//! - `talk` asks: it gives ids, tries again with a version that is served, and
//!   answers what the server asks back;
//! - `stdio` and `http` carry one request and judge what comes back for it;
//! - `mirrors` knows which arguments stand in HTTP headers as well.
//!
//! It needs no discovery: the first request is `tools/list`. And it needs no
//! connection: of several `--url`, each request goes to the next one.
//!
//! ```sh
//! cargo build --features http --examples
//! cargo run --features http --example notes_client -- -- target/debug/examples/notes_server
//! cargo run --features http --example notes_client -- --url http://127.0.0.1:8931/mcp
//! ```

mod args;
mod http;
mod mirrors;
mod stdio;
mod talk;
mod trace;
mod wire;

use std::error::Error;
use std::process::ExitCode;

use args::Args;
use serde_json::{Value, json};
use talk::Talk;
use wire::Wire;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args = match Args::from_command_line(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(wrong) => {
            eprintln!("notes_client: {wrong}\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("notes_client: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> Result<(), Box<dyn Error>> {
    let wire = Wire::new(&args)?;
    let mut talk = Talk::new(wire, args.first_version, !args.decline);
    tell(&mut talk).await?;
    talk.end().await
}

/// What there is to see.
async fn tell(talk: &mut Talk) -> Result<(), Box<dyn Error>> {
    talk.list_tools().await?;

    let words = json!({ "title": "Groceries", "text": "bread, salt", "notebook": "häuslich" });
    let created = talk.call("create_note", words).await?;
    let handle = created["structuredContent"]["note"].clone();
    let on_note = json!({ "note": handle });

    let read = talk.call("read_note", on_note.clone()).await?;
    expect(&read["structuredContent"]["text"], "bread, salt")?;

    let search = json!({ "words": "salt", "notebook": "häuslich" });
    let found = talk.call("search_notes", search).await?;
    expect(&found["structuredContent"]["notes"][0]["title"], "Groceries")?;

    // The server asks the user back.
    talk.call("delete_note", on_note.clone()).await?;

    let gone = talk.call("read_note", on_note).await?;
    trace::say(if gone["isError"] == true {
        "the note is gone"
    } else {
        "the note is still there"
    });
    Ok(())
}

fn expect(seen: &Value, expected: &str) -> Result<(), Box<dyn Error>> {
    if seen == expected {
        return Ok(());
    }
    Err(format!("the server said {seen} where {expected:?} was expected").into())
}
