//! The protocol members of one message: the JSON type and the byte span of
//! each, as a lane found them.
//!
//! A fixed record that lives on the stack. It judges nothing: the truth table
//! in `message.rs` and the rules read it together with the message's bytes.
//! Of a member given twice it holds the last, as JSON libraries do.

use crate::method::Method;

/// The JSON type of a value, or that there is none.
///
/// As wide as the positions beside it in a [`Field`], so that an envelope has no
/// padding and is cleared and copied in whole registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum JsonType {
    #[default]
    Absent,
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// A member's value: its type, and where it stands in the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) json: JsonType,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Field {
    #[inline]
    pub(crate) fn is_present(self) -> bool {
        self.json != JsonType::Absent
    }

    /// The value as it stands in `message`, the one that the field was read
    /// from; empty if the member is absent.
    #[inline]
    pub(crate) fn of(self, message: &[u8]) -> &[u8] {
        message.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// The place of the first member of some sort, if there was one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sighting(Option<std::num::NonZeroU32>);

impl Sighting {
    /// Notes a member whose key starts at byte `at`, unless one was before.
    pub(crate) fn note(&mut self, at: u32) {
        // Never zero: a key stands behind the brace of its object.
        self.0 = self.0.or(std::num::NonZeroU32::new(at));
    }

    pub(crate) fn is_seen(self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn offset(self) -> usize {
        self.0.map_or(0, |at| at.get() as usize)
    }
}

/// A member of `params` or of `result`: its name as written, and its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noted {
    /// Behind the quote that opens the name, and before the one that closes it.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) value: Field,
}

/// The first members of `params` or of `result`, so that rules need not read over
/// large values again to find the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NotedMembers {
    members: [Noted; Self::MOST],
    /// How many there were; beyond `MOST` they are not noted.
    count: u32,
}

impl NotedMembers {
    /// More than any method defines but `sampling/createMessage`.
    const MOST: usize = 10;

    #[inline]
    pub(crate) fn note(&mut self, noted: Noted) {
        if let Some(free) = self.members.get_mut(self.count as usize) {
            *free = noted;
        }
        self.count = self.count.saturating_add(1);
    }

    /// All members, if all could be noted.
    #[inline]
    pub(crate) fn all(&self) -> Option<&[Noted]> {
        self.members.get(..self.count as usize)
    }
}

/// The protocol members of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Envelope {
    /// The message itself.
    pub(crate) root: Field,
    pub(crate) jsonrpc: Field,
    pub(crate) id: Field,
    pub(crate) method: Field,
    pub(crate) params: Field,
    pub(crate) result: Field,
    pub(crate) error: Field,

    /// Of `error`.
    pub(crate) code: Field,
    pub(crate) message: Field,
    pub(crate) data: Field,

    /// Of `result`.
    pub(crate) result_type: Field,
    pub(crate) ttl_ms: Field,
    pub(crate) cache_scope: Field,

    /// Of `params`: what the header `Mcp-Name` mirrors, for the methods that
    /// have it.
    pub(crate) name: Field,
    /// Of `params`, while the method is not known yet: see `json/scan.rs`.
    pub(crate) uri: Field,
    pub(crate) task_id: Field,
    /// Of `params`, or of `result`.
    pub(crate) meta: Meta,
    /// All of `params` but `_meta`, which has fields of its own; in a response of
    /// `result`.
    pub(crate) noted: NotedMembers,
    /// Of the capabilities in `_meta`.
    pub(crate) capabilities: Capabilities,
    /// Of the client's identity in `_meta`.
    pub(crate) client_name: Field,
    pub(crate) client_version: Field,
    /// The method, if it is one that the crate knows.
    pub(crate) called: Option<Method>,

    /// `id` was given more than once.
    pub(crate) id_repeated: bool,
    /// A member that we read was given before.
    pub(crate) duplicate: Sighting,
    /// A member looks like one that we read.
    pub(crate) lookalike: Sighting,
    /// The message has a member that is none of the protocol's.
    pub(crate) unknown: Sighting,
    /// `_meta` has a key that the specification does not reserve by name.
    pub(crate) unknown_meta: Sighting,
    /// An object that we read has more members than the limit.
    pub(crate) crowded: Sighting,
    /// Any object gives a member twice; only looked for if the policy asks.
    pub(crate) deep_duplicate: Sighting,
}

impl Envelope {
    /// What `method` is called on, as long as all members that may say so are there:
    /// see `json/scan.rs`.
    pub(crate) fn named_for(&self, method: Option<Method>) -> Field {
        match method.and_then(Method::name_source) {
            Some("name") => self.name,
            Some("uri") => self.uri,
            Some("taskId") => self.task_id,
            _ => Field::default(),
        }
    }
}

/// The member `_meta` and the keys in it that the specification reserves, see
/// [`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) itself: Field,
    pub(crate) progress_token: Field,
    pub(crate) protocol_version: Field,
    pub(crate) client_capabilities: Field,
    pub(crate) client_info: Field,
    pub(crate) server_info: Field,
    pub(crate) log_level: Field,
    pub(crate) subscription_id: Field,
    pub(crate) traceparent: Field,
    pub(crate) tracestate: Field,
    pub(crate) baggage: Field,
}

/// The capabilities that the specification defines for a client, see
/// [`ClientCapabilities`].
///
/// [`ClientCapabilities`]: https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Capabilities {
    pub(crate) roots: Field,
    pub(crate) sampling: Field,
    pub(crate) elicitation: Field,
    pub(crate) experimental: Field,
    pub(crate) extensions: Field,
}
