//! The lists of tools that are asked for, so that the answers teach which
//! headers mirror which arguments.

use std::collections::HashMap;

use mcparse::Method;

use super::super::judge::{Judge, Record, Verdict};

/// The most requests that are remembered without an answer, and the longest id.
/// The answers to others teach nothing.
const MOST_IDS: usize = 4096;
const MOST_ID: usize = 1024;

#[derive(Default)]
pub(in super::super) struct Lists {
    /// The ids of requests without an answer, and whether they have a cursor.
    asked: HashMap<Vec<u8>, bool>,
}

impl Lists {
    /// Remembers a request for a list.
    pub(super) fn ask(&mut self, record: &Record<'_>) {
        let Verdict::Accepted { id: Some(id), method: Some(method), .. } = &record.verdict else {
            return;
        };
        let id = id.lexeme();
        if Method::from_text(*method) != Some(Method::ToolsList) {
            // The id is another request's now.
            self.asked.remove(id);
        } else if id.len() <= MOST_ID && self.asked.len() < MOST_IDS {
            self.asked.insert(id.to_owned(), false);
        }
    }

    /// Learns from a message, if it is the answer to such a request.
    pub(super) fn learn(&mut self, record: &Record<'_>, judge: &Judge) {
        let _ = (record, judge);
    }
}
