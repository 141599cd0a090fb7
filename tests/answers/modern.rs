//! The rules of what modern servers answer.

use mcparse::{Policy, RevisionSet, Rule, Sender, Validator};

use crate::support::{asked, asked_with, error, named, result, verdict};

/// A complete result of `tools/list`, less `without`, with `more`.
fn list(without: &str, more: &str) -> String {
    let members =
        [r#""resultType":"complete""#, r#""tools":[]"#, r#""ttlMs":0"#, r#""cacheScope":"public""#];
    let kept = members.into_iter().filter(|member| !member.contains(without));
    let all: Vec<_> = kept.chain((!more.is_empty()).then_some(more)).collect();
    named(&all.join(","))
}

fn is(method: &str, message: &str, expected: Result<&[&str], Rule>) {
    let verdict = verdict(&asked(method), message);
    assert_eq!(verdict.as_deref().map_err(|rule| *rule), expected, "{method} {message}");
}

#[test]
fn a_complete_result_breaks_nothing() {
    is("tools/list", &list("-", ""), Ok(&[]));
    is("tools/call", &named(r#""resultType":"complete","content":[]"#), Ok(&[]));
    is(
        "tools/call",
        &named(r#""resultType":"complete","content":[],"structuredContent":null"#),
        Ok(&[]),
    );
}

#[test]
fn the_id_is_the_requests_in_type_and_value() {
    let with_id = |id: &str| list("-", "").replace(r#""id":7"#, &format!(r#""id":{id}"#));
    is("tools/list", &with_id("\"7\""), Err(Rule::AnswerIdType));
    is("tools/list", &with_id(r#""\u0037""#), Err(Rule::AnswerIdType));
    for id in ["8", "\"a\"", "\"07\"", "70"] {
        is("tools/list", &with_id(id), Err(Rule::AnswerIdMismatch));
    }
    let without = r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#;
    is("tools/list", without, Ok(&[]));
    is(
        "tools/list",
        &without.replace(r#""error""#, r#""id":null,"error""#),
        Ok(&["error-id-null"]),
    );
    is("tools/list", &error(1, "").replace('7', "8"), Err(Rule::AnswerIdMismatch));
}

#[test]
fn the_type_of_a_result_is_known() {
    is("tools/list", &list("resultType", ""), Ok(&["result-type-missing"]));
    for wrong in ["\"Complete\"", "\"\"", "null", "7", "\"partial\""] {
        let more = format!(r#""resultType":{wrong}"#);
        is("tools/list", &list("resultType", &more), Err(Rule::ResultTypeUnknown));
    }
    is("tools/list", &list("resultType", r#""resultType":"\u0063omplete""#), Ok(&[]));

    let task = named(r#""resultType":"task","taskId":"t","ttlMs":null"#);
    is("tools/call", &task, Ok(&[]));
    // "A client that receives CreateTaskResult in response to an unsupported
    // request type MUST interpret this as an invalid response to the request."
    for method in ["tools/list", "prompts/get"] {
        is(method, &task, Err(Rule::ResultTypeUnknown));
    }
    let undeclared = asked_with("tools/call", r#""name":"n","#, "{}");
    assert_eq!(verdict(&undeclared, &task), Err(Rule::ResultTypeExtensionUndeclared));
    let policy = Policy::strict().with_result_types(&["partial"]);
    let partial = named(r#""resultType":"partial""#);
    assert!(Validator::new(policy).check_answer(&undeclared, partial.as_bytes()).is_ok());
}

#[test]
fn a_result_has_the_shape_of_its_method() {
    for (method, members) in [
        ("tools/list", r#""tools":{}"#),
        ("tools/list", r#""prompts":[]"#),
        ("tools/call", r#""content":{}"#),
        ("tools/call", r#""content":[],"isError":"no""#),
        ("prompts/get", r#""messages":{}"#),
        ("resources/read", r#""contents":null"#),
        ("completion/complete", r#""completion":[]"#),
        ("server/discover", r#""supportedVersions":["2026-07-28"]"#),
    ] {
        let hints = r#""ttlMs":0,"cacheScope":"public""#;
        let message = named(&format!(r#""resultType":"complete",{hints},{members}"#));
        is(method, &message, Err(Rule::ResultShape));
    }
    is("tools/list", &list("-", r#""tools":[]"#), Err(Rule::DuplicateMember));
    is("tools/list", &list("-", r#""\u0074ools":[]"#), Err(Rule::DuplicateMember));
    is("tools/list", &list("-", r#""x":1,"x":2"#), Ok(&[]));
    let many = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
        .map(|name| format!(r#""{name}":1,"{name}{name}":2"#));
    let many = format!("{},", many.join(","));
    is("tools/list", &list("tools", &format!(r#"{many}"tools":7"#)), Err(Rule::ResultShape));
    is("tools/list", &list("tools", &format!(r#"{many}"tools":[]"#)), Ok(&[]));
}

#[test]
fn caching_hints_are_those_of_the_specification() {
    for without in ["ttlMs", "cacheScope"] {
        is("tools/list", &list(without, ""), Ok(&["cache-hint-missing"]));
    }
    for wrong in ["\"1\"", "1.5", "null", "[]"] {
        is("tools/list", &list("ttlMs", &format!(r#""ttlMs":{wrong}"#)), Err(Rule::TtlType));
    }
    for right in ["0", "-0", "1.0", "1e3", "123456789012345678901234567890"] {
        is("tools/list", &list("ttlMs", &format!(r#""ttlMs":{right}"#)), Ok(&[]));
    }
    is("tools/list", &list("ttlMs", r#""ttlMs":-1"#), Ok(&["ttl-negative"]));
    for wrong in ["\"shared\"", "7", "\"Public\""] {
        let message = list("cacheScope", &format!(r#""cacheScope":{wrong}"#));
        is("tools/list", &message, Ok(&["cache-scope-unknown"]));
    }
    // What is not cacheable may call something else so.
    is("tools/call", &named(r#""resultType":"complete","content":[],"ttlMs":"x""#), Ok(&[]));
}

#[test]
fn a_server_says_who_it_is() {
    let complete = r#""resultType":"complete","content":[]"#;
    is("tools/call", &result(complete), Ok(&["server-info-missing"]));
    for wrong in ["7", "{}", r#"{"name":"s"}"#, r#"{"name":"s","version":1}"#] {
        let meta =
            format!(r#"{complete},"_meta":{{"io.modelcontextprotocol/serverInfo":{wrong}}}"#);
        is("tools/call", &result(&meta), Err(Rule::ServerInfoShape));
    }
    is("tools/call", &result(&format!(r#"{complete},"_meta":7"#)), Err(Rule::MetaType));
}

#[test]
fn questions_are_those_that_may_be_asked() {
    let asks = |questions: &str| {
        named(&format!(r#""resultType":"input_required","inputRequests":{{{questions}}}"#))
    };
    let [roots, sample, tools, form, url] = [
        r#""a":{"method":"roots/list"}"#,
        r#""b":{"method":"sampling/createMessage","params":{}}"#,
        r#""e":{"method":"sampling/createMessage","params":{"tools":[]}}"#,
        r#""c":{"method":"elicitation/create","params":{"mode":"form"}}"#,
        r#""d":{"method":"elicitation/create","params":{"mode":"url"}}"#,
    ];
    is("tools/call", &asks(&[roots, sample, tools, form, url].join(",")), Ok(&[]));
    is("tools/list", &asks(roots), Err(Rule::InputRequiredMethod));
    is("tools/call", &named(r#""resultType":"input_required""#), Err(Rule::InputRequiredEmpty));
    is("tools/call", &named(r#""resultType":"input_required","requestState":"s""#), Ok(&[]));
    is(
        "tools/call",
        &named(r#""resultType":"input_required","requestState":7"#),
        Err(Rule::ResultShape),
    );
    is(
        "tools/call",
        &named(r#""resultType":"input_required","inputRequests":[]"#),
        Err(Rule::ResultShape),
    );
    for wrong in [r#""a":{"method":"tools/call"}"#, r#""a":7"#, r#""a":{}"#, r#""a":{"method":7}"#]
    {
        is("tools/call", &asks(wrong), Err(Rule::InputRequestMethod));
    }
    for (declared, allowed) in [
        ("{}", &[][..]),
        (r#"{"roots":{}}"#, &[roots][..]),
        (r#"{"sampling":{}}"#, &[sample][..]),
        (r#"{"sampling":{"tools":{}}}"#, &[sample, tools][..]),
        (r#"{"elicitation":{}}"#, &[form][..]),
        (r#"{"elicitation":{"url":{}}}"#, &[url][..]),
    ] {
        let to = asked_with("tools/call", r#""name":"n","#, declared);
        for question in [roots, sample, tools, form, url] {
            let is_allowed = allowed.contains(&question);
            let expected = if is_allowed { Ok(vec![]) } else { Err(Rule::InputRequestUndeclared) };
            assert_eq!(verdict(&to, &asks(question)), expected, "{declared} {question}");
        }
    }
    let cached = named(r#""resultType":"input_required","requestState":"s","ttlMs":0"#);
    is("tools/call", &cached, Ok(&["cache-on-input-required"]));
}

#[test]
fn error_codes_are_those_of_the_revision() {
    is("tools/call", &error(-32042, ""), Err(Rule::ErrorCodeRetired));
    for code in [-32099, -32041, -32043, -32023] {
        is("tools/call", &error(code, ""), Err(Rule::ErrorCodeReserved));
    }
    for code in [-32000, -32001, -32019] {
        is("tools/call", &error(code, ""), Ok(&["error-code-legacy-range"]));
    }
    is("tools/call", &error(-32002, ""), Ok(&["error-code-not-found"]));
    for code in [-32700, -32600, -32603, -32020, -31999, -32100, 0, 1, -1, i64::MIN] {
        is("tools/call", &error(code, ""), Ok(&[]));
    }
    let required = r#"{"requiredCapabilities":{"roots":{}}}"#;
    let supported = r#"{"supported":["2026-07-28"],"requested":"1"}"#;
    is("tools/call", &error(-32021, required), Ok(&[]));
    is("tools/call", &error(-32022, supported), Ok(&[]));
    for (code, data) in [
        (-32021, ""),
        (-32021, supported),
        (-32022, ""),
        (-32022, required),
        (-32022, r#"{"supported":[1],"requested":"1"}"#),
        (-32022, r#"{"supported":[],"requested":1}"#),
    ] {
        is("tools/call", &error(code, data), Ok(&["error-data-shape"]));
    }
}

#[test]
fn a_server_can_be_discovered() {
    is("server/discover", &error(-32601, ""), Ok(&["discover-unimplemented"]));
    let discovered = |versions: &str| {
        named(&format!(
            r#""resultType":"complete","ttlMs":0,"cacheScope":"public","capabilities":{{}},"supportedVersions":{versions}"#
        ))
    };
    is("server/discover", &discovered(r#"["2025-11-25","2026-07-28"]"#), Ok(&[]));
    is("server/discover", &discovered(r#"["2027-01-01"]"#), Ok(&["discover-version-absent"]));
}

#[test]
fn all_on_the_stream_of_a_subscription_says_so() {
    let meta = |id: &str| format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#);
    let changed = |params: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{{params}}}}}"#
        )
    };
    is("subscriptions/listen", &changed(&meta("7")), Ok(&[]));
    is("subscriptions/listen", &changed(""), Err(Rule::SubscriptionIdMissing));
    for other in ["8", "\"7\"", "null", "[7]"] {
        is("subscriptions/listen", &changed(&meta(other)), Err(Rule::SubscriptionIdMismatch));
    }
    let ended = |meta: &str| result(&format!(r#""resultType":"complete",{meta}"#));
    is("subscriptions/listen", &ended(&meta("7")), Ok(&["server-info-missing"]));
    is("subscriptions/listen", &ended(&meta("8")), Err(Rule::SubscriptionIdMismatch));
    is(
        "subscriptions/listen",
        &result(r#""resultType":"complete""#),
        Err(Rule::SubscriptionIdMissing),
    );
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    is("subscriptions/listen", cancelled, Ok(&[]));
    is("tools/list", &changed(""), Ok(&[]));
}

#[test]
fn a_modern_server_sends_no_requests() {
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    is("tools/call", request, Err(Rule::ServerRequest));
}

#[test]
fn what_needs_no_request_is_judged_without_one() {
    let modern = Policy::strict().with_revisions(RevisionSet::MODERN);
    for (message, rule) in [
        (error(-32042, ""), Rule::ErrorCodeRetired),
        (list("resultType", r#""resultType":"x""#), Rule::ResultTypeUnknown),
        (list("ttlMs", r#""ttlMs":"x""#), Rule::TtlType),
    ] {
        let refused = |policy, from| {
            Validator::new(policy).check(from, message.as_bytes()).err().map(|it| it.rule())
        };
        assert_eq!(refused(modern, Sender::Server), Some(rule), "{message}");
        assert_eq!(refused(Policy::strict(), Sender::Server), None, "any revision: {message}");
    }
    let task = named(r#""resultType":"complete","taskId":"t","ttlMs":null"#);
    assert!(Validator::new(modern).check(Sender::Server, task.as_bytes()).is_ok());
}
