//! Whether the client has declared what its request needs
//! ([`MissingRequiredClientCapabilityError`]).
//!
//! In modern revisions only: there each request declares its client's
//! capabilities, and those of an earlier one do not count.
//!
//! [`MissingRequiredClientCapabilityError`]: https://modelcontextprotocol.io/specification/2026-07-28/schema#missingrequiredclientcapabilityerror

use super::subject::Subject;
use crate::capabilities::ClientCapabilities;
use crate::envelope::JsonType;
use crate::json::reader;
use crate::kind::Sender;
use crate::method::Capability;
use crate::policy::Requirement;
use crate::revision::Revision;
use crate::rule::{Rule, RuleSet};

/// Notes the rule of this stage, if the message breaks it.
#[inline]
pub(crate) fn note(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    broken.note(Rule::MissingCapability, missing(subject).is_some());
}

/// The first capability that the request needs and its client has not declared:
/// of those that the protocol asks for, then of the policy's.
#[inline]
pub(crate) fn missing(subject: &Subject<'_, '_>) -> Option<Capability> {
    if !subject.is_modern_request() || subject.from == Sender::Server {
        return None;
    }
    let of_method = || {
        let modern = Revision::V2026_07_28;
        let method = subject.envelope.called?;
        // What a client cannot send at all is for the stage of the method.
        let is_sent = method.sent_by(Sender::Client).contains(modern);
        method.capability(Sender::Client, modern).filter(|_| is_sent)
    };
    let of_method = of_method().filter(|needed| needed.owner == Sender::Client);
    let requirements = subject.policy.requirements();
    if of_method.is_none() && requirements.is_empty() {
        return None;
    }
    let object = subject.envelope.meta.client_capabilities;
    if object.json != JsonType::Object {
        // The stage of the metadata has a rule for that.
        return None;
    }
    let capabilities = ClientCapabilities::new(subject.message, object);
    let of_policy = requirements.iter().filter(|requirement| concerns(requirement, subject));
    let mut needed = of_method.into_iter().chain(of_policy.map(Requirement::capability));
    needed.find(|&needed| !capabilities.has(needed))
}

fn concerns(requirement: &Requirement, subject: &Subject<'_, '_>) -> bool {
    let is_on = |wanted: &str| {
        reader::text(subject.message, subject.name).is_some_and(|name| name == *wanted)
    };
    subject.method().is_some_and(|method| method == *requirement.method())
        && requirement.name().is_none_or(is_on)
}

#[cfg(test)]
mod tests {
    use crate::kind::Sender;
    use crate::policy::Policy;
    use crate::rule::Rule;
    use crate::validator::Validator;

    /// What a modern client without capabilities is refused by.
    fn refused(method: &str, params: &str) -> Option<Rule> {
        let request = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}"_meta":{{
                "io.modelcontextprotocol/protocolVersion":"2026-07-28",
                "io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        );
        let mut validator = Validator::new(Policy::strict());
        validator.check(Sender::Client, request.as_bytes()).err().map(|it| it.rule())
    }

    #[test]
    fn what_a_client_may_send_needs_its_capability() {
        let task = r#""taskId":"t","#;
        assert_eq!(refused("tasks/get", task), Some(Rule::MissingCapability));
        assert_eq!(refused("tools/list", ""), None);
    }

    #[test]
    fn what_only_a_server_asks_is_no_method_of_a_client_whatever_it_declares() {
        for method in ["sampling/createMessage", "elicitation/create", "roots/list"] {
            assert_eq!(refused(method, ""), Some(Rule::MethodOfOtherSender), "{method}");
        }
    }
}
