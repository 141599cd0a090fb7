//! `error_matrix.json`: faulty requests of the official conformance suite, and
//! whether we answer as the servers do where those agree.

use std::collections::{BTreeMap, BTreeSet};

use mcparse::{Action, Capability, Policy, Requirement, Rule};
use serde::Deserialize;
use serde_json::Value;

use crate::sessions::{Exchange, Verdict, judge};
use crate::support::{Corpora, say};

/// Where we answer otherwise than the servers that agree: row, reason.
const DIFFERENT: &[(usize, &str)] = &[
    (5, "only the server knows what its tool needs; a policy may say it"),
    (11, "unknown-method is reported: a server may have methods of its own; a policy may refuse"),
    (12, "only the server knows which resources it has"),
    (14, "only the server knows its state from one that was tampered with"),
    (22, "three servers do not know the extension; the one that does answers as we do"),
    (23, "three servers do not know the extension; the one that does answers as we do"),
    (24, "three servers do not know the extension; the one that does answers as we do"),
    (42, "three servers do not know the extension; only the one that does knows its tasks"),
    (50, "only the server knows its state from one that was tampered with"),
];

/// The rows in which a policy that knows the server answers as the servers do.
const KNOWN_TO_A_POLICY: [usize; 2] = [5, 11];

/// A request of the suite, without the parts that differ from run to run, and
/// what each server answered.
#[derive(Deserialize)]
struct Row {
    headers: BTreeMap<String, String>,
    body: Value,
    responses: BTreeMap<String, Vec<String>>,
    /// By server the numbers of the captured requests.
    refs: BTreeMap<String, Vec<usize>>,
}

#[derive(Deserialize)]
struct Matrix {
    rows: Vec<Row>,
}

/// An answer: its status, and its code if it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Answer {
    status: u16,
    refusal: Option<Code>,
}

/// What the body of a refusal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Code {
    Json(i32),
    NotJson,
}

impl Answer {
    /// From the words of the matrix: `400 err -32602 id=echo`, `200 res -`,
    /// `200 SSE res complete`, `421 NONJSON`.
    fn read(words: &str) -> Self {
        let mut words = words.split(' ');
        let status = words.next().and_then(|status| status.parse().ok()).expect("a status");
        let refusal = match words.find(|&word| word != "SSE") {
            Some("err") => {
                let code = words.next().and_then(|code| code.parse().ok());
                Some(Code::Json(code.expect("a code")))
            }
            Some("res") => None,
            _ => Some(Code::NotJson),
        };
        Self { status, refusal }
    }

    fn ours(verdict: &Verdict) -> Self {
        match *verdict {
            Verdict::Accepted { .. } => Self { status: 200, refusal: None },
            Verdict::Refused { code, status, .. } => {
                Self { status, refusal: Some(Code::Json(code)) }
            }
        }
    }
}

/// What three of the servers say, or all if fewer were asked.
fn agreed<T: Ord + Copy>(answers: &[Answer], of: impl Fn(&Answer) -> T) -> Option<T> {
    let mut votes = BTreeMap::<T, usize>::new();
    for answer in answers {
        *votes.entry(of(answer)).or_default() += 1;
    }
    let enough = answers.len().min(3);
    votes.into_iter().find(|&(_, count)| count >= enough).map(|(value, _)| value)
}

/// Whether it is a refusal with the code and the status that the servers agree
/// on; `None` if they agree on neither.
fn is_agreed(answers: &[Answer], ours: Answer) -> Option<bool> {
    let refusal = agreed(answers, |answer| answer.refusal);
    let status = agreed(answers, |answer| answer.status);
    if refusal.is_none() && status.is_none() {
        return None;
    }
    let is_same = refusal.is_none_or(|refusal| refusal == ours.refusal)
        && status.is_none_or(|status| status == ours.status);
    Some(is_same)
}

/// The servers whose sessions are among the captures.
const SERVERS: [&str; 3] = ["everything-ts", "tsv2", "rmcp3"];

/// The verdicts on the sessions of the suite, by server.
type Verdicts = BTreeMap<&'static str, Vec<(Exchange, Verdict)>>;

