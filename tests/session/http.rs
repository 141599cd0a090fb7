//! What the heads of HTTP messages add: the version header and the session id.

use mcparse::{Policy, RequestHead, ResponseHead, Sender, Session, Validator};
use serde_json::{Value, json};

use crate::talk::{ids, initialize, initialized, modern, notification, ready, request};

const NOTHING: [&str; 0] = [];
type Headers<'h> = &'h [(&'h str, &'h str)];

/// A session over HTTP that runs, under the version and the id.
struct Hop {
    session: Session,
    validator: Validator,
}

impl Hop {
    fn running(version: &str, given: Headers<'_>) -> Self {
        let mut hop =
            Self { session: Session::new(), validator: Validator::new(Policy::observe()) };
        // No header means anything before the handshake.
        let early = [("MCP-Protocol-Version", "1"), ("Mcp-Session-Id", "old")];
        assert_eq!(hop.sends(&early, &initialize("2025-11-25", &json!({}))), NOTHING);
        let head = ResponseHead::new(200, given.iter().map(|(name, value)| (name, value)));
        let opened = initialized(version, &json!({"tools": {}})).to_string();
        let opened = hop.validator.check(Sender::Server, opened.as_bytes()).unwrap();
        assert_eq!(ids(hop.session.received_over_http(&head, &opened)), NOTHING);
        hop
    }

    fn sends(&mut self, headers: Headers<'_>, message: &Value) -> Vec<&'static str> {
        let head = RequestHead::new("POST", headers.iter().map(|(name, value)| (name, value)));
        let bytes = message.to_string();
        let message = self.validator.check(Sender::Client, bytes.as_bytes()).unwrap();
        ids(self.session.sent_over_http(&head, &message))
    }
}

#[test]
fn the_version_header_is_the_version_that_was_negotiated() {
    let differs = ["version-not-negotiated"];
    for version in ["2025-06-18", "2099-01-01"] {
        let mut hop = Hop::running(version, &[]);
        assert_eq!(hop.sends(&[("MCP-Protocol-Version", version)], &ready()), NOTHING);
        let list = request("tools/list");
        for (headers, expected) in [
            (&[][..], &NOTHING[..]),
            (&[("mcp-protocol-version", version)], &NOTHING),
            (&[("MCP-Protocol-Version", " 2025-11-25")], &differs),
            (&[("MCP-Protocol-Version", "")], &differs),
            (&[("MCP-Protocol-Version", version), ("MCP-Protocol-Version", version)], &NOTHING),
            (
                &[("MCP-Protocol-Version", version), ("MCP-Protocol-Version", "2025-11-25")],
                &differs,
            ),
            (
                &[("MCP-Protocol-Version", "2025-11-25"), ("MCP-Protocol-Version", version)],
                &differs,
            ),
        ] {
            assert_eq!(hop.sends(headers, &list), expected, "{headers:?}");
        }
        // Notifications and answers are held to it too.
        let wrong = [("MCP-Protocol-Version", "2024-11-05")];
        assert_eq!(hop.sends(&wrong, &notification("notifications/acme")), differs);
        let answer = json!({"jsonrpc": "2.0", "id": 3, "result": {}});
        assert_eq!(hop.sends(&wrong, &answer), differs);
        // A second initialize is wrong for another reason, and a modern request
        // is in no session.
        assert_eq!(hop.sends(&wrong, &initialize("2024-11-05", &json!({}))), ["initialize-twice"]);
        assert_eq!(
            hop.sends(&[("MCP-Protocol-Version", "2026-07-28")], &modern("tools/list")),
            NOTHING
        );
    }
}

#[test]
fn a_session_id_that_was_given_comes_with_every_message() {
    let mut hop = Hop::running("2025-11-25", &[("mcp-session-id", "s-1")]);
    let missing = ["session-id-missing"];
    assert_eq!(hop.sends(&[], &ready()), missing);
    assert_eq!(hop.sends(&[("MCP-Session-Id", "s-1")], &request("tools/list")), NOTHING);
    assert_eq!(hop.sends(&[], &request("tools/list")), missing);
    assert_eq!(
        hop.sends(&[("MCP-Protocol-Version", "2025-06-18")], &request("prompts/list")),
        ["version-not-negotiated", "capability-not-negotiated", "session-id-missing"]
    );
    let mut nameless = Hop::running("2025-11-25", &[]);
    assert_eq!(nameless.sends(&[], &request("tools/list")), ["before-initialized"]);
}

#[test]
fn only_the_result_of_initialize_gives_the_session_an_id() {
    let mut hop = Hop::running("2025-11-25", &[]);
    let head = ResponseHead::new(200, [("Mcp-Session-Id", "late")]);
    let log = notification("notifications/acme").to_string();
    let log = hop.validator.check(Sender::Server, log.as_bytes()).unwrap();
    assert_eq!(ids(hop.session.received_over_http(&head, &log)), NOTHING);
    assert_eq!(hop.sends(&[], &ready()), NOTHING);
}
