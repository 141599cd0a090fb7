//! The capabilities that both sides declare in the handshake, a bit each, and
//! which of them a message needs ([Capability Negotiation]).
//!
//! [Capability Negotiation]: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation

use crate::envelope::{Field, JsonType};
use crate::json::reader;
use crate::kind::Sender;
use crate::method::{Capability, Method};
use crate::revision::Revision;

/// What both sides have declared, of what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    /// In the order of `KEPT`, the first one lowest.
    bits: u32,
}

/// The capabilities that methods of the handshake revisions need.
const KEPT: [Capability; 22] = [
    client("roots"),
    client("roots").with_part("listChanged"),
    client("sampling"),
    SAMPLING_WITH_TOOLS,
    client("elicitation"),
    ELICITATION_BY_FORM,
    ELICITATION_BY_URL,
    client("tasks"),
    client("tasks").with_part("list"),
    client("tasks").with_part("cancel"),
    server("tools"),
    server("tools").with_part("listChanged"),
    server("prompts"),
    server("prompts").with_part("listChanged"),
    server("resources"),
    server("resources").with_part("listChanged"),
    server("resources").with_part("subscribe"),
    server("logging"),
    server("completions"),
    server("tasks"),
    server("tasks").with_part("list"),
    server("tasks").with_part("cancel"),
];

const SAMPLING_WITH_TOOLS: Capability = client("sampling").with_part("tools");
const ELICITATION_BY_FORM: Capability = client("elicitation").with_part("form");
const ELICITATION_BY_URL: Capability = client("elicitation").with_part("url");

const fn client(name: &'static str) -> Capability {
    Capability::of_client(name)
}

const fn server(name: &'static str) -> Capability {
    Capability { owner: Sender::Server, name, part: None }
}

impl Declared {
    pub(super) const NOTHING: Self = Self { bits: 0 };

    /// What `owner` declares with `capabilities`, a JSON value in `json`.
    pub(super) fn read(owner: Sender, json: &[u8], capabilities: Field) -> Self {
        let own = KEPT.iter().enumerate().filter(|(_, kept)| kept.owner == owner);
        let is_declared = |kept: Capability| declares(json, capabilities, kept);
        let bits = own.map(|(at, &kept)| u32::from(is_declared(kept)) << at).sum();
        Self { bits }
    }

    /// What is in either.
    pub(super) const fn and(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits }
    }

    /// Whether the capability is kept, and was declared.
    pub(super) fn has(self, capability: Capability) -> bool {
        let at = KEPT.iter().position(|&kept| kept == capability);
        at.is_some_and(|at| self.bits >> at & 1 == 1)
    }
}

/// Whether `capabilities` have this one. Some are objects and some are `true`;
/// `false` and `null` declare nothing, and what else stands there is for other
/// rules.
fn declares(json: &[u8], capabilities: Field, capability: Capability) -> bool {
    let is_set = |field: Field| {
        let value = field.of(json);
        field.is_present() && value != b"false" && value != b"null"
    };
    let value = reader::member(json, capabilities, capability.name);
    let has_part = |part| is_set(reader::member(json, value, part));
    match capability.part {
        _ if !is_set(value) => false,
        None => true,
        // Without parts, elicitation is by form, as it was in 2025-06-18.
        Some("form") if capability == ELICITATION_BY_FORM => has_part("form") || !has_part("url"),
        Some(part) => has_part(part),
    }
}

/// The capability that `method`, sent `from` this side with these params, needs
/// in `revision`: the method's own, or the part of it that the params ask for.
pub(super) fn needed(
    method: Method,
    from: Sender,
    revision: Revision,
    params: Option<&[u8]>,
) -> Option<Capability> {
    let of_method = method.capability(from, revision)?;
    if revision < Revision::V2025_11_25 {
        return Some(of_method);
    }
    let json = params.unwrap_or_default();
    let member = |name| reader::member(json, object(json), name);
    Some(match method {
        Method::ElicitationCreate => {
            let mode = reader::text(json, member("mode"));
            let is_url = mode.is_some_and(|mode| mode == *"url");
            if is_url { ELICITATION_BY_URL } else { ELICITATION_BY_FORM }
        }
        Method::SamplingCreateMessage if member("tools").is_present() => SAMPLING_WITH_TOOLS,
        _ => of_method,
    })
}

/// The object that `json` is as a whole.
pub(super) fn object(json: &[u8]) -> Field {
    let is_object = json.starts_with(b"{");
    let end = u32::try_from(json.len()).unwrap_or_default();
    Field { json: if is_object { JsonType::Object } else { JsonType::Absent }, start: 0, end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::RevisionSet;

    fn read(owner: Sender, json: &str) -> Vec<String> {
        let declared = Declared::read(owner, json.as_bytes(), object(json.as_bytes()));
        KEPT.iter().filter(|&&kept| declared.has(kept)).map(ToString::to_string).collect()
    }

    #[test]
    fn every_capability_that_a_method_needs_is_kept() {
        let revisions = Revision::ALL.into_iter().filter(|&it| RevisionSet::LEGACY.contains(it));
        for revision in revisions {
            for &method in Method::ALL {
                for from in [Sender::Client, Sender::Server] {
                    if method.sent_by(from).contains(revision)
                        && let Some(capability) = method.capability(from, revision)
                    {
                        assert!(KEPT.contains(&capability), "{method}: {capability}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_false_or_null_is_not_declared() {
        let server = r#"{"tools":{"listChanged":true},"prompts":{"listChanged":false},"logging":{},
            "resources":{"subscribe":true,"listChanged":null},"completions":null,"roots":{}}"#;
        assert_eq!(
            read(Sender::Server, server),
            [
                "tools",
                "tools.listChanged",
                "prompts",
                "resources",
                "resources.subscribe",
                "logging"
            ]
        );
        let tasks = r#"{"tasks":{"list":{},"cancel":{},"requests":{}}}"#;
        assert_eq!(read(Sender::Server, tasks), ["tasks", "tasks.list", "tasks.cancel"]);
        assert_eq!(read(Sender::Client, "[]"), [""; 0]);
    }

    #[test]
    fn elicitation_without_parts_is_by_form() {
        for (json, expected) in [
            (r#"{"elicitation":{}}"#, &["elicitation", "elicitation.form"][..]),
            (r#"{"elicitation":{"url":{}}}"#, &["elicitation", "elicitation.url"]),
            (
                r#"{"elicitation":{"form":{},"url":{}}}"#,
                &["elicitation", "elicitation.form", "elicitation.url"],
            ),
        ] {
            assert_eq!(read(Sender::Client, json), expected, "{json}");
        }
    }

    #[test]
    fn params_may_ask_for_a_part() {
        let needed = |method, revision, params: &str| {
            needed(method, Sender::Server, revision, Some(params.as_bytes())).unwrap().to_string()
        };
        let (old, new) = (Revision::V2025_06_18, Revision::V2025_11_25);
        let (ask, sample) = (Method::ElicitationCreate, Method::SamplingCreateMessage);
        assert_eq!(needed(ask, new, r#"{"mode":"url"}"#), "elicitation.url");
        assert_eq!(needed(ask, new, r#"{"mode":"form"}"#), "elicitation.form");
        assert_eq!(needed(ask, new, "{}"), "elicitation.form");
        assert_eq!(needed(ask, old, r#"{"mode":"url"}"#), "elicitation");
        assert_eq!(needed(sample, new, r#"{"tools":[]}"#), "sampling.tools");
        assert_eq!(needed(sample, new, "{}"), "sampling");
        assert_eq!(needed(sample, old, r#"{"tools":[]}"#), "sampling");
    }
}
