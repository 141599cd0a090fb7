//! Which codes an error of a modern server may have, and what its data must
//! hold ([Error Codes]).
//!
//! [Error Codes]: https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes

use crate::envelope::JsonType;
use crate::json::reader;
use crate::method::Method;
use crate::rule::{Rule, RuleSet};
use crate::rules::subject::Subject;

/// The rules of this file that an error breaks.
pub(super) fn broken(subject: &Subject<'_, '_>) -> RuleSet {
    let mut broken = RuleSet::EMPTY;
    let code = std::str::from_utf8(subject.envelope.code.of(subject.message));
    // What does not fit is in no range that has a meaning.
    let Some(code) = code.ok().and_then(|code| code.parse::<i64>().ok()) else { return broken };
    let rule = match code {
        -32042 => Some(Rule::ErrorCodeRetired),
        -32022..=-32020 => None,
        -32099..=-32020 => Some(Rule::ErrorCodeReserved),
        -32002 => Some(Rule::ErrorCodeNotFound),
        -32019..=-32000 => Some(Rule::ErrorCodeLegacyRange),
        _ => None,
    };
    if let Some(rule) = rule {
        broken.note(rule, true);
    }
    broken.note(Rule::ErrorDataShape, !has_its_data(subject, code));
    let is_discover = subject.to.is_some_and(|to| to.method() == Some(Method::ServerDiscover));
    broken.note(Rule::DiscoverUnimplemented, is_discover && code == -32601);
    broken
}

/// Whether the data holds what the specification defines for the code.
fn has_its_data(subject: &Subject<'_, '_>, code: i64) -> bool {
    let member = |name| reader::member(subject.message, subject.envelope.data, name);
    match code {
        -32021 => member("requiredCapabilities").json == JsonType::Object,
        -32022 => {
            let supported = member("supported");
            let are_versions = reader::elements(subject.message, supported)
                .all(|version| version.json == JsonType::String);
            supported.json == JsonType::Array
                && are_versions
                && member("requested").json == JsonType::String
        }
        _ => true,
    }
}
