//! Annotations of a parsed schema, found by recursion: slow, and obviously right.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::learned;
use crate::param_headers::UnlearnedReason;

/// What a schema's annotations are, and all that is wrong with them: slow, by
/// recursion over the parsed schema.
#[derive(Default)]
struct Twin {
    found: BTreeSet<(String, Vec<String>)>,
    faults: Vec<UnlearnedReason>,
}

impl Twin {
    /// `chain` is the way by `properties` to `value`, if it is a schema there.
    fn visit(&mut self, value: &Value, chain: Option<&[String]>) {
        let members = match value {
            Value::Array(elements) => {
                return elements.iter().for_each(|element| self.visit(element, None));
            }
            Value::Object(members) => members,
            _ => return,
        };
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                ("default" | "const" | "enum" | "examples", _) => {}
                ("properties", Value::Object(properties)) => {
                    for (name, schema) in properties {
                        let chain = chain.map(|chain| [chain, std::slice::from_ref(name)].concat());
                        self.visit(schema, chain.as_deref());
                    }
                }
                ("$defs", Value::Object(definitions)) => {
                    definitions.values().for_each(|schema| self.visit(schema, None));
                }
                ("x-mcp-header", _) => {
                    match chain {
                        Some(chain @ [_, ..]) => self.judge(value, members.get("type"), chain),
                        _ => self.faults.push(UnlearnedReason::Unreachable),
                    }
                    self.visit(value, None);
                }
                _ => self.visit(value, None),
            }
        }
    }

    fn judge(&mut self, header: &Value, kind: Option<&Value>, chain: &[String]) {
        let primitive = [json!("string"), json!("integer"), json!("boolean")];
        let header = header.as_str().unwrap_or(" ");
        let is_new = self.found.iter().all(|(other, _)| !other.eq_ignore_ascii_case(header));
        if header.is_empty() {
            self.faults.push(UnlearnedReason::Empty);
        } else if header
            .contains(|letter: char| !letter.is_ascii_graphic() || DELIMITERS.contains(letter))
        {
            self.faults.push(UnlearnedReason::Token);
        } else if !kind.is_some_and(|kind| primitive.contains(kind)) {
            self.faults.push(UnlearnedReason::Type);
        } else if !is_new {
            self.faults.push(UnlearnedReason::Duplicate);
        }
        self.found.insert((header.to_owned(), chain.to_vec()));
    }
}

/// What stands for itself in HTTP, and so in no token (RFC 9110, section 5.6.2).
const DELIMITERS: &str = "\"(),/:;<=>?@[\\]{}";

/// Schemas and what looks like them, most of them odd.
fn schemas() -> impl Strategy<Value = Value> {
    let word =
        || prop::sample::select(vec!["string", "integer", "number", "a", "A", "b", "", "-", "a,"]);
    let annotated = (word(), prop::sample::select(vec!["a", "A", "b", "c", "d", "", "a,", "|"]))
        .prop_map(|(kind, name)| json!({"type": kind, "x-mcp-header": name}));
    let valid = prop::sample::select(vec!["a", "b", "c", "d", "e", "f", "g", "h", "i"])
        .prop_map(|name| json!({"type": "integer", "x-mcp-header": name}));
    let leaf = prop_oneof![
        4 => valid,
        1 => annotated,
        2 => word().prop_map(|word| json!(word)),
        1 => Just(json!(null)),
        1 => Just(json!({})),
    ];
    leaf.prop_recursive(6, 40, 4, |inner| {
        let keywords = vec!["x-mcp-header", "type", "items", "anyOf", "$defs", "default", "const"];
        let object = |keys: Vec<&'static str>| {
            prop::collection::vec((prop::sample::select(keys), inner.clone()), 0..4)
                .prop_map(|members| members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
                .prop_map(Value::Object)
        };
        let names = || object(vec!["p", "q", "r", "properties", "x-mcp-header"]);
        prop_oneof![
            1 => object(keywords),
            6 => names().prop_map(|names| json!({"properties": names})),
            1 => (names(), inner.clone())
                .prop_map(|(names, other)| json!({"properties": names, "enum": other})),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn annotations_are_found_as_the_twin_finds_them(schema in schemas()) {
        prop_assume!(schema.is_object());
        let mut twin = Twin::default();
        twin.visit(&schema, Some(&[]));
        match learned(&schema.to_string()) {
            Ok(params) => {
                prop_assert!(twin.faults.is_empty(), "{:?}", twin.faults);
                prop_assert_eq!(params.into_iter().collect::<BTreeSet<_>>(), twin.found);
            }
            Err(reason) => prop_assert!(twin.faults.contains(&reason), "{reason}: {:?}", twin.faults),
        }
    }
}
