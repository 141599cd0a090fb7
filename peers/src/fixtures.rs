//! Our own small inputs: each shows one thing, in few bytes.

use crate::input::{Input, LEGACY};

const MODERN: &str = "2026-07-28";

/// The three keys that a modern request carries in `_meta`.
macro_rules! keys {
    () => {
        concat!(
            r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
            r#""io.modelcontextprotocol/clientCapabilities":{},"#,
            r#""io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}"#
        )
    };
}

/// A modern request of a method, with members of `params`, each with its comma.
macro_rules! modern {
    ($method:literal, $params:literal) => {
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":""#,
            $method,
            r#"","params":{"#,
            $params,
            r#""_meta":{"#,
            keys!(),
            "}}}"
        )
    };
}

/// A modern `tools/list` with this as its `_meta`.
macro_rules! with_meta {
    ($meta:expr) => {
        concat!(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":"#, $meta, "}}")
    };
}

/// A `_meta` of a modern request with these capabilities.
macro_rules! capabilities {
    ($capabilities:literal) => {
        concat!(
            r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
            r#""io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"#,
            r#""io.modelcontextprotocol/clientCapabilities":"#,
            $capabilities,
            "}"
        )
    };
}

/// Messages that are legacy or of any revision.
const ANY: &[(&str, &str)] = &[
    ("request", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
    ("notification", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
    ("result", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
    ("error", r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}"#),
    (
        "initialize",
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    ),
    ("id-string", r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#),
    ("id-empty", r#"{"jsonrpc":"2.0","id":"","method":"ping"}"#),
    ("id-zero", r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#),
    ("id-negative", r#"{"jsonrpc":"2.0","id":-7,"method":"ping"}"#),
    ("id-minus-zero", r#"{"jsonrpc":"2.0","id":-0,"method":"ping"}"#),
    ("id-null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#),
    ("id-true", r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#),
    ("id-object", r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#),
    ("id-array", r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#),
    ("id-float", r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#),
    ("id-exponent", r#"{"jsonrpc":"2.0","id":1e3,"method":"ping"}"#),
    ("id-fraction", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#),
    ("id-2-to-the-53", r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#),
    ("id-2-to-the-63", r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#),
    (
        "id-40-digits",
        r#"{"jsonrpc":"2.0","id":1234567890123456789012345678901234567890,"method":"ping"}"#,
    ),
    ("jsonrpc-missing", r#"{"id":1,"method":"ping"}"#),
    ("jsonrpc-1", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#),
    ("jsonrpc-number", r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#),
    ("method-missing", r#"{"jsonrpc":"2.0","id":1}"#),
    ("method-null", r#"{"jsonrpc":"2.0","id":1,"method":null}"#),
    ("method-empty", r#"{"jsonrpc":"2.0","id":1,"method":""}"#),
    ("method-unknown", r#"{"jsonrpc":"2.0","id":1,"method":"acme/search"}"#),
    ("notification-unknown", r#"{"jsonrpc":"2.0","method":"notifications/acme"}"#),
    ("params-null", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#),
    ("params-array", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#),
    ("params-array-unknown", r#"{"jsonrpc":"2.0","id":1,"method":"acme/search","params":[1]}"#),
    ("params-number", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":7}"#),
    (
        "params-null-notification",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":null}"#,
    ),
    ("duplicate-id", r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#),
    ("duplicate-method", r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#),
    ("duplicate-escaped", r#"{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/list"}"#),
    ("duplicate-params", r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}"#),
    (
        "duplicate-name",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
    ),
    (
        "duplicate-argument",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"x":2}}}"#,
    ),
    ("lookalike-case", r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/list"}"#),
    ("lookalike-nul", r#"{"jsonrpc":"2.0","id":1,"method":"ping","method\u0000":"tools/list"}"#),
    ("hybrid-result", r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#),
    ("hybrid-error-null", r#"{"jsonrpc":"2.0","id":1,"method":"ping","error":null}"#),
    ("member-unknown", r#"{"jsonrpc":"2.0","id":1,"method":"ping","traceId":"t"}"#),
    (
        "result-and-error",
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#,
    ),
    ("result-and-error-null", r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#),
    ("result-array", r#"{"jsonrpc":"2.0","id":1,"result":[]}"#),
    ("result-null", r#"{"jsonrpc":"2.0","id":1,"result":null}"#),
    ("result-without-id", r#"{"jsonrpc":"2.0","result":{}}"#),
    ("error-without-id", r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}"#),
    ("error-id-null", r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}"#),
    ("error-code-float", r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.0,"message":"m"}}"#),
    ("error-code-string", r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}"#),
    (
        "error-code-2-to-the-31",
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":2147483648,"message":"m"}}"#,
    ),
    ("error-message-missing", r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#),
    ("batch", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#),
    ("batch-empty", "[]"),
    ("null", "null"),
    ("number-nan", r#"{"jsonrpc":"2.0","id":1,"method":"acme/search","params":{"x":NaN}}"#),
    ("number-1e400", r#"{"jsonrpc":"2.0","id":1,"method":"acme/search","params":{"x":1e400}}"#),
    ("cut", r#"{"jsonrpc":"2.0","id":1,"method":"pi"#),
    (
        "two-in-one",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
    ),
    (
        "surrogate-half-in-params",
        r#"{"jsonrpc":"2.0","id":1,"method":"acme/search","params":{"x":"\ud83d"}}"#,
    ),
    ("bom", "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
    ("notification-with-id", r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#),
    ("request-without-id", r#"{"jsonrpc":"2.0","method":"tools/list"}"#),
    ("of-server", r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#),
    ("notification-of-server", r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#),
    ("tools-call", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#),
    ("tools-call-no-params", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#),
    (
        "tools-call-name-number",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#,
    ),
    (
        "tools-call-arguments-array",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":[]}}"#,
    ),
    (
        "tools-call-arguments-null",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":null}}"#,
    ),
    (
        "initialize-no-client",
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
    ),
    ("prompts-get-no-name", r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{}}"#),
    (
        "list-cursor-number",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}"#,
    ),
    (
        "progress-token-true",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":true}}}"#,
    ),
    ("meta-array", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":[]}}"#),
    ("cancelled-no-request", r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#),
    (
        "progress-no-token",
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
    ),
];

/// Messages of the modern revision.
const OF_2026: &[(&str, &str)] = &[
    ("modern-discover", modern!("server/discover", "")),
    ("modern-tools-call", modern!("tools/call", r#""name":"add","#)),
    ("modern-listen", modern!("subscriptions/listen", r#""notifications":{},"#)),
    ("modern-listen-empty", modern!("subscriptions/listen", "")),
    ("modern-tasks-get", modern!("tasks/get", r#""taskId":"t","#)),
    ("modern-unknown", modern!("acme/search", "")),
    ("modern-ping", modern!("ping", "")),
    ("modern-subscribe", modern!("resources/subscribe", r#""uri":"a:b","#)),
    (
        "modern-discover-no-meta",
        r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}"#,
    ),
    ("modern-discover-no-params", r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#),
    ("modern-no-version", with_meta!(r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#)),
    (
        "modern-no-capabilities",
        with_meta!(r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#),
    ),
    (
        "modern-version-number",
        with_meta!(
            r#"{"io.modelcontextprotocol/protocolVersion":20260728,"io.modelcontextprotocol/clientCapabilities":{}}"#
        ),
    ),
    (
        "modern-version-unknown",
        with_meta!(
            r#"{"io.modelcontextprotocol/protocolVersion":"1999-01-01","io.modelcontextprotocol/clientCapabilities":{}}"#
        ),
    ),
    (
        "modern-version-future",
        with_meta!(
            r#"{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}"#
        ),
    ),
    (
        "modern-version-legacy",
        with_meta!(
            r#"{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}"#
        ),
    ),
    ("capabilities-array", with_meta!(capabilities!("[]"))),
    ("capabilities-null", with_meta!(capabilities!("null"))),
    ("capabilities-sampling-true", with_meta!(capabilities!(r#"{"sampling":true}"#))),
    ("capabilities-unknown", with_meta!(capabilities!(r#"{"acme":true}"#))),
    ("capabilities-extension-true", with_meta!(capabilities!(r#"{"extensions":{"a.b/c":true}}"#))),
    ("capabilities-extension-id", with_meta!(capabilities!(r#"{"extensions":{"c":{}}}"#))),
    ("duplicate-meta", modern!("tools/list", r#""_meta":{"a":1},"#)),
    (
        "client-info-string",
        with_meta!(
            r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":"c"}"#
        ),
    ),
    (
        "log-level-unknown",
        with_meta!(
            r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}"#
        ),
    ),
    (
        "duplicate-meta-key",
        with_meta!(
            r#"{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
        ),
    ),
    ("key-odd", with_meta!(concat!(r#"{"a b":1,"#, keys!(), "}"))),
    ("modern-unmarked", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
    (
        "modern-input-response-number",
        modern!("tools/call", r#""name":"add","inputResponses":{"a":7},"#),
    ),
    (
        "modern-progress",
        concat!(
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"_meta":{"#,
            keys!(),
            "}}}"
        ),
    ),
    (
        "modern-cancelled",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ),
    ("modern-initialized", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
];

/// Messages of the modern revision over HTTP, and the headers besides those of
/// the media types.
type Fields = &'static [(&'static str, &'static str)];

const VERSION: (&str, &str) = ("MCP-Protocol-Version", MODERN);

const OVER_HTTP: &[(&str, &str, Fields)] = &[
    (
        "http-right",
        modern!("tools/call", r#""name":"add","#),
        &[VERSION, ("Mcp-Method", "tools/call"), ("Mcp-Name", "add")],
    ),
    (
        "http-name-mismatch",
        modern!("tools/call", r#""name":"add","#),
        &[VERSION, ("Mcp-Method", "tools/call"), ("Mcp-Name", "sub")],
    ),
    (
        "http-name-missing",
        modern!("tools/call", r#""name":"add","#),
        &[VERSION, ("Mcp-Method", "tools/call")],
    ),
    ("http-method-mismatch", modern!("tools/list", ""), &[VERSION, ("Mcp-Method", "prompts/list")]),
    ("http-version-missing", modern!("tools/list", ""), &[("Mcp-Method", "tools/list")]),
    (
        "http-version-legacy",
        modern!("tools/list", ""),
        &[("MCP-Protocol-Version", LEGACY), ("Mcp-Method", "tools/list")],
    ),
    ("http-client-response", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, &[VERSION]),
];

/// All of them, in the order of the table.
pub(crate) fn all() -> Vec<Input> {
    let any = ANY.iter().map(|&(name, text)| input(name, text.as_bytes(), LEGACY));
    let mut inputs: Vec<_> = any.collect();
    // The one revision that has batches.
    let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    inputs.push(input("batch-2025-03-26", batch, "2025-03-26"));
    let not_utf8 =
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"acme/search\",\"params\":{\"x\":\"\xff\"}}";
    inputs.push(input("not-utf8", not_utf8, LEGACY));
    for depth in [100, 200, 600] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"acme/search","params":{{"x":{open}{close}}}}}"#
        );
        inputs.push(input(&format!("nested-{depth}"), text.as_bytes(), LEGACY));
    }
    inputs.extend(OF_2026.iter().map(|&(name, text)| input(name, text.as_bytes(), MODERN)));
    for &(name, text, fields) in OVER_HTTP {
        let media = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let fields = media.iter().chain(fields);
        let owned = fields.map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        inputs.push(Input { headers: Some(owned), ..input(name, text.as_bytes(), MODERN) });
    }
    inputs
}

fn input(name: &str, bytes: &[u8], revision: &'static str) -> Input {
    Input { name: name.to_owned(), bytes: bytes.to_vec(), revision, headers: None }
}
