//! The table against the official schemas; and these, read one level deep, for
//! other tests.
//!
//! They lie where `MCPARSE_CORPORA` points, else in `../shared/corpora`. Where
//! that is absent the tests say `skipped` and pass, unless
//! `MCPARSE_CORPORA_REQUIRED=1`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use serde_json::{Map, Value};

use super::*;
use crate::revision::Revision;

/// What the official schema of a revision has for the params of a method.
pub(crate) struct Official {
    pub(crate) revision: Revision,
    pub(crate) method: Method,
    pub(crate) params_required: bool,
    /// More than one where the params have variants.
    pub(crate) alternatives: Vec<Alternative>,
}

pub(crate) struct Alternative {
    /// Without `_meta`.
    pub(crate) required: BTreeSet<String>,
    /// The schemas of all members, references resolved; without `_meta`.
    pub(crate) members: Map<String, Value>,
}

/// A file of the corpora.
pub(crate) fn corpus(path: &str) -> Option<Vec<u8>> {
    let root = env::var_os("MCPARSE_CORPORA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora"),
        PathBuf::from,
    );
    let path = root.join(path);
    if !path.is_file() {
        let is_required = env::var_os("MCPARSE_CORPORA_REQUIRED").is_some_and(|value| value == "1");
        assert!(!is_required, "{} is required", path.display());
        eprintln!("skipped: no {}", path.display());
        return None;
    }
    Some(fs::read(path).unwrap())
}

/// Every method of every revision, as `method_shapes.json` lists them and
/// `schema.json` types them.
pub(crate) fn official() -> Option<Vec<Official>> {
    let shapes: Value = serde_json::from_slice(&corpus("method_shapes.json")?).unwrap();
    let mut all = Vec::new();
    for revision in Revision::ALL {
        let schema = corpus(&format!("mcp/{revision}/schema.json"))?;
        let schema: Value = serde_json::from_slice(&schema).unwrap();
        let methods = &shapes["revisions"][revision.as_str()]["methods"];
        for (name, row) in methods.as_object().unwrap() {
            // Where two definitions share a method the second is marked.
            let method = Method::from_bytes(name.split('#').next().unwrap().as_bytes());
            let definition = &definitions(&schema)[row["definition"].as_str().unwrap()];
            let params = alternatives(&schema, &definition["properties"]["params"]);
            let listed = row["params"]["anyOf"].as_array();
            let listed = listed.map_or_else(|| vec![&row["params"]], |any| any.iter().collect());
            assert!(params.iter().map(names).eq(listed.into_iter().map(names_listed)), "{name}");
            all.push(Official {
                revision,
                method: method.unwrap_or_else(|| panic!("{name} is in no table")),
                params_required: row["params_required"].as_bool().unwrap(),
                alternatives: params,
            });
        }
    }
    Some(all)
}

fn definitions(schema: &Value) -> &Value {
    schema.get("$defs").or_else(|| schema.get("definitions")).unwrap()
}

fn resolved<'v>(schema: &'v Value, node: &'v Value) -> &'v Value {
    match node.get("$ref") {
        Some(name) => {
            let name = name.as_str().unwrap().rsplit('/').next().unwrap();
            resolved(schema, &definitions(schema)[name])
        }
        None => node,
    }
}

/// What `node` says that an object may have, one alternative each.
fn alternatives(schema: &Value, node: &Value) -> Vec<Alternative> {
    let node = resolved(schema, node);
    if let Some(any) = node.get("anyOf") {
        return any.as_array().unwrap().iter().flat_map(|arm| alternatives(schema, arm)).collect();
    }
    let mut found = Alternative { required: BTreeSet::new(), members: Map::new() };
    for part in node.get("allOf").and_then(Value::as_array).unwrap_or(&Vec::new()) {
        let [part] = <[_; 1]>::try_from(alternatives(schema, part)).ok().unwrap();
        found.required.extend(part.required);
        found.members.extend(part.members);
    }
    for name in node.get("required").and_then(Value::as_array).unwrap_or(&Vec::new()) {
        found.required.insert(name.as_str().unwrap().to_owned());
    }
    for (name, member) in node.get("properties").and_then(Value::as_object).unwrap_or(&Map::new()) {
        found.members.insert(name.clone(), shallow(schema, member));
    }
    found.required.remove("_meta");
    found.members.remove("_meta");
    vec![found]
}

