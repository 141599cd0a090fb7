//! A change, what it should make of a message, worked out on parsed JSON, and
//! the comparison of the two.

use mcparse::{Kind, Message, Method, Obstacle, Policy, Rewrite, Rule, RuleSet, Sender, Validator};
use serde_json::{Value, json};

use crate::twin::compare::shown;
use crate::twin::generate::Draw;
use crate::twin::read::{self, read};

/// What is to be changed; what is empty stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    id: Option<Id>,
    name: Name,
    /// Keys, and the text that each is to have; none to take it out.
    meta: Vec<(&'static str, Option<&'static str>)>,
}

#[derive(Clone, Debug)]
enum Id {
    Text(&'static str),
    Integer(i64),
}

#[derive(Clone, Copy, Debug, Default)]
enum Name {
    #[default]
    Same,
    Whole(&'static str),
    Prefix(&'static str, &'static str),
}

/// Keys that no method and no rule gives a meaning beyond being a string, and
/// some that messages have.
const KEYS: [&str; 8] = [
    "com.example/tenant",
    "acme",
    "a\"b\u{e9}",
    "io.modelcontextprotocol/protocolVersion",
    "traceparent",
    "progressToken",
    "tracestate",
    "",
];
/// The first are what names often begin with.
const PREFIXES: [&str; 10] =
    ["a", "a", "to", "tool", "", "acme__", "\u{e9}", "\u{1f389}", "x\"\n", "\u{fffd}"];

pub(crate) fn drawn_change(draw: &mut Draw<'_>) -> Change {
    let mut change = Change::default();
    if draw.once_in(2) {
        change.id = Some(match draw.below(3) {
            0 => Id::Integer(draw.pick(&[0, 7, -1, 9_007_199_254_740_991])),
            1 => Id::Text(draw.pick(&["", "gw-1", "a\"\\b\n\u{e9}"])),
            _ => Id::Integer(31),
        });
    }
    change.name = match draw.below(4) {
        0 => Name::Same,
        1 => Name::Whole(draw.pick(&["", "other", "a\"\\\u{1}\u{1f389}"])),
        _ => Name::Prefix(draw.pick(&PREFIXES), draw.pick(&PREFIXES)),
    };
    let mut keys = KEYS.to_vec();
    for _ in 0..draw.below(9) {
        let key = keys.remove(draw.below(keys.len()));
        let value = if draw.once_in(3) { None } else { Some(draw.pick(&["", "v", "a\"b\n"])) };
        change.meta.push((key, value));
    }
    if draw.once_in(2) {
        change.meta.clear();
    }
    change
}

fn rewrite<'r>(message: &Message<'r>, change: &'r Change) -> Rewrite<'r> {
    let mut rewrite = message.rewrite();
    match change.id {
        Some(Id::Integer(id)) => rewrite = rewrite.with_id(id),
        Some(Id::Text(id)) => rewrite = rewrite.with_id(id),
        None => {}
    }
    match change.name {
        Name::Same => {}
        Name::Whole(name) => rewrite = rewrite.with_name(name),
        Name::Prefix(off, on) => {
            rewrite = rewrite.without_name_prefix(off).with_name_prefix(on);
        }
    }
    for &(key, value) in &change.meta {
        rewrite = match value {
            Some(value) => rewrite.with_meta(key, value),
            None => rewrite.without_meta(key),
        };
    }
    rewrite
}

/// Makes the change by both lanes and compares it with what it should be; then
/// what is left of it without the id, and without the name, as most messages
/// lack one of them. Gives what was done: the sorts of changes, or what stood in
/// the way.
pub(crate) fn same_but_for_the_change(
    policy: Policy,
    from: Sender,
    bytes: &[u8],
    change: &Change,
) -> Vec<&'static str> {
    let [mut by_default, mut by_tape] =
        [Validator::new(policy), Validator::with_tape_alone(policy)];
    let mut all = Vec::new();
    let mut left = Some(change.clone());
    while let Some(change) = left {
        let done = same_by(&mut by_default, from, bytes, &change);
        assert_eq!(same_by(&mut by_tape, from, bytes, &change), done);
        all.extend(done);
        left = match (&change.id, change.name) {
            (Some(_), _) => Some(Change { id: None, ..change }),
            (None, Name::Same) => None,
            (None, _) => Some(Change { name: Name::Same, ..change }),
        };
    }
    all
}

fn same_by(
    validator: &mut Validator,
    from: Sender,
    bytes: &[u8],
    change: &Change,
) -> Vec<&'static str> {
    let Ok(message) = validator.check(from, bytes) else { return Vec::new() };
    let about = shown(bytes);
    let rewrite = rewrite(&message, change);
    let mut new = Vec::new();
    let slices = match (rewrite.slices(&mut new), obstacle(&message, validator.policy(), change)) {
        (Ok(slices), None) => slices,
        (Err(ours), Some(twin)) => {
            assert_eq!((ours.member(), ours.obstacle()), twin, "{about} {change:?}");
            return vec![in_words(ours.obstacle())];
        }
        (ours, twin) => panic!("{about} {change:?}\n ours: {ours:?}\n twin: {twin:?}"),
    };
    let mut sent = Vec::new();
    slices.write(&mut sent);
    assert_eq!(slices.byte_len(), sent.len());
    assert!(slices.as_slice().iter().all(|slice| !slice.is_empty()));
    borrowed_bytes_are_in_order(bytes, slices.as_slice());

