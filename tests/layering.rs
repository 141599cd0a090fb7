//! The house keeps its order: a file uses its own row and earlier ones, never a
//! later one. Read from the text of `src`, without test modules and comments.
//!
//! It sees paths: what a macro would build, or a string hold, it does not know.

use std::fs;
use std::path::Path;

/// The house table: every file under `src` but `lib.rs`, by row. `dir/*` is a
/// whole folder, with the file of its name.
const HOUSE: [(u8, &[&str]); 19] = [
    (1, &["code", "era", "id", "kind", "revision", "text", "words", "write"]),
    (2, &["method", "method/primitive", "method/revision_set", "method/table"]),
    (
        2,
        &[
            "rule",
            "rule/row",
            "rule/section",
            "rule/set",
            "rule/table",
            "rule/table/between",
            "shapes",
            "shapes/params",
            "shapes/results",
            "shapes/tests",
        ],
    ),
    (3, &["cause", "violation", "violation/detail", "policy", "policy/extension", "policy/limits"]),
    (3, &["error_data"]),
    (4, &["envelope"]),
    (5, &["frame", "frame/lines", "frame/sse", "frame/sse/under_way"]),
    (
        6,
        &[
            "head",
            "head/copies",
            "head/media",
            "head/names",
            "head/response",
            "summary",
            "summary/differences",
            "summary/kept",
        ],
    ),
    (
        5,
        &[
            "json",
            "json/grammar",
            "json/grammar/tests",
            "json/members",
            "json/lanes",
            "json/reader",
        ],
    ),
    (
        5,
        &[
            "json/kernel",
            "json/kernel/avx2",
            "json/kernel/avx2/tests",
            "json/kernel/avx512",
            "json/kernel/avx512/tests",
            "json/kernel/guard",
            "json/kernel/sse2",
            "json/kernel/sse2/tests",
            "json/blocks",
            "json/blocks/escapes",
            "json/blocks/numbers",
            "json/blocks/tests",
            "json/blocks/words",
            "json/ends",
            "json/ends/tests",
            "json/ends/tests/guarded",
            "json/ends/tests/model",
            "json/ends/tests/texts",
            "json/scan",
            "json/scan/scope",
            "json/scan/skip",
            "json/scan/tokens",
            "json/chunks",
        ],
    ),
    (5, &["json/tape", "json/walk", "json/duplicates"]),
    (6, &["capabilities", "meta", "message", "message/view", "param_headers", "param_headers/*"]),
    (7, &["rules", "rules/*"]),
    (
        8,
        &[
            "answering",
            "body",
            "validator",
            "validator/answers",
            "validator/batch",
            "validator/chunked",
            "classify",
        ],
    ),
    (
        9,
        &[
            "counters",
            "counters/snapshot",
            "reply",
            "compose/*",
            "exchange",
            "exchange/*",
            "rewrite",
            "rewrite/*",
        ],
    ),
    (9, &["legacy", "legacy/*"]),
    (10, &["codec", "codec/*", "telemetry", "telemetry/*"]),
    (10, &["layer", "layer/*"]),
    (11, &["main", "cli/*"]),
];
/// The row of the command, which is a crate of its own and sees the library's
/// public API only.
const COMMAND: u8 = 11;
/// The room of the handshake era: a dead end, that no file outside of it may use.
const LEGACY: &str = "legacy";
const CEILING: usize = 500;
const MEDIAN: usize = 250;

