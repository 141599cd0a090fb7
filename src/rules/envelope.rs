//! The envelope's rules beyond the truth table: what makes a message ambiguous
//! to another reader, what exceeds a limit, and what is merely odd.
//!
//! They all read the finished [`Envelope`]; none looks at the JSON again.

use crate::envelope::{Envelope, JsonType};
use crate::id::Decimal;
use crate::kind::Kind;
use crate::message::IdForm;
use crate::policy::Limits;
use crate::rule::{Rule, RuleSet};

/// Notes all the rules of this file that a message of this kind breaks.
#[inline]
pub(crate) fn note(
    envelope: &Envelope,
    message: &[u8],
    kind: Kind,
    id: IdForm,
    limits: &Limits,
    broken: &mut RuleSet,
) {
    broken.note(Rule::IdFloat, id == IdForm::Float);
    broken.note(Rule::DuplicateMember, envelope.duplicate.is_seen());
    broken.note(Rule::LookalikeMember, envelope.lookalike.is_seen());
    broken.note(Rule::Hybrid, is_hybrid(envelope));
    broken.note(Rule::IdTooLong, is_id_too_long(envelope, limits));
    broken.note(Rule::MethodTooLong, is_method_too_long(envelope, limits));
    broken.note(Rule::MembersTooMany, envelope.crowded.is_seen());
    broken.note(Rule::DeepDuplicate, envelope.deep_duplicate.is_seen());
    broken.note(Rule::UnknownMember, has_unknown_member(envelope, kind));
    broken.note(Rule::IdUnsafeInteger, is_id_unsafe(envelope, message, id));
}

/// Where in the message `rule` is broken: the value or the member name that a
/// person should look at.
pub(crate) fn offset(rule: Rule, envelope: &Envelope) -> usize {
    let or_root = |start: u32| start.max(envelope.root.start) as usize;
    match rule {
        Rule::JsonrpcVersion => or_root(envelope.jsonrpc.start),
        Rule::MethodType | Rule::MethodTooLong => or_root(envelope.method.start),
        Rule::ResultType => or_root(envelope.result.start),
        Rule::ErrorShape | Rule::ResultAndError => or_root(envelope.error.start),
        Rule::IdNull
        | Rule::IdType
        | Rule::IdFloat
        | Rule::IdTooLong
        | Rule::IdUnsafeInteger
        | Rule::ErrorIdNull => or_root(envelope.id.start),
        Rule::Hybrid => or_root(match envelope.result.json {
            JsonType::Absent => envelope.error.start,
            _ => envelope.result.start,
        }),
        Rule::DuplicateMember => envelope.duplicate.offset(),
        Rule::LookalikeMember => envelope.lookalike.offset(),
        Rule::MembersTooMany => envelope.crowded.offset(),
        Rule::DeepDuplicate => envelope.deep_duplicate.offset(),
        Rule::UnknownMember if envelope.unknown.is_seen() => envelope.unknown.offset(),
        Rule::ParamsType | Rule::UnknownMember => or_root(envelope.params.start),
        _ => envelope.root.start as usize,
    }
}

/// `hybrid`: a lenient reader may take a method beside a result or an error for
/// a response.
fn is_hybrid(envelope: &Envelope) -> bool {
    envelope.method.is_present() && (envelope.result.is_present() || envelope.error.is_present())
}

/// `id-too-long`: the id, quotes included, is beyond the limit.
fn is_id_too_long(envelope: &Envelope, limits: &Limits) -> bool {
    (envelope.id.end - envelope.id.start) as usize > limits.id_bytes
}

/// `method-too-long`: the method as written is beyond the limit.
fn is_method_too_long(envelope: &Envelope, limits: &Limits) -> bool {
    let quotes = 2;
    (envelope.method.end - envelope.method.start) as usize
        > limits.method_bytes.saturating_add(quotes)
}

/// `unknown-member`: a name that is none of the protocol's, or `params` in a
/// response.
fn has_unknown_member(envelope: &Envelope, kind: Kind) -> bool {
    envelope.unknown.is_seen() || kind.is_response() && envelope.params.is_present()
}

/// `id-unsafe-integer`: an integer that does not survive a double-precision
/// reader ([RFC 8259, section 6]).
///
/// [RFC 8259, section 6]: https://www.rfc-editor.org/rfc/rfc8259#section-6
fn is_id_unsafe(envelope: &Envelope, message: &[u8], id: IdForm) -> bool {
    const MOST: &[u8] = b"9007199254740991";
    let lexeme = envelope.id.of(message);
    if id == IdForm::Float {
        return Decimal::new(lexeme).is_beyond(MOST);
    }
    // Ids differ in type more often than in being as long as that.
    if lexeme.len() < MOST.len() || envelope.id.json != JsonType::Number {
        return false;
    }
    let digits = lexeme.strip_prefix(b"-").unwrap_or(lexeme);
    digits.len() > MOST.len() || digits.len() == MOST.len() && digits > MOST
}
