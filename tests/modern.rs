//! What holds in every modern conversation: each request says its version and
//! capabilities again, each result its type and who its server is, and the same
//! request for a list is answered in the same order, with caching hints that do
//! not contradict each other. Generated conversations in which it holds, and in
//! which one message breaks it.

use std::collections::BTreeSet;

use mcparse::compose::{CacheScope, Client, Implementation, RawJson, Server, member};
use mcparse::{Exchange, Message, Method, Policy, Revision, RevisionSet, Rule, Sender, Validator};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

const POLICY: Policy = Policy::strict().with_revisions(RevisionSet::MODERN);
const CLIENT: Client<'_> = Client::new(Implementation::new("desk", "4.0"));
const SERVER: Server<'_> = Server::new(Implementation::new("notes", "2.1"));
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const IDENTITY: &str = "io.modelcontextprotocol/serverInfo";

/// What one message may get wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    Nothing,
    /// A request relies on what an earlier one said.
    RequestWithoutMeta,
    Untyped,
    Unidentified,
    WithoutHints,
    Reversed,
    /// A page is for others than the page before it.
    ScopeOfPage,
    /// A list is for others than before: as another authorisation gets it.
    ScopeOfList,
}

const FLAWS: [(Flaw, &[&str]); 8] = [
    (Flaw::Nothing, &[]),
    (Flaw::RequestWithoutMeta, &["meta-missing"]),
    (Flaw::Untyped, &["result-type-missing"]),
    (Flaw::Unidentified, &["server-info-missing"]),
    (Flaw::WithoutHints, &["cache-hint-missing"]),
    (Flaw::Reversed, &["list-order-changed"]),
    (Flaw::ScopeOfPage, &["cache-scope-varies"]),
    (Flaw::ScopeOfList, &["cache-scope-varies"]),
];

/// A list that is asked for several times, page by page.
#[derive(Clone, Debug)]
struct Talk {
    pages: usize,
    tools: usize,
    times: usize,
    is_public: bool,
    /// Which time and page gets it wrong.
    at: (usize, usize),
}

impl Talk {
    /// The request for a page and its answer, each time that it is asked for.
    fn turns(&self, flaw: Flaw) -> Vec<(Value, Value)> {
        let turns = (0..self.times).flat_map(|time| (0..self.pages).map(move |page| (time, page)));
        turns.enumerate().map(|(id, at)| self.turn(id as u64, at, flaw)).collect()
    }

    fn turn(&self, id: u64, at: (usize, usize), flaw: Flaw) -> (Value, Value) {
        let (time, page) = at;
        let is_wrong = |which| flaw == which && self.at == at;
        let cursor = page.to_string();
        let at_cursor = [member("cursor", &*cursor)];
        let is_bare = is_wrong(Flaw::RequestWithoutMeta);
        let asks = if is_bare { CLIENT.with_revision(Revision::V2025_11_25) } else { CLIENT };
        let request = asks.request(id, "tools/list");
        let request = if page == 0 { request } else { request.with_params(&at_cursor) };
        let mut asked = Vec::new();
        request.write(&mut asked);

        let is_flipped =
            is_wrong(Flaw::ScopeOfPage) || flaw == Flaw::ScopeOfList && self.at.0 == time;
        let is_public = self.is_public != is_flipped;
        let scope = if is_public { CacheScope::Public } else { CacheScope::Private };
        let tool =
            |at: usize| json!({"name": format!("{page}.{at}"), "inputSchema": {"type": "object"}});
        let mut tools: Vec<_> = (0..self.tools).map(tool).collect();
        if is_wrong(Flaw::Reversed) {
            tools.reverse();
        }
        let tools = Value::from(tools).to_string();
        let next = (page + 1).to_string();
        let members =
            [member("tools", RawJson::new(&tools).unwrap()), member("nextCursor", &*next)];
        let members = if page + 1 < self.pages { &members[..] } else { &members[..1] };
        let result = SERVER.result(id, Method::ToolsList).with_members(members);
        let mut answered = Vec::new();
        result.with_cache(60_000, scope).write(&mut answered);
        let mut answer: Value = serde_json::from_slice(&answered).unwrap();
        let result = answer["result"].as_object_mut().unwrap();
        if is_wrong(Flaw::Untyped) {
            result.remove("resultType");
        }
        if is_wrong(Flaw::WithoutHints) {
            result.remove("ttlMs");
            result.remove("cacheScope");
        }
        if is_wrong(Flaw::Unidentified) {
            result["_meta"].as_object_mut().unwrap().remove(IDENTITY);
        }
        (serde_json::from_slice(&asked).unwrap(), answer)
    }
}

