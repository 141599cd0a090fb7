//! Every rule as a row: id, stage, code, HTTP status, default action, section
//! and reason.
//!
//! The order of the rows is the order of judgement: of two broken rules the
//! earlier row wins. Ids are final once released. The last rows, of what goes on
//! between messages, are in `rule/table/between.rs`.

mod between;

use between::and_between;

use super::Stage;
use super::row::{Row, Standing, rules};
use crate::code::ErrorCode;

and_between! { rules;
    /// The HTTP method is not `POST`.
    HttpMethod = "http-method", Transport, INVALID_REQUEST, 405, Refuse, SENDING,
        "messages are sent with the HTTP method POST";
    /// The header `Origin` names no origin that the policy lists.
    Origin = "origin", Transport, INVALID_REQUEST, 403, Refuse, SECURITY,
        "the origin is not one of those that may send";
    /// The header `Content-Type` is missing, or is not JSON in UTF-8.
    ContentType = "content-type", Transport, INVALID_REQUEST, 415, Refuse, SENDING,
        "the header Content-Type must be application/json";
    /// The body is compressed, and so was not read.
    ContentEncoding = "content-encoding", Transport, INVALID_REQUEST, 415, Refuse, CONTENT_CODING,
        "the body is encoded; it must be sent as it is, or decoded before the check";
    /// The header `Accept` lacks one of the two types that an answer may have.
    Accept = "accept", Transport, INVALID_REQUEST, 406, Report, SENDING,
        "the header Accept must list application/json and text/event-stream";
    /// A modern request carries `Mcp-Session-Id`: there are no sessions.
    SessionIdModern = "session-id-modern", Transport, INVALID_REQUEST, 400, Report, EARLIER_HTTP,
        "the revision has no sessions, and the header Mcp-Session-Id means nothing";
    /// A modern request carries `Last-Event-ID`: streams are not resumable.
    LastEventIdModern = "last-event-id-modern", Transport, INVALID_REQUEST, 400, Report,
        EARLIER_HTTP, "the revision's streams cannot be resumed, and the header Last-Event-ID means nothing";

    /// The message is longer than the policy's limit.
    TooLarge = "too-large", Json, INVALID_REQUEST, 413, Fatal, LIMITS,
        "the message is longer than the limit";
    /// An event stream ended before the blank line that completes its last event.
    SseEventCut = "sse-event-cut", Json, PARSE_ERROR, 400, Report, EVENTS,
        "the stream ended inside an event, which is dropped";
    /// An event whose name is not `message`, and so holds no message.
    SseEventOther = "sse-event-other", Json, PARSE_ERROR, 400, Off, EVENTS,
        "the event is not named message";
    /// Some bytes are not UTF-8.
    NotUtf8 = "not-utf8", Json, PARSE_ERROR, 400, Fatal, ENCODING,
        "the message is not valid UTF-8";
    /// The message starts with a byte order mark.
    Bom = "bom", Json, PARSE_ERROR, 400, Refuse, ENCODING,
        "the message starts with a byte order mark";
    /// The message is not one JSON value.
    NotJson = "not-json", Json, PARSE_ERROR, 400, Fatal, JSON,
        "the message is not JSON";
    /// Arrays and objects are nested deeper than the policy's limit.
    TooDeep = "too-deep", Json, PARSE_ERROR, 400, Fatal, LIMITS,
        "arrays and objects are nested deeper than the limit";
    /// A `\u` escape is half of a surrogate pair and stands for no character.
    UnpairedSurrogate = "unpaired-surrogate", Json, PARSE_ERROR, 400, Refuse, UNICODE,
        "a surrogate escape has no other half";

    /// The message is an array: a batch, which only 2025-03-26 has.
    Batch = "batch", Envelope, INVALID_REQUEST, 400, Fatal, BATCH,
        "the message is a batch, which only 2025-03-26 has";
    /// The message is a JSON value other than an object.
    NotObject = "not-object", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "the message is not an object";
    /// The member `jsonrpc` is missing, or is not the string `2.0`.
    JsonrpcVersion = "jsonrpc-version", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "the member jsonrpc must be the string \"2.0\"";
    /// None of `method`, `result` and `error` is there.
    NoKind = "no-kind", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "a message needs a method, a result or an error";
    /// `result` and `error` are both there, and no `method`.
    ResultAndError = "result-and-error", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "a response has either a result or an error, not both";
    /// `method` is not a string.
    MethodType = "method-type", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the member method must be a string";
    /// `result` is not an object.
    ResultType = "result-type", Envelope, INVALID_REQUEST, 400, Fatal, RESULTS,
        "the member result must be an object";
    /// `error` is not an object with an integer `code` and a string `message`.
    ErrorShape = "error-shape", Envelope, INVALID_REQUEST, 400, Fatal, ERRORS,
        "the member error must be an object with an integer code and a string message";
    /// A result has no `id`. An error without one passes, since the revisions
    /// from 2025-11-25 on have it.
    IdMissing = "id-missing", Envelope, INVALID_REQUEST, 400, Fatal, RESULTS,
        "a response needs the id of its request";
    /// The `id` of a request or a result is `null`.
    IdNull = "id-null", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the id must not be null";
    /// `id` is neither a string nor an integer.
    IdType = "id-type", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the id must be a string or an integer";
    /// `id` is an integer in float form: `1.0`, `1e3`.
    IdFloat = "id-float", Envelope, INVALID_REQUEST, 400, Refuse, REQUESTS,
        "the id is an integer written as a float";
    /// `params` is not an object.
    ParamsType = "params-type", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the member params must be an object";
    /// A client sends a response, which no modern revision lets it.
    ClientResponse = "client-response", Envelope, INVALID_REQUEST, 400, Refuse, SENDING,
        "a client must not send responses in this revision";
    /// A server sends a request, which no modern revision lets it.
    ServerRequest = "server-request", Envelope, INVALID_REQUEST, 400, Refuse, PATTERNS,
        "a server must not send requests in this revision";
    /// A notification has an `id`.
    NotificationWithId = "notification-with-id", Envelope, INVALID_REQUEST, 400, Refuse,
        NOTIFICATIONS, "a notification must not have an id";
    /// A request has no `id`.
    RequestWithoutId = "request-without-id", Envelope, INVALID_REQUEST, 400, Refuse, REQUESTS,
        "the method is a request's, which needs an id";
    /// A protocol member is given twice, in whatever spelling.
    DuplicateMember = "duplicate-member", Envelope, INVALID_REQUEST, 400, Refuse, NAMES,
        "a protocol member is given twice, and readers differ in which one they take";
    /// A member's name differs from a protocol member's only by case, by a
    /// character that folds to it, or by a trailing NUL.
    LookalikeMember = "lookalike-member", Envelope, INVALID_REQUEST, 400, Refuse, NAMES,
        "a member's name looks like a protocol member, and lenient readers take it for one";
    /// `method` stands beside `result` or `error`.
    Hybrid = "hybrid", Envelope, INVALID_REQUEST, 400, Refuse, MESSAGES,
        "a method stands beside a result or an error";
    /// `id` is longer than the policy's limit.
    IdTooLong = "id-too-long", Envelope, INVALID_REQUEST, 400, Refuse, REQUESTS,
        "the id is longer than the limit";
    /// `method` is longer than the policy's limit.
    MethodTooLong = "method-too-long", Envelope, INVALID_REQUEST, 400, Refuse, REQUESTS,
        "the method is longer than the limit";
    /// What the method is called on (`params.name`, `uri`, `taskId`) is longer
    /// than the policy's limit.
    NameTooLong = "name-too-long", Envelope, INVALID_REQUEST, 400, Refuse, MIRRORS,
        "the name that the method is called on is longer than the limit";
    /// An object of the envelope has more members than the policy's limit.
    MembersTooMany = "members-too-many", Envelope, INVALID_REQUEST, 400, Refuse, NAMES,
        "an object of the envelope has more members than the limit";
    /// Any object, however deep, gives a member twice.
    DeepDuplicate = "deep-duplicate", Envelope, INVALID_REQUEST, 400, Off, NAMES,
        "an object gives a member twice";
    /// The message has a member that its kind does not define.
    UnknownMember = "unknown-member", Envelope, INVALID_REQUEST, 400, Report, MESSAGES,
        "the message has a member that its kind does not define";
    /// `id` is an integer beyond 2^53 - 1, which many readers round.
    IdUnsafeInteger = "id-unsafe-integer", Envelope, INVALID_REQUEST, 400, Report, NUMBERS,
        "the id is an integer beyond 2^53 - 1, which many readers round";
    /// The `id` of an error response is `null`; the schema has it left out.
    ErrorIdNull = "error-id-null", Envelope, INVALID_REQUEST, 400, Report, ERRORS,
        "the id of an error response is null; from 2025-11-25 on it is left out";

    /// A modern request has no `_meta`.
    MetaMissing = "meta-missing", Metadata, INVALID_PARAMS, 400, Refuse, META,
        "the request lacks params._meta";
    /// `_meta` is not an object.
    MetaType = "meta-type", Metadata, INVALID_PARAMS, 400, Refuse, META,
        "the member _meta must be an object";
    /// A modern request does not say its protocol version.
    ProtocolVersionMissing = "protocol-version-missing", Metadata, INVALID_PARAMS, 400, Refuse,
        META, "the request lacks io.modelcontextprotocol/protocolVersion in params._meta";
    /// The protocol version is not a string.
    ProtocolVersionType = "protocol-version-type", Metadata, INVALID_PARAMS, 400, Refuse, META,
        "io.modelcontextprotocol/protocolVersion must be a string";
    /// A modern request does not declare its client's capabilities; those of an
    /// earlier request do not count.
    ClientCapabilitiesMissing = "client-capabilities-missing", Metadata, INVALID_PARAMS, 400,
        Refuse, META, "the request lacks io.modelcontextprotocol/clientCapabilities in params._meta";
    /// The client's capabilities are not an object, or one of those that the
    /// specification defines is not.
    ClientCapabilitiesType = "client-capabilities-type", Metadata, INVALID_PARAMS, 400, Refuse,
        META, "io.modelcontextprotocol/clientCapabilities must be an object of objects";
    /// The client's identity is not an object with a string `name` and a string
    /// `version`.
    ClientInfoShape = "client-info-shape", Metadata, INVALID_PARAMS, 400, Refuse, META,
        "io.modelcontextprotocol/clientInfo must be an object with a string name and version";
    /// The progress token is neither a string nor an integer.
    ProgressTokenType = "progress-token-type", Metadata, INVALID_PARAMS, 400, Refuse, PROGRESS,
        "the progress token must be a string or an integer";
    /// The log level is none of the eight.
    LogLevelUnknown = "log-level-unknown", Metadata, INVALID_PARAMS, 400, Refuse, LOG_LEVEL,
        "io.modelcontextprotocol/logLevel must be one of the eight levels of RFC 5424";
    /// A modern request does not say who its client is.
    ClientInfoMissing = "client-info-missing", Metadata, INVALID_PARAMS, 400, Report, META,
        "the request does not say who its client is";
    /// A key in `_meta` has not the form that keys must have.
    MetaKeySyntax = "meta-key-syntax", Metadata, INVALID_PARAMS, 400, Report, META,
        "a key in _meta is not an optional prefix of labels and a name";
    /// A key in `_meta` is under a prefix that is reserved, and is none that the
    /// specification defines.
    MetaReservedPrefix = "meta-reserved-prefix", Metadata, INVALID_PARAMS, 400, Report, META,
        "a key in _meta has a prefix that is reserved for the protocol";
    /// A member of the trace context has not the format of W3C.
    TraceContextFormat = "trace-context-format", Metadata, INVALID_PARAMS, 400, Report, META,
        "the trace context in _meta is not in the format of W3C";
    /// The identifier of an extension is not a prefix and a name.
    ExtensionId = "extension-id", Metadata, INVALID_PARAMS, 400, Report, EXTENSIONS,
        "an extension's identifier must be a key with a prefix";
    /// The settings of an extension are not an object.
    ExtensionSettingsType = "extension-settings-type", Metadata, INVALID_PARAMS, 400, Report,
        EXTENSIONS, "the settings of an extension must be an object";
    /// The request declares or uses a feature that is deprecated: roots,
    /// sampling or logging.
    DeprecatedFeature = "deprecated-feature", Metadata, INVALID_PARAMS, 400, Report, DEPRECATED,
        "the request declares a feature that is deprecated";

    /// Bytes that must not stand in a header's value.
    HeaderCharacters = "header-characters", Headers, HEADER_MISMATCH, 400, Refuse,
        ENCODING_OF_VALUES, "the header's value holds a byte that is neither visible ASCII, space nor tab";
    /// The value of a mirror header is longer than the policy's limit.
    HeaderTooLong = "header-too-long", Headers, HEADER_MISMATCH, 400, Refuse, VALIDATION,
        "the header's value is longer than the limit";
    /// Copies of a mirror header differ.
    HeaderRepeated = "header-repeated", Headers, HEADER_MISMATCH, 400, Refuse, FIELDS,
        "the header is given more than once, with different values";
    /// A modern request lacks `MCP-Protocol-Version`.
    VersionHeaderMissing = "version-header-missing", Headers, HEADER_MISMATCH, 400, Refuse,
        VERSION_HEADER, "the header MCP-Protocol-Version is missing";
    /// `MCP-Protocol-Version` names another version than the body.
    VersionHeaderMismatch = "version-header-mismatch", Headers, HEADER_MISMATCH, 400, Refuse,
        VERSION_HEADER, "the header MCP-Protocol-Version does not match the body";
    /// `MCP-Protocol-Version` of a legacy message names a version that is not
    /// served.
    VersionHeaderUnknown = "version-header-unknown", Headers, INVALID_REQUEST, 400, Refuse,
        LEGACY_VERSION_HEADER, "the header MCP-Protocol-Version names no version that is served";
    /// A modern request lacks `Mcp-Method`.
    MethodHeaderMissing = "method-header-missing", Headers, HEADER_MISMATCH, 400, Refuse, MIRRORS,
        "the header Mcp-Method is missing";
    /// `Mcp-Method` names another method than the body.
    MethodHeaderMismatch = "method-header-mismatch", Headers, HEADER_MISMATCH, 400, Refuse,
        MIRRORS, "the header Mcp-Method does not match the body";
    /// A wrapped value is not base64.
    HeaderBase64 = "header-base64", Headers, HEADER_MISMATCH, 400, Refuse, ENCODING_OF_VALUES,
        "what the header wraps is not base64";
    /// A wrapped value is not UTF-8.
    HeaderBase64Utf8 = "header-base64-utf8", Headers, HEADER_MISMATCH, 400, Refuse,
        ENCODING_OF_VALUES, "what the header wraps in base64 is not UTF-8";
    /// A modern request that needs `Mcp-Name` lacks it.
    NameHeaderMissing = "name-header-missing", Headers, HEADER_MISMATCH, 400, Refuse, MIRRORS,
        "the header Mcp-Name is missing";
    /// `Mcp-Name` names something else than the body.
    NameHeaderMismatch = "name-header-mismatch", Headers, HEADER_MISMATCH, 400, Refuse, MIRRORS,
        "the header Mcp-Name does not match the body";
    /// More `Mcp-Param-*` headers than are compared.
    ParamHeadersTooMany = "param-headers-too-many", Headers, HEADER_MISMATCH, 400, Refuse,
        PARAM_HEADERS, "the request has more Mcp-Param headers than can be compared";
    /// An argument that a header mirrors is given, and the header is not.
    ParamHeaderMissing = "param-header-missing", Headers, HEADER_MISMATCH, 400, Refuse,
        PARAM_HEADERS, "the header that mirrors an argument is missing";
    /// A header that mirrors an argument has another value.
    ParamHeaderMismatch = "param-header-mismatch", Headers, HEADER_MISMATCH, 400, Refuse,
        PARAM_HEADERS, "the header does not match the argument that it mirrors";
    /// A header that mirrors an argument is given, and the argument is `null` or
    /// is not.
    ParamHeaderUnexpected = "param-header-unexpected", Headers, HEADER_MISMATCH, 400, Refuse,
        PARAM_HEADERS, "the header mirrors an argument that is null or not given";
    /// An integer that a header mirrors is beyond 2^53 - 1.
    ParamHeaderRange = "param-header-range", Headers, HEADER_MISMATCH, 400, Refuse, PARAM_HEADERS,
        "the integer that the header mirrors is beyond 2^53 - 1";
    /// Copies of a mirror header that are equal.
    HeaderRepeatedEqual = "header-repeated-equal", Headers, HEADER_MISMATCH, 400, Report, FIELDS,
        "the header is given more than once, with equal values";
    /// `Mcp-Name` on a method that has no name.
    NameHeaderUnexpected = "name-header-unexpected", Headers, HEADER_MISMATCH, 400, Report,
        MIRRORS, "the header Mcp-Name mirrors nothing in this request";
    /// A wrapped value in base64 ends in bits that are not zero.
    HeaderBase64StrayBits = "header-base64-stray-bits", Headers, HEADER_MISMATCH, 400, Report,
        BASE64, "what the header wraps in base64 ends in stray bits";
    /// Mirror headers on a message whose version does not have them, so that
    /// nobody need have compared them.
    MirrorWithoutVersion = "mirror-without-version", Headers, HEADER_MISMATCH, 400, Report,
        VALIDATION, "mirror headers stand beside a version that does not have them";

    /// A modern request, or an `initialize` that a modern server cannot serve,
    /// names a version that is not served.
    UnsupportedVersion = "unsupported-version", Version, UNSUPPORTED_PROTOCOL_VERSION, 400, Refuse,
        NEGOTIATION, "the protocol version is not served";
    /// A modern request where only legacy revisions are served. The code is none
    /// of the modern ones, so that a client of both eras falls back.
    EraNotServed = "era-not-served", Version, INVALID_REQUEST, 400, Refuse, COMPATIBILITY,
        "only revisions that open with initialize are served";

    /// The request needs a capability that its client has not declared.
    MissingCapability = "missing-capability", Capability, MISSING_REQUIRED_CLIENT_CAPABILITY, 400,
        Refuse, CLIENT_CAPABILITY, "the request needs a capability that its client has not declared";

    /// The method is the other side's to send.
    MethodOfOtherSender = "method-of-other-sender", Method, METHOD_NOT_FOUND, 404, Refuse,
        METHOD_NOT_FOUND, "only the other side sends this method";
    /// A request whose method is of another revision.
    MethodOfOtherRevision = "method-of-other-revision", Method, METHOD_NOT_FOUND, 404, Refuse,
        METHOD_NOT_FOUND, "the method is of another revision";
    /// A notification whose method is of another revision.
    NotificationOfOtherRevision = "notification-of-other-revision", Method, METHOD_NOT_FOUND, 400,
        Report, NOTIFICATIONS, "the notification is of another revision";
    /// A method that no revision defines, and the policy neither.
    UnknownMethod = "unknown-method", Method, METHOD_NOT_FOUND, 404, Report, METHOD_NOT_FOUND,
        "the method is in no revision of the protocol";

    /// The method's params lack a member, or one has the wrong type.
    ParamsShape = "params-shape", Params, INVALID_PARAMS, 400, Refuse, INVALID_PARAMS,
        "the params are not what the method takes";
    /// Answers to questions on a method that never asks any.
    MrtrParams = "mrtr-params", Params, INVALID_PARAMS, 400, Report, MRTR,
        "inputResponses and requestState belong to methods that may ask for input";

    /// The `Content-Type` of an answer is neither JSON nor an event stream.
    AnswerContentType = "answer-content-type", Answer, INTERNAL_ERROR, 502, Refuse, SENDING,
        "an answer must be application/json or text/event-stream";
    /// A server sends more for a request that it has answered.
    MessageAfterAnswer = "message-after-answer", Answer, INTERNAL_ERROR, 502, Refuse, RECEIVING,
        "the request has been answered; nothing may follow";
    /// The `id` of an answer differs from its request's only by being a string
    /// or a number.
    AnswerIdType = "answer-id-type", Answer, INTERNAL_ERROR, 502, Refuse, RESPONSES,
        "the answer's id has another type than the request's";
    /// The `id` of an answer is not its request's.
    AnswerIdMismatch = "answer-id-mismatch", Answer, INTERNAL_ERROR, 502, Refuse, RESPONSES,
        "the answer's id is not the request's";
    /// `resultType` is not a string, or a value that neither the protocol nor the
    /// policy knows.
    ResultTypeUnknown = "result-type-unknown", Answer, INTERNAL_ERROR, 502, Refuse, RESULT_TYPE,
        "the result's resultType is none that is known";
    /// `resultType` is that of an extension which the client has not declared.
    ResultTypeExtensionUndeclared = "result-type-extension-undeclared", Answer, INTERNAL_ERROR,
        502, Refuse, RESULT_TYPE, "the result's resultType belongs to an extension that the client has not declared";
    /// The result of the method lacks a member, or one has the wrong type.
    ResultShape = "result-shape", Answer, INTERNAL_ERROR, 502, Refuse, RESULTS,
        "the result is not what the method gives";
    /// `ttlMs` is not an integer.
    TtlType = "ttl-type", Answer, INTERNAL_ERROR, 502, Refuse, TTL,
        "ttlMs must be an integer";
    /// The server's identity is not an object with a string `name` and a string
    /// `version`.
    ServerInfoShape = "server-info-shape", Answer, INTERNAL_ERROR, 502, Refuse, META,
        "io.modelcontextprotocol/serverInfo must be an object with a string name and version";
    /// A result asks for input although its method never may.
    InputRequiredMethod = "input-required-method", Answer, INTERNAL_ERROR, 502, Refuse, MRTR,
        "this method may not be answered input_required";
    /// A result asks for input and has neither `inputRequests` nor `requestState`.
    InputRequiredEmpty = "input-required-empty", Answer, INTERNAL_ERROR, 502, Refuse, MRTR_SERVER,
        "an input_required result needs inputRequests or requestState";
    /// A question in `inputRequests` is none that a server may ask.
    InputRequestMethod = "input-request-method", Answer, INTERNAL_ERROR, 502, Refuse, MRTR_SERVER,
        "an input request is none of elicitation/create, sampling/createMessage and roots/list";
    /// A question in `inputRequests` needs a capability that the client has not
    /// declared.
    InputRequestUndeclared = "input-request-undeclared", Answer, INTERNAL_ERROR, 502, Refuse,
        MRTR_SERVER, "an input request needs a capability that the client has not declared";
    /// The error has a code that only 2025-11-25 had: -32042.
    ErrorCodeRetired = "error-code-retired", Answer, INTERNAL_ERROR, 502, Refuse, ERROR_CODES,
        "the error's code belongs to an earlier revision";
    /// The error has a code in the protocol's range that it does not define.
    ErrorCodeReserved = "error-code-reserved", Answer, INTERNAL_ERROR, 502, Refuse, ERROR_CODES,
        "the error's code is reserved for the protocol, which does not define it";
    /// A notification on a `subscriptions/listen` stream, or its result, does not
    /// say which subscription it belongs to.
    SubscriptionIdMissing = "subscription-id-missing", Answer, INTERNAL_ERROR, 502, Refuse,
        SUBSCRIPTIONS, "the message lacks io.modelcontextprotocol/subscriptionId in _meta";
    /// A notification on a `subscriptions/listen` stream, or its result, says
    /// that it belongs to another one.
    SubscriptionIdMismatch = "subscription-id-mismatch", Answer, INTERNAL_ERROR, 502, Refuse,
        SUBSCRIPTIONS, "io.modelcontextprotocol/subscriptionId is not the id of the request that opened the stream";
    /// A modern result has no `resultType`; it is read as `complete`.
    ResultTypeMissing = "result-type-missing", Answer, INTERNAL_ERROR, 502, Report, RESULT_TYPE,
        "the result lacks resultType";
    /// A complete result of a cacheable method lacks `ttlMs` or `cacheScope`.
    CacheHintMissing = "cache-hint-missing", Answer, INTERNAL_ERROR, 502, Report, CACHEABLE,
        "the result lacks ttlMs or cacheScope";
    /// `ttlMs` is negative; it is read as 0.
    TtlNegative = "ttl-negative", Answer, INTERNAL_ERROR, 502, Report, TTL,
        "ttlMs must not be negative";
    /// `cacheScope` is neither `public` nor `private`.
    CacheScopeUnknown = "cache-scope-unknown", Answer, INTERNAL_ERROR, 502, Report, CACHE_SCOPE,
        "cacheScope must be public or private";
    /// An `input_required` result carries caching hints.
    CacheOnInputRequired = "cache-on-input-required", Answer, INTERNAL_ERROR, 502, Report,
        CACHEABLE, "an input_required result must not carry caching hints";
    /// A modern result does not say who its server is.
    ServerInfoMissing = "server-info-missing", Answer, INTERNAL_ERROR, 502, Report, META,
        "the result does not say who its server is";
    /// The error has the code -32002, which modern servers replace by -32602.
    ErrorCodeNotFound = "error-code-not-found", Answer, INTERNAL_ERROR, 502, Report, ERROR_CODES,
        "the error's code -32002 is replaced by -32602 in this revision";
    /// The error has a code of the range that new implementations should not use.
    ErrorCodeLegacyRange = "error-code-legacy-range", Answer, INTERNAL_ERROR, 502, Report,
        ERROR_CODES, "the error's code is in the range -32000 to -32019, which has no meaning";
    /// The `data` of an error that the protocol defines lacks what it defines.
    ErrorDataShape = "error-data-shape", Answer, INTERNAL_ERROR, 502, Report, ERROR_CODES,
        "the error's data lacks what its code defines";
    /// A modern server does not know `server/discover`, which it must.
    DiscoverUnimplemented = "discover-unimplemented", Answer, INTERNAL_ERROR, 502, Report,
        DISCOVER, "a server must implement server/discover";
    /// The versions that a server says it supports lack the one it was asked in.
    DiscoverVersionAbsent = "discover-version-absent", Answer, INTERNAL_ERROR, 502, Report,
        DISCOVER, "supportedVersions lacks the version that the request was answered in";
    /// A tool has no `inputSchema`, or one that is no object with the `type`
    /// `"object"`.
    ToolInputSchema = "tool-input-schema", Answer, INTERNAL_ERROR, 502, Report, TOOL,
        "the inputSchema of a tool must be an object whose type is object";
    /// The name of a tool is longer than 128 characters or empty, or has others
    /// than ASCII letters, digits, `_`, `-` and `.`. Since 2025-11-25.
    ToolNameForm = "tool-name-form", Answer, INTERNAL_ERROR, 502, Report, TOOL_NAMES,
        "a tool's name should be 1 to 128 of the characters A-Z, a-z, 0-9, _, . and -";
    /// Two tools of one result have the same name. The first 1024 names are
    /// compared.
    ToolNameDuplicate = "tool-name-duplicate", Answer, INTERNAL_ERROR, 502, Report, TOOL,
        "another tool of the list has the same name";
    /// A `$ref` in the schema of a tool is not to the schema itself, and nothing
    /// in the schema has an `$id` that it could mean. Since 2026-07-28.
    SchemaExternalRef = "schema-external-ref", Answer, INTERNAL_ERROR, 502, Report, REFERENCES,
        "the schema of a tool refers to what is not in it";
    /// The schema of a tool has schemas more than 32 deep, or more than 1024 in
    /// all. Since 2026-07-28.
    SchemaTooComplex = "schema-too-complex", Answer, INTERNAL_ERROR, 502, Report, COMPOSITION,
        "the schema of a tool is more than 32 schemas deep, or has more than 1024";
    /// The `src` of a tool's icon is no URI with the scheme `https`, `http` or
    /// `data`. Since 2025-11-25.
    IconUriScheme = "icon-uri-scheme", Answer, INTERNAL_ERROR, 502, Report, ICONS,
        "the src of an icon must be an https, http or data URI";
    /// An HTTP status that does not fit its answer.
    AnswerStatus = "answer-status", Answer, INTERNAL_ERROR, 502, Report, SENDING,
        "the HTTP status does not fit the answer";
    /// An event stream without `X-Accel-Buffering: no`.
    SseBufferingHeader = "sse-buffering-header", Answer, INTERNAL_ERROR, 502, Report, RECEIVING,
        "an event stream should have the header X-Accel-Buffering: no";
    /// A stream ended without the answer to its request.
    StreamWithoutAnswer = "stream-without-answer", Answer, INTERNAL_ERROR, 502, Report, RECEIVING,
        "the stream ended without an answer to its request";
}
