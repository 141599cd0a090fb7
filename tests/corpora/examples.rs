//! The official examples of 2026-07-28: whole messages as they are, parts of
//! messages in the envelope that the official schema gives their definition,
//! values deeper inside in a message that may hold them. What a server asks and
//! what a client answers stands inside a result and the next request.

use std::collections::BTreeMap;

use mcparse::{
    ErrorCode, Kind, Message, Policy, RevisionSet, Rule, Sender, Stage, Validator, classify,
};
use serde_json::Value;

use crate::support::{Corpora, Tally, in_words, same, say};

const EXAMPLES: &str = "mcp/2026-07-28/examples";

/// How much of a message an example is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// All of it.
    Whole,
    /// A call that lacks `jsonrpc` and stands inside `inputRequests`.
    Call,
    Params,
    Result,
    Error,
    /// A value that a message holds somewhere deeper.
    Value,
}

const CONTENT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[@]}}"#;
const CONTENTS: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"contents":[@]}}"#;
/// What a server asks of a client.
const ASKED: &str = r#"{"jsonrpc":"2.0","id":1,"result":
    {"resultType":"input_required","inputRequests":{"q":@}}}"#;
/// What the client answers to it.
const ANSWERED: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":
    {"name":"n","inputResponses":{"q":@},"_meta":{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"},
        "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
const SAMPLED: &str = r#"{"role":"assistant","content":@}"#;
const FORM: &str = r#"{"method":"elicitation/create","params":
    {"message":"m","requestedSchema":{"type":"object","properties":{"p":@}}}}"#;

/// Messages that hold a value of a definition, in the place of the `@`; or what
/// servers ask and clients answer, which stands inside another message.
const HOLDERS: &[(&str, Sender, Kind, &str)] = &[
    ("AudioContent", Sender::Server, Kind::Result, CONTENT),
    ("EmbeddedResource", Sender::Server, Kind::Result, CONTENT),
    ("ImageContent", Sender::Server, Kind::Result, CONTENT),
    ("ResourceLink", Sender::Server, Kind::Result, CONTENT),
    ("TextContent", Sender::Server, Kind::Result, CONTENT),
    ("BlobResourceContents", Sender::Server, Kind::Result, CONTENTS),
    ("TextResourceContents", Sender::Server, Kind::Result, CONTENTS),
    ("ToolResultContent", Sender::Client, Kind::Result, SAMPLED),
    ("ToolUseContent", Sender::Client, Kind::Result, SAMPLED),
    ("BooleanSchema", Sender::Server, Kind::Request, FORM),
    ("NumberSchema", Sender::Server, Kind::Request, FORM),
    ("StringSchema", Sender::Server, Kind::Request, FORM),
    ("TitledMultiSelectEnumSchema", Sender::Server, Kind::Request, FORM),
    ("TitledSingleSelectEnumSchema", Sender::Server, Kind::Request, FORM),
    ("UntitledMultiSelectEnumSchema", Sender::Server, Kind::Request, FORM),
    ("UntitledSingleSelectEnumSchema", Sender::Server, Kind::Request, FORM),
    (
        "ClientCapabilities",
        Sender::Client,
        Kind::Request,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"},
            "io.modelcontextprotocol/clientCapabilities":@}}}"#,
    ),
    (
        "InputRequests",
        Sender::Server,
        Kind::Result,
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":@}}"#,
    ),
    (
        "InputResponses",
        Sender::Client,
        Kind::Request,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","inputResponses":@,
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"},
            "io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    ),
    (
        "ModelPreferences",
        Sender::Server,
        Kind::Request,
        r#"{"method":"sampling/createMessage","params":
            {"messages":[],"maxTokens":1,"modelPreferences":@}}"#,
    ),
    (
        "Resource",
        Sender::Server,
        Kind::Result,
        r#"{"jsonrpc":"2.0","id":1,"result":{"resources":[@]}}"#,
    ),
    ("Root", Sender::Client, Kind::Result, r#"{"roots":[@]}"#),
    (
        "SamplingMessage",
        Sender::Server,
        Kind::Request,
        r#"{"method":"sampling/createMessage","params":{"messages":[@],"maxTokens":1}}"#,
    ),
    (
        "ServerCapabilities",
        Sender::Server,
        Kind::Result,
        r#"{"jsonrpc":"2.0","id":1,"result":{"capabilities":@}}"#,
    ),
    ("Tool", Sender::Server, Kind::Result, r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[@]}}"#),
];

