//! What every request of a client says about its sender.

use super::implementation::Implementation;
use super::request::Request;
use super::request_id::RequestId;
use super::value::Object;
use crate::revision::Revision;

/// A client, as its requests describe it: made once, used for every request.
///
/// The revision decides the form. A modern request carries the protocol
/// version, the client's capabilities and who it is in `params._meta`
/// ([Per-request protocol fields]); a legacy one carries none of them, except
/// `initialize`, which has them in its params.
///
/// ```
/// use mcparse::Revision;
/// use mcparse::compose::{Client, Implementation, RawObject};
///
/// let capabilities = RawObject::new(r#"{"elicitation":{}}"#).unwrap();
/// let client = Client::new(Implementation::new("acme", "1.0")).with_capabilities(capabilities);
///
/// let mut out = Vec::new();
/// client.request(1, "tools/list").write(&mut out);
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"#,
///         r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
///         r#""io.modelcontextprotocol/clientInfo":{"name":"acme","version":"1.0"},"#,
///         r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
///     )
/// );
///
/// // The same client, where the server only knows the handshake:
/// let mut out = Vec::new();
/// client.with_revision(Revision::V2025_11_25).request(1, "initialize").write(&mut out);
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"#,
///         r#""protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"#,
///         r#""clientInfo":{"name":"acme","version":"1.0"}}}"#,
///     )
/// );
/// ```
///
/// [Per-request protocol fields]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    pub(super) info: Implementation<'a>,
    pub(super) names_itself: bool,
    pub(super) capabilities: Object<'a>,
    pub(super) revision: Revision,
}

impl<'a> Client<'a> {
    /// A client of the newest revision, without optional capabilities.
    #[must_use]
    pub const fn new(info: Implementation<'a>) -> Self {
        Self {
            info,
            names_itself: true,
            capabilities: Object::EMPTY,
            revision: Revision::V2026_07_28,
        }
    }

    /// Sets the revision that it speaks.
    #[must_use]
    pub const fn with_revision(mut self, revision: Revision) -> Self {
        self.revision = revision;
        self
    }

    /// Sets what it can do for a server: by default nothing.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: impl Into<Object<'a>>) -> Self {
        self.capabilities = capabilities.into();
        self
    }

    /// Leaves out who it is, where the protocol lets it: in modern requests,
    /// which should say it unless someone wants them not to.
    #[must_use]
    pub const fn without_info(mut self) -> Self {
        self.names_itself = false;
        self
    }

    /// A request of this client, without params of its own. `initialize` is a
    /// method of the legacy revisions only: [`with_revision`] comes first.
    ///
    /// [`with_revision`]: Self::with_revision
    pub fn request(&self, id: impl Into<RequestId<'a>>, method: &'a str) -> Request<'a> {
        Request::new(*self, id.into(), method)
    }
}
