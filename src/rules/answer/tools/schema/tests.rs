use super::*;

/// What is wrong with a schema, and where.
fn wrong(schema: &str) -> Option<(Rule, usize)> {
    let end = u32::try_from(schema.len()).unwrap();
    let mut all = Vec::new();
    let field = Field { json: JsonType::Object, start: 0, end };
    faults(schema.as_bytes(), field, |rule, at| all.push((rule, at as usize)));
    assert!(all.len() < 2, "{schema}");
    all.pop()
}

/// Whether it is found that the schema refers to what it does not have, where it
/// says so.
fn is_external(schema: &str) -> bool {
    let found = wrong(schema);
    if let Some((rule, at)) = found {
        assert_eq!(rule, Rule::SchemaExternalRef);
        assert!(
            schema[..at].trim_end().ends_with(':') && schema[at..].starts_with('"'),
            "{schema}"
        );
    }
    found.is_some()
}

#[test]
fn a_reference_is_to_the_schema_itself() {
    for local in ["#", "#/$defs/a", "", r"\u0023/a", "#a"] {
        assert!(!is_external(&format!(r#"{{"$ref":"{local}"}}"#)), "{local}");
    }
    for other in ["https://a.example/s", "a.json", "/a#/b", "file:///a", "urn:a", r"\/a", " #"] {
        assert!(is_external(&format!(r#"{{"$ref" : "{other}"}}"#)), "{other}");
    }
    // It is no reference if it is no string.
    for other in ["7", "null", r#"{"a":"b"}"#, r#"["b"]"#, r#"{"$ref":"b"}"#] {
        assert!(!is_external(&format!(r#"{{"$ref":{other}}}"#)), "{other}");
    }
}

#[test]
fn references_are_found_where_schemas_are() {
    let held = [
        r#"{"properties":{"a":X}}"#,
        r#"{"properties":{"$ref":X}}"#,
        r#"{"properties":{"a":true,"b":X}}"#,
        r##"{"$ref":"#","$defs":{"a":{"items":X}}}"##,
        r#"{"items":[{},X]}"#,
        r#"{"items":X}"#,
        r#"{"anyOf":[{"type":"null"},X]}"#,
        r#"{"not":{"if":{"contains":X}}}"#,
        r#"{"dependencies":{"a":["b"],"c":X}}"#,
        r#"{"additionalProperties":X}"#,
        r#"{"\u0061llOf":[X]}"#,
        r#"{"default":{"a":["}",{}]},"not":X}"#,
        r#"{"$id":7,"not":X}"#,
    ];
    for schema in held {
        assert!(is_external(&schema.replace('X', r#"{"$ref":"x"}"#)), "{schema}");
        assert!(!is_external(&schema.replace('X', r##"{"$ref":"#"}"##)), "{schema}");
    }
}

#[test]
fn nothing_else_is_a_reference() {
    let other = [
        r#"{"properties":{"$ref":{"type":"string"}}}"#,
        r#"{"properties":{"$ref":"x"}}"#,
        r#"{"default":X}"#,
        r#"{"const":X,"enum":[X],"examples":[X]}"#,
        r#"{"x-acme":X}"#,
        r#"{"required":["$ref","x"]}"#,
        r#"{"allOf":X}"#,
        r#"{"allOf":[[X]]}"#,
        r#"{"properties":[X]}"#,
        r#"{"not":[X]}"#,
        r#"{"description":"$ref","title":"x"}"#,
        // Whoever has a name may be what is referred to.
        r#"{"$id":"https://a.example/s","not":X}"#,
        r#"{"not":X,"$defs":{"a":{"$id":"x"}}}"#,
        r#"{"not":X,"id":"x"}"#,
    ];
    for schema in other {
        assert!(!is_external(&schema.replace('X', r#"{"$ref":"x"}"#)), "{schema}");
    }
}

#[test]
fn schemas_are_nested_32_deep_and_no_deeper() {
    for (before, behind) in
        [(r#"{"not":"#, "}"), (r#"{"anyOf":[true,"#, "]}"), (r#"{"$defs":{"a":"#, "}}")]
    {
        let nested = |depth: usize| before.repeat(depth - 1) + "{}" + &behind.repeat(depth - 1);
        assert_eq!(wrong(&nested(MOST_DEPTH)), None);
        let excess = before.len() * MOST_DEPTH;
        assert_eq!(wrong(&nested(MOST_DEPTH + 1)), Some((Rule::SchemaTooComplex, excess)));
        assert_eq!(wrong(&nested(5000)), Some((Rule::SchemaTooComplex, excess)));
    }
    // What is no schema may be deeper.
    let data = format!(r#"{{"default":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
    assert_eq!(wrong(&data), None);
}

#[test]
fn there_are_1024_schemas_and_no_more() {
    let many = |count: usize| format!(r#"{{"anyOf":[{}{{}}]}}"#, "{},".repeat(count - 2));
    assert_eq!(wrong(&many(MOST_SCHEMAS)), None);
    let excess = many(MOST_SCHEMAS + 1).rfind("{}").unwrap();
    let expected = Some((Rule::SchemaTooComplex, excess));
    assert_eq!(wrong(&many(MOST_SCHEMAS + 1)), expected);
    assert_eq!(wrong(&many(300_000)), expected);
    // Nothing is said of the references of such a one.
    let external = many(MOST_SCHEMAS + 1).replacen("{}", r#"{"$ref":"x"}"#, 1);
    assert_eq!(wrong(&external).map(|(rule, _)| rule), Some(Rule::SchemaTooComplex));
}

#[test]
fn what_is_no_json_ends_it() {
    let schema = r#"{"properties":{"a\"":{"$ref":"x"},"b":[{"c":1}]},"anyOf":[{"not":{}}]}]]"#;
    for end in 0..=schema.len() {
        for start in 0..=end {
            let place = |at: usize| u32::try_from(at).unwrap();
            let field = Field { json: JsonType::Object, start: place(start), end: place(end) };
            faults(schema.as_bytes(), field, |_, _| {});
        }
    }
}
