//! Bytes put out of shape, and policies that let some of it pass.

use mcparse::{
    Action, Capability, ExtraMethod, Kind, Limits, Policy, Requirement, Revision, RevisionSet,
    Rule, Sender,
};

use super::generate::{Draw, message};

const ODD_BYTES: &[u8] =
    b"{}[],:\"\\/0-.e \t\n\r\0ntfu\x7f\x80\xc3\xe2\xef\xbb\xbf\xed\xa0\xf0\xff\x1f";

/// A message as bytes, often damaged: cut short, a byte flipped, put in, taken
/// out.
pub(crate) fn bytes(draw: &mut Draw<'_>) -> Vec<u8> {
    let mut bytes = message(draw).into_bytes();
    if !draw.once_in(4) {
        return bytes;
    }
    for _ in 0..=draw.below(3) {
        if bytes.is_empty() {
            return bytes;
        }
        let at = (draw.below(256) << 8 | draw.below(256)) % bytes.len();
        match draw.below(7) {
            0 => bytes[at] = draw.pick(ODD_BYTES),
            1 => bytes.truncate(at),
            2 => bytes[at] ^= 1 << draw.below(8),
            3 => bytes.insert(at, draw.pick(ODD_BYTES)),
            4 => drop(bytes.remove(at)),
            // The next closing bracket becomes the other one.
            5 => bytes[at..].iter_mut().find(|byte| b"]}".contains(byte)).map_or((), |byte| {
                *byte ^= b']' ^ b'}';
            }),
            _ => {
                let end = bytes.len().min(at + draw.below(32));
                bytes.extend_from_within(at..end);
            }
        }
    }
    bytes
}

/// What a policy may add to the protocol's methods: the last one has a name that
/// the protocol has too.
pub(crate) static METHODS: [ExtraMethod; 7] = [
    ExtraMethod::new("acme/search", Kind::Request, Sender::Client).with_name_source("index"),
    ExtraMethod::new("acme/modern", Kind::Request, Sender::Client)
        .with_revisions(RevisionSet::MODERN)
        .with_name_source("name"),
    ExtraMethod::new("acme/ask", Kind::Request, Sender::Server).with_revisions(RevisionSet::LEGACY),
    ExtraMethod::new("acme/noted", Kind::Notification, Sender::Client)
        .with_revisions(RevisionSet::MODERN),
    ExtraMethod::new("notifications/acme", Kind::Notification, Sender::Server),
    ExtraMethod::new("notifications/acme/call", Kind::Request, Sender::Client),
    ExtraMethod::new("resources/list", Kind::Request, Sender::Server).with_name_source("name"),
];

static REQUIREMENTS: [Requirement; 7] = [
    Requirement::new("tools/call", Capability::of_client("elicitation")).on("a"),
    Requirement::new("tools/call", Capability::of_client("elicitation").with_part("form"))
        .on("tool"),
    Requirement::new("tools/list", Capability::of_client("elicitation").with_part("form")),
    Requirement::new("prompts/get", Capability::of_client("elicitation").with_part("url")),
    Requirement::new("resources/read", Capability::of_client("sampling").with_part("tools"))
        .on("a"),
    Requirement::new("acme/search", Capability::of_client("extensions").with_part("com.example/a"))
        .on("a"),
    Requirement::new("tools/call", Capability::of_client("x")).on(""),
];

static ORIGINS: [&str; 2] = ["https://app.example", "http://localhost:8080"];

/// Any policy: for each rule any action, and limits that a drawn message may
/// well exceed.
pub(crate) fn policy(draw: &mut Draw<'_>) -> Policy {
    let mut policy = draw.pick(&[Policy::strict(), Policy::observe()]);
    if draw.once_in(4) {
        return policy;
    }
    if draw.once_in(2) {
        let chosen = draw.below(32);
        let served = Revision::ALL.into_iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        policy = policy.with_revisions(served.map(|(_, revision)| revision).collect());
    }
    match draw.below(3) {
        0 => {}
        1 => policy = policy.with_methods(&METHODS[..6]),
        _ => policy = policy.with_methods(&METHODS),
    }
    if draw.once_in(3) {
        policy = policy.with_origins(&ORIGINS);
    }
    if draw.once_in(2) {
        policy = policy.with_requirements(&REQUIREMENTS);
    }
    let mut limits = Limits::new();
    if draw.once_in(8) {
        limits = limits.with_message_bytes(2 * draw.below(256));
    }
    if draw.once_in(3) {
        limits = limits.with_depth(draw.below(9));
    }
    if draw.once_in(3) {
        limits = limits.with_id_bytes(draw.below(24));
    }
    if draw.once_in(3) {
        limits = limits.with_method_bytes(draw.below(16));
    }
    if draw.once_in(3) {
        limits = limits.with_name_bytes(draw.below(8));
    }
    if draw.once_in(6) {
        limits = limits.with_header_bytes(draw.below(24));
    }
    if draw.once_in(3) {
        limits = limits.with_members(draw.below(8));
    }
    policy = policy.with_limits(limits);
    // Many a later rule is met only if few earlier ones refuse.
    if draw.once_in(2) {
        return policy;
    }
    for &rule in Rule::ALL {
        let asis = policy.action(rule);
        let action = draw.pick(&[asis, Action::Report, Action::Refuse, Action::Off]);
        policy = policy.with_action(rule, action);
    }
    policy
}
