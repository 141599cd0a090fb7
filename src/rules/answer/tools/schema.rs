//! Goes over one schema of a tool, its subschemas and theirs: what it refers to
//! ([`$ref` Resolution]), and whether it keeps to our bounds
//! ([Composition-Keyword Resource Use], which asks for some and names none).
//!
//! One pass over the bytes with a stack of a fixed size, so that its cost grows
//! with the schema's length alone. A subschema is an object in a place where a
//! keyword of JSON Schema 2020-12, or of the drafts before it, has one. What
//! another keyword holds is none, nor is a value such as that of `default`.
//!
//! [`$ref` Resolution]: https://modelcontextprotocol.io/specification/2026-07-28/basic#ref-resolution
//! [Composition-Keyword Resource Use]: https://modelcontextprotocol.io/specification/2026-07-28/basic#composition-keyword-resource-use

use crate::envelope::{Field, JsonType};
use crate::json::reader::Reader;
use crate::rule::Rule;
use crate::text::Text;

/// How deep schemas may lie in one another, the outermost one counted.
const MOST_DEPTH: usize = 32;
/// How many schemas there may be in all, the outermost one counted.
const MOST_SCHEMAS: usize = 1024;

/// Calls `found` with what is wrong with `schema`, and where. One that is too
/// complex is not read on, and nothing is said of what it refers to.
pub(super) fn faults(message: &[u8], schema: Field, mut found: impl FnMut(Rule, u32)) {
    if schema.json != JsonType::Object {
        return;
    }
    let mut walk = Walk::over(schema.of(message));
    let place = |at| schema.start.saturating_add(u32::try_from(at).unwrap_or(0));
    match walk.run() {
        Some(excess) => found(Rule::SchemaTooComplex, place(excess)),
        None if walk.has_identity => {}
        None => walk.external.into_iter().for_each(|at| found(Rule::SchemaExternalRef, place(at))),
    }
}

/// What a member or an element holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Other,
    /// What the schema refers to.
    Reference,
    /// What the schema is called, by which others may refer to it.
    Identity,
    Schema,
    /// An array of schemas.
    Array,
    SchemaOrArray,
    /// An object of schemas, by names of the author's choice.
    Named,
}

impl Holds {
    fn of(keyword: Text<'_>) -> Self {
        let known = KEYWORDS.iter().find(|(name, _)| keyword == **name);
        known.map_or(Self::Other, |&(_, holds)| holds)
    }

    /// What opens there with this bracket; `None` if it is not looked at.
    fn opens(self, is_object: bool) -> Option<Open> {
        match (self, is_object) {
            (Self::Schema | Self::SchemaOrArray, true) => Some(Open::Schema(None)),
            (Self::Array | Self::SchemaOrArray, false) => Some(Open::Array),
            (Self::Named, true) => Some(Open::Named(false)),
            _ => None,
        }
    }
}

const KEYWORDS: &[(&str, Holds)] = &[
    ("$ref", Holds::Reference),
    ("$id", Holds::Identity),
    ("id", Holds::Identity),
    ("properties", Holds::Named),
    ("patternProperties", Holds::Named),
    ("$defs", Holds::Named),
    ("definitions", Holds::Named),
    ("dependentSchemas", Holds::Named),
    ("dependencies", Holds::Named),
    ("allOf", Holds::Array),
    ("anyOf", Holds::Array),
    ("oneOf", Holds::Array),
    ("prefixItems", Holds::Array),
    ("items", Holds::SchemaOrArray),
    ("additionalItems", Holds::Schema),
    ("unevaluatedItems", Holds::Schema),
    ("contains", Holds::Schema),
    ("additionalProperties", Holds::Schema),
    ("unevaluatedProperties", Holds::Schema),
    ("propertyNames", Holds::Schema),
    ("contentSchema", Holds::Schema),
    ("not", Holds::Schema),
    ("if", Holds::Schema),
    ("then", Holds::Schema),
    ("else", Holds::Schema),
];

/// An object or array that is open.
#[derive(Clone, Copy)]
enum Open {
    /// And what the member that is read holds; none before its name.
    Schema(Option<Holds>),
    Array,
    /// And whether the name of the member has been read.
    Named(bool),
}

impl Open {
    /// What the value that comes next holds.
    fn holds(self) -> Holds {
        match self {
            Self::Schema(holds) => holds.unwrap_or(Holds::Other),
            Self::Array | Self::Named(_) => Holds::Schema,
        }
    }
}

struct Walk<'s> {
    reader: Reader<'s>,
    /// The first `depth` are open, of which `nested` are schemas: between two
    /// schemas there is one array or object at the most.
    open: [Open; 2 * MOST_DEPTH],
    depth: usize,
    nested: usize,
    /// Schemas so far.
    schemas: usize,
    /// The first reference to what is not in the schema itself.
    external: Option<usize>,
    has_identity: bool,
}

impl<'s> Walk<'s> {
    const fn over(schema: &'s [u8]) -> Self {
        Self {
            reader: Reader::over(schema),
            open: [Open::Array; 2 * MOST_DEPTH],
            depth: 0,
            nested: 0,
            schemas: 0,
            external: None,
            has_identity: false,
        }
    }

    /// To the end, or to the first schema that is one too many, which it gives.
    fn run(&mut self) -> Option<usize> {
        while let Some(byte) = self.reader.peek() {
            let start = self.reader.at;
            match byte {
                b'"' => {
                    let text = self.reader.text()?;
                    self.text(start, text);
                    continue;
                }
                b'{' | b'[' => {
                    let holds = self.last().map_or(Holds::Schema, |open| open.holds());
                    match holds.opens(byte == b'{') {
                        Some(open) if !self.enter(open) => return Some(start),
                        Some(_) => {}
                        None => {
                            self.reader.container()?;
                            continue;
                        }
                    }
                }
                b'}' | b']' => self.leave(),
                b',' => match self.last() {
                    Some(Open::Schema(holds)) => *holds = None,
                    Some(Open::Named(has_name)) => *has_name = false,
                    Some(Open::Array) | None => {}
                },
                _ => {}
            }
            self.reader.at += 1;
        }
        None
    }

    fn last(&mut self) -> Option<&mut Open> {
        self.open.get_mut(self.depth.checked_sub(1)?)
    }

    /// A string that starts at `start`: a member's name, or a value.
    fn text(&mut self, start: usize, text: Text<'_>) {
        match self.last() {
            Some(Open::Schema(holds @ None)) => *holds = Some(Holds::of(text)),
            Some(Open::Named(has_name)) => *has_name = true,
            Some(Open::Schema(Some(Holds::Identity))) => self.has_identity = true,
            // It is to the schema itself if it is empty, or a fragment.
            Some(Open::Schema(Some(Holds::Reference)))
                if text.bytes().next().is_some_and(|first| first != b'#') =>
            {
                self.external = self.external.or(Some(start));
            }
            _ => {}
        }
    }

    /// Whether there is room for what opens.
    fn enter(&mut self, open: Open) -> bool {
        if matches!(open, Open::Schema(_)) {
            if self.nested == MOST_DEPTH || self.schemas == MOST_SCHEMAS {
                return false;
            }
            self.nested += 1;
            self.schemas += 1;
        }
        let Some(room) = self.open.get_mut(self.depth) else { return false };
        *room = open;
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        let is_schema = matches!(self.last(), Some(Open::Schema(_)));
        self.nested = self.nested.saturating_sub(usize::from(is_schema));
        self.depth = self.depth.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests;
