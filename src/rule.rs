//! What is known of each rule: its id, stage, code, HTTP status, default
//! action, section and reason.
//!
//! The rows are data, in `rule/table.rs`; sets of rules are in `rule/set.rs`.
//! How a rule is checked is in `message.rs` and `rules/`, not here.

mod row;
mod section;
mod set;
mod table;

use std::fmt;

use row::Standing;
pub use set::{RuleSet, Rules};
pub use table::Rule;

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
    /// How a message comes over HTTP: the head alone, before the body is read.
    Transport,
    /// Framing, UTF-8, JSON and its bounds.
    Json,
    /// The protocol members of a message, what kind they make it, and whether
    /// its sender may send that kind.
    Envelope,
    /// What a request says of itself in `_meta`.
    Metadata,
    /// The HTTP headers that mirror the body.
    Headers,
    /// Whether the revision is served.
    Version,
    /// Whether the client has declared what the request needs.
    Capability,
    /// Whether the method exists in that revision, for that sender.
    Method,
    /// The method's own params.
    Params,
    /// Whether an answer is one to its request.
    Answer,
    /// Whether a message fits those before it: only an
    /// [`Exchange`](crate::Exchange) knows, a verdict never asks.
    Exchange,
    /// Whether a message fits the session of the handshake era that it is sent
    /// in: only a [`Session`](crate::Session) knows, a verdict never asks.
    Session,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transport => "transport",
            Self::Json => "json",
            Self::Envelope => "envelope",
            Self::Metadata => "metadata",
            Self::Headers => "headers",
            Self::Version => "version",
            Self::Capability => "capability",
            Self::Method => "method",
            Self::Params => "params",
            Self::Answer => "answer",
            Self::Exchange => "exchange",
            Self::Session => "session",
        })
    }
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
        let first = Rule::ALL[0];
        let less = all.without(first);
        assert_eq!(less.first(), Some(Rule::ALL[1]));
        assert_eq!(less.union(RuleSet::EMPTY.with(first)), all);
        assert_eq!(less.intersection(RuleSet::EMPTY.with(first)), RuleSet::EMPTY);
    }
}
