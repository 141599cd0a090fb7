//! The head of an HTTP request: a method, and headers as often as they were given.

use mcparse::Revision;

use super::formats::trim;
use super::revisions::VersionHeader;

#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
}

impl Head {
    /// Every value that was given, without the blanks around it. Versions and
    /// methods may be joined with commas.
    pub(crate) fn copies(&self, name: &str) -> Vec<Vec<u8>> {
        let is_joined = matches!(name, "mcp-protocol-version" | "mcp-method");
        let given = self.headers.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        let mut copies = Vec::new();
        for (_, value) in given {
            if is_joined {
                copies.extend(value.split(|&byte| byte == b',').map(|part| trim(part).to_vec()));
            } else {
                copies.push(trim(value).to_vec());
            }
        }
        copies
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        !self.copies(name).is_empty()
    }

    /// The first value as it was given, commas and all.
    pub(crate) fn first_line(&self, name: &str) -> Option<Vec<u8>> {
        let given = self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(trim(&given.1).to_vec())
    }

    /// The value, if all copies have the same.
    pub(crate) fn value(&self, name: &str) -> Option<Vec<u8>> {
        let copies = self.copies(name);
        let first = copies.first()?.clone();
        copies.iter().all(|copy| *copy == first).then_some(first)
    }

    /// What the head says of the revision.
    pub(crate) fn version(&self) -> VersionHeader {
        if !self.has("mcp-protocol-version") {
            return VersionHeader::Missing { in_session: self.has("mcp-session-id") };
        }
        let named = self.value("mcp-protocol-version");
        let known = named.and_then(|version| Revision::from_bytes(&version));
        known.map_or(VersionHeader::Unknown, VersionHeader::Known)
    }
}
