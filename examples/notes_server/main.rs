//! A server for notes, of revision 2026-07-28, written with this crate and no SDK.
//!
//! ```text
//! bytes -> stdio or http -> judge (the crate) -> access -> service -> answer (the crate) -> bytes
//! ```
//!
//! - `judge` lets the crate judge every message alone, by one policy;
//! - `access` says whose request it is, before anything is done;
//! - `service` knows the methods, `registry` the tools, and one file each does the
//!   work: `tools`, `delete`, `watch`, `resources`, `prompts`, `listen`;
//! - `closing` tells what goes on for long that the server ends;
//! - `store` and `memory` keep the notes. They are all that is remembered: what
//!   speaks the protocol keeps nothing from one request to the next, so that any
//!   replica may answer any request.
//!
//! ```sh
//! cargo run --features http --example notes_server                       # stdio
//! cargo run --features http --example notes_server -- --http 127.0.0.1:8931
//! ```

mod access;
mod answer;
mod args;
mod call;
mod closing;
mod delete;
mod http;
mod judge;
mod listen;
mod memory;
mod prompts;
mod registry;
mod resources;
mod service;
mod stdio;
mod store;
mod tools;
mod watch;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use access::Access;
use args::Args;
use judge::Judge;
use memory::Memory;
use service::Service;
use store::Store;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// How long the replicas have to end.
const FAREWELL: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> ExitCode {
    let args = match Args::from_command_line(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(wrong) => {
            eprintln!("notes_server: {wrong}\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("notes_server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> Result<(), Box<dyn Error>> {
    // One store for all replicas. In a deployment it would be a database.
    let store: Arc<dyn Store> = Arc::new(Memory::new(args.note_lives));
    let access = Arc::new(Access::new(args.tokens));
    if args.http.is_empty() {
        let service = Service::new(store, args.reversed, closing::never())?;
        let owner = access.owner(std::env::var("NOTES_TOKEN").ok().as_deref());
        return Ok(stdio::serve(&service, &Judge::new(&[]), owner).await?);
    }

    let listeners = http::bind(&args.http).await?;
    let judge = Arc::new(Judge::new(&http::addresses(&listeners)));
    let mut closing = closing::on_interrupt()?;
    let mut replicas = JoinSet::new();
    for listener in listeners {
        let service = Service::new(Arc::clone(&store), args.reversed, closing.clone())?;
        replicas.spawn(http::serve(listener, service, Arc::clone(&judge), Arc::clone(&access)));
    }
    tokio::select! {
        () = closing::closed(&mut closing) => {}
        Some(ended) = replicas.join_next() => ended??,
    }
    // Streams end with their answers; what takes longer is cut off.
    let all_ended = async { while replicas.join_next().await.is_some() {} };
    let _is_in_time = timeout(FAREWELL, all_ended).await;
    Ok(())
}
