//! `cases.jsonl`: inputs distilled from the bug reports of others. Here the
//! single messages, by `classify` and by `check` under the strict policy.

use std::collections::{BTreeMap, BTreeSet};

use mcparse::{Action, Kind, Policy, Revision, Rule, RuleSet, Sender, Validator, classify};
use serde::Deserialize;
use serde_json::Value;

use crate::decisions::{
    ALSO_REPORTED, IN_EXCHANGE, LATER, MAPPED, MAPPED_IN_REVISION, MESSAGES, NEVER, REFUSED,
    REFUSED_LATER,
};
use crate::support::{Corpora, Decision, Tally, from_base64, in_words, same, say};

/// One case, of whatever surface.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    surface: String,
    revision: String,
    input_b64: String,
    expect: Value,
    debatable: Option<Debate>,
    pub(crate) status: Option<u16>,
    #[serde(default)]
    pub(crate) headers: Vec<(String, String)>,
    #[serde(default)]
    pub(crate) chunks: Option<Vec<usize>>,
    #[serde(default)]
    pub(crate) context: Context,
}

#[derive(Deserialize)]
struct Debate {
    options: Vec<Value>,
}

#[derive(Default, Deserialize)]
pub(crate) struct Context {
    pub(crate) max_line: Option<usize>,
    pub(crate) max_body: Option<usize>,
    direction: Option<String>,
    #[serde(default)]
    in_flight: Vec<Value>,
    /// Header and the argument that it mirrors.
    pub(crate) param_headers: Option<BTreeMap<String, String>>,
}

/// What a case expects of one message.
#[derive(Deserialize)]
pub(crate) struct Expected {
    pub(crate) kind: String,
    pub(crate) code: Option<i32>,
    #[serde(default)]
    pub(crate) findings: Vec<String>,
    /// Of what came over HTTP.
    pub(crate) verdict: Option<String>,
    pub(crate) http_status: Option<u16>,
}

impl Case {
    pub(crate) fn all_of(corpora: &Corpora, surface: &str) -> Vec<Self> {
        let cases: Vec<Self> = corpora.json_lines("cases.jsonl");
        cases.into_iter().filter(|case| case.surface == surface).collect()
    }

    pub(crate) fn input(&self) -> Vec<u8> {
        from_base64(&self.input_b64)
    }

    /// The revision that the case is bound to, if any.
    pub(crate) fn revision(&self) -> Option<Revision> {
        Revision::from_bytes(self.revision.as_bytes())
    }

    /// The ids of requests that wait before it comes.
    pub(crate) fn in_flight(&self) -> &[Value] {
        &self.context.in_flight
    }

    /// Who sent it: as the case says, else whoever sends such a message.
    pub(crate) fn sender(&self, expected: &Expected) -> Sender {
        match self.context.direction.as_deref() {
            Some("client-to-server") => Sender::Client,
            Some(_) => Sender::Server,
            None if self.surface == "sse-stream" || expected.kind == "response" => Sender::Server,
            None => Sender::Client,
        }
    }

    /// What is expected, of the one message or of each in a stream.
    pub(crate) fn expected<'c, T: Deserialize<'c>>(&'c self) -> T {
        T::deserialize(&self.expect).expect("an expectation")
    }

    /// The answers that are right, if there is more than one.
    pub(crate) fn options(&self) -> Option<&[Value]> {
        self.debatable.as_ref().map(|debate| &*debate.options)
    }

    /// What is reported of it, if it is accepted.
    fn reported(&self, expected: &Expected) -> RuleSet {
        let also = ALSO_REPORTED.iter().filter(|(name, ..)| *name == self.name);
        reported(expected).union(also.map(|&(_, rule, _)| rule).collect())
    }

