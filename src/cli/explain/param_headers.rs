//! The rules of the headers that mirror arguments, and of what is odd in any
//! mirror header.

use mcparse::Rule;

use super::example::{Entry, Example};

/// A tool with two arguments that headers mirror.
const TOOLS: &str = r#"{"resultType":"complete","ttlMs":60000,"cacheScope":"public","tools":[{"name":"run_sql","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"rows":{"type":"integer","x-mcp-header":"Rows"},"query":{"type":"string"}}}}]}"#;

const LIST: Example = Example::client(modern!("tools/list"));
const LIST_RIGHT: Example = LIST.with_head(modern_head!("Mcp-Method: tools/list"));
const IN_EUROPE: Example =
    Example::client(modern!("tools/call", r#""name":"run_sql","arguments":{"region":"eu-west"},"#))
        .knowing(TOOLS);
const IN_EUROPE_RIGHT: Example = IN_EUROPE.with_head(modern_head!(
    "Mcp-Method: tools/call" "Mcp-Name: run_sql" "Mcp-Param-Region: eu-west"
));
const NOWHERE: Example =
    Example::client(modern!("tools/call", r#""name":"run_sql","arguments":{"region":null},"#))
        .knowing(TOOLS);
const LEGACY: Example = Example::client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
const SHORT: Example = Example::client(modern!("tools/call", r#""name":"é","#));

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::ParamHeadersTooMany,
        meaning: "The request has more Mcp-Param headers than are compared with the body, which \
                  is 16. A tool that needs more of its arguments in headers needs another \
                  design.",
        why: "A header beyond the last one that is compared could say anything.",
        broken: IN_EUROPE.with_head(modern_head!(
            "Mcp-Method: tools/call" "Mcp-Name: run_sql" "Mcp-Param-Region: eu-west"
            "Mcp-Param-A1: 1" "Mcp-Param-A2: 1" "Mcp-Param-A3: 1" "Mcp-Param-A4: 1"
            "Mcp-Param-A5: 1" "Mcp-Param-A6: 1" "Mcp-Param-A7: 1" "Mcp-Param-A8: 1"
            "Mcp-Param-B1: 1" "Mcp-Param-B2: 1" "Mcp-Param-B3: 1" "Mcp-Param-B4: 1"
            "Mcp-Param-B5: 1" "Mcp-Param-B6: 1" "Mcp-Param-B7: 1" "Mcp-Param-B8: 1"
        )),
        right: IN_EUROPE_RIGHT,
    },
    Entry {
        rule: Rule::ParamHeaderMissing,
        meaning: "The tool's schema marks an argument with x-mcp-header, the call gives that \
                  argument, and the header is missing. The header is called Mcp-Param- and what \
                  the schema says.",
        why: "Whoever routes by the header, by region for one, sends the call the wrong way.",
        broken: IN_EUROPE.with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: run_sql")),
        right: IN_EUROPE_RIGHT,
    },
    Entry {
        rule: Rule::ParamHeaderMismatch,
        meaning: "A header that mirrors an argument has another value than the argument. \
                  Integers are compared as numbers, and true and false as words; text byte for \
                  byte, unwrapped first if it is wrapped.",
        why: "A gateway routes by the one and the server acts on the other.",
        broken: IN_EUROPE.with_head(modern_head!(
            "Mcp-Method: tools/call" "Mcp-Name: run_sql" "Mcp-Param-Region: us-east"
        )),
        right: IN_EUROPE_RIGHT,
    },
    Entry {
        rule: Rule::ParamHeaderUnexpected,
        meaning: "A header mirrors an argument that the call does not give, or gives as null. \
                  Leave the header out then.",
        why: "The header promises something that the body does not say.",
        broken: NOWHERE.with_head(modern_head!(
            "Mcp-Method: tools/call" "Mcp-Name: run_sql" "Mcp-Param-Region: eu-west"
        )),
        right: NOWHERE.with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: run_sql")),
    },
    Entry {
        rule: Rule::ParamHeaderRange,
        meaning: "An argument that a header mirrors is an integer beyond 2^53 - 1, the last up to \
                  which a double counts in steps of one. Declare the argument as a string if it \
                  must be that large.",
        why: "Two readers may round header and body apart, or two different values together.",
        broken: Example::client(modern!(
            "tools/call",
            r#""name":"run_sql","arguments":{"rows":9007199254740993},"#
        ))
        .knowing(TOOLS)
        .with_head(modern_head!(
            "Mcp-Method: tools/call" "Mcp-Name: run_sql" "Mcp-Param-Rows: 9007199254740993"
        )),
        right: Example::client(modern!(
            "tools/call",
            r#""name":"run_sql","arguments":{"rows":500},"#
        ))
        .knowing(TOOLS)
        .with_head(modern_head!(
            "Mcp-Method: tools/call" "Mcp-Name: run_sql" "Mcp-Param-Rows: 500"
        )),
    },
    Entry {
        rule: Rule::HeaderRepeatedEqual,
        meaning: "A mirror header is given more than once, each time with the same value. Often \
                  a proxy adds what the client has sent already.",
        why: "Readers that join copies with a comma see a value that matches nothing.",
        broken: LIST.with_head(modern_head!("Mcp-Method: tools/list" "Mcp-Method: tools/list")),
        right: LIST_RIGHT,
    },
    Entry {
        rule: Rule::NameHeaderUnexpected,
        meaning: "The header Mcp-Name stands on a request whose method is not called on anything \
                  by name, such as tools/list.",
        why: "It means nothing there, and whoever routes by it is misled.",
        broken: LIST.with_head(modern_head!("Mcp-Method: tools/list" "Mcp-Name: get_weather")),
        right: LIST_RIGHT,
    },
    Entry {
        rule: Rule::HeaderBase64StrayBits,
        meaning: "The base64 in a header ends in bits that belong to no byte and are not zero. \
                  It still decodes, but a proper encoder never writes it.",
        why: "The same name then has several spellings, and strict decoders refuse this one.",
        broken: SHORT.with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: =?base64?w6l=?=")),
        right: SHORT.with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: =?base64?w6k=?=")),
    },
    Entry {
        rule: Rule::MirrorWithoutVersion,
        meaning: "Mcp-Method, Mcp-Name or an Mcp-Param header stands on a message whose version \
                  does not have mirror headers: MCP-Protocol-Version is missing, or names a \
                  revision before 2026-07-28.",
        why: "A server of that revision never compares them, so they may say anything: do not \
              route by them.",
        broken: LEGACY
            .with_head(head!("MCP-Protocol-Version: 2025-11-25" "Mcp-Method: tools/list")),
        right: LEGACY.with_head(head!("MCP-Protocol-Version: 2025-11-25")),
    },
];
