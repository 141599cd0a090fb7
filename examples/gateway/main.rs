//! A gateway in front of several servers of revision 2026-07-28, in axum: the crate's layer judges
//! what comes and goes, and a call of the tool `notes__read_note` goes to the server
//! `notes` as a call of `read_note`.
//!
//! ```text
//! client -> ValidateLayer -> forward ─┬─ tools/call: the server that the name's prefix names
//!                                     ├─ tools/list: all servers, their tools with prefixes
//!                                     └─ server/discover: the gateway itself
//! ```
//!
//! - `forward` takes prefixes off by splicing: every other byte goes on as it came;
//! - `lists` puts prefixes on, where the gateway itself is the server;
//! - `upstream` is a server behind it.
//!
//! ```sh
//! cargo run --features tower --example gateway -- 127.0.0.1:8930 notes=http://127.0.0.1:8931/mcp
//! ```

mod forward;
mod lists;
mod upstream;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::any;
use mcparse::layer::ValidateLayer;
use mcparse::{Policy, RevisionSet};

use upstream::Upstream;

const USAGE: &str = "usage: gateway ADDRESS NAME=http://HOST[:PORT]/PATH...";

/// What the gateway serves, and so what it judges by.
const POLICY: Policy = Policy::strict().with_revisions(RevisionSet::MODERN);

#[tokio::main]
async fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (address, servers) = (words.next(), words.map(|word| Upstream::parse(&word)));
    let (Some(address), Some(servers)) = (address, servers.collect::<Option<Vec<_>>>()) else {
        eprintln!("gateway: {USAGE}");
        return ExitCode::from(2);
    };
    match serve(&address, servers).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(address: &str, servers: Vec<Upstream>) -> Result<(), Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    let app = Router::new()
        // The layer bounds the body already, at what the policy says.
        .route("/mcp", any(forward::forward).layer(DefaultBodyLimit::disable()))
        .with_state(Arc::new(servers))
        .layer(ValidateLayer::new(POLICY));
    axum::serve(listener, app).await?;
    Ok(())
}
