//! The ways in which a captured request is made faulty, in one place each, with
//! what must become of it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcparse::{RequestHead, Rule, Validator};
use serde_json::{Value, json};

use crate::sessions::Verdict;

pub(crate) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const INFO: &str = "io.modelcontextprotocol/clientInfo";

/// A request that is being spoilt.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Request {
    fn header(&self, name: &str) -> Option<String> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    }

    /// Takes a header away, and puts these values in its place.
    fn set<const N: usize>(&mut self, name: &str, values: [&str; N]) {
        self.headers.retain(|(known, _)| known != name);
        self.headers.extend(values.map(|value| (name.to_owned(), value.to_owned())));
    }

    /// Changes `Mcp-Name`, if it has one.
    fn rename(&mut self, new: impl Fn(&str) -> String) -> bool {
        let old = self.header("mcp-name");
        old.is_some_and(|old| {
            self.set("mcp-name", [&*new(&old)]);
            true
        })
    }

    /// Whether its name is one that needs the wrapper.
    fn is_wrapped(&self) -> bool {
        self.header("mcp-name").is_some_and(|name| name.starts_with("=?base64?"))
    }

    fn meta(&mut self) -> &mut Value {
        &mut self.body["params"]["_meta"]
    }

    /// Another method, in body and header.
    fn call(&mut self, method: &str) {
        self.body["method"] = method.into();
        self.set("mcp-method", [method]);
    }

    pub(crate) fn judge(&self, validator: &mut Validator) -> Verdict {
        let headers = self.headers.iter().map(|(name, value)| (name, value));
        let head = RequestHead::new(&self.method, headers);
        let body = serde_json::to_vec(&self.body).expect("JSON");
        Verdict::of(validator, &head, &body)
    }
}

/// What becomes of an edited request: refused by a rule, or accepted and with a
/// rule among its findings if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    Refused(Rule),
    Reported(Rule),
    Accepted,
}

use Then::{Accepted, Refused, Reported};

/// Returns false if the edit does not concern such a request.
pub(crate) type Edit = fn(&mut Request) -> bool;

fn remove(object: &mut Value, member: &str) -> bool {
    object.as_object_mut().is_some_and(|object| object.remove(member).is_some())
}

fn wrapped(value: &str) -> String {
    format!("=?base64?{}?=", STANDARD.encode(value))
}

