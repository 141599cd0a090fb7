//! A message that breaks each rule, and one that just does not.

/// Rule, message that breaks it, the byte where, and a message that just does
/// not.
pub(crate) const REFUSED: &[(&str, &[u8], u64, &[u8])] = &[
    (
        "not-utf8",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}",
        27,
        b"{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\xbf\"}",
    ),
    (
        "bom",
        b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"method\":\"x\"}",
        0,
        b" {\"jsonrpc\":\"2.0\",\"method\":\"x\"}",
    ),
    ("not-json", br#"{"jsonrpc":"2.0","method":"x",}"#, 30, br#"{"jsonrpc":"2.0","method":"x"}"#),
    (
        "unpaired-surrogate",
        br#"{"jsonrpc":"2.0","method":"\ud83c"}"#,
        27,
        br#"{"jsonrpc":"2.0","method":"\ud83c\udf89"}"#,
    ),
    ("batch", br#" [{"jsonrpc":"2.0","method":"x"}]"#, 1, br#" {"jsonrpc":"2.0","method":"x"}"#),
    ("not-object", b" \"x\"", 1, br#"{"jsonrpc":"2.0","method":"x"}"#),
    ("jsonrpc-version", br#" {"method":"x"}"#, 1, br#" {"method":"x","jsonrpc":"2.0"}"#),
    (
        "jsonrpc-version",
        br#"{"jsonrpc":"2.00","method":"x"}"#,
        11,
        br#"{"jsonrpc":"2\u002e0","method":"x"}"#,
    ),
    (
        "no-kind",
        br#" {"jsonrpc":"2.0","id":1,"params":{}}"#,
        1,
        br#"{"jsonrpc":"2.0","id":1,"method":"x","params":{}}"#,
    ),
    (
        "result-and-error",
        br#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
        44,
        br#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ),
    (
        "method-type",
        br#"{"jsonrpc":"2.0","id":1,"method":1}"#,
        33,
        br#"{"jsonrpc":"2.0","id":1,"method":"1"}"#,
    ),
    (
        "result-type",
        br#"{"jsonrpc":"2.0","id":1,"result":[]}"#,
        33,
        br#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ),
    (
        "error-shape",
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
        32,
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#,
    ),
    (
        "error-shape",
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":1e0,"message":""}}"#,
        32,
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":-0,"message":""}}"#,
    ),
    (
        "id-missing",
        br#" {"jsonrpc":"2.0","result":{}}"#,
        1,
        br#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#,
    ),
    (
        "id-null",
        br#"{"jsonrpc":"2.0","id": null,"result":{}}"#,
        23,
        br#"{"jsonrpc":"2.0","id": "null","result":{}}"#,
    ),
    (
        "id-type",
        br#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#,
        22,
        br#"{"jsonrpc":"2.0","id":15,"method":"x"}"#,
    ),
    (
        "id-type",
        br#"{"jsonrpc":"2.0","id":true,"error":{"code":1,"message":""}}"#,
        22,
        br#"{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":""}}"#,
    ),
    (
        "id-float",
        br#"{"jsonrpc":"2.0","id":-0.0,"method":"x"}"#,
        22,
        br#"{"jsonrpc":"2.0","id":-0,"method":"x"}"#,
    ),
    (
        "id-float",
        br#"{"jsonrpc":"2.0","id":15e-0,"method":"x"}"#,
        22,
        br#"{"jsonrpc":"2.0","id":"15e-0","method":"x"}"#,
    ),
    (
        "params-type",
        br#"{"jsonrpc":"2.0","method":"x","params":null}"#,
        39,
        br#"{"jsonrpc":"2.0","method":"x"}"#,
    ),
    (
        "duplicate-member",
        br#"{"jsonrpc":"2.0","method":"x","m\u0065thod":"x"}"#,
        30,
        br#"{"jsonrpc":"2.0","method":"x","params":{"method":"x"}}"#,
    ),
    (
        "lookalike-member",
        br#"{"jsonrpc":"2.0","method":"x","Method":"x"}"#,
        30,
        br#"{"jsonrpc":"2.0","method":"x","params":{"Method":"x"}}"#,
    ),
    (
        "hybrid",
        br#"{"jsonrpc":"2.0","method":"x","error":null}"#,
        38,
        br#"{"jsonrpc":"2.0","method":"x","params":{"error":null}}"#,
    ),
];

/// The same for the rules that are only reported.
pub(crate) const REPORTED: &[(&str, &[u8], &[u8])] = &[
    (
        "unknown-member",
        br#"{"jsonrpc":"2.0","method":"x","_meta":{}}"#,
        br#"{"jsonrpc":"2.0","method":"x","params":{"_meta":{}}}"#,
    ),
    (
        "unknown-member",
        br#"{"jsonrpc":"2.0","id":1,"result":{},"params":1}"#,
        br#"{"jsonrpc":"2.0","id":1,"result":{"params":1}}"#,
    ),
    (
        "id-unsafe-integer",
        br#"{"jsonrpc":"2.0","id":9007199254740992,"method":"x"}"#,
        br#"{"jsonrpc":"2.0","id":9007199254740991,"method":"x"}"#,
    ),
    (
        "id-unsafe-integer",
        br#"{"jsonrpc":"2.0","id":-9007199254740992,"method":"x"}"#,
        br#"{"jsonrpc":"2.0","id":-9007199254740991,"method":"x"}"#,
    ),
    (
        "error-id-null",
        br#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
        br#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#,
    ),
];
