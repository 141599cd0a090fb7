//! The rules of `Mcp-Param-*`: whether the headers of a `tools/call` match the
//! arguments that they mirror ([Server behavior for custom headers]).
//!
//! It follows each annotated path through the arguments, and looks at the
//! headers that the path's annotation names; others it ignores. What is done
//! about a fault, and that a stale table only reports, is the caller's.
//!
//! [Server behavior for custom headers]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers

use std::time::Instant;

use super::header_value::{self, Unwrapped};
use crate::envelope::{Field, JsonType};
use crate::id::Decimal;
use crate::json::members::folds_to;
use crate::json::reader;
use crate::param_headers::{Param, ParamHeaders};
use crate::rule::{Rule, RuleSet};
use crate::text::Text;

/// What is broken, and the first of it.
pub(crate) struct Checked<'v> {
    pub(crate) broken: RuleSet,
    /// Of the rule that is wanted, or else of the first broken one in the order
    /// of judgement; of several by the same rule, the first annotation's.
    pub(crate) fault: Option<Fault<'v>>,
    wanted: Option<Rule>,
    /// The table knows the tool.
    pub(crate) is_known: bool,
    /// Something is broken, but what the table knows no longer counts; nothing
    /// may be refused by it.
    pub(crate) is_stale: bool,
}

/// One broken rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault<'v> {
    pub(crate) rule: Rule,
    /// Where the argument's value stands in the body; where there is none, the
    /// `arguments`, or 0 if there are none either. For `duplicate-member`, the
    /// second member's name.
    pub(crate) offset: u32,
    /// The header's value as received.
    pub(crate) header: Option<&'v [u8]>,
    pub(crate) name: Name<'v>,
    /// The span of the argument's value; empty if there is none.
    pub(crate) body: (u32, u32),
}

/// How to name a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name<'v> {
    /// As received, with its prefix.
    Received(&'v [u8]),
    /// There is none: the member that it should mirror, as the body names it.
    Argument(Text<'v>),
}

/// The headers of a call: name as received and value without spaces and tabs
/// around it, whether there were more than these, and the most bytes of a value.
#[derive(Clone, Copy)]
pub(crate) struct Received<'s, 'v> {
    pub(crate) headers: &'s [(&'v [u8], &'v [u8])],
    pub(crate) is_cut: bool,
    pub(crate) limit: usize,
    /// A member beside `arguments` looks like it.
    pub(crate) has_lookalike: bool,
}

/// Compares the headers of a call of `tool` with its `arguments`, which are a
/// member of `message`. `now` is only asked for if something is broken. The
/// fault is that of the rule `wanted`, if there is one.
pub(crate) fn check<'v>(
    table: &ParamHeaders,
    now: impl FnOnce() -> Instant,
    tool: Text<'_>,
    arguments: Field,
    message: &'v [u8],
    received: Received<'_, 'v>,
    wanted: Option<Rule>,
) -> Checked<'v> {
    let mut checked =
        Checked { broken: RuleSet::EMPTY, fault: None, wanted, is_known: false, is_stale: false };
    let Some(tool) = table.tool(tool) else { return checked };
    checked.is_known = !tool.params.is_empty();
    checked.broken.note(Rule::ParamHeadersTooMany, checked.is_known && received.is_cut);
    checked.broken.note(Rule::LookalikeMember, checked.is_known && received.has_lookalike);
    for params in tool.params.chunks(MOST_AT_ONCE) {
        let start = arguments.start;
        let found = [Argument { name: None, value: Field::default(), offset: start }; MOST_AT_ONCE];
        let mut walk = Walk { message, start, params, found, checked: &mut checked };
        walk.object(arguments, 0, u16::MAX);
        let found = walk.found;
        for (param, argument) in params.iter().zip(&found) {
            judge(param, argument, message, received, &mut checked);
        }
    }
    // Where nothing is broken it does not matter, and a clock costs more than
    // all the rest.
    checked.is_stale = !checked.broken.is_empty() && tool.is_stale(now());
    checked
}

