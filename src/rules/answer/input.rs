//! Results that ask for input before the request can be answered ([Multi
//! Round-Trip Requests]).
//!
//! [Multi Round-Trip Requests]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr

use super::named;
use crate::envelope::{Field, JsonType};
use crate::json::reader;
use crate::method::{Capability, Method};
use crate::rule::{Rule, RuleSet};
use crate::rules::subject::Subject;
use crate::summary::Summary;
use crate::violation::Detail;

/// Notes the rules of this file that a result breaks which is `input_required`.
pub(super) fn note(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    let may_ask = subject.to.and_then(Summary::method).is_none_or(Method::may_ask_for_input);
    broken.note(Rule::InputRequiredMethod, !may_ask);
    let asks = named(subject, "inputRequests");
    let is_empty = !asks.is_present() && !named(subject, "requestState").is_present();
    broken.note(Rule::InputRequiredEmpty, is_empty);
    for question in reader::members(subject.message, asks) {
        match capability(subject.message, question.value) {
            None => broken.note(Rule::InputRequestMethod, true),
            Some(needed) => {
                broken.note(Rule::InputRequestUndeclared, is_undeclared(subject, needed));
            }
        }
    }
}

/// The first question that breaks `rule`.
#[cold]
pub(super) fn place(rule: Rule, subject: &Subject<'_, '_>) -> (u32, Detail<'static>) {
    let asks = named(subject, "inputRequests");
    for question in reader::members(subject.message, asks) {
        match (rule, capability(subject.message, question.value)) {
            (Rule::InputRequestMethod, None) => return (question.value.start, Detail::Nothing),
            (Rule::InputRequestUndeclared, Some(needed)) if is_undeclared(subject, needed) => {
                return (question.value.start, Detail::Capability(needed));
            }
            _ => {}
        }
    }
    (asks.start, Detail::Nothing)
}

fn is_undeclared(subject: &Subject<'_, '_>, needed: Capability) -> bool {
    subject.to.is_some_and(|to| !to.has_capability(needed))
}

/// The capability that a question needs; `None` if a server may not ask it.
fn capability(message: &[u8], question: Field) -> Option<Capability> {
    let method = reader::text(message, reader::member(message, question, "method"))?;
    let params = reader::member(message, question, "params");
    match Method::from_text(method)? {
        Method::RootsList => Some(Capability::of_client("roots")),
        // https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#tools-in-sampling
        Method::SamplingCreateMessage => {
            let sampling = Capability::of_client("sampling");
            let has_tools = reader::member(message, params, "tools").json == JsonType::Array;
            Some(if has_tools { sampling.with_part("tools") } else { sampling })
        }
        Method::ElicitationCreate => {
            let mode = reader::text(message, reader::member(message, params, "mode"));
            let is_at_url = mode.is_some_and(|mode| mode == *"url");
            let part = if is_at_url { "url" } else { "form" };
            Some(Capability::of_client("elicitation").with_part(part))
        }
        _ => None,
    }
}
