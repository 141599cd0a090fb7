//! What the tools of a list say of themselves, beyond the shape of the list:
//! their schemas ([Tool], [`$ref` Resolution], [Composition-Keyword Resource
//! Use]), their names ([Tool Names]) and their icons ([`icons`]).
//!
//! Only the complete result of a `tools/list` is read, and of that each tool
//! once. A rule is broken only if every revision that the list may be of has
//! the sentence. What a schema means is not judged, nor any tool by those of
//! another page.
//!
//! [Tool]: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
//! [`$ref` Resolution]: https://modelcontextprotocol.io/specification/2026-07-28/basic#ref-resolution
//! [Composition-Keyword Resource Use]: https://modelcontextprotocol.io/specification/2026-07-28/basic#composition-keyword-resource-use
//! [Tool Names]: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names
//! [`icons`]: https://modelcontextprotocol.io/specification/2026-07-28/basic#icons

mod names;
mod schema;

use names::Names;

use super::{ResultType, named};
use crate::envelope::Field;
use crate::json::reader;
use crate::kind::Kind;
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;
use crate::rule::{Rule, RuleSet};
use crate::rules::subject::Subject;
use crate::text::Text;

/// Notes the rules of this file that a result breaks.
#[inline]
pub(super) fn note(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    if is_list(subject) {
        faults(subject, |rule, _| broken.note(rule, true));
    }
}

/// Where `rule` is broken first; `None` if it is not.
#[cold]
pub(super) fn place(rule: Rule, subject: &Subject<'_, '_>) -> Option<u32> {
    let mut first = None;
    faults(subject, |broken, offset| {
        if broken == rule {
            first = first.or(Some(offset));
        }
    });
    first
}

/// Whether it is the complete result of a `tools/list`.
#[inline]
fn is_list(subject: &Subject<'_, '_>) -> bool {
    let is_asked = subject
        .to
        .is_some_and(|to| to.method() == Some(Method::ToolsList) && to.kind() == Kind::Request);
    is_asked && subject.kind == Kind::Result && (subject.is_legacy() || is_complete(subject))
}

fn is_complete(subject: &Subject<'_, '_>) -> bool {
    matches!(ResultType::of(subject), ResultType::Complete | ResultType::Missing)
}

/// Which of the sentences all revisions have that a list may be of.
#[derive(Clone, Copy)]
struct Held {
    /// How a tool should be called, and what its icons may be.
    names_and_icons: bool,
    /// What a schema may refer to, and that it has bounds.
    references: bool,
}

/// Calls `found` with each rule that is broken, and where, tool by tool.
fn faults(subject: &Subject<'_, '_>, mut found: impl FnMut(Rule, u32)) {
    let is_since = |first| subject.revisions.without_all(RevisionSet::since(first)).is_empty();
    let held = Held {
        names_and_icons: is_since(Revision::V2025_11_25),
        references: is_since(Revision::V2026_07_28),
    };
    let message = subject.message;
    let mut names = None;
    for tool in reader::elements(message, named(subject, "tools")) {
        let name = judge(message, tool, held, &mut found);
        // An empty list needs no room for names.
        if !names.get_or_insert_with(|| Names::new(message)).add(name) {
            found(Rule::ToolNameDuplicate, name.start);
        }
    }
}

/// Judges one tool by itself. Gives its name.
fn judge(message: &[u8], tool: Field, held: Held, mut found: impl FnMut(Rule, u32)) -> Field {
    let [mut name, mut input, mut output, mut icons] = [Field::default(); 4];
    for member in reader::members(message, tool) {
        let known = if member.name == *"name" {
            &mut name
        } else if member.name == *"inputSchema" {
            &mut input
        } else if member.name == *"outputSchema" {
            &mut output
        } else if member.name == *"icons" {
            &mut icons
        } else {
            continue;
        };
        *known = member.value;
    }
    if !is_of_objects(message, input) {
        let closest = if input.is_present() { input } else { tool };
        found(Rule::ToolInputSchema, closest.start);
    }
    if held.names_and_icons {
        if reader::text(message, name).is_some_and(|name| !is_well_formed(name)) {
            found(Rule::ToolNameForm, name.start);
        }
        for icon in reader::elements(message, icons) {
            let source = reader::member(message, icon, "src");
            if reader::text(message, source).is_some_and(|uri| !is_of_icon(uri)) {
                found(Rule::IconUriScheme, source.start);
            }
        }
    }
    if held.references {
        for schema in [input, output] {
            schema::faults(message, schema, &mut found);
        }
    }
    name
}

/// Whether a schema is an object whose `type` is `"object"`: the arguments of a
/// tool always are one.
fn is_of_objects(message: &[u8], schema: Field) -> bool {
    let kind = reader::member(message, schema, "type");
    reader::text(message, kind).is_some_and(|kind| kind == *"object")
}

/// The most characters that a name should have.
const MOST_CHARACTERS: usize = 128;

/// Whether a name has as many characters as it should, and only such as it
/// should.
fn is_well_formed(name: Text<'_>) -> bool {
    // One more tells that it is too long, however long it is.
    let mut bytes = name.bytes().take(MOST_CHARACTERS + 1);
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let mut count = 0;
    bytes.all(|byte| {
        count += 1;
        is_allowed(byte)
    }) && (1..=MOST_CHARACTERS).contains(&count)
}

/// Whether a URI has a scheme that an icon may have. Schemes have no case
/// ([RFC 3986, section 3.1]).
///
/// [RFC 3986, section 3.1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.1
fn is_of_icon(uri: Text<'_>) -> bool {
    ["https:", "http:", "data:"].iter().any(|scheme| {
        let lower = uri.bytes().map(|byte| byte.to_ascii_lowercase());
        lower.take(scheme.len()).eq(scheme.bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_from_1_to_128_of_some_characters() {
        for right in ["a", "getUser", "DATA_EXPORT_v2", "admin.tools.list", "0-9", r"\u0061"] {
            assert!(is_well_formed(Text::new(right.as_bytes())), "{right}");
        }
        for wrong in ["", " ", "a b", "a,b", "a/b", "caf\u{e9}", r"\u0000", r"a\nb", r"\\", "a:"] {
            assert!(!is_well_formed(Text::new(wrong.as_bytes())), "{wrong}");
        }
        for (letter, count, expected) in [("x", 128, true), ("x", 129, false)] {
            assert_eq!(is_well_formed(Text::new(letter.repeat(count).as_bytes())), expected);
        }
        // Escapes are characters, not six of them.
        assert!(is_well_formed(Text::new(r"\u0061".repeat(128).as_bytes())));
        assert!(!is_well_formed(Text::new(r"\u0061".repeat(129).as_bytes())));
    }

    #[test]
    fn an_icon_is_at_a_url_or_is_data() {
        for right in ["https://a/b", "HTTP://a", "data:image/png;base64,", r"\u0064ata:", "https:"]
        {
            assert!(is_of_icon(Text::new(right.as_bytes())), "{right}");
        }
        for wrong in [
            "",
            "javascript:x",
            "file:///a",
            "ftp://a",
            "ws://a",
            "app:x",
            "a.png",
            "//a",
            "https",
            " https://a",
        ] {
            assert!(!is_of_icon(Text::new(wrong.as_bytes())), "{wrong}");
        }
    }
}
