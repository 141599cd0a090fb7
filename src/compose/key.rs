//! The keys of `_meta` that the specification reserves, without those of the
//! trace context: <https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta>.

pub(super) const PROGRESS_TOKEN: &str = "progressToken";
pub(super) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(super) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(super) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
pub(super) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(super) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
