//! `Validator::check` in words: every rule as a sentence about the message,
//! asked in the order of judgement. The first broken rule that the policy
//! refuses by wins; the others that it reports are findings.

use mcparse::{Action, Kind, Policy, Rule, Sender};

use super::number;
use super::read::{Json, Member, Value, read};
use super::truth::{INVALID_REQUEST, PARSE_ERROR, is_error_object, is_valid_id, last};

/// What becomes of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'m> {
    Accept(Box<Accepted<'m>>),
    Refuse { rule: Rule, code: i32, offset: Option<usize>, answer: Answer<'m> },
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Accepted<'m> {
    pub(crate) kind: Kind,
    pub(crate) id: Option<Value<'m>>,
    pub(crate) method: Option<Value<'m>>,
    pub(crate) params: Option<Value<'m>>,
    pub(crate) name: Option<Value<'m>>,
    pub(crate) result: Option<Value<'m>>,
    pub(crate) error: Option<Value<'m>>,
    pub(crate) error_code: Option<Value<'m>>,
    pub(crate) findings: Vec<Rule>,
}

/// What may be said to the sender of a refused message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer<'m> {
    Forbidden,
    WithoutId,
    WithId(&'m str),
}

pub(crate) fn check<'m>(policy: &Policy, from: Sender, bytes: &'m [u8]) -> Verdict<'m> {
    let limits = policy.limits();
    let unread = match from {
        Sender::Client => Answer::WithoutId,
        Sender::Server => Answer::Forbidden,
    };
    let refuse = |rule, offset, answer| Verdict::Refuse { rule, code: code(rule), offset, answer };
    if bytes.len() > limits.message_bytes {
        return refuse(Rule::TooLarge, Some(limits.message_bytes), unread);
    }
    let refuses = |rule| policy.action(rule) == Action::Refuse;
    let (root, mut findings) = match read(bytes, limits.depth, refuses) {
        Ok(read) => read,
        Err(fault) => return refuse(fault.rule, fault.offset, unread),
    };
    findings.retain(|&rule| policy.action(rule) == Action::Report);

    let message = Message::new(root);
    for &rule in Rule::ALL {
        let Some(offset) = message.breaks(rule, policy) else { continue };
        match policy.action(rule) {
            Action::Refuse => return refuse(rule, Some(offset), message.answer(policy, from)),
            Action::Report => findings.push(rule),
            Action::Off => {}
        }
    }
    Verdict::Accept(Box::new(message.accepted(findings)))
}

/// Section 5: what is not JSON is -32700; what is no message, or too long, is
/// -32600.
fn code(rule: Rule) -> i32 {
    match rule {
        Rule::NotUtf8 | Rule::Bom | Rule::NotJson | Rule::TooDeep | Rule::UnpairedSurrogate => {
            PARSE_ERROR
        }
        _ => INVALID_REQUEST,
    }
}

const MESSAGE: &[&str] = &["jsonrpc", "id", "method", "params", "result", "error"];
const RESULT: &[&str] = &["_meta", "resultType", "ttlMs", "cacheScope"];
const ERROR: &[&str] = &["code", "message", "data"];
const META: &[&str] = &[
    "progressToken",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/subscriptionId",
    "traceparent",
    "tracestate",
    "baggage",
];

/// The members of a message, and the objects inside whose members we read.
struct Message<'m> {
    root: Value<'m>,
    own: Vec<Member<'m>>,
    id: Option<Value<'m>>,
    method: Option<Value<'m>>,
    params: Option<Value<'m>>,
    result: Option<Value<'m>>,
    error: Option<Value<'m>>,
    /// Each object that is read, and the names that are read in it.
    scopes: Vec<(Vec<Member<'m>>, Vec<&'static str>)>,
}

impl<'m> Message<'m> {
    fn new(root: Value<'m>) -> Self {
        let own = root.members();
        let get = |name| last(&own, name);
        let [id, method, params, result, error] =
            ["id", "method", "params", "result", "error"].map(get);
        let mut message = Self { root, own, id, method, params, result, error, scopes: Vec::new() };
        message.scopes = message.read_scopes();
        message
    }