    /// What `check` has to decide, by our table or by the case itself.
    fn decided(&self, expected: &Expected) -> Result<Option<Decision>, String> {
        let row = MESSAGES.iter().find(|(name, ..)| *name == self.name);
        match (row, self.options()) {
            (Some(&(_, decision, _)), Some(options)) => {
                let allowed = options.iter().any(|option| is_option(decision, option));
                allowed.then_some(Some(decision)).ok_or(format!("{decision:?} is no option"))
            }
            (None, None) => {
                let later = REFUSED_LATER.iter().find(|(name, ..)| *name == self.name);
                let rule = later.map(|&(_, rule, _)| rule).or_else(|| refused_finding(expected));
                Ok(rule.map(Decision::Refuse))
            }
            (Some(_), None) => Err("decided, but not debatable".to_owned()),
            (None, Some(_)) => Err("debatable, but not decided".to_owned()),
        }
    }
}

/// Whether an option of a case is our decision. Those without a kind are about
/// the exchange that the message belongs to.
fn is_option(decision: Decision, option: &Value) -> bool {
    let Some(kind) = option.get("kind") else { return true };
    let (decided, code) = match decision {
        Decision::Accept(kind) => in_words(Ok(kind)),
        Decision::Refuse(rule) => in_words(Err(rule.code())),
    };
    *kind == decided && option["code"] == Value::from(code)
}

fn mapped(finding: &str) -> Option<Rule> {
    MAPPED.iter().find(|(name, _)| *name == finding).map(|&(_, rule)| rule)
}

/// The ambiguity for which the strict policy refuses what has a kind.
fn refused_finding(expected: &Expected) -> Option<Rule> {
    if expected.code.is_some() {
        return None;
    }
    let mut rules = expected.findings.iter().filter_map(|finding| mapped(finding));
    rules.find(|&rule| Policy::strict().action(rule) == Action::Refuse)
}

/// The rules that must be among the findings of an accepted message.
pub(crate) fn reported(expected: &Expected) -> RuleSet {
    expected.findings.iter().filter_map(|finding| mapped(finding)).collect()
}

#[test]
fn every_message_case_has_the_expected_kind_and_code() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    for case in Case::all_of(&corpora, "message") {
        let expected: Expected = case.expected();
        let got = in_words(classify(&case.input()));
        tally.count(&case.name, same(&got, &(&*expected.kind, expected.code)));
    }
    tally.finish("message cases by classify", 131);
}

#[test]
fn every_message_case_is_decided_as_the_design_says_with_the_findings_we_have() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    let mut validator = Validator::new(Policy::strict());
    let mut rules = BTreeMap::<Rule, usize>::new();
    for case in Case::all_of(&corpora, "message") {
        let expected: Expected = case.expected();
        let input = case.input();
        let verdict = validator.check(case.sender(&expected), &input);
        let outcome = case.decided(&expected).and_then(|decided| match (&verdict, decided) {
            (Ok(message), Some(Decision::Accept(kind))) => {
                same(&message.kind(), &kind)?;
                same(&message.findings(), &case.reported(&expected))
            }
            (Ok(message), None) => {
                same(&in_words(Ok(message.kind())), &(&*expected.kind, expected.code))?;
                same(&message.findings(), &case.reported(&expected))
            }
            (Err(violation), Some(decision)) => {
                same(&Decision::Refuse(violation.rule()), &decision)
            }
            (Err(violation), None) => {
                same(&in_words(Err(violation.code())), &(&*expected.kind, expected.code))
            }
            (Ok(message), decision) => Err(format!("{:?}, not {decision:?}", message.kind())),
        });
        if let Err(violation) = &verdict {
            *rules.entry(violation.rule()).or_default() += 1;
        }
        tally.count(&case.name, outcome);
    }
    say(format_args!("{} refused, by rule: {rules:?}", rules.values().sum::<usize>()));
    tally.finish("message cases by check", 131);
    assert_eq!(rules, REFUSED.iter().copied().collect());
}

/// Whether the protocol lets a server answer what a client sent and it refuses:
/// neither a notification nor an answer, however broken.
fn may_be_answered(input: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(input) else { return true };
    let has = |member| value.get(member).is_some();
    let is_notification = value["method"].is_string() && !has("id");
    let is_answer = !has("method") && (has("result") || has("error"));
    !is_notification && !is_answer
}