/// `node` without references and without what it says of the inside.
fn shallow(schema: &Value, node: &Value) -> Value {
    let node = resolved(schema, node);
    if let Some(any) = node.get("anyOf") {
        let arms = any.as_array().unwrap().iter().map(|arm| shallow(schema, arm)).collect();
        return Value::Object(Map::from_iter([("anyOf".to_owned(), Value::Array(arms))]));
    }
    let kept = ["type", "enum", "const"];
    kept.iter().filter_map(|&key| Some((key.to_owned(), node.get(key)?.clone()))).collect()
}

/// Required names and all names.
fn names(params: &Alternative) -> (BTreeSet<String>, BTreeSet<String>) {
    (params.required.clone(), params.members.keys().cloned().collect())
}

fn names_listed(row: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let keys = |part: &str| -> BTreeSet<String> {
        let keys = row[part].as_object().unwrap().keys();
        keys.filter(|&name| name != "_meta").cloned().collect()
    };
    (keys("required"), &keys("required") | &keys("optional"))
}

/// Whether a schema made by [`shallow`] takes `value`.
pub(crate) fn takes(schema: &Value, value: &Value) -> bool {
    if let Some(any) = schema.get("anyOf") {
        return any.as_array().unwrap().iter().any(|arm| takes(arm, value));
    }
    let is = |name: &Value| match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("type {other}"),
    };
    let has_type = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(is),
        Some(name) => is(name),
        None => true,
    };
    let is_listed = schema.get("enum").is_none_or(|list| list.as_array().unwrap().contains(value));
    has_type && is_listed && schema.get("const").is_none_or(|only| only == value)
}

/// The shape that the table has for an alternative.
fn shape(official: &Official, alternative: &Alternative) -> &'static Shape {
    let shape = of(official.method);
    match shape.variant {
        Some(variant) if alternative.members.contains_key("url") => variant.shape,
        _ => shape,
    }
}

#[test]
fn the_table_has_the_members_of_the_schemas() {
    let Some(all) = official() else { return };
    let mut members = 0;
    for official in &all {
        let Official { method, revision, .. } = *official;
        for alternative in &official.alternatives {
            let shape = shape(official, alternative);
            let ours = |set: fn(&Member) -> RevisionSet| -> BTreeSet<String> {
                let members = shape.members.iter().filter(|member| set(member).contains(revision));
                members.map(|member| member.name.to_owned()).collect()
            };
            let ours = (ours(|member| member.required), ours(|member| member.defined));
            assert_eq!(ours, names(alternative), "{method} {revision}");
            assert_eq!(shape.needed.contains(revision), official.params_required, "{method}");
            members += alternative.members.len();
        }
    }
    assert_eq!((all.len(), members), (126, 216), "methods and members compared");
}

/// What has rules of its own.
const JUDGED_ELSEWHERE: [&str; 3] = ["resultType", "ttlMs", "cacheScope"];

