//! The policy that `check` judges by: a preset, or a file in TOML, and the
//! revision named on the command line.
//!
//! What a file may say is in `policy/file.rs`, how it becomes a policy in
//! `policy/build.rs`, and what is wrong with it, by line, in `policy/fault.rs`.

mod build;
mod fault;
mod file;

use std::fs;
use std::path::Path;

use mcparse::{Policy, Revision, RevisionSet};

pub(super) use self::build::build;
use super::args::{Judging, Named};
use super::safe::Safe;

/// The longest file that is read; one for a person to write is far shorter.
const MOST_BYTES: u64 = 1 << 20;
/// The most characters that are shown of a file's name.
const MOST_NAME: usize = 200;

/// The policy that the arguments ask for, or what is wrong with it.
pub(super) fn policy(judging: &Judging) -> Result<Policy, String> {
    let policy = match &judging.policy {
        Some(path) => read(path)?,
        None => Policy::strict(),
    };
    let Named::Only(revision) = judging.revision else { return Ok(policy) };
    // As in a policy file: else all batches would be refused, and nobody would
    // notice why.
    if policy.batches() && revision != Revision::V2025_03_26 {
        return Err(format!(
            "the policy takes batches, which are of 2025-03-26; with --revision {revision} it \
             must not"
        ));
    }
    Ok(policy.with_revisions(RevisionSet::only(revision)))
}

/// The policy in the file.
pub(super) fn read(path: &Path) -> Result<Policy, String> {
    let shown = path.to_string_lossy();
    let shown = Safe::new(&shown, MOST_NAME);
    let unread = |error: std::io::Error| format!("cannot read the policy {shown}: {error}");
    let length = fs::metadata(path).map_err(unread)?.len();
    if length > MOST_BYTES {
        return Err(format!("the policy {shown} has {length} bytes, more than {MOST_BYTES}"));
    }
    let text = fs::read(path).map_err(unread)?;
    let text = String::from_utf8(text).map_err(|error| {
        format!("the policy {shown} is not UTF-8 at byte {}", error.utf8_error().valid_up_to())
    })?;
    build(&text).map_err(|fault| format!("{shown}:{}: {fault}", fault.line(&text)))
}
