//! The stage of the envelope, as far as a revision or a direction is in it.

use mcparse::{Action, ExtraMethod, Kind, Limits, Revision, RevisionSet, Rule, Sender};

use crate::case::{Case, case};
use crate::exchange::Exchange;

const NOBODYS: &str = "notifications/acme";
const ASK: &str = "acme/ask";
static METHODS: [ExtraMethod; 1] = [ExtraMethod::new(ASK, Kind::Request, Sender::Server)];

pub(crate) fn cases() -> Vec<Case> {
    let client = |body: &str| Exchange::bare(Sender::Client, body);
    let server = |body: &str| Exchange::bare(Sender::Server, body);
    let modern =
        |exchange: Exchange| exchange.under(|policy| policy.with_revisions(RevisionSet::MODERN));
    let old = RevisionSet::LEGACY.without(Revision::V2025_11_25);
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"a","version":"1"}}}}"#;
    let asked = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let with_id = cancelled.replace("2.0\",", "2.0\",\"id\":1,");
    let unknown = r#"{"jsonrpc":"2.0","id":1,"method":"notifications/acme"}"#;
    // Of the protocol's methods a server has none left in a modern revision.
    let asking =
        server(&unknown.replace(NOBODYS, ASK)).under(|policy| policy.with_methods(&METHODS));
    let error = r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}"#;
    let named = |most: usize| {
        Exchange::call().under(|policy| policy.with_limits(Limits::new().with_name_bytes(most)))
    };
    vec![
        case("client-response", modern(client(answer)), modern(server(answer))),
        case(
            "client-response",
            Exchange::over_http(
                &[
                    ("Content-Type", "application/json"),
                    ("Accept", "*/*"),
                    ("MCP-Protocol-Version", "2026-07-28"),
                ],
                answer,
            ),
            client(answer),
        ),
        case("server-request", modern(asking.clone()), asking),
        case("notification-with-id", client(&with_id), client(cancelled)),
        case("notification-with-id", server(&with_id), server(cancelled)),
        case(
            "request-without-id",
            Exchange::call().without_head().edit("\"id\":7,", ""),
            Exchange::call().without_head(),
        ),
        case(
            "request-without-id",
            client(&asked.replace("\"id\":1,", "").replace("roots/list", "ping")),
            client(&asked.replace("roots/list", "ping")),
        ),
        case("id-missing", server(error).under(|policy| policy.with_revisions(old)), server(error)),
        case("name-too-long", named(9), named(10)).at("\"notes.read\""),
        // A notification's prefix on a method that nobody knows.
        case(
            "notification-with-id",
            client(unknown).under(|policy| policy.with_action(Rule::UnknownMethod, Action::Off)),
            client(cancelled),
        ),
    ]
}
