//! What messages are made of: the spellings, numbers and names that readers of
//! JSON have been seen to trip over, and the ones that the protocol knows.

pub(crate) const SCALARS: &[&str] = &["null", "true", "false", "0", "\"\""];
pub(crate) const ROUND: &[&str] = &["1", "0", "7", "-1", "-0", "42", "9007199254740991"];
pub(crate) const NUMBERS: &[&str] = &[
    "9007199254740992",
    "-9007199254740991",
    "-9007199254740992",
    "10000000000000000",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "123456789012345678901234567890",
    "1.0",
    "-0.0",
    "0e0",
    "1e3",
    "1E+3",
    "1.5",
    "15e-1",
    "150e-1",
    "0.1",
    "-1E-7",
    "1e400",
    "-1e400",
    "1e-400",
    "1e99999999999",
    "0e99999999999",
    "1.000000000000000000000000000000",
    "5e-324",
    "1.7976931348623157e308",
    "2e308",
    "100000000000000000000.5",
];
pub(crate) const NOT_NUMBERS: &[&str] =
    &["01", "-", "+1", ".5", "1.", "1e", "1e+", "-01", "0x1", "NaN", "Infinity", "1_0", "--1"];
pub(crate) const TEXT: &[&str] = &[
    "a",
    "tool",
    "2.0",
    "",
    " ",
    "/",
    "\\/",
    "\\n",
    "\\\\",
    "\\\"",
    "\\u0000",
    "\\u0061",
    "\\u00e9",
    "é",
    "日本語",
    "\\u65e5",
    "🎉",
    "\\ud83c\\udf89",
    "\\uD834\\uDD1E",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "'",
    "\u{7f}",
    "\u{2028}",
    "\u{feff}",
    "\u{ffff}",
    "\u{10ffff}",
    "\\u007f",
    "\\uffff",
    "\\t\\b\\f\\r",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];
pub(crate) const NAUGHTY: &[&str] = &[
    "\\ud800",
    "\\udc00",
    "\\ud83c\\u0041",
    "\\ud83c\\ud83c\\udf89",
    "\\udbff\\n",
    "\\ud83c",
    "\\x",
    "\\u12",
    "\\u12g4",
    "\\ud800\\u",
    "\\ud800\\",
    "\n",
    "\t",
    "\u{0}",
    "\u{1f}",
    "\\U0041",
    "\\'",
    "\"",
];
pub(crate) const NAMES: &[&str] =
    &["a", "b", "arguments", "name", "_meta", "", "id", "method", "content", "é", "日"];
pub(crate) const NAUGHTY_NAMES: &[&str] =
    &["\\ud800", "\\udc00", "a\\ud800", "??????", "\\ufffd", "a\\u0000", "\\u0061"];
pub(crate) const SPACE: &[&str] = &["", "", "", "", "", " ", "  ", "\n", "\t", "\r\n", " \t\n\r "];
pub(crate) const METHODS: &[&str] = &[
    "tools/list",
    "tools/call",
    "prompts/get",
    "resources/read",
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
    "tools\\/call",
    "\\u0074ools/call",
    "notifications/progress",
    "initialize",
    "x",
    "",
    "Tools/Call",
    "tools/call\\u0000",
    "日本語/🎉",
];
pub(crate) const PARAMS: &[&str] =
    &["_meta", "name", "uri", "taskId", "arguments", "cursor", "ref"];
pub(crate) const RESULT: &[&str] =
    &["_meta", "resultType", "ttlMs", "cacheScope", "content", "tools", "code"];
pub(crate) const ERROR: &[&str] = &["code", "message", "data", "_meta"];
pub(crate) const META: &[&str] = &[
    "progressToken",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/subscriptionId",
    "traceparent",
    "tracestate",
    "baggage",
    "com.example/key",
];
