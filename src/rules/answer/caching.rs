//! How long and by whom a result may be kept ([Caching]).
//!
//! [Caching]: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching

use super::ResultType;
use crate::envelope::JsonType;
use crate::id::Decimal;
use crate::json::reader;
use crate::method::Method;
use crate::rule::{Rule, RuleSet};
use crate::rules::subject::Subject;
use crate::summary::Summary;

/// Notes the rules of this file that a modern result breaks.
pub(super) fn note(subject: &Subject<'_, '_>, kind: ResultType, broken: &mut RuleSet) {
    let envelope = subject.envelope;
    let (ttl, scope) = (envelope.ttl_ms, envelope.cache_scope);
    let method = subject.to.and_then(Summary::method);
    if kind == ResultType::InputRequired {
        broken.note(Rule::CacheOnInputRequired, ttl.is_present() || scope.is_present());
    }
    // A task has a `ttlMs` too, which is how long it is kept, and may be null.
    let are_hints = method.map_or(scope.is_present(), Method::is_cacheable);
    if !are_hints {
        return;
    }
    let is_complete = matches!(kind, ResultType::Complete | ResultType::Missing);
    let lacks_one = !ttl.is_present() || !scope.is_present();
    broken.note(Rule::CacheHintMissing, method.is_some() && is_complete && lacks_one);
    if ttl.is_present() {
        let number = Decimal::new(ttl.of(subject.message));
        let is_integer = ttl.json == JsonType::Number && number.is_integral();
        broken.note(Rule::TtlType, !is_integer);
        broken.note(Rule::TtlNegative, is_integer && number.is_negative());
    }
    if scope.is_present() {
        let said = reader::text(subject.message, scope);
        let is_known = said.is_some_and(|said| said == *"public" || said == *"private");
        broken.note(Rule::CacheScopeUnknown, !is_known);
    }
}
