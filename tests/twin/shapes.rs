//! What each method of the protocol takes: the first level of its `params`, as
//! the schemas of the five revisions have it and the extension for tasks.
//!
//! A row is a method, the revisions that agree about it, whether there must be
//! `params`, and their members: a `?` marks one that may be left out, a `|`
//! separates types or values. Rows of one method and one revision are
//! alternatives. `_meta` is not in it: rules of its own judge that. Two things
//! are not as the schemas have them: `inputResponses` may be null, as the official
//! conformance suite sends it, and nothing is asked of `notifications/tasks`.

pub(crate) type Row = (&'static str, &'static str, bool, &'static str);

pub(crate) const SHAPES: &[Row] = &[
    ("completion/complete", "2024-11-05 2025-03-26", true, "argument:object ref:object"),
    (
        "completion/complete",
        "2025-06-18 2025-11-25 2026-07-28",
        true,
        "argument:object context?:object ref:object",
    ),
    ("elicitation/create", "2025-06-18", true, "message:string requestedSchema:object"),
    (
        "elicitation/create",
        "2025-11-25",
        true,
        "elicitationId:string message:string mode:url task?:object url:string",
    ),
    (
        "elicitation/create",
        "2025-11-25",
        true,
        "message:string mode?:form requestedSchema:object task?:object",
    ),
    ("elicitation/create", "2026-07-28", true, "message:string mode:url url:string"),
    ("elicitation/create", "2026-07-28", true, "message:string mode?:form requestedSchema:object"),
    (
        "initialize",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25",
        true,
        "capabilities:object clientInfo:object protocolVersion:string",
    ),
    (
        "logging/setLevel",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25",
        true,
        "level:alert|critical|debug|emergency|error|info|notice|warning",
    ),
    (
        "notifications/cancelled",
        "2024-11-05 2025-03-26 2025-06-18 2026-07-28",
        true,
        "reason?:string requestId:string|integer",
    ),
    ("notifications/cancelled", "2025-11-25", true, "reason?:string requestId?:string|integer"),
    ("notifications/elicitation/complete", "2025-11-25", true, "elicitationId:string"),
    ("notifications/initialized", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", false, ""),
    (
        "notifications/message",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        true,
        "data:any level:alert|critical|debug|emergency|error|info|notice|warning logger?:string",
    ),
    (
        "notifications/progress",
        "2024-11-05",
        true,
        "progress:number progressToken:string|integer total?:number",
    ),
    (
        "notifications/progress",
        "2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        true,
        "message?:string progress:number progressToken:string|integer total?:number",
    ),
    (
        "notifications/prompts/list_changed",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        false,
        "",
    ),
    (
        "notifications/resources/list_changed",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        false,
        "",
    ),
    (
        "notifications/resources/updated",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        true,
        "uri:string",
    ),
    ("notifications/roots/list_changed", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", false, ""),
    ("notifications/subscriptions/acknowledged", "2026-07-28", true, "notifications:object"),
    ("notifications/tasks", "2026-07-28", false, ""),
    (
        "notifications/tasks/status",
        "2025-11-25",
        true,
        "createdAt:string lastUpdatedAt:string pollInterval?:integer status:cancelled|completed|failed|input_required|working statusMessage?:string taskId:string ttl:integer|null",
    ),
    (
        "notifications/tools/list_changed",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        false,
        "",
    ),
    ("ping", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", false, ""),
    (
        "prompts/get",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25",
        true,
        "arguments?:object name:string",
    ),
    (
        "prompts/get",
        "2026-07-28",
        true,
        "arguments?:object inputResponses?:object|null name:string requestState?:string",
    ),
    ("prompts/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", false, "cursor?:string"),
    ("prompts/list", "2026-07-28", true, "cursor?:string"),
    ("resources/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", false, "cursor?:string"),
    ("resources/list", "2026-07-28", true, "cursor?:string"),
    ("resources/read", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", true, "uri:string"),
    (
        "resources/read",
        "2026-07-28",
        true,
        "inputResponses?:object|null requestState?:string uri:string",
    ),
    ("resources/subscribe", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", true, "uri:string"),
    (
        "resources/templates/list",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25",
        false,
        "cursor?:string",
    ),
    ("resources/templates/list", "2026-07-28", true, "cursor?:string"),
    ("resources/unsubscribe", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", true, "uri:string"),
    ("roots/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28", false, ""),
    (
        "sampling/createMessage",
        "2024-11-05 2025-03-26 2025-06-18",
        true,
        "includeContext?:allServers|none|thisServer maxTokens:integer messages:array metadata?:object modelPreferences?:object stopSequences?:array systemPrompt?:string temperature?:number",
    ),
    (
        "sampling/createMessage",
        "2025-11-25",
        true,
        "includeContext?:allServers|none|thisServer maxTokens:integer messages:array metadata?:object modelPreferences?:object stopSequences?:array systemPrompt?:string task?:object temperature?:number toolChoice?:object tools?:array",
    ),
    (
        "sampling/createMessage",
        "2026-07-28",
        true,
        "includeContext?:allServers|none|thisServer maxTokens:integer messages:array metadata?:object modelPreferences?:object stopSequences?:array systemPrompt?:string temperature?:number toolChoice?:object tools?:array",
    ),
    ("server/discover", "2026-07-28", true, ""),
    ("subscriptions/listen", "2026-07-28", true, "notifications:object"),
    ("tasks/cancel", "2025-11-25 2026-07-28", true, "taskId:string"),
    ("tasks/get", "2025-11-25 2026-07-28", true, "taskId:string"),
    ("tasks/list", "2025-11-25", false, "cursor?:string"),
    ("tasks/result", "2025-11-25", true, "taskId:string"),
    ("tasks/update", "2026-07-28", true, "inputResponses:object|null taskId:string"),
    ("tools/call", "2024-11-05 2025-03-26 2025-06-18", true, "arguments?:object name:string"),
    ("tools/call", "2025-11-25", true, "arguments?:object name:string task?:object"),
    (
        "tools/call",
        "2026-07-28",
        true,
        "arguments?:object inputResponses?:object|null name:string requestState?:string",
    ),
    ("tools/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", false, "cursor?:string"),
    ("tools/list", "2026-07-28", true, "cursor?:string"),
];
