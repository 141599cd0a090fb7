//! The rules of what a request asks for: its version, its capabilities, its
//! method and its params.

use mcparse::Rule;

use super::example::{Entry, Example, MODERN};

const NEEDS_A_URL: &str = "[[requirements]]\nmethod = \"tools/call\"\nname = \"pay\"\n\
                           capability = \"elicitation.url\"";

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::UnsupportedVersion,
        meaning: "The request names a protocol version that is not served. The answer lists \
                  those that are, in data.supported, and the client chooses one of them for its \
                  next request. The same befalls an initialize where only 2026-07-28 is served.",
        why: "To guess at another version would change what the request means.",
        broken: Example::client(request!(
            "tools/list",
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#
        )),
        right: Example::client(modern!("tools/list")),
    },
    Entry {
        rule: Rule::EraNotServed,
        meaning: "The request is of 2026-07-28, and the policy serves earlier revisions only, \
                  which open with initialize. The error is a plain one of those revisions, which \
                  tells a client of both eras to fall back to the handshake.",
        why: "An error of the new kind would make the client look for another version of the \
              same era, which is not there.",
        broken: Example::client(modern!("tools/list")).under("eras = [\"legacy\"]"),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"desk","version":"4.0"}}}"#,
        )
        .under("eras = [\"legacy\"]"),
    },
    Entry {
        rule: Rule::MissingCapability,
        meaning: "The request needs something of its client that the client has not declared in \
                  this request's clientCapabilities. Methods of tasks need their extension; what \
                  else is needed, and for which tools, the policy says in requirements.",
        why: "The server would have to ask the client for something that it cannot do, in the \
              middle of the call.",
        broken: Example::client(request!(
            "tools/call",
            concat!(r#""name":"pay","#, meta!(r#"{"elicitation":{}}"#))
        ))
        .under(NEEDS_A_URL),
        right: Example::client(request!(
            "tools/call",
            concat!(r#""name":"pay","#, meta!(r#"{"elicitation":{"url":{}}}"#))
        ))
        .under(NEEDS_A_URL),
    },
    Entry {
        rule: Rule::MethodOfOtherSender,
        meaning: "The method exists, but only the other side sends it: a client sends what is a \
                  server's, or the other way round. If the message is right, check who was taken \
                  for its sender: --from says so to this command.",
        why: "The receiver has nothing that could answer it.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#,
        ),
        right: Example::server(
            r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#,
        ),
    },
    Entry {
        rule: Rule::MethodOfOtherRevision,
        meaning: "The method exists, but not in the revision of this request. 2026-07-28 has \
                  taken away initialize, ping, logging/setLevel, resources/subscribe and others; \
                  changes are followed by subscriptions/listen.",
        why: "A server of that revision does not know the method.",
        broken: Example::client(modern!("resources/subscribe", r#""uri":"file:///notes","#)),
        right: Example::client(modern!(
            "subscriptions/listen",
            r#""notifications":{"resourceSubscriptions":["file:///notes"]},"#
        )),
    },
    Entry {
        rule: Rule::NotificationOfOtherRevision,
        meaning: "The notification exists, but not in any revision that this one may be of. A \
                  client of 2026-07-28 does not say that it is initialized, for one.",
        why: "The receiver passes over it, so what it should bring about does not happen.",
        broken: Example::client(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .under(MODERN),
        right: Example::client(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        )
        .under(MODERN),
    },
    Entry {
        rule: Rule::UnknownMethod,
        meaning: "No revision defines the method, and the policy does not list it under methods. \
                  Look for a slip: the names are in lower case with one slash, and most are in \
                  the plural, as in tools/call.",
        why: "The receiver answers that there is no such method, or calls something of its own.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tool/call","params":{"name":"add"}}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#,
        ),
    },
    Entry {
        rule: Rule::ParamsShape,
        meaning: "The params lack a member that the method needs, or one has the wrong type. The \
                  detail names it. Only the first level is looked at: what is inside arguments is \
                  the tool's to check.",
        why: "The server would have to guess what is called, or fail later in a way that is \
              harder to trace.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"add","arguments":{}}}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}"#,
        ),
    },
    Entry {
        rule: Rule::MrtrParams,
        meaning: "The params hold inputResponses or requestState, the client's answers to what a \
                  result asked for. Only tools/call, prompts/get and resources/read may be \
                  answered with a question, so on this method there was none.",
        why: "A server passes over them, and the client waits for something to come of its answers.",
        broken: Example::client(modern!("tools/list", r#""requestState":"s-1","#)),
        right: Example::client(modern!(
            "tools/call",
            r#""name":"tidy","inputResponses":{"where":{"roots":[]}},"requestState":"s-1","#
        )),
    },
];
