//! What to let through: an action for each rule, and the limits.
//!
//! Plain data that can be built in a `const`; it decides nothing by itself.

use crate::rule::{Action, Rule, RuleSet};

/// The bounds of all that grows. A message at a limit passes, one past it is
/// refused by the rule named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a message (`too-large`). Default 4 MiB; more than
    /// [`Limits::MOST_MESSAGE_BYTES`] is read as that.
    pub message_bytes: usize,
    /// Arrays and objects inside each other, the message itself being the
    /// first (`too-deep`). Default 512; more than
    /// [`Limits::MOST_DEPTH`] is read as that.
    pub depth: usize,
    /// Bytes of an id with its quotes (`id-too-long`). Default 1 KiB.
    pub id_bytes: usize,
    /// Bytes of a method as written, without its quotes (`method-too-long`).
    /// Default 256.
    pub method_bytes: usize,
    /// Members of each object whose members are read: the message, `params`,
    /// `_meta`, `result`, `error` (`members-too-many`). Default 1024.
    pub members: usize,
}

impl Limits {
    /// The largest limit on the bytes of a message: 1 GiB. Positions are kept
    /// in 32 bits, and the tape needs room behind the message.
    pub const MOST_MESSAGE_BYTES: usize = 1 << 30;
    /// The largest limit on depth: 8192.
    pub const MOST_DEPTH: usize = 8192;

    /// The defaults.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            message_bytes: 4 << 20,
            depth: 512,
            id_bytes: 1 << 10,
            method_bytes: 256,
            members: 1024,
        }
    }

    /// Sets the bytes of a message.
    #[must_use]
    pub const fn with_message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = bytes;
        self
    }

    /// Sets the depth.
    #[must_use]
    pub const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the bytes of an id.
    #[must_use]
    pub const fn with_id_bytes(mut self, bytes: usize) -> Self {
        self.id_bytes = bytes;
        self
    }

    /// Sets the bytes of a method.
    #[must_use]
    pub const fn with_method_bytes(mut self, bytes: usize) -> Self {
        self.method_bytes = bytes;
        self
    }

    /// Sets the members of an object.
    #[must_use]
    pub const fn with_members(mut self, members: usize) -> Self {
        self.members = members;
        self
    }

    /// The limits with those that have a ceiling of their own cut to it.
    const fn within_ceilings(mut self) -> Self {
        if self.message_bytes > Self::MOST_MESSAGE_BYTES {
            self.message_bytes = Self::MOST_MESSAGE_BYTES;
        }
        if self.depth > Self::MOST_DEPTH {
            self.depth = Self::MOST_DEPTH;
        }
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// What a [`Validator`](crate::Validator) lets through.
///
/// ```
/// use mcparse::{Action, Limits, Policy, Rule};
///
/// static POLICY: Policy = Policy::strict()
///     .with_action(Rule::IdFloat, Action::Report)
///     .with_limits(Limits::new().with_message_bytes(64 << 10));
///
/// assert_eq!(POLICY.action(Rule::IdFloat), Action::Report);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// No rule is in both sets; one in neither is off.
    refuse: RuleSet,
    report: RuleSet,
    limits: Limits,
}

impl Policy {
    /// The default: every rule with its default action.
    #[must_use]
    pub const fn strict() -> Self {
        let mut policy =
            Self { refuse: RuleSet::EMPTY, report: RuleSet::EMPTY, limits: Limits::new() };
        let mut at = 0;
        while at < Rule::ALL.len() {
            let rule = Rule::ALL[at];
            policy = policy.set(rule, rule.default_action());
            at += 1;
        }
        policy
    }

    /// Everything in shadow: what is not fatal is reported instead of refused.
    #[must_use]
    pub const fn observe() -> Self {
        let mut policy = Self::strict();
        let mut at = 0;
        while at < Rule::ALL.len() {
            let rule = Rule::ALL[at];
            if matches!(rule.default_action(), Action::Refuse) {
                policy = policy.with_action(rule, Action::Report);
            }
            at += 1;
        }
        policy
    }

    /// Sets what is done when `rule` is broken. A fatal rule
    /// ([`Rule::is_fatal`]) stays [`Action::Refuse`].
    #[must_use]
    pub const fn with_action(self, rule: Rule, action: Action) -> Self {
        if rule.is_fatal() { self } else { self.set(rule, action) }
    }

    /// Sets the limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits.within_ceilings();
        self
    }

    /// What is done when `rule` is broken.
    #[must_use]
    pub const fn action(&self, rule: Rule) -> Action {
        if self.refuse.contains(rule) {
            Action::Refuse
        } else if self.report.contains(rule) {
            Action::Report
        } else {
            Action::Off
        }
    }

    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The rules that refuse.
    pub(crate) const fn refused(&self) -> RuleSet {
        self.refuse
    }

    /// The rules that are reported.
    pub(crate) const fn reported(&self) -> RuleSet {
        self.report
    }

    const fn set(mut self, rule: Rule, action: Action) -> Self {
        self.refuse = self.refuse.without(rule);
        self.report = self.report.without(rule);
        match action {
            Action::Refuse => self.refuse = self.refuse.with(rule),
            Action::Report => self.report = self.report.with(rule),
            Action::Off => {}
        }
        self
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::strict()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fatal_rule_cannot_be_put_in_shadow() {
        let policy = Policy::strict().with_action(Rule::NotJson, Action::Off);
        assert_eq!(policy.action(Rule::NotJson), Action::Refuse);
        for &rule in Rule::ALL {
            assert_eq!(Policy::strict().action(rule), rule.default_action(), "{rule}");
            let refuses = Policy::observe().action(rule) == Action::Refuse;
            assert_eq!(refuses, rule.is_fatal(), "{rule}");
        }
    }

    #[test]
    fn the_last_word_on_an_action_holds() {
        let policy = Policy::strict()
            .with_action(Rule::Hybrid, Action::Report)
            .with_action(Rule::Hybrid, Action::Off);
        assert_eq!(policy.action(Rule::Hybrid), Action::Off);
    }

    #[test]
    fn limits_beyond_their_ceilings_are_cut() {
        let limits = Limits::new().with_message_bytes(usize::MAX).with_depth(usize::MAX);
        let policy = Policy::strict().with_limits(limits);
        assert_eq!(policy.limits().message_bytes, Limits::MOST_MESSAGE_BYTES);
        assert_eq!(policy.limits().depth, Limits::MOST_DEPTH);
    }
}
