//! What holds in every modern conversation, on the captured ones: each request
//! says its version and capabilities again, each result its type and who its
//! server is, lists keep their order and carry caching hints. It is read from
//! the messages by hand, and held against what we find; then the lists are made
//! to break it.

use std::collections::BTreeMap;

use mcparse::{
    Exchange as Account, Message, Policy, RevisionSet, Rule, RuleSet, Sender, Validator,
};
use serde_json::{Value, json};

use crate::sessions::Exchange;
use crate::stdio::every_message;
use crate::support::{Corpora, Tally, same, say};

const POLICY: Policy = Policy::observe().with_revisions(RevisionSet::MODERN);
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const IDENTITY: &str = "io.modelcontextprotocol/serverInfo";
const CACHEABLE: [&str; 6] = [
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// A request with its answer, if that came.
struct Turn {
    name: String,
    request: Value,
    answer: Option<Value>,
}

/// The requests of all modern captures, session by session.
fn turns(corpora: &Corpora) -> Vec<Vec<Turn>> {
    let mut sessions = Vec::new();
    for session in Exchange::all(corpora) {
        let session = session.into_iter().filter(|one| one.name.contains("2026-07-28"));
        let turn = |one: Exchange| {
            let request = one.sent()?;
            let answer = one.answer().map(|(answer, _)| answer);
            is_modern_call(&request).then_some(Turn { name: one.name, request, answer })
        };
        sessions.push(session.filter_map(turn).collect());
    }
    for log in corpora.files("captures", ".order.jsonl") {
        let name = log.trim_end_matches(".order.jsonl");
        if !name.contains("2026-07-28") {
            continue;
        }
        let mut session: Vec<Turn> = Vec::new();
        every_message(corpora, name, |_, from, text| {
            let message: Value = serde_json::from_slice(text).expect("JSON");
            if from == Sender::Client && is_modern_call(&message) {
                session.push(Turn { name: name.to_owned(), request: message, answer: None });
            } else if message["method"].is_null() {
                let is_asked =
                    |turn: &&mut Turn| turn.request["id"] == message["id"] && turn.answer.is_none();
                if let Some(turn) = session.iter_mut().find(is_asked) {
                    turn.answer = Some(message);
                }
            }
        });
        sessions.push(session);
    }
    sessions
}

/// A request, but for the one that opens a session of the other era.
fn is_modern_call(message: &Value) -> bool {
    message["method"].is_string() && !message["id"].is_null() && message["method"] != "initialize"
}

fn rules<const N: usize>(broken: [(Rule, bool); N]) -> RuleSet {
    broken.into_iter().filter_map(|(rule, is_broken)| is_broken.then_some(rule)).collect()
}

/// What a request leaves to those before it.
fn left_out(request: &Value) -> RuleSet {
    let meta = &request["params"]["_meta"];
    rules([
        (Rule::MetaMissing, meta.is_null()),
        (Rule::ProtocolVersionMissing, !meta.is_null() && meta[VERSION].is_null()),
        (Rule::ClientCapabilitiesMissing, !meta.is_null() && meta[CAPABILITIES].is_null()),
    ])
}

/// What a result does not say.
fn unsaid(method: &str, result: &Value) -> RuleSet {
    let is_complete = result["resultType"].is_null() || result["resultType"] == "complete";
    let hints = is_complete && CACHEABLE.contains(&method);
    rules([
        (Rule::ResultTypeMissing, result["resultType"].is_null()),
        (Rule::ServerInfoMissing, result["_meta"][IDENTITY].is_null()),
        (
            Rule::CacheHintMissing,
            hints && (result["ttlMs"].is_null() || result["cacheScope"].is_null()),
        ),
    ])
}

/// Those of `found` that are looked for here.
fn among(found: RuleSet, looked_for: &[Rule]) -> RuleSet {
    found.iter().filter(|rule| looked_for.contains(rule)).collect()
}

const OF_REQUESTS: [Rule; 3] =
    [Rule::MetaMissing, Rule::ProtocolVersionMissing, Rule::ClientCapabilitiesMissing];
const OF_RESULTS: [Rule; 3] =
    [Rule::ResultTypeMissing, Rule::ServerInfoMissing, Rule::CacheHintMissing];
const OF_LISTS: [Rule; 2] = [Rule::CacheScopeVaries, Rule::ListOrderChanged];

/// How often each is broken in the captures: by the faulty requests of tools, by
/// legacy clients of dual servers, and by servers: one types nothing, and many do
/// not say who they are.
const BROKEN: &[(&str, usize)] = &[
    ("cache-hint-missing", 3),
    ("client-capabilities-missing", 5),
    ("meta-missing", 11),
    ("protocol-version-missing", 3),
    ("result-type-missing", 80),
    ("server-info-missing", 399),
];

#[test]
fn what_holds_in_a_modern_conversation_is_found_where_it_does_not() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(POLICY);
    let (mut tally, mut broken) = (Tally::default(), BTreeMap::<&str, usize>::new());
    let mut results = 0;
    for Turn { name, request, answer } in turns(&corpora).iter().flatten() {
        let bytes = request.to_string();
        let Ok(message) = validator.check(Sender::Client, bytes.as_bytes()) else { continue };
        let expected = left_out(request);
        let found = among(message.findings(), &OF_REQUESTS);
        let mut all = found;
        tally.count(name, same(&found, &expected));
        let summary = message.summary();
        if let Some(answer) = answer.as_ref().filter(|answer| answer["result"].is_object()) {
            results += 1;
            let bytes = answer.to_string();
            let answered = validator.check_answer(&summary, bytes.as_bytes());
            let found = answered.map_or(RuleSet::EMPTY, |message| message.findings());
            let found = among(found, &OF_RESULTS);
            let method = request["method"].as_str().expect("a method");
            tally.count(name, same(&found, &unsaid(method, &answer["result"])));
            all = all.union(found);
        }
        for rule in all.iter() {
            *broken.entry(rule.id()).or_default() += 1;
        }
    }
    say(format_args!("{results} results; {broken:?}"));
    tally.finish("modern requests and results", 2376);
    assert_eq!(broken.into_iter().collect::<Vec<_>>(), BROKEN);
}

