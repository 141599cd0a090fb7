//! The rules of what a call says of itself in `_meta`.

use mcparse::Rule;

use super::envelope::repeated;
use super::formats::{is_baggage, is_key, is_traceparent, is_tracestate, prefix};
use super::message::{CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, Message, PROTOCOL_VERSION};
use super::number::is_integral;
use super::read::{Json, Member, Value};
use super::truth::last;

const CAPABILITIES: &[&str] = &["roots", "sampling", "elicitation", "experimental", "extensions"];
/// Whether a text has a format.
type Format = fn(&[u8]) -> bool;

/// Keys under a reserved prefix that some revision defines.
const DEFINED: &[&str] = &[
    PROTOCOL_VERSION,
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/subscriptionId",
    // https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#related-task-metadata
    "io.modelcontextprotocol/related-task",
];
const LEVELS: &[&str] =
    &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> Option<usize> {
    message.method?;
    let is_asked = message.is_modern_client_request();
    let above = message.params.unwrap_or(message.root).at;
    let Some(meta) = message.meta() else {
        return (rule == Rule::MetaMissing && is_asked).then_some(above);
    };
    if meta.json() != Json::Object {
        return (rule == Rule::MetaType).then_some(meta.at);
    }
    any_call(message, meta, rule).or_else(|| is_asked.then(|| asked(message, meta, rule))?)
}

/// What is asked of a client's modern request alone.
fn asked(message: &Message<'_>, meta: Value<'_>, rule: Rule) -> Option<usize> {
    let get = |key| message.meta_member(key);
    let missing = |key| get(key).is_none().then_some(meta.at);
    let wrong = |key, is_right: &dyn Fn(Value<'_>) -> bool| {
        get(key).filter(|&value| !is_right(value)).map(|value| value.at)
    };
    let capabilities = message.capabilities().map(Value::members).unwrap_or_default();
    let extensions = last(&capabilities, "extensions").map(Value::members).unwrap_or_default();
    match rule {
        Rule::ProtocolVersionMissing => missing(PROTOCOL_VERSION),
        Rule::ProtocolVersionType => wrong(PROTOCOL_VERSION, &is_string),
        Rule::ClientCapabilitiesMissing => missing(CLIENT_CAPABILITIES),
        Rule::ClientCapabilitiesType => wrong(CLIENT_CAPABILITIES, &|declared| {
            let is_wrong = |member: &Member<'_>| is_capability(member) && !is_object(member.value);
            is_object(declared) && !declared.members().iter().any(is_wrong)
        }),
        Rule::ClientInfoMissing => missing(CLIENT_INFO),
        Rule::ClientInfoShape => wrong(CLIENT_INFO, &|info| {
            let has = |name| last(&info.members(), name).is_some_and(is_string);
            has("name") && has("version")
        }),
        Rule::LogLevelUnknown => {
            wrong(LOG_LEVEL, &|level| LEVELS.iter().any(|known| level.is_text(known)))
        }
        Rule::DeprecatedFeature => {
            let is_declared =
                ["roots", "sampling"].iter().any(|name| last(&capabilities, name).is_some());
            let declared = get(CLIENT_CAPABILITIES).filter(|_| is_declared);
            get(LOG_LEVEL).or(declared).map(|value| value.at)
        }
        Rule::ExtensionId => {
            let is_wrong = |one: &Member<'_>| !is_key(&one.name) || prefix(&one.name).is_none();
            get(CLIENT_CAPABILITIES).filter(|_| extensions.iter().any(is_wrong)).map(|it| it.at)
        }
        Rule::ExtensionSettingsType => {
            let is_wrong = |one: &Member<'_>| !is_object(one.value);
            get(CLIENT_CAPABILITIES).filter(|_| extensions.iter().any(is_wrong)).map(|it| it.at)
        }
        _ => None,
    }
}

/// What is asked of every call that has an object `_meta`.
fn any_call(message: &Message<'_>, meta: Value<'_>, rule: Rule) -> Option<usize> {
    let members = meta.members();
    match rule {
        Rule::ProgressTokenType => {
            let is_token = |token: Value<'_>| {
                is_string(token) || token.json() == Json::Number && is_integral(token.raw)
            };
            message.meta_member("progressToken").filter(|&it| !is_token(it)).map(|it| it.at)
        }
        Rule::MetaKeySyntax => {
            members.iter().any(|member| !is_key(&member.name)).then_some(meta.at)
        }
        Rule::MetaReservedPrefix => {
            let is_reserved = |member: &Member<'_>| {
                let is_defined = DEFINED.iter().any(|key| member.name == key.as_bytes());
                let prefix = prefix(&member.name).unwrap_or_default();
                let second = prefix.split(|&byte| byte == b'.').nth(1);
                !is_defined && matches!(second, Some(b"modelcontextprotocol" | b"mcp"))
            };
            members.iter().any(is_reserved).then_some(meta.at)
        }
        Rule::TraceContextFormat => {
            let formats: [(&str, Format); 3] = [
                ("traceparent", is_traceparent),
                ("tracestate", is_tracestate),
                ("baggage", is_baggage),
            ];
            let is_wrong = |(key, is_right): &(&str, Format)| {
                message.meta_member(key).is_some_and(|value| {
                    let is_plain = is_string(value) && !value.raw.contains('\\');
                    !is_plain || !value.decoded().is_some_and(|text| is_right(&text))
                })
            };
            formats.iter().any(is_wrong).then_some(meta.at)
        }
        _ => None,
    }
}

/// Where the capabilities stand of which one that the specification defines is
/// given again.
pub(crate) fn repeated_capability(message: &Message<'_>) -> Option<usize> {
    if !message.is_modern_client_request() {
        return None;
    }
    let declared = message.capabilities()?;
    repeated(declared.members().iter().filter(|member| is_capability(member)))
        .and(Some(declared.at))
}

fn is_capability(member: &Member<'_>) -> bool {
    CAPABILITIES.iter().any(|name| member.name == name.as_bytes())
}

fn is_string(value: Value<'_>) -> bool {
    value.json() == Json::String
}

fn is_object(value: Value<'_>) -> bool {
    value.json() == Json::Object
}
