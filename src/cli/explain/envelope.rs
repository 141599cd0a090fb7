//! The other rules of the envelope: what makes a message ambiguous, what is
//! longer than a limit, and what is odd.

use mcparse::Rule;

use super::example::{Entry, Example};

const PING: Example = Example::client(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
const CALL: Example = Example::client(
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}"#,
);

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::DuplicateMember,
        meaning: "A member that the protocol reads is given twice in the same object, in \
                  whatever spelling: an escape in its name makes no difference. The place is the \
                  second one.",
        why: "Some readers take the first and some the last, so a gateway and the server behind \
              it may see two different calls in the same bytes.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","name":"delete_all"}}"#,
        ),
        right: CALL,
    },
    Entry {
        rule: Rule::LookalikeMember,
        meaning: "A member's name differs from one of the protocol's by upper and lower case \
                  only, by a letter that folds to the same, or by a NUL at its end. Spell it \
                  exactly as the specification does.",
        why: "Readers that match names without regard to case, as Go's do, take it for the \
              member; others see another call.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","Method":"tools/call"}"#,
        ),
        right: Example::client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
    },
    Entry {
        rule: Rule::Hybrid,
        meaning: "A method stands beside a result or an error. A message with a method is a \
                  request or a notification, and has neither.",
        why: "A lenient reader that looks for the result first takes it for an answer, and runs \
              past every check on calls.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"},"result":{}}"#,
        ),
        right: CALL,
    },
    Entry {
        rule: Rule::IdTooLong,
        meaning: "The id has more bytes than the policy allows, quotes included: 1 KiB if it \
                  does not say otherwise. The answer goes without the id.",
        why: "The receiver must keep the id until the answer, and repeat it.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":"a-long-request-id","method":"ping"}"#)
            .under("limits.id-bytes = 12"),
        right: Example::client(r#"{"jsonrpc":"2.0","id":"r-1","method":"ping"}"#)
            .under("limits.id-bytes = 12"),
    },
    Entry {
        rule: Rule::MethodTooLong,
        meaning: "The method has more bytes than the policy allows, as it is written and without \
                  its quotes: 256 if it does not say otherwise. The longest of the protocol has \
                  fewer than 50.",
        why: "Methods end up in logs, metrics and headers, which one long name can flood.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"acme/search-everything-there-is"}"#,
        )
        .under("limits.method-bytes = 20"),
        right: PING.under("limits.method-bytes = 20"),
    },
    Entry {
        rule: Rule::NameTooLong,
        meaning: "What the method is called on, the name of a tool or prompt, the URI of a \
                  resource or the id of a task, has more bytes than the policy allows: 8 KiB if \
                  it does not say otherwise.",
        why: "The header Mcp-Name mirrors it, and servers and proxies cut or refuse long headers.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///srv/notes/today.md"}}"#,
        )
        .under("limits.name-bytes = 16"),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"note:today"}}"#,
        )
        .under("limits.name-bytes = 16"),
    },
    Entry {
        rule: Rule::MembersTooMany,
        meaning: "An object that the protocol reads (the message, its params, _meta, a result, \
                  an error) has more members than the policy allows: 1024 if it does not say \
                  otherwise. What is inside arguments does not count.",
        why: "To compare many names takes long, and honest messages have a handful.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{}}"#,
        )
        .under("limits.members = 3"),
        right: PING.under("limits.members = 3"),
    },
    Entry {
        rule: Rule::DeepDuplicate,
        meaning: "Some object in the message, however deep, gives a member twice: in the \
                  arguments of a tool for one. Off by default, as the protocol reads none of \
                  these.",
        why: "What checks the arguments and what runs the tool may take different ones.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"a":2}}}"#,
        ),
        right: CALL,
    },
    Entry {
        rule: Rule::UnknownMember,
        meaning: "The message has a member beside jsonrpc, id, method, params, result and error, \
                  or a response has params. What a peer wants to add belongs into params._meta \
                  or result._meta, under a key with its own prefix.",
        why: "Strict peers refuse it and others drop it, so it never arrives everywhere.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","traceId":"b7ad6b71"}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"acme.example/trace":"b7ad6b71"}}}"#,
        ),
    },
    Entry {
        rule: Rule::IdUnsafeInteger,
        meaning: "The id is an integer beyond 2^53 - 1, the last up to which a double counts in \
                  steps of one. Count from 1, or use a string.",
        why: "JavaScript and many others round it, and answer with an id that nobody asked with.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#),
        right: Example::client(r#"{"jsonrpc":"2.0","id":"9007199254740993","method":"ping"}"#),
    },
    Entry {
        rule: Rule::ErrorIdNull,
        meaning: "The id of an error is null, which is how plain JSON-RPC says that the id of \
                  the request could not be read. From 2025-11-25 on MCP leaves the member out \
                  instead.",
        why: "Clients that follow the schema refuse a null, and the error is lost on them.",
        broken: Example::server(
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
        ),
        right: Example::server(
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
        ),
    },
];
