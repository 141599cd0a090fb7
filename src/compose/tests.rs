//! What is composed is JSON, says what was asked, and passes the validator.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;
use crate::code::ErrorCode;
use crate::id::Id;
use crate::kind::{Kind, Sender};
use crate::method::{Capability, Method, RevisionSet};
use crate::policy::Policy;
use crate::reply::ReplyId;
use crate::revision::Revision;
use crate::validator::Validator;

const CLIENT: Client<'static> = Client::new(Implementation::new("acme", "1.0"));
const SERVER: Server<'static> = Server::new(Implementation::new("weather", "2.0"));

/// The message, read by another reader, once the validator has let it pass.
fn sent(from: Sender, kind: Kind, write: impl FnOnce(&mut Vec<u8>)) -> Json {
    let mut out = Vec::new();
    write(&mut out);
    let text = String::from_utf8(out).unwrap();
    assert!(!text.contains(['\n', '\r']), "{text}");
    let mut validator = Validator::new(Policy::strict());
    let message = validator.check(from, text.as_bytes()).unwrap_or_else(|violation| {
        panic!("{violation}: {text}");
    });
    assert_eq!(message.kind(), kind, "{text}");
    serde_json::from_str(&text).unwrap()
}

fn request(request: &Request<'_>) -> Json {
    sent(Sender::Client, Kind::Request, |out| request.write(out))
}

fn result(write: impl FnOnce(&mut Vec<u8>)) -> Json {
    sent(Sender::Server, Kind::Result, write)
}

fn error(error: &ErrorResponse<'_>) -> Json {
    sent(Sender::Server, Kind::Error, |out| error.write(out))
}

#[test]
fn a_modern_request_has_the_metadata_that_it_must_have() {
    let sent = request(&CLIENT.request(1, "tools/list"));
    assert_eq!(
        sent,
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "acme", "version": "1.0"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }}})
    );
    let sent = request(&CLIENT.without_info().request(1, "tools/list"));
    assert_eq!(
        sent["params"]["_meta"],
        json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    );
}

#[test]
fn all_that_a_request_may_say_of_itself_is_in_its_meta() {
    let meta = [member("com.example/tenant", "t1")];
    let trace = TraceContext::new("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01")
        .with_tracestate("v=1")
        .with_baggage("k=v");
    let call = CLIENT
        .request("a", "tools/list")
        .with_progress_token("p")
        .with_log_level(LogLevel::Notice)
        .with_trace(trace)
        .with_meta(&meta);
    let sent = request(&call);
    let meta = &sent["params"]["_meta"];
    assert_eq!(meta["progressToken"], "p");
    assert_eq!(meta["io.modelcontextprotocol/logLevel"], "notice");
    assert_eq!(meta["traceparent"], "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01");
    assert_eq!(meta["tracestate"], "v=1");
    assert_eq!(meta["baggage"], "k=v");
    assert_eq!(meta["com.example/tenant"], "t1");
    assert_eq!(meta.as_object().unwrap().len(), 9);
}

#[test]
fn a_list_of_members_cannot_overrule_what_was_set() {
    let meta = [member("io.modelcontextprotocol/protocolVersion", "1900-01-01")];
    let params = [member("_meta", ()), member("cursor", "a"), member("cursor", "b")];
    let sent = request(&CLIENT.request(1, "tools/list").with_meta(&meta).with_params(&params));
    assert_eq!(sent["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(sent["params"]["cursor"], "b");

    let members = [member("resultType", "x"), member("cacheScope", "public"), member("a", 1)];
    let answer = SERVER.result(1, Method::ToolsList).with_members(&members);
    let sent = result(|out| answer.write(out));
    assert_eq!(sent["result"]["resultType"], "complete");
    assert_eq!(sent["result"]["cacheScope"], "private");
    assert_eq!(sent["result"]["a"], 1);
}

#[test]
fn legacy_messages_are_plain() {
    for revision in RevisionSet::LEGACY.iter() {
        let client = CLIENT.with_revision(revision);
        assert_eq!(
            request(&client.request(1, "ping").with_log_level(LogLevel::Info)),
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        );
        assert_eq!(
            request(&client.request(1, "tools/list").with_progress_token(5)),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list",
                "params": {"_meta": {"progressToken": 5}}})
        );
        assert_eq!(
            request(&client.without_info().request(0, "initialize")),
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": revision.as_str(),
                "capabilities": {},
                "clientInfo": {"name": "acme", "version": "1.0"},
            }})
        );
        let server = SERVER.with_revision(revision).with_instructions("i");
        let cached = server.result(1, Method::ToolsList).with_cache(5, CacheScope::Public);
        assert_eq!(
            result(|out| cached.write(out)),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}})
        );
        assert_eq!(
            result(|out| server.initialize_result(1).write(out)),
            json!({"jsonrpc": "2.0", "id": 1, "result": {
                "protocolVersion": revision.as_str(),
                "capabilities": {},
                "serverInfo": {"name": "weather", "version": "2.0"},
                "instructions": "i",
            }})
        );
    }
}