    /// With a method, `params` and the `_meta` in it; without one, `result`,
    /// the `_meta` in it, and `error`.
    fn read_scopes(&self) -> Vec<(Vec<Member<'m>>, Vec<&'static str>)> {
        let members = |value: Option<Value<'m>>| value.map(Value::members).unwrap_or_default();
        let meta = |of: &[Member<'m>]| (members(last(of, "_meta")), META.to_vec());
        let mut scopes = vec![(self.own.clone(), MESSAGE.to_vec())];
        if self.method.is_some() {
            let params = members(self.params);
            let inner = meta(&params);
            let names = self.name_source().into_iter().chain(["_meta"]).collect();
            scopes.extend([(params, names), inner]);
        } else {
            let result = members(self.result);
            let inner = meta(&result);
            let error = (members(self.error), ERROR.to_vec());
            scopes.extend([(result, RESULT.to_vec()), inner, error]);
        }
        scopes
    }

    /// The member of `params` that the header `Mcp-Name` mirrors.
    fn name_source(&self) -> Option<&'static str> {
        let method = self.method?.decoded()?;
        match method.as_slice() {
            b"tools/call" | b"prompts/get" => Some("name"),
            b"resources/read" => Some("uri"),
            b"tasks/get" | b"tasks/update" | b"tasks/cancel" => Some("taskId"),
            _ => None,
        }
    }

    /// Whether the message breaks this rule, and where in it.
    fn breaks(&self, rule: Rule, policy: &Policy) -> Option<usize> {
        let limits = policy.limits();
        let root = self.root.at;
        let is_object = self.root.json() == Json::Object;
        let is_call = self.method.is_some();
        let is_error = !is_call && self.error.is_some() && self.result.is_none();
        let is_result = !is_call && self.result.is_some() && self.error.is_none();
        let id_is = |json: Json| self.id.filter(|id| id.json() == json);
        let at = |value: Value<'m>| value.at;
        match rule {
            Rule::Batch => (self.root.json() == Json::Array).then_some(root),
            Rule::NotObject => (!is_object && self.root.json() != Json::Array).then_some(root),
            Rule::JsonrpcVersion => match last(&self.own, "jsonrpc") {
                Some(jsonrpc) => (!jsonrpc.is_text("2.0")).then_some(jsonrpc.at),
                None => Some(root),
            },
            Rule::NoKind => {
                let is_any = is_call || self.result.is_some() || self.error.is_some();
                (!is_any).then_some(root)
            }
            Rule::ResultAndError if is_call => None,
            Rule::ResultAndError => self.result.and(self.error).map(at),
            Rule::MethodType => self.method.filter(|method| method.json() != Json::String).map(at),
            Rule::ResultType => {
                self.result.filter(|result| is_result && result.json() != Json::Object).map(at)
            }
            Rule::ErrorShape => {
                self.error.filter(|&error| is_error && !is_error_object(error)).map(at)
            }
            Rule::IdMissing => (is_result && self.id.is_none()).then_some(root),
            Rule::IdNull if is_error => None,
            Rule::IdNull => id_is(Json::Null).map(at),
            Rule::IdType => self.id.filter(|id| !is_id_or_float(*id)).map(at),
            Rule::IdFloat => {
                let is_float = |id: &Value<'_>| is_id_or_float(*id) && !is_valid_id(*id);
                self.id.filter(|id| id.json() != Json::Null && is_float(id)).map(at)
            }
            Rule::ParamsType => {
                let is_wrong = |params: &Value<'_>| is_call && params.json() != Json::Object;
                self.params.filter(is_wrong).map(at)
            }
            Rule::DuplicateMember => self.scopes.iter().find_map(|(members, names)| {
                let is_read = |member: &Member<'_>| names.iter().any(|name| is(member, name));
                repeated(members.iter().filter(|member| is_read(member)))
            }),
            Rule::LookalikeMember => self.scopes.iter().find_map(|(members, names)| {
                members.iter().find(|member| looks_like_one_of(member, names)).map(|m| m.at)
            }),
            Rule::Hybrid if is_call => self.result.or(self.error).map(at),
            Rule::IdTooLong => self.id.filter(|id| id.raw.len() > limits.id_bytes).map(at),
            Rule::MethodTooLong => {
                self.method.filter(|method| method.raw.len() - 2 > limits.method_bytes).map(at)
            }
            Rule::MembersTooMany => {
                let beyond =
                    |(members, _): &(Vec<Member<'m>>, _)| Some(members.get(limits.members)?.at);
                self.scopes.iter().find_map(beyond)
            }
            // Of all names that their own object gave before, the first.
            Rule::DeepDuplicate => {
                let objects = all_objects(self.root);
                objects.iter().filter_map(|object| repeated(object.members().iter())).min()
            }
            Rule::UnknownMember => {
                let stranger = |m: &&Member<'_>| !MESSAGE.iter().any(|name| is(m, name));
                let params = self.params.filter(|_| !is_call);
                self.own.iter().find(stranger).map(|m| m.at).or(params.map(at))
            }
            Rule::IdUnsafeInteger => {
                id_is(Json::Number).filter(|id| number::is_unsafe(id.raw)).map(at)
            }
            Rule::ErrorIdNull if is_error => id_is(Json::Null).map(at),
            _ => None,
        }
    }

    /// Never to an answer, to a notification, or to a server; with the id only
    /// if exactly one of valid type and length was read.
    fn answer(&self, policy: &Policy, from: Sender) -> Answer<'m> {
        let is_answer = self.method.is_none() && self.result.or(self.error).is_some();
        let is_notification =
            self.method.is_some_and(|method| method.json() == Json::String) && self.id.is_none();
        if from == Sender::Server || is_answer || is_notification {
            return Answer::Forbidden;
        }
        let is_only_one = self.own.iter().filter(|member| is(member, "id")).count() == 1;
        let lets_floats_pass = policy.action(Rule::IdFloat) != Action::Refuse;
        let is_valid = |id: Value<'_>| {
            is_valid_id(id) || lets_floats_pass && id.json() == Json::Number && is_id_or_float(id)
        };
        match self.id {
            Some(id) if is_only_one && is_valid(id) && id.raw.len() <= policy.limits().id_bytes => {
                Answer::WithId(id.raw)
            }
            _ => Answer::WithoutId,
        }
    }

    fn accepted(&self, findings: Vec<Rule>) -> Accepted<'m> {
        let id = self.id.filter(|id| id.json() != Json::Null);
        let kind = match (self.method, self.result) {
            (Some(_), _) if id.is_none() => Kind::Notification,
            (Some(_), _) => Kind::Request,
            (None, Some(_)) => Kind::Result,
            (None, None) => Kind::Error,
        };
        let params = self.params.map(Value::members).unwrap_or_default();
        let name = self.name_source().and_then(|source| last(&params, source));
        let error = self.error.filter(|_| kind == Kind::Error);
        Accepted {
            kind,
            id,
            method: self.method,
            params: self.params.filter(|_| !kind.is_response()),
            name: name.filter(|name| name.json() == Json::String),
            result: self.result.filter(|_| kind == Kind::Result),
            error,
            error_code: error.and_then(|error| last(&error.members(), "code")),
            findings,
        }
    }
}

