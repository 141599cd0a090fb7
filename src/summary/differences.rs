//! What a hop changed: two summaries compared, of what came in and of what went
//! on.
//!
//! It says that something differs, never whether that is right: a gateway has
//! ids of its own, and a registry may well rename its tools.

use std::fmt;

use super::{HEADERS, META_KEYS, Summary};

/// One thing that a hop changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    part: MessagePart,
    change: HopChange,
}

impl Difference {
    /// What differs.
    #[must_use]
    pub const fn part(&self) -> MessagePart {
        self.part
    }

    /// How it differs.
    #[must_use]
    pub const fn change(&self) -> HopChange {
        self.change
    }
}

/// As in "`_meta` member io.modelcontextprotocol/clientCapabilities was dropped".
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was {}", self.part, self.change)
    }
}

/// A part of a message that hops should leave alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MessagePart {
    /// The id.
    Id,
    /// The method.
    Method,
    /// What the method is called on.
    Name,
    /// A key of `_meta` that the specification reserves. The version and the
    /// capabilities of a modern request are among them.
    Meta(&'static str),
    /// A header that mirrors the body, by its name.
    Header(&'static str),
}

impl fmt::Display for MessagePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => f.write_str("id"),
            Self::Method => f.write_str("method"),
            Self::Name => f.write_str("name"),
            Self::Meta(key) => write!(f, "_meta member {key}"),
            Self::Header(name) => write!(f, "header {name}"),
        }
    }
}

/// How it was changed. There is no fourth way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums, reason = "there or not, before and after: three can differ")]
pub enum HopChange {
    /// It came in and did not go on.
    Dropped,
    /// It went on and had not come in.
    Added,
    /// Another value went on.
    Changed,
}

impl HopChange {
    /// Of two fingerprints, of which 0 is that of nothing.
    const fn of(before: u64, after: u64) -> Option<Self> {
        match (before, after) {
            _ if before == after => None,
            (_, 0) => Some(Self::Dropped),
            (0, _) => Some(Self::Added),
            _ => Some(Self::Changed),
        }
    }
}

impl fmt::Display for HopChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dropped => "dropped",
            Self::Added => "added",
            Self::Changed => "changed",
        })
    }
}

impl Summary {
    /// What differs between this message, as it came in, and `hop`, as a hop
    /// sent it on: the id, the method, the name, the reserved keys of `_meta` and
    /// the headers that mirror the body, in this order. What the hop is meant to
    /// change is for the caller to leave out.
    ///
    /// Ids are compared by type and value, so `1.0` equals `1`.
    /// Values of `_meta` are compared as they are meant, whatever the white space
    /// and the escapes; members in another order are a change, and so is a number
    /// in another form. Headers are compared as they are written, and only if
    /// both summaries have a head ([`with_head`](Self::with_head)).
    ///
    /// ```
    /// use mcparse::{MessagePart, Policy, Sender, Validator};
    ///
    /// let came = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
    ///     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    ///     "io.modelcontextprotocol/clientCapabilities":{},"progressToken":7}}}"#;
    /// let went = br#"{"jsonrpc":"2.0","id":31,"method":"tools/list","params":{"_meta":{
    ///     "io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":7}}}"#;
    ///
    /// let mut validator = Validator::new(Policy::observe());
    /// let came = validator.check(Sender::Client, came)?.summary();
    /// let went = validator.check(Sender::Client, went)?.summary();
    /// let told: Vec<_> = came
    ///     .differences(&went)
    ///     .filter(|difference| difference.part() != MessagePart::Id)
    ///     .map(|difference| difference.to_string())
    ///     .collect();
    /// assert_eq!(told, ["_meta member io.modelcontextprotocol/clientCapabilities was dropped"]);
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    pub fn differences(&self, hop: &Self) -> impl Iterator<Item = Difference> + use<> {
        let of = |part, before: u64, after: u64| {
            Some(Difference { part, change: HopChange::of(before, after)? })
        };
        let call = [
            of(MessagePart::Id, self.id.fingerprint(), hop.id.fingerprint()),
            of(MessagePart::Method, self.method.fingerprint(), hop.method.fingerprint()),
            of(MessagePart::Name, self.name.fingerprint(), hop.name.fingerprint()),
        ];
        let meta: [_; META_KEYS.len()] = std::array::from_fn(|at| {
            of(MessagePart::Meta(META_KEYS[at]), self.meta[at], hop.meta[at])
        });
        let are_heads_known = self.has_head && hop.has_head;
        let headers: [_; HEADERS.len()] = std::array::from_fn(|at| {
            let header = MessagePart::Header(HEADERS[at].as_str());
            of(header, self.headers[at], hop.headers[at]).filter(|_| are_heads_known)
        });
        call.into_iter().chain(meta).chain(headers).flatten()
    }
}
