//! Which era a request is of: the five steps in the documentation of `Era`, the
//! three sorts of policies, heads against bodies, and what a client of both eras
//! makes of each refusal.

mod exchange;

use exchange::Exchange;
use mcparse::{Era, Message, Policy, RequestHead, Revision, RevisionSet, Rule, Sender, Validator};
use serde_json::{Value, json};

const DUAL: Policy = Policy::strict();
const MODERN: Policy = Policy::strict().with_revisions(RevisionSet::MODERN);
const LEGACY: Policy = Policy::strict().with_revisions(RevisionSet::LEGACY);

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// The era that a request is judged by, told by what refuses it or by what it
/// is once it has passed.
fn era(exchange: &Exchange) -> Option<Era> {
    // Refusing nothing that can be relaxed, so that the era is always seen.
    let seen =
        exchange.clone().under(|policy| Policy::observe().with_revisions(policy.revisions()));
    seen.judge(&mut Validator::new(seen.policy), |verdict| match verdict {
        Ok(Message::Request(request)) => Some(request.era()),
        Ok(message) => message.era(),
        Err(violation) => panic!("{violation}: {seen:?}"),
    })
}

fn client(body: &str, policy: Policy) -> Exchange {
    Exchange::bare(Sender::Client, body).under(|_| policy)
}

