//! `cases.jsonl`: the HTTP responses, judged by the request that the context of
//! the case has, and the messages of cases about ids.

use std::collections::BTreeSet;

use mcparse::{Kind, Message, Policy, ResponseHead, Rule, RuleSet, Sender, Summary, Validator};
use serde_json::{Value, json};

use crate::cases::Case;
use crate::support::{Corpora, Tally, in_words, same, serving};

/// What each verdict is: accepted, or refused by a rule, and whether it is what
/// the client gets.
type Verdict = (Result<(), Rule>, bool);

const ANSWERED: Verdict = (Ok(()), true);

const fn failed(rule: Rule) -> Verdict {
    (Err(rule), true)
}

/// Case, verdicts, findings of the head, and why if it is not what the case says.
const EXPECTED: &[(&str, &[Verdict], &[Rule], &str)] = &[
    ("resp-json-ok", &[ANSWERED], &[], ""),
    ("resp-sse-ok", &[ANSWERED], &[], ""),
    ("resp-sse-charset", &[ANSWERED], &[], ""),
    ("resp-202-empty", &[], &[], ""),
    ("resp-202-text-plain-empty", &[], &[], ""),
    (
        "resp-to-notification-result-no-id",
        &[(Err(Rule::IdMissing), false)],
        &[Rule::AnswerStatus],
        "",
    ),
    ("resp-empty-200-to-request", &[failed(Rule::NotJson)], &[], ""),
    (
        "resp-html",
        &[failed(Rule::AnswerContentType)],
        &[],
        "a body that is no message by its head is not read at all",
    ),
    ("resp-400-unsupported-version", &[ANSWERED], &[], ""),
    ("resp-array-wrapped", &[failed(Rule::Batch)], &[], ""),
    ("resp-json-under-sse-type", &[failed(Rule::StreamWithoutAnswer)], &[Rule::SseEventCut], ""),
    ("resp-sse-empty-body", &[failed(Rule::StreamWithoutAnswer)], &[], ""),
    ("resp-403-error-without-id", &[ANSWERED], &[], ""),
];

/// What is kept of a message that the case may answer.
fn asked(case: &Case, is_notification: bool) -> (Policy, Summary) {
    let policy = case.revision().map_or(Policy::strict(), serving);
    let is_modern = case.revision().is_some_and(mcparse::Revision::is_modern);
    let meta = r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":{}}}"#;
    let message = if is_notification {
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned()
    } else {
        let meta = if is_modern { meta } else { "" };
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list"{meta}}}"#)
    };
    let summary = Validator::new(policy).check(Sender::Client, message.as_bytes());
    (policy, summary.expect("a good message").summary())
}

fn judge(case: &Case) -> (Vec<Verdict>, RuleSet) {
    let is_notification =
        case.name.starts_with("resp-202") || case.name == "resp-to-notification-result-no-id";
    let (policy, to) = asked(case, is_notification);
    let headers = case.headers.iter().map(|(name, value)| (name, value));
    let head = ResponseHead::new(case.status.expect("a status"), headers);
    let mut verdicts = Vec::new();
    let findings = Validator::new(policy).check_http_answer(&to, &head, &case.input(), |verdict| {
        verdicts.push(match verdict {
            Ok(message) => (Ok(()), matches!(message, Message::Response(_))),
            Err(violation) => (Err(violation.rule()), violation.concerns_pending()),
        });
    });
    (verdicts, findings)
}

/// What the verdicts are in the words of the cases: kind and code of each
/// message. That a stream has ended is said of no message.
fn told(verdicts: &[Verdict]) -> Vec<(&'static str, Option<i32>)> {
    let of_messages =
        verdicts.iter().filter(|(verdict, _)| *verdict != Err(Rule::StreamWithoutAnswer));
    let told = of_messages.map(|(verdict, _)| match verdict {
        Ok(()) => in_words(Ok(Kind::Result)),
        Err(rule) => in_words(Err(rule.code())),
    });
    told.collect()
}

/// Whether `expected` is that: one message, none, or a list of them.
fn is_told(told: &[(&'static str, Option<i32>)], expected: &Value) -> bool {
    let wanted = match expected {
        Value::Array(list) => list.iter().collect(),
        one if one["kind"] == "none" => Vec::new(),
        one => vec![one],
    };
    let is = |(&(kind, code), wanted): (&(&str, Option<i32>), &&Value)| {
        wanted["kind"] == kind && wanted["code"] == json!(code)
    };
    told.len() == wanted.len() && told.iter().zip(&wanted).all(is)
}

/// Whether our verdicts are what the case says, or one of its options, exactly
/// where the row gives no reason.
fn agrees(case: &Case, verdicts: &[Verdict], why: &str) -> Result<(), String> {
    let told = told(verdicts);
    let expected = case.expected();
    let options = case.options().unwrap_or(std::slice::from_ref(&expected));
    let is_as_said = options.iter().any(|option| is_told(&told, option));
    same(&is_as_said, &why.is_empty()).map_err(|_| format!("{told:?} for {options:?}: {why:?}"))
}

#[test]
fn every_response_case_is_decided() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    let cases = Case::all_of(&corpora, "http-response");
    let names: BTreeSet<_> = cases.iter().map(|case| &*case.name).collect();
    assert_eq!(names, EXPECTED.iter().map(|row| row.0).collect());
    for case in &cases {
        let &(_, verdicts, findings, why) =
            EXPECTED.iter().find(|row| row.0 == case.name).expect("a row");
        let expected = (verdicts.to_vec(), findings.iter().copied().collect());
        let got = judge(case);
        let outcome = same(&got, &expected).and_then(|()| agrees(case, &got.0, why));
        tally.count(&case.name, outcome);
    }
    tally.finish("HTTP responses", 13);
}

/// The messages about ids, each as the answer to the id that was sent.
const CORRELATED: &[(&str, &str, Option<Rule>)] = &[
    ("corr-string-for-int", "0", Some(Rule::AnswerIdType)),
    ("corr-int-for-string", "\"1\"", Some(Rule::AnswerIdType)),
    ("corr-always-zero", "42", Some(Rule::AnswerIdMismatch)),
    ("corr-error-id-null-while-waiting", "3", None),
];

#[test]
fn an_answer_with_another_id_is_refused() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    let cases = Case::all_of(&corpora, "message");
    for &(name, id, rule) in CORRELATED {
        let case = cases.iter().find(|case| case.name == name).expect("the case");
        let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let mut validator = Validator::new(Policy::strict());
        let to = validator.check(Sender::Client, request.as_bytes()).expect("a ping").summary();
        let verdict = validator.check_answer(&to, &case.input()).err().map(|it| it.rule());
        tally.count(name, same(&verdict, &rule));
    }
    tally.finish("answers with other ids", 4);
}

#[test]
fn a_second_answer_is_refused() {
    let Some(corpora) = Corpora::find() else { return };
    let cases = Case::all_of(&corpora, "stdio-stream");
    let case = cases.iter().find(|case| case.name == "stdio-double-answer").expect("the case");
    let (policy, to) = asked(case, false);
    let mut validator = Validator::new(policy);
    let mut answering = mcparse::Answering::new(&to);
    let input = case.input();
    let verdicts: Vec<_> = input
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| validator.check_event(&mut answering, line).map(|_| ()).map_err(|it| it.rule()))
        .collect();
    assert_eq!(verdicts, [Ok(()), Err(Rule::MessageAfterAnswer)]);
}
