//! The rules of framing, encoding and JSON.

use mcparse::Rule;

use super::example::{Entry, Example};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::TooLarge,
        meaning: "The message has more bytes than the policy allows, 4 MiB if it does not say \
                  otherwise. It was not read, so nothing else is known of it, not even its id. \
                  The place is where the limit was passed.",
        why: "A receiver that holds whatever comes can be made to run out of memory by one \
              message without an end.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"acme.example/note":"long"}}}"#,
        )
        .under("limits.message-bytes = 64"),
        right: Example::client(PING).under("limits.message-bytes = 64"),
    },
    Entry {
        rule: Rule::SseEventCut,
        meaning: "A stream of server-sent events ended before the blank line that completes its \
                  last event. Every reader must drop such an event. Look for a proxy with a \
                  timeout, or a server that stopped in the middle.",
        why: "Half an event may look like a whole message, and a reader that takes it acts on \
              something that was never said.",
        broken: Example::stream("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"),
        right: Example::stream("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"),
    },
    Entry {
        rule: Rule::SseEventOther,
        meaning: "An event has another name than message, so what it holds is none and is passed \
                  over. The transport of 2024-11-05 sends an event endpoint first, which is \
                  right there; other names are a server's own.",
        why: "A server that names the events of its messages otherwise waits for answers that \
              never come, as clients skip them.",
        broken: Example::stream("event: endpoint\ndata: /messages?session=1\n\n"),
        right: Example::stream(
            "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n",
        ),
    },
    Entry {
        rule: Rule::NotUtf8,
        meaning: "Some bytes are not UTF-8, the only encoding that messages have. Mostly the \
                  text is in the code page of an older system, or a character was cut in two \
                  where a buffer ended.",
        why: "Readers replace, skip or refuse such bytes, each in its own way, so the text that \
              arrives is not the one that was sent.",
        broken: Example::bytes(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"caf\xe9\"}}",
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"café"}}"#,
        ),
    },
    Entry {
        rule: Rule::Bom,
        meaning: "The message begins with the bytes EF BB BF, a byte order mark. JSON must be \
                  sent without one. Write the text as UTF-8 without BOM; on Windows some \
                  libraries add it unless told not to.",
        why: "Some readers skip the mark and others refuse the message, so it works until the \
              peer changes.",
        broken: Example::client("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
        right: Example::client(PING),
    },
    Entry {
        rule: Rule::NotJson,
        meaning: "The bytes are not one JSON value. The place is the first byte that cannot \
                  stand where it does. Where the bytes tell, the probable cause is named: a log \
                  line on standard output, another framing, a message cut short.",
        why: "There is nothing to go on with: not even an id can be taken from it safely.",
        broken: Example::client("server listening on port 8080"),
        right: Example::client(PING),
    },
    Entry {
        rule: Rule::TooDeep,
        meaning: "Arrays and objects stand inside each other deeper than the policy allows, 512 \
                  if it does not say otherwise. The message itself counts as the first.",
        why: "Many readers call themselves for each level, and a message of brackets makes them \
              overflow their stack.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plot","arguments":{"rows":[[1]]}}}"#,
        )
        .under("limits.depth = 4"),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plot","arguments":{"row":[1]}}}"#,
        )
        .under("limits.depth = 4"),
    },
    Entry {
        rule: Rule::UnpairedSurrogate,
        meaning: "A string holds an escape such as \\ud83d that is half of a character, without \
                  its other half. It mostly comes from cutting a string by UTF-16 units, in \
                  JavaScript or Java for two, in the middle of an emoji.",
        why: "It stands for no character; readers replace it, keep it or fail, and what they \
              pass on differs.",
        broken: Example::server(
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"cut \ud83d"}]}}"#,
        ),
        right: Example::server(
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"whole \ud83d\ude00"}]}}"#,
        ),
    },
];