/// What is found of lists in a conversation.
fn of_lists<'t>(turns: impl IntoIterator<Item = (&'t Value, &'t Value)>) -> RuleSet {
    let (mut validator, mut account) = (Validator::new(POLICY), Account::new());
    let mut found = RuleSet::EMPTY;
    for (request, answer) in turns {
        let (request, answer) = (request.to_string(), answer.to_string());
        let Ok(request) = validator.check(Sender::Client, request.as_bytes()) else { continue };
        found = found.union(account.sent(&request).rules);
        if let Ok(answer @ Message::Response(_)) =
            validator.check(Sender::Server, answer.as_bytes())
        {
            found = found.union(account.received(&answer).rules);
        }
    }
    among(found, &OF_LISTS)
}

#[test]
fn captured_lists_keep_their_order_and_scope_and_are_found_where_they_do_not() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    let (mut lists, mut reversed) = (0, 0);
    for session in turns(&corpora) {
        let Some(first) = session.first() else { continue };
        let pairs = session.iter().filter_map(|turn| Some((&turn.request, turn.answer.as_ref()?)));
        tally.count(&first.name, same(&of_lists(pairs.clone()), &RuleSet::EMPTY));
        for (request, answer) in pairs {
            let method = request["method"].as_str().expect("a method");
            let scope = &answer["result"]["cacheScope"];
            if !method.ends_with("/list") || scope.is_null() {
                continue;
            }
            lists += 1;
            let again = |request: &Value, edit: &dyn Fn(&mut Value)| {
                let mut request = request.clone();
                let mut answer = answer.clone();
                request["id"] = json!("again");
                answer["id"] = json!("again");
                edit(&mut answer["result"]);
                (request, answer)
            };
            let other = if scope == "public" { "private" } else { "public" };
            let flips = |result: &mut Value| result["cacheScope"] = json!(other);
            let mut expect =
                |what: &str, first: &Value, second: (Value, Value), rule: Option<Rule>| {
                    let found = of_lists([(request, first), (&second.0, &second.1)]);
                    let what = format!("{what} {method} {}", request["id"]);
                    tally.count(&what, same(&found, &rule.into_iter().collect()));
                };
            expect("same", answer, again(request, &|_| {}), None);
            // As another authorisation gets it.
            expect("flipped", answer, again(request, &flips), Some(Rule::CacheScopeVaries));
            let mut paged = answer.clone();
            paged["result"]["nextCursor"] = json!("p2");
            let mut second = request.clone();
            second["params"]["cursor"] = json!("p2");
            expect("paged", &paged, again(&second, &|_| {}), None);
            expect("varied", &paged, again(&second, &flips), Some(Rule::CacheScopeVaries));
            if answer["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 1) {
                reversed += 1;
                let turn =
                    |result: &mut Value| result["tools"].as_array_mut().expect("tools").reverse();
                let turned = again(request, &turn);
                expect("reversed", answer, turned, Some(Rule::ListOrderChanged));
            }
        }
    }
    say(format_args!("{lists} lists, {reversed} of them reversed"));
    tally.finish("modern lists", 829);
}
