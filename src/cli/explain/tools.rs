//! The rules of what the tools of a list say of themselves: their schemas, names
//! and icons.

use mcparse::Rule;

use super::example::{Entry, Example};

const LIST: &str = modern!("tools/list");

/// The answer to [`LIST`] with these tools.
macro_rules! tools {
    ($($tool:expr),*) => {
        Example::answer(
            LIST,
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"#,
                r#""cacheScope":"public","tools":["#,
                $($tool,)*
                "]}}"
            ),
        )
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::ToolInputSchema,
        meaning: "Every tool has an inputSchema: a JSON Schema, an object, whose type is \
                  \"object\". A tool without parameters has one too.",
        why: "Arguments always are an object. Clients that check them against the schema, \
              and models that are told of it, fail on anything else.",
        broken: tools!(r#"{"name":"now"}"#),
        right: tools!(
            r#"{"name":"now","inputSchema":{"type":"object","additionalProperties":false}}"#
        ),
    },
    Entry {
        rule: Rule::ToolNameForm,
        meaning: "From 2025-11-25 on a tool's name should have from 1 to 128 characters, all of \
                  them ASCII letters, digits, underscores, hyphens and dots.",
        why: "Clients and models put the name where other characters have a meaning, and \
              refuse the tool, or call it by another name.",
        broken: tools!(r#"{"name":"get weather","inputSchema":{"type":"object"}}"#),
        right: tools!(r#"{"name":"get_weather","inputSchema":{"type":"object"}}"#),
    },
    Entry {
        rule: Rule::ToolNameDuplicate,
        meaning: "A tool's name is unique within its server, and here one list has it twice. \
                  Names are compared as they decode, and by case. The first 1024 of a list are \
                  compared, and no list with the next page.",
        why: "Nobody can say which of the two a call means. A second tool can take the \
              place of one that was looked at and trusted.",
        broken: tools!(
            r#"{"name":"pay","inputSchema":{"type":"object"}},"#,
            r#"{"name":"pay","inputSchema":{"type":"object"}}"#
        ),
        right: tools!(
            r#"{"name":"pay","inputSchema":{"type":"object"}},"#,
            r#"{"name":"pay_later","inputSchema":{"type":"object"}}"#
        ),
    },
    Entry {
        rule: Rule::SchemaExternalRef,
        meaning: "In 2026-07-28 nobody may fetch what the $ref of a schema refers to, unless \
                  asked to. One in an inputSchema or outputSchema that is no fragment (#...) \
                  stays unresolved. A schema in which anything has an $id is left alone, for \
                  that may be what is meant.",
        why: "A client that fetches it can be sent to any host, also inside its own network. \
              One that does not cannot tell what the schema allows.",
        broken: tools!(
            r#"{"name":"pay","inputSchema":{"type":"object","properties":{"to":{"$ref":"http://10.0.0.1/s"}}}}"#
        ),
        right: tools!(
            r##"{"name":"pay","inputSchema":{"type":"object","properties":{"to":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}}"##
        ),
    },
    Entry {
        rule: Rule::SchemaTooComplex,
        meaning: "2026-07-28 asks for bounds on schemas and leaves them to us. Ours are: at \
                  most 32 schemas in one another, and at most 1024 in all, counting objects in \
                  the place of a schema, the outermost too. What comes after that is not read.",
        why: "The time that it takes to check arguments against such a schema may grow \
              without end, and stop the client.",
        broken: tools!(
            r#"{"name":"pay","inputSchema":{"type":"object","not":"#,
            r#"{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":"#,
            r#"{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":"#,
            r#"{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{}"#,
            "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}"
        ),
        right: tools!(
            r#"{"name":"pay","inputSchema":{"type":"object","not":{"not":{"not":{"not":{"not":{}}}}}}}"#
        ),
    },
    Entry {
        rule: Rule::IconUriScheme,
        meaning: "The src of an icon is a URL with https or http, or a data URI. Here that of a \
                  tool has another scheme, or none. Icons came with 2025-11-25.",
        why: "Clients must reject schemes such as javascript: and file:, which run code or read \
              the user's files. Where one does not, a server reaches them by an icon.",
        broken: tools!(
            r#"{"name":"pay","inputSchema":{"type":"object"},"icons":[{"src":"javascript:alert(1)"}]}"#
        ),
        right: tools!(
            r#"{"name":"pay","inputSchema":{"type":"object"},"icons":[{"src":"https://example.com/pay.png"}]}"#
        ),
    },
];
