//! The rules of the headers that mirror version, method and name.

use mcparse::Rule;

use super::example::{Entry, Example};

const LIST: Example = Example::client(modern!("tools/list"));
const LIST_RIGHT: Example = LIST.with_head(modern_head!("Mcp-Method: tools/list"));
const CALL: Example = Example::client(modern!("tools/call", r#""name":"get_weather","#));
const CALL_RIGHT: Example =
    CALL.with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: get_weather"));
const LEGACY: Example = Example::client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
const LEGACY_RIGHT: Example = LEGACY.with_head(head!("MCP-Protocol-Version: 2025-11-25"));
const CAFE: Example = Example::client(modern!("tools/call", r#""name":"café","#));
const CAFE_RIGHT: Example =
    CAFE.with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: =?base64?Y2Fmw6k=?="));

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::HeaderCharacters,
        meaning: "The value of a mirror header holds a byte that is neither visible ASCII, nor a \
                  space, nor a tab. A name with other characters is sent wrapped: its UTF-8 in \
                  base64, between =?base64? and ?=.",
        why: "Servers and proxies read such bytes as Latin-1, as UTF-8 or not at all, and route \
              by what they make of them.",
        broken: CAFE.with_raw_head(
            b"POST /mcp HTTP/1.1\nContent-Type: application/json\nAccept: application/json, \
              text/event-stream\nMCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\n\
              Mcp-Name: caf\xc3\xa9\n",
        ),
        right: CAFE_RIGHT,
    },
    Entry {
        rule: Rule::HeaderTooLong,
        meaning: "The value of a mirror header has more bytes than the policy allows: 16 KiB if \
                  it does not say otherwise.",
        why: "Servers and proxies have limits of their own, and a header that one of them cuts \
              names something else to the next.",
        broken: Example::client(modern!("tools/call", r#""name":"get_weather_of_next_week","#))
            .under("limits.header-bytes = 20")
            .with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: get_weather_of_next_week")),
        right: CALL_RIGHT.under("limits.header-bytes = 20"),
    },
    Entry {
        rule: Rule::HeaderRepeated,
        meaning: "A mirror header is given more than once, and its values differ.",
        why: "One reader takes the first, one the last and one joins them, so a request can be \
              routed as one call and run as another.",
        broken: LIST.with_head(modern_head!("Mcp-Method: tools/list" "Mcp-Method: tools/call")),
        right: LIST_RIGHT,
    },
    Entry {
        rule: Rule::VersionHeaderMissing,
        meaning: "The request says in its body that it is of 2026-07-28, and the header \
                  MCP-Protocol-Version is missing. Every POST of that revision has it.",
        why: "Whoever routes without reading bodies takes the request for one of an old client.",
        broken: LIST.with_head(head!("Mcp-Method: tools/list")),
        right: LIST_RIGHT,
    },
    Entry {
        rule: Rule::VersionHeaderMismatch,
        meaning: "The header MCP-Protocol-Version and the version in _meta differ. Take both \
                  from the same variable.",
        why: "A gateway judges by the one and the server behind it by the other.",
        broken: LIST.with_head(head!("MCP-Protocol-Version: 2025-11-25" "Mcp-Method: tools/list")),
        right: LIST_RIGHT,
    },
    Entry {
        rule: Rule::VersionHeaderUnknown,
        meaning: "A message of a session names a version in MCP-Protocol-Version that is not \
                  served. The header must hold the version that initialize settled on, which is \
                  the one in the server's answer and not always the one that was asked for.",
        why: "The server would read the message by a revision that it does not know.",
        broken: LEGACY.with_head(head!("MCP-Protocol-Version: 2025-01-01")),
        right: LEGACY_RIGHT,
    },
    Entry {
        rule: Rule::MethodHeaderMissing,
        meaning: "A request of 2026-07-28 lacks the header Mcp-Method, which repeats the method \
                  of the body.",
        why: "Balancers and limits decide by the header, and have nothing to decide by.",
        broken: LIST.with_head(modern_head!()),
        right: LIST_RIGHT,
    },
    Entry {
        rule: Rule::MethodHeaderMismatch,
        meaning: "The header Mcp-Method and the method of the body differ. They are compared \
                  byte for byte, so upper and lower case count.",
        why: "A gateway lets the one pass and the server runs the other.",
        broken: CALL.with_head(modern_head!("Mcp-Method: tools/list" "Mcp-Name: get_weather")),
        right: CALL_RIGHT,
    },
    Entry {
        rule: Rule::HeaderBase64,
        meaning: "The value of a header begins with =?base64? and ends in ?=, and what is between \
                  them is not base64 of RFC 4648: it has other characters, or lacks its padding. \
                  The alphabet is the one with + and /.",
        why: "A value that cannot be unwrapped cannot be compared with the body.",
        broken: CAFE
            .with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: =?base64?Y2Fmw6k?=")),
        right: CAFE_RIGHT,
    },
    Entry {
        rule: Rule::HeaderBase64Utf8,
        meaning: "What a header wraps in base64 is not UTF-8. Encode the text as UTF-8 first, \
                  and those bytes as base64.",
        why: "A name in Latin-1 has other bytes than the same name in the body.",
        broken: CAFE
            .with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: =?base64?Y2Fm6Q==?=")),
        right: CAFE_RIGHT,
    },
    Entry {
        rule: Rule::NameHeaderMissing,
        meaning: "The request calls a tool, gets a prompt, reads a resource or asks for a task, \
                  and lacks the header Mcp-Name, which repeats what it is called on: name, uri \
                  or taskId of the params.",
        why: "Whoever limits or routes by the tool has nothing to go by.",
        broken: CALL.with_head(modern_head!("Mcp-Method: tools/call")),
        right: CALL_RIGHT,
    },
    Entry {
        rule: Rule::NameHeaderMismatch,
        meaning: "The header Mcp-Name and the name in the params differ. A wrapped value is \
                  unwrapped first; then they are compared byte for byte.",
        why: "A gateway lets one tool pass and the server runs another.",
        broken: CALL.with_head(modern_head!("Mcp-Method: tools/call" "Mcp-Name: get_time")),
        right: CALL_RIGHT,
    },
];
