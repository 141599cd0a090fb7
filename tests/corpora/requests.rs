//! Every captured HTTP request, by head and body: none is refused that the
//! server of an official SDK took.

use std::collections::BTreeMap;

use mcparse::{Policy, Rule};
use serde_json::{Map, Value};

use crate::http::Http;
use crate::sessions::{Exchange, Verdict, judge};
use crate::support::{Corpora, same, say, serving};

/// The requests that we refuse and a server took: exchange, rule, reason. All
/// went to the conformance suite's own server, which does not compare headers.
const TAKEN: &[(&str, Rule, &str)] = &[
    (
        "conformance-x-everything-ts-2026-07-28-http/103",
        Rule::MethodHeaderMismatch,
        "tasks/get over tools/call",
    ),
    (
        "conformance-x-everything-ts-2026-07-28-http/119",
        Rule::MethodHeaderMismatch,
        "prompts/list over tools/list",
    ),
    (
        "conformance-x-everything-ts-2026-07-28-http/120",
        Rule::MethodHeaderMissing,
        "nothing over tools/list",
    ),
    (
        "conformance-x-everything-ts-2026-07-28-http/121",
        Rule::NameHeaderMismatch,
        "wrong_tool_name over test_simple_text",
    ),
    (
        "conformance-x-everything-ts-2026-07-28-http/123",
        Rule::NameHeaderMissing,
        "nothing over test_simple_text",
    ),
    (
        "conformance-x-everything-ts-2026-07-28-http/126",
        Rule::MethodHeaderMismatch,
        "TOOLS/LIST over tools/list; methods have case",
    ),
];

/// How many captured requests each rule refuses, that no server took: the
/// conformance suite and mcpcheck sent them because they are faulty.
const REFUSED: &[(Rule, usize)] = &[
    (Rule::MetaMissing, 3),
    (Rule::ProtocolVersionMissing, 3),
    (Rule::ClientCapabilitiesMissing, 5),
    (Rule::VersionHeaderMissing, 2),
    (Rule::VersionHeaderMismatch, 5),
    (Rule::MethodHeaderMissing, 4),
    (Rule::MethodHeaderMismatch, 8),
    (Rule::HeaderBase64, 4),
    (Rule::NameHeaderMissing, 4),
    (Rule::NameHeaderMismatch, 5),
    (Rule::ParamHeaderMissing, 2),
    (Rule::UnsupportedVersion, 5),
    (Rule::MissingCapability, 9),
    (Rule::MethodOfOtherRevision, 21),
];

/// Where the server refused such a request too, but otherwise, and how often.
const OTHERWISE: &[(&str, usize)] = &[
    // Two servers do not know the tasks extension.
    ("missing-capability 400 -32021, they 404 -32601", 6),
    // The body is modern and the header is missing: the Python SDK takes the
    // request for a legacy one without a session.
    ("version-header-missing 400 -32020, they 400 null", 1),
];

/// What is reported of those that are accepted, and how often.
const FINDINGS: &[(&str, usize)] = &[
    ("client-info-missing", 3),
    ("deprecated-feature", 664),
    // An initialize of the suite's, with headers of the later revision.
    ("mirror-without-version", 9),
    ("notification-of-other-revision", 3),
    ("session-id-modern", 2),
    ("unknown-method", 7),
];

/// What was counted over all sessions.
#[derive(Default)]
struct Counts {
    /// Requests that carry no message, by their HTTP method.
    others: BTreeMap<String, usize>,
    judged: usize,
    taken: usize,
    /// Refused by us, and taken by the server.
    false_refusals: Vec<(String, Rule)>,
    refused: BTreeMap<Rule, usize>,
    /// Where both refused: our rule and answer, and theirs if it is another.
    both: BTreeMap<String, usize>,
    /// What the server alone refused: its status and code.
    theirs: BTreeMap<String, usize>,
    findings: BTreeMap<&'static str, usize>,
    wrong_replies: Vec<String>,
}

/// Whether our reply is an error as the server's: to the same id, and with the
/// same data where the specification says what they hold.
fn is_like(reply: Option<&Value>, exchange: &Exchange) -> Result<(), String> {
    let sent = exchange.sent().expect("JSON");
    let reply = reply.ok_or("no reply")?;
    same(&reply["id"], &sent["id"])?;
    let Some((theirs, _)) = exchange.answer() else { return Ok(()) };
    let (ours, theirs) = (&reply["error"], &theirs["error"]);
    if ours["code"] != theirs["code"] {
        return Ok(());
    }
    match ours["code"].as_i64() {
        Some(-32021) => same(&ours["data"], &theirs["data"]),
        Some(-32022) => {
            same(&ours["data"]["requested"], &theirs["data"]["requested"])?;
            let supported = ours["data"]["supported"].as_array().ok_or("nothing supported")?;
            let is_there = supported.contains(&Value::from("2026-07-28"));
            same(&(is_there, ours["data"].as_object().map(Map::len)), &(true, Some(2)))
        }
        _ => Ok(()),
    }
}

