//! Proof that no answer costs an allocation, whatever request it is to and
//! however it comes: alone, as an event, in a whole response, and heard beside
//! the others. What requests cost is proved in `alloc.rs`.

#[path = "../benches/support/heap.rs"]
mod heap;

use std::collections::BTreeSet;

use heap::{Heap, measure};
use mcparse::{
    Exchange, Kind, Message, Method, Policy, ResponseHead, Rule, Sender, Stage, Summary, Validator,
};

#[global_allocator]
static HEAP: Heap = Heap;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"progressToken":"t"}"#;
const SERVER: &str = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}"#;

/// Requests by each method in both eras, kept as a gateway keeps them, and one
/// notification.
fn asked(policy: Policy) -> Vec<Summary> {
    let mut validator = Validator::new(policy);
    let mut asked = Vec::new();
    let mut keep = |text: &str| {
        for from in [Sender::Client, Sender::Server] {
            asked.extend(validator.check(from, text.as_bytes()).ok().map(|it| it.summary()));
        }
    };
    for method in Method::ALL {
        let params = r#""name":"n","uri":"file:///u","taskId":"t","notifications":{},"ref":{},"argument":{},"level":"info","message":"m","requestedSchema":{},"messages":[],"maxTokens":1,"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}"#;
        for meta in [String::new(), format!(",{META}")] {
            keep(&format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{params}{meta}}}}}"#
            ));
        }
    }
    keep(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    asked
}

/// What may come: right answers, wrong ones, and what is none.
fn answers() -> Vec<Vec<u8>> {
    let result = |members: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{{members}}}}}"#);
    let error = |members: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"error":{{{members}}}}}"#);
    let all = r#""tools":[],"prompts":[],"resources":[],"resourceTemplates":[],"contents":[],"content":[],"messages":[],"completion":{"values":[]}"#;
    let mut texts = vec![
        result(&format!(r#""resultType":"complete",{all},"ttlMs":0,"cacheScope":"public",{SERVER}"#)),
        result(all),
        result(r#""resultType":"complete","ttlMs":-1,"cacheScope":"all""#),
        result(r#""resultType":"complete","ttlMs":"1""#),
        result(r#""resultType":"compl\u0065te","tools":{}"#),
        result(r#""resultType":7"#),
        result(r#""resultType":"other""#),
        result(r#""resultType":"task","taskId":"t""#),
        result(r#""resultType":"input_required""#),
        result(r#""resultType":"input_required","requestState":"s","ttlMs":1"#),
        result(r#""resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}}"#),
        result(r#""resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}"#),
        result(r#""resultType":"input_required","inputRequests":{"a":{"method":"tools/call"}}"#),
        result(r#""resultType":"complete","resultType":"complete""#),
        result(r#""_meta":{"io.modelcontextprotocol/serverInfo":7}"#),
        result(r#""_meta":{"io.modelcontextprotocol/subscriptionId":7}"#),
        result("").replace('7', "\"7\""),
        result("").replace('7', "8"),
        result("").replace("\"id\":7,", ""),
        result(r#""resultType":"complete","tools":[{"name":"a b","inputSchema":{"type":"object"}},{"name":"a b"},7]"#),
        result(r#""resultType":"complete","tools":[{"name":"a","icons":[{"src":"file:///a"}],"inputSchema":{"type":"object","anyOf":[{"$ref":"x"}]}}]"#),
        result(&format!(r#""resultType":"complete","tools":[{{"inputSchema":{{"type":"object","anyOf":[{}{{}}]}}}}]"#, "{},".repeat(1024))),
        error(r#""code":-32603,"message":"m""#),
        error(r#""code":-32042,"message":"m""#),
        error(r#""code":-32002,"message":"m""#),
        error(r#""code":-32050,"message":"m""#),
        error(r#""code":-32601,"message":"m""#),
        error(r#""code":-32005,"message":"m""#),
        result(r#""resultType":"complete","supportedVersions":["2025-11-25"],"capabilities":{}"#),
        error(r#""code":-32021,"message":"m","data":{}"#),
        error(r#""code":1.5,"message":"m""#),
        error(r#""code":-32700,"message":"m""#).replace("7,", "null,"),
        r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"7"}}}"#.to_owned(),
        "[]".to_owned(),
        "no json".to_owned(),
    ];
    let long = result(&format!(r#""resultType":"complete","content":[{}0]"#, "0,".repeat(500)));
    texts.push(long);
    texts.into_iter().map(String::into_bytes).collect()
}

/// Judges each answer to each request in every way. The rules that refused or
/// were found.
fn judge(
    validator: &mut Validator,
    exchange: &mut Exchange,
    asked: &[Summary],
    answers: &[Vec<u8>],
    bodies: &[(ResponseHead<'_>, Vec<u8>)],
    out: &mut Vec<u8>,
    mut note: impl FnMut(Rule),
) {
    for to in asked {
        for answer in answers {
            match validator.check_answer(to, answer) {
                Ok(message) => {
                    message.findings().iter().for_each(&mut note);
                    let _noticed = exchange.received(&message);
                }
                Err(violation) => {
                    note(violation.rule());
                    out.clear();
                    to.write_failure(out, &violation);
                }
            }
            let _ = validator.era_of_answer(answer);
        }
        for (head, body) in bodies {
            let findings = validator.check_http_answer(to, head, body, |verdict| match verdict {
                Ok(Message::Response(_) | Message::Request(_) | Message::Notification(_)) => {}
                Err(violation) => note(violation.rule()),
            });
            findings.iter().for_each(&mut note);
            let Ok(mut answering) = validator.check_answer_head(to, head) else { continue };
            for answer in answers {
                let _ = validator.check_event(&mut answering, answer);
            }
            let _ = answering.finish();
        }
        if let Some(id) = to.id().filter(|_| to.kind() == Kind::Request) {
            exchange.fail(id);
        }
    }
}

#[test]
fn no_answer_costs_an_allocation_whatever_it_is_to_and_however_it_comes() {
    let answers = answers();
    let stream: Vec<u8> =
        answers.iter().flat_map(|answer| [b"data: ", &answer[..], b"\n\n"].concat()).collect();
    let head = |status, media_type| ResponseHead::new(status, [("content-type", media_type)]);
    let bodies = [
        (head(200, "text/event-stream"), stream),
        (head(200, "application/json"), answers[0].clone()),
        (head(404, "application/json"), answers[22].clone()),
        (head(200, "text/html"), Vec::new()),
        (head(202, "application/json"), Vec::new()),
    ];
    let (mut seen, mut out) = (BTreeSet::new(), Vec::with_capacity(4096));
    for policy in [Policy::strict(), Policy::observe()] {
        let asked = asked(policy);
        assert!(asked.len() > 30, "{}", asked.len());
        for mut validator in [Validator::new(policy), Validator::with_tape_alone(policy)] {
            let mut exchange = Exchange::new();
            let mut all = |note: &mut dyn FnMut(Rule)| {
                judge(&mut validator, &mut exchange, &asked, &answers, &bodies, &mut out, note);
            };
            all(&mut |rule| {
                seen.insert(rule);
            });
            let ((), usage) = measure(|| all(&mut |_| {}));
            assert_eq!((usage.allocations, usage.held), (0, 0));
        }
    }
    // By every rule of answers.
    let of_answers = Rule::ALL.iter().filter(|rule| rule.stage() == Stage::Answer);
    let missed: Vec<_> = of_answers.filter(|rule| !seen.contains(rule)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}
