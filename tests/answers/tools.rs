//! The rules of what the tools of a list say of themselves.

use mcparse::{Action, Policy, Revision, RevisionSet, Rule, Sender, Summary, Validator};

use crate::support::{asked, named, plainly, result};

/// What is found in a complete list of these tools, that is to `to`: each rule,
/// and where it is broken by a policy that refuses by it.
fn found(to: &Summary, message: &str) -> Vec<(&'static str, usize)> {
    let mut validator = Validator::new(Policy::strict());
    let findings = match validator.check_answer(to, message.as_bytes()) {
        Ok(message) => message.findings(),
        Err(violation) => panic!("{violation}: {message}"),
    };
    let place = |rule: Rule| {
        let policy = Policy::strict().with_action(rule, Action::Refuse);
        let both = [Validator::new(policy), Validator::with_tape_alone(policy)];
        let [one, other] = both.map(|mut validator| {
            let refused = validator.check_answer(to, message.as_bytes()).unwrap_err();
            (refused.rule(), refused.offset())
        });
        assert_eq!(one, other, "{message}");
        assert_eq!(one.0, rule, "{message}");
        (rule.id(), usize::try_from(one.1).unwrap())
    };
    findings.iter().map(place).collect()
}

/// A modern list of these tools.
fn list(tools: &str) -> String {
    named(&format!(r#""resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{tools}]"#))
}

/// That these tools break one rule, and at `at`; or none.
fn is(tools: &str, expected: Option<(&'static str, &str)>) {
    let message = list(tools);
    let expected = expected.map(|(rule, at)| {
        let place = message.rfind(at).unwrap_or_else(|| panic!("{at} is in {message}"));
        (rule, place)
    });
    assert_eq!(found(&asked("tools/list"), &message), Vec::from_iter(expected), "{message}");
}

const RIGHT: &str = r#"{"name":"a","inputSchema":{"type":"object"}}"#;

/// A tool with this input schema.
fn with_schema(schema: &str) -> String {
    format!(r#"{{"name":"a","inputSchema":{schema}}}"#)
}

#[test]
fn arguments_are_an_object() {
    is(RIGHT, None);
    is("", None);
    is(&with_schema(r#"{"type":"obj\u0065ct","properties":{"type":7}}"#), None);
    is(&with_schema(r#"{"type":"string","type":"object"}"#), None);
    let wrong = ["{}", "null", "true", "[]", r#""object""#];
    let of_type = ["7", r#""string""#, r#"["object"]"#, "null", r#""Object""#];
    let typed = of_type.map(|kind| format!(r#"{{"type":{kind}}}"#));
    for schema in wrong.into_iter().map(str::to_owned).chain(typed) {
        is(&with_schema(&schema), Some(("tool-input-schema", &format!("{schema}}}"))));
    }
    is(r#"{"name":"a"}"#, Some(("tool-input-schema", r#"{"name":"a"}"#)));
    is(&format!("{RIGHT},7"), Some(("tool-input-schema", "7],")));
}

#[test]
fn a_name_is_short_and_plain() {
    let tool = |name: &str| RIGHT.replace(r#""a""#, name);
    let of = |count: usize| format!("\"{}\"", "n".repeat(count));
    for right in [r#""getUser""#, r#""admin.tools.list""#, r#""A-Z_0.9""#, &of(128), r#""\u0061""#]
    {
        is(&tool(right), None);
    }
    for wrong in [r#""""#, r#""get user""#, r#""a,b""#, r#""é""#, r#""a\/b""#, &of(129)] {
        is(&tool(wrong), Some(("tool-name-form", wrong)));
    }
}

#[test]
fn a_name_is_given_once() {
    let tool = |name: &str| RIGHT.replace(r#""a""#, name);
    is(&[tool(r#""a""#), tool(r#""A""#), tool("7"), tool("7")].join(","), None);
    let twice = [tool(r#""a""#), tool(r#""b""#), tool(r#""\u0061""#)].join(",");
    is(&twice, Some(("tool-name-duplicate", r#""\u0061""#)));
    for (others, is_found) in [(1022, true), (1023, false), (20_000, false)] {
        let many: Vec<_> = (0..others).map(|at| tool(&format!(r#""n{at}""#))).collect();
        let last = r#"{"inputSchema":{"type":"object"},"name" :"a"}"#;
        let tools = [RIGHT, &many.join(","), last].join(",");
        is(&tools, is_found.then_some(("tool-name-duplicate", r#""a"}]"#)));
    }
}

#[test]
fn a_schema_refers_to_itself() {
    let of = |to: &str| format!(r#"{{"type":"object","properties":{{"p":{{"$ref":"{to}"}}}}}}"#);
    is(&with_schema(&of("#/$defs/p")), None);
    for to in ["https://a.example/s", "s.json"] {
        let at = format!("\"{to}\"");
        is(&with_schema(&of(to)), Some(("schema-external-ref", &at)));
        let of_output = RIGHT.replace("}}", &format!(r#"}},"outputSchema":{}}}"#, of(to)));
        is(&of_output, Some(("schema-external-ref", &at)));
    }
    // Only the schemas of tools are read.
    is(&RIGHT.replace("}}", r#"},"_meta":{"$ref":"https:\/\/a.example"}}"#), None);
}

#[test]
fn a_schema_has_bounds() {
    let deep = |depth: usize| {
        let inner = r#"{"not":"#.repeat(depth - 1) + "{}" + &"}".repeat(depth - 1);
        RIGHT.replace("}}", &format!(r#"}},"outputSchema":{inner}}}"#))
    };
    is(&deep(32), None);
    is(&deep(33), Some(("schema-too-complex", "{}}")));
    let wide = |count: usize| {
        with_schema(&format!(r#"{{"type":"object","oneOf":[{}{{ }}]}}"#, "{},".repeat(count - 2)))
    };
    is(&wide(1024), None);
    is(&wide(1025), Some(("schema-too-complex", "{ }")));
}

#[test]
fn an_icon_is_at_a_url_or_is_data() {
    let of = |icons: &str| RIGHT.replace("}}", &format!(r#"}},"icons":{icons}}}"#));
    let at = |uri: &str| of(&format!(r#"[{{"src":"https://a"}},{{"src":"{uri}"}}]"#));
    for right in ["http://a", "data:,", "HTTPS://a", r"data\u003a,"] {
        is(&at(right), None);
    }
    for wrong in ["javascript:alert(1)", "file:///etc", "ws://a", "a.png", ""] {
        is(&at(wrong), Some(("icon-uri-scheme", &format!("\"{wrong}\"}}]"))));
    }
    for other in ["7", "{}", "[7]", "[{}]", r#"[{"src":7}]"#, r#"{"src":"x"}"#] {
        is(&of(other), None);
    }
}

#[test]
fn several_rules_are_found_in_one_list() {
    let bad =
        r#"{"name":"é","icons":[{"src":"x:"}],"inputSchema":{"$ref":"x"},"outputSchema":OUT}"#;
    let bad = bad.replace("OUT", &(r#"{"not":"#.repeat(33) + "1" + &"}".repeat(33)));
    let rules: Vec<_> = found(&asked("tools/list"), &list(&format!("{bad},{bad}")))
        .into_iter()
        .map(|(rule, _)| rule)
        .collect();
    let all = [
        "tool-input-schema",
        "tool-name-form",
        "tool-name-duplicate",
        "schema-external-ref",
        "schema-too-complex",
        "icon-uri-scheme",
    ];
    assert_eq!(rules, all);
}

/// What breaks a rule of each revision.
const BAD: &str = r#"{"name":"é","icons":[{"src":"x:"}],"inputSchema":{"$ref":"x"}},{"name":"é","inputSchema":{"type":"object"}}"#;

#[test]
fn a_rule_holds_where_all_revisions_have_it() {
    let old: &[&str] = &["tool-input-schema", "tool-name-duplicate"];
    let newer: &[&str] =
        &["tool-input-schema", "tool-name-form", "tool-name-duplicate", "icon-uri-scheme"];
    let one = RevisionSet::only;
    for (served, expected) in [
        (one(Revision::V2024_11_05), old),
        (one(Revision::V2025_06_18), old),
        (one(Revision::V2025_11_25), newer),
        (one(Revision::V2025_11_25).with(Revision::V2025_06_18), old),
        (RevisionSet::ALL, old),
    ] {
        let policy = Policy::strict().with_revisions(served);
        let to = plainly(Sender::Client, policy, "tools/list", "");
        let message = result(&format!(r#""tools":[{BAD}]"#));
        let rules: Vec<_> = found(&to, &message).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, expected, "{served:?}");
    }
}

#[test]
fn only_the_complete_list_of_tools_is_judged() {
    let tools = format!(r#""tools":[{BAD}]"#);
    let find = |method: &str, members: &str| found(&asked(method), &named(members));
    let complete = format!(r#""resultType":"complete","ttlMs":0,"cacheScope":"public",{tools}"#);
    assert_eq!(find("prompts/list", &format!(r#"{complete},"prompts":[]"#)), []);
    let rules = |members: &str| -> Vec<_> {
        find("tools/list", members).into_iter().map(|(rule, _)| rule).collect()
    };
    assert_eq!(rules(&complete).len(), 5);
    // Without a type it is read as complete.
    let untyped = complete.replace(r#""resultType":"complete","#, "");
    assert_eq!(rules(&untyped).len(), 6);
    // The last member counts.
    let twice = format!(r#"{complete},"tools":[]"#);
    let policy = Policy::observe();
    let mut validator = Validator::new(policy);
    let twice = named(&twice);
    let message = validator.check_answer(&asked("tools/list"), twice.as_bytes()).unwrap();
    assert!(!message.findings().contains(Rule::ToolNameForm));
    let is_other = complete.replace("complete", "task");
    let is_other = named(&is_other);
    let message = validator.check_answer(&asked("tools/list"), is_other.as_bytes()).unwrap();
    assert!(!message.findings().contains(Rule::ToolNameForm));
}
