//! `cases.jsonl`: the requests over HTTP, by head and body.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use mcparse::Kind::Request;
use mcparse::{
    Limits, Page, ParamHeaders, Policy, RequestHead, Rule, RuleSet, Validator, classify,
};
use serde_json::{Value, json};

use crate::cases::{Case, Expected};
use crate::sessions::Verdict;
use crate::support::Decision::{self, Accept, Refuse};
use crate::support::{Corpora, Tally, in_words, same, say, serving};

/// The debatable requests: case, decision, reason.
const DECIDED: &[(&str, Decision, &str)] = &[
    ("ct-charset-latin1", Refuse(Rule::ContentType), "a reader that believes it reads other text"),
    ("body-response-2026", Refuse(Rule::ClientResponse), "a refusal has a code: the envelope's"),
    ("hdr-version-repeated-same", Accept(Request), "the copies agree"),
    ("hdr-version-repeated-lines-2026", Accept(Request), "the copies agree; reported"),
    ("hdr-orphan-name-on-list", Accept(Request), "it mirrors nothing; reported"),
    (
        "hdr-orphan-name-body-missing",
        Refuse(Rule::NameHeaderMismatch),
        "who routes by the header sees a name: headers come before params",
    ),
    (
        "hdr-name-dup-key-body",
        Refuse(Rule::DuplicateMember),
        "the envelope comes before the headers",
    ),
    (
        "b64-non-canonical-bits",
        Accept(Request),
        "the decoded text is compared, and equal; reported",
    ),
];

/// What is reported of the requests that are accepted: case, rules.
const FINDINGS: &[(&str, &[Rule])] = &[
    ("hdr-version-repeated-lines-2026", &[Rule::HeaderRepeatedEqual, Rule::ClientInfoMissing]),
    ("hdr-version-repeated-same", &[Rule::HeaderRepeatedEqual]),
    ("hdr-orphan-name-on-list", &[Rule::NameHeaderUnexpected, Rule::ClientInfoMissing]),
    ("b64-non-canonical-bits", &[Rule::HeaderBase64StrayBits, Rule::ClientInfoMissing]),
    ("b64-plain-ascii-encoded", &[Rule::ClientInfoMissing]),
    ("b64-literal-sentinel-encoded", &[Rule::ClientInfoMissing]),
    ("param-null-no-header", &[Rule::ClientInfoMissing]),
];

/// A table that has learned what the context of a case says of its tool.
pub(crate) fn table(case: &Case, body: &[u8]) -> ParamHeaders {
    let table = ParamHeaders::new();
    if let Some(headers) = &case.context.param_headers {
        let call: Value = serde_json::from_slice(body).expect("a call");
        let properties = headers.iter().map(|(header, argument)| {
            let name = header.strip_prefix("Mcp-Param-").expect("a parameter's header");
            (argument.clone(), json!({"type": "string", "x-mcp-header": name}))
        });
        let schema = json!({"type": "object", "properties": properties.collect::<Value>()});
        let tool = json!({"name": call["params"]["name"], "inputSchema": schema});
        let list = json!({"resultType": "complete", "tools": [tool], "ttlMs": 60_000});
        let learned = table.learn(Page::First, list.to_string().as_bytes(), Instant::now());
        assert_eq!(learned.tools, 1, "{}", case.name);
    }
    table
}

fn judge(case: &Case, policy: Policy) -> Verdict {
    let body = case.input();
    let most = case.context.max_body.unwrap_or(Limits::new().message_bytes);
    let policy = policy.with_limits(Limits::new().with_message_bytes(most));
    let table = table(case, &body);
    let headers = case.headers.iter().map(|(name, value)| (name, value));
    let head = RequestHead::new("POST", headers).with_param_headers(&table);
    Verdict::of(&mut Validator::new(policy), &head, &body)
}

/// Whether a verdict is what the case or our decision on it says.
fn is_right(case: &Case, expected: &Expected, verdict: &Verdict) -> Result<(), String> {
    let row = DECIDED.iter().find(|(name, ..)| *name == case.name);
    match (verdict, row) {
        (&Verdict::Accepted { kind, findings }, row) => {
            same(&in_words(Ok(kind)).0, &&*expected.kind)?;
            let known = FINDINGS.iter().find(|(name, _)| *name == case.name);
            let known = known.map_or(RuleSet::EMPTY, |(_, rules)| rules.iter().copied().collect());
            same(&findings, &known)?;
            match row {
                Some(&(_, decision, _)) => same(&Accept(kind), &decision),
                None => same(&expected.verdict.as_deref(), &Some("accept")),
            }
        }
        (&Verdict::Refused { rule, .. }, Some(&(_, decision, _))) => same(&Refuse(rule), &decision),
        (&Verdict::Refused { rule, code, status, .. }, None) => {
            same(&expected.verdict.as_deref(), &Some("reject"))
                .and_then(|()| {
                    same(&(Some(code), Some(status)), &(expected.code, expected.http_status))
                })
                .map_err(|error| format!("{rule}: {error}"))
        }
    }
}

/// Whether the answer is one of the options of a debatable case. An option
/// leaves out what it has in common with the expected answer.
fn is_option(option: &Value, verdict: &Verdict) -> bool {
    let (decided, code, status) = match *verdict {
        Verdict::Accepted { .. } => ("accept", Value::Null, Value::Null),
        Verdict::Refused { code, status, .. } => ("reject", code.into(), status.into()),
    };
    let holds = |member, value| option.get(member).is_none_or(|wanted| *wanted == value);
    holds("verdict", decided.into()) && holds("code", code) && holds("http_status", status)
}

#[test]
fn every_request_case_over_http_is_decided_with_its_code_and_status() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    let mut rules = BTreeMap::<Rule, usize>::new();
    for case in Case::all_of(&corpora, "http-request") {
        let expected: Expected = case.expected();
        let revision = case.revision().expect("a revision");
        for policy in [Policy::strict(), serving(revision)] {
            let verdict = judge(&case, policy);
            if let Verdict::Refused { rule, .. } = verdict {
                *rules.entry(rule).or_default() += 1;
            }
            let options = case.options().unwrap_or_default();
            let outcome = is_right(&case, &expected, &verdict)
                .and_then(|()| same(&in_words(classify(&case.input())).0, &&*expected.kind))
                .and_then(|()| {
                    let allowed = options.iter().any(|option| is_option(option, &verdict));
                    same(&(allowed || options.is_empty()), &true)
                });
            tally.count(&case.name, outcome);
        }
    }
    say(format_args!("{} refused, by rule: {rules:?}", rules.values().sum::<usize>()));
    tally.finish("requests over HTTP, each by two policies", 2 * 36);
}

#[test]
fn every_decision_on_a_request_belongs_to_a_debatable_case() {
    let Some(corpora) = Corpora::find() else { return };
    let cases = Case::all_of(&corpora, "http-request");
    let debatable = cases.iter().filter(|case| case.options().is_some());
    let decided: BTreeSet<_> = DECIDED.iter().map(|row| row.0).collect();
    assert_eq!(decided, debatable.map(|case| &*case.name).collect());
    for (name, _) in FINDINGS {
        assert!(cases.iter().any(|case| case.name == *name), "{name}");
    }
}