    // As far as serde_json can read it at all: no 1e400, no half a surrogate.
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if let Ok(before) = serde_json::from_slice::<Value>(text) {
        let after = sent.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&sent);
        let after: Value = serde_json::from_slice(after).expect("it is still JSON");
        assert_eq!(after, changed(before, &message, change), "{about} {change:?}");
    }
    let again = validator.check(from, &sent);
    // A key that is put in may bring the params that were missing.
    let may_break = |rule: Rule| {
        MAY_BREAK.contains(&rule) || rule == Rule::ParamsShape && !has_params(&message)
    };
    // A new value may well break a rule, as an odd version does; else the
    // verdict stays.
    let has_plain_keys = change.meta.iter().all(|(key, _)| KEYS[..2].contains(key));
    match again {
        Ok(again) => {
            assert_eq!(again.kind(), message.kind(), "{about}");
            assert_eq!(again.method(), message.method(), "{about}");
            if has_plain_keys {
                let [before, after] = [&message, &again].map(|of| steady_findings(of, may_break));
                assert_eq!(after, before, "{about} {change:?}");
            }
            if change.id.is_none() {
                assert_eq!(again.id(), message.id());
            }
            let name = match again {
                Message::Request(call) => call.name(),
                Message::Notification(call) => call.name(),
                Message::Response(_) => None,
            };
            let header = rewrite.name_header().map(|header| header.text().to_owned());
            assert_eq!(header, name.map(|name| name.decode().into_owned()), "{about}");
        }
        Err(violation) => assert!(
            !has_plain_keys || may_break(violation.rule()),
            "{violation} of {} from {about}",
            shown(&sent)
        ),
    }
    done(&message, change)
}

fn in_words(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Missing => "missing",
        Obstacle::Repeated => "repeated",
        Obstacle::Lookalike => "look-alike",
        Obstacle::NoPrefix => "no prefix",
        Obstacle::NotObject => "no object",
        other => panic!("{other:?} is new"),
    }
}