/// Of requests of 2026-07-28.
pub(crate) const MODERN: &[(&str, Then, Edit)] = &[
    ("nothing", Accepted, |_| true),
    ("GET", Refused(Rule::HttpMethod), |it| {
        it.method = "GET".into();
        true
    }),
    ("text/plain", Refused(Rule::ContentType), |it| {
        it.set("content-type", ["text/plain"]);
        true
    }),
    ("gzip", Refused(Rule::ContentEncoding), |it| {
        it.set("content-encoding", ["gzip"]);
        true
    }),
    ("accepts JSON only", Reported(Rule::Accept), |it| {
        it.set("accept", ["application/json"]);
        true
    }),
    ("a session", Reported(Rule::SessionIdModern), |it| {
        it.set("mcp-session-id", ["1"]);
        true
    }),
    ("no version header", Refused(Rule::VersionHeaderMissing), |it| {
        it.set("mcp-protocol-version", []);
        true
    }),
    ("a legacy version header", Refused(Rule::VersionHeaderMismatch), |it| {
        it.set("mcp-protocol-version", ["2025-11-25"]);
        true
    }),
    ("an unknown version header", Refused(Rule::VersionHeaderMismatch), |it| {
        it.set("mcp-protocol-version", ["2099-01-01"]);
        true
    }),
    ("an unknown version", Refused(Rule::UnsupportedVersion), |it| {
        it.set("mcp-protocol-version", ["2099-01-01"]);
        it.meta()[VERSION] = "2099-01-01".into();
        true
    }),
    ("a legacy version", Refused(Rule::UnsupportedVersion), |it| {
        it.set("mcp-protocol-version", ["2025-11-25"]);
        it.meta()[VERSION] = "2025-11-25".into();
        true
    }),
    ("a legacy version in the body", Refused(Rule::VersionHeaderMismatch), |it| {
        it.meta()[VERSION] = "2025-11-25".into();
        true
    }),
    ("no method header", Refused(Rule::MethodHeaderMissing), |it| {
        it.set("mcp-method", []);
        true
    }),
    ("a method header in upper case", Refused(Rule::MethodHeaderMismatch), |it| {
        let method = it.header("mcp-method").unwrap_or_default();
        it.set("mcp-method", [&*method.to_uppercase()]);
        true
    }),
    ("a wrapped method header", Refused(Rule::MethodHeaderMismatch), |it| {
        let method = it.header("mcp-method").unwrap_or_default();
        it.set("mcp-method", [&*wrapped(&method)]);
        true
    }),
    ("two method headers", Refused(Rule::HeaderRepeated), |it| {
        let method = it.header("mcp-method").unwrap_or_default();
        it.set("mcp-method", [&*method, "tools/else"]);
        true
    }),
    ("a method header twice", Reported(Rule::HeaderRepeatedEqual), |it| {
        let method = it.header("mcp-method").unwrap_or_default();
        it.set("mcp-method", [&*method, &*method]);
        true
    }),
    ("no name header", Refused(Rule::NameHeaderMissing), |it| {
        let is_there = it.header("mcp-name").is_some();
        it.set("mcp-name", []);
        is_there
    }),
    ("another name header", Refused(Rule::NameHeaderMismatch), |it| {
        it.rename(|name| format!("{name}x"))
    }),
    ("an empty name header", Refused(Rule::NameHeaderMismatch), |it| it.rename(|_| String::new())),
    ("a name header with blanks", Accepted, |it| it.rename(|name| format!(" \t{name} "))),
    ("a wrapped name header", Accepted, |it| !it.is_wrapped() && it.rename(wrapped)),
    ("a name header wrapped twice", Refused(Rule::NameHeaderMismatch), |it| {
        it.rename(|name| wrapped(&wrapped(name)))
    }),
    ("a wrapper in capitals", Refused(Rule::NameHeaderMismatch), |it| {
        it.rename(|name| wrapped(name).replace("base64", "BASE64"))
    }),
    ("a wrapper of something else", Refused(Rule::HeaderBase64), |it| {
        it.rename(|_| "=?base64?*?=".to_owned())
    }),
    ("a name header with a control", Refused(Rule::HeaderCharacters), |it| {
        it.rename(|name| format!("{name}\u{1}"))
    }),
    ("a name header of a list", Reported(Rule::NameHeaderUnexpected), |it| {
        let is_there = it.header("mcp-name").is_some();
        it.set("mcp-name", ["n"]);
        !is_there
    }),
    ("no jsonrpc", Refused(Rule::JsonrpcVersion), |it| remove(&mut it.body, "jsonrpc")),
    ("no id", Refused(Rule::RequestWithoutId), |it| remove(&mut it.body, "id")),
    ("an id that is null", Refused(Rule::IdNull), |it| {
        it.body["id"] = Value::Null;
        true
    }),
    ("a result", Refused(Rule::Hybrid), |it| {
        it.body["result"] = json!({});
        true
    }),
    ("a look-alike", Refused(Rule::LookalikeMember), |it| {
        it.body["Method"] = "ping".into();
        true
    }),
    ("params that are an array", Refused(Rule::ParamsType), |it| {
        it.body["params"] = json!([]);
        true
    }),
    ("no _meta", Refused(Rule::MetaMissing), |it| remove(&mut it.body["params"], "_meta")),
    ("a _meta that is an array", Refused(Rule::MetaType), |it| {
        *it.meta() = json!([]);
        true
    }),
    ("no version", Refused(Rule::ProtocolVersionMissing), |it| remove(it.meta(), VERSION)),
    ("a version that is a number", Refused(Rule::ProtocolVersionType), |it| {
        it.meta()[VERSION] = json!(20_260_728);
        true
    }),
    ("no capabilities", Refused(Rule::ClientCapabilitiesMissing), |it| {
        remove(it.meta(), CAPABILITIES)
    }),
    ("capabilities in an array", Refused(Rule::ClientCapabilitiesType), |it| {
        it.meta()[CAPABILITIES] = json!([]);
        true
    }),
    ("a capability that is a flag", Refused(Rule::ClientCapabilitiesType), |it| {
        it.meta()[CAPABILITIES]["elicitation"] = json!(true);
        true
    }),
    ("no identity", Reported(Rule::ClientInfoMissing), |it| {
        remove(it.meta(), INFO);
        true
    }),
    ("an identity without a version", Refused(Rule::ClientInfoShape), |it| {
        it.meta()[INFO] = json!({"name": "n"});
        true
    }),
    ("a level that is none", Refused(Rule::LogLevelUnknown), |it| {
        it.meta()["io.modelcontextprotocol/logLevel"] = "loud".into();
        true
    }),
    ("a token that is an object", Refused(Rule::ProgressTokenType), |it| {
        it.meta()["progressToken"] = json!({});
        true
    }),
    ("a method that is gone", Refused(Rule::MethodOfOtherRevision), |it| {
        it.set("mcp-name", []);
        it.call("ping");
        true
    }),
    ("a method of the server", Refused(Rule::MethodOfOtherSender), |it| {
        it.set("mcp-name", []);
        it.call("sampling/createMessage");
        true
    }),
    ("a method that nobody knows", Reported(Rule::UnknownMethod), |it| {
        it.set("mcp-name", []);
        it.call("acme/else");
        true
    }),
    ("a notification's method", Refused(Rule::NotificationWithId), |it| {
        it.call("notifications/cancelled");
        true
    }),
    ("tasks without the extension", Refused(Rule::MissingCapability), |it| {
        it.meta()[CAPABILITIES] = json!({});
        it.set("mcp-name", ["t"]);
        it.call("tasks/get");
        it.body["params"]["taskId"] = "t".into();
        true
    }),
    ("a cursor that is a number", Refused(Rule::ParamsShape), |it| {
        it.body["params"]["cursor"] = json!(1);
        it.header("mcp-method").is_some_and(|method| method.ends_with("/list"))
    }),
    ("arguments that are a string", Refused(Rule::ParamsShape), |it| {
        it.body["params"]["arguments"] = "a".into();
        let method = it.header("mcp-method");
        method.is_some_and(|method| matches!(&*method, "tools/call" | "prompts/get"))
    }),
    ("a state that nobody asked for", Reported(Rule::MrtrParams), |it| {
        it.body["params"]["requestState"] = "s".into();
        it.header("mcp-method").is_some_and(|method| method.ends_with("/list"))
    }),
];

