//! The method table is that of the official schemas: every method, its kind,
//! and who may send it in which revision.
//!
//! The schemas lie where `MCPARSE_CORPORA` points, else in `../shared/corpora`.
//! Where that is absent the test says `skipped` and passes, unless
//! `MCPARSE_CORPORA_REQUIRED=1`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{env, fs};

use mcparse::{Kind, Method, Primitive, Revision, Sender};
use serde_json::Value;

/// What the schemas have for one method.
type Rows = BTreeMap<String, BTreeSet<(Revision, &'static str)>>;

const UNIONS: [(&str, Kind, Sender); 4] = [
    ("ClientRequest", Kind::Request, Sender::Client),
    ("ServerRequest", Kind::Request, Sender::Server),
    ("ClientNotification", Kind::Notification, Sender::Client),
    ("ServerNotification", Kind::Notification, Sender::Server),
];
/// What a server asks inside a result, from 2026-07-28 on.
const ASKED: &str = "InputRequest";

#[test]
fn the_table_has_what_the_schemas_have() {
    let Some(schemas) = schemas() else { return };
    let mut expected = Rows::new();
    for (revision, schema) in &schemas {
        for union in UNIONS.map(|(union, ..)| union).into_iter().chain([ASKED]) {
            for method in methods(schema, union) {
                expected.entry(method).or_default().insert((*revision, union));
            }
        }
    }
    let mut table = Rows::new();
    for &method in Method::ALL {
        let row = table.entry(method.to_string()).or_default();
        for (union, kind, sender) in UNIONS {
            let sent = method.sent_by(sender).iter().filter(|_| method.kind() == kind);
            row.extend(sent.filter(|&at| !is_extension(method, at)).map(|at| (at, union)));
        }
        row.extend(method.asked_in_results().iter().map(|at| (at, ASKED)));
    }
    table.retain(|_, row| !row.is_empty());
    assert_eq!(table, expected);
}

/// The tasks of 2026-07-28 are in no schema.
fn is_extension(method: Method, revision: Revision) -> bool {
    method.primitive() == Primitive::Tasks && revision.is_modern()
}

/// The methods of the definitions that a union names.
fn methods(schema: &Value, union: &str) -> Vec<String> {
    let definitions = schema.get("$defs").or_else(|| schema.get("definitions")).unwrap();
    let Some(definition) = definitions.get(union) else { return Vec::new() };
    // A union of one is that one.
    let Some(arms) = definition.get("anyOf") else { return vec![method(definition)] };
    let arms = arms.as_array().unwrap().iter();
    arms.map(|arm| {
        let name = arm["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        method(&definitions[name])
    })
    .collect()
}

fn method(definition: &Value) -> String {
    definition["properties"]["method"]["const"].as_str().unwrap().to_owned()
}

fn schemas() -> Option<Vec<(Revision, Value)>> {
    let root = env::var_os("MCPARSE_CORPORA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora"),
        PathBuf::from,
    );
    let folder = root.join("mcp");
    if !folder.is_dir() {
        let is_required = env::var_os("MCPARSE_CORPORA_REQUIRED").is_some_and(|value| value == "1");
        assert!(!is_required, "no schemas at {}", folder.display());
        eprintln!("skipped: no schemas at {}", folder.display());
        return None;
    }
    let read = |revision: Revision| {
        let text = fs::read(folder.join(revision.as_str()).join("schema.json")).unwrap();
        (revision, serde_json::from_slice(&text).unwrap())
    };
    Some(Revision::ALL.map(read).into())
}
