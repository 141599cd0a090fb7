//! Every rule as data: its id, stage, code, HTTP status, default action,
//! section and reason; and sets of rules.
//!
//! The order of the rows is the order of judgement: of two broken rules the
//! earlier row wins. How a rule is checked is in `message.rs` and `rules/`,
//! not here. Ids are final once released.

use std::fmt;

use crate::code::ErrorCode;

/// What a [`Policy`](crate::Policy) does when a rule is broken.
///
/// Closed: a verdict has no fourth way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The message is refused: a [`Violation`](crate::Violation).
    Refuse,
    /// The message passes and the rule is among its findings.
    Report,
    /// Nothing is said.
    Off,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refuse => "refuse",
            Self::Report => "report",
            Self::Off => "off",
        })
    }
}

/// The step of the order of judgement that a rule belongs to, so that
/// malformed input and the later kinds of failure stay apart as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Framing, UTF-8, JSON and its bounds.
    Json,
    /// The protocol members of a message and what kind they make it.
    Envelope,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Json => "json",
            Self::Envelope => "envelope",
        })
    }
}

/// The default action of a rule, and whether a policy may change it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Always refused: past it there is no JSON, or no kind, to go on with.
    Fatal,
    Refuse,
    Report,
    Off,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $stage:ident, $code:ident, $status:literal,
       $default:ident, $section:expr, $reason:literal;)*) => {
        /// One named thing that must hold of a message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// Every rule, in the order of judgement.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            const fn row(self) -> &'static Row {
                const ROWS: &[Row] = &[$(Row {
                    id: $id,
                    stage: Stage::$stage,
                    code: ErrorCode::$code,
                    status: $status,
                    standing: Standing::$default,
                    section: $section,
                    reason: $reason,
                },)*];
                &ROWS[self as usize]
            }
        }
    };
}

struct Row {
    id: &'static str,
    stage: Stage,
    code: ErrorCode,
    status: u16,
    standing: Standing,
    section: &'static str,
    reason: &'static str,
}

const EVENTS: &str =
    "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation";
const JSON: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-2";
const ENCODING: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-8.1";
const LIMITS: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-9";
const UNICODE: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-8.2";
const NAMES: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-4";
const NUMBERS: &str = "https://www.rfc-editor.org/rfc/rfc8259#section-6";
const MESSAGES: &str = "https://modelcontextprotocol.io/specification/2026-07-28/basic#messages";
const REQUESTS: &str = "https://modelcontextprotocol.io/specification/2026-07-28/basic#requests";
const RESULTS: &str =
    "https://modelcontextprotocol.io/specification/2026-07-28/basic#result-responses";
const ERRORS: &str =
    "https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses";
const BATCH: &str = "https://modelcontextprotocol.io/specification/2025-03-26/basic#batching";