/// The rules that the messages break, by themselves and between them.
fn broken(turns: &[(Value, Value)]) -> BTreeSet<&'static str> {
    let (mut validator, mut exchange) = (Validator::new(POLICY), Exchange::new());
    let mut broken = BTreeSet::new();
    for (request, answer) in turns {
        let (request, answer) = (request.to_string(), answer.to_string());
        let mut note = |message: &Message<'_>, rules: mcparse::RuleSet| {
            broken.extend(message.findings().union(rules).iter().map(Rule::id));
        };
        let summary = match validator.check(Sender::Client, request.as_bytes()) {
            Ok(message) => {
                note(&message, exchange.sent(&message).rules);
                message.summary()
            }
            Err(violation) => {
                broken.insert(violation.rule().id());
                continue;
            }
        };
        match validator.check_answer(&summary, answer.as_bytes()) {
            Ok(message) => note(&message, exchange.received(&message).rules),
            Err(violation) => drop(broken.insert(violation.rule().id())),
        }
    }
    broken
}

/// What holds, read from the messages by hand.
fn holds(turns: &[(Value, Value)]) -> bool {
    turns.iter().all(|(request, answer)| {
        let (meta, result) = (&request["params"]["_meta"], &answer["result"]);
        let same = turns.iter().filter(|(other, _)| other["params"] == request["params"]);
        meta[VERSION] == "2026-07-28"
            && meta[CAPABILITIES].is_object()
            && result["resultType"] == "complete"
            && result["_meta"][IDENTITY]["name"] == "notes"
            && result["ttlMs"].is_u64()
            && turns.iter().all(|(_, other)| other["result"]["cacheScope"] == result["cacheScope"])
            && result["cacheScope"].is_string()
            && same
                .map(|(_, other)| &other["result"]["tools"])
                .all(|tools| *tools == result["tools"])
    })
}

fn talk() -> impl Strategy<Value = Talk> {
    (2_usize..5, 2_usize..5, 2_usize..5, any::<bool>(), any::<(usize, usize)>()).prop_map(
        |(pages, tools, times, is_public, (time, page))| {
            // The first time there is nothing to differ from, nor before the first page.
            let at = (1 + time % (times - 1), 1 + page % (pages - 1));
            Talk { pages, tools, times, is_public, at }
        },
    )
}

proptest! {
    #[test]
    fn what_breaks_a_modern_conversation_is_found_and_nothing_else(
        talk in talk(), (flaw, rules) in select(&FLAWS[..]),
    ) {
        let turns = talk.turns(flaw);
        prop_assert_eq!(holds(&turns), flaw == Flaw::Nothing, "{:?}", turns);
        let found: Vec<_> = broken(&turns).into_iter().collect();
        prop_assert_eq!(found, rules, "{:?}", turns);
    }
}

#[test]
fn each_flaw_is_found() {
    let talk = Talk { pages: 2, tools: 2, times: 2, is_public: true, at: (1, 1) };
    for (flaw, rules) in FLAWS {
        let turns = talk.turns(flaw);
        assert_eq!(holds(&turns), flaw == Flaw::Nothing);
        assert!(broken(&turns).iter().eq(rules), "{flaw:?}: {:?}", broken(&turns));
    }
}