#[test]
fn a_notification_says_on_which_stream_it_is_sent() {
    let sent = sent(Sender::Server, Kind::Notification, |out| {
        Notification::new("notifications/tools/list_changed").with_subscription("s-1").write(out);
    });
    assert_eq!(
        sent,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed",
            "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": "s-1"}}})
    );
}

#[test]
fn every_method_is_answered_with_what_its_result_must_have_and_no_more() {
    for &method in Method::ALL {
        let sent = result(|out| SERVER.result(1, method).write(out));
        let mut expected = json!({"resultType": "complete", "_meta": {
            "io.modelcontextprotocol/serverInfo": {"name": "weather", "version": "2.0"}}});
        if method.is_cacheable() {
            expected["ttlMs"] = 0.into();
            expected["cacheScope"] = "private".into();
        }
        if method == Method::SubscriptionsListen {
            expected["_meta"]["io.modelcontextprotocol/subscriptionId"] = 1.into();
        }
        assert_eq!(sent["result"], expected, "{method}");
    }
    let kept = SERVER.result(1, None).with_cache(u64::MAX, CacheScope::Public);
    let sent = result(|out| kept.write(out));
    assert_eq!(sent["result"]["ttlMs"], u64::MAX);
    assert_eq!(sent["result"]["cacheScope"], "public");
    let task = SERVER.result(1, Method::ResourcesRead).with_result_type("task");
    let sent = result(|out| task.write(out));
    assert_eq!(sent["result"]["resultType"], "task");
    assert_eq!(sent["result"].get("ttlMs"), None);
}

#[test]
fn a_discover_result_has_all_that_the_schema_asks_for() {
    let capabilities = RawObject::new(r#"{"tools":{}}"#).unwrap();
    let server = SERVER.with_capabilities(capabilities).with_instructions("Ask.");
    let revisions = RevisionSet::since(Revision::V2025_11_25);
    let sent = result(|out| server.discover_result("d", revisions).write(out));
    assert_eq!(
        sent["result"],
        json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28", "2025-11-25"],
            "capabilities": {"tools": {}},
            "instructions": "Ask.",
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "weather", "version": "2.0"}},
        })
    );
}

#[test]
fn a_result_that_asks_for_input_has_requests_or_a_state() {
    let server = SERVER.without_info();
    let params = [member("message", "Who?")];
    let asked = [
        InputRequest::new("a", Method::RootsList, Object::EMPTY),
        InputRequest::new("b", Method::ElicitationCreate, &params),
        InputRequest::new("a", Method::ElicitationCreate, RawObject::new("{}").unwrap()),
    ];
    for (requests, state, expected) in [
        (&[][..], None, json!({"inputRequests": {}})),
        (&[], Some("s"), json!({"requestState": "s"})),
        (
            &asked,
            None,
            json!({"inputRequests": {
                "a": {"method": "elicitation/create", "params": {}},
                "b": {"method": "elicitation/create", "params": {"message": "Who?"}},
            }}),
        ),
    ] {
        let mut asks = server.input_required(1).with_requests(requests);
        if let Some(state) = state {
            asks = asks.with_state(state);
        }
        let mut sent = result(|out| asks.write(out));
        let members = sent["result"].as_object_mut().unwrap();
        assert_eq!(members.remove("resultType"), Some("input_required".into()));
        assert_eq!(sent["result"], expected);
    }
}

#[test]
fn the_errors_of_mcp_have_exactly_their_data() {
    let id = Id::from_lexeme(br#""a""#).unwrap();
    let sent = error(&ErrorResponse::unsupported_version(id, "\"", RevisionSet::MODERN));
    assert_eq!(
        sent["error"],
        json!({"code": -32022, "message": "Unsupported protocol version",
            "data": {"supported": ["2026-07-28"], "requested": "\""}})
    );
    let url = Capability::of_client("elicitation").with_part("url");
    let sent = error(&ErrorResponse::missing_capability(id, url).with_message("m"));
    assert_eq!(
        sent["error"],
        json!({"code": -32021, "message": "m",
            "data": {"requiredCapabilities": {"elicitation": {"url": {}}}}})
    );
    let sent = error(&ErrorResponse::header_mismatch(ReplyId::Absent, "Mcp-Name"));
    assert_eq!(sent, json!({"jsonrpc": "2.0", "error": {"code": -32020, "message": "Mcp-Name"}}));
}

#[test]
fn headers_mirror_the_request() {
    let headers = |request: &Request<'_>| {
        let pairs = request.headers()?.map(|(name, value)| format!("{name}: {value}"));
        Some(pairs.collect::<Vec<_>>().join("\n"))
    };
    let name = RawJson::new(r#""\u00e9""#).unwrap();
    for (method, params, named) in [
        (
            "tools/call",
            [member("uri", "u"), member("name", "a"), member("name", "b")],
            "Mcp-Name: b",
        ),
        ("tasks/get", [member("taskId", "t"); 3], "Mcp-Name: t"),
        ("prompts/get", [member("name", name); 3], "Mcp-Name: =?base64?w6k=?="),
        ("tools/list", [member("name", "a"); 3], ""),
        ("tools/call", [member("name", 7); 3], ""),
    ] {
        let request = CLIENT.request(1, method).with_params(&params);
        let expected = format!("MCP-Protocol-Version: 2026-07-28\nMcp-Method: {method}\n{named}");
        assert_eq!(headers(&request).as_deref(), Some(expected.trim_end()));
    }
    for unsafe_method in ["", "a\r\nX: y", "é", " a", "=?base64?YQ==?="] {
        assert_eq!(headers(&CLIENT.request(1, unsafe_method)), None);
    }
    for (revision, method, expected) in [
        (Revision::V2025_03_26, "tools/call", ""),
        (Revision::V2025_06_18, "initialize", ""),
        (Revision::V2025_06_18, "tools/call", "MCP-Protocol-Version: 2025-06-18"),
    ] {
        let params = [member("name", "a")];
        let request = CLIENT.with_revision(revision).request(1, method).with_params(&params);
        assert_eq!(headers(&request).as_deref(), Some(expected));
    }
}

/// Any text that is no member which the protocol reads, nor looks like one.
fn other_name() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|name| format!("-{name}"))
}

