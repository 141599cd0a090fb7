//! What a request says of itself in `_meta` ([`_meta`]): version, capabilities
//! and identity of a modern one, and what any message may carry there.
//!
//! The objects are open: capabilities, extensions and keys that nobody here
//! knows are let through. What identity says never changes a verdict.
//!
//! [`_meta`]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta

mod keys;

use self::keys::{is_baggage, is_extension_id, is_key, is_reserved, is_traceparent, is_tracestate};
use super::subject::Subject;
use crate::envelope::{Capabilities, Envelope, Field, JsonType, Meta};
use crate::id;
use crate::json::reader;
use crate::kind::Sender;
use crate::rule::{Rule, RuleSet};

/// Notes the rules of this stage that the message breaks.
#[inline]
pub(crate) fn note(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    if subject.kind.is_response() {
        return;
    }
    let meta = &subject.envelope.meta;
    let wants = subject.is_modern_request() && subject.from == Sender::Client;
    match meta.itself.json {
        JsonType::Object => {}
        JsonType::Absent => {
            broken.note(Rule::MetaMissing, wants);
            return;
        }
        _ => {
            broken.note(Rule::MetaType, true);
            return;
        }
    }
    if wants {
        note_request(subject, broken);
    }
    let is_token = is_progress_token(subject.message, meta.progress_token);
    broken.note(Rule::ProgressTokenType, meta.progress_token.is_present() && !is_token);
    if meta.traceparent.is_present() || meta.tracestate.is_present() || meta.baggage.is_present() {
        broken.note(Rule::TraceContextFormat, !is_trace_context(subject));
    }
    if subject.envelope.unknown_meta.is_seen() {
        note_keys(subject, broken);
    }
}

/// What each modern request must or should say.
#[inline]
fn note_request(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    let message = subject.message;
    let meta = &subject.envelope.meta;
    broken.note(Rule::ProtocolVersionMissing, !meta.protocol_version.is_present());
    broken.note(Rule::ProtocolVersionType, Subject::is_no_string(meta.protocol_version));
    match meta.client_capabilities.json {
        JsonType::Object => note_capabilities(subject, broken),
        JsonType::Absent => broken.note(Rule::ClientCapabilitiesMissing, true),
        _ => broken.note(Rule::ClientCapabilitiesType, true),
    }
    broken.note(Rule::ClientInfoMissing, !meta.client_info.is_present());
    // An object with a string `name` and a string `version`.
    let Envelope { client_name, client_version, .. } = subject.envelope;
    let has_shape = client_name.json == JsonType::String && client_version.json == JsonType::String;
    broken.note(Rule::ClientInfoShape, meta.client_info.is_present() && !has_shape);
    if meta.log_level.is_present() {
        broken.note(Rule::LogLevelUnknown, !is_log_level(message, meta.log_level));
        broken.note(Rule::DeprecatedFeature, true);
    }
}

#[inline]
fn note_capabilities(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    let declared = &subject.envelope.capabilities;
    let Capabilities { roots, sampling, elicitation, experimental, extensions } = *declared;
    let all = [roots, sampling, elicitation, experimental, extensions];
    let is_mistyped = |field: &Field| field.is_present() && field.json != JsonType::Object;
    broken.note(Rule::ClientCapabilitiesType, all.iter().any(is_mistyped));
    broken.note(Rule::DeprecatedFeature, roots.is_present() || sampling.is_present());
    if extensions.is_present() {
        note_extensions(subject, broken);
    }
}

fn note_extensions(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    for extension in reader::members(subject.message, subject.envelope.capabilities.extensions) {
        broken.note(Rule::ExtensionId, !is_extension_id(extension.name));
        let is_object = extension.value.json == JsonType::Object;
        broken.note(Rule::ExtensionSettingsType, !is_object);
    }
}

/// The keys that are none of those reserved by name.
#[cold]
fn note_keys(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    for member in reader::members(subject.message, subject.envelope.meta.itself) {
        broken.note(Rule::MetaKeySyntax, !is_key(member.name));
        broken.note(Rule::MetaReservedPrefix, is_reserved(member.name));
    }
}

/// Where in the message `rule` is broken.
pub(crate) fn offset(rule: Rule, subject: &Subject<'_, '_>) -> Option<u32> {
    let envelope = subject.envelope;
    let meta = &envelope.meta;
    let field = match rule {
        Rule::MetaMissing => envelope.params,
        Rule::ProtocolVersionType => meta.protocol_version,
        Rule::ClientCapabilitiesType | Rule::ExtensionId | Rule::ExtensionSettingsType => {
            meta.client_capabilities
        }
        Rule::DeprecatedFeature if meta.log_level.is_present() => meta.log_level,
        Rule::DeprecatedFeature => meta.client_capabilities,
        Rule::ClientInfoShape => meta.client_info,
        Rule::ProgressTokenType => meta.progress_token,
        Rule::LogLevelUnknown => meta.log_level,
        Rule::MetaType
        | Rule::ProtocolVersionMissing
        | Rule::ClientCapabilitiesMissing
        | Rule::ClientInfoMissing
        | Rule::MetaKeySyntax
        | Rule::MetaReservedPrefix
        | Rule::TraceContextFormat => meta.itself,
        _ => return None,
    };
    Some(field.start.max(envelope.root.start))
}

/// A string or an integer; integral floats too, as JSON Schema has it.
#[inline]
fn is_progress_token(message: &[u8], token: Field) -> bool {
    match token.json {
        JsonType::String => true,
        JsonType::Number => id::is_integral(token.of(message)),
        _ => false,
    }
}

/// One of the levels of [RFC 5424].
///
/// [RFC 5424]: https://datatracker.ietf.org/doc/html/rfc5424#section-6.2.1
fn is_log_level(message: &[u8], field: Field) -> bool {
    const LEVELS: [&str; 8] =
        ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    reader::text(message, field).is_some_and(|level| LEVELS.iter().any(|known| level == **known))
}

fn is_trace_context(subject: &Subject<'_, '_>) -> bool {
    let Meta { traceparent, tracestate, baggage, .. } = subject.envelope.meta;
    // Nothing in these formats needs an escape.
    let raw = |field| reader::text(subject.message, field).map(|text| text.raw());
    (!traceparent.is_present() || raw(traceparent).is_some_and(is_traceparent))
        && (!tracestate.is_present() || raw(tracestate).is_some_and(is_tracestate))
        && (!baggage.is_present() || raw(baggage).is_some_and(is_baggage))
}
