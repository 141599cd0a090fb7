//! The rules of what a request says of itself in `_meta`.

use mcparse::Rule;

use super::example::{Entry, Example, MODERN};

const LIST: Example = Example::client(modern!("tools/list"));

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::MetaMissing,
        meaning: "A request of 2026-07-28 has no params._meta. Every request there says in it \
                  which version it is of, what its client is and what the client can do. The \
                  revision has no handshake that could have said so before.",
        why: "Any server may get the next request of a client, so each must hold all that is \
              needed to serve it.",
        broken: Example::client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#)
            .under(MODERN),
        right: LIST,
    },
    Entry {
        rule: Rule::MetaType,
        meaning: "The member _meta of the params is there and is no object. Leave it out if \
                  there is nothing to say, which a request of 2026-07-28 always has.",
        why: "Its members are looked up by name, and in anything else there are none.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":["progress"]}}"#,
        ),
        right: LIST,
    },
    Entry {
        rule: Rule::ProtocolVersionMissing,
        meaning: "The request is of 2026-07-28 and does not say so: its _meta lacks \
                  io.modelcontextprotocol/protocolVersion. Over HTTP the header \
                  MCP-Protocol-Version must say the same, and does not stand in for it.",
        why: "The server cannot know by which revision the rest is to be read.",
        broken: Example::client(request!(
            "tools/list",
            r#""_meta":{"io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#
        )),
        right: LIST,
    },
    Entry {
        rule: Rule::ProtocolVersionType,
        meaning: "The version in _meta is a number or something else, and must be a string: a \
                  date such as \"2026-07-28\".",
        why: "Versions are compared as text.",
        broken: Example::client(request!(
            "tools/list",
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":20260728,"io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#
        )),
        right: LIST,
    },
    Entry {
        rule: Rule::ClientCapabilitiesMissing,
        meaning: "The request does not say what its client can do: its _meta lacks \
                  io.modelcontextprotocol/clientCapabilities. A client that can do nothing of \
                  the kind says {}.",
        why: "What an earlier request declared does not count, and a server must not ask a \
              client for what it has not declared.",
        broken: Example::client(request!(
            "tools/list",
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"}}"#
        )),
        right: LIST,
    },
    Entry {
        rule: Rule::ClientCapabilitiesType,
        meaning: "The capabilities are no object, or one that the specification defines \
                  (elicitation, roots, sampling, experimental, extensions) has a value that is \
                  none. A capability without parts is {}, not true.",
        why: "A server that looks for a part of it finds nothing in a boolean.",
        broken: Example::client(request!("tools/list", meta!(r#"{"elicitation":true}"#))),
        right: Example::client(request!("tools/list", meta!(r#"{"elicitation":{}}"#))),
    },
    Entry {
        rule: Rule::ClientInfoShape,
        meaning: "The client's identity, io.modelcontextprotocol/clientInfo in _meta, must be an \
                  object with a name and a version, both strings.",
        why: "It is for logs and support; half of it cannot be matched to a release.",
        broken: Example::client(request!(
            "tools/list",
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"desk"},"io.modelcontextprotocol/clientCapabilities":{}}"#
        )),
        right: LIST,
    },
    Entry {
        rule: Rule::ProgressTokenType,
        meaning: "The progressToken in _meta is neither a string nor an integer.",
        why: "Every notification of progress repeats it, and the client finds the request by it \
              as it finds one by an id.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export","_meta":{"progressToken":1.5}}}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export","_meta":{"progressToken":"p-1"}}}"#,
        ),
    },
    Entry {
        rule: Rule::LogLevelUnknown,
        meaning: "The log level in _meta is none of the eight of RFC 5424: debug, info, notice, \
                  warning, error, critical, alert, emergency. Names such as warn and trace are \
                  other libraries'.",
        why: "The server cannot tell which messages are at least as severe.",
        broken: Example::client(request!(
            "tools/list",
            meta!("{}", r#","io.modelcontextprotocol/logLevel":"warn""#)
        )),
        right: Example::client(request!(
            "tools/list",
            meta!("{}", r#","io.modelcontextprotocol/logLevel":"warning""#)
        )),
    },
    Entry {
        rule: Rule::ClientInfoMissing,
        meaning: "The request does not say who its client is: its _meta lacks \
                  io.modelcontextprotocol/clientInfo. The specification says that it should.",
        why: "Whoever looks into a fault of one client among many has nothing to find it by.",
        broken: Example::client(request!(
            "tools/list",
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
        )),
        right: LIST,
    },
    Entry {
        rule: Rule::MetaKeySyntax,
        meaning: "A key in _meta has not the form of one: a name of letters, digits, hyphens, \
                  underscores and dots, with an optional prefix before a slash, which is labels \
                  with dots between them, such as com.example/.",
        why: "Keys become names of fields and headers elsewhere, where a blank or a second slash \
              is no part of one.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"trace id":"7"}}}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"com.example/trace-id":"7"}}}"#,
        ),
    },
    Entry {
        rule: Rule::MetaReservedPrefix,
        meaning: "A key in _meta has a prefix whose second label is modelcontextprotocol or mcp, \
                  and no specification defines the key. Take a prefix of your own, by a domain \
                  that you have.",
        why: "A later revision may give the same key another meaning.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/shard":3}}}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"com.example/shard":3}}}"#,
        ),
    },
    Entry {
        rule: Rule::TraceContextFormat,
        meaning: "The members traceparent, tracestate and baggage of _meta must have the format \
                  that W3C gives them. A traceparent is four numbers in lower-case hexadecimal \
                  with hyphens between them.",
        why: "Tracing tools begin a new trace when they cannot read this one, so the call is \
              missing from the one that it belongs to.",
        broken: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"traceparent":"0af7651916cd43dd"}}}"#,
        ),
        right: Example::client(
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}"#,
        ),
    },
    Entry {
        rule: Rule::ExtensionId,
        meaning: "The client declares an extension whose identifier is not a prefix and a name, \
                  as in com.example/voice. Here the prefix is not optional.",
        why: "Two vendors may call different things by the same bare name.",
        broken: Example::client(request!("tools/list", meta!(r#"{"extensions":{"ui":{}}}"#))),
        right: Example::client(request!(
            "tools/list",
            meta!(r#"{"extensions":{"io.modelcontextprotocol/ui":{}}}"#)
        )),
    },
    Entry {
        rule: Rule::ExtensionSettingsType,
        meaning: "The client declares an extension with settings that are no object. An \
                  extension without settings is {}, not true.",
        why: "A server that looks for one of its settings finds nothing in a boolean.",
        broken: Example::client(request!(
            "tools/list",
            meta!(r#"{"extensions":{"io.modelcontextprotocol/ui":true}}"#)
        )),
        right: Example::client(request!(
            "tools/list",
            meta!(r#"{"extensions":{"io.modelcontextprotocol/ui":{}}}"#)
        )),
    },
    Entry {
        rule: Rule::DeprecatedFeature,
        meaning: "The request declares roots or sampling, or asks for messages of the log, which \
                  2026-07-28 has but advises against. They work for now. Pass directories as \
                  parameters, call a model's provider directly, and log to stderr or by \
                  OpenTelemetry.",
        why: "A later revision may take them away, and what is built on them stops then.",
        broken: Example::client(request!("tools/list", meta!(r#"{"roots":{}}"#))),
        right: Example::client(request!("tools/list", meta!(r#"{"elicitation":{}}"#))),
    },
];