#[test]
fn every_file_keeps_to_its_row() {
    let faults: Vec<_> = sources().iter().flat_map(|(name, text)| faults(name, text)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_entry_of_the_table_is_a_file() {
    let sources = sources();
    for entry in HOUSE.iter().flat_map(|(_, entries)| *entries) {
        assert!(sources.iter().any(|(name, _)| covers(entry, name)), "no file for {entry}");
    }
}

#[test]
fn files_are_small() {
    let mut sizes: Vec<_> = sources().iter().map(|(_, text)| text.lines().count()).collect();
    sizes.sort_unstable();
    let median = sizes[sizes.len() / 2];
    assert!(median <= MEDIAN, "the median file has {median} lines");
}

#[test]
fn what_breaks_the_order_is_found() {
    for (name, text, fault) in [
        ("id", "use crate::validator::Validator;", "id: uses validator, a later row"),
        ("id", "fn f() { crate::json::tape::f() }", "id: uses json/tape, a later row"),
        ("id", "use crate::{text::Text, reply};", "id: uses reply, a later row"),
        ("id", "use crate::{\n    code,\n    json::{grammar::*, walk as w},\n};", "json/walk"),
        ("json/walk", "use super::super::message::Message;", "uses message, a later row"),
        ("frame", "use self::lines::LineFramer; use super::reply;", "frame: uses reply"),
        ("id", "use crate::Validator;", "id: names the crate root"),
        ("id", "use crate::cli::run;", "id: uses cli/run, a later row"),
        ("text", "#[cfg(test)]\nmod tests {\n}\nuse crate::rule;\n", "text: uses rule"),
        ("validator", "use crate::legacy::Session;", "uses legacy/Session, a later row"),
        ("reply", "use crate::legacy::Session;", "reply: goes into the room of the handshake era"),
        (
            "compose/client",
            "use crate::legacy::state::f;",
            "goes into the room of the handshake era",
        ),
        ("stranger", "", "stranger: in no row"),
        ("main", "mod json;", "main: reaches past the public API, to json"),
        ("cli/output", "use crate::id::Id;", "cli/output: reaches past the public API, to id"),
        ("main", "#[path = \"id.rs\"]\nmod cli;", "main: includes a file by its path"),
        ("json/walk", "use simd_json::Node;", "json/walk: names simd_json"),
        ("text", "fn f() { unsafe { g() } }", "text: unsafe code"),
        ("json/kernel", "use simd_json::Node;", "json/kernel: names simd_json"),
        ("text", "\n".repeat(501).as_str(), "text: 501 lines"),
        ("lib", "mod id;\nfn f() {}\n", "lib: holds more than"),
        ("lib", "mod id { use a; }\n", "lib: holds more than"),
    ] {
        let faults = faults(name, text);
        assert!(faults.iter().any(|found| found.contains(fault)), "{name} {text:?}: {faults:?}");
    }
}

#[test]
fn what_keeps_the_order_is_left_alone() {
    for (name, text) in [
        ("validator", "use crate::json::{duplicates, walk};\nuse crate::classify::classify;"),
        ("id", "//! See [`crate::Validator`].\n/// unsafe, simd_json\nuse super::text::Text;"),
        ("id", "use crate::text;\n\n#[cfg(test)]\nmod tests {\n    use crate::reply::f;\n}\n"),
        ("frame", "mod lines;\npub use lines::LineFramer;\nfn f() { std::mem::take(x) }"),
        ("legacy/hear", "use super::Session;\nuse crate::legacy::state::State;"),
        ("json/tape", "use simd_json::{Buffers, Node};\nuse super::grammar::{self, Fault};"),
        ("main", "mod cli;\nuse mcparse::Validator;\nfn main() { cli::run(); }"),
        ("cli/output", "use super::Options;\nuse crate::cli::Format;"),
        ("lib", "//! Words.\n#![forbid(unsafe_code)]\nmod id;\npub use id::{\n    Id,\n};\n"),
        ("lib", "#[doc = include_str!(\"../README.md\")]\nstruct Readme;\n"),
    ] {
        assert_eq!(faults(name, text), [""; 0], "{name} {text:?}");
    }
}

/// Every file under `src`, `json/tape.rs` as `json/tape`, and its text.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("src can be listed") {
            let path = entry.expect("src can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let module = path.strip_prefix(&root).expect("it is below").with_extension("");
                let name = module.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>();
                let text = fs::read_to_string(&path).expect("a source is UTF-8");
                found.push((name.join("/"), text));
            }
        }
    }
    assert!(found.len() > 10, "the house has more files than {found:?}");
    found
}

fn faults(name: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let words = words(&code);
    let mut faults = Vec::new();
    match row(name) {
        _ if name == "lib" => faults.extend(logic_in(&code)),
        None => faults.push("in no row of the house table".to_owned()),
        Some(own) => {
            faults.extend(paths(&words).iter().filter_map(|path| strays(name, own, path)));
        }
    }
    if text.lines().count() > CEILING {
        faults.push(format!("{} lines, more than {CEILING}", text.lines().count()));
    }
    if name != "json/tape" && words.contains(&"simd_json") {
        faults.push("names simd_json, as only json/tape may".to_owned());
    }
    let unsafely =
        |pair: &[&str]| matches!(*pair, ["unsafe", "{" | "(" | "fn" | "impl" | "extern"]);
    if !name.starts_with("json/kernel") && words.windows(2).any(unsafely) {
        faults.push("unsafe code, as only json/kernel may have".to_owned());
    }
    if code.contains("#[path") || code.contains("include!") {
        faults.push("includes a file by its path, unseen by this test".to_owned());
    }
    faults.into_iter().map(|fault| format!("{name}: {fault}")).collect()
}