#[test]
fn a_refused_message_case_is_answered_with_a_message_that_passes_or_not_at_all() {
    let Some(corpora) = Corpora::find() else { return };
    let (mut answered, mut echoed, mut silent) = (0, 0, 0);
    let mut validator = Validator::new(Policy::strict());
    for case in Case::all_of(&corpora, "message") {
        let input = case.input();
        let mut reply = Vec::new();
        let Err(violation) = validator.check(Sender::Client, &input) else { continue };
        let is_answered = violation.write_reply(&mut reply);
        assert_eq!(is_answered, may_be_answered(&input), "{}", case.name);
        if !is_answered {
            assert!(reply.is_empty(), "{}", case.name);
            silent += 1;
            continue;
        }
        let (id, code) = (violation.id(), violation.code());
        let reply = validator.check(Sender::Server, &reply).expect(&case.name);
        assert_eq!(reply.kind(), Kind::Error, "{}", case.name);
        assert_eq!(reply.id().map(|id| id.lexeme().to_vec()), id.map(|id| id.lexeme().to_vec()));
        let body: Value = serde_json::from_slice(reply.bytes()).unwrap();
        assert_eq!(body["error"]["code"], code.get(), "{}", case.name);
        answered += 1;
        echoed += usize::from(id.is_some());
    }
    say(format_args!("{answered} refusals answered, {echoed} with an id; {silent} in silence"));
}

#[test]
fn every_finding_of_the_cases_has_a_rule_or_stands_in_a_list() {
    let Some(corpora) = Corpora::find() else { return };
    let mut later = BTreeMap::<String, usize>::new();
    let (mut with_rule, mut never) = (0, 0);
    let mut seen = BTreeSet::new();
    let mut count = |expected: &Expected| {
        for finding in &expected.findings {
            seen.insert(finding.clone());
            let mut bound = MAPPED_IN_REVISION.iter().chain(IN_EXCHANGE);
            let is_bound = bound.any(|(name, _)| name == finding);
            if is_bound || mapped(finding).is_some() {
                with_rule += 1;
            } else if NEVER.iter().any(|(name, _)| name == finding) {
                never += 1;
            } else {
                assert!(LATER.iter().any(|(name, _)| name == finding), "{finding}: in no list");
                *later.entry(finding.clone()).or_default() += 1;
            }
        }
    };
    for case in Case::all_of(&corpora, "message") {
        count(&case.expected());
    }
    for surface in ["stdio-stream", "sse-stream"] {
        for case in Case::all_of(&corpora, surface) {
            case.expected::<Vec<Expected>>().iter().for_each(&mut count);
        }
    }
    for (finding, rule) in LATER {
        assert!(Rule::from_id(rule).is_none(), "{finding}: the rule {rule} is here; map it");
    }
    let listed = MAPPED.iter().chain(MAPPED_IN_REVISION).chain(IN_EXCHANGE).map(|row| row.0);
    let listed = listed.chain(LATER.iter().chain(NEVER).map(|row| row.0));
    for finding in listed {
        assert!(seen.contains(finding), "{finding}: in a list, and in no case");
    }
    let names = MESSAGES.iter().map(|row| row.0).collect::<BTreeSet<_>>();
    let cases = Case::all_of(&corpora, "message");
    for (name, _, why) in REFUSED_LATER.iter().chain(ALSO_REPORTED) {
        assert!(cases.iter().any(|case| case.name == *name), "{name}: {why}");
    }
    let debatable = cases.iter().filter(|case| case.options().is_some());
    assert_eq!(names, debatable.map(|case| &*case.name).collect(), "debatable and decided");
    say(format_args!(
        "{with_rule} findings have a rule, {never} will have none; {} later: {later:?}",
        later.values().sum::<usize>()
    ));
}
