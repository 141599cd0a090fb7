//! What a violation can say beyond its rule's reason: which header and what
//! both sides hold, which versions, which capability, which member.
//!
//! What a peer wrote is shown cut and escaped, so that it fits on a line and
//! acts on no terminal.

use std::fmt::{self, Write};

use crate::method::{Capability, RevisionSet};

/// Where something stands in the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Place {
    pub(crate) fn of(self, message: &[u8]) -> &[u8] {
        message.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// What is known of a broken rule besides the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail<'m> {
    Nothing,
    /// A header against what it mirrors; either may be missing.
    Header {
        name: HeaderName<'m>,
        value: Option<&'m [u8]>,
        body: Place,
    },
    /// The version asked for, a string in the message, and what is served.
    Version {
        requested: Place,
        served: RevisionSet,
    },
    Capability(Capability),
    /// The protocol's own name of a member, and the words around it.
    Named {
        before: &'static str,
        name: &'static str,
        after: &'static str,
    },
    /// A member of `params` or `result` and what it must be.
    Member {
        object: &'static str,
        /// Empty if it is the object itself.
        member: &'static str,
        expected: &'static str,
        is_missing: bool,
    },
}

/// How a header is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderName<'m> {
    Known(&'static str),
    /// As it was received.
    Received(&'m [u8]),
    /// It was not: the name of the argument that it mirrors.
    OfArgument(&'m [u8]),
}

/// Shows a detail as one clause.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'v> {
    pub(crate) detail: Detail<'v>,
    pub(crate) message: &'v [u8],
    /// The reason to fall back on, and to end with.
    pub(crate) reason: &'static str,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail {
            Detail::Nothing => f.write_str(self.reason),
            Detail::Header { name, value, body } => {
                match name {
                    HeaderName::Known(name) => f.write_str(name)?,
                    HeaderName::Received(name) => Excerpt(name).fmt(f)?,
                    HeaderName::OfArgument(name) => {
                        write!(f, "the header of argument '{}'", Excerpt(name))?;
                    }
                }
                if let Some(value) = value {
                    write!(f, " header value '{}'", Excerpt(value))?;
                }
                let body = body.of(self.message);
                let unquoted = body.strip_prefix(b"\"").and_then(|body| body.strip_suffix(b"\""));
                match (value, unquoted.unwrap_or(body)) {
                    _ if body.is_empty() => write!(f, ": {}", self.reason),
                    (None, body) => write!(f, " is missing beside body value '{}'", Excerpt(body)),
                    (Some(value), body) if value == body => {
                        f.write_str(" matches the body, and another copy does not")
                    }
                    (Some(_), body) => {
                        write!(f, " does not match body value '{}'", Excerpt(body))
                    }
                }
            }
            Detail::Version { requested, served } => {
                let requested = requested.of(self.message);
                let requested = requested.strip_prefix(b"\"").unwrap_or(requested);
                let requested = requested.strip_suffix(b"\"").unwrap_or(requested);
                write!(f, "'{}' is not served; ", Excerpt(requested))?;
                for (at, revision) in served.iter().rev().enumerate() {
                    write!(f, "{}{revision}", if at == 0 { "served: " } else { ", " })?;
                }
                Ok(())
            }
            Detail::Capability(capability) => write!(f, "{capability}"),
            Detail::Named { before, name, after } => write!(f, "{before}{name}{after}"),
            Detail::Member { object, member, expected, is_missing } => {
                let verb = if is_missing { "is missing and must be" } else { "must be" };
                if member.is_empty() {
                    write!(f, "{object} {verb} {expected}")
                } else {
                    write!(f, "{object}.{member} {verb} {expected}")
                }
            }
        }
    }
}

/// The start of what a peer wrote: printable ASCII as it is, anything else as
/// an escape, and three dots in place of what is left out.
pub(crate) struct Excerpt<'t>(pub(crate) &'t [u8]);

impl Excerpt<'_> {
    /// The most bytes that are shown.
    const MOST: usize = 64;
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &byte in self.0.iter().take(Self::MOST) {
            match byte {
                b' '..=b'~' => f.write_char(char::from(byte))?,
                _ => write!(f, "\\x{byte:02x}")?,
            }
        }
        if self.0.len() > Self::MOST { f.write_str("...") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(detail: Detail<'_>, message: &[u8]) -> String {
        Shown { detail, message, reason: "the reason" }.to_string()
    }

    #[test]
    fn both_values_of_a_mismatch_are_shown_cut_and_escaped() {
        let detail = |value, end| Detail::Header {
            name: HeaderName::Known("Mcp-Name"),
            value,
            body: Place { start: 0, end },
        };
        assert_eq!(
            shown(detail(Some(&b"foo"[..]), 5), b"\"bar\""),
            "Mcp-Name header value 'foo' does not match body value 'bar'"
        );
        assert_eq!(
            shown(detail(None, 5), b"\"bar\""),
            "Mcp-Name is missing beside body value 'bar'"
        );
        assert_eq!(shown(detail(None, 0), b""), "Mcp-Name: the reason");
        let long = [b'a'; 65];
        let text = shown(detail(Some(&long), 6), "\"\u{e9}\n\u{1b}\"".as_bytes());
        assert_eq!(
            text,
            format!(
                r"Mcp-Name header value '{}...' does not match body value '\xc3\xa9\x0a\x1b'",
                "a".repeat(64)
            )
        );
    }

    #[test]
    fn versions_capabilities_and_members_are_named() {
        let message = br#""2027-01-01""#;
        let requested = Place { start: 0, end: 12 };
        let version = Detail::Version { requested, served: RevisionSet::MODERN };
        assert_eq!(shown(version, message), "'2027-01-01' is not served; served: 2026-07-28");
        let capability = Capability::of_client("elicitation").with_part("url");
        assert_eq!(shown(Detail::Capability(capability), b""), "elicitation.url");
        let member = |member, is_missing| Detail::Member {
            object: "params",
            member,
            expected: "a string",
            is_missing,
        };
        assert_eq!(shown(member("name", false), b""), "params.name must be a string");
        assert_eq!(shown(member("uri", true), b""), "params.uri is missing and must be a string");
    }
}
