//! One message, with all that the rules ask of it: its members, who sent it, what
//! it may be of.

use mcparse::{ExtraMethod, Kind, Method, Policy, RevisionSet, Sender};

use super::head::Head;
use super::read::{Json, Member, Value};
use super::revisions::{self, VersionHeader};
use super::truth::last;

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const MESSAGE: &[&str] = &["jsonrpc", "id", "method", "params", "result", "error"];
const RESULT: &[&str] = &["_meta", "resultType", "ttlMs", "cacheScope"];
const ERROR: &[&str] = &["code", "message", "data"];
/// The keys of `_meta` that the specification defines.
pub(crate) const META: &[&str] = &[
    "progressToken",
    PROTOCOL_VERSION,
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    "io.modelcontextprotocol/serverInfo",
    LOG_LEVEL,
    "io.modelcontextprotocol/subscriptionId",
    "traceparent",
    "tracestate",
    "baggage",
];

/// The members of a message, and the objects inside whose members we read.
pub(crate) struct Message<'m> {
    pub(crate) policy: Policy,
    pub(crate) from: Sender,
    pub(crate) head: Option<Head>,
    pub(crate) header: VersionHeader,
    /// What it may be of.
    pub(crate) revisions: RevisionSet,
    pub(crate) root: Value<'m>,
    pub(crate) own: Vec<Member<'m>>,
    pub(crate) id: Option<Value<'m>>,
    pub(crate) method: Option<Value<'m>>,
    pub(crate) params: Option<Value<'m>>,
    pub(crate) result: Option<Value<'m>>,
    pub(crate) error: Option<Value<'m>>,
    /// Each object that is read, and the names that are read in it.
    pub(crate) scopes: Vec<(Vec<Member<'m>>, Vec<&'static str>)>,
    /// The request whose answer it may be.
    pub(crate) to: Option<Box<Self>>,
}

impl<'m> Message<'m> {
    pub(crate) fn new(root: Value<'m>, policy: &Policy, from: Sender, head: Option<&Head>) -> Self {
        let own = root.members();
        let get = |name| last(&own, name);
        let [id, method, params, result, error] =
            ["id", "method", "params", "result", "error"].map(get);
        let mut message = Self {
            policy: *policy,
            from,
            head: head.cloned(),
            header: head.map_or(VersionHeader::NoHead, Head::version),
            revisions: RevisionSet::EMPTY,
            root,
            own,
            id,
            method,
            params,
            result,
            error,
            scopes: Vec::new(),
            to: None,
        };
        message.scopes = message.read_scopes();
        message.revisions = revisions::of(&message);
        message
    }

    /// The same, which comes while `to` waits for its answer.
    pub(crate) fn beside(mut self, to: Box<Self>) -> Self {
        self.revisions = to.revisions;
        self.to = Some(to);
        self
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
            let source = self.protocol_method().and_then(Method::name_source);
            let names = source.into_iter().chain(["_meta"]).collect();
            scopes.extend([(params, names), inner]);
        } else {
            let result = members(self.result);
            let inner = meta(&result);
            let error = (members(self.error), ERROR.to_vec());
            scopes.extend([(result, RESULT.to_vec()), inner, error]);
        }
        scopes
    }

    /// The params of a policy's own method, and the name that it is called on.
    pub(crate) fn scope_of_extra(&self) -> Option<(Vec<Member<'m>>, Vec<&'static str>)> {
        let extra = self.extra_method().filter(|_| self.protocol_method().is_none())?;
        Some((self.params?.members(), vec![extra.name_source()?]))
    }

    /// What it is, if it is anything.
    pub(crate) fn kind(&self) -> Kind {
        match (self.method, self.result) {
            (Some(_), _) if self.id.is_none() => Kind::Notification,
            (Some(_), _) => Kind::Request,
            (None, Some(_)) => Kind::Result,
            (None, None) => Kind::Error,
        }
    }

    pub(crate) fn is_request(&self) -> bool {
        self.kind() == Kind::Request
    }

    /// Whether it can be of modern revisions only.
    pub(crate) fn is_modern(&self) -> bool {
        !self.revisions.is_empty() && self.revisions.iter().all(mcparse::Revision::is_modern)
    }

    pub(crate) fn is_legacy(&self) -> bool {
        !self.revisions.iter().any(mcparse::Revision::is_modern)
    }

    /// Whether it is what the rules about a modern client's requests are for.
    pub(crate) fn is_modern_client_request(&self) -> bool {
        self.from == Sender::Client && self.is_request() && self.is_modern()
    }

    pub(crate) fn method_name(&self) -> Option<Vec<u8>> {
        self.method?.decoded()
    }

    /// The method, if it is one of the protocol.
    pub(crate) fn protocol_method(&self) -> Option<Method> {
        Method::from_bytes(&self.method_name()?)
    }

    /// The method, if the policy knows it.
    pub(crate) fn extra_method(&self) -> Option<&'static ExtraMethod> {
        let name = self.method_name()?;
        self.policy.methods().iter().find(|extra| extra.name().as_bytes() == name)
    }

    /// The last member of `params` with this name.
    pub(crate) fn param(&self, name: &str) -> Option<Value<'m>> {
        last(&self.params?.members(), name)
    }

    /// What the method is called on: the member that `Mcp-Name` mirrors, if it
    /// is a string.
    pub(crate) fn name(&self) -> Option<Value<'m>> {
        self.param(self.name_source()?).filter(|name| name.json() == Json::String)
    }

    /// The member of `params` that the header `Mcp-Name` mirrors.
    pub(crate) fn name_source(&self) -> Option<&'static str> {
        match (self.protocol_method(), self.extra_method()) {
            (Some(method), _) => method.name_source(),
            (None, Some(extra)) => extra.name_source(),
            (None, None) => None,
        }
    }

    /// `_meta` in `params`, whatever it is.
    pub(crate) fn meta(&self) -> Option<Value<'m>> {
        self.method?;
        self.param("_meta")
    }

    /// The last member of `_meta` with this name.
    pub(crate) fn meta_member(&self, name: &str) -> Option<Value<'m>> {
        last(&self.meta()?.members(), name)
    }

    /// What the client of a modern request declares, if it is an object.
    pub(crate) fn capabilities(&self) -> Option<Value<'m>> {
        self.meta_member(CLIENT_CAPABILITIES).filter(|declared| declared.json() == Json::Object)
    }
}
