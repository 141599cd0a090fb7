//! The rules of the envelope that decide what kind of message there is, and
//! whether its sender may send that kind.

use mcparse::Rule;

use super::example::{Entry, Example, MODERN};

const PING: Example = Example::client(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
const RESULT: Example = Example::server(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
const ERROR: Example = Example::server(
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#,
);

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::Batch,
        meaning: "The message is an array. Several messages in one are part of 2025-03-26 \
                  alone, and they are refused even there unless the policy takes them (batches = \
                  true in a policy file, Policy::with_batches). Then what is refused is an empty \
                  array, one with too many messages, and initialize in one. Send each message by \
                  itself.",
        why: "A batch hides messages from whoever routes, limits or logs by the message, and no \
              peer of another revision must understand it.",
        broken: Example::client(
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
        ),
        right: PING,
    },
    Entry {
        rule: Rule::NotObject,
        meaning: "The message is JSON, but a string, a number or a word, and not an object. \
                  Often it was encoded twice, so that the whole message stands in quotes, or \
                  some other output went the way of the messages.",
        why: "Every message of JSON-RPC is an object; nothing else can be told apart or answered.",
        broken: Example::client(r#""ready""#),
        right: PING,
    },
    Entry {
        rule: Rule::JsonrpcVersion,
        meaning: "Every message has the member jsonrpc with the string \"2.0\". It is missing \
                  here, or is the number 2.0, or another version.",
        why: "The member says by which rules the rest is to be read. Without it, it may be a \
              message of some other protocol.",
        broken: Example::client(r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#),
        right: PING,
    },
    Entry {
        rule: Rule::NoKind,
        meaning: "The object has neither a method, nor a result, nor an error, so it is no \
                  request, no notification and no response. Look for a member that is spelled \
                  otherwise, or put one level too deep.",
        why: "Nobody can say what to do with it.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":1}"#),
        right: PING,
    },
    Entry {
        rule: Rule::ResultAndError,
        meaning: "A response has both result and error. It must have exactly one of them, and \
                  presence counts: \"error\": null beside a result is both too. Leave out the \
                  member that does not apply.",
        why: "One reader looks for the error first and another for the result, and they disagree \
              on how the request went.",
        broken: Example::server(r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#),
        right: RESULT,
    },
    Entry {
        rule: Rule::MethodType,
        meaning: "The member method is there and is no string. null does not make a response of \
                  it: a response has no method at all.",
        why: "A reader that turns it into text calls something that nobody named.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":1,"method":null}"#),
        right: PING,
    },
    Entry {
        rule: Rule::ResultType,
        meaning: "The result is an array, a string or null, and must be an object. Put the value \
                  into a member; for a request that has nothing to return the result is {}.",
        why: "MCP keeps _meta and the type of a result in it, for which there is no room in \
              anything but an object.",
        broken: Example::server(r#"{"jsonrpc":"2.0","id":1,"result":null}"#),
        right: RESULT,
    },
    Entry {
        rule: Rule::ErrorShape,
        meaning: "The error must be an object with a code, which is an integer, and a message, \
                  which is a string. Names such as \"ENOENT\" belong into the message or into \
                  data.",
        why: "Clients decide by the code whether to try again, to fall back or to give up.",
        broken: Example::server(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"ENOENT","message":"no such file"}}"#,
        ),
        right: ERROR,
    },
    Entry {
        rule: Rule::IdMissing,
        meaning: "A response has no id. A result must have the id of its request. So must an \
                  error, unless the id could not be read: then revisions from 2025-11-25 on \
                  leave it out, and earlier ones say null.",
        why: "Without the id no request can be found that it answers, and its sender waits on.",
        broken: Example::server(r#"{"jsonrpc":"2.0","result":{}}"#),
        right: RESULT,
    },
    Entry {
        rule: Rule::IdNull,
        meaning: "The id of a request or a result is null, which plain JSON-RPC allows and MCP \
                  does not. If an answer is wanted, give an id; if none is wanted, leave the \
                  member out, which makes it a notification.",
        why: "An answer with the id null is also what is sent when no id could be read, and \
              cannot be told from one.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#),
        right: PING,
    },
    Entry {
        rule: Rule::IdType,
        meaning: "The id is a boolean, an array, an object or a number with a fraction. It must \
                  be a string or an integer.",
        why: "Ids are compared, and for other types readers differ in what is equal.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#),
        right: PING,
    },
    Entry {
        rule: Rule::IdFloat,
        meaning: "The id is a whole number that is written with a point or an exponent, such as \
                  1.0 or 1e3. Write it as an integer. Some languages print every number like \
                  this unless it is made an integer first.",
        why: "A peer that reads 1.0 may answer with 1, and the sender that compares texts does \
              not know its own request any more.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#),
        right: PING,
    },
    Entry {
        rule: Rule::ParamsType,
        meaning: "The params are an array, a string or null, and must be an object. Plain \
                  JSON-RPC knows params by position; MCP has them by name only. Leave the \
                  member out if there are none.",
        why: "Names are all that the methods are defined by, and _meta needs an object to stand in.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["add",{"a":1}]}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}"#,
        ),
    },
    Entry {
        rule: Rule::ClientResponse,
        meaning: "A client sends a response in 2026-07-28, where servers send no requests that \
                  it could answer. What a server asks stands in a result that is input_required; \
                  the client sends its request once more, with the answers in inputResponses.",
        why: "The server has no memory of a question, so there is nothing that the response could \
              belong to.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}"#).under(MODERN),
        right: Example::client(modern!(
            "tools/call",
            r#""name":"tidy","inputResponses":{"where":{"roots":[]}},"requestState":"s-1","#
        ))
        .under(MODERN),
    },
    Entry {
        rule: Rule::ServerRequest,
        meaning: "A server sends a request in 2026-07-28, where only clients do. To ask something \
                  of the user or the model, end the client's request with a result that is \
                  input_required and has the question in inputRequests.",
        why: "The next request of the same client may reach another server, so an answer would \
              find nobody who asked.",
        broken: Example::server(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#).under(MODERN),
        right: Example::server(
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"where":{"method":"roots/list"}},"requestState":"s-1"}}"#,
        )
        .under(MODERN),
    },
    Entry {
        rule: Rule::NotificationWithId,
        meaning: "The method is a notification's, by its name or its prefix notifications/, and \
                  an id stands beside it. Leave the id out.",
        why: "With an id it is a request, so the receiver must answer what has no answer, and the \
              sender does not wait for one.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#,
        ),
        right: Example::client(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
    },
    Entry {
        rule: Rule::RequestWithoutId,
        meaning: "The method is a request's, and there is no id. Give it one that the sender has \
                  not used before.",
        why: "Without an id it is a notification, which nobody may answer: the call may run, and \
              its result is lost.",
        broken: Example::client(r#"{"jsonrpc":"2.0","method":"tools/list"}"#),
        right: Example::client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
    },
];