fn any_json() -> impl Strategy<Value = Json> {
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    scalar.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::hash_map(any::<String>(), inner, 0..4)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_request_says_what_was_asked(
        id in any::<String>(),
        method in any::<String>(),
        name in any::<String>(),
        other in other_name(),
        token in any::<i64>(),
        title in any::<String>(),
        arguments in any_json(),
        legacy in any::<bool>(),
    ) {
        let pretty = serde_json::to_string_pretty(&arguments).unwrap();
        let raw = RawJson::new(&pretty).unwrap();
        let nested = [member(&other, raw)];
        let list = [Value::from(&nested), raw.into(), true.into(), token.into()];
        let params = [
            member("name", &name),
            member("arguments", raw),
            member(&other, &list),
        ];
        let revision = if legacy { Revision::V2025_11_25 } else { Revision::V2026_07_28 };
        let client = Client::new(Implementation::new(&name, &other).with_title(&title))
            .with_capabilities(&nested)
            .with_revision(revision);
        // The validator takes ids and methods up to a limit.
        prop_assume!(id.len() < 150 && method.len() < 40 && method != "initialize");
        let call = client
            .request(&id, &method)
            .with_progress_token(token)
            .with_meta(&nested)
            .with_params(&params);
        let sent = request(&call);
        prop_assert_eq!(&sent["id"], &id);
        prop_assert_eq!(&sent["method"], &method);
        prop_assert_eq!(&sent["params"]["name"], &name);
        prop_assert_eq!(&sent["params"]["arguments"], &arguments);
        let listed = json!([{&other: &arguments}, &arguments, true, token]);
        prop_assert_eq!(&sent["params"][&other], &listed);
        let meta = &sent["params"]["_meta"];
        prop_assert_eq!(&meta["progressToken"], token);
        prop_assert_eq!(&meta[&other], &arguments);
        if legacy {
            prop_assert_eq!(meta.as_object().unwrap().len(), 2);
        } else {
            let info = json!({"name": name, "version": other, "title": title});
            prop_assert_eq!(&meta["io.modelcontextprotocol/clientInfo"], &info);
            prop_assert_eq!(&meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
            let capabilities = json!({&other: &arguments});
            prop_assert_eq!(&meta["io.modelcontextprotocol/clientCapabilities"], &capabilities);
        }
    }

    #[test]
    fn every_answer_says_what_was_asked(
        id in any::<i64>(),
        text in any::<String>(),
        other in other_name(),
        json in any_json(),
        code in any::<i32>(),
    ) {
        let written = json.to_string();
        let raw = RawJson::new(&written).unwrap();
        let members = [member("content", &text), member(&other, raw)];
        let complete = SERVER.result(id, Method::ResourcesRead).with_members(&members);
        let answer = result(|out| complete.write(out));
        prop_assert_eq!(&answer["id"], id);
        prop_assert_eq!(&answer["result"]["content"], &text);
        prop_assert_eq!(&answer["result"][&other], &json);
        prop_assert_eq!(&answer["result"]["ttlMs"], 0);

        let asked = [InputRequest::new(&text, Method::ElicitationCreate, &members)];
        let asks = SERVER.input_required(id).with_requests(&asked).with_state(&other);
        let answer = result(|out| asks.write(out));
        prop_assert_eq!(&answer["result"]["requestState"], &other);
        prop_assert_eq!(
            &answer["result"]["inputRequests"][&text],
            &json!({"method": "elicitation/create", "params": {"content": text, &other: json}})
        );

        let lexeme = id.to_string();
        let id = Id::from_lexeme(lexeme.as_bytes()).unwrap();
        let answer = error(&ErrorResponse::new(id, ErrorCode::new(code), &text).with_data(raw));
        prop_assert_eq!(
            &answer["error"],
            &json!({"code": code, "message": text, "data": json})
        );

        let noted = sent(Sender::Server, Kind::Notification, |out| {
            Notification::new("notifications/acme").with_params(&members).write(out);
        });
        prop_assert_eq!(&noted["params"][&other], &json);
    }
}