/// The sorts of changes that were made to the message. To take out a key that it
/// does not have, or a prefix of nothing, is none.
fn done(accepted: &Message<'_>, change: &Change) -> Vec<&'static str> {
    let around = if accepted.kind() == Kind::Result { "result" } else { "params" };
    let meta = member(parsed(accepted), around).and_then(|around| member(around, "_meta"));
    let has = |key| meta.is_some_and(|meta| member(meta, key).is_some());
    let brings = change.meta.iter().any(|(_, value)| value.is_some());
    let (off, on) = match change.name {
        Name::Prefix(off, on) => (!off.is_empty(), !on.is_empty()),
        _ => (false, false),
    };
    let key = |is: &dyn Fn(bool, bool) -> bool| {
        change.meta.iter().any(|(key, value)| is(has(key), value.is_some()))
    };
    let sorts = [
        ("id", change.id.is_some()),
        ("name", matches!(change.name, Name::Whole(_))),
        ("prefix off", off),
        ("prefix on", on),
        ("key put in", key(&|is_there, brings| !is_there && brings)),
        ("key replaced", key(&|is_there, brings| is_there && brings)),
        ("key taken out", key(&|is_there, brings| is_there && !brings)),
        ("_meta put in", meta.is_none() && brings),
    ];
    let is_any = sorts.iter().any(|&(_, is_done)| is_done);
    let all = sorts.into_iter().chain([("rewritten", is_any)]);
    all.filter(|&(_, is_done)| is_done).map(|(sort, _)| sort).collect()
}

/// What depends on the very values that are changed.
const MAY_BREAK: [Rule; 10] = [
    Rule::UnpairedSurrogate,
    Rule::IdFloat,
    Rule::IdUnsafeInteger,
    Rule::IdTooLong,
    Rule::MetaMissing,
    Rule::ProtocolVersionMissing,
    Rule::ClientCapabilitiesMissing,
    Rule::ClientInfoMissing,
    Rule::MetaKeySyntax,
    Rule::DeepDuplicate,
];

fn steady_findings(message: &Message<'_>, may_break: impl Fn(Rule) -> bool) -> RuleSet {
    message.findings().iter().filter(|&rule| !may_break(rule)).collect()
}

fn has_params(message: &Message<'_>) -> bool {
    member(parsed(message), "params").is_some()
}

/// The slices that lie in the message are its bytes in order, none twice.
fn borrowed_bytes_are_in_order(message: &[u8], slices: &[&[u8]]) {
    let range = message.as_ptr_range();
    let mut at = range.start;
    for slice in slices.iter().map(|slice| slice.as_ptr_range()) {
        if range.contains(&slice.start) {
            assert!(at <= slice.start && slice.end <= range.end);
            at = slice.end;
        }
    }
    // From the first byte to the last, which nobody changes.
    assert_eq!(slices.first().map(|slice| slice.as_ptr()), Some(range.start));
    assert_eq!(slices.last().map(|slice| slice.as_ptr_range().end), Some(range.end));
}

/// The change made on parsed JSON.
fn changed(mut message: Value, accepted: &Message<'_>, change: &Change) -> Value {
    match change.id {
        Some(Id::Text(id)) => message["id"] = json!(id),
        Some(Id::Integer(id)) => message["id"] = json!(id),
        None => {}
    }
    if let Some(source) = source(accepted) {
        let name = message["params"][&source].as_str().expect("a string").to_owned();
        message["params"][&source] = json!(match change.name {
            Name::Same => name,
            Name::Whole(name) => name.to_owned(),
            Name::Prefix(off, on) => format!("{on}{}", name.strip_prefix(off).expect("it has it")),
        });
    }
    let around = if accepted.kind() == Kind::Result { "result" } else { "params" };
    for &(key, value) in &change.meta {
        if let Some(value) = value {
            message[around]["_meta"][key] = json!(value);
        } else {
            let meta = message.get_mut(around).and_then(|around| around.get_mut("_meta"));
            meta.and_then(Value::as_object_mut).map(|meta| meta.remove(key));
        }
    }
    message
}

/// How the member is called that holds the name, if it is a string.
fn source(accepted: &Message<'_>) -> Option<String> {
    let span = match accepted {
        Message::Request(call) => call.name_span(),
        Message::Notification(call) => call.name_span(),
        Message::Response(_) => None,
    }?;
    let members = member(parsed(accepted), "params")?.members();
    let member = members.into_iter().find(|member| member.value.span() == span)?;
    Some(String::from_utf8(member.name).expect("a string"))
}

/// How it must be called.
fn defined_source(accepted: &Message<'_>, policy: &Policy) -> Option<&'static str> {
    let method = accepted.method()?;
    match Method::from_text(method) {
        Some(method) => method.name_source(),
        None => policy.methods().iter().find(|extra| method == *extra.name())?.name_source(),
    }
}

fn parsed<'m>(accepted: &Message<'m>) -> read::Value<'m> {
    read(accepted.bytes(), 600, |_| false).expect("it has been accepted").0
}

