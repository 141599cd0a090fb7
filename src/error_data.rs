//! The `data` of the errors that MCP defines with one: what a client reads to
//! do better next time.

use crate::method::{Capability, RevisionSet};
use crate::write;

/// Writes the data of an [UnsupportedProtocolVersionError]: the versions that
/// are served, newest first, and the one that was asked for, given as the UTF-8
/// of its text.
///
/// [UnsupportedProtocolVersionError]: https://modelcontextprotocol.io/specification/2026-07-28/schema#unsupportedprotocolversionerror
pub(crate) fn write_supported(
    out: &mut Vec<u8>,
    requested: impl Iterator<Item = u8>,
    served: RevisionSet,
) {
    out.extend_from_slice(br#"{"supported":"#);
    write_versions(out, served);
    out.extend_from_slice(br#","requested":""#);
    write::escaped(out, requested);
    out.extend_from_slice(br#""}"#);
}

/// Writes the dates of `revisions` as a JSON array, newest first.
pub(crate) fn write_versions(out: &mut Vec<u8>, revisions: RevisionSet) {
    out.push(b'[');
    for (at, revision) in revisions.iter().rev().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write::string(out, revision.as_str());
    }
    out.push(b']');
}

/// Writes the data of a [MissingRequiredClientCapabilityError]: the capability
/// as a client would declare it.
///
/// [MissingRequiredClientCapabilityError]: https://modelcontextprotocol.io/specification/2026-07-28/schema#missingrequiredclientcapabilityerror
pub(crate) fn write_required(out: &mut Vec<u8>, capability: Capability) {
    out.extend_from_slice(br#"{"requiredCapabilities":{"#);
    write::string(out, capability.name);
    out.extend_from_slice(b":{");
    if let Some(part) = capability.part {
        write::string(out, part);
        out.extend_from_slice(b":{}");
    }
    out.extend_from_slice(b"}}}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_versions_that_are_served_stand_newest_first() {
        let served = RevisionSet::since(crate::revision::Revision::V2025_11_25);
        assert_eq!(
            written(|out| write_supported(out, "1900-\"01".bytes(), served)),
            r#"{"supported":["2026-07-28","2025-11-25"],"requested":"1900-\"01"}"#
        );
        assert_eq!(
            written(|out| write_supported(out, "".bytes(), RevisionSet::EMPTY)),
            r#"{"supported":[],"requested":""}"#
        );
    }

    #[test]
    fn a_capability_is_written_as_a_client_declares_it() {
        let elicitation = Capability::of_client("elicitation");
        assert_eq!(
            written(|out| write_required(out, elicitation)),
            r#"{"requiredCapabilities":{"elicitation":{}}}"#
        );
        assert_eq!(
            written(|out| write_required(out, elicitation.with_part("url"))),
            r#"{"requiredCapabilities":{"elicitation":{"url":{}}}}"#
        );
    }
}
