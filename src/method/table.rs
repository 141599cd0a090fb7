//! The methods of all five revisions, as data.
//!
//! Who may send what is from the unions `ClientRequest`, `ServerRequest`,
//! `ClientNotification` and `ServerNotification` of the official schemas, which
//! `tests/method_table.rs` compares with this table; `InputRequest` for what a
//! server of a modern revision asks inside a result; and the tasks extension
//! ([SEP-2663]), which is in no schema. Capabilities are from the section
//! "Capabilities" of each feature's page.
//!
//! [SEP-2663]: https://modelcontextprotocol.io/seps/2663-tasks-extension

use super::primitive::{Capability, Primitive};
use super::revision_set::RevisionSet;
use crate::kind::{Kind, Sender};
use crate::revision::Revision;

const ALL: RevisionSet = RevisionSet::ALL;
const LEGACY: RevisionSet = RevisionSet::LEGACY;
const MODERN: RevisionSet = RevisionSet::MODERN;
const SINCE_2025_03_26: RevisionSet = RevisionSet::since(Revision::V2025_03_26);
/// Elicitation while the server asked for it with requests of its own.
const ELICITED: RevisionSet = RevisionSet::only(Revision::V2025_06_18).with(Revision::V2025_11_25);
const IN_2025_11_25: RevisionSet = RevisionSet::only(Revision::V2025_11_25);

