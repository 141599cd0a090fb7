//! The headers that the rules read, told apart by length before a byte is
//! compared: most headers of a request are none of them.

/// A header that the rules read, `Mcp-Param-*` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    ContentType,
    ContentEncoding,
    Accept,
    Origin,
    ProtocolVersion,
    Method,
    Name,
    SessionId,
    LastEventId,
}

impl Header {
    pub(super) const ALL: [Self; 9] = [
        Self::ContentType,
        Self::ContentEncoding,
        Self::Accept,
        Self::Origin,
        Self::ProtocolVersion,
        Self::Method,
        Self::Name,
        Self::SessionId,
        Self::LastEventId,
    ];

    /// The name as the specifications write it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ContentType => "Content-Type",
            Self::ContentEncoding => "Content-Encoding",
            Self::Accept => "Accept",
            Self::Origin => "Origin",
            Self::ProtocolVersion => "MCP-Protocol-Version",
            Self::Method => "Mcp-Method",
            Self::Name => "Mcp-Name",
            Self::SessionId => "Mcp-Session-Id",
            Self::LastEventId => "Last-Event-ID",
        }
    }

    /// Whether a comma in the value joins copies. It may stand in a name, which
    /// can be a URI, but in no version and in no method of the protocol.
    #[inline]
    pub(super) const fn may_be_joined(self) -> bool {
        matches!(self, Self::ProtocolVersion | Self::Method)
    }
}

/// What a header's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Header(Header),
    /// `Mcp-Param-` and something behind it.
    Param,
}

/// The header with this name, in any case, if the rules read it.
#[inline]
pub(super) fn known(name: &[u8]) -> Option<Known> {
    let as_long = match name.len() {
        6 if is(name, b"accept") => Some(Header::Accept),
        6 if is(name, b"origin") => Some(Header::Origin),
        8 if is(name, b"mcp-name") => Some(Header::Name),
        10 if is(name, b"mcp-method") => Some(Header::Method),
        12 if is(name, b"content-type") => Some(Header::ContentType),
        13 if is(name, b"last-event-id") => Some(Header::LastEventId),
        14 if is(name, b"mcp-session-id") => Some(Header::SessionId),
        16 if is(name, b"content-encoding") => Some(Header::ContentEncoding),
        20 if is(name, b"mcp-protocol-version") => Some(Header::ProtocolVersion),
        _ => None,
    };
    if let Some(header) = as_long {
        return Some(Known::Header(header));
    }
    let (start, behind) = name.split_first_chunk::<{ PARAM.len() }>()?;
    let is_param = !behind.is_empty() && is(start, PARAM);
    is_param.then_some(Known::Param)
}

const PARAM: &[u8; 10] = b"mcp-param-";

/// Whether `name` is `known`, which is in lower case, in any case.
#[inline]
fn is<const LEN: usize>(name: &[u8], known: &[u8; LEN]) -> bool {
    // All bytes of a fixed number at once, which costs less than to stop early.
    let differs = |name: &[u8; LEN]| {
        let pairs = name.iter().zip(known);
        pairs.fold(0, |differs, (byte, known)| differs | byte.to_ascii_lowercase() ^ known)
    };
    name.try_into().is_ok_and(|name| differs(name) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_is_known_by_its_name_in_any_case_and_by_no_other() {
        for header in Header::ALL {
            let name = header.as_str();
            for same in [name.to_owned(), name.to_lowercase(), name.to_uppercase()] {
                assert_eq!(known(same.as_bytes()), Some(Known::Header(header)), "{same}");
            }
            for other in [
                format!("{name}s"),
                format!("x{}", &name[1..]),
                format!("{}x", &name[..name.len() - 1]),
                name.replace(['-', 'e', 'i'], "_"),
                name[1..].to_owned(),
            ] {
                assert_eq!(known(other.as_bytes()), None, "{other}");
            }
        }
    }

    #[test]
    fn every_length_tells_its_header() {
        for header in Header::ALL {
            assert_eq!(Header::ALL[header as usize], header);
        }
    }

    #[test]
    fn a_param_header_needs_something_behind_the_prefix() {
        for name in ["Mcp-Param-R", "mcp-param-region", "MCP-PARAM-Ab", "Mcp-Param-Protocol-V"] {
            assert_eq!(known(name.as_bytes()), Some(Known::Param), "{name}");
        }
        for name in ["Mcp-Param-", "Mcp-Param", "XMcp-Param-R", "Mcp_Param-R", "Mcp-Params-R"] {
            assert_eq!(known(name.as_bytes()), None, "{name}");
        }
    }
}