/// One argument and the headers that mirror it.
fn judge<'v>(
    param: &Param,
    argument: &Argument<'v>,
    message: &'v [u8],
    received: Received<'_, 'v>,
    checked: &mut Checked<'v>,
) {
    let mut first: Option<&[u8]> = None;
    for &(name, value) in received.headers.iter().filter(|(name, _)| is_of(name, &param.header)) {
        let mut note = |rule| checked.note(rule, argument, Some((name, value)));
        if !header_value::is_plain(value) {
            note(Rule::HeaderCharacters);
        }
        if value.len() > received.limit {
            note(Rule::HeaderTooLong);
        }
        match first {
            None => first = Some(value),
            Some(first) if first == value => note(Rule::HeaderRepeatedEqual),
            Some(_) => note(Rule::HeaderRepeated),
        }
        // Every copy is compared: a policy may let them differ.
        compare(value, argument.value, message, note);
    }
    if first.is_none() && is_given(argument.value) {
        checked.note(Rule::ParamHeaderMissing, argument, None);
    }
}

impl<'v> Checked<'v> {
    fn note(&mut self, rule: Rule, argument: &Argument<'v>, header: Option<(&'v [u8], &'v [u8])>) {
        self.broken = self.broken.with(rule);
        let is_other = self.wanted.is_some_and(|wanted| wanted != rule);
        if is_other || self.fault.is_some_and(|fault| fault.rule <= rule) {
            return;
        }
        let name = match (header, argument.name) {
            (Some((name, _)), _) => Name::Received(name),
            (None, Some(name)) => Name::Argument(name),
            (None, None) => Name::Argument(Text::new(&[])),
        };
        let Field { start, end, .. } = argument.value;
        self.fault = Some(Fault {
            rule,
            offset: argument.offset,
            header: header.map(|(_, value)| value),
            name,
            body: (start, end),
        });
    }
}

/// Where a path leads.
#[derive(Clone, Copy)]
struct Argument<'v> {
    /// Of the last member that was found on it.
    name: Option<Text<'v>>,
    value: Field,
    offset: u32,
}

/// How many paths are followed at once; there is a bit for each.
const MOST_AT_ONCE: usize = 16;

