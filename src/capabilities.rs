//! The capabilities that a client declares with a request, looked up on demand.

use std::fmt;

use crate::envelope::{Field, JsonType};
use crate::json::reader;
use crate::kind::Sender;
use crate::method::Capability;

/// What a client declares that it can do ([`ClientCapabilities`]).
///
/// An open object: what it holds besides the capabilities that the
/// specification defines is let through, and can be asked for by name.
///
/// ```
/// use mcparse::{Capability, Message, Policy, Sender, Validator};
///
/// let bytes = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
///     "io.modelcontextprotocol/clientCapabilities":{
///         "elicitation":{"url":{}},"extensions":{"io.modelcontextprotocol/ui":{"v":1}}}}}}"#;
/// let message = Validator::new(Policy::strict()).check(Sender::Client, bytes)?;
/// let Message::Request(request) = message else { panic!("a request") };
///
/// let capabilities = request.client_capabilities().unwrap();
/// assert!(capabilities.has(Capability::of_client("elicitation").with_part("url")));
/// assert!(!capabilities.has(Capability::of_client("sampling")));
/// assert_eq!(capabilities.extension("io.modelcontextprotocol/ui"), Some(&br#"{"v":1}"#[..]));
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
///
/// [`ClientCapabilities`]: https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities
#[derive(Clone, Copy)]
pub struct ClientCapabilities<'m> {
    message: &'m [u8],
    object: Field,
}

impl<'m> ClientCapabilities<'m> {
    /// The value `object` of `message`.
    pub(crate) const fn new(message: &'m [u8], object: Field) -> Self {
        Self { message, object }
    }

    /// Whether it is written as nothing at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.object.of(self.message) == b"{}"
    }

    /// Whether the client declares this capability, and the part of it if one is
    /// asked for. `elicitation` without parts stands for its part `form`. What
    /// is not the client's it never has.
    #[must_use]
    pub fn has(&self, capability: Capability) -> bool {
        let Capability { owner, name, part } = capability;
        if owner != Sender::Client {
            return false;
        }
        let value = reader::member(self.message, self.object, name);
        let part_type = |part| reader::member(self.message, value, part).json;
        let has_part = |part| part_type(part) == JsonType::Object;
        match part {
            _ if value.json != JsonType::Object => false,
            None => true,
            Some("form") if name == "elicitation" => {
                has_part("form") || part_type("url") == JsonType::Absent
            }
            Some(part) => has_part(part),
        }
    }

    /// The settings of an extension that the client declares, as they stand in
    /// the message: a JSON object.
    #[must_use]
    pub fn extension(&self, id: &str) -> Option<&'m [u8]> {
        let extensions = reader::member(self.message, self.object, "extensions");
        let settings = reader::member(self.message, extensions, id);
        (settings.json == JsonType::Object).then(|| settings.of(self.message))
    }

    /// All capabilities as they stand in the message: a JSON object.
    #[must_use]
    pub fn json(&self) -> &'m [u8] {
        self.object.of(self.message)
    }
}

impl fmt::Debug for ClientCapabilities<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.json()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> ClientCapabilities<'_> {
        let end = u32::try_from(json.len()).unwrap();
        let object = Field { json: JsonType::Object, start: 0, end };
        ClientCapabilities::new(json.as_bytes(), object)
    }

    #[test]
    fn capabilities_are_told_by_name_and_part() {
        let of = Capability::of_client;
        let all =
            read(r#"{"roots":{"listChanged":true},"\u0073ampling":{"tools":{}},"x":{"y":{}}}"#);
        assert!(all.has(of("roots")) && all.has(of("sampling")));
        assert!(all.has(of("sampling").with_part("tools")));
        assert!(!all.has(of("sampling").with_part("context")));
        assert!(!all.has(of("elicitation")));
        assert!(all.has(of("x").with_part("y")), "what the specification does not know");
        let server = Capability { owner: Sender::Server, ..of("roots") };
        assert!(!all.has(server), "what is the server's");
    }

    #[test]
    fn elicitation_without_parts_means_forms() {
        let form = Capability::of_client("elicitation").with_part("form");
        let url = Capability::of_client("elicitation").with_part("url");
        for (json, has_form, has_url) in [
            (r#"{"elicitation":{}}"#, true, false),
            (r#"{"elicitation":{"form":{}}}"#, true, false),
            (r#"{"elicitation":{"url":{}}}"#, false, true),
            (r#"{"elicitation":{"url":true}}"#, false, false),
            (r#"{"elicitation":{"url":{},"form":{}}}"#, true, true),
            ("{}", false, false),
        ] {
            let capabilities = read(json);
            assert_eq!(capabilities.has(form), has_form, "{json}");
            assert_eq!(capabilities.has(url), has_url, "{json}");
        }
    }

    #[test]
    fn extensions_are_looked_up_by_their_identifier() {
        let capabilities = read(r#"{"extensions":{"com.example/a":{},"com.example/b":[1]}}"#);
        assert_eq!(capabilities.extension("com.example/a"), Some(&b"{}"[..]));
        assert_eq!(capabilities.extension("com.example/b"), None, "settings are an object");
        assert_eq!(capabilities.extension("com.example/c"), None);
    }
}
