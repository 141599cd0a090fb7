//! The capabilities that a client declares with a request: the known ones as
//! bits, the extensions looked up on demand.

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
    bits: u8,
}

const ROOTS: u8 = 1;
const SAMPLING: u8 = 1 << 1;
const ELICITATION: u8 = 1 << 2;
const EXPERIMENTAL: u8 = 1 << 3;
const EXTENSIONS: u8 = 1 << 4;
/// A capability that the specification defines is no object.
const MISTYPED: u8 = 1 << 5;
/// One of them is given twice.
const REPEATED: u8 = 1 << 6;

impl<'m> ClientCapabilities<'m> {
    /// Reads the value `object` of `message`.
    #[inline]
    pub(crate) fn read(message: &'m [u8], object: Field) -> Self {
        let mut bits = 0;
        for member in reader::members(message, object) {
            let bit = match member.name.raw() {
                b"roots" => ROOTS,
                b"sampling" => SAMPLING,
                b"elicitation" => ELICITATION,
                b"experimental" => EXPERIMENTAL,
                b"extensions" => EXTENSIONS,
                _ if member.name.is_escaped() => known(&member.name.decode()),
                _ => 0,
            };
            if bits & bit != 0 {
                bits |= REPEATED;
            }
            if bit != 0 && member.value.json != JsonType::Object {
                bits |= MISTYPED;
            }
            bits |= bit;
        }
        Self { message, object, bits }
    }

    /// Whether the client declares this capability, and the part of it if one is
    /// asked for. `elicitation` without parts stands for its part `form`. What
    /// is not the client's it never has.
    #[must_use]
    pub fn has(&self, capability: Capability) -> bool {
        let Capability { owner, name, part } = capability;
        let bit = known(name);
        if owner != Sender::Client || bit != 0 && self.bits & bit == 0 {
            return false;
        }
        let value = reader::member(self.message, self.object, name);
        let part_type = |part| reader::member(self.message, value, part).json;
        let has_part = |part| part_type(part) == JsonType::Object;
        match part {
            _ if value.json != JsonType::Object => false,
            None => true,
            Some("form") if bit == ELICITATION => {
                has_part("form") || part_type("url") == JsonType::Absent
            }
            Some(part) => has_part(part),
        }
    }

    /// The settings of an extension that the client declares, as they stand in
    /// the message: a JSON object.
    #[must_use]
    pub fn extension(&self, id: &str) -> Option<&'m [u8]> {
        if self.bits & EXTENSIONS == 0 {
            return None;
        }
        let settings = reader::member(self.message, self.extensions(), id);
        (settings.json == JsonType::Object).then(|| settings.of(self.message))
    }

    /// All capabilities as they stand in the message: a JSON object.
    #[must_use]
    pub fn json(&self) -> &'m [u8] {
        self.object.of(self.message)
    }

    /// The value of the member `extensions`.
    pub(crate) fn extensions(&self) -> Field {
        reader::member(self.message, self.object, "extensions")
    }

    #[inline]
    pub(crate) fn has_extensions(&self) -> bool {
        self.bits & EXTENSIONS != 0
    }

    /// Whether roots or sampling are declared, which are deprecated.
    #[inline]
    pub(crate) fn has_deprecated(&self) -> bool {
        self.bits & (ROOTS | SAMPLING) != 0
    }

    #[inline]
    pub(crate) fn is_mistyped(&self) -> bool {
        self.bits & MISTYPED != 0
    }

    #[inline]
    pub(crate) fn is_repeated(&self) -> bool {
        self.bits & REPEATED != 0
    }
}

impl fmt::Debug for ClientCapabilities<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.json()))
    }
}

/// The bit of a capability that the specification defines.
fn known(name: &str) -> u8 {
    match name {
        "roots" => ROOTS,
        "sampling" => SAMPLING,
        "elicitation" => ELICITATION,
        "experimental" => EXPERIMENTAL,
        "extensions" => EXTENSIONS,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> ClientCapabilities<'_> {
        let end = u32::try_from(json.len()).unwrap();
        let object = Field { json: JsonType::Object, start: 0, end };
        ClientCapabilities::read(json.as_bytes(), object)
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
