//! The rules of the sessions of the handshake era.

use mcparse::{Rule, Sender};

use super::example::{Entry, Example};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"desk","version":"4.0"}}}"#;
const OPENED: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"notes","version":"2.1"}}}"#;
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const PROMPTS: &str = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// A session up to the answer to `initialize`, and one that runs.
const HANDSHAKE: &[(Sender, &str)] = &[(Sender::Client, INITIALIZE), (Sender::Server, OPENED)];
const RUNNING: &[(Sender, &str)] =
    &[(Sender::Client, INITIALIZE), (Sender::Server, OPENED), (Sender::Client, READY)];

const IN_SESSION: &str = head!("Mcp-Session-Id: 1868a90c" "MCP-Protocol-Version: 2025-06-18");

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::BeforeInitialize,
        meaning: "Up to 2025-11-25 a session begins with the request initialize. Before the \
                  server has answered it with a result, neither side may send another request but \
                  ping. Only a session that is kept account of knows.",
        why: "Before the handshake nobody knows which version is spoken and what the other side \
              can do.",
        broken: Example::client(LIST),
        right: Example::client(PING),
    },
    Entry {
        rule: Rule::BeforeInitialized,
        meaning: "Behind the result of initialize the client says that it is ready with \
                  notifications/initialized. Requests before it are early, and so is the \
                  notification before the result.",
        why: "A peer that is not ready may lose what is sent to it. Many cope, and so it is only \
              reported.",
        broken: Example::client(LIST).after(HANDSHAKE),
        right: Example::client(LIST).after(RUNNING),
    },
    Entry {
        rule: Rule::InitializeTwice,
        meaning: "A session is initialized once. A second initialize is refused unless the first \
                  one was answered with an error.",
        why: "What was agreed on would change under requests that are on their way; a new session \
              is what the client wants.",
        broken: Example::client(INITIALIZE).after(RUNNING),
        right: Example::client(INITIALIZE),
    },
    Entry {
        rule: Rule::VersionNotNegotiated,
        meaning: "Over HTTP the header MCP-Protocol-Version names the version that the server \
                  chose in its result of initialize, which may be another than the client asked \
                  for. A message without the header passes.",
        why: "Client and server, or a gateway between them, would read the message by different \
              revisions.",
        broken: Example::client(LIST)
            .with_head(head!("Mcp-Session-Id: 1868a90c" "MCP-Protocol-Version: 2025-11-25"))
            .after(RUNNING),
        right: Example::client(LIST).with_head(IN_SESSION).after(RUNNING),
    },
    Entry {
        rule: Rule::CapabilityNotNegotiated,
        meaning: "What a side can do it declares in the handshake. A request needs the capability \
                  of who receives it, a notification mostly that of its sender. In 2025-11-25 the \
                  params may ask for a part: a URL to be visited, tools for sampling.",
        why: "Both sides must only use what was negotiated: the other one need not understand, \
              and has not agreed to, anything else.",
        broken: Example::client(PROMPTS).after(RUNNING),
        right: Example::client(LIST).after(RUNNING),
    },
    Entry {
        rule: Rule::SessionIdMissing,
        meaning: "If the HTTP response with the result of initialize has the header \
                  Mcp-Session-Id, every later message of the client must have it too.",
        why: "The server cannot tell whose message it is. Many answer 400 themselves, and so it \
              is only reported.",
        broken: Example::client(LIST)
            .with_head(head!("MCP-Protocol-Version: 2025-06-18"))
            .after(RUNNING),
        right: Example::client(LIST).with_head(IN_SESSION).after(RUNNING),
    },
];