rules! {
    /// The message is longer than the policy's limit.
    TooLarge = "too-large", Json, INVALID_REQUEST, 413, Fatal, LIMITS,
        "the message is longer than the limit";
    /// An event stream ended before the blank line that completes its last event.
    SseEventCut = "sse-event-cut", Json, PARSE_ERROR, 400, Report, EVENTS,
        "the stream ended inside an event, which is dropped";
    /// An event whose name is not `message`, and so holds no message.
    SseEventOther = "sse-event-other", Json, PARSE_ERROR, 400, Off, EVENTS,
        "the event is not named message";
    /// Some bytes are not UTF-8.
    NotUtf8 = "not-utf8", Json, PARSE_ERROR, 400, Fatal, ENCODING,
        "the message is not valid UTF-8";
    /// The message starts with a byte order mark.
    Bom = "bom", Json, PARSE_ERROR, 400, Refuse, ENCODING,
        "the message starts with a byte order mark";
    /// The message is not one JSON value.
    NotJson = "not-json", Json, PARSE_ERROR, 400, Fatal, JSON,
        "the message is not JSON";
    /// Arrays and objects are nested deeper than the policy's limit.
    TooDeep = "too-deep", Json, PARSE_ERROR, 400, Fatal, LIMITS,
        "arrays and objects are nested deeper than the limit";
    /// A `\u` escape is half of a surrogate pair and stands for no character.
    UnpairedSurrogate = "unpaired-surrogate", Json, PARSE_ERROR, 400, Refuse, UNICODE,
        "a surrogate escape has no other half";

    /// The message is an array: a batch, which only 2025-03-26 has.
    Batch = "batch", Envelope, INVALID_REQUEST, 400, Fatal, BATCH,
        "the message is an array; batches are not part of the protocol";
    /// The message is a JSON value other than an object.
    NotObject = "not-object", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "the message is not an object";
    /// The member `jsonrpc` is missing, or is not the string `2.0`.
    JsonrpcVersion = "jsonrpc-version", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "the member jsonrpc must be the string \"2.0\"";
    /// None of `method`, `result` and `error` is there.
    NoKind = "no-kind", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "a message needs a method, a result or an error";
    /// `result` and `error` are both there, and no `method`.
    ResultAndError = "result-and-error", Envelope, INVALID_REQUEST, 400, Fatal, MESSAGES,
        "a response has either a result or an error, not both";
    /// `method` is not a string.
    MethodType = "method-type", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the member method must be a string";
    /// `result` is not an object.
    ResultType = "result-type", Envelope, INVALID_REQUEST, 400, Fatal, RESULTS,
        "the member result must be an object";
    /// `error` is not an object with an integer `code` and a string `message`.
    ErrorShape = "error-shape", Envelope, INVALID_REQUEST, 400, Fatal, ERRORS,
        "the member error must be an object with an integer code and a string message";
    /// A result has no `id`. An error without one passes, since the revisions
    /// from 2025-11-25 on have it.
    IdMissing = "id-missing", Envelope, INVALID_REQUEST, 400, Fatal, RESULTS,
        "a response needs the id of its request";
    /// The `id` of a request or a result is `null`.
    IdNull = "id-null", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the id must not be null";
    /// `id` is neither a string nor an integer.
    IdType = "id-type", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the id must be a string or an integer";
    /// `id` is an integer in float form: `1.0`, `1e3`.
    IdFloat = "id-float", Envelope, INVALID_REQUEST, 400, Refuse, REQUESTS,
        "the id is an integer written as a float";
    /// `params` is not an object.
    ParamsType = "params-type", Envelope, INVALID_REQUEST, 400, Fatal, REQUESTS,
        "the member params must be an object";
    /// A protocol member is given twice, in whatever spelling.
    DuplicateMember = "duplicate-member", Envelope, INVALID_REQUEST, 400, Refuse, NAMES,
        "a protocol member is given twice, and readers differ in which one they take";
    /// A member's name differs from a protocol member's only by case, by a
    /// character that folds to it, or by a trailing NUL.
    LookalikeMember = "lookalike-member", Envelope, INVALID_REQUEST, 400, Refuse, NAMES,
        "a member's name looks like a protocol member, and lenient readers take it for one";
    /// `method` stands beside `result` or `error`.
    Hybrid = "hybrid", Envelope, INVALID_REQUEST, 400, Refuse, MESSAGES,
        "a method stands beside a result or an error";
    /// `id` is longer than the policy's limit.
    IdTooLong = "id-too-long", Envelope, INVALID_REQUEST, 400, Refuse, REQUESTS,
        "the id is longer than the limit";
    /// `method` is longer than the policy's limit.
    MethodTooLong = "method-too-long", Envelope, INVALID_REQUEST, 400, Refuse, REQUESTS,
        "the method is longer than the limit";
    /// An object of the envelope has more members than the policy's limit.
    MembersTooMany = "members-too-many", Envelope, INVALID_REQUEST, 400, Refuse, NAMES,
        "an object of the envelope has more members than the limit";
    /// Any object, however deep, gives a member twice.
    DeepDuplicate = "deep-duplicate", Envelope, INVALID_REQUEST, 400, Off, NAMES,
        "an object gives a member twice";
    /// The message has a member that its kind does not define.
    UnknownMember = "unknown-member", Envelope, INVALID_REQUEST, 400, Report, MESSAGES,
        "the message has a member that its kind does not define";
    /// `id` is an integer beyond 2^53 - 1, which many readers round.
    IdUnsafeInteger = "id-unsafe-integer", Envelope, INVALID_REQUEST, 400, Report, NUMBERS,
        "the id is an integer beyond 2^53 - 1, which many readers round";
    /// The `id` of an error response is `null`; the schema has it left out.
    ErrorIdNull = "error-id-null", Envelope, INVALID_REQUEST, 400, Report, ERRORS,
        "the id of an error response is null; from 2025-11-25 on it is left out";
}

