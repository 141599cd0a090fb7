//! Reads the `x-mcp-header` annotations of one `inputSchema`, and where they
//! may not stand.
//!
//! One pass over the schema with a stack of what is open, so that its cost
//! grows with the schema's length alone, however deep a server nests it. The
//! bytes are JSON that a lane has accepted; on others it ends early.
//!
//! ```text
//! Root ---properties---> Properties ---any name---> Property ---properties---> Properties ...
//!   \                                                  |
//!    `-- any other keyword --> Elsewhere, Names, Data <'     and never back
//! ```

use std::collections::HashSet;

use super::learned::{UnlearnedReason, owned};
use super::limits::ParamLimits;
use super::table::Param;
use crate::policy::Limits;
use crate::text::Text;

/// The annotated parameters of `schema`, a JSON object, in the order in which
/// their schemas end.
pub(super) fn params(schema: &[u8], limits: &ParamLimits) -> Result<Vec<Param>, UnlearnedReason> {
    let mut walk =
        Walk { schema, at: 0, open: Vec::new(), params: Vec::new(), is_ambiguous: false, limits };
    walk.run()?;
    if walk.is_ambiguous && !walk.params.is_empty() {
        return Err(UnlearnedReason::Ambiguous);
    }
    Ok(walk.params)
}

/// What an object or array is to the schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The schema of all arguments.
    Root,
    /// What `properties` holds, where a chain of them leads.
    Properties,
    /// The schema of a property that a chain of `properties` leads to.
    Property,
    /// Any other schema, or what may be one.
    Elsewhere,
    /// An object off the chain whose members are names, not keywords.
    Names,
    /// A value that a schema gives as an example: no schema.
    Data,
}

impl Place {
    /// What the member `name` of an object in this place holds.
    fn of_member(self, name: Text<'_>) -> Self {
        let is = |names: &[&str]| names.iter().any(|keyword| name == *keyword);
        match self {
            Self::Data => Self::Data,
            Self::Properties => Self::Property,
            Self::Names => Self::Elsewhere,
            Self::Root | Self::Property if is(&["properties"]) => Self::Properties,
            _ if is(VALUES) => Self::Data,
            _ if is(NAMED) => Self::Names,
            _ => Self::Elsewhere,
        }
    }

    /// What the elements of an array in this place are.
    fn of_element(self) -> Self {
        if self == Self::Data { Self::Data } else { Self::Elsewhere }
    }
}

/// The keywords that hold values.
const VALUES: &[&str] = &["default", "const", "enum", "examples"];

/// The keywords that hold schemas, or lists of names, by names of the author's
/// choice.
const NAMED: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
];

/// An object or array that is open.
struct Open<'s> {
    is_object: bool,
    place: Place,
    /// The member that is read; none before its name.
    name: Option<Text<'s>>,
    /// On the chain, the names so far.
    names: HashSet<Text<'s>>,
    annotation: Annotation<'s>,
    has_primitive_type: bool,
}

/// The member `x-mcp-header` of a property.
enum Annotation<'s> {
    None,
    /// It is given, and so far no string.
    Other,
    Name(Text<'s>),
}

struct Walk<'s, 'l> {
    schema: &'s [u8],
    at: usize,
    open: Vec<Open<'s>>,
    params: Vec<Param>,
    /// An object on the chain gives a member twice.
    is_ambiguous: bool,
    limits: &'l ParamLimits,
}

impl<'s> Walk<'s, '_> {
    fn run(&mut self) -> Result<(), UnlearnedReason> {
        while let Some(&byte) = self.schema.get(self.at) {
            self.at += 1;
            match byte {
                b'"' => match self.string() {
                    Some(text) => self.text(text)?,
                    None => break,
                },
                b'{' | b'[' => self.enter(byte == b'{')?,
                b'}' | b']' => self.leave()?,
                b',' => {
                    if let Some(open) = self.open.last_mut() {
                        open.name = None;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// From behind the opening quote to behind the closing one.
    fn string(&mut self) -> Option<Text<'s>> {
        let start = self.at;
        loop {
            self.at += memchr::memchr2(b'"', b'\\', self.schema.get(self.at..)?)?;
            if self.schema[self.at] == b'"' {
                self.at += 1;
                return Some(Text::new(&self.schema[start..self.at - 1]));
            }
            self.at += 2;
        }
    }

    fn enter(&mut self, is_object: bool) -> Result<(), UnlearnedReason> {
        // What a validator lets through is not deeper.
        if self.open.len() >= Limits::MOST_DEPTH {
            return Err(UnlearnedReason::TooDeep);
        }
        let place = match self.open.last() {
            None => Place::Root,
            Some(open) => match open.name {
                Some(name) => open.place.of_member(name),
                None => open.place.of_element(),
            },
        };
        self.open.push(Open {
            is_object,
            place: if is_object { place } else { place.of_element() },
            name: None,
            names: HashSet::new(),
            annotation: Annotation::None,
            has_primitive_type: false,
        });
        Ok(())
    }

    /// A string: a member's name, or a value.
    fn text(&mut self, text: Text<'s>) -> Result<(), UnlearnedReason> {
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        match open.name {
            None if open.is_object => {
                open.name = Some(text);
                let place = open.place;
                if matches!(place, Place::Root | Place::Properties | Place::Property) {
                    self.is_ambiguous |= !open.names.insert(text);
                }
                if text == ANNOTATION {
                    match place {
                        Place::Property => open.annotation = Annotation::Other,
                        Place::Root | Place::Elsewhere => return Err(UnlearnedReason::Unreachable),
                        Place::Properties | Place::Names | Place::Data => {}
                    }
                }
            }
            Some(name) if open.place == Place::Property => {
                if name == ANNOTATION {
                    open.annotation = Annotation::Name(text);
                } else if name == "type" {
                    open.has_primitive_type =
                        ["string", "integer", "boolean"].iter().any(|primitive| text == *primitive);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), UnlearnedReason> {
        let Some(closed) = self.open.pop() else { return Ok(()) };
        let header = match closed.annotation {
            Annotation::None => return Ok(()),
            Annotation::Other => return Err(UnlearnedReason::Token),
            Annotation::Name(header) => header.decode(),
        };
        if header.is_empty() {
            return Err(UnlearnedReason::Empty);
        }
        if !header.bytes().all(is_token) {
            return Err(UnlearnedReason::Token);
        }
        if !closed.has_primitive_type {
            return Err(UnlearnedReason::Type);
        }
        if self.params.iter().any(|param| param.header.eq_ignore_ascii_case(&header)) {
            return Err(UnlearnedReason::Duplicate);
        }
        let steps = self.open.iter().filter(|open| open.place == Place::Properties);
        let path: Box<[Box<str>]> = steps.filter_map(|open| open.name).map(owned).collect();
        if path.len() > self.limits.depth {
            return Err(UnlearnedReason::TooDeep);
        }
        if self.params.len() >= self.limits.params_per_tool {
            return Err(UnlearnedReason::TooManyParams);
        }
        self.params.push(Param { header: header.into(), path });
        Ok(())
    }
}

const ANNOTATION: &str = "x-mcp-header";

/// A `tchar` of [RFC 9110, section 5.6.2].
///
/// [RFC 9110, section 5.6.2]: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
