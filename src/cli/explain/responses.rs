//! The rules of how an answer comes over HTTP: its head, and that there is one
//! and no more.

use mcparse::Rule;

use super::example::{Entry, Example};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
const LIST: &str = modern!("tools/list");
const JSON: &str = "HTTP/1.1 200 OK\nContent-Type: application/json\n";
const EVENTS: &str = "HTTP/1.1 200 OK\nContent-Type: text/event-stream\n";
const UNBUFFERED: &str =
    "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nX-Accel-Buffering: no\n";

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::AnswerContentType,
        meaning: "The answer to a request is one message as application/json, or a stream of \
                  server-sent events as text/event-stream. This response is neither: often the \
                  page of a proxy on the way. Its body is not read.",
        why: "What is no message by its head cannot be the answer, and the client waits for one.",
        broken: Example::answer(PING, "<html>502 Bad Gateway</html>")
            .with_head("HTTP/1.1 502 Bad Gateway\nContent-Type: text/html\n"),
        right: Example::answer(PING, PONG).with_head(JSON),
    },
    Entry {
        rule: Rule::MessageAfterAnswer,
        meaning: "A request has one answer, and nothing follows it: no second one, and in \
                  2026-07-28 no notification either. The first one is what the client gets.",
        why: "A client that took the first answer would take a second one for that of another \
              request.",
        broken: Example::answer(
            PING,
            "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n\
             data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n",
        )
        .with_head(EVENTS),
        right: Example::answer(PING, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
            .with_head(EVENTS),
    },
];

/// Those behind all that is in the message.
pub(super) const LATE_ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::AnswerStatus,
        meaning: "A result has the status 200. Of the errors of a modern server, -32601 has 404, \
                  and -32020, -32021 and -32022 have 400. A notification is answered 202 without \
                  a body, or by an error status.",
        why: "Clients that look for an older server, and everything between, go by the status.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#,
        )
        .with_head(JSON),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#,
        )
        .with_head("HTTP/1.1 404 Not Found\nContent-Type: application/json\n"),
    },
    Entry {
        rule: Rule::SseBufferingHeader,
        meaning: "A stream of events should have the header X-Accel-Buffering: no.",
        why: "Without it a proxy such as nginx may hold events back until it has many, and \
              progress comes when all is over.",
        broken: Example::answer(LIST, LISTED).with_head(EVENTS),
        right: Example::answer(LIST, LISTED).with_head(UNBUFFERED),
    },
    Entry {
        rule: Rule::StreamWithoutAnswer,
        meaning: "The stream has ended, and none of its events was the answer to the request. \
                  Whatever the policy says, the client has to be told.",
        why: "The client would wait for ever.",
        broken: Example::answer(PING, ": bye\n\n").with_head(EVENTS),
        right: Example::answer(PING, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
            .with_head(EVENTS),
    },
];

const LISTED: &str = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\
                      \"tools\":[],\"ttlMs\":0,\"cacheScope\":\"public\"}}\n\n";
