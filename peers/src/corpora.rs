//! Messages of others, where their folder is there: cases distilled from bug
//! reports, and what the official SDKs were seen to send.

use std::path::{Path, PathBuf};
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::input::{Input, LEGACY};

/// The folder with the corpora.
pub(crate) struct Corpora(PathBuf);

impl Corpora {
    /// The folder: where `MCPARSE_CORPORA` points, or beside the repository.
    ///
    /// # Errors
    ///
    /// If there is none, and `MCPARSE_CORPORA_REQUIRED` is 1.
    pub(crate) fn find() -> Result<Option<Self>, String> {
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
        let root = env::var_os("MCPARSE_CORPORA").map_or_else(beside, PathBuf::from);
        if root.is_dir() {
            return Ok(Some(Self(root)));
        }
        if env::var_os("MCPARSE_CORPORA_REQUIRED").is_some_and(|value| value == "1") {
            return Err(format!("the corpora are required, and not at {}", root.display()));
        }
        println!("no corpora at {}: only the fixtures are compared", root.display());
        Ok(None)
    }

    /// The single messages and the HTTP requests of `cases.jsonl`.
    pub(crate) fn cases(&self) -> Result<Vec<Input>, String> {
        let cases: Vec<Case> = self.lines("cases.jsonl")?;
        let is_one = |case: &Case| matches!(&*case.surface, "message" | "http-request");
        cases.into_iter().filter(is_one).map(Case::input).collect()
    }

    /// What clients send in `messages.jsonl`.
    pub(crate) fn messages(&self) -> Result<Vec<Input>, String> {
        let rows: Vec<Row> = self.lines("messages.jsonl")?;
        let of_client = rows.into_iter().filter(|row| row.dir == "c2s");
        Ok(of_client.map(Row::input).collect())
    }

    fn lines<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, String> {
        let path = self.0.join(name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let values = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        values.map_err(|error| format!("{name}: {error}"))
    }
}

#[derive(Deserialize)]
struct Case {
    name: String,
    surface: String,
    revision: String,
    input_b64: String,
    headers: Option<Vec<(String, String)>>,
}

impl Case {
    fn input(self) -> Result<Input, String> {
        let bytes = STANDARD.decode(&self.input_b64);
        let bytes = bytes.map_err(|error| format!("{}: {error}", self.name))?;
        let is_http = self.surface == "http-request";
        let headers = is_http.then(|| self.headers.unwrap_or_default());
        Ok(Input { name: self.name, bytes, revision: revision(&self.revision), headers })
    }
}

#[derive(Deserialize)]
struct Row {
    dir: String,
    rev: String,
    sha: String,
    text: String,
}

impl Row {
    fn input(self) -> Input {
        let revision = revision(&self.rev);
        Input { name: self.sha, bytes: self.text.into_bytes(), revision, headers: None }
    }
}

/// The revision as a constant; what is of any is taken for a legacy message.
fn revision(date: &str) -> &'static str {
    ["2026-07-28", "2025-06-18", "2025-03-26", "2024-11-05"]
        .into_iter()
        .find(|known| *known == date)
        .unwrap_or(LEGACY)
}
