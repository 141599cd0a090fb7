//! The captured HTTP sessions: each request with its answer, in order, judged
//! by head and body with what the session's own `tools/list` results teach.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use mcparse::{
    Kind, Message, Page, ParamHeaders, Policy, RequestHead, Revision, Rule, RuleSet, Sender,
    Validator,
};
use serde_json::Value;

use crate::http::Http;
use crate::support::{Corpora, revision_in, said_revision};

/// One exchange of a captured session, in the order of the capture.
pub(crate) struct Exchange {
    /// `session/NNN`
    pub(crate) name: String,
    pub(crate) request: Http,
    pub(crate) response: Option<Http>,
}

impl Exchange {
    /// Those of every session, session by session.
    pub(crate) fn all(corpora: &Corpora) -> Vec<Vec<Self>> {
        let answers = BTreeSet::from_iter(corpora.files("captures", ".resp.http"));
        let mut sessions: Vec<Vec<Self>> = Vec::new();
        let mut last = None;
        for file in corpora.files("captures", ".req.http") {
            let folder = Path::new(&file).parent().map(Path::to_owned);
            if folder != last {
                sessions.push(Vec::new());
                last = folder;
            }
            let name = file.trim_start_matches("captures/").trim_end_matches(".req.http");
            let answer = file.replace(".req.http", ".resp.http");
            sessions.last_mut().expect("just pushed").push(Self {
                name: name.to_owned(),
                request: Http::read(&corpora.read(&file)),
                response: answers.contains(&answer).then(|| Http::read(&corpora.read(&answer))),
            });
        }
        sessions
    }

    /// The message in the body of the request.
    pub(crate) fn sent(&self) -> Option<Value> {
        serde_json::from_slice(&self.request.body).ok()
    }

    /// What the server answered to the request in the body: its result or its
    /// error, and the bytes of the message.
    pub(crate) fn answer(&self) -> Option<(Value, Vec<u8>)> {
        let sent = self.sent()?;
        let id = sent.get("id").filter(|_| sent.get("method").is_some())?;
        self.response.iter().flat_map(Http::messages).find_map(|bytes| {
            let answer: Value = serde_json::from_slice(&bytes).ok()?;
            let is_answer = answer.get("id") == Some(id) && answer.get("method").is_none();
            is_answer.then_some((answer, bytes))
        })
    }

    /// Whether the server took the message: it answered a request with a
    /// result, or said of another message, or of a request that is answered
    /// elsewhere, that it has it.
    pub(crate) fn is_taken(&self) -> bool {
        match (self.answer(), &self.response) {
            (Some((answer, _)), _) => answer.get("result").is_some(),
            (None, Some(response)) => response.status() == 202,
            (None, None) => false,
        }
    }

    /// Teaches `table` what a `tools/list` was answered with.
    fn teach(&self, table: &ParamHeaders) {
        let Some(sent) = self.sent().filter(|sent| sent["method"] == "tools/list") else { return };
        let Some((_, bytes)) = self.answer() else { return };
        let page = match sent["params"].get("cursor") {
            Some(_) => Page::Next,
            None => Page::First,
        };
        let mut validator = Validator::new(Policy::observe());
        if let Ok(Message::Response(response)) = validator.check(Sender::Server, &bytes)
            && let Some(result) = response.result()
        {
            table.learn(page, result, Instant::now());
        }
    }

    /// The revision that the request is of: its own word, else that of its
    /// header, else that of its session.
    pub(crate) fn revision(&self) -> Revision {
        let said = self.sent().and_then(|sent| said_revision(&sent));
        let header = self.request.header("mcp-protocol-version");
        let header = header.and_then(|version| Revision::from_bytes(version.as_bytes()));
        said.or(header).unwrap_or_else(|| revision_in(&self.name))
    }
}

/// The head of a request, as the crate takes it.
pub(crate) fn head(request: &Http) -> RequestHead<'_> {
    RequestHead::new(request.method(), request.headers.iter().map(|(name, value)| (name, value)))
}

/// What was decided on a request, owned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    Accepted { kind: Kind, findings: RuleSet },
    Refused { rule: Rule, code: i32, status: u16, reply: Option<Value> },
}

impl Verdict {
    pub(crate) fn of(validator: &mut Validator, head: &RequestHead<'_>, body: &[u8]) -> Self {
        match validator.check_http(head, body) {
            Ok(message) => Self::Accepted { kind: message.kind(), findings: message.findings() },
            Err(violation) => {
                let mut reply = Vec::new();
                let is_answered = violation.write_reply(&mut reply);
                let reply = is_answered.then(|| serde_json::from_slice(&reply).expect("a reply"));
                Self::Refused {
                    rule: violation.rule(),
                    code: violation.code().get(),
                    status: violation.http_status(),
                    reply,
                }
            }
        }
    }
}

/// The verdicts on the requests of a session, in order, by the policy that
/// `policy` has for each.
pub(crate) fn judge(session: &[Exchange], policy: impl Fn(&Exchange) -> Policy) -> Vec<Verdict> {
    let table = ParamHeaders::new();
    let mut validator = Validator::new(Policy::strict());
    let mut verdict = |exchange: &Exchange| {
        validator.set_policy(policy(exchange));
        let head = head(&exchange.request).with_param_headers(&table);
        let verdict = Verdict::of(&mut validator, &head, &exchange.request.body);
        exchange.teach(&table);
        verdict
    };
    session.iter().map(&mut verdict).collect()
}
