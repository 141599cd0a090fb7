//! What each method gives: the first level of its results, as the schemas of the
//! five revisions have it. The rows are like those of `shapes.rs`; of several of
//! one method and one revision the first is the method's own, and another one that
//! of a request that runs as a task.

pub(crate) type Row = (&'static str, &'static str, &'static str);

const LEGACY: &str = "2024-11-05 2025-03-26 2025-06-18 2025-11-25";
const ALL: &str = "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28";

pub(crate) const RESULTS: &[Row] = &[
    (
        "initialize",
        LEGACY,
        "protocolVersion:string capabilities:object serverInfo:object instructions?:string",
    ),
    (
        "server/discover",
        "2026-07-28",
        "supportedVersions:array capabilities:object instructions?:string",
    ),
    ("tools/list", ALL, "tools:array nextCursor?:string"),
    ("prompts/list", ALL, "prompts:array nextCursor?:string"),
    ("resources/list", ALL, "resources:array nextCursor?:string"),
    ("resources/templates/list", ALL, "resourceTemplates:array nextCursor?:string"),
    ("tools/call", "2024-11-05 2025-03-26", "content:array isError?:boolean"),
    (
        "tools/call",
        "2025-06-18 2025-11-25",
        "content:array isError?:boolean structuredContent?:object",
    ),
    ("tools/call", "2025-11-25", "task:object"),
    ("tools/call", "2026-07-28", "content:array isError?:boolean structuredContent?:any"),
    ("prompts/get", ALL, "messages:array description?:string"),
    ("resources/read", ALL, "contents:array"),
    ("completion/complete", ALL, "completion:object"),
    ("tasks/get", "2025-11-25", TASK),
    ("tasks/cancel", "2025-11-25", TASK),
    ("tasks/list", "2025-11-25", "tasks:array nextCursor?:string"),
    ("roots/list", LEGACY, "roots:array"),
    ("elicitation/create", "2025-06-18 2025-11-25", "action:accept|decline|cancel content?:object"),
    ("elicitation/create", "2025-11-25", "task:object"),
    (
        "sampling/createMessage",
        "2024-11-05 2025-03-26 2025-06-18",
        "role:user|assistant content:object model:string stopReason?:string",
    ),
    (
        "sampling/createMessage",
        "2025-11-25",
        "role:user|assistant content:object|array model:string stopReason?:string",
    ),
    ("sampling/createMessage", "2025-11-25", "task:object"),
    ("input_required", "2026-07-28", "inputRequests?:object requestState?:string"),
];

const TASK: &str = "taskId:string status:working|input_required|completed|failed|cancelled \
    statusMessage?:string createdAt:string lastUpdatedAt:string ttl:integer|null pollInterval?:integer";