/// What is reported of the examples, and of how many: those of capabilities that
/// are deprecated.
const FINDINGS: &[(&str, usize)] = &[("deprecated-feature", 4)];

/// An example in its envelope.
struct Example {
    part: Part,
    from: Sender,
    kind: Kind,
    text: Vec<u8>,
}

/// The definitions of the official schema.
struct Schema(Value);

impl Schema {
    fn definition(&self, name: &str) -> &Value {
        &self.0["$defs"][name]
    }

    /// Whether `union` names `definition`, itself or as a union that it names.
    fn names(&self, union: &str, definition: &str) -> bool {
        let mut members = self.definition(union)["anyOf"].as_array().into_iter().flatten();
        union == definition
            || members.any(|one| name_in(one).is_some_and(|one| self.names(one, definition)))
    }

    /// The call whose params are of this definition, and its method.
    fn call_with_params(&self, definition: &str) -> Option<(&str, &str)> {
        self.0["$defs"].as_object()?.iter().find_map(|(call, shape)| {
            let method = shape["properties"]["method"]["const"].as_str()?;
            let params = name_in(&shape["properties"]["params"])?;
            self.names(params, definition).then_some((&**call, method))
        })
    }

    /// Who sends a message of this definition.
    fn sender_of(&self, definition: &str) -> Sender {
        let asks = self.names("ClientRequest", definition);
        let is_servers_request = self.names("InputRequest", definition);
        let answers = self.names("InputResponse", definition);
        let is_call = definition.ends_with("Request");
        if asks || answers || is_call && !is_servers_request {
            Sender::Client
        } else {
            Sender::Server
        }
    }

    fn example(&self, definition: &str, text: &[u8]) -> Example {
        let value: Value = serde_json::from_slice(text).expect("an example is JSON");
        let from = self.sender_of(definition);
        let text = String::from_utf8(text.to_vec()).expect("an example is UTF-8");
        let call = |definition: &str| {
            if definition.ends_with("Notification") {
                ("", Kind::Notification)
            } else {
                (r#""id":"example","#, Kind::Request)
            }
        };
        let (part, from, kind, text) = if value.get("jsonrpc").is_some() {
            (Part::Whole, from, whole_kind(&value), text)
        } else if value.get("method").is_some() {
            (Part::Call, from, call(definition).1, text)
        } else if let Some((definition, method)) = self.call_with_params(definition) {
            let (id, kind) = call(definition);
            let from = self.sender_of(definition);
            let envelope = if is_asked(from, kind) { "" } else { r#""jsonrpc":"2.0","# };
            let text = format!(r#"{{{envelope}{id}"method":"{method}","params":{text}}}"#);
            (Part::Params, from, kind, text)
        } else if definition.ends_with("Result") && from == Sender::Client {
            (Part::Result, from, Kind::Result, text)
        } else if definition.ends_with("Result") {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{text}}}"#);
            (Part::Result, from, Kind::Result, text)
        } else if value["code"].is_i64() && value["message"].is_string() {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{text}}}"#);
            (Part::Error, from, Kind::Error, text)
        } else {
            let holder = HOLDERS.iter().find(|(held, ..)| *held == definition);
            let &(_, from, kind, holder) = holder.expect("a message that holds it");
            (Part::Value, from, kind, holder.replacen('@', &text, 1))
        };
        let (kind, text) = match (from, kind) {
            (Sender::Server, Kind::Request) => (Kind::Result, ASKED.replacen('@', &text, 1)),
            (Sender::Client, Kind::Result) => (Kind::Request, ANSWERED.replacen('@', &text, 1)),
            _ => (kind, text),
        };
        Example { part, from, kind, text: text.into_bytes() }
    }
}

/// Whether a server asks it, inside a result.
fn is_asked(from: Sender, kind: Kind) -> bool {
    from == Sender::Server && kind == Kind::Request
}

