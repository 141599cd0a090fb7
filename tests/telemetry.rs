//! Spans and events have the names of the conventions, hold nothing of a peer's
//! that is long or not printable, and cost nothing where nobody listens.
#![cfg(feature = "tracing")]

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use mcparse::{Message, Policy, Rule, RuleSet, Sender, Summary, Validator, telemetry};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

type Fields = BTreeMap<&'static str, String>;

/// All that was said, in the order of their beginnings.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<Said>>>);

#[derive(Clone, Debug)]
struct Said {
    span: Option<Id>,
    level: Level,
    target: &'static str,
    fields: Fields,
}

struct Reader<'f>(&'f mut Fields);

impl Visit for Reader<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl<S: Subscriber> Layer<S> for Heard {
    fn on_new_span(&self, span: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        let mut fields = Fields::new();
        span.record(&mut Reader(&mut fields));
        let (level, target) = (*span.metadata().level(), span.metadata().target());
        self.0.lock().unwrap().push(Said { span: Some(id.clone()), level, target, fields });
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, _: Context<'_, S>) {
        let mut said = self.0.lock().unwrap();
        let span = said.iter_mut().rfind(|said| said.span.as_ref() == Some(id)).unwrap();
        record.record(&mut Reader(&mut span.fields));
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::new();
        event.record(&mut Reader(&mut fields));
        let (level, target) = (*event.metadata().level(), event.metadata().target());
        self.0.lock().unwrap().push(Said { span: None, level, target, fields });
    }
}

/// What was said meanwhile.
fn heard(act: impl FnOnce()) -> Vec<Said> {
    let heard = Heard::default();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(heard.clone()), act);
    let said = heard.0.lock().unwrap();
    said.clone()
}

fn summary(message: &str) -> Summary {
    let mut validator = Validator::new(Policy::strict());
    validator.check(Sender::Client, message.as_bytes()).unwrap().summary()
}

fn call(id: &str, method: &str, params: &str) -> Summary {
    let message =
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#);
    summary(&message)
}

/// The fields of the span of this message.
fn span(message: &Summary) -> Fields {
    let mut said = heard(|| drop(telemetry::span(message)));
    assert_eq!(said.len(), 1);
    let said = said.remove(0);
    assert_eq!((said.level, said.target), (Level::INFO, "mcparse"));
    said.fields
}

