//! The rules of the HTTP head alone.

use mcparse::Rule;

use super::example::{Entry, Example};

const LIST: Example = Example::client(modern!("tools/list"));
const RIGHT: Example = LIST.with_head(modern_head!("Mcp-Method: tools/list"));
const OWN_ORIGIN: &str = "origins = [\"https://app.example\"]";

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::HttpMethod,
        meaning: "Messages reach the MCP endpoint by POST, one in each request. Earlier revisions \
                  also use GET, to open a stream, and DELETE, to end a session; neither carries a \
                  message, and a server of 2026-07-28 answers both with 405.",
        why: "A body behind another method is dropped by some servers and proxies and read by \
              others, so the peers cannot agree on whether anything was sent.",
        broken: LIST.with_head(
            "PUT /mcp HTTP/1.1\nContent-Type: application/json\nAccept: application/json, \
             text/event-stream\nMCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/list\n",
        ),
        right: RIGHT,
    },
    Entry {
        rule: Rule::Origin,
        meaning: "A browser says in the header Origin which site's script sends the request, and \
                  the policy has a list of the sites that may. The whole value is compared: \
                  scheme, host and port. A request without the header is not from a browser and \
                  passes.",
        why: "Without the check any web page that the user visits can talk to a server on the \
              user's machine, by DNS rebinding for one.",
        broken: LIST
            .under(OWN_ORIGIN)
            .with_head(modern_head!("Mcp-Method: tools/list" "Origin: https://evil.example")),
        right: LIST
            .under(OWN_ORIGIN)
            .with_head(modern_head!("Mcp-Method: tools/list" "Origin: https://app.example")),
    },
    Entry {
        rule: Rule::ContentType,
        meaning: "The header Content-Type must be application/json. Parameters may follow, but a \
                  charset must be utf-8, which is the only encoding that JSON has between systems.",
        why: "A web page may send text/plain to any site without asking; a server that reads \
              JSON out of it has no protection from foreign pages.",
        broken: LIST.with_head(
            "POST /mcp HTTP/1.1\nContent-Type: text/plain\nAccept: application/json, \
             text/event-stream\nMCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/list\n",
        ),
        right: RIGHT,
    },
    Entry {
        rule: Rule::ContentEncoding,
        meaning: "The body came compressed, so it could not be read as it is. Decompress it \
                  before it is checked and take the header Content-Encoding away, or have the \
                  sender leave the compression out.",
        why: "To unpack what a stranger sends needs limits that the host must choose; a few \
              kilobytes can become gigabytes.",
        broken: LIST.with_head(modern_head!("Mcp-Method: tools/list" "Content-Encoding: gzip")),
        right: RIGHT,
    },
    Entry {
        rule: Rule::Accept,
        meaning: "The client must say in the header Accept that it takes both application/json \
                  and text/event-stream. The server chooses one of them for each answer. */* \
                  covers both.",
        why: "A server that streams its answer to a client that reads plain JSON only leaves \
              that client without an answer.",
        broken: LIST.with_head(
            "POST /mcp HTTP/1.1\nContent-Type: application/json\nAccept: application/json\n\
             MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/list\n",
        ),
        right: RIGHT,
    },
    Entry {
        rule: Rule::SessionIdModern,
        meaning: "The header Mcp-Session-Id stands on a request of 2026-07-28, which has no \
                  sessions. A server of that revision takes no notice of it, and neither will \
                  the next one behind the same balancer.",
        why: "It mostly tells that a client still expects the server to remember something \
              between requests.",
        broken: LIST.with_head(modern_head!("Mcp-Method: tools/list" "Mcp-Session-Id: 1868a90c")),
        right: RIGHT,
    },
    Entry {
        rule: Rule::LastEventIdModern,
        meaning: "The header Last-Event-ID stands on a request of 2026-07-28, whose streams \
                  cannot be taken up again. What was lost is lost: send the request once more, \
                  with a new id.",
        why: "A client that sends it waits for events that no server will repeat.",
        broken: LIST.with_head(modern_head!("Mcp-Method: tools/list" "Last-Event-ID: 17")),
        right: RIGHT,
    },
];
