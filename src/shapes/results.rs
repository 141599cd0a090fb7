//! The results of every method in all five revisions, as data: what servers
//! answer, and what clients answer to the requests that servers send up to
//! 2025-11-25.
//!
//! From the official schemas, with which `shapes/tests.rs` compares it. The
//! tasks of 2026-07-28 are in none, and nothing is asked of their results.

use super::Takes::{
    Anything, Array, Boolean, Integer, IntegerOrNull, Object, ObjectOrArray, String, Word,
};
use super::{Member, Shape, TASK_STATES, Words};
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;

const NONE: RevisionSet = RevisionSet::EMPTY;
const MODERN: RevisionSet = RevisionSet::MODERN;
const SINCE_2025_06_18: RevisionSet = RevisionSet::since(Revision::V2025_06_18);
const SINCE_2025_11_25: RevisionSet = RevisionSet::since(Revision::V2025_11_25);
const IN_2025_11_25: RevisionSet = RevisionSet::only(Revision::V2025_11_25);

macro_rules! results {
    ($($(#[$doc:meta])* $name:ident, of $($method:ident)|+ = $members:expr;)*) => {
        $($(#[$doc])* const $name: &Shape = &Shape::new(NONE, $members);)*

        #[inline]
        pub(super) const fn shape(method: Method) -> &'static Shape {
            match method {
                $($(Method::$method)|+ => $name,)*
            }
        }
    };
}

results! {
    /// Results that hold nothing of their own, or anything: those of
    /// `tasks/result` are of the method that the task was made for. And
    /// notifications, which have none.
    EMPTY, of Ping | ResourcesSubscribe | ResourcesUnsubscribe | LoggingSetLevel
        | SubscriptionsListen | TasksResult | TasksUpdate
        | Initialized | ToolsListChanged | PromptsListChanged | ResourcesListChanged
        | ResourcesUpdated | SubscriptionsAcknowledged | TasksStatus | Tasks | ElicitationComplete
        | RootsListChanged | LogMessage | Progress | Cancelled = &[];

    /// The handshake ([Initialization]).
    ///
    /// [Initialization]: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    INITIALIZED, of Initialize = &[
        Member::must("protocolVersion", String),
        Member::must("capabilities", Object),
        Member::must("serverInfo", Object),
        INSTRUCTIONS,
    ];

    /// What a server is ([Discovery]).
    ///
    /// [Discovery]: https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    DISCOVERED, of ServerDiscover = &[
        Member::must("supportedVersions", Array),
        Member::must("capabilities", Object),
        INSTRUCTIONS,
    ];

    /// A page of tools ([Pagination]).
    ///
    /// [Pagination]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
    TOOLS, of ToolsList = &[Member::must("tools", Array), NEXT];

    /// A page of prompts.
    PROMPTS, of PromptsList = &[Member::must("prompts", Array), NEXT];

    /// A page of resources.
    RESOURCES, of ResourcesList = &[Member::must("resources", Array), NEXT];

    /// A page of templates.
    TEMPLATES, of ResourcesTemplatesList = &[Member::must("resourceTemplates", Array), NEXT];

    /// What a tool gave ([Tools]). `structuredContent` came with 2025-06-18, and
    /// may be any value from 2026-07-28 on.
    ///
    /// [Tools]: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
    CALLED, of ToolsCall = &[
        Member::must("content", Array),
        Member::may("isError", Boolean),
        Member::may("structuredContent", Object).later(MODERN, Anything).within(SINCE_2025_06_18),
    ];

    /// A prompt, filled in ([Prompts]).
    ///
    /// [Prompts]: https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
    PROMPTED, of PromptsGet = &[
        Member::must("messages", Array),
        Member::may("description", String),
    ];

    /// What a resource holds ([Resources]).
    ///
    /// [Resources]: https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
    READ, of ResourcesRead = &[Member::must("contents", Array)];

    /// Suggestions ([Completion]).
    ///
    /// [Completion]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
    COMPLETED, of CompletionComplete = &[Member::must("completion", Object)];

    /// The state of a task, in 2025-11-25 ([Tasks]).
    ///
    /// [Tasks]: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
    TASK, of TasksGet | TasksCancel = &[
        Member::must("taskId", String).within(IN_2025_11_25),
        Member::must("status", Word(&TASK_STATES)).within(IN_2025_11_25),
        Member::may("statusMessage", String).within(IN_2025_11_25),
        Member::must("createdAt", String).within(IN_2025_11_25),
        Member::must("lastUpdatedAt", String).within(IN_2025_11_25),
        Member::must("ttl", IntegerOrNull).within(IN_2025_11_25),
        Member::may("pollInterval", Integer).within(IN_2025_11_25),
    ];

    /// A page of tasks.
    TASKS, of TasksList = &[Member::must("tasks", Array), NEXT];

    /// What the user said ([Elicitation]).
    ///
    /// [Elicitation]: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
    ELICITED, of ElicitationCreate = &[
        Member::must("action", Word(&ACTIONS)),
        Member::may("content", Object),
    ];

    /// The roots there are ([Roots]).
    ///
    /// [Roots]: https://modelcontextprotocol.io/specification/2025-11-25/client/roots
    ROOTS, of RootsList = &[Member::must("roots", Array)];

    /// What a model said ([Sampling]), several things from 2025-11-25 on.
    ///
    /// [Sampling]: https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
    SAMPLED, of SamplingCreateMessage = &[
        Member::must("role", Word(&ROLES)),
        Member::must("content", Object).later(SINCE_2025_11_25, ObjectOrArray),
        Member::must("model", String),
        Member::may("stopReason", String),
    ];
}

/// A result that asks for input ([InputRequiredResult]).
///
/// [InputRequiredResult]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequiredresult
pub(super) const INPUT_REQUIRED: &Shape = &Shape::new(
    NONE,
    &[
        Member::may("inputRequests", Object).within(MODERN),
        Member::may("requestState", String).within(MODERN),
    ],
);

const NEXT: Member = Member::may("nextCursor", String);
const INSTRUCTIONS: Member = Member::may("instructions", String);

const ACTIONS: Words = Words {
    expected: "\"accept\", \"decline\" or \"cancel\"",
    words: &["accept", "decline", "cancel"],
};
const ROLES: Words = Words { expected: "\"user\" or \"assistant\"", words: &["user", "assistant"] };