fn verdicts(corpora: &Corpora, policy: Policy) -> Verdicts {
    let sessions = Exchange::all(corpora);
    let mut verdicts = BTreeMap::new();
    for session in sessions {
        let of = |server: &&str| {
            let folder = format!("conformance-x-{server}-2026-07-28-http/");
            session[0].name.starts_with(&folder)
        };
        let Some(server) = SERVERS.into_iter().find(of) else { continue };
        let judged = judge(&session, |_| policy);
        verdicts.insert(server, session.into_iter().zip(judged).collect());
    }
    verdicts
}

/// The verdict on a row: that on the captured requests that it stands for,
/// which must be one.
fn verdict<'v>(row: &Row, verdicts: &'v Verdicts) -> Result<&'v Verdict, String> {
    let mut found = Vec::new();
    for (server, numbers) in &row.refs {
        let Some(session) = verdicts.get(&**server) else { continue };
        for number in numbers {
            let (exchange, verdict) = &session[number - 1];
            assert!(exchange.name.ends_with(&format!("/{number:03}")), "{}", exchange.name);
            let sent = exchange.sent().expect("JSON");
            assert_eq!(sent["method"], row.body["method"], "{}", exchange.name);
            for (name, value) in row.headers.iter().filter(|(name, _)| name.starts_with("mcp-")) {
                let is_same = value == "T" || exchange.request.header(name) == Some(value);
                let is_id = name == "mcp-name" && row.body["params"]["taskId"] == "T";
                assert!(is_same || is_id, "{}: {name}", exchange.name);
            }
            found.push(verdict);
        }
    }
    let &first = found.first().ok_or("no captured request")?;
    match found.iter().find(|other| Answer::ours(other) != Answer::ours(first)) {
        Some(other) => Err(format!("{first:?} and {other:?}")),
        None => Ok(first),
    }
}

/// Where no web page may send.
const PLAIN: Policy = Policy::strict().with_origins(&[]);

/// Where, besides, the server is known.
const KNOWING: Policy =
    PLAIN.with_requirements(&NEEDS).with_action(Rule::UnknownMethod, Action::Refuse);
const NEEDS: [Requirement; 1] =
    [Requirement::new("tools/call", Capability::of_client("sampling"))
        .on("test_missing_capability")];

/// The rows in which we answer otherwise than the servers that agree, and how
/// many there are in which they do not.
fn different(corpora: &Corpora, policy: Policy) -> (BTreeSet<usize>, usize) {
    let Matrix { rows } = corpora.json("error_matrix.json");
    assert_eq!(rows.len(), 60);
    let verdicts = verdicts(corpora, policy);
    assert!(verdicts.keys().copied().eq(BTreeSet::from(SERVERS)));
    let (mut different, mut open) = (BTreeSet::new(), 0);
    for (number, row) in rows.iter().enumerate() {
        let ours = verdict(row, &verdicts).unwrap_or_else(|error| panic!("row {number}: {error}"));
        let theirs = row.responses.values().map(|answers| Answer::read(&answers[0]));
        let theirs: Vec<_> = theirs.collect();
        let outcome = match is_agreed(&theirs, Answer::ours(ours)) {
            Some(true) => "as they",
            Some(false) => {
                different.insert(number);
                "not as they"
            }
            None => {
                open += 1;
                "they do not agree"
            }
        };
        let rule = match ours {
            Verdict::Accepted { .. } => "accepted",
            Verdict::Refused { rule, .. } => rule.id(),
        };
        let method = &row.body["method"];
        say(format_args!("row {number} {method}: {rule}, {outcome}: {:?}", row.responses));
    }
    let same = rows.len() - different.len() - open;
    say(format_args!("{same} rows as the servers, {} not, {open} open", different.len()));
    (different, open)
}

#[test]
fn what_servers_agree_on_we_answer_too_except_for_the_rows_of_the_table() {
    let Some(corpora) = Corpora::find() else { return };
    let (different, open) = different(&corpora, PLAIN);
    assert_eq!(different, DIFFERENT.iter().map(|row| row.0).collect());
    assert_eq!(open, 2, "two of three refuse a wrong name and a missing one, and so do we");
}

#[test]
fn a_policy_that_knows_the_server_answers_as_it_does() {
    let Some(corpora) = Corpora::find() else { return };
    let (different, _) = different(&corpora, KNOWING);
    let rest = DIFFERENT.iter().map(|row| row.0).filter(|row| !KNOWN_TO_A_POLICY.contains(row));
    assert_eq!(different, rest.collect());
}
