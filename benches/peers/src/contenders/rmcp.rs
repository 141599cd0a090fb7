//! rmcp: the types of messages that its servers and its clients deserialize.

use std::hint::black_box;

use mcparse::{Kind, Sender};
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ConstString as _, GetMeta as _,
    JsonRpcMessage, NumberOrString, ProtocolVersion, ServerJsonRpcMessage,
};

use crate::contender::Reader;
use crate::seen::{Fields, Length};
use crate::support::classes::Case;

pub(crate) struct Rmcp;

impl Reader for Rmcp {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        let message = black_box(&*case.message);
        Some(match case.from {
            Sender::Client => kind(black_box(&client(message)?)),
            Sender::Server => kind(black_box(&server(message)?)),
        })
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        let message = black_box(&*case.message);
        Some(match case.from {
            Sender::Client => of_client(black_box(&client(message)?)),
            Sender::Server => of_answer(black_box(&server(message)?)),
        })
    }
}

fn client(message: &[u8]) -> Option<ClientJsonRpcMessage> {
    serde_json::from_slice(message).ok()
}

fn server(message: &[u8]) -> Option<ServerJsonRpcMessage> {
    serde_json::from_slice(message).ok()
}

fn kind<A, B, C>(message: &JsonRpcMessage<A, B, C>) -> Kind {
    match message {
        JsonRpcMessage::Request(_) => Kind::Request,
        JsonRpcMessage::Notification(_) => Kind::Notification,
        JsonRpcMessage::Response(_) => Kind::Result,
        JsonRpcMessage::Error(_) => Kind::Error,
    }
}

fn id(id: &NumberOrString) -> (i64, Length) {
    match id {
        NumberOrString::Number(number) => (*number, Length::default()),
        NumberOrString::String(text) => (0, Length::of(text)),
    }
}

/// The fields of an answer; of a server's own messages only the kind.
fn of_answer<A, B, C>(message: &JsonRpcMessage<A, B, C>) -> Fields {
    let fields = Fields::of(kind(message));
    match message {
        JsonRpcMessage::Response(answer) => Fields { id: id(&answer.id), ..fields },
        JsonRpcMessage::Error(answer) => Fields {
            id: answer.id.as_ref().map_or(fields.id, id),
            code: i64::from(answer.error.code.0),
            ..fields
        },
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => fields,
    }
}

fn of_client(message: &ClientJsonRpcMessage) -> Fields {
    let fields = Fields::of(kind(message));
    match message {
        JsonRpcMessage::Request(call) => {
            let name = match &call.request {
                ClientRequest::CallToolRequest(call) => Some(&*call.params.name),
                ClientRequest::GetPromptRequest(call) => Some(&*call.params.name),
                _ => None,
            };
            let revision = call.request.get_meta().protocol_version();
            Fields {
                id: id(&call.id),
                method: Length::of(call.request.method()),
                name: Length::of_any(name),
                revision: Length::of_any(revision.as_ref().map(ProtocolVersion::as_str)),
                ..fields
            }
        }
        JsonRpcMessage::Notification(call) => {
            let method = match &call.notification {
                ClientNotification::CancelledNotification(it) => it.method.as_str(),
                ClientNotification::ProgressNotification(it) => it.method.as_str(),
                ClientNotification::InitializedNotification(it) => it.method.as_str(),
                ClientNotification::RootsListChangedNotification(it) => it.method.as_str(),
                ClientNotification::CustomNotification(it) => &it.method,
                _ => "",
            };
            Fields { method: Length::of(method), ..fields }
        }
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => of_answer(message),
    }
}
