//! The reply to each refused message: a message that a client accepts, with the
//! id of its request, and short whatever was refused.

use mcparse::{Action, Limits, Message, Policy, Rule, Sender, Validator};
use serde_json::{Value, json};

use crate::exchange::{Exchange, Refusal};

const KIB: usize = 1 << 10;

/// All that is asked of the reply to a message whose id can be read.
fn prove(rule: Rule, exchange: &Exchange) {
    let Refusal { reply, id, code, detail, reason, .. } = exchange.refusal();
    let Some(reply) = reply else {
        let is_notification = !exchange.body().contains("\"id\"");
        let is_answer = exchange.body().contains("\"result\"");
        assert!(
            exchange.from == Sender::Server || is_notification || is_answer,
            "{rule}: no reply to {exchange:?}"
        );
        return;
    };
    let mut validator = Validator::new(Policy::strict());
    let checked = validator.check(Sender::Server, reply.as_bytes());
    let Ok(message @ Message::Response(response)) = checked else {
        panic!("{rule}: {checked:?} {reply}")
    };
    assert!(response.error().is_some(), "{rule}: {reply}");
    // Null is for those whose head names a revision that knows nothing else.
    let is_null = message.findings().contains(Rule::ErrorIdNull);
    let is_old = exchange.headers.iter().any(|(_, value)| value == "2025-06-18");
    assert_eq!(is_null, id.is_none() && is_old, "{rule}: {reply}");
    let others: Vec<Rule> =
        message.findings().iter().filter(|&rule| rule != Rule::ErrorIdNull).collect();
    assert_eq!(others, [], "{rule}: {reply}");
    let echoed = response.id().map(|id| String::from_utf8(id.lexeme().to_owned()).unwrap());
    assert_eq!(echoed, id, "{rule}");
    let value: Value = serde_json::from_str(&reply).unwrap();
    assert_eq!(value["error"]["code"], json!(code));
    let message = value["error"]["message"].as_str().unwrap();
    assert!(message.ends_with(&*detail.unwrap_or(reason)), "{message}");
    assert!(!reply.contains(['\n', '\r']));
    assert!(reply.len() < KIB + id.map_or(0, |id| id.len()), "{rule}: {} bytes", reply.len());
}

#[test]
fn every_reply_is_a_message_that_a_client_accepts_with_the_id_of_its_request() {
    for case in crate::cases() {
        let exchange = case.refused();
        prove(case.rule, &exchange);
        // A head that is wrong leaves the body unread.
        let is_unread = exchange.http.is_some() && case.rule < Rule::SessionIdModern;
        if exchange.from == Sender::Client && exchange.body().contains("\"id\":7") {
            let id = (!is_unread).then_some("7");
            assert_eq!(exchange.refusal().id.as_deref(), id, "{}", case.rule);
        }
    }
    for (rule, exchange, _) in crate::headers::wrapped() {
        prove(Rule::from_id(rule).unwrap(), &exchange);
    }
}

#[test]
fn a_reply_is_short_however_long_what_it_refuses_is() {
    // What an excerpt makes longest, and what JSON does.
    let texts = ["a", "\u{e9}", "\\u0001", r#"\""#, "\\\\", "\u{1f600}", "\u{7f}"];
    for (at, text) in texts.into_iter().enumerate() {
        let bytes = if at == 0 { 1 << 20 } else { 20 << 10 };
        let long = text.repeat(bytes / text.len());
        let call = Exchange::call;
        let named = || call().edit("notes.read", &long);
        for (rule, exchange) in [
            ("unsupported-version", call().version(&long).without_head()),
            ("version-header-mismatch", {
                let limits = Limits::new().with_header_bytes(usize::MAX);
                call()
                    .header("MCP-Protocol-Version", &long)
                    .under(|policy| policy.with_limits(limits))
                    .under(|policy| policy.with_action(Rule::HeaderCharacters, Action::Off))
            }),
            ("name-too-long", named().header("Mcp-Name", "a")),
            ("method-too-long", call().without_head().edit("tools/call", &long)),
            ("not-json", {
                let mut cut = named();
                cut.body.truncate(bytes - 100);
                cut
            }),
        ] {
            assert_eq!(exchange.refused_by(), Some(rule), "{text}");
            prove(Rule::from_id(rule).unwrap(), &exchange);
        }
        let limits = Limits::new().with_name_bytes(usize::MAX).with_header_bytes(usize::MAX);
        let both = named().header("Mcp-Name", &format!("{long}x")).under(|policy| {
            policy.with_limits(limits).with_action(Rule::HeaderCharacters, Action::Off)
        });
        prove(both.refusal().rule, &both);
        prove(Rule::HeaderTooLong, &call().header("Mcp-Method", &"a".repeat(1 << 20)));
    }
}

#[test]
fn an_id_at_its_limit_is_echoed_whole() {
    let id = format!("\"{}\"", "i".repeat(1022));
    let exchange = Exchange::call().version("2027-01-01").edit("\"id\":7", &format!("\"id\":{id}"));
    assert_eq!(exchange.refusal().id.as_ref(), Some(&id));
    prove(Rule::UnsupportedVersion, &exchange);
}
