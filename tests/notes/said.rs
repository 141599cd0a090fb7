//! What the tests say to the server, and how its answers are judged.

use mcparse::{Message, Policy, RevisionSet, Sender, Summary, Validator};
use serde_json::{Value, json};

pub(crate) const POLICY: Policy = Policy::strict().with_revisions(RevisionSet::MODERN);

/// A request of a client that can ask its user.
pub(crate) fn request(id: i64, method: &str, params: Value) -> Value {
    request_of(id, method, params, json!({ "elicitation": {} }))
}

/// A request of a client with these capabilities.
pub(crate) fn request_of(id: i64, method: &str, mut params: Value, capabilities: Value) -> Value {
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "1" });
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A call of a tool.
pub(crate) fn call(id: i64, tool: &str, arguments: Value) -> Value {
    let mut params = json!({ "name": tool });
    params["arguments"] = arguments;
    request(id, "tools/call", params)
}

/// A note to be created.
pub(crate) fn note(title: &str) -> Value {
    json!({ "title": title, "text": "bread, salt", "notebook": "home" })
}

/// Every method of the server, with params that it takes.
pub(crate) fn every_method() -> Vec<Value> {
    let reference = json!({ "type": "ref/prompt", "name": "summarise_notebook" });
    let argument = json!({ "name": "notebook", "value": "h" });
    vec![
        call(1, "create_note", note("one")),
        request(2, "server/discover", json!({})),
        request(3, "tools/list", json!({})),
        request(4, "resources/list", json!({})),
        request(5, "resources/templates/list", json!({})),
        request(6, "resources/read", json!({ "uri": "note:///welcome" })),
        request(7, "prompts/list", json!({})),
        request(
            8,
            "prompts/get",
            json!({ "name": "summarise_notebook",
            "arguments": { "notebook": "home" } }),
        ),
        request(9, "completion/complete", json!({ "ref": reference, "argument": argument })),
        call(10, "search_notes", json!({ "words": "salt" })),
    ]
}

/// What is kept of a request, to judge its answer by.
pub(crate) fn summary(request: &str) -> Summary {
    let mut lenient = Validator::new(POLICY);
    let message = lenient.check(Sender::Client, request.as_bytes());
    message.unwrap_or_else(|violation| panic!("{request}: {violation}")).summary()
}

/// That nothing at all is to be said of a message of the server's.
pub(crate) fn is_clean(message: &Message<'_>) {
    let findings: Vec<_> = message.findings().into_iter().collect();
    let text = String::from_utf8_lossy(message.bytes());
    assert!(findings.is_empty(), "{findings:?} in {text}");
}

/// The same of the message's bytes, as the answer to `request` or beside it.
pub(crate) fn judged(request: &str, answer: &[u8]) -> Value {
    let mut validator = Validator::new(POLICY);
    let text = String::from_utf8_lossy(answer);
    let message = validator.check_answer(&summary(request), answer);
    is_clean(&message.unwrap_or_else(|violation| panic!("{text}: {violation}")));
    serde_json::from_slice(answer).unwrap()
}
