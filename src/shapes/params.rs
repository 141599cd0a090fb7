//! The params of every method in all five revisions, as data.
//!
//! From the official schemas, with which `shapes/tests.rs` compares it. The
//! tasks of 2026-07-28 are in none; theirs are from [SEP-2663].
//!
//! [SEP-2663]: https://modelcontextprotocol.io/seps/2663-tasks-extension

use super::Takes::{
    Anything, Array, Integer, IntegerOrNull, Number, Object, ObjectOrNull, String, StringOrInteger,
    Word,
};
use super::{Member, Shape, TASK_STATES, Variant, Words};
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;

const NONE: RevisionSet = RevisionSet::EMPTY;
const ALL: RevisionSet = RevisionSet::ALL;
const MODERN: RevisionSet = RevisionSet::MODERN;
const SINCE_2025_03_26: RevisionSet = RevisionSet::since(Revision::V2025_03_26);
const SINCE_2025_06_18: RevisionSet = RevisionSet::since(Revision::V2025_06_18);
const SINCE_2025_11_25: RevisionSet = RevisionSet::since(Revision::V2025_11_25);
const IN_2025_06_18: RevisionSet = RevisionSet::only(Revision::V2025_06_18);
const IN_2025_11_25: RevisionSet = RevisionSet::only(Revision::V2025_11_25);

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident, of $($method:ident)|+ = $shape:expr;)*) => {
        $($(#[$doc])* const $name: &Shape = &$shape;)*

        #[inline]
        pub(super) const fn shape(method: Method) -> &'static Shape {
            match method {
                $($(Method::$method)|+ => $name,)*
            }
        }
    };
}

