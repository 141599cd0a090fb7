//! Bytes put out of shape, and policies that let some of it pass.

use mcparse::{Action, Limits, Policy, Rule};

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

/// Any policy: for each rule any action, and limits that a drawn message may
/// well exceed.
pub(crate) fn policy(draw: &mut Draw<'_>) -> Policy {
    let mut policy = draw.pick(&[Policy::strict(), Policy::observe()]);
    if draw.once_in(4) {
        return policy;
    }
    for &rule in Rule::ALL {
        let asis = policy.action(rule);
        let action = draw.pick(&[asis, Action::Report, Action::Refuse, Action::Off]);
        policy = policy.with_action(rule, action);
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
        limits = limits.with_members(draw.below(8));
    }
    policy.with_limits(limits)
}
