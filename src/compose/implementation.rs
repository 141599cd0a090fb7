//! Who a client or a server says it is.

use super::value::{Form, Member, Value, member};

/// The name and version of a client's or a server's software
/// ([Implementation]).
///
/// ```
/// use mcparse::compose::{Implementation, Value};
///
/// const CLIENT: Implementation = Implementation::new("acme", "1.0.0").with_title("Acme Chat");
///
/// let mut out = Vec::new();
/// Value::from(CLIENT).write(&mut out);
/// assert_eq!(out, br#"{"name":"acme","version":"1.0.0","title":"Acme Chat"}"#);
/// ```
///
/// [Implementation]: https://modelcontextprotocol.io/specification/2026-07-28/schema#implementation
#[derive(Clone, Copy, Debug)]
pub struct Implementation<'a> {
    name: &'a str,
    version: &'a str,
    title: Option<&'a str>,
    description: Option<&'a str>,
    website_url: Option<&'a str>,
    others: &'a [Member<'a>],
}

impl<'a> Implementation<'a> {
    /// What every implementation must say.
    #[must_use]
    pub const fn new(name: &'a str, version: &'a str) -> Self {
        Self { name, version, title: None, description: None, website_url: None, others: &[] }
    }

    /// Sets the name that people read.
    #[must_use]
    pub const fn with_title(mut self, title: &'a str) -> Self {
        self.title = Some(title);
        self
    }

    /// Sets what it does, in words for people.
    #[must_use]
    pub const fn with_description(mut self, description: &'a str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets the address of its website.
    #[must_use]
    pub const fn with_website_url(mut self, url: &'a str) -> Self {
        self.website_url = Some(url);
        self
    }

    /// Sets its other members, such as `icons`.
    #[must_use]
    pub const fn with_members(mut self, members: &'a [Member<'a>]) -> Self {
        self.others = members;
        self
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let own = [
            Some(member("name", self.name)),
            Some(member("version", self.version)),
            self.title.map(|title| member("title", title)),
            self.description.map(|description| member("description", description)),
            self.website_url.map(|url| member("websiteUrl", url)),
        ];
        Value::new(Form::Object { own: &own, others: self.others }).write(out);
    }
}
