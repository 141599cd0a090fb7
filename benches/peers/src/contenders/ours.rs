//! mcparse: `classify`, and `check` by both lanes.

use std::hint::black_box;

use mcparse::{Id, Kind, Message, Policy, Text, Validator};

use super::CLASSIFY;
use crate::contender::{Contender, Kinds, Reader};
use crate::seen::{Fields, Length};
use crate::support::classes::Case;

pub(crate) fn classify() -> impl Contender {
    Kinds(CLASSIFY, Classify(Validator::new(Policy::strict())))
}

struct Classify(Validator);

impl Reader for Classify {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        self.0.classify(black_box(&case.message)).ok()
    }

    fn fields(&mut self, _at: usize, _case: &Case) -> Option<Fields> {
        None
    }
}

pub(crate) struct Check(Validator);

impl Check {
    pub(crate) fn new() -> Self {
        Self(Validator::new(Policy::strict()))
    }

    pub(crate) fn tape() -> Self {
        Self(Validator::with_tape_alone(Policy::strict()))
    }
}

impl Reader for Check {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        let verdict = self.0.check(case.from, black_box(&case.message));
        black_box(&verdict).as_ref().ok().map(Message::kind)
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        let message = self.0.check(case.from, black_box(&case.message)).ok()?;
        let (name, revision, code) = match &message {
            Message::Request(request) => (request.name(), request.protocol_version(), None),
            Message::Notification(call) => {
                (call.name(), call.meta().and_then(|meta| meta.protocol_version()), None)
            }
            Message::Response(response) => (None, None, response.error_code()),
        };
        Some(Fields {
            kind: message.kind(),
            id: message.id().map_or((0, Length::default()), id),
            method: length(message.method()),
            name: length(name),
            revision: length(revision),
            code: code.map_or(0, number),
        })
    }
}

fn id(id: Id<'_>) -> (i64, Length) {
    match id.as_text() {
        Some(text) => (0, length(Some(text))),
        None => (number(id.lexeme()), Length::default()),
    }
}

fn length(text: Option<Text<'_>>) -> Length {
    text.map_or(Length::default(), |text| Length::of(&text.decode()))
}

/// An integer as it is written; 0 if it is too large.
fn number(lexeme: &[u8]) -> i64 {
    str::from_utf8(lexeme).ok().and_then(|digits| digits.parse().ok()).unwrap_or_default()
}
