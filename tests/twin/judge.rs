//! `Validator::check` in words: every rule as a sentence about the message,
//! asked in the order of judgement. The first broken rule that the policy
//! refuses by wins; the others that it reports are findings.

use mcparse::{Action, Kind, Policy, Revision, RevisionSet, Rule, Sender, Stage};

use super::envelope::{self, is, is_id_or_float, leaves_ids_out};
use super::head::Head;
use super::message::Message;
use super::read::{Json, Value, read};
use super::revisions::{VersionHeader, unread};
use super::truth::{is_valid_id, last};
use super::{answers, calls, metadata, mirrors, params, transport};

/// What becomes of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'m> {
    Accept(Box<Accepted<'m>>),
    Refuse(Box<Refused<'m>>),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Accepted<'m> {
    pub(crate) kind: Kind,
    pub(crate) revisions: RevisionSet,
    pub(crate) id: Option<Value<'m>>,
    pub(crate) method: Option<Value<'m>>,
    pub(crate) params: Option<Value<'m>>,
    pub(crate) name: Option<Value<'m>>,
    pub(crate) result: Option<Value<'m>>,
    pub(crate) error: Option<Value<'m>>,
    pub(crate) error_code: Option<Value<'m>>,
    pub(crate) findings: Vec<Rule>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused<'m> {
    pub(crate) rule: Rule,
    pub(crate) code: i32,
    pub(crate) status: u16,
    /// Not compared where only `serde_json` could tell it.
    pub(crate) offset: Option<usize>,
    pub(crate) answer: Answer<'m>,
    /// `error.data` of the answer.
    pub(crate) data: serde_json::Value,
}

/// What may be said to the sender of a refused message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer<'m> {
    Forbidden,
    WithoutId,
    WithNull,
    WithId(&'m str),
}

pub(crate) fn check<'m>(policy: &Policy, from: Sender, bytes: &'m [u8]) -> Verdict<'m> {
    check_with(policy, from, None, bytes)
}

/// `Validator::check_answer` in words, to a request that is accepted; and whether
/// what is refused stands for the answer.
pub(crate) fn check_answer<'m>(
    policy: &Policy,
    from: Sender,
    request: &'m [u8],
    bytes: &'m [u8],
) -> Option<(Verdict<'m>, bool)> {
    let Verdict::Accept(_) = check(policy, from, request) else { return None };
    let limits = policy.limits();
    let is_fatal = |rule| policy.action(rule) == Action::Refuse;
    let parsed = |bytes| read(bytes, limits.depth, is_fatal);
    let to = Box::new(Message::new(parsed(request).ok()?.0, policy, from, None));
    let is_waiting = to.is_request();
    let answerer = if from == Sender::Client { Sender::Server } else { Sender::Client };
    let by_gateway = |verdict| match verdict {
        Verdict::Refuse(refused) => Verdict::Refuse(Box::new(Refused { status: 502, ..*refused })),
        accepted @ Verdict::Accept(_) => accepted,
    };
    if bytes.len() > limits.message_bytes || parsed(bytes).is_err() {
        return Some((by_gateway(check(policy, answerer, bytes)), is_waiting));
    }
    let (root, mut findings) = parsed(bytes).ok()?;
    findings.retain(|&rule| policy.action(rule) == Action::Report);
    let message = Message::new(root, policy, answerer, None).beside(to);
    let has_outcome = message.result.or(message.error).is_some();
    let concerns = match (message.method, &message.to) {
        (None, _) => true,
        (Some(_), Some(to)) => has_outcome && answers::has_same_id(&message, to),
        (Some(_), None) => false,
    };
    Some((by_gateway(judge(policy, &message, findings)), is_waiting && concerns))
}

/// `Validator::check_http` in words.
pub(crate) fn check_http<'m>(policy: &Policy, head: &Head, body: &'m [u8]) -> Verdict<'m> {
    check_with(policy, Sender::Client, Some(head), body)
}

fn check_with<'m>(
    policy: &Policy,
    from: Sender,
    head: Option<&Head>,
    bytes: &'m [u8],
) -> Verdict<'m> {
    let limits = policy.limits();
    let header = head.map_or(VersionHeader::NoHead, Head::version);
    let unread = |rule: Rule, offset| {
        let answer = match from {
            Sender::Client => without_id(unread(header, policy.revisions())),
            Sender::Server => Answer::Forbidden,
        };
        refuse(rule, offset, answer, None)
    };
    let breaks_head = |rule| head.is_some_and(|head| transport::breaks(head, policy, rule));
    let is_refused = |rule: &Rule| policy.action(*rule) == Action::Refuse && breaks_head(*rule);
    if let Some(&rule) = Rule::ALL.iter().find(|rule| is_refused(rule)) {
        return unread(rule, Some(0));
    }
    if bytes.len() > limits.message_bytes {
        return unread(Rule::TooLarge, Some(limits.message_bytes));
    }
    let refuses = |rule| policy.action(rule) == Action::Refuse;
    let (root, mut findings) = match read(bytes, limits.depth, refuses) {
        Ok(read) => read,
        Err(fault) => return unread(fault.rule, fault.offset),
    };
    findings.retain(|&rule| policy.action(rule) == Action::Report);

    judge(policy, &Message::new(root, policy, from, head), findings)
}

