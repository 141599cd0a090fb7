//! Finding and reading the corpora, printing counts, and chance with a seed.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcparse::{ErrorCode, Kind, Policy, Revision, RevisionSet, Rule};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The folder with the corpora.
pub(crate) struct Corpora(PathBuf);

impl Corpora {
    /// The folder, or `None`, said aloud, where there is none.
    pub(crate) fn find() -> Option<Self> {
        let root = env::var_os("MCPARSE_CORPORA").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora"),
            PathBuf::from,
        );
        if root.is_dir() {
            return Some(Self(root));
        }
        let is_required = env::var_os("MCPARSE_CORPORA_REQUIRED").is_some_and(|value| value == "1");
        assert!(!is_required, "the corpora are required, and not at {}", root.display());
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("test");
        say(format_args!("skipped: {test}: no corpora at {}", root.display()));
        None
    }

    /// Where a file of the corpora stands.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.0.join(path)
    }

    pub(crate) fn read(&self, path: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(path);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, path: &str) -> T {
        serde_json::from_slice(&self.read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The values of a file that holds one in each line.
    pub(crate) fn json_lines<T: DeserializeOwned>(&self, path: &str) -> Vec<T> {
        let text = self.read(path);
        let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let value = |line| serde_json::from_slice(line);
        lines.map(value).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The files below `folder` whose names end so, in order, relative to the
    /// corpora.
    pub(crate) fn files(&self, folder: &str, ending: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of the corpora") {
                let path = entry.expect("an entry of a folder").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.to_string_lossy().ends_with(ending) {
                    let relative = path.strip_prefix(&self.0).expect("a path below the root");
                    found.push(relative.to_string_lossy().into_owned());
                }
            }
        }
        found.sort();
        found
    }
}

/// Prints a line, past the test harness, which hides what passing tests print.
pub(crate) fn say(line: impl Display) {
    writeln!(io::stderr().lock(), "{line}").expect("standard error is open");
}

pub(crate) fn from_base64(text: &str) -> Vec<u8> {
    STANDARD.decode(text).expect("base64")
}

/// Counts cases and keeps what went wrong, so that one failure does not hide
/// the others.
#[derive(Default)]
pub(crate) struct Tally {
    cases: usize,
    wrong: Vec<String>,
}

impl Tally {
    /// Counts a case; `Err` says what is wrong with it.
    pub(crate) fn count(&mut self, name: &str, outcome: Result<(), String>) {
        self.cases += 1;
        if let Err(what) = outcome {
            self.wrong.push(format!("{name}: {what}"));
        }
    }

    /// Prints the counts. Fails if anything was wrong, or if there were more
    /// or fewer cases than the corpora are known to hold.
    pub(crate) fn finish(self, what: &str, expected: usize) {
        let Self { cases, wrong } = self;
        say(format_args!("{cases} {what}: {} right", cases - wrong.len()));
        assert!(wrong.is_empty(), "{} wrong:\n  {}", wrong.len(), wrong.join("\n  "));
        assert_eq!(cases, expected, "cases of {what}");
    }
}

/// `Ok` if `got` is `expected`, else both in words.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(got: &T, expected: &T) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{got:?} instead of {expected:?}")) }
}

/// What `classify` answered, in the words of the corpora.
pub(crate) fn in_words(verdict: Result<Kind, ErrorCode>) -> (&'static str, Option<i32>) {
    match verdict {
        Ok(kind) => (kind.as_str(), None),
        Err(code @ ErrorCode::PARSE_ERROR) => ("parse-error", Some(code.get())),
        Err(code) => ("invalid", Some(code.get())),
    }
}

/// The default rules, where only this revision is served.
pub(crate) fn serving(revision: Revision) -> Policy {
    Policy::strict().with_revisions(RevisionSet::only(revision))
}

/// The revision whose date a name holds, such as that of a captured session.
pub(crate) fn revision_in(name: &str) -> Revision {
    let found = Revision::ALL.into_iter().find(|revision| name.contains(revision.as_str()));
    found.unwrap_or_else(|| panic!("no revision in {name}"))
}

/// The revision that a message says it is of, in `_meta` or, an `initialize`,
/// in its params, if that is one that there is.
pub(crate) fn said_revision(message: &Value) -> Option<Revision> {
    let params = message.get("params")?;
    let of_request = &params["_meta"]["io.modelcontextprotocol/protocolVersion"];
    let said = if message["method"] == "initialize" && of_request.is_null() {
        &params["protocolVersion"]
    } else {
        of_request
    };
    Revision::from_bytes(said.as_str()?.as_bytes())
}

/// What `check` decides, as far as the tables of these tests say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Accept(Kind),
    Refuse(Rule),
}

/// Chance that comes out the same in every run: `SplitMix64`.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % bound.max(1) as u64).expect("less than a usize")
    }

    /// Offsets at which reads of `len` bytes end: many or few, some of them
    /// twice, which makes an empty read.
    pub(crate) fn cuts(&mut self, len: usize) -> Vec<usize> {
        let most = [2, 9, 65, 1025, len + 2][self.below(5)];
        let mut cuts = Vec::new();
        let mut at = 0;
        loop {
            at += self.below(most);
            if at >= len || cuts.len() > 4 * len {
                return cuts;
            }
            cuts.push(at);
        }
    }
}
