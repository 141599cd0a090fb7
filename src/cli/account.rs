//! What goes on from message to message: what was asked, the sums, and how it
//! went so far. Prints nothing.

use mcparse::{Action, Rule, Sender, Violation};

use super::Outcome;
use super::block::Block;
use super::input::{Piece, Source};
use super::judge::{Judge, Place, Read, Record};
use super::statistics::Statistics;

/// What is to be printed.
pub(super) enum Said<'m> {
    Record(Record<'m>),
    /// On standard error.
    Note(String),
}

/// The account of all sources.
pub(super) struct Account {
    pub(super) judge: Judge,
    pub(super) statistics: Statistics,
    pub(super) outcome: Outcome,
}

impl Account {
    pub(super) fn new(judge: Judge) -> Self {
        Self { judge, statistics: Statistics::default(), outcome: Outcome::Accepted }
    }

    /// Judges what a block of this source holds, as far as that depends on what
    /// came before. `read` has what does not, for each piece.
    pub(super) fn judge<'b>(
        &mut self,
        source: &Source,
        block: &'b Block,
        read: Vec<Read<'b>>,
    ) -> Vec<Said<'b>> {
        let mut said = Vec::with_capacity(read.len());
        if block.begins {
            self.judge.begin();
        }
        said.extend(block.before.clone().map(Said::Note));
        for (piece, read) in block.frames.pieces().zip(read) {
            match piece {
                Piece::Message(place, message) => {
                    for record in self.judge.judge(place, message, read) {
                        self.count(&record);
                        said.push(Said::Record(record));
                    }
                }
                Piece::Fault(violation) => {
                    said.extend(self.fault(source, Place::of(&violation), &violation, None));
                }
                Piece::Other(place) => said.extend(self.other_event(source, place)),
            }
        }
        said.extend(block.after.clone().map(Said::Note));
        if block.is_broken {
            self.outcome = Outcome::Failed;
        }
        said
    }

    /// Counts what will be printed.
    pub(super) fn count(&mut self, record: &Record<'_>) {
        self.statistics.add(record);
        if record.is_refused() {
            self.outcome = self.outcome.max(Outcome::Refused);
        }
    }

    /// What a framer found is judged by the policy like any other rule; if it
    /// only reports, there is no message to report it with. `from` is who sent it,
    /// if that is known for sure.
    pub(super) fn fault(
        &mut self,
        source: &Source,
        place: Place,
        violation: &Violation<'static>,
        from: Option<Sender>,
    ) -> Option<Said<'static>> {
        match self.judge.policy().action(violation.rule()) {
            Action::Refuse => {
                let record = self.judge.unread(place, violation, from);
                self.count(&record);
                Some(Said::Record(record))
            }
            Action::Report => {
                self.statistics.add_finding(violation.rule());
                Some(Said::Note(format!("{}: {violation}", source.shown())))
            }
            Action::Off => None,
        }
    }

    /// An event that holds no message is no fault of a framer's, so the policy is
    /// asked here.
    pub(super) fn other_event(&mut self, source: &Source, place: Place) -> Option<Said<'static>> {
        let rule = Rule::SseEventOther;
        match self.judge.policy().action(rule) {
            Action::Off => return None,
            Action::Report => {}
            Action::Refuse => self.outcome = self.outcome.max(Outcome::Refused),
        }
        self.statistics.add_finding(rule);
        let said = format!("{}:{}: {rule}: {}", source.shown(), place.line, rule.reason());
        Some(Said::Note(said))
    }
}
