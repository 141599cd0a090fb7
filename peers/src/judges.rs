//! The three readers: each takes the same bytes by its own public functions.
//!
//! A peer is told the revision, since its types do not find it out; of a request
//! that names one in `_meta`, it is told that.

use mcparse::{Policy, RequestHead, Sender, Validator};
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta};
use rmcp::model::{JsonRpcMessage, ProtocolVersion};
use serde::Deserialize;
use serde_json::Value;
use tower_mcp_types::inspection::{
    JsonRpcEnvelope, JsonRpcEnvelopeKind, JsonRpcPayload, McpDirection, McpInspector,
    McpMethodClassification,
};
use tower_mcp_types::protocol::RequestMeta;

use crate::input::Input;
use crate::verdict::{Ours, Taken, Theirs};

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// mcparse under its strict policy.
pub(crate) fn ours(input: &Input) -> Ours {
    let mut validator = Validator::new(Policy::strict());
    let verdict = match &input.headers {
        None => validator.check(Sender::Client, &input.bytes),
        Some(headers) => {
            let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            validator.check_http(&RequestHead::new("POST", headers), &input.bytes)
        }
    };
    match verdict {
        Ok(message) => Ours::Accepts(message.kind().into(), message.findings()),
        Err(violation) => Ours::Refuses(violation.rule()),
    }
}

/// rmcp: the message that its servers deserialize, then the list of keys that a
/// modern request lacks.
pub(crate) fn rmcp(input: &Input) -> Theirs {
    let message: ClientJsonRpcMessage = match serde_json::from_slice(&input.bytes) {
        Ok(message) => message,
        Err(error) => return Theirs::Refuses(error.to_string()),
    };
    match message {
        JsonRpcMessage::Request(message) => {
            let meta = message.request.get_meta();
            let version = meta.protocol_version().unwrap_or_else(|| version(input.revision));
            let missing = meta.missing_required_keys(&version);
            match (&missing[..], message.request) {
                ([], ClientRequest::CustomRequest(_)) => Theirs::Accepts(Taken::Request, "custom"),
                ([], _) => Theirs::Accepts(Taken::Request, ""),
                (missing, _) => Theirs::Refuses(format!("missing keys: {}", missing.join(", "))),
            }
        }
        JsonRpcMessage::Notification(message) => {
            let is_custom =
                matches!(message.notification, ClientNotification::CustomNotification(_));
            Theirs::Accepts(Taken::Notification, if is_custom { "custom" } else { "" })
        }
        JsonRpcMessage::Response(_) => Theirs::Accepts(Taken::Result, ""),
        JsonRpcMessage::Error(_) => Theirs::Accepts(Taken::Error, ""),
    }
}

/// The revision as rmcp has it, by the way in which it reads one.
fn version(revision: &str) -> ProtocolVersion {
    serde_json::from_value(Value::from(revision)).expect("any string is a version")
}

/// tower-mcp-types: its inspector, made for those between the peers, then the
/// check of what a modern request must carry.
pub(crate) fn tower(input: &Input) -> Theirs {
    let value: Value = match serde_json::from_slice(&input.bytes) {
        Ok(value) => value,
        Err(error) => return Theirs::Refuses(error.to_string()),
    };
    let meta = value.get("params").and_then(|params| params.get("_meta"));
    let named = meta.and_then(|meta| meta.get(VERSION_KEY)).and_then(Value::as_str);
    let revision = named.unwrap_or(input.revision);
    let inspected = McpInspector::new(revision)
        .and_then(|inspector| inspector.inspect(&value, Some(McpDirection::ClientToServer)));
    let inspected = match inspected {
        Ok(inspected) => inspected,
        Err(error) => return Theirs::Refuses(error.to_string()),
    };
    let remark = match inspected.methods() {
        [method] => match method.classification() {
            McpMethodClassification::Available => "",
            McpMethodClassification::Unavailable => "unavailable",
            McpMethodClassification::Extension => "extension",
            _ => "of a class unknown here",
        },
        _ => "",
    };
    let JsonRpcPayload::Single(envelope) = inspected.payload() else {
        return Theirs::Accepts(Taken::Batch, remark);
    };
    if let JsonRpcEnvelope::Request(_) = envelope {
        let lack = match meta.map(RequestMeta::deserialize) {
            None => RequestMeta::default().validate_for_version(revision).err(),
            Some(Ok(meta)) => meta.validate_for_version(revision).err(),
            Some(Err(error)) => return Theirs::Refuses(error.to_string()),
        };
        if let Some(missing) = lack {
            return Theirs::Refuses(format!("missing key: {}", missing.0));
        }
    }
    let taken = match envelope.kind() {
        JsonRpcEnvelopeKind::Request => Taken::Request,
        JsonRpcEnvelopeKind::Notification => Taken::Notification,
        JsonRpcEnvelopeKind::Result => Taken::Result,
        _ => Taken::Error,
    };
    Theirs::Accepts(taken, remark)
}
