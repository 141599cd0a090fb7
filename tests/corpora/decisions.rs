//! What we decided where `cases.jsonl` calls more than one answer right, and
//! what becomes of each finding that its collector names.

use mcparse::Kind::{Error, Request, Result as Answer};
use mcparse::Rule;

use crate::support::Decision::{self, Accept, Refuse};

/// The debatable messages under the strict policy: case, decision, reason.
pub(crate) const MESSAGES: &[(&str, Decision, &str)] = &[
    (
        "key-case-shadow-method",
        Refuse(Rule::LookalikeMember),
        "readers that ignore case take the other method",
    ),
    (
        "key-nul-suffix-method",
        Refuse(Rule::LookalikeMember),
        "readers that stop at NUL take the other method",
    ),
    (
        "dup-key-method",
        Refuse(Rule::DuplicateMember),
        "first-wins and last-wins readers run different calls",
    ),
    ("dup-key-method-escaped", Refuse(Rule::DuplicateMember), "names are compared decoded"),
    ("dup-key-id-null-then-1", Refuse(Rule::DuplicateMember), "as dup-key-method, of the id"),
    (
        "dup-key-id-1-then-null",
        Refuse(Rule::IdNull),
        "the truth table reads the last one and comes first",
    ),
    (
        "dup-key-nested-tool-name",
        Refuse(Rule::DuplicateMember),
        "params.name is mirrored into a header",
    ),
    (
        "bom-then-request",
        Refuse(Rule::Bom),
        "RFC 8259 forbids senders to add it; a rule of its own",
    ),
    ("batch-one-request", Refuse(Rule::Batch), "our deviation from 2025-03-26, listed"),
    ("batch-two-requests", Refuse(Rule::Batch), "our deviation from 2025-03-26, listed"),
    ("id-2-pow-63", Accept(Request), "ids keep their text, so none is too big to echo; reported"),
    ("id-40-digits", Accept(Request), "ids keep their text, so none is too big to echo; reported"),
    ("id-fraction-1.5", Refuse(Rule::IdType), "a string or an integer"),
    ("id-fraction-20050.5", Refuse(Rule::IdType), "a string or an integer"),
    (
        "id-1.0",
        Refuse(Rule::IdFloat),
        "judged on the text; a rule of its own, so that a policy may let it pass",
    ),
    (
        "id-1e3",
        Refuse(Rule::IdFloat),
        "judged on the text; a rule of its own, so that a policy may let it pass",
    ),
    ("id-minus-zero", Accept(Request), "an integer by its text, echoed as it came"),
    ("params-null-request", Refuse(Rule::ParamsType), "presence decides: null is no object"),
    (
        "params-positional-array",
        Refuse(Rule::ParamsType),
        "MCP params are objects; the envelope's code",
    ),
    ("params-number", Refuse(Rule::ParamsType), "MCP params are objects; the envelope's code"),
    ("params-true", Refuse(Rule::ParamsType), "MCP params are objects; the envelope's code"),
    (
        "method-null-with-result",
        Refuse(Rule::MethodType),
        "a method is there, so it is read by its method",
    ),
    ("method-empty-string", Accept(Request), "presence decides, and it is a string"),
    ("hybrid-method-and-result", Refuse(Rule::Hybrid), "some readers take it for a response"),
    ("hybrid-method-and-error", Refuse(Rule::Hybrid), "some readers take it for a response"),
    ("hybrid-notification-and-result", Refuse(Rule::Hybrid), "some readers take it for a response"),
    ("extra-member-request", Accept(Request), "nothing forbids it; reported"),
    (
        "response-result-and-error-null",
        Refuse(Rule::ResultAndError),
        "presence decides: null is there",
    ),
    ("response-result-id-float", Refuse(Rule::IdFloat), "as id-1.0"),
    ("error-id-null", Accept(Error), "JSON-RPC asks for it and servers send it; reported"),
    (
        "error-id-absent",
        Accept(Error),
        "right from 2025-11-25 on, and the message does not say its revision",
    ),
    ("error-code-1e100", Refuse(Rule::ErrorShape), "a code is an integer, judged on the text"),
    (
        "error-code-float-integral",
        Refuse(Rule::ErrorShape),
        "a code is an integer, judged on the text",
    ),
    (
        "corr-string-for-int",
        Accept(Answer),
        "the message is right; whether it answers is for the exchange to say",
    ),
    (
        "corr-int-for-string",
        Accept(Answer),
        "the message is right; whether it answers is for the exchange to say",
    ),
    ("corr-error-id-null-while-waiting", Accept(Error), "as error-id-null"),
    ("corr-parse-error-reply-not-answered", Accept(Error), "as error-id-null"),
    ("resulttype-missing", Accept(Answer), "clients are told to tolerate it: to be reported"),
];