fn member<'m>(object: read::Value<'m>, name: &str) -> Option<read::Value<'m>> {
    let members = object.members();
    members.into_iter().rfind(|member| member.name == name.as_bytes()).map(|member| member.value)
}

/// What stands in the way, if anything does: the README's sentences on ambiguity
/// for the one member that is to be changed, and for those around it.
fn obstacle(
    accepted: &Message<'_>,
    policy: &Policy,
    change: &Change,
) -> Option<(&'static str, Obstacle)> {
    let root = parsed(accepted);
    let params = member(root, "params");
    if change.id.is_some() {
        if let Some(found) = sole(root, "id") {
            return Some(("id", found));
        }
        if member(root, "id").is_none_or(|id| id.raw == "null") {
            return Some(("id", Obstacle::Missing));
        }
    }
    if !matches!(change.name, Name::Same | Name::Prefix("", "")) {
        for name in ["method", "params"] {
            if let Some(found) = sole(root, name) {
                return Some((name, found));
            }
        }
        let defined = defined_source(accepted, policy);
        let defined = defined.and_then(|name| Some((name, member(params?, name)?)));
        if let Some((name, _)) = defined
            && let Some(found) = sole(params?, name)
        {
            return Some(("name", found));
        }
        let Some(source) = source(accepted) else { return Some(("name", Obstacle::Missing)) };
        assert_eq!(defined.map(|(name, _)| name), Some(&*source));
        let params = params.expect("it holds the name");
        if let Name::Prefix(off, _) = change.name {
            let name = member(params, &source).expect("it is there");
            let decoded = String::from_utf8(name.decoded().expect("a string")).expect("UTF-8");
            if !decoded.starts_with(off) || off == "\u{fffd}" && name.raw.starts_with("\"\\") {
                return Some(("name", Obstacle::NoPrefix));
            }
        }
    }
    if change.meta.is_empty() {
        return None;
    }
    let is_answer = accepted.kind().is_response();
    let around = if is_answer { "result" } else { "params" };
    if let Some(found) = sole(root, around) {
        return Some((around, found));
    }
    let brings_none = change.meta.iter().all(|(_, value)| value.is_none());
    let Some(object) = member(root, around) else {
        return (is_answer && !brings_none).then_some((around, Obstacle::Missing));
    };
    if let Some(found) = sole(object, "_meta") {
        return Some(("_meta", found));
    }
    let meta = member(object, "_meta")?;
    if meta.json() != read::Json::Object {
        return Some(("_meta", Obstacle::NotObject));
    }
    // Whichever comes first in the text is told.
    let mut seen = Vec::new();
    for member in meta.members() {
        for &(key, _) in &change.meta {
            if member.name == key.as_bytes() {
                if seen.contains(&key) {
                    return Some((key, Obstacle::Repeated));
                }
                seen.push(key);
            } else if is_alike(&member.name, key) {
                return Some((key, Obstacle::Lookalike));
            }
        }
    }
    None
}

/// Why `name` is not the one member of that name for every reader.
fn sole(object: read::Value<'_>, name: &str) -> Option<Obstacle> {
    let mut is_seen = false;
    for member in object.members() {
        if member.name == name.as_bytes() {
            if is_seen {
                return Some(Obstacle::Repeated);
            }
            is_seen = true;
        } else if is_alike(&member.name, name) {
            return Some(Obstacle::Lookalike);
        }
    }
    None
}

/// Equal without regard to case, to the two letters that fold to `s` and `k`, and
/// to NULs at the end.
fn is_alike(name: &[u8], known: &str) -> bool {
    let folded = |text: &str| {
        let text: String = text.chars().map(|letter| letter.to_ascii_lowercase()).collect();
        text.replace('\u{17f}', "s").replace('\u{212a}', "k").trim_end_matches('\0').to_owned()
    };
    std::str::from_utf8(name).is_ok_and(|name| folded(name) == folded(known))
}
