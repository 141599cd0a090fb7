//! A session to talk in: messages as JSON, and what is noticed of each.

use mcparse::{Policy, Rule, Sender, Session, SessionNoticed, SessionState, Validator};
use serde_json::{Value, json};

/// Both ends of a session, with the validator and the session between them.
pub(crate) struct Talk {
    pub(crate) session: Session,
    validator: Validator,
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self { session: Session::new(), validator: Validator::new(Policy::observe()) }
    }

    /// A session that runs, in which the client and the server have declared
    /// this.
    pub(crate) fn running(version: &str, client: &Value, server: &Value) -> Self {
        let mut talk = Self::new();
        assert_eq!(talk.sends(&initialize(version, client)), [""; 0]);
        assert_eq!(talk.gets(&initialized(version, server)), [""; 0]);
        assert_eq!(talk.sends(&ready()), [""; 0]);
        assert_eq!(talk.session.state(), SessionState::Running);
        talk
    }

    pub(crate) fn hear(&mut self, from: Sender, message: &Value) -> SessionNoticed {
        let bytes = message.to_string().into_bytes();
        let message = self.validator.check(from, &bytes).unwrap_or_else(|refusal| {
            panic!("{refusal}: {message}");
        });
        match from {
            Sender::Client => self.session.sent(&message),
            Sender::Server => self.session.received(&message),
        }
    }

    /// The client sends `message`; what is noticed, by ids in order.
    pub(crate) fn sends(&mut self, message: &Value) -> Vec<&'static str> {
        ids(self.hear(Sender::Client, message))
    }

    /// The server sends `message`.
    pub(crate) fn gets(&mut self, message: &Value) -> Vec<&'static str> {
        ids(self.hear(Sender::Server, message))
    }
}

pub(crate) fn ids(noticed: SessionNoticed) -> Vec<&'static str> {
    noticed.rules.iter().map(Rule::id).collect()
}

/// The client's side of the handshake, with the id 0.
pub(crate) fn initialize(version: &str, capabilities: &Value) -> Value {
    let info = json!({"name": "t", "version": "1"});
    let params =
        json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

/// The server's side of it.
pub(crate) fn initialized(version: &str, capabilities: &Value) -> Value {
    let info = json!({"name": "t", "version": "1"});
    let result =
        json!({"protocolVersion": version, "capabilities": capabilities, "serverInfo": info});
    json!({"jsonrpc": "2.0", "id": 0, "result": result})
}

pub(crate) fn failed(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "m"}})
}

pub(crate) fn ready() -> Value {
    notification("notifications/initialized")
}

pub(crate) fn request(method: &str) -> Value {
    request_with(method, &json!({}))
}

pub(crate) fn request_with(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

pub(crate) fn notification(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": method})
}

/// A request of the modern era.
pub(crate) fn modern(method: &str) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request_with(method, &json!({"_meta": meta}))
}
