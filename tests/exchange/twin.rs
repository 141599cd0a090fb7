//! A plain account of a connection, on decoded messages: it keeps everything,
//! looks everything up by going over it, and has no bounds.

use std::collections::{BTreeMap, BTreeSet};

use mcparse::Sender;
use serde_json::Value;

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const FILTER: [(&str, &str); 5] = [
    ("toolsListChanged", "notifications/tools/list_changed"),
    ("promptsListChanged", "notifications/prompts/list_changed"),
    ("resourcesListChanged", "notifications/resources/list_changed"),
    ("resourceSubscriptions", "notifications/resources/updated"),
    ("taskIds", "notifications/tasks"),
];

#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    Answered,
    Cancelled,
    Closed,
}

/// How the host ends a request without a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Cancel,
    Fail,
    Withdraw,
}

/// A request; of each side and id the last one only.
struct Asked {
    from: Sender,
    id: Value,
    message: Value,
    state: State,
    has_token: bool,
    last: Option<f64>,
    is_acknowledged: bool,
}

impl Asked {
    fn token(&self) -> Option<&Value> {
        token(&self.message)
    }

    fn listens(&self) -> bool {
        self.message["method"] == "subscriptions/listen"
    }

    fn asks_for(&self, at: usize) -> bool {
        asks_for(&self.message["params"]["notifications"][FILTER[at].0])
    }
}

fn token(message: &Value) -> Option<&Value> {
    message["params"]["_meta"].get("progressToken")
}

/// How many resources and tasks a filter names.
fn items(filter: &Value) -> usize {
    let members = FILTER.iter().filter_map(|(name, _)| filter[name].as_array());
    members.flatten().filter(|item| item.is_string()).count()
}

fn asks_for(member: &Value) -> bool {
    *member == true || member.as_array().is_some_and(|items| !items.is_empty())
}

fn is_modern(message: &Value) -> bool {
    !message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_null()
        || message["method"] == "subscriptions/listen"
}

/// What was called, and on what.
fn called(message: &Value) -> (Value, Value) {
    let name = match message["method"].as_str() {
        Some("tools/call" | "prompts/get") => &message["params"]["name"],
        Some("resources/read") => &message["params"]["uri"],
        _ => &Value::Null,
    };
    (message["method"].clone(), name.clone())
}

#[derive(Clone, Default)]
struct Page {
    expected: Option<Value>,
    scope: Option<Value>,
    names: Option<Vec<String>>,
}

#[derive(Default)]
pub(crate) struct Twin {
    is_http: bool,
    asked: Vec<Asked>,
    /// By side and token: whether progress may go on.
    past: BTreeMap<(bool, String), bool>,
    notified: BTreeSet<bool>,
    /// What was called, the id of the request, the state that was given.
    questions: Vec<((Value, Value), Value, Option<Value>)>,
    /// By the cursor as JSON.
    pages: BTreeMap<String, Page>,
    has_modern: bool,
    has_legacy: bool,
}

type Rules = BTreeSet<&'static str>;

impl Twin {
    pub(crate) fn new(is_http: bool) -> Self {
        Self { is_http, ..Self::default() }
    }

    pub(crate) fn pending(&self) -> Vec<String> {
        let waiting =
            |asked: &&Asked| asked.from == Sender::Client && asked.state == State::Waiting;
        self.asked.iter().filter(waiting).map(|asked| asked.id.to_string()).collect()
    }

    pub(crate) fn hear(&mut self, from: Sender, message: &Value) -> Rules {
        let mut rules = Rules::new();
        if message.get("method").is_none() {
            self.answer(other(from), message, &mut rules);
        } else if message.get("id").is_some() {
            self.request(from, message, &mut rules);
        } else {
            self.notification(from, message, &mut rules);
        }
        rules
    }

