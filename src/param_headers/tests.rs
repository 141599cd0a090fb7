mod twin;

use std::time::Duration;

use super::*;
use crate::policy::Limits;

/// A list of these tools, of which more follow if `more`.
fn list(tools: &[String], more: bool) -> String {
    let cursor = if more { r#""nextCursor":"c","# } else { "" };
    format!(r#"{{{cursor}"ttlMs":300000,"tools":[{}]}}"#, tools.join(","))
}

fn tool(name: &str, schema: &str) -> String {
    format!(r#"{{"name":"{name}","inputSchema":{schema}}}"#)
}

/// A tool with one string parameter, mirrored by `header`.
fn mirrored(name: &str, header: &str) -> String {
    let property = format!(r#"{{"type":"string","x-mcp-header":"{header}"}}"#);
    tool(name, &format!(r#"{{"properties":{{"p":{property}}}}}"#))
}

fn learn(table: &ParamHeaders, page: Page, tools: &[String], more: bool) -> Learned {
    table.learn(page, list(tools, more).as_bytes(), Instant::now())
}

/// The headers and paths that are learned from one schema.
fn learned(schema: &str) -> Result<Vec<(String, Vec<String>)>, UnlearnedReason> {
    let table = ParamHeaders::new();
    let learned = learn(&table, Page::First, &[tool("t", schema)], false);
    assert_eq!(learned.tools + learned.unlearned_in_all, 1);
    match learned.unlearned.first() {
        Some(unlearned) => Err(unlearned.reason),
        None => Ok(known(&table, "t").unwrap()),
    }
}

fn known(table: &ParamHeaders, name: &str) -> Option<Vec<(String, Vec<String>)>> {
    let tool = table.tool(Text::new(name.as_bytes()))?;
    let params = tool.params.iter().map(|param| {
        (param.header.to_string(), param.path.iter().map(ToString::to_string).collect())
    });
    Some(params.collect())
}

fn path(header: &str, path: &[&str]) -> (String, Vec<String>) {
    (header.to_owned(), path.iter().map(ToString::to_string).collect())
}

/// `{"properties":{"p":property}}`.
fn property(property: &str) -> String {
    format!(r#"{{"type":"object","properties":{{"p":{property}}}}}"#)
}

const fn is_shared<T: Send + Sync + 'static>() {}
const _: () = is_shared::<ParamHeaders>();

#[test]
fn annotations_are_learned_along_chains_of_properties() {
    let schema = r#"{"type":"object","properties":{
        "region":{"x-mcp-header":"Region","type":"string"},
        "query":{"type":"string"},
        "deep":{"type":"object","properties":{
            "er":{"type":"integer","x-mcp-header":"Deep-Er"},
            "properties":{"properties":{"x":{"type":"boolean","x\u002dmcp-header":"X"}}}}},
        "caf\u00e9":{"type":"string","x-mcp-header":"!#$%&'*+-.^_`|~"}}}"#;
    let expected = [
        path("Region", &["region"]),
        path("Deep-Er", &["deep", "er"]),
        path("X", &["deep", "properties", "x"]),
        path("!#$%&'*+-.^_`|~", &["café"]),
    ];
    assert_eq!(learned(schema).unwrap(), expected);
}

#[test]
fn a_property_or_a_value_of_that_name_is_no_annotation() {
    for schema in [
        r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#,
        r#"{"properties":{"p":{"default":{"x-mcp-header":""}}}}"#,
        r#"{"const":{"x-mcp-header":""},"enum":[[{"x-mcp-header":""}]]}"#,
        r#"{"examples":[{"properties":{"p":{"x-mcp-header":""}}}]}"#,
        r#"{"$defs":{"x-mcp-header":{"type":"string"}},"dependentRequired":{"x-mcp-header":["a"]}}"#,
        r#"{"items":{"properties":{"x-mcp-header":{}},"default":{"x-mcp-header":1}}}"#,
        r#"{"description":"x-mcp-header","required":["x-mcp-header"]}"#,
        r#"{"title":"\"x-mcp-header\":\"A\""}"#,
        "{}",
    ] {
        assert_eq!(learned(schema), Ok(vec![]), "{schema}");
    }
    let both =
        property(r#"{"type":"string","x-mcp-header":"A"}"#).replace("\"p\"", "\"x-mcp-header\"");
    assert_eq!(learned(&both).unwrap(), [path("A", &["x-mcp-header"])]);
}

#[test]
fn an_annotation_anywhere_else_makes_the_tool_invalid() {
    let annotated = r#"{"type":"string","x-mcp-header":"A"}"#;
    let chain = property(annotated);
    let mut schemas = vec![annotated.to_owned(), property(&format!("[{annotated}]"))];
    for keyword in
        ["items", "additionalProperties", "not", "if", "then", "else", "contains", "x-vendor"]
    {
        schemas.push(format!(r#"{{"{keyword}":{annotated}}}"#));
        schemas.push(property(&format!(r#"{{"{keyword}":{chain}}}"#)));
    }
    for keyword in ["oneOf", "anyOf", "allOf", "prefixItems", "items"] {
        schemas.push(format!(r#"{{"{keyword}":[{{}},{annotated}]}}"#));
        schemas.push(property(&format!(r#"{{"{keyword}":[{chain}]}}"#)));
    }
    for keyword in ["$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"]
    {
        schemas.push(format!(r#"{{"{keyword}":{{"d":{annotated}}}}}"#));
        schemas.push(property(&format!(r#"{{"{keyword}":{{"properties":{chain}}}}}"#)));
    }
    for schema in schemas {
        assert_eq!(learned(&schema), Err(UnlearnedReason::Unreachable), "{schema}");
    }
}

#[test]
fn an_annotation_is_a_token_of_a_primitive_type_and_unique() {
    use UnlearnedReason::{Duplicate, Empty, Token, Type};
    for (annotated, reason) in [
        (r#"{"type":"string","x-mcp-header":""}"#, Empty),
        (r#"{"type":"string","x-mcp-header":"a b"}"#, Token),
        (r#"{"type":"string","x-mcp-header":"a:"}"#, Token),
        (r#"{"type":"string","x-mcp-header":"a\r\n"}"#, Token),
        (r#"{"type":"string","x-mcp-header":"é"}"#, Token),
        (r#"{"type":"string","x-mcp-header":"\ud800"}"#, Token),
        (r#"{"type":"string","x-mcp-header":7}"#, Token),
        (r#"{"type":"string","x-mcp-header":null}"#, Token),
        (r#"{"type":"string","x-mcp-header":["A"]}"#, Token),
        (r#"{"type":"number","x-mcp-header":"A"}"#, Type),
        (r#"{"type":"object","x-mcp-header":"A"}"#, Type),
        (r#"{"type":["string"],"x-mcp-header":"A"}"#, Type),
        (r#"{"type":["string","null"],"x-mcp-header":"A"}"#, Type),
        (r#"{"type":"String","x-mcp-header":"A"}"#, Type),
        (r#"{"x-mcp-header":"A"}"#, Type),
        (r#"{"anyOf":[{"type":"string"}],"x-mcp-header":"A"}"#, Type),
    ] {
        assert_eq!(learned(&property(annotated)), Err(reason), "{annotated}");
    }
    let twice = r#"{"properties":{"a":{"type":"string","x-mcp-header":"Ab"},
        "o":{"properties":{"b":{"type":"string","x-mcp-header":"aB"}}}}}"#;
    assert_eq!(learned(twice), Err(Duplicate));
}

#[test]
fn what_readers_may_take_differently_is_not_learned() {
    let annotated = r#"{"type":"string","x-mcp-header":"A"}"#;
    for schema in [
        r#"{"properties":{"p":{"type":"string","type":"string","x-mcp-header":"A"}}}"#.to_owned(),
        r#"{"properties":{"p":{"type":"string","x-mcp-header":"A","x-mcp-header":"B"}}}"#
            .to_owned(),
        format!(r#"{{"properties":{{"p":{annotated},"\u0070":{{}}}}}}"#),
        format!(r#"{{"properties":{{"p":{annotated}}},"properties":{{}}}}"#),
    ] {
        assert_eq!(learned(&schema), Err(UnlearnedReason::Ambiguous), "{schema}");
    }
    // Without an annotation there is nothing to differ in.
    assert_eq!(learned(r#"{"properties":{"p":{},"p":{}}}"#), Ok(vec![]));
    let schema = property(annotated);
    let tools = [
        format!(r#"{{"name":"t","inputSchema":{schema},"inputSchema":{{}}}}"#),
        format!(r#"{{"name":"u","name":"v","inputSchema":{schema}}}"#),
    ];
    let learned = learn(&ParamHeaders::new(), Page::First, &tools, false);
    let reasons: Vec<_> = learned.unlearned.iter().map(|unlearned| unlearned.reason).collect();
    assert_eq!(reasons, [UnlearnedReason::Ambiguous; 2]);
}

#[test]
fn a_tool_given_twice_is_learned_only_if_both_are_annotated_alike() {
    let table = ParamHeaders::new();
    let tools = [
        mirrored("alike", "A"),
        mirrored("differs", "A"),
        mirrored("alike", "A"),
        mirrored(r"d\u0069ffers", "B"),
        mirrored("differs", "A"),
    ];
    let learned = learn(&table, Page::First, &tools, false);
    assert_eq!((learned.tools, learned.unlearned_in_all), (1, 1));
    assert_eq!(learned.unlearned[0].tool, "differs");
    assert_eq!(learned.unlearned[0].reason, UnlearnedReason::Ambiguous);
    assert_eq!(known(&table, "differs"), None);
    // On a later page it is new.
    learn(&table, Page::Next, &[mirrored("alike", "C")], false);
    assert_eq!(known(&table, "alike").unwrap(), [path("C", &["p"])]);
}

#[test]
fn one_invalid_tool_does_not_keep_others_from_being_learned() {
    let table = ParamHeaders::new();
    let tools = [
        mirrored("bad", ""),
        r#"{"inputSchema":{}}"#.to_owned(),
        "7".to_owned(),
        r#"{"name":"bare"}"#.to_owned(),
        r#"{"name":"odd","inputSchema":true}"#.to_owned(),
        mirrored("good", "A"),
        tool("plain", "{}"),
    ];
    let learned = learn(&table, Page::First, &tools, false);
    assert_eq!((learned.tools, learned.unlearned_in_all), (2, 5));
    assert_eq!(known(&table, "plain"), Some(vec![]));
    let shapes =
        learned.unlearned.iter().filter(|unlearned| unlearned.reason == UnlearnedReason::Shape);
    assert_eq!(shapes.count(), 4);
}

#[test]
fn a_tool_that_turns_invalid_is_forgotten() {
    let table = ParamHeaders::new();
    learn(&table, Page::First, &[mirrored("t", "A")], false);
    learn(&table, Page::First, &[mirrored("t", "a b")], true);
    assert_eq!(known(&table, "t"), None);
}

#[test]
fn tools_stay_known_until_a_new_list_is_complete() {
    let table = ParamHeaders::new();
    learn(&table, Page::First, &[mirrored("a", "A"), mirrored("b", "B")], true);
    learn(&table, Page::Next, &[mirrored("c", "C")], false);
    learn(&table, Page::First, &[mirrored("a", "New")], true);
    assert_eq!(known(&table, "a").unwrap(), [path("New", &["p"])]);
    assert!(known(&table, "b").is_some() && known(&table, "c").is_some());
    learn(&table, Page::Next, &[mirrored("c", "C")], false);
    assert!(known(&table, "b").is_none() && known(&table, "c").is_some());
}

#[test]
fn lists_of_two_callers_may_overlap() {
    let table = ParamHeaders::new();
    let (first, second) = ([mirrored("a", "A")], [mirrored("b", "B")]);
    learn(&table, Page::First, &first, true);
    learn(&table, Page::First, &first, true);
    learn(&table, Page::Next, &second, false);
    assert!(known(&table, "a").is_some() && known(&table, "b").is_some());
    learn(&table, Page::Next, &second, false);
    assert!(known(&table, "a").is_some() && known(&table, "b").is_some());
}

#[test]
fn what_is_no_list_changes_nothing() {
    let table = ParamHeaders::new();
    learn(&table, Page::First, &[mirrored("a", "A")], false);
    for result in ["", "7", "[]", "{}", r#"{"tools":{}}"#, r#"{"tools":null}"#] {
        let learned = table.learn(Page::First, result.as_bytes(), Instant::now());
        assert_eq!(learned, Learned::default());
        assert!(known(&table, "a").is_some(), "{result}");
    }
    table.learn(Page::First, br#" {"tools":[],"nextCursor":null} "#, Instant::now());
    assert_eq!(known(&table, "a"), None);
}

#[test]
fn what_is_forgotten_leaves_room() {
    let table = ParamHeaders::new();
    learn(&table, Page::First, &[mirrored("a", "A")], false);
    table.forget();
    assert_eq!(known(&table, "a"), None);
    let inner = table.table.read().unwrap();
    assert_eq!((inner.len(), inner.bytes()), (0, 0));
}

#[test]
fn tools_are_found_in_whatever_order_and_spelling() {
    let table = ParamHeaders::new();
    let names = ["b", "a", "", "aa", "é", "Z", "a.b"];
    learn(&table, Page::First, &names.map(|name| tool(name, "{}")), false);
    for name in names {
        assert!(known(&table, name).is_some(), "{name}");
    }
    assert!(known(&table, r"\u00e9").is_some() && known(&table, r"\u0061a").is_some());
    assert!(known(&table, "A").is_none() && known(&table, "ab").is_none());
}

#[test]
fn a_list_is_stale_after_its_time_and_never_before_the_least() {
    let now = Instant::now();
    let stale_after = |ttl: &str, seconds: u64| {
        let table = ParamHeaders::new();
        let result = list(&[mirrored("t", "A")], false).replace(r#""ttlMs":300000"#, ttl);
        table.learn(Page::First, result.as_bytes(), now);
        let tool = table.tool(Text::new(b"t")).unwrap();
        let is_stale_after = |millis| tool.is_stale(now + Duration::from_millis(millis));
        assert!(!is_stale_after(seconds * 1000 - 1), "{ttl}");
        is_stale_after(seconds * 1000)
    };
    assert!(stale_after(r#""ttlMs":300000"#, 300));
    assert!(stale_after(r#""ttlMs":61000"#, 61));
    for as_good_as_none in ["0", "59999", "-5", "1e9", "null", "\"300000\"", "300000.5"] {
        assert!(stale_after(&format!(r#""ttlMs":{as_good_as_none}"#), 60), "{as_good_as_none}");
    }
    assert!(stale_after(r#""a":1"#, 60));
    assert!(!stale_after(r#""ttlMs":99999999999999999999999999"#, 1 << 30));
}

#[test]
fn the_tools_have_a_limit() {
    let table = ParamHeaders::with_limits(ParamLimits::new().with_tools(2));
    let [a, b, c] = ["a", "b", "c"].map(|name| mirrored(name, "A"));
    let learned = learn(&table, Page::First, &[a.clone(), b.clone()], false);
    assert_eq!((learned.tools, learned.unlearned_in_all), (2, 0));
    let learned = learn(&table, Page::First, &[a.clone(), b.clone(), c.clone()], false);
    assert_eq!((learned.tools, learned.unlearned_in_all), (2, 1));
    assert_eq!(learned.unlearned[0].tool, "c");
    assert_eq!(learned.unlearned[0].reason, UnlearnedReason::TooManyTools);
    let learned = learn(&table, Page::Next, std::slice::from_ref(&c), true);
    assert_eq!(learned.unlearned[0].reason, UnlearnedReason::TooManyTools);
    // A known one in its place needs no new room.
    assert_eq!(learn(&table, Page::Next, &[b], true).tools, 1);
    // What a new list may not have makes room.
    assert_eq!(learn(&table, Page::First, &[c], true).tools, 1);
    assert!(known(&table, "a").is_none() && known(&table, "c").is_some());
}

#[test]
fn a_tool_past_the_limit_that_contradicts_one_within_is_seen() {
    let table = ParamHeaders::with_limits(ParamLimits::new().with_tools(1));
    let tools = [mirrored("a", "A"), mirrored("b", "B"), mirrored("a", "C")];
    let learned = learn(&table, Page::First, &tools, false);
    assert_eq!((learned.tools, learned.unlearned_in_all), (0, 2));
    assert_eq!(learned.unlearned[1].reason, UnlearnedReason::Ambiguous);
}

#[test]
fn the_bytes_have_a_limit() {
    let tools = [mirrored("a", "A"), mirrored("b", "B")];
    let table = ParamHeaders::new();
    learn(&table, Page::First, &tools, false);
    let bytes = table.table.read().unwrap().bytes();
    let table = ParamHeaders::with_limits(ParamLimits::new().with_bytes(bytes));
    assert_eq!(learn(&table, Page::First, &tools, false).tools, 2);
    let table = ParamHeaders::with_limits(ParamLimits::new().with_bytes(bytes - 1));
    let learned = learn(&table, Page::First, &tools, false);
    assert_eq!(learned.tools, 1);
    assert_eq!(learned.unlearned[0].reason, UnlearnedReason::TooManyBytes);
    // Replaced tools do not count twice.
    assert_eq!(learn(&table, Page::Next, &[mirrored("a", "A")], false).tools, 1);
    assert!(table.table.read().unwrap().bytes() < bytes);
}

#[test]
fn the_params_of_a_tool_have_a_limit() {
    let schema = |count: usize| {
        let params = (0..count)
            .map(|at| format!(r#""p{at}":{{"type":"string","x-mcp-header":"H{at}"}}"#))
            .collect::<Vec<_>>();
        format!(r#"{{"properties":{{{}}}}}"#, params.join(","))
    };
    assert_eq!(learned(&schema(16)).unwrap().len(), 16);
    assert_eq!(learned(&schema(17)), Err(UnlearnedReason::TooManyParams));
}

#[test]
fn the_way_to_a_param_has_a_limit() {
    let deep = |depth: usize| {
        let annotated = r#"{"type":"string","x-mcp-header":"A"}"#.to_owned();
        (0..depth).fold(annotated, |schema, _| property(&schema))
    };
    assert_eq!(learned(&deep(16)).unwrap()[0].1.len(), 16);
    assert_eq!(learned(&deep(17)), Err(UnlearnedReason::TooDeep));
    let nested = |depth: usize| "{\"items\":".repeat(depth - 1) + "{}" + &"}".repeat(depth - 1);
    assert_eq!(learned(&nested(Limits::MOST_DEPTH)), Ok(vec![]));
    assert_eq!(learned(&nested(Limits::MOST_DEPTH + 1)), Err(UnlearnedReason::TooDeep));
}

#[test]
fn what_is_said_of_unlearned_tools_has_a_limit() {
    let long = "é".repeat(Unlearned::MOST_NAME_CHARS);
    for (count, named) in [(64, 64), (65, 64)] {
        let tools: Vec<_> = (0..count).map(|at| mirrored(&format!("{at}"), "")).collect();
        let learned = learn(&ParamHeaders::new(), Page::First, &tools, false);
        assert_eq!((learned.unlearned.len(), learned.unlearned_in_all), (named, count));
    }
    for name in [long.clone(), long.clone() + "x"] {
        let learned = learn(&ParamHeaders::new(), Page::First, &[mirrored(&name, "")], false);
        assert_eq!(learned.unlearned[0].tool, long);
    }
}

#[test]
fn bytes_that_are_no_json_do_no_harm() {
    let good = list(&[mirrored(r"a\u0062", "A"), tool("b", r#"{"items":[{"x":"\\"}]}"#)], true);
    let table = ParamHeaders::new();
    for end in 0..good.len() {
        table.learn(Page::First, &good.as_bytes()[..end], Instant::now());
        for byte in *b"\"\\{}[],:x\xff" {
            let mut damaged = good.clone().into_bytes();
            damaged[end] = byte;
            table.learn(Page::Next, &damaged, Instant::now());
        }
    }
}

#[test]
fn reasons_are_shown_by_their_ids() {
    assert_eq!(UnlearnedReason::Empty.to_string(), "param-annotation-empty");
    assert_eq!(UnlearnedReason::Unreachable.id(), "param-annotation-unreachable");
}