/// Of requests of the revisions before, of a session or not.
pub(crate) const LEGACY: &[(&str, Then, Edit)] = &[
    ("nothing", Accepted, |_| true),
    ("GET", Refused(Rule::HttpMethod), |it| {
        it.method = "GET".into();
        true
    }),
    ("form data", Refused(Rule::ContentType), |it| {
        it.set("content-type", ["application/x-www-form-urlencoded"]);
        true
    }),
    ("no version header", Accepted, |it| {
        it.set("mcp-protocol-version", []);
        true
    }),
    ("an unknown version header", Refused(Rule::VersionHeaderUnknown), |it| {
        it.set("mcp-protocol-version", ["2099-01-01"]);
        true
    }),
    ("a modern version header", Refused(Rule::MetaMissing), |it| {
        it.set("mcp-protocol-version", ["2026-07-28"]);
        it.body["params"].get("_meta").is_none()
    }),
    ("two version headers", Refused(Rule::HeaderRepeated), |it| {
        it.set("mcp-protocol-version", ["2025-06-18", "2025-11-25"]);
        true
    }),
    ("a version header twice", Reported(Rule::HeaderRepeatedEqual), |it| {
        it.set("mcp-protocol-version", ["2025-11-25, 2025-11-25"]);
        true
    }),
    ("a mirror header", Reported(Rule::MirrorWithoutVersion), |it| {
        it.set("mcp-method", ["anything"]);
        true
    }),
    ("no id", Refused(Rule::RequestWithoutId), |it| remove(&mut it.body, "id")),
    ("an id that is null", Refused(Rule::IdNull), |it| {
        it.body["id"] = Value::Null;
        true
    }),
    ("a _meta that is a string", Refused(Rule::MetaType), |it| {
        it.body["params"]["_meta"] = "m".into();
        true
    }),
    ("a token that is an object", Refused(Rule::ProgressTokenType), |it| {
        it.body["params"]["_meta"]["progressToken"] = json!({});
        true
    }),
    ("a method of the server", Refused(Rule::MethodOfOtherSender), |it| {
        it.body["method"] = "roots/list".into();
        true
    }),
    ("a method that is not yet", Refused(Rule::MethodOfOtherRevision), |it| {
        it.set("mcp-protocol-version", ["2025-06-18"]);
        it.body["method"] = "tasks/get".into();
        true
    }),
    ("a method of modern requests", Refused(Rule::MetaMissing), |it| {
        it.body["method"] = "server/discover".into();
        it.body["params"].get("_meta").is_none()
    }),
    ("a method that nobody knows", Reported(Rule::UnknownMethod), |it| {
        it.body["method"] = "acme/else".into();
        true
    }),
    ("a call without a name", Refused(Rule::ParamsShape), |it| {
        it.body["method"] == "tools/call" && remove(&mut it.body["params"], "name")
    }),
    ("a read of a number", Refused(Rule::ParamsShape), |it| {
        it.body["params"]["uri"] = json!(7);
        it.body["method"] == "resources/read"
    }),
    ("an initialize without a version", Refused(Rule::ParamsShape), |it| {
        it.body["method"] == "initialize" && remove(&mut it.body["params"], "protocolVersion")
    }),
];
