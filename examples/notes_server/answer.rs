//! What goes back: composed by the crate, so that every result says what it is,
//! who the server is and, where it may be kept, for how long.

use mcparse::compose::{
    CacheScope, ErrorResponse, Implementation, Member, Object, RequestId, Server, Value, member,
};
use mcparse::{ErrorCode, Method, Request, RevisionSet};
use tokio::sync::mpsc;

use crate::listen::Listen;
use crate::watch::Watch;

const SERVER: Server<'static> = Server::new(
    Implementation::new("notes", env!("CARGO_PKG_VERSION")).with_title("Notes of an example"),
);

/// Lists that are the same for everybody.
pub(crate) const FOR_EVERYBODY: (u64, CacheScope) = (300_000, CacheScope::Public);
/// What belongs to one owner and changes at any time.
pub(crate) const FOR_OWNER: (u64, CacheScope) = (0, CacheScope::Private);

/// What comes of a request.
pub(crate) enum Answer {
    /// It is answered.
    Now(Vec<u8>),
    /// It is answered later, with notifications before.
    Later(Work),
}

/// Where the messages of one request go. It is closed when nobody wants them any
/// more, which ends the work.
pub(crate) type Out = mpsc::Sender<Vec<u8>>;

/// What takes its time.
pub(crate) enum Work {
    /// The tool `watch_notes`.
    Watch(Watch),
    /// `subscriptions/listen`.
    Listen(Listen),
}

impl Work {
    /// Does it, until it is done or `out` is closed.
    pub(crate) async fn run(self, out: Out) {
        match self {
            Self::Watch(watch) => watch.run(out).await,
            Self::Listen(listen) => listen.run(out).await,
        }
    }
}

/// Why a request has no result: an error of the protocol.
pub(crate) struct Failure {
    code: ErrorCode,
    message: String,
    /// The resource that there is not.
    uri: Option<String>,
}

impl Failure {
    /// The characters of a message that may go back, in case a peer wrote it.
    const MOST_MESSAGE: usize = 200;
    /// The bytes of a URI that may go back.
    const MOST_URI: usize = 1024;

    /// An error with this code.
    pub(crate) fn new(code: ErrorCode, message: impl AsRef<str>) -> Self {
        Self {
            code,
            message: message.as_ref().chars().take(Self::MOST_MESSAGE).collect(),
            uri: None,
        }
    }

    /// The request's params are not what the method takes.
    pub(crate) fn params(message: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::INVALID_PARAMS, message)
    }

    /// There is no such resource; it is named if it is no longer than a name may be.
    pub(crate) fn no_resource(uri: &str) -> Self {
        let uri = (uri.len() <= Self::MOST_URI).then(|| uri.to_owned());
        Self { uri, ..Self::params("Resource not found") }
    }

    /// The server itself has failed.
    pub(crate) fn internal() -> Self {
        Self::new(ErrorCode::INTERNAL_ERROR, ErrorCode::INTERNAL_ERROR.meaning())
    }

    /// The HTTP status that goes with it.
    pub(crate) fn status(&self) -> u16 {
        match self.code {
            ErrorCode::METHOD_NOT_FOUND => 404,
            ErrorCode::INTERNAL_ERROR => 503,
            _ => 200,
        }
    }

    /// The error as the answer to `request`.
    pub(crate) fn write(&self, request: &Request<'_>) -> Vec<u8> {
        let error = ErrorResponse::new(request.id(), self.code, &self.message);
        let mut out = Vec::new();
        match &self.uri {
            Some(uri) => error.with_data(&[member("uri", uri)]).write(&mut out),
            None => error.write(&mut out),
        }
        out
    }
}

/// The answer to `server/discover`.
pub(crate) fn discovered(request: &Request<'_>) -> Answer {
    let resources = [member("listChanged", true)];
    let capabilities = [
        member("completions", Object::EMPTY),
        member("prompts", Object::EMPTY),
        member("resources", &resources),
        member("tools", Object::EMPTY),
    ];
    let (ttl, scope) = FOR_EVERYBODY;
    let mut out = Vec::new();
    SERVER
        .with_capabilities(&capabilities)
        .with_instructions("Create a note, and keep its handle to read it.")
        .discover_result(request.id(), RevisionSet::MODERN)
        .with_cache(ttl, scope)
        .write(&mut out);
    Answer::Now(out)
}

/// A result that may be kept for so long, with these members.
pub(crate) fn kept(
    request: &Request<'_>,
    (ttl, scope): (u64, CacheScope),
    members: &[Member<'_>],
) -> Answer {
    let method = Method::from_text(request.method());
    let mut out = Vec::new();
    SERVER
        .result(request.id(), method)
        .with_members(members)
        .with_cache(ttl, scope)
        .write(&mut out);
    Answer::Now(out)
}

/// A result with these members.
pub(crate) fn result(id: RequestId<'_>, method: Method, members: &[Member<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    SERVER.result(id, method).with_members(members).write(&mut out);
    out
}

/// The result of a tool: text for the model, and what else it has.
pub(crate) fn of_tool(id: RequestId<'_>, text: &str, others: &[Member<'_>]) -> Vec<u8> {
    let block = [member("type", "text"), member("text", text)];
    let content = [Value::from(&block)];
    let mut members = vec![member("content", &content)];
    members.extend(others);
    result(id, Method::ToolsCall, &members)
}

/// A tool has failed in a way that a model may understand and mend.
pub(crate) fn tool_failed(request: &Request<'_>, text: &str) -> Answer {
    let failed = [member("isError", true)];
    Answer::Now(of_tool(request.id().into(), text, &failed))
}

/// The server, for the answers that only one file has.
pub(crate) const fn server() -> Server<'static> {
    SERVER
}
