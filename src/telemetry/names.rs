//! The names of attributes, as constants: those of the OpenTelemetry conventions
//! for MCP, those that `tracing-opentelemetry` reads, and two of our own.

/// The method, if it is one of the protocol's, else `_OTHER`.
pub const METHOD_NAME: &str = "mcp.method.name";
/// The revision of the protocol, such as `2026-07-28`.
pub const PROTOCOL_VERSION: &str = "mcp.protocol.version";
/// The session of the handshake era, as `Mcp-Session-Id` names it.
pub const SESSION_ID: &str = "mcp.session.id";
/// The resource that is read.
pub const RESOURCE_URI: &str = "mcp.resource.uri";
/// The id of a request; a string without its quotes.
pub const REQUEST_ID: &str = "jsonrpc.request.id";
/// Why the request failed: the code of the error, or `tool_error`.
pub const ERROR_TYPE: &str = "error.type";
/// The code of the error that answers the request.
pub const STATUS_CODE: &str = "rpc.response.status_code";
/// The tool that is called.
pub const TOOL_NAME: &str = "gen_ai.tool.name";
/// The prompt that is asked for.
pub const PROMPT_NAME: &str = "gen_ai.prompt.name";
/// `execute_tool` for a call of a tool, else absent.
pub const OPERATION_NAME: &str = "gen_ai.operation.name";
/// `pipe` over stdio, `tcp` or `quic` over HTTP.
pub const NETWORK_TRANSPORT: &str = "network.transport";
/// `http`, where that is the transport.
pub const NETWORK_PROTOCOL_NAME: &str = "network.protocol.name";
/// Of HTTP: `1.1`, `2` or `3`.
pub const NETWORK_PROTOCOL_VERSION: &str = "network.protocol.version";
/// Who sent the message.
pub const CLIENT_ADDRESS: &str = "client.address";
/// The port that it came from.
pub const CLIENT_PORT: &str = "client.port";
/// Who answers it.
pub const SERVER_ADDRESS: &str = "server.address";
/// The port of whoever answers it.
pub const SERVER_PORT: &str = "server.port";

/// The span's name, as `tracing-opentelemetry` reads it: a span of `tracing` has a
/// fixed one.
pub const NAME: &str = "otel.name";
/// `server` for whoever receives a message, `client` for whoever sends it.
pub const KIND: &str = "otel.kind";
/// `ERROR` once the request has failed.
pub const STATUS: &str = "otel.status_code";

/// The rule that was broken, by its [id](crate::Rule::id). Our own, in no convention.
pub const RULE: &str = "mcparse.rule";
/// Who sent what broke it: `client` or `server`. Our own, in no convention.
pub const FROM: &str = "mcparse.from";
