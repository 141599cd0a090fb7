//! What an exchange has noticed of one message.

use crate::policy::Policy;
use crate::rule::{Rule, RuleSet};
use crate::summary::Summary;

/// What is wrong between a message and those before it, and which request it
/// belongs to.
#[derive(Clone, Copy, Debug)]
#[must_use]
#[non_exhaustive]
pub struct Noticed {
    /// The rules that it breaks, whatever a policy says of them.
    pub rules: RuleSet,
    /// The request that it answers, cancels or tells of, or whose id it has
    /// taken; `None` where that is not known, or where it starts something new.
    pub request: Option<Summary>,
}

impl Noticed {
    pub(super) const NOTHING: Self = Self { rules: RuleSet::EMPTY, request: None };

    /// A broken rule, and nothing else.
    pub(super) const fn broken(rule: Rule) -> Self {
        Self { rules: RuleSet::EMPTY.with(rule), request: None }
    }

    /// Nothing wrong, and the request that it is about.
    pub(super) const fn about(request: &Summary) -> Self {
        Self { rules: RuleSet::EMPTY, request: Some(*request) }
    }

    /// The same with a broken rule if `broken`.
    pub(super) const fn note(mut self, rule: Rule, broken: bool) -> Self {
        self.rules.note(rule, broken);
        self
    }

    /// The same with more broken rules.
    pub(super) fn and(mut self, rules: RuleSet) -> Self {
        self.rules = self.rules.union(rules);
        self
    }

    /// The rule by which `policy` refuses the message, if it does.
    #[must_use]
    pub fn refused(&self, policy: &Policy) -> Option<Rule> {
        policy.refuses_by(self.rules)
    }

    /// The rules that `policy` reports.
    #[must_use]
    pub fn reported(&self, policy: &Policy) -> RuleSet {
        self.rules.intersection(policy.reported())
    }
}