/// The name of the definition that a schema refers to.
fn name_in(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// The kind of a whole message that is known to be right.
fn whole_kind(message: &Value) -> Kind {
    match (message.get("method"), message.get("id"), message.get("result")) {
        (Some(_), Some(_), _) => Kind::Request,
        (Some(_), None, _) => Kind::Notification,
        (None, _, Some(_)) => Kind::Result,
        (None, ..) => Kind::Error,
    }
}

/// Whether the views of an accepted message are what serde reads.
fn views_are_right(message: &Message<'_>, value: &Value) -> Result<(), String> {
    let parse = |raw: Option<&[u8]>| raw.map(|raw| serde_json::from_slice::<Value>(raw).unwrap());
    let (params, result, error) = match message {
        Message::Request(call) => (call.params(), None, None),
        Message::Notification(call) => (call.params(), None, None),
        Message::Response(answer) => (None, answer.result(), answer.error()),
    };
    same(&parse(params).as_ref(), &value.get("params"))?;
    same(&parse(result).as_ref(), &value.get("result"))?;
    same(&parse(error).as_ref(), &value.get("error"))?;
    same(&parse(message.id().map(|id| id.lexeme())).as_ref(), &value.get("id"))?;
    let method = message.method().map(|method| Value::from(method.decode()));
    same(&method.as_ref(), &value.get("method"))
}

#[test]
fn every_official_example_is_accepted_as_the_message_it_is_or_is_part_of() {
    let Some(corpora) = Corpora::find() else { return };
    let schema = Schema(corpora.json("mcp/2026-07-28/schema.json"));
    let modern = RevisionSet::MODERN;
    let policies = [Policy::strict(), Policy::strict().with_revisions(modern)];
    let mut validators = policies.map(Validator::new);
    let mut tally = Tally::default();
    let mut parts = BTreeMap::<Part, usize>::new();
    let mut of_modern_answers = Vec::new();
    let mut kinds = BTreeMap::<&str, usize>::new();
    let mut findings = BTreeMap::<&str, Vec<String>>::new();
    for file in corpora.files(EXAMPLES, ".json") {
        let definition = file.rsplit('/').nth(1).expect("a folder named for its definition");
        let alone = corpora.read(&file);
        let Example { part, from, kind, text } = schema.example(definition, &alone);
        *parts.entry(part).or_default() += 1;
        *kinds.entry(kind.as_str()).or_default() += 1;
        let by_itself = match part {
            Part::Whole => Ok(kind),
            _ => Err(ErrorCode::INVALID_REQUEST),
        };
        let [by_default, in_own] = &mut validators;
        let also = in_own.check(from, &text).map(|message| message.findings());
        let outcome = match by_default.check(from, &text) {
            Ok(message) => {
                let name = file.trim_start_matches(EXAMPLES).trim_start_matches('/');
                for rule in message.findings().iter() {
                    findings.entry(rule.id()).or_default().push(name.to_owned());
                }
                same(&message.kind(), &kind)
                    .and_then(|()| {
                        views_are_right(&message, &serde_json::from_slice(&text).unwrap())
                    })
                    .and_then(|()| same(&in_words(classify(&alone)), &in_words(by_itself)))
                    .and_then(|()| {
                        let also = also.map_err(|error| error.to_string())?;
                        of_modern_answers
                            .extend(also.iter().filter(|rule| rule.stage() == Stage::Answer));
                        let also = also.iter().filter(|rule| rule.stage() != Stage::Answer);
                        same(&also.collect(), &message.findings())
                    })
            }
            Err(violation) => Err(violation.to_string()),
        };
        tally.count(&file, outcome);
    }
    say(format_args!("{parts:?}, as {kinds:?}; findings {findings:?}"));
    let expected = [
        (Part::Whole, 32),
        (Part::Call, 3),
        (Part::Params, 16),
        (Part::Result, 24),
        (Part::Error, 7),
        (Part::Value, 47),
    ];
    tally.finish("official examples", 129);
    assert_eq!(parts, BTreeMap::from(expected));
    let of_these = |wanted| of_modern_answers.iter().filter(|&&rule| rule == wanted).count();
    let told = (of_these(Rule::ResultTypeMissing), of_these(Rule::ServerInfoMissing));
    assert_eq!((told, of_modern_answers.len()), ((25, 70), 95), "parts of results lack both");
    let counts = findings.iter().map(|(&rule, files)| (rule, files.len()));
    assert_eq!(counts.collect::<Vec<_>>(), FINDINGS);
}
