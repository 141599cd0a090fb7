//! A connection to talk over: messages as text, and what is noticed of each.

use mcparse::{Exchange, ExchangeLimits, Id, Noticed, Policy, Rule, Sender, Validator};
use serde_json::{Value, json};

/// Both ends of a connection, with the validator and the exchange between them.
pub(crate) struct Talk {
    pub(crate) exchange: Exchange,
    validator: Validator,
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self::over(Exchange::new())
    }

    pub(crate) fn with(limits: ExchangeLimits) -> Self {
        Self::over(Exchange::with_limits(limits))
    }

    pub(crate) fn over(exchange: Exchange) -> Self {
        Self { exchange, validator: Validator::new(Policy::observe()) }
    }

    pub(crate) fn hear(&mut self, from: Sender, message: &Value) -> Noticed {
        let bytes = message.to_string().into_bytes();
        let message = self.validator.check(from, &bytes).unwrap_or_else(|refusal| {
            panic!("{refusal}: {message}");
        });
        match from {
            Sender::Client => self.exchange.sent(&message),
            Sender::Server => self.exchange.received(&message),
        }
    }

    /// The client sends `message`; what is noticed, by ids in order.
    pub(crate) fn sends(&mut self, message: &Value) -> Vec<&'static str> {
        self.hear(Sender::Client, message).rules.iter().map(Rule::id).collect()
    }

    /// The server sends `message`.
    pub(crate) fn gets(&mut self, message: &Value) -> Vec<&'static str> {
        self.hear(Sender::Server, message).rules.iter().map(Rule::id).collect()
    }

    /// The ids of the client's requests that wait, as they were written.
    pub(crate) fn pending(&self) -> Vec<String> {
        let lexeme = |id: Id<'_>| String::from_utf8_lossy(id.lexeme()).into_owned();
        self.exchange.pending().map(|request| request.id().map_or(String::new(), lexeme)).collect()
    }
}

/// A modern request, with `meta` besides what every one has.
pub(crate) fn modern(id: &Value, method: &str, mut params: Value, meta: &Value) -> Value {
    let mut all = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (key, value) in meta.as_object().expect("an object") {
        all[key] = value.clone();
    }
    params["_meta"] = all;
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn legacy(id: &Value, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn notification(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

pub(crate) fn call(id: &Value) -> Value {
    modern(id, "tools/call", json!({"name": "add"}), &json!({}))
}

pub(crate) fn result(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

pub(crate) fn done(id: &Value) -> Value {
    result(id, &json!({"resultType": "complete", "content": []}))
}

pub(crate) fn error(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "m"}})
}

pub(crate) fn cancelled(id: &Value) -> Value {
    notification("notifications/cancelled", &json!({"requestId": id}))
}

pub(crate) fn progress(token: &Value, progress: &Value) -> Value {
    let params = json!({"progressToken": token, "progress": progress});
    notification("notifications/progress", &params)
}

/// A notification on a stream.
pub(crate) fn on_stream(subscription: &Value, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({"io.modelcontextprotocol/subscriptionId": subscription});
    notification(method, &params)
}
