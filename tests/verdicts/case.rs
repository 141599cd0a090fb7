//! A message with its head that breaks a rule, one beside it that just does not,
//! and all that must be said of the first.

use mcparse::{Action, Rule};

use crate::exchange::{Exchange, Refusal};

pub(crate) struct Case {
    pub(crate) rule: Rule,
    pub(crate) breaks: Exchange,
    keeps: Exchange,
    code: i64,
    status: u16,
    /// What a person should look at: the offset is where it first stands.
    at: &'static str,
    detail: Option<&'static str>,
}

/// A case of the code -32600 and the status 400, which points at the message.
pub(crate) fn case(rule: &str, breaks: Exchange, keeps: Exchange) -> Case {
    let rule = Rule::from_id(rule).unwrap();
    Case { rule, breaks, keeps, code: -32600, status: 400, at: "{", detail: None }
}

impl Case {
    pub(crate) fn code(self, code: i64) -> Self {
        Self { code, ..self }
    }

    pub(crate) fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn at(self, at: &'static str) -> Self {
        Self { at, ..self }
    }

    pub(crate) fn says(self, detail: &'static str) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// The message that breaks it, under a policy that refuses it for that.
    pub(crate) fn refused(&self) -> Exchange {
        self.breaks.clone().under(|policy| policy.with_action(self.rule, Action::Refuse))
    }

    pub(crate) fn prove(&self) {
        let Self { rule, breaks, keeps, .. } = self;
        assert_eq!(keeps.findings(), [""; 0], "beside {rule}: {keeps:?}");
        match rule.default_action() {
            Action::Refuse => assert_eq!(breaks.refused_by(), Some(rule.id()), "{breaks:?}"),
            Action::Report => assert_eq!(breaks.findings(), [rule.id()], "{breaks:?}"),
            Action::Off => assert_eq!(breaks.findings(), [""; 0], "{breaks:?}"),
        }
        let reporting = breaks.clone().under(|policy| policy.with_action(*rule, Action::Report));
        if rule.default_action() == Action::Refuse && !rule.is_fatal() {
            assert_eq!(reporting.findings(), [rule.id()], "{breaks:?}");
        }
        let body = breaks.body();
        let place = body.find(self.at).unwrap_or_else(|| panic!("{rule}: no {} in it", self.at));
        let Refusal { rule: refused_by, code, status, offset, detail, .. } =
            self.refused().refusal();
        assert_eq!(refused_by, *rule);
        // Three dots stand for the rule's own reason.
        let says = self.detail.map(|says| match says.strip_suffix("...") {
            Some(start) => format!("{start}{}", rule.reason()),
            None => says.to_owned(),
        });
        let shown = String::from_utf8_lossy(&breaks.body[offset..]).into_owned();
        assert_eq!(
            (code, status, offset, detail),
            (self.code, self.status, place, says),
            "{rule} at {shown:.60}"
        );
    }
}
