//! What is known of each method: for now, which of its params the header
//! `Mcp-Name` mirrors.

use crate::text::Text;

/// The methods whose params hold what the HTTP header `Mcp-Name` mirrors, and
/// the member that holds it
/// ([Standard Request Headers]; `tasks/*` as the tasks extension says).
///
/// [Standard Request Headers]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
const NAMED: [(&str, &str); 6] = [
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/update", "taskId"),
    ("tasks/cancel", "taskId"),
];

/// The member of `params` that names what `method` is called on, if any.
#[inline]
pub(crate) fn name_source(method: Text<'_>) -> Option<&'static str> {
    let same = |&&(named, _): &&(&str, &str)| named.as_bytes() == method.raw();
    let plain = NAMED.iter().find(same);
    let spelled = || NAMED.iter().find(|(named, _)| method == *named);
    plain.or_else(spelled).map(|&(_, source)| source)
}
