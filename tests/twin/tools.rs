//! The rules of what the tools of a list say of themselves, in words.

use mcparse::{Kind, Method, Revision, RevisionSet, Rule};

use super::message::Message;
use super::read::{Json, Value};
use super::truth::last;

/// Where an answer breaks one of these rules first.
pub(crate) fn breaks(message: &Message<'_>, to: &Message<'_>, rule: Rule) -> Option<usize> {
    let is_list = to.is_request() && to.protocol_method() == Some(Method::ToolsList);
    let result = message.result.filter(|_| is_list && message.kind() == Kind::Result)?.members();
    let kind = last(&result, "resultType").filter(|_| !message.is_legacy());
    let is_complete = kind.is_none_or(|kind| kind.is_text("complete"));
    let first = match rule {
        Rule::ToolInputSchema | Rule::ToolNameDuplicate => Revision::V2024_11_05,
        Rule::ToolNameForm | Rule::IconUriScheme => Revision::V2025_11_25,
        _ => Revision::V2026_07_28,
    };
    let all_have_it = message.revisions.without_all(RevisionSet::since(first)).is_empty();
    let tools = last(&result, "tools").filter(|tools| tools.json() == Json::Array)?.parts();
    if !is_complete || !all_have_it {
        return None;
    }
    if rule == Rule::ToolNameDuplicate {
        return duplicate(&tools);
    }
    tools.into_iter().find_map(|tool| of_tool(tool, rule))
}

fn string(value: Option<Value<'_>>) -> Option<Value<'_>> {
    value.filter(|value| value.json() == Json::String)
}

fn duplicate(tools: &[Value<'_>]) -> Option<usize> {
    let names = tools.iter().filter_map(|tool| string(last(&tool.members(), "name")));
    let mut seen = std::collections::HashSet::new();
    names.take(1024).find(|name| !seen.insert(name.decoded())).map(|name| name.at)
}

fn of_tool(tool: Value<'_>, rule: Rule) -> Option<usize> {
    let members = tool.members();
    let get = |name| last(&members, name);
    match rule {
        Rule::ToolInputSchema => {
            let schema = get("inputSchema");
            let kind = schema.and_then(|schema| last(&schema.members(), "type"));
            let is_right = kind.is_some_and(|kind| kind.is_text("object"));
            (!is_right).then_some(schema.unwrap_or(tool).at)
        }
        Rule::ToolNameForm => {
            let name = string(get("name"))?;
            let text = String::from_utf8(name.decoded()?).expect("a string");
            let is_allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.');
            let count = text.chars().count();
            let is_right = (1..=128).contains(&count) && text.chars().all(is_allowed);
            (!is_right).then_some(name.at)
        }
        Rule::IconUriScheme => {
            let icons = get("icons").filter(|icons| icons.json() == Json::Array)?.parts();
            let mut sources =
                icons.into_iter().filter_map(|icon| string(last(&icon.members(), "src")));
            let is_wrong = |source: &Value<'_>| {
                let uri = String::from_utf8(source.decoded().expect("a string")).expect("a string");
                let scheme = uri.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
                !matches!(scheme.as_deref(), Some("https" | "http" | "data"))
            };
            sources.find(is_wrong).map(|source| source.at)
        }
        Rule::SchemaTooComplex | Rule::SchemaExternalRef => {
            let schemas = ["inputSchema", "outputSchema"].into_iter().filter_map(get);
            let mut schemas = schemas.filter(|schema| schema.json() == Json::Object);
            schemas.find_map(|schema| of_schema(schema, rule))
        }
        _ => None,
    }
}

fn of_schema(schema: Value<'_>, rule: Rule) -> Option<usize> {
    let mut all = Vec::new();
    collect(schema, 1, &mut all);
    let mut counted = all.iter().enumerate();
    let excess = counted.find(|(at, (depth, _))| *depth > 32 || *at >= 1024);
    if rule == Rule::SchemaTooComplex || excess.is_some() {
        return excess.filter(|_| rule == Rule::SchemaTooComplex).map(|(_, (_, schema))| schema.at);
    }
    let strings = |name: &str| -> Vec<Value<'_>> {
        let members = all.iter().flat_map(|(_, schema)| schema.members());
        let named = members.filter(|member| member.name == name.as_bytes());
        named.filter_map(|member| string(Some(member.value))).collect()
    };
    let is_named = !strings("$id").is_empty() || !strings("id").is_empty();
    let is_external = |to: &Value<'_>| {
        let to = to.decoded().unwrap_or_default();
        !to.is_empty() && !to.starts_with(b"#")
    };
    strings("$ref").into_iter().filter(is_external).map(|to| to.at).min().filter(|_| !is_named)
}

/// The schema and all that are in it, in the order of the text, with how deep
/// each lies.
fn collect<'m>(schema: Value<'m>, depth: usize, all: &mut Vec<(usize, Value<'m>)>) {
    if schema.json() != Json::Object {
        return;
    }
    all.push((depth, schema));
    for member in schema.members() {
        let is_any = |names: &[&str]| names.iter().any(|name| member.name == name.as_bytes());
        let value = member.value;
        let holds_many = match value.json() {
            Json::Array => is_any(OF_MANY) || is_any(&["items"]),
            Json::Object => is_any(OF_NAMED),
            _ => false,
        };
        if holds_many {
            for inner in value.parts() {
                collect(inner, depth + 1, all);
            }
        } else if is_any(OF_ONE) {
            collect(value, depth + 1, all);
        }
    }
}

/// The keywords that hold a schema, those that hold an array of them, and those
/// that hold them by names.
const OF_ONE: &[&str] = &[
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
];
const OF_MANY: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
const OF_NAMED: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
];