impl Rule {
    /// The stable name, in lower case with hyphens.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// The rule with this stable name.
    ///
    /// ```
    /// use mcparse::Rule;
    ///
    /// assert_eq!(Rule::from_id("id-null"), Some(Rule::IdNull));
    /// ```
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.id() == id)
    }

    /// The step of the order of judgement that the rule belongs to.
    #[must_use]
    pub const fn stage(self) -> Stage {
        self.row().stage
    }

    /// The JSON-RPC error code of a refusal by this rule.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        self.row().code
    }

    /// The HTTP status of a refusal by this rule.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        self.row().status
    }

    /// What is done when the rule is broken and the policy does not say.
    #[must_use]
    pub const fn default_action(self) -> Action {
        match self.row().standing {
            Standing::Fatal | Standing::Refuse => Action::Refuse,
            Standing::Report => Action::Report,
            Standing::Off => Action::Off,
        }
    }

    /// Whether the rule always refuses, whatever the policy says: past it
    /// there is no JSON, or no kind of message, to go on with.
    #[must_use]
    pub const fn is_fatal(self) -> bool {
        matches!(self.row().standing, Standing::Fatal)
    }

    /// The address of the section that asks for it.
    #[must_use]
    pub const fn section(self) -> &'static str {
        self.row().section
    }

    /// Why a message that breaks it is refused: one clause in lower case.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.row().reason
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A set of rules: the findings of an accepted message.
///
/// ```
/// use mcparse::{Rule, RuleSet};
///
/// let findings = RuleSet::EMPTY.with(Rule::UnknownMember);
/// assert!(findings.contains(Rule::UnknownMember));
/// assert_eq!(findings.iter().map(Rule::id).collect::<Vec<_>>(), ["unknown-member"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet {
    words: [u64; WORDS],
}

const WORDS: usize = Rule::ALL.len().div_ceil(64);

impl RuleSet {
    /// The set with no rule in it.
    pub const EMPTY: Self = Self { words: [0; WORDS] };

    /// This set and `rule`.
    #[must_use]
    pub const fn with(mut self, rule: Rule) -> Self {
        let at = rule as usize;
        self.words[at / 64] |= 1 << (at % 64);
        self
    }

    /// This set less `rule`.
    #[must_use]
    pub const fn without(mut self, rule: Rule) -> Self {
        let at = rule as usize;
        self.words[at / 64] &= !(1 << (at % 64));
        self
    }

    /// Adds `rule` if `broken`.
    #[inline]
    pub(crate) const fn note(&mut self, rule: Rule, broken: bool) {
        let at = rule as usize;
        self.words[at / 64] |= (broken as u64) << (at % 64);
    }

    /// The rules that are in this set and in `other`.
    #[must_use]
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        let mut words = self.words;
        words.iter_mut().zip(other.words).for_each(|(word, other)| *word &= other);
        Self { words }
    }

    /// The rules that are in this set, in `other`, or in both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let mut words = self.words;
        words.iter_mut().zip(other.words).for_each(|(word, other)| *word |= other);
        Self { words }
    }

    /// Whether `rule` is in the set.
    #[must_use]
    pub const fn contains(self, rule: Rule) -> bool {
        let at = rule as usize;
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Whether no rule is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The rules of the set, in the order of judgement.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |&rule| self.contains(rule))
    }

    /// The rule of the set that wins.
    #[must_use]
    #[inline]
    pub fn first(self) -> Option<Rule> {
        let at = self.words.iter().position(|&word| word != 0)?;
        Rule::ALL.get(at * 64 + self.words[at].trailing_zeros() as usize).copied()
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Rule::id)).finish()
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        rules.into_iter().fold(Self::EMPTY, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_and_lead_back_to_their_rule() {
        for &rule in Rule::ALL {
            assert_eq!(Rule::from_id(rule.id()), Some(rule));
            assert!(
                rule.id()
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
        }
    }

    #[test]
    fn rows_stand_in_the_order_of_the_stages() {
        assert!(Rule::ALL.is_sorted_by_key(|rule| rule.stage()));
        assert!(Rule::ALL.is_sorted());
    }

    #[test]
    fn every_reason_is_one_clause_in_lower_case() {
        for rule in Rule::ALL {
            let reason = rule.reason();
            assert!(!reason.ends_with('.') && !reason.starts_with(char::is_uppercase), "{rule}");
            assert!(rule.section().starts_with("https://"), "{rule}");
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let all: RuleSet = Rule::ALL.iter().copied().collect();
        assert_eq!(all.iter().count(), Rule::ALL.len());
        let less = all.without(Rule::TooLarge);
        assert_eq!(less.first(), Some(Rule::ALL[1]));
        assert_eq!(less.union(RuleSet::EMPTY.with(Rule::TooLarge)), all);
        assert_eq!(less.intersection(RuleSet::EMPTY.with(Rule::TooLarge)), RuleSet::EMPTY);
    }
}
