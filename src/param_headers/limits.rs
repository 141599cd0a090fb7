//! The bounds of a table of `Mcp-Param-*` headers.
//!
//! Plain data that can be built in a `const`; it decides nothing by itself.

use std::time::Duration;

/// The bounds of a [`ParamHeaders`](crate::ParamHeaders). What is at a bound is
/// learned; a tool one past it is not, and the table says so.
///
/// ```
/// use mcparse::ParamLimits;
///
/// const SMALL: ParamLimits = ParamLimits::new().with_tools(64).with_bytes(16 << 10);
/// assert_eq!(SMALL.params_per_tool, 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParamLimits {
    /// Tools that are kept, and tools of one page that are considered. Default
    /// 1024.
    pub tools: usize,
    /// Annotated parameters of one tool. Default 16.
    pub params_per_tool: usize,
    /// Members on the way from `arguments` to an annotated parameter, itself
    /// included. Default 16. How deep a schema is beside that does not matter.
    pub depth: usize,
    /// Bytes that are kept in all: names, paths and the records that hold them.
    /// Default 1 MiB.
    pub bytes: usize,
    /// How long a list counts at the least, whatever its `ttlMs` says: one with
    /// a `ttlMs` of 0 would be stale at once. Default one minute.
    pub least_ttl: Duration,
}

impl ParamLimits {
    /// The defaults.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            tools: 1024,
            params_per_tool: 16,
            depth: 16,
            bytes: 1 << 20,
            least_ttl: Duration::from_secs(60),
        }
    }

    /// Sets the tools that are kept.
    #[must_use]
    pub const fn with_tools(mut self, tools: usize) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the annotated parameters of one tool.
    #[must_use]
    pub const fn with_params_per_tool(mut self, params: usize) -> Self {
        self.params_per_tool = params;
        self
    }

    /// Sets the members on the way to an annotated parameter.
    #[must_use]
    pub const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the bytes that are kept in all.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets how long a list counts at the least.
    #[must_use]
    pub const fn with_least_ttl(mut self, ttl: Duration) -> Self {
        self.least_ttl = ttl;
        self
    }
}

impl Default for ParamLimits {
    fn default() -> Self {
        Self::new()
    }
}