    /// The host ends a request of the client.
    pub(crate) fn end(&mut self, id: &Value, end: End) {
        let Some(at) = self.find(Sender::Client, id) else { return };
        if self.asked[at].state != State::Waiting {
            return;
        }
        match end {
            End::Cancel => self.close(at, State::Cancelled, false),
            End::Fail => self.close(at, State::Answered, false),
            End::Withdraw => {
                self.close(at, State::Cancelled, true);
                self.asked.remove(at);
            }
        }
    }

    fn find(&self, from: Sender, id: &Value) -> Option<usize> {
        self.asked.iter().position(|asked| asked.from == from && asked.id == *id)
    }

    /// Ends a request that waits.
    fn close(&mut self, at: usize, state: State, is_withdrawn: bool) {
        self.asked[at].state = state;
        let asked = &self.asked[at];
        if let Some(token) = asked.token().filter(|_| asked.has_token && !is_withdrawn) {
            let key = (asked.from == Sender::Client, token.to_string());
            self.past.insert(key, state != State::Answered);
        }
    }

    /// Whether it is an answer to nothing that waits, or a server's cancellation
    /// of no request of its own.
    pub(crate) fn is_stray(&self, from: Sender, message: &Value) -> bool {
        let waits = |of, id: &Value| self.waiting(of).any(|asked| asked.id == *id);
        match message.get("method").and_then(Value::as_str) {
            None => !waits(other(from), &message["id"]),
            Some("notifications/cancelled") => {
                from == Sender::Server && !waits(from, &message["params"]["requestId"])
            }
            Some(_) => false,
        }
    }

