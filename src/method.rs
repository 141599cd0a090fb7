//! What is known of each method: who may send it and in which revisions, what
//! it belongs to, what it needs and what it may be answered.
//!
//! The table is data, in `method/table.rs`; here it is looked up, by length and
//! then by bytes, and read. Nothing is judged: a method that is not here is
//! just not known.

mod primitive;
mod revision_set;
mod table;

use std::fmt;

pub use primitive::{Capability, Deprecation, Primitive};
pub use revision_set::RevisionSet;
pub use table::Method;

use crate::kind::{Kind, Sender};
use crate::revision::Revision;
use crate::text::Text;

impl Method {
    /// The method with this name, if it is one that the crate knows.
    #[must_use]
    #[inline]
    pub fn from_bytes(name: &[u8]) -> Option<Self> {
        let from = *INDEX.start.get(name.len())?;
        let to = *INDEX.start.get(name.len() + 1)?;
        let as_long = INDEX.by_length.get(from.into()..to.into())?;
        // Names share their beginnings more than their ends.
        let is_named = |known: &[u8]| known.last() == name.last() && known == name;
        as_long.iter().copied().find(|method| is_named(method.as_str().as_bytes()))
    }

    /// The method with this name, however the name is spelled.
    ///
    /// ```
    /// use mcparse::{Message, Method, Policy, Sender, Validator};
    ///
    /// let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools\/list"}"#;
    /// let mut validator = Validator::new(Policy::strict());
    /// let Message::Request(call) = validator.check(Sender::Client, message)? else { panic!() };
    /// assert_eq!(Method::from_text(call.method()), Some(Method::ToolsList));
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn from_text(name: Text<'_>) -> Option<Self> {
        // No known name holds a backslash, so what is found as it stands is
        // not escaped.
        let plain = Self::from_bytes(name.raw());
        if plain.is_none() && name.is_escaped() { Self::from_escaped(name) } else { plain }
    }

    #[cold]
    fn from_escaped(name: Text<'_>) -> Option<Self> {
        let mut plain = [0; LONGEST];
        let mut len = 0;
        for byte in name.bytes() {
            *plain.get_mut(len)? = byte;
            len += 1;
        }
        Self::from_bytes(plain.get(..len)?)
    }