/// The schemas of the complete result of every method that has one, and of the
/// one that asks for input.
fn official_results() -> Option<Vec<(Revision, Option<Method>, Alternative)>> {
    let shapes: Value = serde_json::from_slice(&corpus("method_shapes.json")?).unwrap();
    let mut all = Vec::new();
    for revision in Revision::ALL {
        let schema = corpus(&format!("mcp/{revision}/schema.json"))?;
        let schema: Value = serde_json::from_slice(&schema).unwrap();
        let of = |name: &str| {
            let definition = &definitions(&schema)[name];
            let [mut found] = <[_; 1]>::try_from(alternatives(&schema, definition)).ok().unwrap();
            for name in JUDGED_ELSEWHERE {
                found.required.remove(name);
                found.members.remove(name);
            }
            found
        };
        let methods = &shapes["revisions"][revision.as_str()]["methods"];
        for (name, row) in methods.as_object().unwrap() {
            let Some(result) = row["result_def"].as_str() else { continue };
            let method = Method::from_bytes(name.as_bytes()).unwrap();
            all.push((revision, Some(method), of(result)));
            let given = row["result_alternatives"].as_array();
            let asks = given.is_some_and(|given| given.contains(&"InputRequiredResult".into()));
            assert_eq!(asks, revision.is_modern() && method.may_ask_for_input(), "{method}");
        }
        if revision.is_modern() {
            all.push((revision, None, of("InputRequiredResult")));
        }
    }
    Some(all)
}

#[test]
fn the_table_has_the_members_of_the_results_of_the_schemas() {
    let Some(all) = official_results() else { return };
    let samples: Vec<Value> =
        ["null", "true", "1", "1.5", "\"x\"", "\"user\"", "\"accept\"", "\"working\"", "[]", "{}"]
            .map(|text| serde_json::from_str(text).unwrap())
            .into();
    let (mut members, mut values) = (0, 0);
    for (revision, method, official) in &all {
        let shape = method.map_or(INPUT_REQUIRED, of_result);
        let about = method.map_or("input_required", Method::as_str);
        // The table says nothing of what stands in `tools/call`'s place later on.
        let ours = |set: fn(&Member) -> RevisionSet| -> BTreeSet<String> {
            let members = shape.members.iter().filter(|member| set(member).contains(*revision));
            members.map(|member| member.name.to_owned()).collect()
        };
        let ours = (ours(|member| member.required), ours(|member| member.defined));
        assert_eq!(ours, names(official), "{about} {revision}");
        members += official.members.len();
        for member in shape.members.iter().filter(|member| member.defined.contains(*revision)) {
            for sample in &samples {
                let is_taken = takes(&official.members[member.name], sample);
                let ours = member.takes_in(*revision).takes(sample);
                assert_eq!(ours, is_taken, "{about} {revision} {} {sample}", member.name);
                values += 1;
            }
        }
    }
    assert_eq!((all.len(), members, values), (80, 141, 1410), "results, members, values compared");
}

impl Takes {
    /// Whether a value is taken, in the words of `serde_json`.
    fn takes(self, value: &Value) -> bool {
        let is_integer = value.as_f64().is_some_and(|number| number.fract() == 0.0);
        match self {
            Self::Anything => true,
            Self::Boolean => value.is_boolean(),
            Self::String => value.is_string(),
            Self::Number => value.is_number(),
            Self::Integer => is_integer,
            Self::IntegerOrNull => is_integer || value.is_null(),
            Self::StringOrInteger => is_integer || value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
            Self::ObjectOrArray => value.is_object() || value.is_array(),
            Self::ObjectOrNull => value.is_object() || value.is_null(),
            Self::Word(list) => value.as_str().is_some_and(|text| list.words.contains(&text)),
        }
    }
}

#[test]
fn a_table_is_small_and_names_each_member_once() {
    let variants = Method::ALL.iter().filter_map(|&method| of(method).variant);
    let variants = variants.map(|variant| variant.shape);
    let results = Method::ALL.iter().map(|&method| of_result(method)).chain([INPUT_REQUIRED]);
    for shape in Method::ALL.iter().map(|&m| of(m)).chain(variants).chain(results) {
        assert!(shape.members.len() <= 16, "the bits of a u16");
        let names: BTreeSet<_> = shape.members.iter().map(|member| member.name).collect();
        assert_eq!(names.len(), shape.members.len());
        for Member { name, defined, required, .. } in shape.members {
            assert!(!name.contains('\\'));
            assert_eq!(required.intersection(*defined), *required, "{name}");
        }
    }
}