shapes! {
    /// Params that hold `_meta` at most. Every modern request must have that,
    /// and so it must have params ([`_meta`]).
    ///
    /// [`_meta`]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
    PLAIN_REQUEST, of ServerDiscover = Shape::new(MODERN, &[]);

    /// What needs no params at all ([Notifications], [Ping], [Roots]).
    ///
    /// [Notifications]: https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications
    /// [Ping]: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
    /// [Roots]: https://modelcontextprotocol.io/specification/2026-07-28/client/roots
    NOTHING, of Initialized | Ping | RootsList | RootsListChanged | ToolsListChanged
        | PromptsListChanged | ResourcesListChanged = Shape::new(NONE, &[]);

    /// The handshake ([Initialization]).
    ///
    /// [Initialization]: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    INITIALIZE, of Initialize = Shape::new(ALL, &[
        Member::must("protocolVersion", String),
        Member::must("capabilities", Object),
        Member::must("clientInfo", Object),
    ]);

    /// Lists that come in pages ([Pagination]).
    ///
    /// [Pagination]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
    LIST, of ToolsList | PromptsList | ResourcesList | ResourcesTemplatesList | TasksList
        = Shape::new(MODERN, &[Member::may("cursor", String)]);

    /// A call of a tool ([Tools]; `task` as the [experimental tasks] have it).
    ///
    /// [Tools]: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools
    /// [experimental tasks]: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
    CALL, of ToolsCall = Shape::new(ALL, &[
        Member::must("name", String),
        Member::may("arguments", Object),
        INPUT_RESPONSES,
        REQUEST_STATE,
        TASK,
    ]);

    /// A prompt to be filled in ([Prompts]).
    ///
    /// [Prompts]: https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
    PROMPT, of PromptsGet = Shape::new(ALL, &[
        Member::must("name", String),
        Member::may("arguments", Object),
        INPUT_RESPONSES,
        REQUEST_STATE,
    ]);

    /// A resource to be read ([Resources]).
    ///
    /// [Resources]: https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
    READ, of ResourcesRead = Shape::new(ALL, &[URI, INPUT_RESPONSES, REQUEST_STATE]);

    /// Changes of a resource ([Subscriptions]).
    ///
    /// [Subscriptions]: https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
    RESOURCE, of ResourcesSubscribe | ResourcesUnsubscribe | ResourcesUpdated
        = Shape::new(ALL, &[URI]);

    /// An argument to be completed ([Completion]). `ref` is one of two objects.
    ///
    /// [Completion]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
    COMPLETE, of CompletionComplete = Shape::new(ALL, &[
        Member::must("ref", Object),
        Member::must("argument", Object),
        Member::may("context", Object).within(SINCE_2025_06_18),
    ]);

    /// What a stream shall carry, and what it will ([Subscriptions]).
    ///
    /// [Subscriptions]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
    SUBSCRIPTION, of SubscriptionsListen | SubscriptionsAcknowledged
        = Shape::new(ALL, &[Member::must("notifications", Object)]);

    /// Which task is meant ([Tasks], [SEP-2663]).
    ///
    /// [Tasks]: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
    /// [SEP-2663]: https://modelcontextprotocol.io/seps/2663-tasks-extension
    WHICH_TASK, of TasksGet | TasksCancel | TasksResult = Shape::new(ALL, &[TASK_ID]);

    /// What a task asked for ([SEP-2663]).
    ///
    /// [SEP-2663]: https://modelcontextprotocol.io/seps/2663-tasks-extension
    UPDATE_TASK, of TasksUpdate = Shape::new(ALL, &[
        TASK_ID,
        INPUT_RESPONSES.must_in(MODERN),
    ]);

    /// The state of a task, in 2025-11-25 ([Task Status Notification]).
    ///
    /// [Task Status Notification]: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status-notification
    TASK_STATUS, of TasksStatus = Shape::new(ALL, &[
        TASK_ID,
        Member::must("status", Word(&TASK_STATES)),
        Member::may("statusMessage", String),
        Member::must("createdAt", String),
        Member::must("lastUpdatedAt", String),
        Member::must("ttl", IntegerOrNull),
        Member::may("pollInterval", Integer),
    ]);

    /// The state of a task, from 2026-07-28 on ([SEP-2663]). It is in no schema
    /// of the protocol, and nothing is asked of it.
    ///
    /// [SEP-2663]: https://modelcontextprotocol.io/seps/2663-tasks-extension
    EXTENSION_TASK, of Tasks = Shape::new(NONE, &[]);

    /// A question to the user, in a form unless `mode` says `url`
    /// ([Elicitation]).
    ///
    /// [Elicitation]: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
    ELICIT_IN_A_FORM, of ElicitationCreate = Shape::new(ALL, &[
        Member::must("message", String),
        Member::must("requestedSchema", Object),
        Member::may("mode", Word(&FORM)).within(SINCE_2025_11_25),
        TASK,
    ]).or(&Variant { member: "mode", word: "url", shape: ELICIT_AT_A_URL });

    /// The user is done at the URL ([URL Mode]).
    ///
    /// [URL Mode]: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation
    ELICITED, of ElicitationComplete = Shape::new(ALL, &[Member::must("elicitationId", String)]);

    /// A question to a model ([Sampling]).
    ///
    /// [Sampling]: https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
    SAMPLE, of SamplingCreateMessage = Shape::new(ALL, &[
        Member::must("messages", Array),
        Member::must("maxTokens", Integer),
        Member::may("systemPrompt", String),
        Member::may("modelPreferences", Object),
        Member::may("includeContext", Word(&CONTEXTS)),
        Member::may("temperature", Number),
        Member::may("stopSequences", Array),
        Member::may("metadata", Object),
        Member::may("tools", Array).within(SINCE_2025_11_25),
        Member::may("toolChoice", Object).within(SINCE_2025_11_25),
        TASK,
    ]);

    /// The least severe message to send ([Setting Log Level]).
    ///
    /// [Setting Log Level]: https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#setting-log-level
    SET_LEVEL, of LoggingSetLevel = Shape::new(ALL, &[Member::must("level", Word(&LEVELS))]);

    /// A message for the log ([Logging]). `data` may be null, but is there.
    ///
    /// [Logging]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
    LOG, of LogMessage = Shape::new(ALL, &[
        Member::must("level", Word(&LEVELS)),
        Member::must("data", Anything),
        Member::may("logger", String),
    ]);

    /// How far a request has got ([Progress]).
    ///
    /// [Progress]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
    PROGRESS, of Progress = Shape::new(ALL, &[
        Member::must("progressToken", StringOrInteger),
        Member::must("progress", Number),
        Member::may("total", Number),
        Member::may("message", String).within(SINCE_2025_03_26),
    ]);

    /// A request is given up ([Cancellation]). In 2025-11-25 the id may be left
    /// out, though only a task, which has `tasks/cancel`, is given up without.
    ///
    /// [Cancellation]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation
    CANCELLED, of Cancelled = Shape::new(ALL, &[
        Member::must("requestId", StringOrInteger).must_in(ALL.without(Revision::V2025_11_25)),
        Member::may("reason", String),
    ]);
}

/// A question to the user at a URL. In 2025-06-18, which knows no modes, it is
/// in a form all the same.
const ELICIT_AT_A_URL: &Shape = &Shape::new(
    ALL,
    &[
        Member::must("message", String),
        Member::must("requestedSchema", Object).within(IN_2025_06_18),
        Member::must("mode", Word(&URL)).within(SINCE_2025_11_25),
        Member::must("url", String).within(SINCE_2025_11_25),
        Member::must("elicitationId", String).within(IN_2025_11_25),
        TASK,
    ],
);

const URI: Member = Member::must("uri", String);
const TASK_ID: Member = Member::must("taskId", String);
/// Runs the request as an experimental task.
const TASK: Member = Member::may("task", Object).within(IN_2025_11_25);
/// The client's answers to what an earlier result asked ([Multi Round-Trip
/// Requests]). The schema has no null, but null says that there are none, and
/// the official conformance suite sends it.
///
/// [Multi Round-Trip Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
const INPUT_RESPONSES: Member = Member::may("inputResponses", ObjectOrNull).within(MODERN);
const REQUEST_STATE: Member = Member::may("requestState", String).within(MODERN);

const FORM: Words = Words { expected: "\"form\" or \"url\"", words: &["form"] };
const URL: Words = Words { expected: "\"url\"", words: &["url"] };
const LEVELS: Words = Words {
    expected: "one of the eight levels of RFC 5424",
    words: &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"],
};
const CONTEXTS: Words = Words {
    expected: "\"none\", \"thisServer\" or \"allServers\"",
    words: &["none", "thisServer", "allServers"],
};