    /// The name on the wire.
    #[must_use]
    #[inline]
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// [`Kind::Request`] or [`Kind::Notification`].
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.row().kind
    }

    /// What it belongs to.
    #[must_use]
    pub const fn primitive(self) -> Primitive {
        self.row().primitive
    }

    /// The revisions in which `sender` may send it. The official extension for
    /// [tasks] counts as part of 2026-07-28.
    ///
    /// [tasks]: https://modelcontextprotocol.io/seps/2663-tasks-extension
    #[must_use]
    #[inline]
    pub const fn sent_by(self, sender: Sender) -> RevisionSet {
        match sender {
            Sender::Client => self.row().by_client,
            Sender::Server => self.row().by_server,
        }
    }

    /// The revisions in which somebody may send it.
    ///
    /// A method of which this is [`RevisionSet::MODERN`] makes a request
    /// modern.
    #[must_use]
    #[inline]
    pub const fn revisions(self) -> RevisionSet {
        self.row().by_client.union(self.row().by_server)
    }

    /// The revisions in which it is no message of its own: a server asks it
    /// inside a result that is `input_required`
    /// ([Multi Round-Trip Requests]).
    ///
    /// [Multi Round-Trip Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputrequests
    #[must_use]
    pub const fn asked_in_results(self) -> RevisionSet {
        self.row().in_results
    }

    /// Whether a modern server may answer it with a result that is
    /// `input_required` ([Supported Requests]).
    ///
    /// [Supported Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests
    #[must_use]
    pub const fn may_ask_for_input(self) -> bool {
        self.row().may_ask
    }

    /// Whether a complete result of a modern server must carry caching hints
    /// ([Cacheable Results]).
    ///
    /// [Cacheable Results]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cacheable-results
    #[must_use]
    pub const fn is_cacheable(self) -> bool {
        self.row().cacheable
    }

    /// The member of `params` that the HTTP header `Mcp-Name` mirrors in a
    /// modern request ([Standard Request Headers]; `tasks/*` as the tasks
    /// extension says).
    ///
    /// [Standard Request Headers]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
    #[must_use]
    #[inline]
    pub const fn name_source(self) -> Option<&'static str> {
        self.row().named
    }

    /// The capability that must have been declared when it is sent `from` this
    /// side in this revision. Params may ask for more: a URL to be visited, for
    /// one, asks for the part `url` of `elicitation`.
    #[must_use]
    pub fn capability(self, from: Sender, revision: Revision) -> Option<Capability> {
        let need = self.row().needs.iter().find(|need| need.revisions.contains(revision))?;
        Some(need.capability(from))
    }

    /// Since when it is deprecated, and what to use in its place.
    #[must_use]
    pub const fn deprecation(self) -> Option<Deprecation> {
        self.primitive().deprecation()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The length of the longest name.
const LONGEST: usize = {
    let (mut longest, mut at) = (0, 0);
    while at < Method::ALL.len() {
        let len = Method::ALL[at].as_str().len();
        longest = if len > longest { len } else { longest };
        at += 1;
    }
    longest
};

/// The methods by the length of their names.
struct Index {
    by_length: [Method; Method::ALL.len()],
    /// At `len`: how many names are shorter than `len`, which is where those of
    /// that length start.
    start: [u8; LONGEST + 2],
}

static INDEX: Index = {
    let mut index =
        Index { by_length: [Method::ALL[0]; Method::ALL.len()], start: [0; LONGEST + 2] };
    let (mut len, mut shorter) = (0, 0);
    while len <= LONGEST {
        index.start[len] = shorter;
        let mut at = 0;
        while at < Method::ALL.len() {
            if Method::ALL[at].as_str().len() == len {
                index.by_length[shorter as usize] = Method::ALL[at];
                shorter += 1;
            }
            at += 1;
        }
        len += 1;
    }
    index.start[len] = shorter;
    index
};

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Method> {
        Method::from_bytes(name.as_bytes())
    }

    #[test]
    fn every_method_is_found_by_its_name_and_by_no_other() {
        for &method in Method::ALL {
            let name = method.as_str();
            assert_eq!(of(name), Some(method));
            for other in [
                format!("{name}s"),
                format!(" {name}"),
                format!("{name}\0"),
                name.to_uppercase(),
                name.chars().rev().collect(),
                name[1..].to_owned(),
            ] {
                assert_eq!(of(&other), None, "{other:?}");
            }
        }
        for unknown in ["", "x", "notifications/", "tools/calls", &"m".repeat(1 << 16)] {
            assert_eq!(of(unknown), None, "{unknown:?}");
        }
    }

    #[test]
    fn the_spelling_of_a_name_does_not_matter() {
        for &method in Method::ALL {
            let escape = |byte| format!("\\u{byte:04X}").into_bytes();
            let escaped: Vec<u8> = method.as_str().bytes().flat_map(escape).collect();
            assert_eq!(Method::from_text(Text::new(&escaped)), Some(method));
            let slashes = method.as_str().replace('/', r"\/");
            assert_eq!(Method::from_text(Text::new(slashes.as_bytes())), Some(method));
        }
        for unknown in [r"\u0070ing\u0000", r"pin\u0067s", r"\/", &r"\u0070".repeat(LONGEST + 1)] {
            assert_eq!(Method::from_text(Text::new(unknown.as_bytes())), None, "{unknown}");
        }
    }

    #[test]
    fn a_notification_is_known_by_its_prefix() {
        for &method in Method::ALL {
            let is_notification = method.as_str().starts_with("notifications/");
            assert_eq!(method.kind() == Kind::Notification, is_notification, "{method}");
        }
    }

    #[test]
    fn every_method_has_a_sender() {
        for &method in Method::ALL {
            assert!(!method.revisions().is_empty(), "{method}");
            let both = method.revisions().intersection(method.asked_in_results());
            assert!(both.is_empty(), "{method}");
        }
    }

    #[test]
    fn a_modern_server_sends_no_requests_and_a_modern_client_one_notification() {
        for &method in Method::ALL {
            let modern = |sender| method.sent_by(sender).contains(Revision::V2026_07_28);
            let is_request = method.kind() == Kind::Request;
            assert!(!(is_request && modern(Sender::Server)), "{method}");
            if !is_request && modern(Sender::Client) {
                assert_eq!(method, Method::Cancelled);
            }
        }
    }

    #[test]
    fn the_special_methods_are_those_of_the_specification() {
        let those = |special: fn(Method) -> bool| {
            let mut names: Vec<_> =
                Method::ALL.iter().filter(|&&m| special(m)).map(|m| m.as_str()).collect();
            names.sort_unstable();
            names.join(" ")
        };
        assert_eq!(
            those(Method::is_cacheable),
            "prompts/list resources/list resources/read resources/templates/list \
             server/discover tools/list"
        );
        assert_eq!(those(Method::may_ask_for_input), "prompts/get resources/read tools/call");
        assert_eq!(
            those(|method| !method.asked_in_results().is_empty()),
            "elicitation/create roots/list sampling/createMessage"
        );
        assert_eq!(
            those(|method| method.revisions() == RevisionSet::MODERN),
            "notifications/subscriptions/acknowledged notifications/tasks server/discover \
             subscriptions/listen tasks/update"
        );
        assert_eq!(
            those(|method| method.deprecation().is_some()),
            "logging/setLevel notifications/message notifications/roots/list_changed roots/list \
             sampling/createMessage"
        );
    }

    #[test]
    fn a_named_method_says_where_its_name_is() {
        let named = Method::ALL.iter().filter_map(|m| Some((m.as_str(), m.name_source()?)));
        assert!(named.eq([
            ("tools/call", "name"),
            ("prompts/get", "name"),
            ("resources/read", "uri"),
            ("tasks/get", "taskId"),
            ("tasks/update", "taskId"),
            ("tasks/cancel", "taskId"),
        ]));
        let source = |name| Method::from_text(Text::new(name)).and_then(Method::name_source);
        assert_eq!(source(br"tools\/call"), Some("name"));
        assert_eq!(source(b"tools/list"), None);
    }

    #[test]
    fn capabilities_are_those_of_the_revision_and_the_right_side() {
        use Revision::{V2024_11_05, V2025_11_25, V2026_07_28};
        use Sender::{Client, Server};

        let needed = |method: Method, from, revision| {
            let capability = method.capability(from, revision)?;
            Some((capability.owner, capability.to_string()))
        };
        for (method, from, revision, owner, name) in [
            (Method::ToolsCall, Client, V2026_07_28, Server, "tools"),
            (Method::ResourcesUpdated, Server, V2026_07_28, Server, "resources.subscribe"),
            (Method::CompletionComplete, Client, V2025_11_25, Server, "completions"),
            (Method::RootsList, Server, V2024_11_05, Client, "roots"),
            (Method::TasksGet, Client, V2025_11_25, Server, "tasks"),
            (Method::TasksList, Server, V2025_11_25, Client, "tasks.list"),
            (Method::TasksStatus, Client, V2025_11_25, Client, "tasks"),
        ] {
            assert_eq!(
                needed(method, from, revision),
                Some((owner, name.to_owned())),
                "{method} {revision}"
            );
        }
        assert_eq!(needed(Method::CompletionComplete, Client, V2024_11_05), None);
        assert_eq!(needed(Method::Ping, Server, V2025_11_25), None);
    }
}
