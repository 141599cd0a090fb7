use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::param_headers::Page;

const LIMIT: usize = 64;

fn received<'s, 'v>(headers: &'s [(&'v [u8], &'v [u8])], limit: usize) -> Received<'s, 'v> {
    Received { headers, is_cut: false, limit, has_lookalike: false }
}

/// A tool `t` whose parameters `region`, `count` and `o.b` are mirrored.
fn table() -> ParamHeaders {
    let table = ParamHeaders::new();
    let result = json!({"ttlMs": 600_000, "tools": [{"name": "t", "inputSchema": {"properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "o": {"properties": {"b": {"type": "boolean", "x-mcp-header": "Flag"}}},
        "plain": {"type": "string"},
    }}}]});
    assert_eq!(table.learn(Page::First, result.to_string().as_bytes(), Instant::now()).tools, 1);
    table
}

type Headers<'h> = &'h [(&'h str, &'h str)];

/// What `then` makes of a call of `t` with the body `{"arguments":...}`.
fn judge<T>(arguments: &str, headers: Headers, then: impl FnOnce(&str, Checked<'_>) -> T) -> T {
    let message = format!(r#"{{"arguments":{arguments}}}"#);
    let end = u32::try_from(message.len()).unwrap();
    let root = Field { json: JsonType::Object, start: 0, end };
    let field = reader::member(message.as_bytes(), root, "arguments");
    let headers: Vec<_> =
        headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    let (table, name) = (table(), Text::new(b"t"));
    let checked = check(
        &table,
        Instant::now,
        name,
        field,
        message.as_bytes(),
        received(&headers, LIMIT),
        None,
    );
    assert!(checked.is_known && !checked.is_stale);
    assert_eq!(checked.broken.first(), checked.fault.map(|fault| fault.rule));
    then(&message, checked)
}

/// The ids of all that is broken.
fn broken(arguments: &str, headers: Headers) -> Vec<&'static str> {
    judge(arguments, headers, |_, checked| checked.broken.iter().map(Rule::id).collect())
}

fn region(argument: &str, header: &str) -> Vec<&'static str> {
    broken(&format!(r#"{{"region":{argument}}}"#), &[("Mcp-Param-Region", header)])
}

#[test]
fn headers_that_mirror_their_arguments_pass() {
    let headers = [
        ("mcp-param-REGION", "us-west1"),
        ("Mcp-Param-Count", "42"),
        ("MCP-PARAM-FLAG", "true"),
        ("Mcp-Param-Plain", "unknown, and so ignored"),
        ("Mcp-Param-", "é"),
        ("Mcp-Param", "é"),
        ("Region", "no"),
        ("Xcp-Param-Region", "no"),
    ];
    let arguments = r#"{"plain":"p","o":{"b":true},"count":42,"region":"us\u002dwest1"}"#;
    assert_eq!(broken(arguments, &headers), [""; 0]);
    assert_eq!(broken("{}", &[]), [""; 0]);
}

#[test]
fn an_argument_that_is_given_needs_its_header() {
    for argument in [r#""""#, r#""a""#, "0", "false", "{}", "[]", "1.5"] {
        assert_eq!(broken(&format!(r#"{{"region":{argument}}}"#), &[]), ["param-header-missing"]);
        let nested = format!(r#"{{"o":{{"b":{argument}}}}}"#);
        assert_eq!(broken(&nested, &[]), ["param-header-missing"]);
    }
}

#[test]
fn an_argument_that_is_null_or_absent_must_have_none() {
    for arguments in [r#"{"o":{"b":null}}"#, r#"{"o":{}}"#, r#"{"o":7}"#, "{}", "[]", "7", "null"] {
        assert_eq!(broken(arguments, &[]), [""; 0], "{arguments}");
        for value in ["true", "", "null"] {
            let headers = [("Mcp-Param-Flag", value)];
            assert_eq!(broken(arguments, &headers), ["param-header-unexpected"], "{arguments}");
        }
    }
    let checked = check(
        &table(),
        Instant::now,
        Text::new(b"t"),
        Field::default(),
        b"{}",
        received(&[(b"Mcp-Param-Flag", b"true")], LIMIT),
        None,
    );
    assert_eq!(checked.fault.map(|fault| fault.rule), Some(Rule::ParamHeaderUnexpected));
}

#[test]
fn a_string_is_compared_byte_for_byte() {
    for (argument, header) in [
        (r#""""#, ""),
        (r#""""#, "=?base64??="),
        (r#""a b""#, "a b"),
        (r#""\u0061\/""#, "a/"),
        (r#""Hello, \u4e16界""#, "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (r#""a""#, "=?base64?YQ==?="),
        (r#""=?base64?""#, "=?base64?"),
    ] {
        assert_eq!(region(argument, header), [""; 0], "{argument} {header}");
    }
    for (argument, header) in [
        (r#""a""#, "A"),
        (r#""a""#, ""),
        (r#""a""#, "ab"),
        (r#""ab""#, "a"),
        (r#""a""#, r#""a""#),
        (r#""42""#, "42.0"),
        (r#""=?base64?YQ==?=""#, "=?base64?YQ==?="),
    ] {
        assert_eq!(region(argument, header), ["param-header-mismatch"], "{argument} {header}");
    }
}

#[test]
fn a_number_is_compared_by_value() {
    for (argument, header) in [
        ("42", "42.0"),
        ("42.0", "42"),
        ("0", "-0"),
        ("1e2", "100"),
        ("-7", "-70e-1"),
        ("7", "=?base64?Nw==?="),
        ("9007199254740991", "9007199254740991"),
        ("-9007199254740991", "-9007199254740991"),
    ] {
        assert_eq!(region(argument, header), [""; 0], "{argument} {header}");
    }
    for (argument, header) in [
        ("42", "43"),
        ("42", "-42"),
        ("42", "+42"),
        ("42", "042"),
        ("42", "42."),
        ("42", "4 2"),
        ("42", "42e"),
        ("42", "0x2a"),
        ("42", "\"42\""),
        ("42", ""),
        ("0", ".0"),
        ("0", "-"),
        ("1.5", "1.5"),
        ("0.1", "1e-1"),
        ("9007199254740991", "9007199254740992"),
    ] {
        assert_eq!(region(argument, header), ["param-header-mismatch"], "{argument} {header}");
    }
    let digits = |len: usize| format!("1.{}", "0".repeat(len - 2));
    let wrapped = |len| format!("=?base64?{}?=", STANDARD.encode(digits(len)));
    let beyond = ["header-too-long", "param-header-mismatch"];
    assert_eq!(region("1", &wrapped(WRAPPED_NUMBER)), ["header-too-long"]);
    assert_eq!(region("1", &wrapped(WRAPPED_NUMBER + 1)), beyond);
}

#[test]
fn an_integer_past_the_safe_range_is_refused() {
    for number in ["9007199254740992", "-9007199254740992", "1e16", "99999999999999999999.0"] {
        assert_eq!(region(number, number), ["param-header-range"], "{number}");
    }
    let both = ["param-header-mismatch", "param-header-range"];
    assert_eq!(region("9007199254740993", "9007199254740992"), both);
}

#[test]
fn a_boolean_is_compared_with_its_word() {
    assert_eq!(region("true", "true"), [""; 0]);
    assert_eq!(region("false", "=?base64?ZmFsc2U=?="), [""; 0]);
    for (argument, header) in [("true", "True"), ("true", "false"), ("false", "0"), ("true", "")] {
        assert_eq!(region(argument, header), ["param-header-mismatch"]);
    }
    for argument in ["{}", "[]", r#"["a"]"#] {
        assert_eq!(region(argument, argument), ["param-header-mismatch"]);
    }
}

#[test]
fn what_cannot_be_unwrapped_does_not_match() {
    assert_eq!(region(r#""a""#, "=?base64?YQ?="), ["header-base64", "param-header-mismatch"]);
    let not_utf8 = ["header-base64-utf8", "param-header-mismatch"];
    assert_eq!(region(r#""a""#, "=?base64?/w==?="), not_utf8);
    assert_eq!(region(r#""a""#, "=?base64?YR==?="), ["header-base64-stray-bits"]);
    assert_eq!(region("7", "=?base64?Nx==?="), ["header-base64-stray-bits"]);
}

#[test]
fn a_known_header_is_plain_and_within_the_limit() {
    assert_eq!(region(r#""é""#, "é"), ["header-characters"]);
    assert_eq!(region("null", "é"), ["header-characters", "param-header-unexpected"]);
    let long = "a".repeat(LIMIT);
    assert_eq!(region(&format!("\"{long}\""), &long), [""; 0]);
    let longer = long + "a";
    assert_eq!(region(&format!("\"{longer}\""), &longer), ["header-too-long"]);
}

#[test]
fn copies_of_a_known_header_are_seen_and_each_is_compared() {
    let arguments = r#"{"region":"a"}"#;
    let (a, b) = (("Mcp-Param-Region", "a"), ("mcp-param-region", "b"));
    assert_eq!(broken(arguments, &[a, a]), ["header-repeated-equal"]);
    let differ = ["header-repeated", "param-header-mismatch"];
    assert_eq!(broken(arguments, &[a, b]), differ);
    assert_eq!(broken(arguments, &[b, a]), differ);
    let spelled = ("MCP-Param-Region", "=?base64?YQ==?=");
    assert_eq!(broken(arguments, &[a, spelled]), ["header-repeated"]);
}

#[test]
fn a_member_given_twice_on_the_path_is_refused() {
    let headers = [("Mcp-Param-Flag", "true")];
    for arguments in [
        r#"{"o":{"b":false,"\u0062":true}}"#,
        r#"{"o":{"b":false},"o":{"b":true}}"#,
        r#"{"o":7,"o":{"b":true}}"#,
    ] {
        assert_eq!(broken(arguments, &headers), ["duplicate-member"], "{arguments}");
    }
    let beside = r#"{"x":1,"x":2,"o":{"x":1,"x":2,"b":true}}"#;
    assert_eq!(broken(beside, &headers), [""; 0]);
    let last = ["duplicate-member", "param-header-unexpected"];
    assert_eq!(broken(r#"{"o":{"b":true},"o":{}}"#, &headers), last);
}

#[test]
fn a_fault_points_at_the_value_and_names_the_header() {
    let at = |arguments: &str, headers: Headers, expected: &str, value: &str, name: &str| {
        judge(arguments, headers, |message, checked| {
            let fault = checked.fault.unwrap();
            assert!(message[fault.offset as usize..].starts_with(expected), "{fault:?}");
            assert_eq!(&message[fault.body.0 as usize..fault.body.1 as usize], value);
            match fault.name {
                Name::Received(received) => assert_eq!(received, name.as_bytes()),
                Name::Argument(argument) => assert_eq!(argument, name),
            }
            assert_eq!(fault.header, headers.first().map(|(_, value)| value.as_bytes()));
        });
    };
    let mismatch = [("mcp-param-flag", "no")];
    at(r#"{"o":{"b":true}}"#, &mismatch, "true", "true", "mcp-param-flag");
    at(r#"{"o":{}}"#, &mismatch, r#"{"o""#, "", "mcp-param-flag");
    at(r#"{"o":{"\u0062":true}}"#, &[], "true", "true", "b");
    at(r#"{"o":7,"o":{}}"#, &[], r#""o":{}"#, "{}", "o");
}

#[test]
fn the_first_fault_is_that_of_the_earliest_rule() {
    let arguments = r#"{"region":"a","count":1}"#;
    let headers = [("Mcp-Param-Region", "b"), ("Mcp-Param-Count", "=?base64?!?=")];
    judge(arguments, &headers, |_, checked| {
        let fault = checked.fault.unwrap();
        assert_eq!(fault.rule, Rule::HeaderBase64);
        assert_eq!(fault.name, Name::Received(b"Mcp-Param-Count"));
    });
}

#[test]
fn a_tool_that_no_list_had_has_no_known_headers() {
    let headers: &[(&[u8], &[u8])] = &[(b"Mcp-Param-Region", b"\xff")];
    let now = Instant::now();
    let checked = check(
        &table(),
        || now,
        Text::new(b"u"),
        Field::default(),
        b"{}",
        received(headers, LIMIT),
        None,
    );
    assert!(!checked.is_known && checked.broken.is_empty() && checked.fault.is_none());
}

#[test]
fn a_stale_table_says_so() {
    let now = Instant::now() + Duration::from_secs(601);
    let headers: &[(&[u8], &[u8])] = &[(b"Mcp-Param-Flag", b"true")];
    let (tool, none) = (Text::new(b"t"), Field::default());
    let checked = check(&table(), || now, tool, none, b"{}", received(headers, LIMIT), None);
    assert!(checked.is_known && checked.is_stale);
}

#[test]
fn bytes_that_are_no_json_do_no_harm() {
    let message = br#"{"o":{"b":[1,"x\""]},"region":"a"}"#;
    let headers: &[(&[u8], &[u8])] = &[(b"Mcp-Param-Flag", b"\xff"), (b"Mcp-Param-Region", b"a")];
    let table = table();
    for json in [JsonType::Object, JsonType::String, JsonType::Number] {
        for start in 0..40 {
            for end in 0..40 {
                let field = Field { json, start, end };
                check(
                    &table,
                    Instant::now,
                    Text::new(b"t"),
                    field,
                    message,
                    received(headers, 9),
                    None,
                );
            }
        }
    }
}

/// What a header breaks that mirrors `argument`, by other libraries' means.
fn expected(argument: &Value, header: Option<&str>) -> RuleSet {
    const MOST: f64 = 9_007_199_254_740_991.0;
    let mut broken = RuleSet::EMPTY;
    let Some(header) = header else {
        return if argument.is_null() { broken } else { broken.with(Rule::ParamHeaderMissing) };
    };
    broken.note(Rule::HeaderCharacters, !header.chars().all(|c| matches!(c, '\t' | ' '..='~')));
    if argument.is_null() {
        return broken.with(Rule::ParamHeaderUnexpected);
    }
    let text = if header.len() >= 11 && header.starts_with("=?base64?") && header.ends_with("?=") {
        match STANDARD.decode(&header[9..header.len() - 2]).map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(_)) => {
                return broken.with(Rule::HeaderBase64Utf8).with(Rule::ParamHeaderMismatch);
            }
            Err(_) => return broken.with(Rule::HeaderBase64).with(Rule::ParamHeaderMismatch),
        }
    } else {
        header.to_owned()
    };
    let is_equal = match argument {
        Value::String(argument) => *argument == text,
        Value::Bool(argument) => argument.to_string() == text,
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            let is_integral = number.fract() == 0.0;
            broken.note(Rule::ParamHeaderRange, is_integral && number.abs() > MOST);
            // A JSON number may have spaces around it there, and here not.
            let other = serde_json::from_str::<f64>(&text).ok().filter(|_| text.trim() == text);
            is_integral && other == Some(number)
        }
        _ => false,
    };
    broken.note(Rule::ParamHeaderMismatch, !is_equal);
    broken
}

fn argument() -> impl Strategy<Value = Value> {
    let text = || prop_oneof!["[a-c =?-]{0,3}", any::<String>(), "-?[0-9]{1,3}(\\.0)?"];
    prop_oneof![
        4 => text().prop_map(Value::String),
        3 => (-20i64..20).prop_map(|number| json!(number)),
        1 => prop::sample::select(vec![json!(1.5), json!(2.0), json!(1e300), json!(1u64 << 53)]),
        2 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        1 => Just(json!({"a": 1})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn one_header_is_judged_as_the_twin_judges_it(
        argument in argument(),
        other in argument(),
        how in 0..8,
        suffix in "(\\.0|e0|0|=)?",
    ) {
        let source = if how < 5 { &argument } else { &other };
        let text = source.as_str().map_or_else(|| source.to_string(), ToOwned::to_owned);
        let encoded = format!("=?base64?{}?=", STANDARD.encode(&text));
        let header = match how {
            0 => None,
            1 | 5 => Some(text),
            2 | 6 => Some(encoded),
            3 | 7 => Some(text + &suffix),
            _ => Some(encoded.replace("?=", &format!("{suffix}?="))),
        };
        let header = header.filter(|header| header.len() <= LIMIT);
        let arguments = json!({ "region": argument }).to_string();
        let headers: Vec<_> =
            header.iter().map(|value| ("Mcp-Param-Region", value.as_str())).collect();
        let broken = judge(&arguments, &headers, |_, checked| checked.broken);
        prop_assert_eq!(broken, expected(&argument, header.as_deref()), "{:?}", header);
    }
}

#[test]
fn look_alikes_on_the_path_are_told() {
    for arguments in [
        r#"{"region":"a","Region":"b"}"#,
        r#"{"region\u0000":"b","region":"a"}"#,
        r#"{"o":{"b":true},"O":{"b":false}}"#,
        r#"{"o":{"b":true,"\u0042":false}}"#,
    ] {
        let headers = [("Mcp-Param-Region", "a")];
        let headers: &[(&str, &str)] = if arguments.contains("region") { &headers } else { &[] };
        let headers =
            if arguments.contains("\"o\"") { &[("Mcp-Param-Flag", "true")] } else { headers };
        assert_eq!(broken(arguments, headers), ["lookalike-member"], "{arguments}");
    }
}

#[test]
fn of_a_tool_without_annotations_and_of_a_stale_table_no_number_of_headers_is_too_many() {
    let many: Vec<(&[u8], &[u8])> = vec![(b"Mcp-Param-X", b"1"); 16];
    let cut = |now| {
        let received =
            Received { headers: &many, is_cut: true, limit: LIMIT, has_lookalike: false };
        check(&table(), || now, Text::new(b"t"), Field::default(), b"{}", received, None)
    };
    let now = Instant::now();
    let checked = cut(now);
    assert!(checked.broken.contains(Rule::ParamHeadersTooMany) && !checked.is_stale);
    let checked = cut(now + Duration::from_secs(601));
    assert!(checked.broken.contains(Rule::ParamHeadersTooMany) && checked.is_stale);

    let plain = ParamHeaders::new();
    plain.learn(Page::First, br#"{"tools":[{"name":"t","inputSchema":{}}]}"#, now);
    let received = Received { headers: &many, is_cut: true, limit: LIMIT, has_lookalike: false };
    let none = Field::default();
    let checked = check(&plain, || now, Text::new(b"t"), none, b"{}", received, None);
    assert!(checked.broken.is_empty());
}
