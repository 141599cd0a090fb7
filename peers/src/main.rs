//! Judges the same inputs with mcparse and with its peers, rmcp and
//! tower-mcp-types, and keeps the tables in `README.md`. It measures no speed.
//!
//!     cargo run              writes the tables
//!     cargo run -- --check   fails if the tables are not as they should be
//!
//! A difference that no class explains fails either, and so does a class that
//! no fixture shows.

mod classes;
mod compare;
mod corpora;
mod fixtures;
mod input;
mod judges;
mod table;
mod verdict;

use std::process::ExitCode;
use std::{env, fs};

use compare::Counts;
use corpora::Corpora;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => run(false),
        ["--check"] => run(true),
        _ => Err("usage: mcparse-peers [--check]".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(is_check: bool) -> Result<(), String> {
    let committed = fs::read_to_string(README).map_err(|error| format!("{README}: {error}"))?;
    let fixtures = compare::rows(fixtures::all())?;
    let unused = compare::unused(&fixtures);
    if !unused.is_empty() {
        return Err(format!("classes that no fixture shows: {}", unused.join(", ")));
    }
    say("fixtures", &Counts::of(&fixtures));
    let mut readme = with_section(&committed, "differences", &table::differences(&fixtures))?;
    readme = with_section(&readme, "fixtures", &table::fixtures(&fixtures))?;
    // Without the corpora their section stays as it is.
    if let Some(corpora) = Corpora::find()? {
        let cases = compare::rows(corpora.cases()?)?;
        let messages = compare::rows(corpora.messages()?)?;
        say("cases", &Counts::of(&cases));
        say("messages", &Counts::of(&messages));
        readme = with_section(&readme, "corpora", &table::corpora(&cases, &messages))?;
    }
    match (readme == committed, is_check) {
        (true, _) => Ok(()),
        (false, true) => {
            Err("the tables of peers/README.md differ: `cargo run` writes them".to_owned())
        }
        (false, false) => fs::write(README, readme).map_err(|error| format!("{README}: {error}")),
    }
}

fn say(what: &str, counts: &Counts) {
    let Counts { inputs, rmcp, tower, all } = counts;
    println!(
        "{inputs} {what}: agreed with rmcp {rmcp}, with tower-mcp-types {tower}, with both {all}"
    );
}

/// The text with what stands between the markers of a section replaced.
fn with_section(text: &str, name: &str, section: &str) -> Result<String, String> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let parts = text.split_once(&open).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&close)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else {
        return Err(format!("{README} has no section {name}"));
    };
    Ok(format!("{before}{open}{section}{close}{after}"))
}
