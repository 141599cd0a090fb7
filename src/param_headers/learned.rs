//! What a table says of a list it has learned from: how many tools it took, and
//! why it did not take the others.

use std::fmt;

use crate::text::Text;

/// What [`ParamHeaders::learn`](crate::ParamHeaders::learn) made of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Learned {
    /// Whether it was a list of tools at all: an object with an array `tools`.
    /// If not, nothing has changed; what is wanted is the result, not the whole
    /// response.
    pub is_list: bool,
    /// Tools of the page that the table knows now, with annotations or without.
    pub tools: usize,
    /// The first tools that were not learned, [`Learned::MOST_UNLEARNED`] at
    /// most, and why.
    pub unlearned: Vec<Unlearned>,
    /// How many tools were not learned, those past the bound included.
    pub unlearned_in_all: usize,
}

impl Learned {
    /// How many of the tools that were not learned are named: 64.
    pub const MOST_UNLEARNED: usize = 64;

    pub(super) fn note(&mut self, tool: &str, reason: UnlearnedReason) {
        self.unlearned_in_all = self.unlearned_in_all.saturating_add(1);
        if self.unlearned.len() < Self::MOST_UNLEARNED {
            let tool = tool.chars().take(Unlearned::MOST_NAME_CHARS).collect();
            self.unlearned.push(Unlearned { tool, reason });
        }
    }
}

/// A tool that was not learned. Its `Mcp-Param-*` headers are ignored, as the
/// specification asks of headers that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unlearned {
    /// The tool's name as the server gave it, cut to
    /// [`Unlearned::MOST_NAME_CHARS`]; it may hold any character. Empty if the
    /// tool has none.
    pub tool: String,
    /// Why it was not learned; of several reasons, the first in the text.
    pub reason: UnlearnedReason,
}

impl Unlearned {
    /// The characters of a tool's name that are kept: 128, the most that a name
    /// should have.
    pub const MOST_NAME_CHARS: usize = 128;
}

/// Why a tool was not learned ([Custom headers from tool parameters]).
///
/// [Custom headers from tool parameters]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnlearnedReason {
    /// An annotation is the empty string.
    Empty,
    /// An annotation is no token of RFC 9110, or no string at all.
    Token,
    /// Two annotations of the tool are equal but for case.
    Duplicate,
    /// An annotated property's `type` is none of `"string"`, `"integer"` and
    /// `"boolean"`.
    Type,
    /// An annotation stands where no chain of `properties` leads.
    Unreachable,
    /// Readers differ in what is annotated: a member that decides it is given
    /// twice, or the page has the tool twice with different annotations.
    Ambiguous,
    /// The tool is no object with a name and an `inputSchema` that is one.
    Shape,
    /// The tool has more annotations than [`ParamLimits::params_per_tool`](crate::ParamLimits::params_per_tool).
    TooManyParams,
    /// An annotation lies deeper than [`ParamLimits::depth`](crate::ParamLimits::depth).
    TooDeep,
    /// There are more tools than [`ParamLimits::tools`](crate::ParamLimits::tools).
    TooManyTools,
    /// With this tool the table would pass [`ParamLimits::bytes`](crate::ParamLimits::bytes).
    TooManyBytes,
}

impl UnlearnedReason {
    /// The stable name, in lower case with hyphens.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Empty => "param-annotation-empty",
            Self::Token => "param-annotation-token",
            Self::Duplicate => "param-annotation-duplicate",
            Self::Type => "param-annotation-type",
            Self::Unreachable => "param-annotation-unreachable",
            Self::Ambiguous => "param-annotation-ambiguous",
            Self::Shape => "param-annotation-tool-shape",
            Self::TooManyParams => "param-annotation-too-many",
            Self::TooDeep => "param-annotation-too-deep",
            Self::TooManyTools => "param-table-tools",
            Self::TooManyBytes => "param-table-bytes",
        }
    }
}

impl fmt::Display for UnlearnedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A name for keeping: decoded, and owned.
pub(super) fn owned(name: Text<'_>) -> Box<str> {
    name.decode().into()
}
