//! Each kind of client with each kind of server, modern, dual or legacy, and a
//! validator between them that serves what the server does: what gets through,
//! what is refused with what, and what a client of both eras makes of that. The
//! README shows what is found here; the test prints what it should say.

use std::fmt::Write;

use mcparse::compose::{
    Client, Implementation, Notification, Object, RawJson, Request, Server, member,
};
use mcparse::{
    Capability, Era, Message, Policy, RequestHead, Requirement, Revision, RevisionSet, Sender,
    Session, SessionState, Summary, Validator, Violation,
};

/// Which eras a party speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaks {
    Modern,
    Dual,
    Legacy,
}

use Speaks::{Dual, Legacy, Modern};

impl Speaks {
    const ALL: [Self; 3] = [Modern, Dual, Legacy];

    const fn revisions(self) -> RevisionSet {
        match self {
            Modern => RevisionSet::MODERN,
            Dual => RevisionSet::ALL,
            Legacy => RevisionSet::LEGACY,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Modern => "modern",
            Dual => "dual",
            Legacy => "legacy",
        }
    }
}

const MODERN: Client<'_> = Client::new(Implementation::new("desk", "4.0"));
const LEGACY: Client<'_> = MODERN.with_revision(Revision::V2025_11_25);
const SERVER: Server<'_> = Server::new(Implementation::new("notes", "2.1"));

/// What became of a request, and what its client got.
struct Outcome {
    said: String,
    era: Option<Era>,
    answer: Vec<u8>,
}

/// A gateway with a server behind it.
struct Hop {
    server: Speaks,
    policy: Policy,
    validator: Validator,
    session: Session,
    over_http: bool,
}

impl Hop {
    fn new(server: Speaks, over_http: bool) -> Self {
        let policy = Policy::strict().with_revisions(server.revisions());
        let validator = Validator::new(policy);
        Self { server, policy, validator, session: Session::new(), over_http }
    }

    fn passes(&mut self, request: &Request<'_>) -> Outcome {
        let body = written(request);
        let mut headers = vec![
            ("Content-Type", "application/json".to_owned()),
            ("Accept", "application/json, text/event-stream".to_owned()),
        ];
        headers.extend(request.headers().unwrap().map(|(name, value)| (name, value.to_string())));
        let head =
            RequestHead::new("POST", headers.iter().map(|(name, value)| (*name, value.as_str())));
        let head = self.over_http.then_some(&head);
        let checked = judge(&mut self.validator, head, &body);
        // No request is read through what an earlier one said.
        let mut alone = Validator::new(self.policy);
        assert_eq!(format!("{checked:?}"), format!("{:?}", judge(&mut alone, head, &body)));
        match checked {
            Ok(message) => {
                assert_eq!(self.session.sent(&message).refused(&self.policy), None);
                let (era, summary) = (message.era().unwrap(), message.summary());
                let answer = self.answers(era, &summary);
                Outcome { said: format!("judged as {era}"), era: Some(era), answer }
            }
            Err(violation) => {
                let mut answer = Vec::new();
                assert!(violation.write_reply(&mut answer));
                let (rule, code) = (violation.rule(), violation.code().get());
                let status = violation.http_status();
                let said = format!("refused by `{rule}`, {code}, HTTP {status}");
                Outcome { said, era: None, answer }
            }
        }
    }

    /// What the server answers, which the gateway accepts.
    fn answers(&mut self, era: Era, to: &Summary) -> Vec<u8> {
        let mut answer = Vec::new();
        let id = std::str::from_utf8(to.id().unwrap().lexeme()).unwrap().parse::<u64>().unwrap();
        let server = match era {
            Era::Modern => SERVER,
            Era::Legacy => SERVER.with_revision(Revision::V2025_11_25),
        };
        match &*to.method_text().unwrap().decode() {
            "server/discover" => {
                server.discover_result(id, self.server.revisions()).write(&mut answer);
            }
            "initialize" => {
                let capabilities = [member("tools", Object::EMPTY)];
                server.with_capabilities(&capabilities).initialize_result(id).write(&mut answer);
            }
            method => {
                let name = if method == "tools/list" { "tools" } else { "content" };
                let members = [member(name, RawJson::new("[]").unwrap())];
                server.result(id, to.method()).with_members(&members).write(&mut answer);
            }
        }
        let message = self.validator.check_answer(to, &answer).expect("an answer");
        assert!(message.findings().is_empty(), "{:?}", message.findings());
        assert_eq!(self.session.received(&message).refused(&self.policy), None);
        answer
    }

    fn is_told(&mut self, notification: &Notification<'_>) {
        let mut body = Vec::new();
        notification.write(&mut body);
        let message = self.validator.check(Sender::Client, &body).expect("a notification");
        assert_eq!(self.session.sent(&message).refused(&self.policy), None);
    }
}

