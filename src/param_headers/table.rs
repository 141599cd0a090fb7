//! The tools that are known now: immutable records in the order of their names,
//! so that a name is found without decoding it into memory of its own.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Instant;

use super::learned::UnlearnedReason;
use super::limits::ParamLimits;
use crate::text::Text;

/// An annotated parameter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Param {
    /// What follows `Mcp-Param-`, as the server wrote it.
    pub(crate) header: Box<str>,
    /// The members that lead from `arguments` to it, one at least.
    pub(crate) path: Box<[Box<str>]>,
}

/// A tool and its annotated parameters, none for most tools.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(super) name: Box<str>,
    pub(crate) params: Vec<Param>,
    /// `None` if that is beyond all time.
    pub(super) stale_from: Option<Instant>,
}

impl Tool {
    /// Whether the list that it was in no longer counts.
    pub(crate) fn is_stale(&self, now: Instant) -> bool {
        self.stale_from.is_some_and(|from| now >= from)
    }

    /// What it takes up, near enough: its texts and records.
    fn bytes(&self) -> usize {
        let params = self.params.iter().map(|param| {
            let path = param.path.iter().map(|name| size_of::<Box<str>>() + name.len());
            size_of::<Param>() + param.header.len() + path.sum::<usize>()
        });
        size_of::<Kept>() + size_of::<Self>() + self.name.len() + params.sum::<usize>()
    }
}

/// A tool, and the listing that had it last.
#[derive(Debug)]
struct Kept {
    tool: Arc<Tool>,
    listing: u64,
}

#[derive(Debug, Default)]
pub(super) struct Table {
    /// In the order of their names; no name twice.
    kept: Vec<Kept>,
    /// The sum of their [`Tool::bytes`].
    bytes: usize,
    /// Counts the first pages that passed by.
    listing: u64,
}

impl Table {
    pub(super) fn tool(&self, name: Text<'_>) -> Option<Arc<Tool>> {
        let at = self.kept.binary_search_by(|kept| by_name(&kept.tool, name)).ok()?;
        self.kept.get(at).map(|kept| Arc::clone(&kept.tool))
    }

    /// Begins a new listing. What is known stays until the listing is complete.
    pub(super) fn begin(&mut self) {
        self.listing = self.listing.wrapping_add(1);
    }

    /// Ends the listing: what it did not have is forgotten.
    pub(super) fn end(&mut self) {
        let listing = self.listing;
        self.keep_if(|kept| kept.listing == listing);
    }

    pub(super) fn clear(&mut self) {
        self.keep_if(|_| false);
    }

    /// Forgets the tools that `is_named` names.
    pub(super) fn remove(&mut self, is_named: impl Fn(&str) -> bool) {
        self.keep_if(|kept| !is_named(&kept.tool.name));
    }

    /// Adds `tools`, whose names are new to the table. What is of an earlier
    /// listing makes room for them; past the limits `refused` hears of them.
    /// Gives how many were added.
    pub(super) fn add(
        &mut self,
        tools: Vec<Tool>,
        limits: &ParamLimits,
        mut refused: impl FnMut(&str, UnlearnedReason),
    ) -> usize {
        let mut added = 0;
        for tool in tools {
            let bytes = tool.bytes();
            // Nothing need go for one that would never fit.
            if bytes <= limits.bytes && self.lacks_room(bytes, limits).is_some() {
                self.end();
            }
            if let Some(reason) = self.lacks_room(bytes, limits) {
                refused(&tool.name, reason);
                continue;
            }
            self.bytes += bytes;
            self.kept.push(Kept { tool: Arc::new(tool), listing: self.listing });
            added += 1;
        }
        self.kept.sort_unstable_by(|left, right| left.tool.name.cmp(&right.tool.name));
        added
    }

    fn lacks_room(&self, bytes: usize, limits: &ParamLimits) -> Option<UnlearnedReason> {
        if self.kept.len() >= limits.tools {
            Some(UnlearnedReason::TooManyTools)
        } else if self.bytes.saturating_add(bytes) > limits.bytes {
            Some(UnlearnedReason::TooManyBytes)
        } else {
            None
        }
    }

    fn keep_if(&mut self, is_kept: impl Fn(&Kept) -> bool) {
        self.kept.retain(is_kept);
        self.bytes = self.kept.iter().map(|kept| kept.tool.bytes()).sum();
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }
}

/// How the name of `tool` stands to `name`, in the order of their bytes.
fn by_name(tool: &Tool, name: Text<'_>) -> Ordering {
    if name.is_escaped() {
        tool.name.bytes().cmp(name.bytes())
    } else {
        tool.name.as_bytes().cmp(name.raw())
    }
}