/// The first broken rule that the policy refuses by wins.
fn judge<'m>(policy: &Policy, message: &Message<'m>, mut findings: Vec<Rule>) -> Verdict<'m> {
    for &rule in Rule::ALL {
        let Some(offset) = breaks(message, rule) else { continue };
        match policy.action(rule) {
            Action::Refuse => {
                return refuse(rule, Some(offset), answer(message, rule), Some(message));
            }
            Action::Report => findings.push(rule),
            Action::Off => {}
        }
    }
    Verdict::Accept(Box::new(accepted(message, findings)))
}

/// Whether the message breaks this rule, and where in it.
pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> Option<usize> {
    match rule.stage() {
        Stage::Envelope => envelope::breaks(message, rule).or_else(|| calls::breaks(message, rule)),
        Stage::Metadata => {
            let of_result = || answers::breaks(message, rule);
            metadata::breaks(message, rule).or_else(of_result)
        }
        Stage::Version | Stage::Capability | Stage::Method => calls::breaks(message, rule),
        Stage::Params => params::breaks(message, rule),
        Stage::Transport if transport::is_of_modern(rule) && !has_kind(message) => None,
        Stage::Transport => transport::breaks_with(message, rule).then_some(message.root.at),
        Stage::Headers => mirrors::breaks(message, rule).then(|| mirrors::place(message, rule)),
        Stage::Answer => answers::breaks(message, rule),
        _ => None,
    }
}

fn refuse<'m>(
    rule: Rule,
    offset: Option<usize>,
    answer: Answer<'m>,
    message: Option<&Message<'m>>,
) -> Verdict<'m> {
    // To a legacy client 404 says that its session is lost.
    let status = match rule.http_status() {
        404 if message.is_some_and(Message::is_legacy) => 200,
        status => status,
    };
    let data = match message {
        Some(message) => data(message, rule),
        None => serde_json::json!({ "rule": rule.id() }),
    };
    let code = rule.code().get();
    Verdict::Refuse(Box::new(Refused { rule, code, status, offset, answer, data }))
}

/// What the specification defines for two of its errors; else the rule.
fn data(message: &Message<'_>, rule: Rule) -> serde_json::Value {
    let missing = calls::missing_capability(message);
    match (rule, calls::requested_version(message), missing) {
        (Rule::UnsupportedVersion, Some(version), _) => {
            let served = message.policy.revisions();
            let supported: Vec<&str> = served.iter().rev().map(Revision::as_str).collect();
            let requested = version.decoded().unwrap_or_default();
            let requested = String::from_utf8(requested).expect("a string");
            serde_json::json!({ "requested": requested, "supported": supported })
        }
        (Rule::MissingCapability, _, Some(need)) => {
            let inner = match need.part {
                Some(part) => serde_json::json!({ part: {} }),
                None => serde_json::json!({}),
            };
            serde_json::json!({ "requiredCapabilities": { need.name: inner } })
        }
        _ => serde_json::json!({ "rule": rule.id() }),
    }
}

/// Never to an answer, to a notification, or to a server; with the id only
/// if exactly one of valid type and length was read.
fn answer<'m>(message: &Message<'m>, rule: Rule) -> Answer<'m> {
    let policy = &message.policy;
    let is_answer = message.method.is_none() && message.result.or(message.error).is_some();
    let is_notification =
        message.method.is_some_and(|method| method.json() == Json::String) && message.id.is_none();
    if message.from == Sender::Server || is_answer || is_notification {
        return Answer::Forbidden;
    }
    let is_only_one = message.own.iter().filter(|member| is(member, "id")).count() == 1;
    let lets_floats_pass = policy.action(Rule::IdFloat) != Action::Refuse;
    let is_valid = |id: Value<'_>| {
        is_valid_id(id) || lets_floats_pass && id.json() == Json::Number && is_id_or_float(id)
    };
    match message.id {
        Some(id) if is_only_one && is_valid(id) && id.raw.len() <= policy.limits().id_bytes => {
            Answer::WithId(id.raw)
        }
        _ if message.to.is_some() => without_id(message.revisions),
        // What has no kind says nothing of its revision.
        _ if is_kindless(rule) => without_id(unread(message.header, policy.revisions())),
        _ => without_id(message.revisions),
    }
}

/// Whether the message is of a kind, without which nobody knows its revision.
fn has_kind(message: &Message<'_>) -> bool {
    let refuses = |rule: Rule| message.policy.action(rule) == Action::Refuse;
    let is_broken = |rule: Rule| refuses(rule) && envelope::breaks(message, rule).is_some();
    !Rule::ALL.iter().any(|&rule| is_kindless(rule) && is_broken(rule))
}

/// Whether a message that is refused by this rule has no kind.
fn is_kindless(rule: Rule) -> bool {
    rule.is_fatal() || rule == Rule::IdFloat
}

/// An id that could not be read is `null` before 2025-11-25.
fn without_id<'m>(revisions: RevisionSet) -> Answer<'m> {
    if revisions.iter().any(leaves_ids_out) { Answer::WithoutId } else { Answer::WithNull }
}

fn accepted<'m>(message: &Message<'m>, findings: Vec<Rule>) -> Accepted<'m> {
    let kind = message.kind();
    let error = message.error.filter(|_| kind == Kind::Error);
    Accepted {
        kind,
        revisions: message.revisions,
        id: message.id.filter(|id| id.json() != Json::Null),
        method: message.method,
        params: message.params.filter(|_| !kind.is_response()),
        name: message.name(),
        result: message.result.filter(|_| kind == Kind::Result),
        error,
        error_code: error.and_then(|error| last(&error.members(), "code")),
        findings,
    }
}
