//! Requests of a modern revision with the heads that they come in, as a gateway
//! sees them, and what judging them costs beside `classify`.
//!
//! | row | what it does |
//! | --- | --- |
//! | classify | JSON, the truth table, limits |
//! | check | all rules of the revision on the body |
//! | `check_http` | the same with a head that is read already, and its mirrors |
//! | head and `check_http` | the same, the head read in the loop, from 12 headers |
//! | with a table | as `check_http`, three `Mcp-Param-*` headers against the arguments |
//! | head and table | the same, the head read in the loop, from 15 headers |

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use mcparse::{Page, ParamHeaders, ParamLimits, Policy, RequestHead, Validator};
use serde_json::{Value, json};

use super::classes::{self, Case, Class};
use super::contenders::{Classify, Contender};

/// The class of requests, all of them right and with nothing to report.
pub(crate) fn class() -> Class {
    let is_wanted = |class: &Class| class.verdict == "accept" && class.name.starts_with("request");
    classes::all().into_iter().find(is_wanted).expect("a class of requests")
}

/// All rows, `classify` first, and `check_http` the third.
pub(crate) fn all() -> Vec<Box<dyn Contender>> {
    let call = |name, form| -> Box<dyn Contender> { Box::new(Call::new(name, form)) };
    vec![
        Box::new(Classify(Validator::new(Policy::strict()))),
        call("check", Form { head: false, in_loop: false, table: false }),
        call("check_http", Form { head: true, in_loop: false, table: false }),
        call("head and check_http", Form { head: true, in_loop: true, table: false }),
        call("check_http with a table", Form { head: true, in_loop: false, table: true }),
        call("head and check_http with a table", Form { head: true, in_loop: true, table: true }),
    ]
}

type Headers = Vec<(&'static str, String)>;

/// The headers of each message of the class, in its order.
static HEADERS: LazyLock<Vec<Headers>> =
    LazyLock::new(|| class().cases.iter().map(|case| headers(&case.message)).collect());

/// What the upstream has said of its tools: every tool there is, each with three
/// annotated arguments.
static TABLE: LazyLock<ParamHeaders> = LazyLock::new(|| {
    let tool = |headers: &Headers| {
        let (_, name) = headers.iter().find(|(name, _)| *name == "mcp-name").expect("a name");
        json!({"name": name, "inputSchema": {"type": "object", "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer", "x-mcp-header": "Limit"},
            "path": {"type": "string", "x-mcp-header": "Path"},
            "recursive": {"type": "boolean", "x-mcp-header": "Recursive"},
        }}})
    };
    let tools: Vec<Value> = HEADERS.iter().map(tool).collect();
    let result = json!({ "tools": tools }).to_string();
    let day = Duration::from_secs(24 * 60 * 60);
    let table = ParamHeaders::with_limits(ParamLimits::new().with_least_ttl(day));
    let learned = table.learn(Page::First, result.as_bytes(), Instant::now());
    assert!(learned.tools > 1 && learned.unlearned.is_empty());
    table
});

/// Twelve headers as a client and a proxy send them, and three for arguments.
fn headers(message: &[u8]) -> Headers {
    let message: Value = serde_json::from_slice(message).expect("JSON");
    let params = &message["params"];
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let plain = [
        ("host", "mcp.example.com"),
        ("user-agent", "example-client/1.4.0"),
        ("content-type", "application/json"),
        ("content-length", "468"),
        ("accept", "application/json, text/event-stream"),
        ("accept-encoding", "gzip, deflate, br"),
        ("authorization", "Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl"),
        ("x-forwarded-for", "203.0.113.7"),
        ("x-request-id", "0b9c1f0e-8d0e-4b52-a6cf-2f6f3b6f9d11"),
    ];
    let mirrors = [
        ("mcp-protocol-version", &params["_meta"]["io.modelcontextprotocol/protocolVersion"]),
        ("mcp-method", &message["method"]),
        ("mcp-name", &params["name"]),
        ("mcp-param-limit", &params["arguments"]["limit"]),
        ("mcp-param-path", &params["arguments"]["path"]),
        ("mcp-param-recursive", &params["arguments"]["recursive"]),
    ];
    let plain = plain.into_iter().map(|(name, value)| (name, value.to_owned()));
    plain.chain(mirrors.into_iter().map(|(name, value)| (name, text(value)))).collect()
}

/// How a row judges.
#[derive(Clone, Copy)]
struct Form {
    /// With the head, not the body alone.
    head: bool,
    /// The head is read in the loop.
    in_loop: bool,
    /// With the headers of arguments, and the table that knows them.
    table: bool,
}

struct Call {
    name: &'static str,
    form: Form,
    heads: Vec<RequestHead<'static>>,
    validator: Validator,
}

impl Call {
    fn new(name: &'static str, form: Form) -> Self {
        let heads = HEADERS.iter().map(|headers| form.read(headers)).collect();
        Self { name, form, heads, validator: Validator::new(Policy::strict()) }
    }

    #[inline]
    fn judge(&mut self, at: usize, case: &Case) -> bool {
        let body = black_box(&*case.message);
        let Form { head, in_loop, .. } = self.form;
        match (head, in_loop) {
            (false, _) => black_box(&self.validator.check(case.from, body)).is_ok(),
            (true, false) => {
                let head = black_box(&self.heads[at]);
                black_box(&self.validator.check_http(head, body)).is_ok()
            }
            (true, true) => {
                let head = self.form.read(black_box(&HEADERS[at]));
                black_box(&self.validator.check_http(&head, body)).is_ok()
            }
        }
    }
}

impl Form {
    /// Reads the head, without the three headers of arguments if there is no
    /// table for them.
    #[inline]
    fn read(self, headers: &Headers) -> RequestHead<'_> {
        let count = if self.table { headers.len() } else { headers.len() - 3 };
        let head =
            RequestHead::new("POST", headers[..count].iter().map(|(name, value)| (*name, value)));
        if self.table { head.with_param_headers(&TABLE) } else { head }
    }
}

impl Contender for Call {
    fn name(&self) -> &'static str {
        self.name
    }

    /// Finds the head by its message: not for the loop that is timed.
    fn accepts(&mut self, case: &Case) -> bool {
        let at = class().cases.iter().position(|other| other.message == case.message);
        self.judge(at.expect("a message of the class"), case)
    }

    fn expects(&self, case: &Case) -> bool {
        case.rule.is_none()
    }

    fn pass(&mut self, cases: &[Case]) -> usize {
        cases.iter().enumerate().filter(|&(at, case)| self.judge(at, case)).count()
    }

    fn prove(&mut self, cases: &[Case]) {
        assert_eq!(self.pass(cases), cases.len(), "{}", self.name);
        for (case, headers) in cases.iter().zip(&*HEADERS) {
            let head = self.form.read(headers);
            let message = self.validator.check_http(&head, &case.message).expect("a right request");
            assert!(message.findings().is_empty(), "{:?}", message.findings());
            // A head that says something else is refused, so it is compared.
            let confused = headers.iter().map(|(name, value)| (*name, value.as_str()));
            let confused = confused.chain([("mcp-name", "other")]);
            let confused = RequestHead::new("POST", confused);
            assert!(self.validator.check_http(&confused, &case.message).is_err());
        }
    }
}