fn fields<const N: usize>(fields: [(&'static str, &str); N]) -> Fields {
    fields.into_iter().map(|(name, value)| (name, value.to_owned())).collect()
}

/// What is recorded of an answer to this request, besides what the request is.
fn answered(request: &Summary, answer: &str) -> Fields {
    let mut validator = Validator::new(Policy::strict());
    let verdict = validator.check_answer(request, answer.as_bytes());
    let said = heard(|| {
        telemetry::answered(&telemetry::span(request), request, verdict.as_ref());
    });
    let before = span(request);
    let mut fields = said[0].fields.clone();
    fields.retain(|name, _| !before.contains_key(name));
    fields
}

#[test]
fn the_span_of_a_tool_call_is_that_of_the_conventions() {
    assert_eq!(
        span(&call("\"a-1\"", "tools/call", r#""name":"add""#)),
        fields([
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "add"),
            ("jsonrpc.request.id", "a-1"),
            ("mcp.method.name", "tools/call"),
            ("otel.kind", "server"),
            ("otel.name", "tools/call add"),
        ])
    );
}

#[test]
fn a_prompt_is_in_the_name_of_its_span_and_a_resource_is_not() {
    assert_eq!(
        span(&call("1", "prompts/get", r#""name":"sum""#)),
        fields([
            ("gen_ai.prompt.name", "sum"),
            ("jsonrpc.request.id", "1"),
            ("mcp.method.name", "prompts/get"),
            ("otel.kind", "server"),
            ("otel.name", "prompts/get sum"),
        ])
    );
    assert_eq!(
        span(&call("-7", "resources/read", r#""uri":"file:///a""#)),
        fields([
            ("jsonrpc.request.id", "-7"),
            ("mcp.method.name", "resources/read"),
            ("mcp.resource.uri", "file:///a"),
            ("otel.kind", "server"),
            ("otel.name", "resources/read"),
        ])
    );
}

#[test]
fn a_notification_has_no_id_and_a_modern_request_its_version() {
    let note = summary(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let said = span(&note);
    assert_eq!(said["mcp.method.name"], "notifications/initialized");
    assert!(!said.contains_key("jsonrpc.request.id"));

    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}"#;
    assert_eq!(span(&call("1", "tools/list", meta))["mcp.protocol.version"], "2026-07-28");
}

#[test]
fn a_response_has_no_span() {
    let mut validator = Validator::new(Policy::strict());
    let answer = br#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let answer = validator.check(Sender::Server, answer).unwrap().summary();
    assert!(heard(|| assert!(telemetry::span(&answer).is_none())).is_empty());
}

#[test]
fn methods_that_peers_make_up_share_one_name() {
    for n in 0..100 {
        let made_up = format!("made/up{n}{}", "m".repeat(n));
        let said = span(&call("1", &made_up, r#""name":"x""#));
        assert_eq!((&*said["mcp.method.name"], &*said["otel.name"]), ("_OTHER", "_OTHER"));
    }
}

#[test]
fn what_a_peer_wrote_is_bounded_and_printable() {
    let said = span(&call("1", "tools/call", r#""name":"\u001b[2J\n\u00e9""#));
    assert_eq!(said["gen_ai.tool.name"], r"\x1b[2J\x0a\xc3\xa9");
    assert_eq!(said["otel.name"], r"tools/call \x1b[2J\x0a\xc3\xa9");

    let most = "n".repeat(64);
    let at_the_bound = span(&call("1", "tools/call", &format!(r#""name":"{most}""#)));
    assert_eq!(at_the_bound["gen_ai.tool.name"], most);
    let past = span(&call(&format!("\"{most}\""), "tools/call", &format!(r#""name":"{most}n""#)));
    assert!(!past.contains_key("gen_ai.tool.name") && !past.contains_key("jsonrpc.request.id"));
    assert_eq!(past["otel.name"], "tools/call");
}

#[test]
fn what_no_message_tells_can_be_recorded() {
    let long = [b's'; 65];
    let said = heard(|| {
        let span = telemetry::span(&call("1", "ping", ""));
        telemetry::record(&span, telemetry::SESSION_ID, &long);
        telemetry::record(&span, telemetry::NETWORK_TRANSPORT, b"pipe");
        telemetry::record(&span, telemetry::SERVER_ADDRESS, b"a\nb");
        telemetry::record(&span, telemetry::KIND, b"client");
        telemetry::record(&span, "not.there", b"x");
    });
    assert_eq!(said[0].fields["mcp.session.id"], format!("{}...", "s".repeat(64)));
    assert_eq!(said[0].fields["network.transport"], "pipe");
    assert_eq!(said[0].fields["server.address"], r"a\x0ab");
    assert_eq!(said[0].fields["otel.kind"], "client");
    assert!(!said[0].fields.contains_key("not.there"));
}

#[test]
fn an_answer_tells_how_the_request_failed() {
    let error = |code: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m"}}}}"#)
    };
    let failed = |code| {
        fields([
            ("error.type", code),
            ("otel.status_code", "ERROR"),
            ("rpc.response.status_code", code),
        ])
    };
    let ping = call("1", "ping", "");
    assert_eq!(answered(&ping, &error("-32602")), failed("-32602"));
    assert_eq!(answered(&ping, &error("9223372036854775807")), failed("9223372036854775807"));
    assert_eq!(answered(&ping, &error("9223372036854775808")), failed("_OTHER"));
    assert_eq!(answered(&ping, &error(&"9".repeat(400))), failed("_OTHER"));
    assert_eq!(answered(&ping, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Fields::new());
}

#[test]
fn a_tool_that_failed_is_told_from_a_call_that_did() {
    let result = |more| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[]{more}}}}}"#);
    let tool = call("1", "tools/call", r#""name":"add""#);
    let failed = fields([("error.type", "tool_error"), ("otel.status_code", "ERROR")]);
    assert_eq!(answered(&tool, &result(r#","isError":true"#)), failed);
    assert_eq!(answered(&tool, &result(r#","isError": false"#)), Fields::new());
    assert_eq!(answered(&tool, &result("")), Fields::new());
    // Only a tool has it.
    assert_eq!(answered(&call("1", "ping", ""), &result(r#","isError":true"#)), Fields::new());
}

#[test]
fn an_answer_that_was_refused_is_told_as_its_client_is() {
    let both = r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#;
    assert_eq!(
        answered(&call("1", "ping", ""), both),
        fields([
            ("error.type", "-32603"),
            ("mcparse.rule", "result-and-error"),
            ("otel.status_code", "ERROR"),
            ("rpc.response.status_code", "-32603"),
        ])
    );
    // It came beside the answer, which is still to come.
    let beside = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":[]}"#;
    assert_eq!(answered(&call("1", "ping", ""), beside), Fields::new());
}

#[test]
fn a_refusal_is_an_event() {
    let mut validator = Validator::new(Policy::strict());
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#;
    let violation = validator.check(Sender::Client, message).unwrap_err();
    let said = heard(|| telemetry::refused(Sender::Client, &violation));
    assert_eq!(said.len(), 1);
    assert_eq!((said[0].level, said[0].target), (Level::WARN, telemetry::TARGET));
    let offset = violation.offset().to_string();
    assert_eq!(
        said[0].fields,
        fields([
            ("code", "-32602"),
            ("detail", "params.name must be a string"),
            ("mcparse.from", "client"),
            ("mcparse.rule", "params-shape"),
            ("message", "message refused"),
            ("offset", &offset),
            ("reason", violation.reason()),
            ("stage", "params"),
        ])
    );
}

#[test]
fn what_was_let_through_differs_from_what_was_refused_by_its_words_alone() {
    let mut validator = Validator::new(Policy::strict());
    let violation = validator.check(Sender::Client, b"[]").unwrap_err();
    let mut said = heard(|| {
        telemetry::refused(Sender::Client, &violation);
        telemetry::let_through(Sender::Client, &violation);
    });
    assert_eq!(said[1].fields["message"], "message let through");
    assert_eq!((said[1].level, said[1].target), (Level::WARN, telemetry::TARGET));
    for said in &mut said {
        said.fields.remove("message");
    }
    assert_eq!(said[0].fields, said[1].fields);
}

#[test]
fn a_refusal_holds_little_of_what_the_peer_wrote() {
    let mut validator = Validator::new(Policy::strict());
    let version = "v".repeat(50_000);
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"c","version":"1"}}}}}}}}"#
    );
    let violation = validator.check(Sender::Client, message.as_bytes()).unwrap_err();
    assert_eq!(violation.rule(), Rule::UnsupportedVersion);
    let said = heard(|| telemetry::refused(Sender::Client, &violation));
    assert!(said[0].fields["detail"].starts_with(&format!("'{}...'", "v".repeat(64))));
    let most = said[0].fields.values().map(String::len).max().unwrap();
    assert!(most < 400, "{most}");
}

#[test]
fn what_is_only_reported_is_one_event_for_all_rules() {
    let rules: RuleSet = [Rule::UnknownMember, Rule::IdNull].into_iter().collect();
    let said = heard(|| telemetry::reported(Sender::Server, rules));
    assert_eq!(said.len(), 1);
    assert_eq!((said[0].level, said[0].target), (Level::DEBUG, telemetry::TARGET));
    assert_eq!(said[0].fields["mcparse.rule"], "id-null unknown-member");
    assert_eq!(said[0].fields["mcparse.from"], "server");
    assert!(heard(|| telemetry::reported(Sender::Server, RuleSet::EMPTY)).is_empty());
}

#[test]
fn where_nobody_listens_nothing_is_recorded() {
    tracing::subscriber::with_default(tracing::subscriber::NoSubscriber::default(), || {
        let request = call("1", "tools/call", r#""name":"add""#);
        let span = telemetry::span(&request);
        assert!(span.is_disabled());
        telemetry::record(&span, telemetry::SESSION_ID, b"s");
        let mut validator = Validator::new(Policy::strict());
        let verdict = validator.check_answer(&request, b"{}");
        telemetry::answered(&span, &request, verdict.as_ref());
        telemetry::refused(Sender::Server, &verdict.unwrap_err());
    });
}

#[test]
fn what_comes_beside_the_answer_changes_nothing() {
    let request = call("1", "ping", "");
    let mut validator = Validator::new(Policy::strict());
    let note = br#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let note = validator.check(Sender::Server, note).unwrap();
    assert!(matches!(note, Message::Notification(_)));
    let said = heard(|| telemetry::answered(&telemetry::span(&request), &request, Ok(&note)));
    assert_eq!(said[0].fields, span(&request));
}
