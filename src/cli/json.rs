//! A record as one JSON object on one line.
//!
//! The names and the order of the fields are part of the command's contract:
//! fields may be added at the end, none is changed. Ids and replies are put in
//! as raw JSON, so that an id keeps its exact spelling.

use std::borrow::Cow;
use std::io::{self, Write};

use mcparse::{Cause, Rule, RuleSet, Sender};
use serde::Serialize;
use serde_json::value::RawValue;

use super::judge::{Broken, Record, Verdict};
use super::statistics::Statistics;

#[derive(Serialize)]
struct Fields<'r> {
    source: &'r str,
    line: u64,
    offset: u64,
    bytes: Option<u64>,
    verdict: &'static str,
    kind: &'static str,
    code: Option<i32>,
    http_status: Option<u16>,
    rule: Option<&'static str>,
    id: Option<&'r RawValue>,
    method: Option<Cow<'r, str>>,
    at: Option<u64>,
    findings: Vec<&'static str>,
    reply: Option<&'r RawValue>,
    reason: Option<&'static str>,
    cause: Option<&'static str>,
    hint: Option<String>,
    detail: Option<String>,
    sender: Option<&'static str>,
    answers: Option<&'r RawValue>,
}

/// Writes the record, with the line end.
pub(super) fn record(out: &mut impl Write, source: &str, record: &Record<'_>) -> io::Result<()> {
    let reply = record.reply();
    let mut fields = Fields {
        source,
        line: record.place.line,
        offset: record.place.offset,
        bytes: record.bytes,
        verdict: record.verdict(),
        kind: record.kind(),
        code: None,
        http_status: None,
        rule: None,
        id: None,
        method: None,
        at: None,
        findings: Vec::new(),
        reply: None,
        reason: None,
        cause: None,
        hint: None,
        detail: None,
        sender: record.sender.map(|sender| match sender {
            Sender::Client => "client",
            Sender::Server => "server",
        }),
        answers: record.answers.as_deref().and_then(raw),
    };
    match &record.verdict {
        Verdict::Accepted { id, method, findings, .. } => {
            fields.id = id.and_then(|id| raw(id.lexeme()));
            fields.method = method.map(|method| method.decode());
            fields.findings = ids(*findings);
        }
        Verdict::Refused { code, broken } => {
            fields.code = Some(code.get());
            if let Some(Broken { rule, id, at, .. }) = broken {
                fields.http_status = Some(rule.http_status());
                fields.rule = Some(rule.id());
                fields.id = id.and_then(|id| raw(id.lexeme()));
                fields.at = Some(*at);
                fields.reply = reply.as_deref().and_then(raw);
                fields.reason = Some(rule.reason());
            }
            if let Some(Broken { violation: Some(violation), .. }) = broken {
                fields.http_status = Some(violation.http_status());
                fields.reason = Some(violation.reason());
                fields.cause = violation.cause().map(Cause::id);
                fields.hint = violation.cause().map(|cause| cause.to_string());
                fields.detail = violation.detail().map(|detail| detail.to_string());
            }
        }
    }
    write(out, &fields)
}

#[derive(Serialize)]
struct Sums<'s> {
    statistics: &'s Statistics,
}

/// Writes the sums as an object of their own.
pub(super) fn statistics(out: &mut impl Write, statistics: &Statistics) -> io::Result<()> {
    write(out, &Sums { statistics })
}

fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

fn ids(rules: RuleSet) -> Vec<&'static str> {
    rules.iter().map(Rule::id).collect()
}

/// What the library gives is JSON already; this only says so in serde's words.
fn raw(json: &[u8]) -> Option<&RawValue> {
    serde_json::from_slice(json).ok()
}
