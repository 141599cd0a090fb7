//! The rules of the HTTP headers that mirror the body.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use mcparse::{Method, Revision, RevisionSet, Rule};

use super::head::Head;
use super::message::{Message, PROTOCOL_VERSION};
use super::read::Value;
use super::truth::last;

const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// What a value of `Mcp-Name` stands for.
enum Named {
    NotBase64,
    NotUtf8,
    Text { text: Vec<u8>, has_stray_bits: bool },
}

/// Whether head and body together break a rule. Only modern messages have
/// mirrors; of the others the version is judged. Every copy is compared with the
/// body, and of copies that differ one at most can match.
pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> bool {
    let Some(head) = &message.head else { return false };
    if message.is_modern() {
        [VERSION, METHOD, NAME].iter().any(|name| is_out_of_form(message, head, name, rule))
            || of_modern(message, head, rule)
    } else {
        is_out_of_form(message, head, VERSION, rule) || of_other(message, head, rule)
    }
}

/// Whether a header is not in order, whatever the body says.
fn is_out_of_form(message: &Message<'_>, head: &Head, name: &str, rule: Rule) -> bool {
    let copies = head.copies(name);
    let Some(line) = head.first_line(name) else { return false };
    match rule {
        Rule::HeaderCharacters => !line.iter().all(|byte| matches!(byte, b'\t' | 0x20..=0x7e)),
        Rule::HeaderTooLong => line.len() > message.policy.limits().header_bytes,
        Rule::HeaderRepeated => copies.iter().any(|copy| *copy != copies[0]),
        Rule::HeaderRepeatedEqual => copies[1..].contains(&copies[0]),
        _ => false,
    }
}

fn of_other(message: &Message<'_>, head: &Head, rule: Rule) -> bool {
    let served = message.policy.revisions();
    let version = head.copies(VERSION).into_iter().next();
    let known = version.as_ref().and_then(|version| Revision::from_bytes(version));
    let legacy = known.filter(|revision| !revision.is_modern());
    match rule {
        Rule::MirrorWithoutVersion => {
            let is_param = |(name, _): &(String, _)| is_param(name);
            let has_mirror =
                head.has(METHOD) || head.has(NAME) || head.headers.iter().any(is_param);
            has_mirror && (version.is_none() || legacy.is_some())
        }
        // Where no legacy revision is served, `unsupported-version` says which ones are.
        Rule::VersionHeaderUnknown => {
            let is_hopeless = message.is_request()
                && message.protocol_method() == Some(Method::Initialize)
                && served.intersection(RevisionSet::LEGACY).is_empty();
            let is_served = legacy.is_some_and(|revision| served.contains(revision));
            version.is_some() && !is_served && !is_hopeless
        }
        _ => false,
    }
}

/// `Mcp-Param-` and something behind it.
fn is_param(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.strip_prefix("mcp-param-").is_some_and(|rest| !rest.is_empty())
}

fn of_modern(message: &Message<'_>, head: &Head, rule: Rule) -> bool {
    let is_request = message.is_request();
    let first = |name: &str| head.copies(name).into_iter().next();
    let version = version_of(message).and_then(Value::decoded);
    let has_source = message.name_source().is_some();
    let named = first(NAME).filter(|_| has_source).map(|value| unwrapped(&value));
    let name = message.name().and_then(Value::decoded);
    match rule {
        Rule::VersionHeaderMissing => is_request && !head.has(VERSION),
        Rule::VersionHeaderMismatch => {
            version.is_some_and(|version| head.copies(VERSION).iter().any(|copy| *copy != version))
        }
        Rule::MethodHeaderMissing => is_request && !head.has(METHOD),
        Rule::MethodHeaderMismatch => {
            let is_other = |copy: &Vec<u8>| message.method_name().as_ref() != Some(copy);
            head.copies(METHOD).iter().any(is_other)
        }
        Rule::NameHeaderMissing => is_request && has_source && !head.has(NAME),
        Rule::NameHeaderUnexpected => !has_source && head.has(NAME),
        Rule::NameHeaderMismatch => named.is_some_and(|named| match named {
            Named::Text { text, .. } => {
                let copies = head.copies(NAME);
                name != Some(text) || copies.iter().any(|copy| *copy != copies[0])
            }
            Named::NotBase64 | Named::NotUtf8 => true,
        }),
        Rule::HeaderBase64 => matches!(named, Some(Named::NotBase64)),
        Rule::HeaderBase64Utf8 => matches!(named, Some(Named::NotUtf8)),
        Rule::HeaderBase64StrayBits => {
            matches!(named, Some(Named::Text { has_stray_bits: true, .. }))
        }
        _ => false,
    }
}

/// The version that the body names; a result may have a `_meta` too.
fn version_of<'m>(message: &Message<'m>) -> Option<Value<'m>> {
    if message.method.is_some() {
        return message.meta_member(PROTOCOL_VERSION);
    }
    let meta = last(&message.result?.members(), "_meta")?;
    last(&meta.members(), PROTOCOL_VERSION)
}

/// What of the body a person should look at: what the header mirrors, if the rule
/// compares the two, else the message.
pub(crate) fn place(message: &Message<'_>, rule: Rule) -> usize {
    let mirrored = match rule {
        Rule::VersionHeaderMissing | Rule::VersionHeaderMismatch => version_of(message),
        Rule::MethodHeaderMissing | Rule::MethodHeaderMismatch => message.method,
        Rule::NameHeaderMissing | Rule::NameHeaderMismatch => {
            message.name_source().and_then(|source| message.param(source))
        }
        _ => None,
    };
    mirrored.unwrap_or(message.root).at
}

/// A value without `=?base64?` and `?=` around it, decoded once.
fn unwrapped(value: &[u8]) -> Named {
    let inside = value.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?="));
    let Some(inside) = inside else {
        return Named::Text { text: value.to_vec(), has_stray_bits: false };
    };
    let with = |config| GeneralPurpose::new(&STANDARD, config);
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireCanonical);
    let strict = with(config).decode(inside);
    let Ok(text) = with(config.with_decode_allow_trailing_bits(true)).decode(inside) else {
        return Named::NotBase64;
    };
    match String::from_utf8(text) {
        Ok(text) => Named::Text { text: text.into(), has_stray_bits: strict.is_err() },
        Err(_) => Named::NotUtf8,
    }
}
