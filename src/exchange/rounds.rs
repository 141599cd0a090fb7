//! Multi round-trip requests: which requests were answered `input_required`
//! lately, and whether a retry fits one of them.
//!
//! A retry is known by its `inputResponses` or `requestState`, and belongs to a
//! request with the same method on the same name: not with the same arguments,
//! which a client may write anew. So one of several calls of a tool may be taken
//! for another one; then less is noticed, nothing wrong is said.

use super::limits::ExchangeLimits;
use super::read::{Object, Value};
use super::side::Waiting;
use super::table::Table;
use crate::method::Method;
use crate::rule::{Rule, RuleSet};

/// A request that was answered `input_required`.
#[derive(Clone, Copy)]
struct Question {
    id: u64,
    /// The fingerprint of `requestState`, if it had one.
    state: Option<u64>,
}

pub(super) struct Rounds {
    /// By what was called.
    questions: Table<Question>,
}

impl Rounds {
    pub(super) const fn new(limits: &ExchangeLimits) -> Self {
        Self { questions: Table::new(limits.questions) }
    }

    pub(super) fn clear(&mut self) {
        self.questions.clear();
    }

    /// Hears a result, which may ask.
    pub(super) fn hear(&mut self, request: &Waiting, result: Object<'_>) {
        let may_ask = request.summary.method().is_some_and(Method::may_ask_for_input);
        if !request.is_modern || !may_ask {
            return;
        }
        let (mut asks, mut state) = (false, None);
        for (name, value) in result.members() {
            if name == *"resultType" {
                asks = value.text().is_some_and(|text| text == *"input_required");
            } else if name == *"requestState" {
                state = Some(value.fingerprint());
            }
        }
        if asks {
            self.questions.push(request.call, Question { id: request.id, state });
        }
    }

    /// What is wrong with a request that may be a retry. `misses_some` says that
    /// questions went by which are not known.
    pub(super) fn retry(
        &self,
        request: &Waiting,
        params: Object<'_>,
        misses_some: bool,
    ) -> RuleSet {
        let mut rules = RuleSet::EMPTY;
        let may_ask = request.summary.method().is_some_and(Method::may_ask_for_input);
        if !request.is_modern || !may_ask {
            return rules;
        }
        let (mut answers, mut state) = (false, None);
        for (name, value) in params.members() {
            if name == *"inputResponses" {
                answers = true;
            } else if name == *"requestState" {
                state = Some(Value::fingerprint(value));
            }
        }
        if !answers && state.is_none() {
            return rules;
        }
        let questions = || self.questions.all(request.call).map(|(_, question)| question);
        let fits = |question: &&Question| question.state == state;
        let is_other = |question: &Question| question.id != request.id;
        if questions().filter(fits).any(is_other) {
            return rules;
        }
        let some_fit = questions().any(|question| fits(&question));
        let is_reused = !questions().any(is_other) || some_fit;
        rules.note(Rule::MrtrIdReused, questions().next().is_some() && is_reused);
        if some_fit || misses_some {
            return rules;
        }
        let is_given = questions().any(|question| question.state.is_some());
        rules.note(Rule::MrtrStateChanged, is_given);
        rules.note(Rule::MrtrStateInvented, !is_given && state.is_some());
        rules
    }
}
