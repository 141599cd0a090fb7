//! What to let through: an action for each rule, the limits, the revisions that
//! are served, and what a deployment adds to the protocol.
//!
//! Plain data that can be built in a `const`; it decides nothing by itself.

mod extension;
mod limits;

pub use extension::{ExtraMethod, Requirement};
pub use limits::Limits;

use crate::method::RevisionSet;
use crate::rule::{Action, Rule, RuleSet};

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
///
/// # Eras
///
/// By default all revisions are served, and each message is judged by what it
/// says of itself: see [`Era`](crate::Era). A policy that serves the modern
/// revisions only takes every request for a modern one, but answers an
/// `initialize` with the versions that it serves; one that serves legacy
/// revisions only refuses modern requests (`era-not-served`).
///
/// ```
/// use mcparse::{Policy, RevisionSet};
///
/// const MODERN: Policy = Policy::strict().with_revisions(RevisionSet::MODERN);
/// ```
///
/// # Lists made at run time
///
/// The lists of a policy are `'static`, so that it can stand in a `static` and be
/// copied. One that is read from a file is made so by [`Vec::leak`]; a program
/// that reads its policy again and again should keep the lists that have not
/// changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// No rule is in both sets; one in neither is off.
    refuse: RuleSet,
    report: RuleSet,
    limits: Limits,
    revisions: RevisionSet,
    origins: Option<&'static [&'static str]>,
    requirements: &'static [Requirement],
    methods: &'static [ExtraMethod],
    result_types: &'static [&'static str],
    batches: bool,
}

impl Policy {
    /// The default: every rule with its default action.
    #[must_use]
    pub const fn strict() -> Self {
        let mut policy = Self {
            refuse: RuleSet::EMPTY,
            report: RuleSet::EMPTY,
            limits: Limits::new(),
            revisions: RevisionSet::ALL,
            origins: None,
            requirements: &[],
            methods: &[],
            result_types: &[],
            batches: false,
        };
        let mut at = 0;
        while at < Rule::ALL.len() {
            let rule = Rule::ALL[at];
            policy = policy.set(rule, rule.default_action());
            at += 1;
        }
        policy
    }

    /// The letter of the specification: as [`strict`](Self::strict), but what
    /// JSON and the specification leave to the reader is reported instead of
    /// refused: a byte order mark, unpaired surrogates, members given twice or
    /// looking alike, hybrids, and ids in float form, which JSON Schema calls
    /// integers.
    #[must_use]
    pub const fn spec() -> Self {
        let mut policy = Self::strict();
        let mut at = 0;
        while at < BEYOND_THE_LETTER.len() {
            policy = policy.with_action(BEYOND_THE_LETTER[at], Action::Report);
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

    /// Sets the revisions that are served. None of them means all, since a
    /// policy that serves nothing has nothing to judge.
    #[must_use]
    pub const fn with_revisions(mut self, revisions: RevisionSet) -> Self {
        self.revisions = if revisions.is_empty() { RevisionSet::ALL } else { revisions };
        self
    }

    /// Sets the origins that may send over HTTP, such as
    /// `https://app.example:8443` (`origin`). Without a list every origin may;
    /// a server on the user's own machine should have one ([Security]). A
    /// request without the header passes: it is none of a browser's.
    ///
    /// [Security]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-%26-endpoint
    #[must_use]
    pub const fn with_origins(mut self, origins: &'static [&'static str]) -> Self {
        self.origins = Some(origins);
        self
    }

    /// Sets the capabilities that some methods, tools, prompts or resources
    /// need besides those that the protocol asks for (`missing-capability`).
    #[must_use]
    pub const fn with_requirements(mut self, requirements: &'static [Requirement]) -> Self {
        self.requirements = requirements;
        self
    }

    /// Sets the methods that are known besides those of the protocol.
    #[must_use]
    pub const fn with_methods(mut self, methods: &'static [ExtraMethod]) -> Self {
        self.methods = methods;
        self
    }

    /// Sets the values that `resultType` may have besides those of the
    /// protocol, such as `task`.
    #[must_use]
    pub const fn with_result_types(mut self, result_types: &'static [&'static str]) -> Self {
        self.result_types = result_types;
        self
    }

    /// Lets [`Validator::check_batch`](crate::Validator::check_batch) take the
    /// batches of 2025-03-26, if that revision is served. By default it does not,
    /// and no other call ever does.
    #[must_use]
    pub const fn with_batches(mut self, batches: bool) -> Self {
        self.batches = batches;
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

    /// The revisions that are served.
    #[must_use]
    pub const fn revisions(&self) -> RevisionSet {
        self.revisions
    }

    /// The origins that may send over HTTP; `None` if all may.
    #[must_use]
    pub const fn origins(&self) -> Option<&'static [&'static str]> {
        self.origins
    }

    /// The capabilities that are needed besides those that the protocol asks
    /// for.
    #[must_use]
    pub const fn requirements(&self) -> &'static [Requirement] {
        self.requirements
    }

    /// The methods that are known besides those of the protocol.
    #[must_use]
    pub const fn methods(&self) -> &'static [ExtraMethod] {
        self.methods
    }

    /// The values that `resultType` may have besides those of the protocol.
    #[must_use]
    pub const fn result_types(&self) -> &'static [&'static str] {
        self.result_types
    }

    /// Whether batches are taken by the call that is for them.
    #[must_use]
    pub const fn batches(&self) -> bool {
        self.batches
    }

    /// The rules that refuse.
    pub(crate) const fn refused(&self) -> RuleSet {
        self.refuse
    }

    /// The first of the `broken` rules that refuses, if one does.
    #[inline]
    pub(crate) fn refuses_by(&self, broken: RuleSet) -> Option<Rule> {
        // Nearly always none is broken.
        if broken.is_empty() { None } else { broken.intersection(self.refuse).first() }
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

/// What `strict` refuses although neither JSON nor the specification says so.
const BEYOND_THE_LETTER: [Rule; 6] = [
    Rule::Bom,
    Rule::UnpairedSurrogate,
    Rule::IdFloat,
    Rule::DuplicateMember,
    Rule::LookalikeMember,
    Rule::Hybrid,
];

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
