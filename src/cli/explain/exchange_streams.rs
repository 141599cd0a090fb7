//! The rules between the messages of a connection: subscriptions, log messages,
//! questions and retries, the pages of lists, and how much is kept.

use mcparse::Rule;

use super::example::{Entry, Example, Turn, client, server};

/// A modern request with this id and these members, each with its comma behind
/// it.
macro_rules! sent {
    ($id:literal, $method:literal, $members:literal) => {
        sent!($id, $method, $members, "")
    };
    ($id:literal, $method:literal, $members:literal, $meta:literal) => {
        client(concat!(
            r#"{"jsonrpc":"2.0","id":"#,
            $id,
            r#","method":""#,
            $method,
            r#"","params":{"#,
            $members,
            meta!("{}", $meta),
            "}}"
        ))
    };
}

/// A notification on the stream of the request 1, with these members, each with
/// its comma behind it.
macro_rules! on_stream {
    ($method:literal, $members:literal) => {
        server(concat!(
            r#"{"jsonrpc":"2.0","method":"notifications/"#,
            $method,
            r#"","params":{"#,
            $members,
            r#""_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#
        ))
    };
}

/// A result with this id that is a page of tools.
macro_rules! tools {
    ($id:literal, $tools:literal, $scope:literal) => {
        server(concat!(
            r#"{"jsonrpc":"2.0","id":"#,
            $id,
            r#","result":{"resultType":"complete","ttlMs":0,"cacheScope":""#,
            $scope,
            r#"","tools":["#,
            $tools,
            "]}}"
        ))
    };
}