/// Over HTTP, with this version in the head, if any.
fn posted(body: &str, version: Option<&str>, policy: Policy) -> Exchange {
    let plain =
        [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let exchange = Exchange::over_http(&plain, body).under(|_| policy);
    match version {
        Some(version) => exchange.header("MCP-Protocol-Version", version),
        None => exchange,
    }
}

/// `LIST` with this in `_meta`.
fn with_meta(member: &str) -> String {
    LIST.replace(r#""tools/list""#, &format!(r#""tools/list","params":{{"_meta":{{{member}}}}}"#))
}

const MARKS: [&str; 5] = [
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#,
    r#""io.modelcontextprotocol/protocolVersion":"2025-11-25""#,
    r#""io.modelcontextprotocol/protocolVersion":null"#,
    r#""io.modelcontextprotocol/clientCapabilities":{}"#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}"#,
];

#[test]
fn step_one_what_only_modern_requests_say_in_meta_makes_a_request_modern() {
    for policy in [DUAL, MODERN, LEGACY] {
        for mark in MARKS {
            assert_eq!(era(&client(&with_meta(mark), policy)), Some(Era::Modern), "{mark}");
            // Whatever the head says, and even an `initialize`.
            for version in ["2025-11-25", "2024-11-05", "1999-01-01"] {
                let exchange = posted(&with_meta(mark), Some(version), policy);
                assert_eq!(era(&exchange), Some(Era::Modern), "{mark} {version}");
            }
            let initialize = INITIALIZE
                .replace(r#""capabilities""#, &format!(r#""_meta":{{{mark}}},"capabilities""#));
            assert_eq!(era(&client(&initialize, policy)), Some(Era::Modern), "{mark}");
        }
    }
    // Other keys say nothing of an era.
    for key in [r#""progressToken":1"#, r#""io.modelcontextprotocol/logLevel":"info""#] {
        assert_eq!(era(&client(&with_meta(key), DUAL)), Some(Era::Legacy), "{key}");
    }
}

#[test]
fn step_two_a_modern_version_in_the_head_makes_a_request_modern() {
    for policy in [DUAL, MODERN, LEGACY] {
        let exchange = posted(LIST, Some("2026-07-28"), policy);
        assert_eq!(era(&exchange), Some(Era::Modern));
        assert_eq!(era(&posted(INITIALIZE, Some("2026-07-28"), policy)), Some(Era::Modern));
    }
    assert_eq!(posted(LIST, Some("2026-07-28"), DUAL).refused_by(), Some("meta-missing"));
}

#[test]
fn step_three_a_method_of_modern_revisions_alone_makes_a_request_modern() {
    for policy in [DUAL, MODERN, LEGACY] {
        for method in ["server/discover", "subscriptions/listen", "tasks/update"] {
            let request = LIST.replace("tools/list", method);
            assert_eq!(era(&client(&request, policy)), Some(Era::Modern), "{method}");
            let headed = posted(&request, Some("2025-11-25"), policy);
            assert_eq!(era(&headed), Some(Era::Modern), "{method}");
        }
    }
    // Not one that both eras have, nor one that only a legacy server has.
    for method in ["tasks/get", "ping", "acme/x"] {
        assert_eq!(era(&client(&LIST.replace("tools/list", method), DUAL)), Some(Era::Legacy));
    }
}

#[test]
fn step_four_where_only_modern_revisions_are_served_all_but_initialize_is_modern() {
    assert_eq!(era(&client(LIST, MODERN)), Some(Era::Modern));
    assert_eq!(era(&client(INITIALIZE, MODERN)), Some(Era::Legacy));
    assert_eq!(client(LIST, MODERN).refused_by(), Some("meta-missing"));
}

#[test]
fn step_five_everything_else_is_legacy() {
    for policy in [DUAL, LEGACY] {
        for body in [LIST, INITIALIZE] {
            assert_eq!(era(&client(body, policy)), Some(Era::Legacy));
            assert_eq!(client(body, policy).findings(), [""; 0]);
        }
    }
}

#[test]
fn a_head_tells_the_legacy_revisions_that_a_request_may_be_of() {
    let revisions = |exchange: &Exchange| exchange.said().unwrap().revisions;
    let old = RevisionSet::only(Revision::V2024_11_05).with(Revision::V2025_03_26);
    // Absent, outside of a session: from before there was a header.
    assert_eq!(revisions(&posted(LIST, None, DUAL)), old);
    // In a session both sides know it.
    let in_session = posted(LIST, None, DUAL).header("Mcp-Session-Id", "s");
    assert_eq!(revisions(&in_session), RevisionSet::LEGACY);
    // Known.
    for revision in RevisionSet::LEGACY.iter() {
        let exchange = posted(LIST, Some(revision.as_str()), DUAL);
        assert_eq!(revisions(&exchange), RevisionSet::only(revision));
    }
    // Unknown: refused, as is one that is known and not served.
    for version in ["2027-01-01", "1999-01-01", "", "latest"] {
        let exchange = posted(LIST, Some(version), DUAL);
        assert_eq!(exchange.refused_by(), Some("version-header-unknown"), "{version}");
    }
    let served = DUAL.with_revisions(RevisionSet::ALL.without(Revision::V2025_03_26));
    let exchange = posted(LIST, Some("2025-03-26"), served);
    assert_eq!(exchange.refused_by(), Some("version-header-unknown"));
    // And without a head at all it may be of any.
    assert_eq!(revisions(&client(LIST, DUAL)), RevisionSet::LEGACY);
}

#[test]
fn a_legacy_head_over_a_modern_body_never_passes_nor_the_reverse() {
    for policy in [DUAL, MODERN, LEGACY] {
        for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2027-01-01", ""] {
            let modern = Exchange::call().under(|_| policy);
            let refusal = modern.header("MCP-Protocol-Version", version).refusal();
            assert_eq!(refusal.rule, Rule::VersionHeaderMismatch, "{version}");
            assert_eq!((refusal.code, refusal.status), (-32020, 400));
        }
        let unversioned = Exchange::call().without("MCP-Protocol-Version").under(|_| policy);
        assert_eq!(unversioned.refused_by(), Some("version-header-missing"));
        for body in [LIST, INITIALIZE, &with_meta(r#""progressToken":1"#)] {
            let legacy =
                posted(body, Some("2026-07-28"), policy).header("Mcp-Method", "tools/list");
            let refusal = legacy.refusal();
            assert_eq!(refusal.code, -32602, "{refusal:?}");
        }
    }
    // A body that names a legacy version where only modern requests name any.
    let named = Exchange::call().version("2025-11-25");
    assert_eq!(named.refused_by(), Some("unsupported-version"));
}

/// What a client of both eras concludes from the reply.
fn concluded(exchange: &Exchange) -> Era {
    let reply = exchange.refusal().reply.unwrap();
    Validator::new(Policy::strict()).era_of_answer(reply.as_bytes())
}

#[test]
fn a_modern_policy_tells_an_initialize_which_versions_it_serves() {
    for (exchange, requested) in [
        (client(INITIALIZE, MODERN), "2025-11-25"),
        (client(&INITIALIZE.replace("2025-11-25", "2024-11-05"), MODERN), "2024-11-05"),
        (posted(INITIALIZE, None, MODERN), "2025-11-25"),
    ] {
        let refusal = exchange.refusal();
        assert_eq!((refusal.code, refusal.status), (-32022, 400), "{exchange:?}");
        assert_eq!(refusal.rule, Rule::UnsupportedVersion);
        let reply: Value = serde_json::from_str(&refusal.reply.unwrap()).unwrap();
        let data = json!({"requested": requested, "supported": ["2026-07-28"]});
        assert_eq!(reply["error"]["data"], data);
        assert_eq!(concluded(&exchange), Era::Modern);
    }
}

#[test]
fn an_initialize_that_names_no_version_is_told_so_and_not_that_it_is_not_served() {
    // There is nothing to put into `requested`, which the code -32022 must have.
    for version in ["", r#""protocolVersion":20251125,"#, r#""protocolVersion":null,"#] {
        let body = INITIALIZE.replace(r#""protocolVersion":"2025-11-25","#, version);
        for exchange in [client(&body, MODERN), posted(&body, None, MODERN)] {
            let refusal = exchange.refusal();
            assert_eq!((refusal.rule, refusal.code), (Rule::ParamsShape, -32602), "{exchange:?}");
        }
    }
}

#[test]
fn a_legacy_policy_refuses_a_modern_request_so_that_its_client_falls_back() {
    for exchange in [Exchange::call(), Exchange::call().without_head()] {
        let exchange = exchange.under(|_| LEGACY);
        let refusal = exchange.refusal();
        assert_eq!((refusal.rule, refusal.code), (Rule::EraNotServed, -32600));
        assert_eq!(concluded(&exchange), Era::Legacy);
    }
    let discover = Exchange::call()
        .edit(r#""name":"notes.read","arguments":{"note":1},"#, "")
        .without("Mcp-Name")
        .method("server/discover")
        .under(|_| LEGACY);
    assert_eq!(discover.refused_by(), Some("era-not-served"));
    assert_eq!(concluded(&discover), Era::Legacy);
}

#[test]
fn every_modern_refusal_tells_its_client_that_the_server_is_modern() {
    let task = Exchange::call()
        .edit(r#""name":"notes.read","arguments":{"note":1}"#, r#""taskId":"t""#)
        .method("tasks/get")
        .header("Mcp-Name", "t");
    for (exchange, code) in [
        (Exchange::call().header("Mcp-Name", "notes.delete"), -32020),
        (Exchange::call().without("Mcp-Method"), -32020),
        (task, -32021),
        (Exchange::call().version("2027-01-01"), -32022),
    ] {
        for policy in [DUAL, MODERN] {
            let exchange = exchange.clone().under(|_| policy);
            assert_eq!(exchange.refusal().code, code, "{exchange:?}");
            assert_eq!(concluded(&exchange), Era::Modern, "{exchange:?}");
        }
    }
}

#[test]
fn a_notification_is_of_the_revision_in_its_head_or_of_any_that_is_served() {
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let revisions = |exchange: Exchange| exchange.said().unwrap().revisions;
    assert_eq!(revisions(client(cancelled, DUAL)), RevisionSet::ALL);
    assert_eq!(revisions(client(cancelled, LEGACY)), RevisionSet::LEGACY);
    let headed = posted(cancelled, Some("2026-07-28"), DUAL);
    assert_eq!(revisions(headed), RevisionSet::MODERN);
    assert_eq!(client(initialized, DUAL).findings(), [""; 0]);
    let other = posted(initialized, Some("2026-07-28"), DUAL);
    assert_eq!(other.findings(), ["notification-of-other-revision"]);
}

#[test]
fn any_result_that_says_its_type_is_a_modern_servers() {
    let mut validator = Validator::new(Policy::strict());
    for (result, era) in [
        (r#"{"resultType":"complete","tools":[]}"#, Era::Modern),
        (r#"{"resultType":"input_required","requestState":"s"}"#, Era::Modern),
        (r#"{"supportedVersions":["2026-07-28"]}"#, Era::Modern),
        (r#"{"tools":[]}"#, Era::Legacy),
        (r#"{"resultType":7}"#, Era::Legacy),
    ] {
        let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
        assert_eq!(validator.era_of_answer(answer.as_bytes()), era, "{result}");
    }
}

#[test]
fn an_initialize_names_its_version_in_its_params() {
    let bytes =
        br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
        "capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
    let message = Validator::new(Policy::strict()).check(Sender::Client, bytes).unwrap();
    let Message::Request(request) = message else { panic!("a request") };
    assert_eq!(request.protocol_version().unwrap(), "2025-06-18");
    assert_eq!(request.era(), Era::Legacy);
}

#[test]
fn a_notification_is_of_the_revision_in_its_header_whatever_it_holds() {
    let marked = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"_meta":{"io.modelcontextprotocol/clientInfo":{}}}}"#;
    let revisions = |version: Option<&str>, policy: Policy| {
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        headers.extend(version.map(|version| ("MCP-Protocol-Version", version)));
        let head = RequestHead::new("POST", headers);
        let verdict = Validator::new(policy).check_http(&head, marked.as_bytes());
        verdict.map(|message| message.revisions()).map_err(|violation| violation.rule())
    };
    let legacy = Policy::strict().with_revisions(RevisionSet::LEGACY);
    let old = RevisionSet::only(Revision::V2025_11_25);
    assert_eq!(revisions(Some("2025-11-25"), Policy::strict()), Ok(old));
    assert_eq!(revisions(None, Policy::strict()), Ok(RevisionSet::MODERN));
    assert_eq!(revisions(None, legacy), Ok(RevisionSet::LEGACY));
    assert_eq!(revisions(Some("2026-07-28"), legacy), Err(Rule::VersionHeaderUnknown));
}
