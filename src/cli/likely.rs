//! Who is likely to have sent a message, told by nothing but the message.

use mcparse::{ExtraMethod, Message, Method, Policy, RevisionSet, Sender, Text};

/// The policy by which a message is read to see who sent it, where it is judged by
/// this one.
pub(super) fn lenient(policy: &Policy) -> Policy {
    Policy::observe()
        .with_limits(*policy.limits())
        .with_revisions(policy.revisions())
        .with_methods(policy.methods())
}

/// The sender that is told if nothing was asked before.
pub(super) fn likely(policy: &Policy, message: Option<&Message<'_>>) -> Sender {
    match message {
        None => Sender::Client,
        Some(message) => {
            message.method().map_or(Sender::Server, |method| sender_of(policy, method))
        }
    }
}

/// Whoever may send the method, the client if both may or nobody.
pub(super) fn sender_of(policy: &Policy, method: Text<'_>) -> Sender {
    let Some(known) = Method::from_text(method) else {
        let own = policy.methods().iter().find(|own| method == *own.name());
        return own.map_or(Sender::Client, ExtraMethod::sender);
    };
    let may = |sender, served: RevisionSet| !known.sent_by(sender).intersection(served).is_empty();
    // First in the revisions that are served, then in any.
    for served in [policy.revisions(), RevisionSet::ALL] {
        match (may(Sender::Client, served), may(Sender::Server, served)) {
            (true, _) => return Sender::Client,
            (false, true) => return Sender::Server,
            (false, false) => {}
        }
    }
    Sender::Client
}