fn judge<'m>(
    validator: &mut Validator,
    head: Option<&RequestHead<'m>>,
    body: &'m [u8],
) -> Result<Message<'m>, Violation<'m>> {
    match head {
        Some(head) => validator.check_http(head, body),
        None => validator.check(Sender::Client, body),
    }
}

/// Has the client open, and ask for the tools. The methods with what was said of
/// each, and whether it got the list.
fn converse(
    client: Speaks,
    server: Speaks,
    over_http: bool,
) -> (Vec<(&'static str, String)>, bool) {
    let mut hop = Hop::new(server, over_http);
    let mut said = Vec::new();
    let mut era = if client == Legacy { Era::Legacy } else { Era::Modern };
    if era == Era::Modern {
        let probe = hop.passes(&MODERN.request(1, "server/discover"));
        said.push(("server/discover", probe.said));
        if client == Dual {
            era = hop.validator.era_of_answer(&probe.answer);
        } else if probe.era.is_none() {
            return (said, false);
        }
    }
    if era == Era::Legacy {
        let opened = hop.passes(&LEGACY.request(2, "initialize"));
        said.push(("initialize", opened.said));
        if opened.era.is_none() {
            return (said, false);
        }
        hop.is_told(&Notification::new("notifications/initialized"));
    }
    let asks = if era == Era::Modern { MODERN } else { LEGACY };
    let listed = hop.passes(&asks.request(3, "tools/list"));
    assert!(listed.era.is_none_or(|judged| judged == era));
    said.push(("tools/list", listed.said));
    // Only a legacy client leaves a session behind.
    let state = if era == Era::Legacy { SessionState::Running } else { SessionState::New };
    assert_eq!(hop.session.state(), state);
    (said, listed.era.is_some())
}

#[test]
fn the_readme_tells_what_comes_of_each_pair_of_client_and_server() {
    let mut table = "| client | server | | its requests |\n| --- | --- | --- | --- |\n".to_owned();
    for (client, server) in
        Speaks::ALL.map(|client| Speaks::ALL.map(|server| (client, server))).concat()
    {
        let (said, works) = converse(client, server, false);
        assert_eq!((&said, works), (&converse(client, server, true).0, works), "{client:?}");
        // Two that have an era in common come together.
        let in_common = client.revisions().intersection(server.revisions());
        assert_eq!(works, !in_common.is_empty(), "{client:?} {server:?}");
        let works = if works { "works" } else { "fails" };
        let _ = write!(table, "| {} | {} | {works} |", client.name(), server.name());
        for (at, (method, verdict)) in said.iter().enumerate() {
            let _ = write!(table, " `{method}`");
            // Said once of all that it holds for.
            match said.get(at + 1) {
                Some((_, next)) if next == verdict => table.push(','),
                Some(_) => drop(write!(table, " {verdict};")),
                None => drop(write!(table, " {verdict}")),
            }
        }
        table.push_str(" |\n");
    }
    let readme = include_str!("../README.md");
    let (start, end) = ("<!-- pairs -->\n", "<!-- /pairs -->");
    let shown = readme.split_once(start).and_then(|(_, rest)| rest.split_once(end));
    assert_eq!(shown.map(|(shown, _)| shown), Some(&*table), "it should be:\n{table}");
}

fn written(request: &Request<'_>) -> Vec<u8> {
    let mut body = Vec::new();
    request.write(&mut body);
    body
}

#[test]
fn a_modern_request_is_not_read_through_what_a_handshake_declared() {
    static NEEDS: [Requirement; 1] =
        [Requirement::new("tools/call", Capability::of_client("elicitation"))];
    let mut hop = Hop::new(Dual, false);
    hop.policy = hop.policy.with_requirements(&NEEDS);
    hop.validator.set_policy(hop.policy);
    // The handshake has the capability, and an older version.
    let elicits = [member("elicitation", Object::EMPTY)];
    let older = LEGACY.with_revision(Revision::V2025_06_18).with_capabilities(&elicits);
    assert_eq!(hop.passes(&older.request(1, "initialize")).era, Some(Era::Legacy));
    hop.is_told(&Notification::new("notifications/initialized"));
    let able = MODERN.with_capabilities(&elicits);
    let add = [member("name", "add")];
    for id in (2..20).step_by(3) {
        let refused = hop.passes(&MODERN.request(id, "tools/call").with_params(&add)).said;
        assert_eq!(refused, "refused by `missing-capability`, -32021, HTTP 400");
        let call = written(&able.request(id + 1, "tools/call").with_params(&add));
        let Ok(Message::Request(call)) = hop.validator.check(Sender::Client, &call) else {
            panic!("a request")
        };
        assert_eq!(call.protocol_version().unwrap(), "2026-07-28");
        assert!(hop.session.sent(&Message::Request(call)).rules.is_empty());
        // The session goes on beside, without metadata of its own.
        let legacy = hop.passes(&older.request(id + 2, "tools/call").with_params(&add));
        assert_eq!(legacy.era, Some(Era::Legacy));
        assert_eq!(hop.session.state(), SessionState::Running);
    }
}
