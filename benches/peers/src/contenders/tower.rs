//! tower-mcp-types: its inspector, made for those between the peers. It wants a
//! parsed value, and to be told the revision: the one in `_meta`, or the newest
//! before requests named it.

use std::hint::black_box;

use mcparse::{Kind, Sender};
use serde_json::Value;
use tower_mcp_types::inspection::{
    JsonRpcEnvelope, JsonRpcPayload, McpDirection, McpInspection, McpInspector,
};
use tower_mcp_types::protocol::RequestId;

use crate::contender::Reader;
use crate::seen::{Fields, Length};
use crate::support::classes::Case;

const REVISION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

pub(crate) struct Tower;

impl Reader for Tower {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        kind(black_box(&inspect(case)?).payload().as_single()?)
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        fields(black_box(&inspect(case)?).payload())
    }
}

fn inspect(case: &Case) -> Option<McpInspection> {
    let value: Value = serde_json::from_slice(black_box(&case.message)).ok()?;
    let named = value.get("params").and_then(revision);
    let direction = match case.from {
        Sender::Client => McpDirection::ClientToServer,
        Sender::Server => McpDirection::ServerToClient,
    };
    let inspector = McpInspector::new(named.unwrap_or("2025-11-25")).ok()?;
    inspector.inspect(&value, Some(direction)).ok()
}

fn revision(params: &Value) -> Option<&str> {
    params.get("_meta")?.get(REVISION_KEY)?.as_str()
}

fn kind(envelope: &JsonRpcEnvelope) -> Option<Kind> {
    match envelope {
        JsonRpcEnvelope::Request(_) => Some(Kind::Request),
        JsonRpcEnvelope::Notification(_) => Some(Kind::Notification),
        JsonRpcEnvelope::Result(_) => Some(Kind::Result),
        JsonRpcEnvelope::Error(_) => Some(Kind::Error),
        _ => None,
    }
}

fn fields(payload: &JsonRpcPayload) -> Option<Fields> {
    let envelope = payload.as_single()?;
    let fields = Fields::of(kind(envelope)?);
    let params = |params: &Option<Value>| {
        let name = params.as_ref().and_then(|params| params.get("name")?.as_str());
        (Length::of_any(name), Length::of_any(params.as_ref().and_then(revision)))
    };
    Some(match envelope {
        JsonRpcEnvelope::Request(call) => {
            let (name, revision) = params(&call.params);
            Fields { id: id(&call.id), method: Length::of(&call.method), name, revision, ..fields }
        }
        JsonRpcEnvelope::Notification(call) => {
            let (name, revision) = params(&call.params);
            Fields { method: Length::of(&call.method), name, revision, ..fields }
        }
        JsonRpcEnvelope::Result(answer) => Fields { id: id(&answer.id), ..fields },
        JsonRpcEnvelope::Error(answer) => Fields {
            id: answer.id.as_ref().map_or(fields.id, id),
            code: i64::from(answer.error.code),
            ..fields
        },
        _ => fields,
    })
}

fn id(id: &RequestId) -> (i64, Length) {
    match id {
        RequestId::Number(number) => (*number, Length::default()),
        RequestId::String(text) => (0, Length::of(text)),
        _ => (0, Length::default()),
    }
}
