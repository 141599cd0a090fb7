//! The sections that the rules are from, as addresses.

/// An address in revision 2026-07-28 of the specification.
macro_rules! spec {
    ($path:literal) => {
        concat!("https://modelcontextprotocol.io/specification/2026-07-28/", $path)
    };
}

pub(super) const SENDING: &str = spec!("basic/transports/streamable-http#sending-messages");
pub(super) const SECURITY: &str = spec!("basic/transports/streamable-http#security-%26-endpoint");
pub(super) const CONTENT_CODING: &str = "https://www.rfc-editor.org/rfc/rfc9110#section-8.4";
pub(super) const EARLIER_HTTP: &str =
    spec!("basic/transports/streamable-http#earlier-streamable-http-revisions");
pub(super) const VERSION_HEADER: &str =
    spec!("basic/transports/streamable-http#protocol-version-header");
pub(super) const MIRRORS: &str = spec!("basic/transports/streamable-http#standard-request-headers");
pub(super) const VALIDATION: &str = spec!("basic/transports/streamable-http#server-validation");
pub(super) const ENCODING_OF_VALUES: &str =
    spec!("basic/transports/streamable-http#value-encoding");
pub(super) const PARAM_HEADERS: &str =
    spec!("basic/transports/streamable-http#server-behavior-for-custom-headers");
pub(super) const BASE64: &str = "https://www.rfc-editor.org/rfc/rfc4648#section-3.5";
pub(super) const FIELDS: &str = "https://www.rfc-editor.org/rfc/rfc9110#section-5.3";
pub(super) const LEGACY_VERSION_HEADER: &str = "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header";
pub(super) const NOTIFICATIONS: &str = spec!("basic#notifications");
pub(super) const PATTERNS: &str = spec!("basic/patterns#request-and-response");
pub(super) const META: &str = spec!("basic#_meta");
pub(super) const PROGRESS: &str = spec!("basic/patterns/progress");
pub(super) const LOG_LEVEL: &str = spec!("server/utilities/logging");
pub(super) const EXTENSIONS: &str = spec!("basic/versioning#extension-negotiation");
pub(super) const DEPRECATED: &str = spec!("deprecated");
pub(super) const NEGOTIATION: &str = spec!("basic/versioning#protocol-version-negotiation");
pub(super) const COMPATIBILITY: &str = spec!("basic/versioning#compatibility-matrix");
pub(super) const CLIENT_CAPABILITY: &str = spec!("schema#missingrequiredclientcapabilityerror");
pub(super) const METHOD_NOT_FOUND: &str = spec!("schema#methodnotfounderror");
pub(super) const INVALID_PARAMS: &str = spec!("schema#invalidparamserror");
pub(super) const MRTR: &str = spec!("basic/patterns/mrtr#supported-requests");

pub(super) const RECEIVING: &str = spec!("basic/transports/streamable-http#receiving-messages");
pub(super) const RESPONSES: &str = spec!("basic#responses");
pub(super) const RESULT_TYPE: &str = spec!("basic#resulttype");
pub(super) const ERROR_CODES: &str = spec!("basic#error-codes");
pub(super) const TTL: &str = spec!("server/utilities/caching#time-to-live-ttl-field");
pub(super) const CACHE_SCOPE: &str = spec!("server/utilities/caching#cache-scope-field");
pub(super) const CACHEABLE: &str = spec!("server/utilities/caching#cacheable-results");
pub(super) const MRTR_SERVER: &str =
    spec!("basic/patterns/mrtr#server-requirements-basic-workflow");
pub(super) const SUBSCRIPTIONS: &str =
    spec!("basic/patterns/subscriptions#receiving-notifications");
pub(super) const DISCOVER: &str = spec!("server/discover");
pub(super) const TOOL: &str = spec!("server/tools#tool");
pub(super) const TOOL_NAMES: &str = spec!("server/tools#tool-names");
pub(super) const REFERENCES: &str = spec!("basic#ref-resolution");
pub(super) const COMPOSITION: &str = spec!("basic#composition-keyword-resource-use");
pub(super) const ICONS: &str = spec!("basic#icons");

pub(super) const CANCELLING: &str = spec!("basic/patterns/cancellation#behavior-requirements");
pub(super) const CANCELLING_HOW: &str =
    spec!("basic/patterns/cancellation#transport-specific-cancellation");
pub(super) const TIMEOUTS: &str = spec!("basic/patterns/cancellation#timeouts");
pub(super) const PROGRESS_FLOW: &str = spec!("basic/patterns/progress#progress-flow");
pub(super) const PROGRESS_BEHAVIOR: &str = spec!("basic/patterns/progress#behavior-requirements");
pub(super) const OPENING: &str = spec!("basic/patterns/subscriptions#opening-a-stream");
pub(super) const ACKNOWLEDGMENT: &str = spec!("basic/patterns/subscriptions#acknowledgment");
pub(super) const LOG_REQUESTED: &str = spec!("server/utilities/logging#per-request-log-level");
pub(super) const MRTR_CLIENT: &str =
    spec!("basic/patterns/mrtr#client-requirements-basic-workflow");
pub(super) const CACHE_PAGES: &str = spec!("server/utilities/caching#interaction-with-pagination");
pub(super) const TOOL_ORDER: &str = spec!("server/tools#capabilities");
pub(super) const HANDSHAKE: &str =
    "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization";
pub(super) const CAPABILITY_NEGOTIATION: &str = "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation";
pub(super) const SESSION_MANAGEMENT: &str =
    "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management";

pub(super) const EVENTS: &str =
    "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
pub(super) const JSON: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-2";
pub(super) const ENCODING: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-8.1";
pub(super) const LIMITS: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-9";
pub(super) const UNICODE: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-8.2";
pub(super) const NAMES: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-4";
pub(super) const NUMBERS: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-6";
pub(super) const MESSAGES: &str =
    "https://modelcontextprotocol.io/specification/2026-07-28/basic#messages";
pub(super) const REQUESTS: &str =
    "https://modelcontextprotocol.io/specification/2026-07-28/basic#requests";
pub(super) const RESULTS: &str =
    "https://modelcontextprotocol.io/specification/2026-07-28/basic#result-responses";
pub(super) const ERRORS: &str =
    "https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses";
pub(super) const BATCH: &str =
    "https://modelcontextprotocol.io/specification/2025-03-26/basic#batching";