macro_rules! methods {
    ($($(#[$doc:meta])* $variant:ident = $row:expr;)*) => {
        /// A request or a notification that some revision of the protocol
        /// defines.
        ///
        /// What is written on the wire is [`Text`](crate::Text), and may be
        /// any method; this is one that the crate knows.
        ///
        /// ```
        /// use mcparse::{Kind, Method, Primitive, Revision, Sender};
        ///
        /// let method = Method::from_bytes(b"resources/subscribe").unwrap();
        /// assert_eq!(method, Method::ResourcesSubscribe);
        /// assert_eq!(method.primitive(), Primitive::Resources);
        /// assert_eq!(method.kind(), Kind::Request);
        ///
        /// let revisions = method.sent_by(Sender::Client);
        /// assert!(revisions.contains(Revision::V2025_11_25));
        /// assert!(!revisions.contains(Revision::V2026_07_28)); // subscriptions/listen took its place
        /// assert!(method.sent_by(Sender::Server).is_empty());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Method {
            $($(#[$doc])* $variant,)*
        }

        impl Method {
            /// Every method, in the order of their primitives.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            #[inline]
            pub(super) const fn row(self) -> &'static Row {
                const ROWS: &[Row] = &[$($row,)*];
                &ROWS[self as usize]
            }
        }
    };
}

methods! {
    /// `initialize`: opens a session and settles its revision.
    Initialize = request("initialize", Primitive::Lifecycle).by_client(LEGACY);
    /// `notifications/initialized`: the client is ready.
    Initialized = notification("notifications/initialized", Primitive::Lifecycle)
        .by_client(LEGACY);

    /// `server/discover`: the revisions, capabilities and identity of a server.
    ServerDiscover = request("server/discover", Primitive::Discovery)
        .by_client(MODERN).cacheable();

    /// `tools/list`: the tools there are.
    ToolsList = request("tools/list", Primitive::Tools)
        .by_client(ALL).cacheable().needs(&[server("tools")]);
    /// `tools/call`: runs a tool.
    ToolsCall = request("tools/call", Primitive::Tools)
        .by_client(ALL).named("name").may_ask().needs(&[server("tools")]);
    /// `notifications/tools/list_changed`.
    ToolsListChanged = notification("notifications/tools/list_changed", Primitive::Tools)
        .by_server(ALL).needs(&[server("tools").part("listChanged")]);

    /// `prompts/list`: the prompts there are.
    PromptsList = request("prompts/list", Primitive::Prompts)
        .by_client(ALL).cacheable().needs(&[server("prompts")]);
    /// `prompts/get`: fills a prompt in.
    PromptsGet = request("prompts/get", Primitive::Prompts)
        .by_client(ALL).named("name").may_ask().needs(&[server("prompts")]);
    /// `notifications/prompts/list_changed`.
    PromptsListChanged = notification("notifications/prompts/list_changed", Primitive::Prompts)
        .by_server(ALL).needs(&[server("prompts").part("listChanged")]);

    /// `resources/list`: the resources there are.
    ResourcesList = request("resources/list", Primitive::Resources)
        .by_client(ALL).cacheable().needs(&[server("resources")]);
    /// `resources/templates/list`: the templates of resources there are.
    ResourcesTemplatesList = request("resources/templates/list", Primitive::Resources)
        .by_client(ALL).cacheable().needs(&[server("resources")]);
    /// `resources/read`: what a resource holds.
    ResourcesRead = request("resources/read", Primitive::Resources)
        .by_client(ALL).named("uri").cacheable().may_ask().needs(&[server("resources")]);
    /// `resources/subscribe`: asks to hear of changes of a resource.
    ResourcesSubscribe = request("resources/subscribe", Primitive::Resources)
        .by_client(LEGACY).needs(&[server("resources").part("subscribe")]);
    /// `resources/unsubscribe`: asks to hear no more of them.
    ResourcesUnsubscribe = request("resources/unsubscribe", Primitive::Resources)
        .by_client(LEGACY).needs(&[server("resources").part("subscribe")]);
    /// `notifications/resources/list_changed`.
    ResourcesListChanged =
        notification("notifications/resources/list_changed", Primitive::Resources)
        .by_server(ALL).needs(&[server("resources").part("listChanged")]);
    /// `notifications/resources/updated`: a resource has changed.
    ResourcesUpdated = notification("notifications/resources/updated", Primitive::Resources)
        .by_server(ALL).needs(&[server("resources").part("subscribe")]);

    /// `completion/complete`: suggestions for an argument.
    CompletionComplete = request("completion/complete", Primitive::Completion)
        // 2024-11-05 has the method, but no capability for it.
        .by_client(ALL).needs(&[server("completions").within(SINCE_2025_03_26)]);

    /// `subscriptions/listen`: opens a stream of notifications.
    SubscriptionsListen = request("subscriptions/listen", Primitive::Subscriptions)
        .by_client(MODERN);
    /// `notifications/subscriptions/acknowledged`: what the stream will carry.
    SubscriptionsAcknowledged =
        notification("notifications/subscriptions/acknowledged", Primitive::Subscriptions)
        .by_server(MODERN);

    /// `tasks/get`: the state of a task; from 2026-07-28 on its result too.
    TasksGet = request("tasks/get", Primitive::Tasks)
        .by_client(IN_2025_11_25.union(MODERN)).by_server(IN_2025_11_25)
        .named("taskId").needs(&[receiver("tasks"), TASKS_EXTENSION]);
    /// `tasks/update`: answers what a task asked for.
    TasksUpdate = request("tasks/update", Primitive::Tasks)
        .by_client(MODERN).named("taskId").needs(&[TASKS_EXTENSION]);
    /// `tasks/cancel`: gives a task up.
    TasksCancel = request("tasks/cancel", Primitive::Tasks)
        .by_client(IN_2025_11_25.union(MODERN)).by_server(IN_2025_11_25)
        .named("taskId").needs(&[receiver("tasks").part("cancel"), TASKS_EXTENSION]);
    /// `tasks/result`: waits for the result of a task.
    TasksResult = request("tasks/result", Primitive::Tasks)
        .by_client(IN_2025_11_25).by_server(IN_2025_11_25).needs(&[receiver("tasks")]);
    /// `tasks/list`: the tasks there are.
    TasksList = request("tasks/list", Primitive::Tasks)
        .by_client(IN_2025_11_25).by_server(IN_2025_11_25)
        .needs(&[receiver("tasks").part("list")]);
    /// `notifications/tasks/status`: the state of a task, in 2025-11-25.
    TasksStatus = notification("notifications/tasks/status", Primitive::Tasks)
        .by_client(IN_2025_11_25).by_server(IN_2025_11_25).needs(&[sender("tasks")]);
    /// `notifications/tasks`: the state of a task, from 2026-07-28 on.
    Tasks = notification("notifications/tasks", Primitive::Tasks)
        .by_server(MODERN).needs(&[TASKS_EXTENSION]);

    /// `elicitation/create`: asks the user.
    ElicitationCreate = request("elicitation/create", Primitive::Elicitation)
        .by_server(ELICITED).in_results(MODERN).needs(&[client("elicitation")]);
    /// `notifications/elicitation/complete`: the user is done at the URL.
    ElicitationComplete =
        notification("notifications/elicitation/complete", Primitive::Elicitation)
        .by_server(IN_2025_11_25).needs(&[client("elicitation").part("url")]);

    /// `roots/list`: the roots there are.
    RootsList = request("roots/list", Primitive::Roots)
        .by_server(LEGACY).in_results(MODERN).needs(&[client("roots")]);
    /// `notifications/roots/list_changed`.
    RootsListChanged = notification("notifications/roots/list_changed", Primitive::Roots)
        .by_client(LEGACY).needs(&[client("roots").part("listChanged")]);

    /// `sampling/createMessage`: asks a model.
    SamplingCreateMessage = request("sampling/createMessage", Primitive::Sampling)
        .by_server(LEGACY).in_results(MODERN).needs(&[client("sampling")]);

    /// `logging/setLevel`: the least severe message to send.
    LoggingSetLevel = request("logging/setLevel", Primitive::Logging)
        .by_client(LEGACY).needs(&[server("logging")]);
    /// `notifications/message`: a message for the log.
    LogMessage = notification("notifications/message", Primitive::Logging)
        .by_server(ALL).needs(&[server("logging")]);

    /// `ping`: whether the other side is there.
    Ping = request("ping", Primitive::Utility).by_client(LEGACY).by_server(LEGACY);
    /// `notifications/progress`: how far a request has got.
    Progress = notification("notifications/progress", Primitive::Utility)
        .by_client(LEGACY).by_server(ALL);
    /// `notifications/cancelled`: a request is given up; from a server of a
    /// modern revision, the end of a `subscriptions/listen` stream.
    Cancelled = notification("notifications/cancelled", Primitive::Utility)
        .by_client(ALL).by_server(ALL);
}

/// What is known of one method.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) primitive: Primitive,
    pub(super) by_client: RevisionSet,
    pub(super) by_server: RevisionSet,
    pub(super) in_results: RevisionSet,
    pub(super) named: Option<&'static str>,
    pub(super) cacheable: bool,
    pub(super) may_ask: bool,
    /// The first one that holds in a revision counts.
    pub(super) needs: &'static [Need],
}

const fn request(name: &'static str, primitive: Primitive) -> Row {
    Row {
        name,
        kind: Kind::Request,
        primitive,
        by_client: RevisionSet::EMPTY,
        by_server: RevisionSet::EMPTY,
        in_results: RevisionSet::EMPTY,
        named: None,
        cacheable: false,
        may_ask: false,
        needs: &[],
    }
}

const fn notification(name: &'static str, primitive: Primitive) -> Row {
    Row { kind: Kind::Notification, ..request(name, primitive) }
}

impl Row {
    /// The revisions in which clients may send it.
    const fn by_client(self, revisions: RevisionSet) -> Self {
        Self { by_client: revisions, ..self }
    }

    /// The revisions in which servers may send it.
    const fn by_server(self, revisions: RevisionSet) -> Self {
        Self { by_server: revisions, ..self }
    }

    /// The revisions in which servers may ask it inside a result.
    const fn in_results(self, revisions: RevisionSet) -> Self {
        Self { in_results: revisions, ..self }
    }

    /// `Mcp-Name` mirrors this member of its params.
    const fn named(self, source: &'static str) -> Self {
        Self { named: Some(source), ..self }
    }

    /// Its complete results carry caching hints.
    const fn cacheable(self) -> Self {
        Self { cacheable: true, ..self }
    }

    /// It may be answered `input_required`.
    const fn may_ask(self) -> Self {
        Self { may_ask: true, ..self }
    }

    const fn needs(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }
}

/// A capability that a method needs in some revisions.
pub(super) struct Need {
    pub(super) revisions: RevisionSet,
    owner: Owner,
    name: &'static str,
    part: Option<&'static str>,
}

#[derive(Clone, Copy)]
enum Owner {
    Client,
    Server,
    /// Whoever sends the message.
    Sender,
    /// Whoever it is sent to.
    Receiver,
}

const TASKS_EXTENSION: Need =
    client("extensions").part("io.modelcontextprotocol/tasks").within(MODERN);

const fn client(name: &'static str) -> Need {
    Need { revisions: ALL, owner: Owner::Client, name, part: None }
}

const fn server(name: &'static str) -> Need {
    Need { owner: Owner::Server, ..client(name) }
}

/// Only the experimental tasks have methods that either side may send.
const fn receiver(name: &'static str) -> Need {
    Need { owner: Owner::Receiver, ..client(name) }.within(IN_2025_11_25)
}

const fn sender(name: &'static str) -> Need {
    Need { owner: Owner::Sender, ..client(name) }.within(IN_2025_11_25)
}

impl Need {
    const fn part(self, part: &'static str) -> Self {
        Self { part: Some(part), ..self }
    }

    const fn within(self, revisions: RevisionSet) -> Self {
        Self { revisions, ..self }
    }

    pub(super) const fn capability(&self, from: Sender) -> Capability {
        let owner = match (self.owner, from) {
            (Owner::Client, _)
            | (Owner::Sender, Sender::Client)
            | (Owner::Receiver, Sender::Server) => Sender::Client,
            (Owner::Server, _)
            | (Owner::Sender, Sender::Server)
            | (Owner::Receiver, Sender::Client) => Sender::Server,
        };
        Capability { owner, name: self.name, part: self.part }
    }
}