    fn waiting(&self, from: Sender) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(move |asked| asked.from == from && asked.state == State::Waiting)
    }

    fn holder(&self, from: Sender, token: &Value) -> Option<usize> {
        self.asked.iter().position(|asked| {
            asked.from == from
                && asked.state == State::Waiting
                && asked.has_token
                && asked.token() == Some(token)
        })
    }

    fn request(&mut self, from: Sender, message: &Value, rules: &mut Rules) {
        let id = &message["id"];
        if let Some(at) = self.find(from, id) {
            if matches!(self.asked[at].state, State::Waiting | State::Cancelled) {
                rules.insert("id-in-flight");
                return;
            }
            self.asked.remove(at);
        }
        self.notified.remove(&(from == Sender::Client));
        let mut has_token = false;
        if let Some(token) = token(message) {
            has_token = self.holder(from, token).is_none();
            if has_token {
                self.past.remove(&(from == Sender::Client, token.to_string()));
            } else {
                rules.insert("progress-token-reused");
            }
        }
        if from == Sender::Client {
            if is_modern(message) {
                self.has_modern = true;
                self.retry(message, rules);
            } else {
                self.has_legacy = true;
            }
        }
        self.asked.push(Asked {
            from,
            id: id.clone(),
            message: message.clone(),
            state: State::Waiting,
            has_token,
            last: None,
            is_acknowledged: false,
        });
    }

    fn retry(&self, message: &Value, rules: &mut Rules) {
        let (id, params) = (&message["id"], &message["params"]);
        let state = params.get("requestState");
        let may_ask = ["tools/call", "prompts/get", "resources/read"];
        if !may_ask.iter().any(|method| message["method"] == **method)
            || state.is_none() && params.get("inputResponses").is_none()
        {
            return;
        }
        let called = called(message);
        let questions: Vec<_> = self.questions.iter().filter(|asked| asked.0 == called).collect();
        let fitting: Vec<_> = questions.iter().filter(|asked| asked.2.as_ref() == state).collect();
        if fitting.iter().any(|asked| asked.1 != *id) {
            return;
        }
        if !questions.is_empty() && (!fitting.is_empty() || questions.iter().all(|q| q.1 == *id)) {
            rules.insert("mrtr-id-reused");
        }
        if !fitting.is_empty() {
        } else if questions.iter().any(|asked| asked.2.is_some()) {
            rules.insert("mrtr-state-changed");
        } else if state.is_some() {
            rules.insert("mrtr-state-invented");
        }
    }

    fn answer(&mut self, asked: Sender, message: &Value, rules: &mut Rules) {
        let id = &message["id"];
        if id.is_null() {
            let is_idle = self.waiting(asked).next().is_none();
            let is_answered = is_idle && self.notified.remove(&(asked == Sender::Client));
            rules.insert(if is_answered { "notification-answered" } else { "answer-unknown" });
            return;
        }
        let Some(at) = self.find(asked, id) else {
            rules.insert("answer-unknown");
            return;
        };
        match self.asked[at].state {
            State::Waiting | State::Closed => {}
            State::Answered => {
                rules.insert("answer-twice");
            }
            State::Cancelled => {
                rules.insert("answer-after-cancel");
            }
        }
        if self.asked[at].state != State::Waiting {
            self.asked[at].state = State::Answered;
            return;
        }
        self.close(at, State::Answered, false);
        let Some(result) = message.get("result") else { return };
        if self.asked[at].listens() && asked == Sender::Client && !self.asked[at].is_acknowledged {
            rules.insert("ack-not-first");
        }
        let is_task = result["resultType"] == "task" || result["task"].is_object();
        if let Some(token) = self.asked[at].token().filter(|_| is_task)
            && self.holder(asked, token).is_none()
        {
            self.past.insert((asked == Sender::Client, token.to_string()), true);
        }
        let request = self.asked[at].message.clone();
        if asked == Sender::Client && is_modern(&request) {
            let may_ask = ["tools/call", "prompts/get", "resources/read"];
            if may_ask.iter().any(|method| request["method"] == **method)
                && result["resultType"] == "input_required"
            {
                let state = result.get("requestState").cloned();
                self.questions.push((called(&request), id.clone(), state));
            }
            if request["method"] == "tools/list" {
                self.page(&request, result, rules);
            }
        }
    }

    fn page(&mut self, request: &Value, result: &Value, rules: &mut Rules) {
        let key = request["params"].get("cursor").map_or(String::new(), Value::to_string);
        let before = self.pages.entry(key).or_default();
        let scope = &result["cacheScope"];
        let scope = (scope == "public" || scope == "private").then(|| scope.clone());
        for before in [&before.expected, &before.scope].into_iter().flatten() {
            if scope.as_ref().is_some_and(|scope| scope != before) {
                rules.insert("cache-scope-varies");
            }
        }
        if let Some(tools) = result["tools"].as_array() {
            let names: Vec<_> = tools.iter().map(|tool| tool["name"].to_string()).collect();
            let sorted = |names: &[String]| {
                let mut names = names.to_vec();
                names.sort();
                names
            };
            if let Some(before) = &before.names
                && sorted(before) == sorted(&names)
                && *before != names
            {
                rules.insert("list-order-changed");
            }
            before.names = Some(names);
        }
        before.scope = scope.clone().or(before.scope.take());
        let first = before.expected.clone().or(scope);
        if let Some(next) = result.get("nextCursor") {
            self.pages.entry(next.to_string()).or_default().expected = first;
        }
    }

    fn notification(&mut self, from: Sender, message: &Value, rules: &mut Rules) {
        let (method, params) = (message["method"].as_str().expect("a method"), &message["params"]);
        let is_modern = self.has_modern && !self.has_legacy;
        if method == "notifications/cancelled" {
            self.cancelled(from, &params["requestId"], rules);
            if from == Sender::Client && self.is_http && is_modern {
                rules.insert("cancel-over-http");
            }
            return;
        }
        self.notified.insert(from == Sender::Client);
        if method == "notifications/progress" {
            self.progress(other(from), params, rules);
        }
        if from == Sender::Client || method == "notifications/progress" {
            return;
        }
        let asks_for_logs = |asked: &Asked| {
            asked.message["params"]["_meta"].get("io.modelcontextprotocol/logLevel").is_some()
        };
        let wants_logs = self.waiting(Sender::Client).any(asks_for_logs);
        if method == "notifications/message" && is_modern && !wants_logs {
            rules.insert("log-without-level");
        }
        let member = FILTER.iter().position(|(_, carried)| *carried == method);
        if let Some(id) = params["_meta"].get(SUBSCRIPTION) {
            self.on_stream(id, method, member, &params["notifications"], rules);
        } else if let Some(at) = member {
            let mut streams = self.waiting(Sender::Client).filter(|asked| asked.listens());
            if is_modern && !streams.any(|asked| asked.asks_for(at)) {
                rules.insert("subscription-unrequested");
            }
        }
    }

    fn on_stream(
        &mut self,
        id: &Value,
        method: &str,
        member: Option<usize>,
        acknowledged: &Value,
        rules: &mut Rules,
    ) {
        let found = self.find(Sender::Client, id);
        let Some(asked) = found.map(|at| &mut self.asked[at]).filter(|asked| asked.listens())
        else {
            rules.insert("subscription-unrequested");
            return;
        };
        match asked.state {
            State::Waiting => {}
            State::Cancelled => return,
            State::Answered | State::Closed => {
                rules.insert("subscription-unrequested");
                return;
            }
        }
        if method == "notifications/subscriptions/acknowledged" {
            if asked.is_acknowledged {
                rules.insert("ack-not-first");
            }
            let wanted = &asked.message["params"]["notifications"];
            if !asked.is_acknowledged && items(acknowledged) > items(wanted) {
                rules.insert("ack-widened");
            }
            for (at, (name, _)) in FILTER.iter().enumerate() {
                let wanted = &asked.message["params"]["notifications"][name];
                let granted = &acknowledged[name];
                let is_beyond =
                    |item: &Value| !wanted.as_array().is_some_and(|wanted| wanted.contains(item));
                let items = granted.as_array().filter(|_| !asked.is_acknowledged);
                if asks_for(granted) && !asked.asks_for(at)
                    || items.is_some_and(|items| items.iter().any(is_beyond))
                {
                    rules.insert("ack-widened");
                }
            }
            asked.is_acknowledged = true;
            return;
        }
        if !asked.is_acknowledged {
            rules.insert("ack-not-first");
        }
        if member.map_or(method == "notifications/message", |at| !asked.asks_for(at)) {
            rules.insert("subscription-unrequested");
        }
    }

    fn cancelled(&mut self, from: Sender, id: &Value, rules: &mut Rules) {
        if let Some(at) = self.find(from, id) {
            if self.asked[at].state == State::Waiting {
                self.close(at, State::Cancelled, false);
            }
        } else if let Some(at) = self.find(Sender::Client, id).filter(|_| from == Sender::Server) {
            if !self.asked[at].listens() {
                rules.insert("cancel-by-server");
            } else if self.asked[at].state == State::Waiting {
                self.close(at, State::Closed, false);
            }
        } else {
            rules.insert("cancel-unknown");
        }
    }

    fn progress(&mut self, asked: Sender, params: &Value, rules: &mut Rules) {
        let token = &params["progressToken"];
        if let Some(at) = self.holder(asked, token) {
            let progress = params["progress"].as_f64().expect("a number");
            if self.asked[at].last.replace(progress).is_some_and(|last| progress <= last) {
                rules.insert("progress-not-increasing");
            }
            return;
        }
        let shares = |asked: &Asked| asked.token().is_some() && !asked.has_token;
        if self.waiting(asked).any(shares) {
            return;
        }
        match self.past.get(&(asked == Sender::Client, token.to_string())) {
            Some(true) => {}
            Some(false) => {
                rules.insert("progress-after-answer");
            }
            None => {
                rules.insert("progress-token-unknown");
            }
        }
    }
}

fn other(side: Sender) -> Sender {
    match side {
        Sender::Client => Sender::Server,
        Sender::Server => Sender::Client,
    }
}