/// Follows the paths of all `params` through the arguments together, so that no
/// object is read more often than it is deep.
struct Walk<'w, 'v> {
    message: &'v [u8],
    /// Of the arguments: where one is missed.
    start: u32,
    params: &'w [Param],
    found: [Argument<'v>; MOST_AT_ONCE],
    checked: &'w mut Checked<'v>,
}

impl Walk<'_, '_> {
    /// Goes over the members of `object`, which `level` steps of the paths of
    /// `wanted` lead to. Of a member given twice it takes the last, as JSON
    /// libraries do, and notes that others may not; and which look like one.
    fn object(&mut self, object: Field, level: usize, wanted: u16) {
        let mut seen = 0;
        for member in reader::members(self.message, object) {
            let argument = Argument {
                name: Some(member.name),
                value: Field::default(),
                offset: member.offset,
            };
            let (mut here, mut deeper, mut is_similar) = (0, 0, false);
            for (at, param) in self.params.iter().enumerate() {
                let bit = 1 << at;
                let Some(step) = param.path.get(level).filter(|_| wanted & bit != 0) else {
                    continue;
                };
                if member.name != **step {
                    is_similar |= looks_like(member.name, step);
                    continue;
                }
                here |= bit;
                self.found[at] = if param.path.len() > level + 1 {
                    deeper |= bit;
                    Argument { offset: self.start, ..argument }
                } else {
                    Argument { value: member.value, offset: member.value.start, ..argument }
                };
            }
            if here & seen != 0 {
                let again = Argument { value: member.value, ..argument };
                self.checked.note(Rule::DuplicateMember, &again, None);
            }
            if here == 0 && is_similar {
                self.checked.note(Rule::LookalikeMember, &argument, None);
            }
            seen |= here;
            if deeper != 0 {
                self.object(member.value, level + 1, deeper);
            }
        }
    }
}

/// Whether a lenient reader could take the member `name` for `step`, which it is
/// not.
pub(super) fn looks_like(name: Text<'_>, step: &str) -> bool {
    folds_to(name.bytes(), step)
}

/// Whether a header must mirror `argument`.
fn is_given(argument: Field) -> bool {
    !matches!(argument.json, JsonType::Absent | JsonType::Null)
}

/// Whether `name` is `Mcp-Param-` and `header`, in any case.
fn is_of(name: &[u8], header: &str) -> bool {
    const PREFIX: &[u8] = b"mcp-param-";
    let header = header.as_bytes();
    name.len() == PREFIX.len() + header.len()
        && name[..PREFIX.len()].eq_ignore_ascii_case(PREFIX)
        && name[PREFIX.len()..].eq_ignore_ascii_case(header)
}

/// Compares one value with the argument, by the JSON type that this has. What
/// cannot be unwrapped does not match either, so that no policy lets it pass
/// for equal.
fn compare(value: &[u8], argument: Field, message: &[u8], mut note: impl FnMut(Rule)) {
    let lexeme = argument.of(message);
    if !is_given(argument) {
        return note(Rule::ParamHeaderUnexpected);
    }
    let unwrapped = match Unwrapped::new(value) {
        Ok(unwrapped) => unwrapped,
        Err(rule) => {
            note(rule);
            return note(Rule::ParamHeaderMismatch);
        }
    };
    if unwrapped.has_stray_bits() {
        note(Rule::HeaderBase64StrayBits);
    }
    let is_equal = match argument.json {
        JsonType::String => {
            reader::text(message, argument).is_some_and(|argument| unwrapped.says(argument))
        }
        JsonType::Bool => unwrapped.bytes().eq(lexeme.iter().copied()),
        JsonType::Number => is_equal_number(&unwrapped, lexeme, &mut note),
        _ => false,
    };
    if !is_equal {
        note(Rule::ParamHeaderMismatch);
    }
}

/// Whether a header's text is an integer equal to `argument`, a JSON number.
fn is_equal_number(unwrapped: &Unwrapped<'_>, argument: &[u8], mut note: impl FnMut(Rule)) -> bool {
    const MOST: &[u8] = b"9007199254740991";
    let argument = Decimal::new(argument);
    if argument.is_integral() && argument.is_beyond(MOST) {
        note(Rule::ParamHeaderRange);
    }
    let mut room = [0; WRAPPED_NUMBER];
    let Some(text) = number(unwrapped, &mut room) else { return false };
    argument.is_integral() && Decimal::new(text) == argument
}

/// The bytes of a number that is wrapped in base64, which none needs to be;
/// a longer one is equal to nothing.
const WRAPPED_NUMBER: usize = 64;

/// The text of a header, if that is a number as JSON writes them.
fn number<'r>(unwrapped: &Unwrapped<'r>, room: &'r mut [u8; WRAPPED_NUMBER]) -> Option<&'r [u8]> {
    let text = match *unwrapped {
        Unwrapped::Literal(text) => text,
        Unwrapped::Wrapped(_) => {
            let mut len = 0;
            for byte in unwrapped.bytes() {
                *room.get_mut(len)? = byte;
                len += 1;
            }
            &room[..len]
        }
    };
    is_number(text).then_some(text)
}

/// `number = [ minus ] int [ frac ] [ exp ]` ([RFC 8259, section 6]).
///
/// [RFC 8259, section 6]: https://www.rfc-editor.org/rfc/rfc8259#section-6
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let int = digits(unsigned);
    if int == 0 || int > 1 && unsigned[0] == b'0' {
        return false;
    }
    let mut rest = &unsigned[int..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let len = digits(fraction);
        if len == 0 {
            return false;
        }
        rest = &fraction[len..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            _ => exponent,
        };
        let len = digits(exponent);
        if len == 0 {
            return false;
        }
        rest = &exponent[len..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests;
