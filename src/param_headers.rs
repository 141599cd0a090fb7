//! What one upstream has said of its tools' `Mcp-Param-*` headers: learned from
//! the `tools/list` results that pass by, so that the headers of a `tools/call`
//! can be compared with its arguments.
//!
//! Shared between threads. The comparison itself is in `rules/param_headers.rs`;
//! how long a list may be cached, and for whom (`cacheScope`), is the host's.

mod learned;
mod limits;
mod page;
mod schema;
mod table;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

pub use learned::{Learned, Unlearned, UnlearnedReason};
pub use limits::ParamLimits;
use table::Table;
pub(crate) use table::{Param, Tool};

use crate::text::Text;

/// Which page of a list a result is.
///
/// Closed: a request has a cursor, or has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The answer to a `tools/list` without a `cursor`.
    First,
    /// The answer to one with a `cursor`.
    Next,
}

/// The annotated parameters of one upstream's tools
/// ([Custom headers from tool parameters]), for all its connections: share it
/// as `Arc<ParamHeaders>`. It has bounds, see [`ParamLimits`].
///
/// A tool that it does not know, because no list had it or because its
/// annotations are not valid ([`Learned::unlearned`]), has no known headers. An
/// `Mcp-Param-*` header that is not known is never judged: who does not
/// recognise one must forward it and otherwise ignore it. So a host must not
/// route by the headers of such a tool.
///
/// A list counts for its `ttlMs`, but for [`ParamLimits::least_ttl`] at the
/// least; after that it is stale, and what is judged by it is reported, never
/// refused.
///
/// The lists must be those that the callers see. Where an upstream shows its
/// tools differently to different callers, have a table for each.
///
/// ```
/// use std::time::Instant;
/// use mcparse::{Page, ParamHeaders, UnlearnedReason};
///
/// let result = br#"{"resultType":"complete","ttlMs":300000,"tools":[
///     {"name":"execute_sql","inputSchema":{"type":"object","properties":{
///         "region":{"type":"string","x-mcp-header":"Region"},
///         "query":{"type":"string"}}}},
///     {"name":"transfer","inputSchema":{"type":"object","properties":{
///         "amount":{"type":"number","x-mcp-header":"Amount"}}}}]}"#;
///
/// let table = ParamHeaders::new();
/// let learned = table.learn(Page::First, result, Instant::now());
/// assert_eq!(learned.tools, 1);
/// assert_eq!(learned.unlearned[0].tool, "transfer");
/// assert_eq!(learned.unlearned[0].reason, UnlearnedReason::Type);
/// ```
///
/// [Custom headers from tool parameters]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
#[derive(Debug, Default)]
pub struct ParamHeaders {
    /// Held for a search or a merge, never while JSON is read.
    table: RwLock<Table>,
    limits: ParamLimits,
}

impl ParamHeaders {
    /// An empty table with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty table with these limits.
    #[must_use]
    pub fn with_limits(limits: ParamLimits) -> Self {
        Self { table: RwLock::default(), limits }
    }

    /// Learns from the result of a `tools/list` that passed by at `now`:
    /// `result` is what [`Response::result`](crate::Response::result) gave. A
    /// result without an array `tools` changes nothing.
    ///
    /// A tool that the page has replaces what was known of it, also if it
    /// cannot be learned. The tools that a new list no longer has are forgotten
    /// with its last page, the one without a `nextCursor`, or before that if
    /// they take the room of new ones; so no tool is unknown while a list of
    /// several pages is under way. Lists of several callers may overlap.
    ///
    /// A tool that a page has twice is learned if both are annotated alike; if
    /// not, nobody can say which one the server goes by, and it is not learned.
    /// Of a tool on two pages the later one counts.
    pub fn learn(&self, page: Page, result: &[u8], now: Instant) -> Learned {
        let Some(read) = page::read(result, now, &self.limits) else { return Learned::default() };
        let mut learned = Learned { is_list: true, ..Learned::default() };
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if page == Page::First {
            table.begin();
        }
        table.remove(|name| read.names(name));
        let is_last = read.is_last;
        let tools = read.tools(&mut learned);
        learned.tools = table.add(tools, &self.limits, |name, reason| learned.note(name, reason));
        if is_last {
            table.end();
        }
        learned
    }

    /// Forgets everything, as is right after a
    /// `notifications/tools/list_changed`.
    pub fn forget(&self) {
        self.table.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> &ParamLimits {
        &self.limits
    }

    /// What is known of the tool `name`, stale or not.
    pub(crate) fn tool(&self, name: Text<'_>) -> Option<Arc<Tool>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).tool(name)
    }
}

#[cfg(test)]
mod tests;
