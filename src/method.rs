//! What is known of each method: for now, which of its params the header
//! `Mcp-Name` mirrors.

/// The member of `params` that names what `method` is called on, if any: what
/// the HTTP header `Mcp-Name` mirrors ([Standard Request Headers]; `tasks/*` as
/// the tasks extension says).
///
/// [Standard Request Headers]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
#[inline]
pub(crate) fn name_source(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}
