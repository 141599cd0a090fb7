//! Reads one page of a `tools/list` result, before anything is locked.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

use super::learned::{Learned, UnlearnedReason, owned};
use super::limits::ParamLimits;
use super::schema;
use super::table::{Param, Tool};
use crate::envelope::{Field, JsonType};
use crate::json::reader;
use crate::text::Text;

/// What a page says.
pub(super) struct Read {
    /// In the order of the page; no name twice.
    tools: Vec<(Box<str>, Verdict)>,
    /// Where in `tools` each name is.
    places: HashMap<Box<str>, usize>,
    /// Notes what has no place in `tools`.
    learned: Learned,
    stale_from: Option<Instant>,
    /// No page follows.
    pub(super) is_last: bool,
}

type Verdict = Result<Vec<Param>, UnlearnedReason>;

/// Reads `result`; `None` if it is no list of tools.
pub(super) fn read(result: &[u8], now: Instant, limits: &ParamLimits) -> Option<Read> {
    let start = result.iter().position(|&byte| byte > b' ')?;
    let end = result.iter().rposition(|&byte| byte > b' ')? + 1;
    let place = |at: usize| u32::try_from(at).ok();
    let root = Field { json: JsonType::Object, start: place(start)?, end: place(end)? };
    if !result[start..].starts_with(b"{") {
        return None;
    }
    let tools = reader::member(result, root, "tools");
    if tools.json != JsonType::Array {
        return None;
    }
    let ttl = time_to_live(reader::member(result, root, "ttlMs").of(result));
    let mut read = Read {
        tools: Vec::new(),
        places: HashMap::new(),
        learned: Learned::default(),
        stale_from: now.checked_add(ttl.max(limits.least_ttl)),
        is_last: reader::member(result, root, "nextCursor").json != JsonType::String,
    };
    for tool in reader::elements(result, tools) {
        read.take(result, tool, limits);
    }
    Some(read)
}

impl Read {
    /// Whether the page has a tool of this name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// The tools that can be learned; notes why the others cannot.
    pub(super) fn tools(self, learned: &mut Learned) -> Vec<Tool> {
        *learned = self.learned;
        let mut tools = Vec::new();
        for (name, verdict) in self.tools {
            match verdict {
                Ok(params) => tools.push(Tool { name, params, stale_from: self.stale_from }),
                Err(reason) => learned.note(&name, reason),
            }
        }
        tools
    }

    fn take(&mut self, result: &[u8], tool: Field, limits: &ParamLimits) {
        let (name, verdict) = judge(result, tool, limits);
        let Some(name) = name.map(owned) else {
            return self.learned.note("", UnlearnedReason::Shape);
        };
        let is_full = self.tools.len() >= limits.tools;
        match self.places.entry(name) {
            Entry::Occupied(entry) => {
                if let Some((_, first)) = self.tools.get_mut(*entry.get())
                    && *first != verdict
                {
                    *first = Err(UnlearnedReason::Ambiguous);
                }
            }
            Entry::Vacant(entry) if is_full => {
                self.learned.note(entry.key(), UnlearnedReason::TooManyTools);
            }
            Entry::Vacant(entry) => {
                self.tools.push((entry.key().clone(), verdict));
                entry.insert(self.tools.len() - 1);
            }
        }
    }
}

/// The name of one tool, and what its schema says.
fn judge<'r>(result: &'r [u8], tool: Field, limits: &ParamLimits) -> (Option<Text<'r>>, Verdict) {
    let (mut name, mut schema) = (None, None);
    let mut is_ambiguous = false;
    for member in reader::members(result, tool) {
        if member.name == "name" {
            is_ambiguous |= name.replace(member.value).is_some();
        } else if member.name == "inputSchema" {
            is_ambiguous |= schema.replace(member.value).is_some();
        }
    }
    let name = name.and_then(|name| reader::text(result, name));
    let verdict = match schema.filter(|schema| schema.json == JsonType::Object) {
        _ if is_ambiguous => Err(UnlearnedReason::Ambiguous),
        Some(schema) => schema::params(schema.of(result), limits),
        None => Err(UnlearnedReason::Shape),
    };
    (name, verdict)
}

/// What `ttlMs` says. Absent, negative or no integer, it is as good as 0, see
/// [Caching](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching).
fn time_to_live(ttl: &[u8]) -> Duration {
    let millis = ttl.iter().try_fold(0u64, |millis, &byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        Some(millis.saturating_mul(10).saturating_add(digit))
    });
    Duration::from_millis(millis.unwrap_or(0))
}
