//! The objects whose members are read, and which members those are.

use crate::envelope::{Envelope, Field};
use crate::json::members::{
    ERROR, MESSAGE, META, PARAMS, RESULT, capabilities_field, client_info_field, error_field, is,
    looks_like, message_field, meta_field, params_field, result_field,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Message,
    Params,
    Result,
    Error,
    Meta,
    Capabilities,
    ClientInfo,
}

impl Scope {
    /// What the value of the member `name` is, if it is an object and its members
    /// are read, too.
    #[inline]
    pub(super) fn inside(self, name: &[u8]) -> Option<Self> {
        const CAPABILITIES: &[u8; 42] = b"io.modelcontextprotocol/clientCapabilities";
        const CLIENT_INFO: &[u8; 34] = b"io.modelcontextprotocol/clientInfo";
        match self {
            Self::Message if is(name, Some(b"params")) => Some(Self::Params),
            Self::Message if is(name, Some(b"result")) => Some(Self::Result),
            Self::Message if is(name, Some(b"error")) => Some(Self::Error),
            Self::Params | Self::Result if is(name, Some(b"_meta")) => Some(Self::Meta),
            Self::Meta if is(name, Some(CAPABILITIES)) => Some(Self::Capabilities),
            Self::Meta if is(name, Some(CLIENT_INFO)) => Some(Self::ClientInfo),
            _ => None,
        }
    }

    /// Where the value of the member `name` is noted.
    #[inline(never)]
    pub(super) fn field<'e>(
        self,
        envelope: &'e mut Envelope,
        name: &[u8],
    ) -> Option<&'e mut Field> {
        match self {
            Self::Message => message_field(envelope, name),
            Self::Params => params_field(envelope, name),
            Self::Result => result_field(envelope, name),
            Self::Error => error_field(envelope, name),
            Self::Meta => meta_field(envelope, name),
            Self::Capabilities => capabilities_field(envelope, name),
            Self::ClientInfo => client_info_field(envelope, name),
        }
    }

    /// Whether `name`, which has no field, looks like one that has.
    #[inline]
    pub(super) fn is_lookalike(self, name: &[u8]) -> bool {
        let names = match self {
            Self::Message => MESSAGE,
            Self::Params => PARAMS,
            Self::Result => RESULT,
            Self::Error => ERROR,
            Self::Meta => META,
            // Both are open objects.
            Self::Capabilities | Self::ClientInfo => return false,
        };
        names.iter().any(|known| looks_like(name, known))
    }
}
