//! The rules between the messages of a connection: requests and their answers,
//! cancelling, progress.

use mcparse::Rule;

use super::example::{Entry, Example, Turn, client, server};

const PING: Turn = client(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
const PONG: Turn = server(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
const LATE: Turn = server(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
const NEXT: Turn = client(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
const READY: Turn = client(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
const CALL: Turn =
    client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#);
const DONE: Turn = server(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#);
const GIVEN_UP: Turn =
    client(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
const MODERN_CALL: Turn = client(modern!("tools/call", r#""name":"add","#));
const MODERN_DONE: Turn =
    server(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}"#);

/// A call of `slow` with this id, whose progress is told under this token.
macro_rules! slow {
    ($id:literal, $token:literal) => {
        client(concat!(
            r#"{"jsonrpc":"2.0","id":"#,
            $id,
            r#","method":"tools/call","params":{"name":"slow","_meta":{"progressToken":""#,
            $token,
            r#""}}}"#
        ))
    };
}

/// Progress under this token.
macro_rules! progress {
    ($token:literal, $progress:literal) => {
        server(concat!(
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":""#,
            $token,
            r#"","progress":"#,
            $progress,
            "}}"
        ))
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::IdInFlight,
        meaning: "A request has the id of another one of its sender that waits for its answer, \
                  or that was cancelled and not answered. Count ids up, and never give out one \
                  twice.",
        why: "Nobody could tell the two answers apart.",
        broken: Example::talk(&[PING, CALL]),
        right: Example::talk(&[PING, PONG, CALL]),
    },
    Entry {
        rule: Rule::AnswerUnknown,
        meaning: "An answer has an id that no request has which was sent. A string is not a \
                  number: \"1\" does not answer 1.",
        why: "It is dropped, and the request that it was meant for waits for ever.",
        broken: Example::talk(&[PING, LATE]),
        right: Example::talk(&[PING, PONG]),
    },
    Entry {
        rule: Rule::AnswerTwice,
        meaning: "A request that has been answered is answered once more. The first answer is \
                  what counts.",
        why: "A client that gives the id out again would take the second answer for that of \
              another request.",
        broken: Example::talk(&[PING, PONG, PONG]),
        right: Example::talk(&[PING, PONG, NEXT, LATE]),
    },
    Entry {
        rule: Rule::AnswerAfterCancel,
        meaning: "A request is answered that its sender has cancelled. The two may have crossed; \
                  a server that has heard of it does not answer any more.",
        why: "The client does not wait any more, and the work was for nothing.",
        broken: Example::talk(&[CALL, GIVEN_UP, DONE]),
        right: Example::talk(&[CALL, GIVEN_UP]),
    },
    Entry {
        rule: Rule::NotificationAnswered,
        meaning: "An error without an id comes when no request waits, and the last that was sent \
                  is a notification. Notifications are never answered, not even wrong ones.",
        why: "The other side did not ask and cannot tell what the error is about.",
        broken: Example::talk(&[
            READY,
            server(r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}}"#),
        ]),
        right: Example::talk(&[READY, PING, PONG]),
    },
    Entry {
        rule: Rule::CancelByServer,
        meaning: "A server cancels a request of the client. It may do so only with \
                  subscriptions/listen, whose stream it closes thereby; any other request it \
                  answers, with an error if need be.",
        why: "Clients do not expect it, and wait for an answer that does not come.",
        broken: Example::talk(&[
            CALL,
            server(
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            ),
        ]),
        right: Example::talk(&[
            CALL,
            server(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Shutting down"}}"#),
        ]),
    },
    Entry {
        rule: Rule::CancelUnknown,
        meaning: "What is cancelled is no request of the sender. The id has its type here too: \
                  a string is not a number.",
        why: "The request that was meant goes on.",
        broken: Example::talk(&[
            CALL,
            client(
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}"#,
            ),
        ]),
        right: Example::talk(&[CALL, GIVEN_UP]),
    },
    Entry {
        rule: Rule::CancelOverHttp,
        meaning: "A client of 2026-07-28 that has given up a request over HTTP closes the stream \
                  of its answer, and sends nothing.",
        why: "Requests of this revision share no session, so the server that gets the message \
              may not be the one that works on the request.",
        broken: Example::talk(&[MODERN_CALL, GIVEN_UP]).over_http(),
        right: Example::talk(&[MODERN_CALL, MODERN_DONE]).over_http(),
    },
    Entry {
        rule: Rule::ProgressTokenUnknown,
        meaning: "Progress is told under a token that no request has. It is the one that the \
                  request gave, of the same type; a request without one wants no progress.",
        why: "Nobody can tell what goes on.",
        broken: Example::talk(&[slow!("1", "a"), progress!("b", "1")]),
        right: Example::talk(&[slow!("1", "a"), progress!("a", "1")]),
    },
    Entry {
        rule: Rule::ProgressTokenReused,
        meaning: "A request has the progress token of another one that still waits.",
        why: "The progress of one is shown as that of the other.",
        broken: Example::talk(&[slow!("1", "a"), slow!("2", "a")]),
        right: Example::talk(&[slow!("1", "a"), slow!("2", "b")]),
    },
    Entry {
        rule: Rule::ProgressNotIncreasing,
        meaning: "Progress must grow with every notification, also where the total is not known.",
        why: "What stands still or goes back looks stuck, and clients extend the time that a \
              request has by its progress.",
        broken: Example::talk(&[slow!("1", "a"), progress!("a", "5"), progress!("a", "5")]),
        right: Example::talk(&[slow!("1", "a"), progress!("a", "5"), progress!("a", "5.5")]),
    },
    Entry {
        rule: Rule::ProgressAfterAnswer,
        meaning: "Progress is told of a request that has been answered. It ends with the answer, \
                  unless that is a task, which goes on.",
        why: "Clients have forgotten the token, or have given it to another request.",
        broken: Example::talk(&[slow!("1", "a"), DONE, progress!("a", "9")]),
        right: Example::talk(&[slow!("1", "a"), progress!("a", "9"), DONE]),
    },
];