impl Counts {
    fn count(&mut self, exchange: &Exchange, verdict: Verdict) {
        let method = exchange.request.method();
        if method != "POST" {
            let is_refused =
                matches!(verdict, Verdict::Refused { rule: Rule::HttpMethod, status: 405, .. });
            assert!(is_refused, "{}", exchange.name);
            *self.others.entry(method.to_owned()).or_default() += 1;
            return;
        }
        self.judged += 1;
        let is_taken = exchange.is_taken();
        self.taken += usize::from(is_taken);
        let status = exchange.response.as_ref().map(Http::status);
        let code = exchange.answer().map(|(answer, _)| answer["error"]["code"].clone());
        let theirs = format!("{} {}", status.unwrap_or_default(), code.unwrap_or(Value::Null));
        match verdict {
            Verdict::Accepted { findings, .. } => {
                for rule in findings.iter() {
                    *self.findings.entry(rule.id()).or_default() += 1;
                }
                if !is_taken {
                    let sent = exchange.sent();
                    let sent = sent.as_ref().and_then(|sent| sent["method"].as_str());
                    let what = format!("{theirs} {}", sent.unwrap_or("-"));
                    *self.theirs.entry(what).or_default() += 1;
                }
            }
            Verdict::Refused { rule, .. } if is_taken => {
                self.false_refusals.push((exchange.name.clone(), rule));
            }
            Verdict::Refused { rule, code, status, reply } => {
                if let Err(error) = is_like(reply.as_ref(), exchange) {
                    self.wrong_replies.push(format!("{}: {error}", exchange.name));
                }
                *self.refused.entry(rule).or_default() += 1;
                let ours = format!("{status} {code}");
                let than = if ours == theirs { String::new() } else { format!(", they {theirs}") };
                *self.both.entry(format!("{} {ours}{than}", rule.id())).or_default() += 1;
            }
        }
    }
}

fn every_request(what: &str, policy: impl Fn(&Exchange) -> Policy) -> Option<Counts> {
    let corpora = Corpora::find()?;
    let mut counts = Counts::default();
    for session in Exchange::all(&corpora) {
        for (exchange, verdict) in session.iter().zip(judge(&session, &policy)) {
            counts.count(exchange, verdict);
        }
    }
    let Counts { others, judged, taken, false_refusals, refused, both, theirs, findings, .. } =
        &counts;
    say(format_args!(
        "{judged} captured messages over HTTP {what}, {taken} taken by their server; \
         requests that carry none: {others:?}"
    ));
    say(format_args!("  refused and not taken: {refused:?}"));
    for (how, count) in both {
        say(format_args!("    {count} {how}"));
    }
    say(format_args!("  accepted and not taken, by status and code of the server: {theirs:?}"));
    say(format_args!("  findings: {findings:?}"));
    for (name, rule) in false_refusals {
        say(format_args!("  refused and taken: {name} by {}", rule.id()));
    }
    Some(counts)
}

fn is_as_the_tables_say(counts: &Counts) {
    let taken: Vec<_> = TAKEN.iter().map(|&(name, rule, _)| (name.to_owned(), rule)).collect();
    assert_eq!(counts.false_refusals, taken);
    assert!(counts.wrong_replies.is_empty(), "{:?}", counts.wrong_replies);
    assert_eq!((counts.judged, counts.taken), (2106, 1851));
    assert_eq!(counts.refused, REFUSED.iter().copied().collect());
    let otherwise = counts.both.iter().filter(|(how, _)| how.contains("they"));
    let otherwise: Vec<_> = otherwise.map(|(how, &count)| (&**how, count)).collect();
    assert_eq!(otherwise, OTHERWISE);
    assert_eq!(counts.findings, FINDINGS.iter().copied().collect());
    let others: Vec<_> = counts.others.iter().map(|(how, &count)| (&**how, count)).collect();
    assert_eq!(others, [("DELETE", 109), ("GET", 129), ("OPTIONS", 2)]);
}

#[test]
fn no_captured_request_is_refused_that_an_sdk_took() {
    let Some(counts) = every_request("by default", |_| Policy::strict()) else { return };
    is_as_the_tables_say(&counts);
}

#[test]
fn no_captured_request_is_refused_in_its_own_revision_that_an_sdk_took() {
    let own = |exchange: &Exchange| serving(exchange.revision());
    let Some(counts) = every_request("in their own revision", own) else { return };
    is_as_the_tables_say(&counts);
}