/// How many messages of the cases each rule refuses.
pub(crate) const REFUSED: &[(Rule, usize)] = &[
    (Rule::NotUtf8, 6),
    (Rule::Bom, 1),
    (Rule::NotJson, 15),
    (Rule::TooDeep, 1),
    (Rule::UnpairedSurrogate, 1),
    (Rule::Batch, 3),
    (Rule::NotObject, 1),
    (Rule::JsonrpcVersion, 6),
    (Rule::NoKind, 8),
    (Rule::ResultAndError, 2),
    (Rule::MethodType, 3),
    (Rule::ResultType, 1),
    (Rule::ErrorShape, 9),
    (Rule::IdMissing, 1),
    (Rule::IdNull, 3),
    (Rule::IdType, 7),
    (Rule::IdFloat, 3),
    (Rule::ParamsType, 4),
    (Rule::NotificationWithId, 1),
    (Rule::DuplicateMember, 4),
    (Rule::LookalikeMember, 3),
    (Rule::Hybrid, 3),
    (Rule::ParamsShape, 2),
];

/// The cases of one revision that are refused where only it is served, and why.
pub(crate) const BOUND: &[(&str, Rule, &str)] = &[
    ("id-fraction-20050.5", Rule::IdType, "as in any revision"),
    ("request-2026-missing-meta", Rule::MetaMissing, "each request must say its version"),
    ("stdio-server-request-2026", Rule::ServerRequest, "a server asks inside a result"),
    ("sse-server-request-2026", Rule::ServerRequest, "a server asks inside a result"),
    (
        "sse-server-request-2025",
        Rule::ParamsShape,
        "it may ask, but asks nothing: message and requestedSchema are missing",
    ),
    ("error-code-2026-32042", Rule::ErrorCodeRetired, "of 2025-11-25 alone"),
    ("error-code-2026-32050", Rule::ErrorCodeReserved, "reserved, and not defined"),
    ("resulttype-case", Rule::ResultTypeUnknown, "a word is matched exactly"),
    ("ttl-float", Rule::TtlType, "milliseconds are an integer"),
];

/// The debatable streams: case, which of its options we take, reason.
pub(crate) const STREAMS: &[(&str, usize, &str)] = &[
    ("stdio-lone-cr-is-not-a-delimiter", 0, "only LF ends a line"),
    ("stdio-blank-lines-between", 0, "blank lines are skipped"),
    ("stdio-whitespace-lines", 0, "blank lines are skipped"),
    ("stdio-log-glued-to-message", 0, "hunting for a brace lets text smuggle messages"),
    ("stdio-two-objects-one-line", 0, "a line is one message"),
    ("stdio-unterminated-tail", 0, "delivered whole at the end; cut JSON is refused as such"),
    ("stdio-content-length-framing", 0, "the last line is delivered; the cause names the framing"),
    ("stdio-bom-first", 0, "as bom-then-request; a line framer changes no byte"),
    ("sse-unknown-event-with-json", 0, "handed on under its name, which is not message"),
    ("sse-no-final-newline", 0, "the standard drops it; sse-event-cut says so"),
    ("sse-cut-inside-json", 0, "the standard drops it; sse-event-cut says so"),
    ("sse-bom-inside-data", 0, "only the stream's own mark is dropped"),
    ("sse-invalid-utf8", 0, "replacement characters would hide the fault"),
    ("sse-batch-in-event", 0, "as batch-one-request"),
];

