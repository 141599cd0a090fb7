//! What a deployment adds to the protocol: methods of its own, and the
//! capabilities that its methods, tools and prompts need.

use crate::kind::{Kind, Sender};
use crate::method::{Capability, RevisionSet};

/// A method that is known besides those of the protocol.
///
/// ```
/// use mcparse::{ExtraMethod, Kind, Policy, RevisionSet, Sender};
///
/// static METHODS: [ExtraMethod; 1] = [ExtraMethod::new("acme/search", Kind::Request, Sender::Client)
///     .with_revisions(RevisionSet::MODERN)
///     .with_name_source("index")];
/// static POLICY: Policy = Policy::strict().with_methods(&METHODS);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraMethod {
    name: &'static str,
    kind: Kind,
    sender: Sender,
    revisions: RevisionSet,
    name_source: Option<&'static str>,
}

impl ExtraMethod {
    /// A method that one side may send in every revision.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind, sender: Sender) -> Self {
        Self { name, kind, sender, revisions: RevisionSet::ALL, name_source: None }
    }

    /// Sets the revisions in which it may be sent.
    #[must_use]
    pub const fn with_revisions(mut self, revisions: RevisionSet) -> Self {
        self.revisions = revisions;
        self
    }

    /// Sets the member of its params that the header `Mcp-Name` mirrors.
    #[must_use]
    pub const fn with_name_source(mut self, member: &'static str) -> Self {
        self.name_source = Some(member);
        self
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// A request or a notification.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Who may send it.
    #[must_use]
    pub const fn sender(&self) -> Sender {
        self.sender
    }

    /// The revisions in which it may be sent.
    #[must_use]
    pub const fn revisions(&self) -> RevisionSet {
        self.revisions
    }

    /// The member of its params that the header `Mcp-Name` mirrors.
    #[must_use]
    pub const fn name_source(&self) -> Option<&'static str> {
        self.name_source
    }
}

/// A capability that a client must have declared for some request. Judged in
/// modern revisions only, where each request declares its own.
///
/// ```
/// use mcparse::{Capability, Policy, Requirement};
///
/// static NEEDS: [Requirement; 1] =
///     [Requirement::new("tools/call", Capability::of_client("elicitation")).on("book_flight")];
/// static POLICY: Policy = Policy::strict().with_requirements(&NEEDS);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    method: &'static str,
    on: Option<&'static str>,
    capability: Capability,
}

impl Requirement {
    /// Every request with this method needs the capability.
    #[must_use]
    pub const fn new(method: &'static str, capability: Capability) -> Self {
        Self { method, on: None, capability }
    }

    /// Only the requests on this tool, prompt, resource or task need it: what
    /// `Mcp-Name` mirrors.
    #[must_use]
    pub const fn on(mut self, name: &'static str) -> Self {
        self.on = Some(name);
        self
    }

    /// The method that needs it.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        self.method
    }

    /// The tool, prompt, resource or task that needs it, if not all do.
    #[must_use]
    pub const fn name(&self) -> Option<&'static str> {
        self.on
    }

    /// What is needed.
    #[must_use]
    pub const fn capability(&self) -> Capability {
        self.capability
    }
}
