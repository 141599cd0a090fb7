//! The conversations of what is read. Lines are one, and end with their source.
//! Over HTTP all sources of a call are one, but each session of the handshake
//! era has its own: its ids are its own.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use mcparse::{Id, Message, Noticed, RevisionSet, Sender, Summary, Violation};

use super::args::Framing;
use super::conversation::Conversation;

/// The most that are kept; of more, the one that was silent longest is forgotten.
const MOST: usize = 32;

/// The value of `Mcp-Session-Id`, as a fingerprint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SessionId(u64);

impl SessionId {
    pub(super) fn new(value: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        value.trim_ascii().hash(&mut hasher);
        Self(hasher.finish())
    }
}

pub(super) struct Conversations {
    /// The one that spoke last comes last.
    kept: Vec<(Option<SessionId>, Conversation)>,
    framing: Framing,
    /// Who has spoken, in any of them.
    client_spoke: bool,
    server_spoke: bool,
}

impl Conversations {
    pub(super) const fn new(framing: Framing) -> Self {
        Self { kept: Vec::new(), framing, client_spoke: false, server_spoke: false }
    }

    /// Another source begins.
    pub(super) fn begin(&mut self) {
        if self.framing != Framing::Http {
            self.kept.clear();
            (self.client_spoke, self.server_spoke) = (false, false);
        }
    }

    /// Whether what is wrong between messages may be told.
    ///
    /// In what one side alone has sent every answer is to nothing, and every request
    /// waits. So nothing is said until both have spoken, be it in another session.
    /// A log is one connection, of which both sides are known: there no id is
    /// given out twice, whatever was answered.
    fn is_sure(&self) -> bool {
        self.framing == Framing::Log || self.client_spoke && self.server_spoke
    }

    /// The request that an answer of this sender with this id is to, if one waits
    /// in its session.
    pub(super) fn request(
        &self,
        session: Option<SessionId>,
        from: Sender,
        id: Id<'_>,
    ) -> Option<Summary> {
        let own = self.kept.iter().find(|(known, _)| *known == session);
        own.and_then(|(_, conversation)| conversation.request(from, id))
    }

    /// Hears a message in its session, or in none. What was refused is not asked
    /// about, but was sent nevertheless, and the request `to` may fail with it.
    pub(super) fn hear(
        &mut self,
        session: Option<SessionId>,
        from: Sender,
        checked: &Result<Message<'_>, Violation<'_>>,
        to: Option<&Summary>,
    ) -> Option<Noticed> {
        // Who sent what cannot be read is only known where the source says so.
        if checked.is_ok() || self.framing.tells_sides() {
            match from {
                Sender::Client => self.client_spoke = true,
                Sender::Server => self.server_spoke = true,
            }
        }
        let is_sure = self.is_sure();
        self.within(session, |conversation| match checked {
            Ok(message) => Some(conversation.hear(from, message, is_sure)),
            Err(violation) => {
                conversation.miss(from, violation);
                if let Some(to) = to.filter(|_| violation.concerns_pending()) {
                    conversation.fail(from, to);
                }
                None
            }
        })
    }

    fn within<T>(
        &mut self,
        session: Option<SessionId>,
        say: impl FnOnce(&mut Conversation) -> T,
    ) -> T {
        if let Some(at) = self.kept.iter().position(|(known, _)| *known == session) {
            // Nothing moves if it was the last one to speak, as it mostly is.
            self.kept[at..].rotate_left(1);
        } else {
            if self.kept.len() == MOST {
                self.kept.remove(0);
            }
            self.kept.push((session, Conversation::new(self.framing)));
        }
        let last = self.kept.len() - 1;
        say(&mut self.kept[last].1)
    }

    /// The response to a request has ended. An answer may still come where a
    /// session can take up the stream again; else its id is free.
    pub(super) fn end(&mut self, session: Option<SessionId>, request: &Summary) {
        let is_modern = request.revisions().without_all(RevisionSet::MODERN).is_empty();
        if session.is_none() || is_modern {
            self.within(session, |conversation| conversation.fail(Sender::Server, request));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::{Policy, Rule, Validator};

    /// Whether a `ping` of the client is taken for the second one with its id.
    fn is_taken(conversations: &mut Conversations, session: Option<u64>) -> bool {
        let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let ready = br#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
        let mut validator = Validator::new(Policy::observe());
        let mut hear = |from, bytes| {
            let checked = validator.check(from, bytes);
            conversations.hear(session.map(SessionId), from, &checked, None).unwrap().rules
        };
        let _both_sides_speak = hear(Sender::Server, ready);
        hear(Sender::Client, ping).contains(Rule::IdInFlight)
    }

    #[test]
    fn each_session_has_its_own_ids() {
        let mut conversations = Conversations::new(Framing::Http);
        for session in [None, Some(1), Some(2)] {
            assert!(!is_taken(&mut conversations, session), "{session:?}");
            conversations.begin();
            assert!(is_taken(&mut conversations, session), "{session:?}");
        }
        let mut lines = Conversations::new(Framing::Lines);
        assert!(!is_taken(&mut lines, None) && is_taken(&mut lines, None));
        lines.begin();
        assert!(!is_taken(&mut lines, None));
    }

    #[test]
    fn of_too_many_sessions_the_one_that_was_silent_longest_is_forgotten() {
        let mut conversations = Conversations::new(Framing::Http);
        for session in 0..MOST as u64 {
            assert!(!is_taken(&mut conversations, Some(session)));
        }
        assert!(is_taken(&mut conversations, Some(0)), "there is room for that many");
        assert!(!is_taken(&mut conversations, None));
        assert_eq!(conversations.kept.len(), MOST);
        assert!(is_taken(&mut conversations, Some(0)), "it has just spoken");
        assert!(!is_taken(&mut conversations, Some(1)), "it was silent longest");
    }
}