const LISTEN: Turn =
    sent!("1", "subscriptions/listen", r#""notifications":{"toolsListChanged":true},"#);
const ACK: Turn =
    on_stream!("subscriptions/acknowledged", r#""notifications":{"toolsListChanged":true},"#);
const CHANGED: Turn = on_stream!("tools/list_changed", "");

const LOG: Turn = server(
    r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"started"}}"#,
);
const PAY: Turn = sent!("1", "tools/call", r#""name":"pay","#);
const ASKED: Turn = server(
    r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s1"}}"#,
);
const PAID: Turn =
    server(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}"#);

const LIST: Turn = sent!("1", "tools/list", "");
const LIST_AGAIN: Turn = sent!("2", "tools/list", "");
const SECOND_PAGE: Turn = sent!("2", "tools/list", r#""cursor":"p2","#);
const FIRST: Turn = server(
    r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[],"nextCursor":"p2"}}"#,
);
const TOOLS: Turn = tools!(
    "1",
    r#"{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}"#,
    "public"
);

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::AckNotFirst,
        meaning: "The first message on a stream of subscriptions/listen is \
                  notifications/subscriptions/acknowledged, and no later one is.",
        why: "The client learns from it what it will hear of; until then it cannot rely on the \
              stream.",
        broken: Example::talk(&[LISTEN, CHANGED]),
        right: Example::talk(&[LISTEN, ACK, CHANGED]),
    },
    Entry {
        rule: Rule::AckWidened,
        meaning: "The acknowledgment of a subscription has something that the client did not ask \
                  for. It may have less than that: what the server does not offer is left out.",
        why: "The client will be sent what it does not handle.",
        broken: Example::talk(&[
            LISTEN,
            on_stream!(
                "subscriptions/acknowledged",
                r#""notifications":{"promptsListChanged":true},"#
            ),
        ]),
        right: Example::talk(&[LISTEN, ACK]),
    },
    Entry {
        rule: Rule::SubscriptionUnrequested,
        meaning: "A notification names no subscription that is open, or is of a type that the \
                  client did not ask for with it. A server of 2026-07-28 tells of changes on \
                  such streams alone.",
        why: "The client does not know what it belongs to, and drops it.",
        broken: Example::talk(&[LISTEN, ACK, on_stream!("prompts/list_changed", "")]),
        right: Example::talk(&[LISTEN, ACK, CHANGED]),
    },
    Entry {
        rule: Rule::LogWithoutLevel,
        meaning: "A server of 2026-07-28 sends log messages only while a request waits that asks \
                  for them: with io.modelcontextprotocol/logLevel in its _meta.",
        why: "A client that did not ask for logs may show them, or fill its disk with them.",
        broken: Example::talk(&[PAY, LOG]),
        right: Example::talk(&[
            sent!(
                "1",
                "tools/call",
                r#""name":"pay","#,
                r#","io.modelcontextprotocol/logLevel":"info""#
            ),
            LOG,
        ]),
    },
    Entry {
        rule: Rule::MrtrIdReused,
        meaning: "The request that brings what the server has asked for is a new one, and has an \
                  id of its own.",
        why: "Whoever keeps account of requests by their ids takes it for the one that was \
              answered.",
        broken: Example::talk(&[
            PAY,
            ASKED,
            sent!("1", "tools/call", r#""name":"pay","inputResponses":{},"requestState":"s1","#),
        ]),
        right: Example::talk(&[
            PAY,
            ASKED,
            sent!("2", "tools/call", r#""name":"pay","inputResponses":{},"requestState":"s1","#),
        ]),
    },
    Entry {
        rule: Rule::MrtrStateChanged,
        meaning: "The requestState that a retry brings back is not the one that the server gave, \
                  or is missing. It is handed back as it came, and not looked into.",
        why: "The server finds its place by it, and fails or goes on somewhere else.",
        broken: Example::talk(&[
            PAY,
            ASKED,
            sent!("2", "tools/call", r#""name":"pay","inputResponses":{},"requestState":"S1","#),
        ]),
        right: Example::talk(&[
            PAY,
            ASKED,
            sent!("2", "tools/call", r#""name":"pay","inputResponses":{},"requestState":"s1","#),
        ]),
    },
    Entry {
        rule: Rule::MrtrStateInvented,
        meaning: "A request has a requestState, and the server gave none for a request with this \
                  method on this name.",
        why: "It is made up, or of another call, and a server that trusts it acts on what it \
              never said.",
        broken: Example::talk(&[sent!(
            "2",
            "tools/call",
            r#""name":"pay","inputResponses":{},"requestState":"s1","#
        )]),
        right: Example::talk(&[
            PAY,
            ASKED,
            sent!("2", "tools/call", r#""name":"pay","inputResponses":{},"requestState":"s1","#),
        ]),
    },
    Entry {
        rule: Rule::CacheScopeVaries,
        meaning: "The pages of one list have one cacheScope: that of the first. And a list is \
                  not public for one authorisation and private for another: public says that it \
                  is the same for everyone. Who keeps account of several clients of one server \
                  together finds that too: the same request was answered with another cacheScope \
                  before.",
        why: "A cache that several users share keeps what is public, and gives it to those for \
              whom the list is another one, or keeps a part of what is for one of them.",
        broken: Example::talk(&[LIST, FIRST, SECOND_PAGE, tools!("2", "", "public")]),
        right: Example::talk(&[LIST, FIRST, SECOND_PAGE, tools!("2", "", "private")]),
    },
    Entry {
        rule: Rule::ListOrderChanged,
        meaning: "The same tools are listed in another order than before. A server should keep \
                  one order as long as its tools are the same.",
        why: "The list is part of what a model is given, and another order there makes all \
              that was cached of it useless.",
        broken: Example::talk(&[
            LIST,
            TOOLS,
            LIST_AGAIN,
            tools!(
                "2",
                r#"{"name":"b","inputSchema":{"type":"object"}},{"name":"a","inputSchema":{"type":"object"}}"#,
                "public"
            ),
        ]),
        right: Example::talk(&[
            LIST,
            TOOLS,
            LIST_AGAIN,
            tools!(
                "2",
                r#"{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}"#,
                "public"
            ),
        ]),
    },
    Entry {
        rule: Rule::ExchangeFull,
        meaning: "More waits at once than there is room for: requests, progress tokens, streams, \
                  or what those ask for. The message is let through unless the policy refuses \
                  it, and what belongs to it is not judged.",
        why: "A request that waits for ever takes up room for ever; give each one a time, and \
              cancel it then.",
        broken: Example::talk(&[PAY, LIST_AGAIN]).with_room_for(1),
        right: Example::talk(&[PAY, PAID, LIST_AGAIN]).with_room_for(1),
    },
];