/// What is wrong with `path` in the file `name` of row `own`.
fn strays(name: &str, own: u8, path: &[&str]) -> Option<String> {
    let target = target(name, path);
    match row(&target) {
        Some(row) if own == COMMAND && row != own => {
            Some(format!("reaches past the public API, to {target}"))
        }
        Some(row) if row > own => Some(format!("uses {target}, a later row")),
        Some(_) if is_legacy(&target) && !is_legacy(name) => {
            Some(format!("goes into the room of the handshake era, to {target}"))
        }
        None if own != COMMAND => Some("names the crate root; name the module".to_owned()),
        _ => None,
    }
}

/// The module that `path` in the file `name` leads to, without the item in it.
/// That of the crate root is empty.
fn target(name: &str, path: &[&str]) -> String {
    let mut module: Vec<_> = name.split('/').filter(|&part| part != "main").collect();
    for &part in path {
        match part {
            "crate" => module.clear(),
            "super" => drop(module.pop()),
            "self" => {}
            _ => module.push(part),
        }
    }
    while row(&module.join("/")).is_none() && module.pop().is_some() {}
    module.join("/")
}

fn row(module: &str) -> Option<u8> {
    HOUSE
        .iter()
        .find(|(_, entries)| entries.iter().any(|entry| covers(entry, module)))
        .map(|(row, _)| *row)
}

fn is_legacy(module: &str) -> bool {
    module.split('/').next() == Some(LEGACY)
}

fn covers(entry: &str, module: &str) -> bool {
    match entry.strip_suffix("/*") {
        Some(folder) => module.split('/').next() == Some(folder),
        None => entry == module,
    }
}

/// `text` without comments and test modules.
fn code(text: &str) -> String {
    let (before, after) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((text, ""));
    let after = after.split_once("\n}\n").map_or("", |(_, after)| after);
    let lines = before.lines().chain(after.lines());
    lines.map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The words and signs of `code`, `::` as one.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let len = match rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()) {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            len => len,
        };
        words.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    words
}

/// Every path in the crate that `words` name, those of `mod` items included.
fn paths<'c>(words: &[&'c str]) -> Vec<Vec<&'c str>> {
    let mut paths = Vec::new();
    for (at, window) in words.windows(3).enumerate() {
        match *window {
            ["crate" | "self" | "super", "::", _] if at == 0 || words[at - 1] != "::" => {
                branch(&words[at..], &[], &mut paths);
            }
            ["mod", child, ";"] => paths.push(vec!["self", child]),
            _ => {}
        }
    }
    paths
}

/// Reads one path off the front of `words`, as many as it is if it ends in
/// braces, and gives what follows.
fn branch<'w, 'c>(
    mut words: &'w [&'c str],
    stem: &[&'c str],
    paths: &mut Vec<Vec<&'c str>>,
) -> &'w [&'c str] {
    let mut path = stem.to_vec();
    loop {
        match words {
            ["{", tail @ ..] => {
                words = tail;
                while !matches!(words, [] | ["}", ..]) {
                    words = branch(words, &path, paths);
                    // A new name after `as`, and the comma.
                    let is_end = |word: &&str| matches!(*word, "," | "}");
                    let end = words.iter().position(is_end).unwrap_or(words.len());
                    words = &words[end..];
                    words = words.strip_prefix(&[","]).unwrap_or(words);
                }
                return words.strip_prefix(&["}"]).unwrap_or(words);
            }
            [part, "::", tail @ ..] => {
                path.push(part);
                words = tail;
            }
            [part, tail @ ..] => {
                path.push(part);
                paths.push(path);
                return tail;
            }
            [] => return words,
        }
    }
}

/// What `lib.rs` holds besides attributes, `mod` and `use` items, and the empty
/// type that the README's doctests hang on.
fn logic_in(code: &str) -> Option<String> {
    let items: String = code.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let is_plain = |item: &&str| {
        let item = item.trim().trim_start_matches("pub ");
        matches!(item, "" | "struct Readme")
            || item.starts_with("use ")
            || item.starts_with("mod ") && !item.contains('{')
    };
    let logic = items.split(';').find(|item| !is_plain(item))?;
    Some(format!("holds more than attributes, modules and re-exports: {}", logic.trim()))
}
