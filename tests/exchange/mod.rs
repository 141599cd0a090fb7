//! A message with the head that it came in, right unless a test breaks it in one
//! place, and what becomes of it. Both lanes read each one, and must agree.

// Each test uses a part of it.
#![allow(dead_code, reason = "each test that takes it uses a part")]

use mcparse::{
    Message, ParamHeaders, Policy, RequestHead, RevisionSet, Rule, Sender, Validator, Violation,
};

/// A call of the modern revision that is right, and has nothing to report.
pub(crate) const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"notes.read","arguments":{"note":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}}"#;

/// The same of a legacy revision.
pub(crate) const LEGACY_CALL: &str =
    r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"notes.read"}}"#;

/// The head of [`CALL`].
const HEADERS: [(&str, &str); 5] = [
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("MCP-Protocol-Version", "2026-07-28"),
    ("Mcp-Method", "tools/call"),
    ("Mcp-Name", "notes.read"),
];

#[derive(Clone)]
pub(crate) struct Exchange {
    pub(crate) from: Sender,
    pub(crate) policy: Policy,
    /// The HTTP method; `None` if the message came without a head.
    pub(crate) http: Option<&'static str>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) table: Option<&'static ParamHeaders>,
    pub(crate) body: Vec<u8>,
}

/// Why a message was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) rule: Rule,
    pub(crate) code: i64,
    pub(crate) status: u16,
    pub(crate) offset: usize,
    pub(crate) reason: String,
    pub(crate) detail: Option<String>,
    /// `None` if there must be none.
    pub(crate) reply: Option<String>,
    /// The id that it echoes, as it was written.
    pub(crate) id: Option<String>,
}

/// What an accepted message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) findings: Vec<Rule>,
    pub(crate) revisions: RevisionSet,
}

pub(crate) type Said = Result<Passed, Refusal>;

impl Exchange {
    /// A modern call over HTTP, right in every way.
    pub(crate) fn call() -> Self {
        Self::over_http(&HEADERS, CALL)
    }

    /// A legacy call over HTTP, in a session.
    pub(crate) fn legacy_call(version: &str) -> Self {
        let headers = [HEADERS[0], HEADERS[1], ("MCP-Protocol-Version", version)];
        Self::over_http(&headers, LEGACY_CALL).header("Mcp-Session-Id", "s")
    }

    pub(crate) fn over_http(headers: &[(&str, &str)], body: &str) -> Self {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let headers = headers.iter().map(owned).collect();
        Self { http: Some("POST"), headers, ..Self::bare(Sender::Client, body) }
    }

    /// A message that came without a head.
    pub(crate) fn bare(from: Sender, body: impl AsRef<[u8]>) -> Self {
        Self {
            from,
            policy: Policy::strict(),
            http: None,
            headers: Vec::new(),
            table: None,
            body: body.as_ref().to_owned(),
        }
    }

    pub(crate) fn without_head(mut self) -> Self {
        self.http = None;
        self
    }

    pub(crate) fn under(mut self, policy: impl Fn(Policy) -> Policy) -> Self {
        self.policy = policy(self.policy);
        self
    }

    /// Puts `to` in place of `from`, which the body has once.
    pub(crate) fn edit(mut self, from: &str, to: &str) -> Self {
        let body = String::from_utf8(self.body).unwrap();
        assert_eq!(body.matches(from).count(), 1, "{from} in {body}");
        self.body = body.replace(from, to).into_bytes();
        self
    }

    /// Puts a member first into `_meta`.
    pub(crate) fn meta(self, member: &str) -> Self {
        self.edit(r#""_meta":{"#, &format!(r#""_meta":{{{member},"#))
    }

    /// Makes it a call of another method, with its header.
    pub(crate) fn method(self, method: &str) -> Self {
        let edited = self.edit(r#""tools/call""#, &format!("\"{method}\""));
        if edited.http.is_some() { edited.header("Mcp-Method", method) } else { edited }
    }

    /// Makes it name another version, in body and head.
    pub(crate) fn version(self, version: &str) -> Self {
        let named = |version| format!(r#"protocolVersion":"{version}""#);
        let edited = self.edit(&named("2026-07-28"), &named(version));
        if edited.http.is_some() { edited.header("MCP-Protocol-Version", version) } else { edited }
    }

    /// Sets the header, in place of all that have the name.
    pub(crate) fn header(self, name: &str, value: &str) -> Self {
        self.without(name).also(name, value)
    }

    /// Adds a header, whatever there is.
    pub(crate) fn also(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn body(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// What a validator says that has judged nothing yet, by each lane.
    pub(crate) fn said(&self) -> Said {
        let said = self.said_by(&mut Validator::new(self.policy));
        let by_tape = self.said_by(&mut Validator::with_tape_alone(self.policy));
        assert_eq!(said, by_tape, "the lanes differ: {self:?}");
        said
    }

    pub(crate) fn said_by(&self, validator: &mut Validator) -> Said {
        self.judge(validator, verdict)
    }

    /// The rules that are reported; panics if it is refused.
    pub(crate) fn findings(&self) -> Vec<&'static str> {
        let said = self.said();
        let passed = said.unwrap_or_else(|refusal| panic!("{refusal:?}: {self:?}"));
        passed.findings.into_iter().map(Rule::id).collect()
    }

    /// Why it is refused; panics if it is not.
    pub(crate) fn refusal(&self) -> Refusal {
        match self.said() {
            Err(refusal) => refusal,
            Ok(passed) => panic!("passed with {passed:?}: {self:?}"),
        }
    }

    /// The rule that it is refused by.
    pub(crate) fn refused_by(&self) -> Option<&'static str> {
        self.said().err().map(|refusal| refusal.rule.id())
    }

    pub(crate) fn judge<T>(
        &self,
        validator: &mut Validator,
        then: impl FnOnce(&Result<Message<'_>, Violation<'_>>) -> T,
    ) -> T {
        let Some(http) = self.http else { return then(&validator.check(self.from, &self.body)) };
        let pairs = self.headers.iter().map(|(name, value)| (name, value));
        let mut head = RequestHead::new(http, pairs);
        if let Some(table) = self.table {
            head = head.with_param_headers(table);
        }
        then(&validator.check_http(&head, &self.body))
    }
}

fn verdict(verdict: &Result<Message<'_>, Violation<'_>>) -> Said {
    match verdict {
        Ok(message) => Ok(Passed {
            findings: message.findings().iter().collect(),
            revisions: message.revisions(),
        }),
        Err(violation) => Err(refusal(violation)),
    }
}

fn refusal(violation: &Violation<'_>) -> Refusal {
    let mut reply = Vec::new();
    let is_answered = violation.write_reply(&mut reply);
    assert!(is_answered || reply.is_empty());
    let reply = String::from_utf8(reply).unwrap();
    Refusal {
        rule: violation.rule(),
        code: violation.code().get().into(),
        status: violation.http_status(),
        offset: usize::try_from(violation.offset()).unwrap(),
        reason: violation.reason().to_owned(),
        detail: violation.detail().map(|detail| detail.to_string()),
        reply: is_answered.then_some(reply),
        id: violation.id().map(|id| String::from_utf8(id.lexeme().to_owned()).unwrap()),
    }
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let start = &self.body[..self.body.len().min(600)];
        write!(f, "{:?} {:?} {:?} ", self.from, self.http, self.headers)?;
        f.write_str(&String::from_utf8_lossy(start))
    }
}