/// The findings that a rule of ours stands for.
pub(crate) const MAPPED: &[(&str, Rule)] = &[
    ("keys.duplicate", Rule::DuplicateMember),
    ("keys.case-variant", Rule::LookalikeMember),
    ("keys.control-char", Rule::LookalikeMember),
    ("keys.confusable", Rule::LookalikeMember),
    ("envelope.hybrid", Rule::Hybrid),
    ("envelope.unknown-member", Rule::UnknownMember),
    ("id.beyond-int64", Rule::IdUnsafeInteger),
    ("error.id-null", Rule::ErrorIdNull),
    ("notification-method-with-id", Rule::NotificationWithId),
];

/// The findings that a rule of ours stands for where the revision is known. A
/// lone message may be of any, and nothing of this is said of it.
pub(crate) const MAPPED_IN_REVISION: &[(&str, Rule)] = &[
    ("direction.server-request", Rule::ServerRequest),
    ("meta.protocolVersion-missing", Rule::ProtocolVersionMissing),
    ("meta.clientCapabilities-missing", Rule::ClientCapabilitiesMissing),
    ("error.code-retired", Rule::ErrorCodeRetired),
    ("error.code-reserved-undefined", Rule::ErrorCodeReserved),
    ("result.resultType-missing", Rule::ResultTypeMissing),
    ("result.resultType-unknown", Rule::ResultTypeUnknown),
    ("result.ttlMs-type", Rule::TtlType),
    ("result.ttlMs-missing", Rule::CacheHintMissing),
    ("result.cacheScope-missing", Rule::CacheHintMissing),
    ("result.cacheScope-unknown", Rule::CacheScopeUnknown),
    // Told where the request is known too.
    ("response.id-type-mismatch", Rule::AnswerIdType),
    ("result.tools-type", Rule::ResultShape),
];

/// The cases that are about the envelope only, and that a later stage refuses:
/// case, rule, reason.
pub(crate) const REFUSED_LATER: &[(&str, Rule, &str)] = &[
    ("id-uuid-string", Rule::ParamsShape, "an initialize without protocolVersion"),
    ("id-string-init-1", Rule::ParamsShape, "an initialize without protocolVersion"),
];

/// What is reported of accepted cases besides what they are about: case, rule,
/// reason.
pub(crate) const ALSO_REPORTED: &[(&str, Rule, &str)] = &[
    ("float-overflow-1e400", Rule::UnknownMethod, "the method is m"),
    ("nesting-150-ok", Rule::UnknownMethod, "the method is m"),
    ("method-empty-string", Rule::UnknownMethod, "nobody has such a method"),
];

/// The findings whose rules are still to come, and how those will be called.
pub(crate) const LATER: &[(&str, &str)] = &[
    ("response.id-unknown", "answer-unknown"),
    ("response.uncorrelated", "answer-unknown"),
    ("progress.unknown-token", "progress-token-unknown"),
    ("request.duplicate-in-flight", "id-in-flight"),
];

/// The findings that will have no rule, and why.
pub(crate) const NEVER: &[(&str, &str)] = &[
    ("number.out-of-range", "legal JSON; we forward bytes and never a float"),
    ("number.beyond-2^53", "legal JSON; we forward bytes and never a float"),
    ("string.control-char", "legal JSON; a name's meaning is the server's"),
    ("id.empty", "presence decides: an empty string is an id"),
    ("error.code-http-status", "any integer outside the reserved range may be a code"),
    (
        "must-not-reply",
        "no verdict: an accepted message has no reply, a refused response none either",
    ),
];