/// `null`, a string, or a number that is an integer in whatever form.
fn is_id_or_float(id: Value<'_>) -> bool {
    match id.json() {
        Json::Null | Json::String => true,
        Json::Number => number::is_integral(id.raw),
        _ => false,
    }
}

fn is(member: &Member<'_>, name: &str) -> bool {
    member.name == name.as_bytes()
}

/// Where the first member stands whose name was given before.
fn repeated<'a, 'm: 'a>(members: impl Iterator<Item = &'a Member<'m>>) -> Option<usize> {
    let mut before = Vec::new();
    for member in members {
        if before.contains(&&member.name) {
            return Some(member.at);
        }
        before.push(&member.name);
    }
    None
}

/// Whether the name is none of `names`, but is one of them to a reader that
/// does not mind case, takes U+017F for `s` and U+212A for `k`, or stops at a
/// NUL.
fn looks_like_one_of(member: &Member<'_>, names: &[&str]) -> bool {
    let fold = |name: &str| {
        let name = name.replace('\u{17f}', "s").replace('\u{212a}', "k");
        name.trim_end_matches('\0').to_ascii_lowercase()
    };
    let name = std::str::from_utf8(&member.name).expect("a string");
    !names.contains(&name) && names.iter().any(|known| fold(known) == fold(name))
}

/// Every object of the message, itself included.
fn all_objects(root: Value<'_>) -> Vec<Value<'_>> {
    let mut objects = Vec::new();
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        if value.json() == Json::Object {
            objects.push(value);
        }
        if matches!(value.json(), Json::Object | Json::Array) {
            left.extend(value.parts());
        }
    }
    objects
}
