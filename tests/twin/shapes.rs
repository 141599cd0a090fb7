//! What each method of the protocol takes: the first level of its `params`, as
//! the schemas of the five revisions have it and the extension for tasks.
//!
//! A row is a method, the revisions that agree about it, and its members; a `?`
//! marks one that may be left out, a `|` separates types or values. Rows of one
//! method and one revision are alternatives. `_meta` is not in it: rules of its
//! own judge that.

pub(crate) const SHAPES: &[(&str, &str, &str)] = &[
    ("completion/complete", "2024-11-05 2025-03-26", "argument:object ref:object"),
    (
        "completion/complete",
        "2025-06-18 2025-11-25 2026-07-28",
        "argument:object context?:object ref:object",
    ),
    ("elicitation/create", "2025-06-18", "message:string requestedSchema:object"),
    (
        "elicitation/create",
        "2025-11-25",
        "elicitationId:string message:string mode:url task?:object url:string",
    ),
    (
        "elicitation/create",
        "2025-11-25",
        "message:string mode?:form requestedSchema:object task?:object",
    ),
    ("elicitation/create", "2026-07-28", "message:string mode:url url:string"),
    ("elicitation/create", "2026-07-28", "message:string mode?:form requestedSchema:object"),
    (
        "initialize",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25",
        "capabilities:object clientInfo:object protocolVersion:string",
    ),
    (
        "logging/setLevel",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25",
        "level:alert|critical|debug|emergency|error|info|notice|warning",
    ),
    (
        "notifications/cancelled",
        "2024-11-05 2025-03-26 2025-06-18 2026-07-28",
        "reason?:string requestId:string|integer",
    ),
    ("notifications/cancelled", "2025-11-25", "reason?:string requestId?:string|integer"),
    ("notifications/elicitation/complete", "2025-11-25", "elicitationId:string"),
    ("notifications/initialized", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", ""),
    (
        "notifications/message",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        "data:any level:alert|critical|debug|emergency|error|info|notice|warning logger?:string",
    ),
    (
        "notifications/progress",
        "2024-11-05",
        "progress:number progressToken:string|integer total?:number",
    ),
    (
        "notifications/progress",
        "2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        "message?:string progress:number progressToken:string|integer total?:number",
    ),
    (
        "notifications/prompts/list_changed",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        "",
    ),
    (
        "notifications/resources/list_changed",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        "",
    ),
    (
        "notifications/resources/updated",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        "uri:string",
    ),
    ("notifications/roots/list_changed", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", ""),
    ("notifications/subscriptions/acknowledged", "2026-07-28", "notifications:object"),
    (
        "notifications/tasks",
        "2026-07-28",
        "createdAt:string lastUpdatedAt:string pollIntervalMs?:number status:cancelled|completed|failed|input_required|working statusMessage?:string taskId:string ttlMs:number|null",
    ),
    (
        "notifications/tasks/status",
        "2025-11-25",
        "createdAt:string lastUpdatedAt:string pollInterval?:integer status:cancelled|completed|failed|input_required|working statusMessage?:string taskId:string ttl:integer|null",
    ),
    (
        "notifications/tools/list_changed",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        "",
    ),
    ("ping", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", ""),
    ("prompts/get", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", "arguments?:object name:string"),
    (
        "prompts/get",
        "2026-07-28",
        "arguments?:object inputResponses?:object name:string requestState?:string",
    ),
    ("prompts/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28", "cursor?:string"),
    ("resources/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28", "cursor?:string"),
    ("resources/read", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", "uri:string"),
    ("resources/read", "2026-07-28", "inputResponses?:object requestState?:string uri:string"),
    ("resources/subscribe", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", "uri:string"),
    (
        "resources/templates/list",
        "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28",
        "cursor?:string",
    ),
    ("resources/unsubscribe", "2024-11-05 2025-03-26 2025-06-18 2025-11-25", "uri:string"),
    ("roots/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28", ""),
    (
        "sampling/createMessage",
        "2024-11-05 2025-03-26 2025-06-18",
        "includeContext?:allServers|none|thisServer maxTokens:integer messages:array metadata?:object modelPreferences?:object stopSequences?:array systemPrompt?:string temperature?:number",
    ),
    (
        "sampling/createMessage",
        "2025-11-25",
        "includeContext?:allServers|none|thisServer maxTokens:integer messages:array metadata?:object modelPreferences?:object stopSequences?:array systemPrompt?:string task?:object temperature?:number toolChoice?:object tools?:array",
    ),
    (
        "sampling/createMessage",
        "2026-07-28",
        "includeContext?:allServers|none|thisServer maxTokens:integer messages:array metadata?:object modelPreferences?:object stopSequences?:array systemPrompt?:string temperature?:number toolChoice?:object tools?:array",
    ),
    ("server/discover", "2026-07-28", ""),
    ("subscriptions/listen", "2026-07-28", "notifications:object"),
    ("tasks/cancel", "2025-11-25 2026-07-28", "taskId:string"),
    ("tasks/get", "2025-11-25 2026-07-28", "taskId:string"),
    ("tasks/list", "2025-11-25", "cursor?:string"),
    ("tasks/result", "2025-11-25", "taskId:string"),
    ("tasks/update", "2026-07-28", "inputResponses:object taskId:string"),
    ("tools/call", "2024-11-05 2025-03-26 2025-06-18", "arguments?:object name:string"),
    ("tools/call", "2025-11-25", "arguments?:object name:string task?:object"),
    (
        "tools/call",
        "2026-07-28",
        "arguments?:object inputResponses?:object name:string requestState?:string",
    ),
    ("tools/list", "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28", "cursor?:string"),
];
