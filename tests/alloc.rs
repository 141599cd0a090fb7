//! Proof that no message costs an allocation once the buffers have their size:
//! whatever the verdict, over every class of the benchmarks and some that are
//! odder.
//!
//! How much is held, and for how long, is proved in `memory.rs`.

#[path = "../benches/support/classes.rs"]
mod classes;
mod exchange;
#[path = "../benches/support/heap.rs"]
mod heap;
#[path = "../benches/support/messages.rs"]
mod messages;
#[path = "../benches/support/random.rs"]
mod random;

use std::sync::LazyLock;
use std::time::Instant;

use classes::{Case, Class};
use heap::{Heap, measure};
use mcparse::compose::{Client, ErrorResponse, Implementation, RawJson, Server, member};
use mcparse::{
    Capability, Exchange, ExchangeLimits, LineFramer, Message, Method, Page, ParamHeaders, Policy,
    ReplyId, Requirement, ResponseHead, RevisionSet, Rule, Sender, Session, SessionState,
    SseFramer, Stage, Validator, classify,
};

#[global_allocator]
static HEAP: Heap = Heap;

/// Messages that take an unusual way to their verdict.
const ODD: [&[u8]; 24] = [
    b"",
    b" ",
    b"null",
    b"[]",
    br#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#,
    b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
    b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}",
    b"Content-Length: 2\r\n\r\n{}",
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    br#"{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1e400,"b":[-1e400]}}"#,
    br#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":1,"method":7}"#,
    br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
    br#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
    br#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"pong"}"#,
    br#"{"jsonrpc":"2.0","id":1,"method":"tools\/call","params":{"n\u0061me":"\u0061"}}"#,
    br#"{"jsonrpc":"2.0","\u0069d":1,"id":2,"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
    br#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}"#,
    br#"{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}"#,
];

/// Up to 16 messages of each class up to 100 KB, and the odd ones, from both
/// senders.
fn corpus() -> Vec<(Sender, Vec<u8>)> {
    let of_class = |class: Class| class.cases.into_iter().take(16);
    let known = classes::all().into_iter().flat_map(of_class);
    let known = known.filter(|case| case.message.len() < 100_000);
    let odd = ODD
        .iter()
        .flat_map(|&message| [Sender::Client, Sender::Server].map(|from| (from, message.to_vec())));
    known.map(|Case { from, message, .. }| (from, message)).chain(odd).collect()
}

/// One of each way that a message may be read.
fn validators(policy: Policy) -> [Validator; 2] {
    [Validator::new(policy), Validator::with_tape_alone(policy)]
}

#[test]
fn no_message_of_any_class_costs_an_allocation() {
    for Class { name, verdict, cases } in classes::all() {
        let mut validators = validators(Policy::strict());
        let mut judge = || {
            for Case { message, from, kind, rule } in &cases {
                for validator in &mut validators {
                    assert_eq!(validator.classify(message), *kind);
                    let verdict = validator.check(*from, message);
                    assert_eq!(verdict.err().map(|violation| violation.rule()), *rule);
                }
            }
        };
        judge();
        let ((), usage) = measure(judge);
        assert_eq!((usage.allocations, usage.held), (0, 0), "{name} {verdict}");
    }
}

#[test]
fn no_message_of_mixed_traffic_costs_an_allocation() {
    let corpus = corpus();
    for policy in [Policy::strict(), Policy::observe()] {
        let mut validators = validators(policy);
        let mut judge = || {
            for (from, message) in &corpus {
                for validator in &mut validators {
                    let _ = validator.classify(message);
                    let _ = validator.check(*from, message);
                }
                let _ = classify(message);
            }
        };
        judge();
        let ((), usage) = measure(judge);
        assert_eq!((usage.allocations, usage.held), (0, 0));
    }
}

#[test]
fn judging_an_answer_costs_no_allocation() {
    let mut validator = Validator::new(Policy::strict());
    let request = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","_meta":{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}"#;
    let summary = validator.check(Sender::Client, request).unwrap().summary();
    let answers: [&[u8]; 6] = [
        br#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}}"#,
        br#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}"#,
        br#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage"}}}}"#,
        br#"{"jsonrpc":"2.0","id":"7","result":{}}"#,
        br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32042,"message":"m"}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
    ];
    let head = ResponseHead::new(200, [("content-type", "text/event-stream")]);
    let body: Vec<u8> =
        answers.iter().flat_map(|answer| [b"data: ", *answer, b"\n\n"].concat()).collect();
    let mut validators = validators(Policy::strict());
    let mut out = Vec::with_capacity(4096);
    let mut judge = || {
        let mut refused = 0;
        for validator in &mut validators {
            for answer in answers {
                let verdict = validator.check_answer(&summary, answer);
                out.clear();
                if let Err(violation) = verdict {
                    refused += usize::from(summary.write_failure(&mut out, &violation));
                }
            }
            validator.check_http_answer(&summary, &head, &body, |verdict| {
                refused += usize::from(verdict.is_err());
            });
        }
        refused
    };
    let warm = judge();
    let (refused, usage) = measure(judge);
    assert_eq!((refused, refused), (warm, 16));
    assert_eq!((usage.allocations, usage.held), (0, 0));
}

#[test]
fn reading_a_message_costs_no_allocation() {
    let message =
        br#"{"jsonrpc":"2.0","id":"\u0061","method":"tools\/call","params":{"name":"\u0061"}}"#;
    let mut validator = Validator::new(Policy::strict());
    let Ok(Message::Request(_)) = validator.check(Sender::Client, message) else { panic!() };
    let ((), usage) = measure(|| {
        let Ok(Message::Request(call)) = validator.check(Sender::Client, message) else { panic!() };
        assert_eq!(call.method(), "tools/call");
        assert_eq!(call.name().unwrap(), "a");
        assert_eq!(call.id(), call.id());
        assert_eq!(call.params().map(<[u8]>::len), Some(17));
    });
    assert_eq!(usage.allocations, 0);
}

#[test]
fn writing_a_reply_into_a_vector_with_room_costs_no_allocation() {
    let corpus = corpus();
    let mut validator = Validator::new(Policy::strict());
    let mut reply = Vec::with_capacity(4096);
    let mut answer = || {
        let mut answered = 0;
        for (from, message) in &corpus {
            if let Err(violation) = validator.check(*from, message) {
                reply.clear();
                answered += usize::from(violation.write_reply(&mut reply));
            }
        }
        answered
    };
    let warm = answer();
    let (answered, usage) = measure(answer);
    assert!(answered > 0 && answered == warm);
    assert_eq!((usage.allocations, usage.held), (0, 0));
}

#[test]
fn composing_into_a_vector_with_room_costs_no_allocation() {
    let client = Client::new(Implementation::new("acme", "1.0"));
    let server = Server::new(Implementation::new("weather", "1.0"));
    let mut out = Vec::with_capacity(4096);
    let ((), usage) = measure(|| {
        let arguments = RawJson::new("{\n\"a\": [1, \"\\u00e9\"]}").unwrap();
        let params = [member("name", "a\"b"), member("arguments", arguments)];
        let request = client.request("id", "tools/call").with_params(&params);
        request.write(&mut out);
        for (_, value) in request.headers().unwrap() {
            value.write(&mut out);
        }
        server.result(u64::MAX, Method::ToolsCall).with_members(&params).write(&mut out);
        server.discover_result(1, RevisionSet::ALL).write(&mut out);
        ErrorResponse::unsupported_version(ReplyId::Null, "1", RevisionSet::ALL).write(&mut out);
    });
    assert!(out.len() > 500);
    assert_eq!((usage.allocations, usage.held), (0, 0));
}

/// Requests with all that an exchange keeps of them, and what comes of them.
fn conversation() -> Vec<(Sender, String)> {
    let meta = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info""#;
    let mut talk = Vec::new();
    let mut says = |from, text| talk.push((from, text));
    for id in 0..40 {
        for (at, (method, params)) in [
            ("tools/call", r#""name":"add","requestState":"s""#),
            ("tools/list", r#""cursor":"a""#),
            ("subscriptions/listen", r#""notifications":{"resourceSubscriptions":["a","b"]}"#),
        ]
        .into_iter()
        .enumerate()
        {
            let id = id * 3 + at;
            says(
                Sender::Client,
                format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params},"_meta":{{{meta},"progressToken":{id}}}}}}}"#
                ),
            );
            says(
                Sender::Server,
                format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{id},"progress":1}}}}"#
                ),
            );
        }
    }
    for id in (0..120).rev() {
        let end = match id % 4 {
            0 => (
                Sender::Client,
                format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
                ),
            ),
            _ => (
                Sender::Server,
                format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","requestState":"s","tools":[{{"name":"a"}}],"nextCursor":"{id}","cacheScope":"public"}}}}"#
                ),
            ),
        };
        says(end.0, end.1);
    }
    talk
}

#[test]
fn keeping_account_of_a_connection_costs_no_allocation() {
    let talk = conversation();
    let mut validator = Validator::new(Policy::observe());
    for limits in
        [ExchangeLimits::new(), ExchangeLimits::new().with_in_flight(7).with_remembered(5)]
    {
        let mut exchange = Exchange::with_limits(limits);
        let mut hear = || {
            for (from, message) in &talk {
                let message = validator.check(*from, message.as_bytes()).expect("a message");
                let _noticed = match from {
                    Sender::Client => exchange.sent(&message),
                    Sender::Server => exchange.received(&message),
                };
            }
            assert_eq!(exchange.pending().count(), 0);
            exchange.clear();
        };
        hear();
        let ((), usage) = measure(hear);
        assert_eq!((usage.allocations, usage.held), (0, 0));
    }
}

#[test]
fn rewriting_into_a_vector_with_room_costs_no_allocation() {
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"d\u006fcs/a","_meta":{"\u0061":1}}}"#;
    let doubled = br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x","params":{"\u0061":1}}"#;
    let mut validator = Validator::new(Policy::observe());
    for message in [&message[..], doubled] {
        assert!(validator.check(Sender::Client, message).is_ok());
    }
    let (mut new, mut sent) = (Vec::with_capacity(512), Vec::with_capacity(512));
    let value = RawJson::new("{\n}").unwrap();
    let ((), usage) = measure(|| {
        let message = validator.check(Sender::Client, message).unwrap();
        let rewrite = message.rewrite().with_id("gw\n-1").without_name_prefix("docs/");
        let rewrite = rewrite.with_meta("a", value).with_meta("b", 7).without_meta("c");
        let slices = rewrite.slices(&mut new).unwrap();
        assert_eq!(slices.io_slices().len(), mcparse::Slices::MOST);
        slices.write(&mut sent);
        let doubled = validator.check(Sender::Client, doubled).unwrap();
        assert!(doubled.rewrite().with_id(3).slices(&mut new).is_err());
        assert_eq!(message.summary().differences(&doubled.summary()).count(), 3);
    });
    assert!(sent.len() > 100);
    assert_eq!((usage.allocations, usage.held), (0, 0));
}

/// A stream of the corpus, its messages between `open` and `close`.
fn stream(open: &[u8], close: &[u8]) -> Vec<u8> {
    let messages = classes::stream(1 << 20).0;
    let messages = messages.split(|&byte| byte == b'\n').filter(|message| message.len() < 60_000);
    messages.flat_map(|message| [open, message, close].concat()).collect()
}

/// A second pass over a stream gives as many frames as the first, and costs
/// nothing.
fn settles(mut pass: impl FnMut() -> usize) {
    let warm = pass();
    let (count, usage) = measure(pass);
    assert!(count > 100 && count == warm);
    assert_eq!((usage.allocations, usage.held), (0, 0));
}

#[test]
fn framing_lines_costs_no_allocation() {
    let stream = stream(b"", b"\n");
    let mut framer = LineFramer::new(4 << 20);
    // Cut so that most messages lie whole in a chunk and some straddle two.
    settles(|| {
        let mut count = 0;
        for mut chunk in stream.chunks(16 << 10) {
            while let Some(frame) = framer.next_frame(&mut chunk) {
                count += usize::from(frame.is_ok());
            }
        }
        count
    });
}

#[test]
fn framing_events_costs_no_allocation() {
    let stream = stream(b"event: message\nid: 7\ndata: ", b"\n\n");
    let mut framer = SseFramer::new(4 << 20);
    settles(|| {
        let mut count = 0;
        for mut chunk in stream.chunks(16 << 10) {
            while let Some(frame) = framer.next_frame(&mut chunk) {
                count += usize::from(frame.is_ok());
            }
        }
        count
    });
}

/// A head built anew in each turn, its body, and whether they are accepted.
struct Posted {
    exchange: exchange::Exchange,
    rule: Option<&'static str>,
}

static NEEDS: [Requirement; 1] =
    [Requirement::new("tools/call", Capability::of_client("elicitation")).on("notes.delete")];

/// Requests that are right, and one that breaks each stage.
fn posted(table: &'static ParamHeaders) -> Vec<Posted> {
    use exchange::Exchange;

    let call = || Exchange::call().under(|policy| policy.with_requirements(&NEEDS));
    let known = || Exchange { table: Some(table), ..call() }.header("Mcp-Param-Note", "1");
    let of = |exchange, rule| Posted { exchange, rule };
    vec![
        of(call(), None),
        of(known(), None),
        of(Exchange::legacy_call("2025-06-18"), None),
        of(call().edit(r#""method""#, r#""m\u0065thod""#), None),
        of(call().edit("notes.read", r"notes\u002eread"), None),
        of(call().header("Mcp-Name", "=?base64?bm90ZXMucmVhZA==?="), None),
        of(call().meta(r#""traceparent":"00""#), None),
        of(call().meta(r#""com.mcp/x":1"#), None),
        of(call().edit("Capabilities\":{}", r#"Capabilities":{"extensions":{"ui":1}}"#), None),
        of(Exchange { http: Some("GET"), ..call() }, Some("http-method")),
        of(call().header("Content-Type", "text/plain"), Some("content-type")),
        of(call().edit("\"id\":7,", "\"id\":7"), Some("not-json")),
        of(call().edit("\"id\":7", "\"id\":7,\"ID\":7"), Some("lookalike-member")),
        of(call().edit("\"id\":7,", ""), Some("request-without-id")),
        of(call().meta(r#""progressToken":true"#), Some("progress-token-type")),
        of(call().header("Mcp-Name", "notes.delete"), Some("name-header-mismatch")),
        of(call().also("Mcp-Name", "notes.delete"), Some("header-repeated")),
        of(call().header("Mcp-Name", "=?base64?*?="), Some("header-base64")),
        of(known().header("Mcp-Param-Note", "2"), Some("param-header-mismatch")),
        of(known().without("Mcp-Param-Note"), Some("param-header-missing")),
        of(Exchange::legacy_call("1999-01-01"), Some("version-header-unknown")),
        of(call().version("2027-01-01"), Some("unsupported-version")),
        of(
            call().edit("notes.read", "notes.delete").header("Mcp-Name", "notes.delete"),
            Some("missing-capability"),
        ),
        of(call().without("Mcp-Name").method("ping"), Some("method-of-other-revision")),
        of(call().without("Mcp-Name").method("acme/x"), None),
        of(call().edit(r#"{"note":1}"#, "[]"), Some("params-shape")),
        of(call().edit(r#""_meta""#, r#""requestState":1,"_meta""#), Some("params-shape")),
    ]
}

#[test]
fn no_request_with_its_head_costs_an_allocation_whichever_stage_refuses_it() {
    static TABLE: LazyLock<ParamHeaders> = LazyLock::new(|| {
        let tools =
            br#"{"ttlMs":86400000,"tools":[{"name":"notes.read","inputSchema":{"properties":{
            "note":{"type":"integer","x-mcp-header":"Note"}}}}]}"#;
        let table = ParamHeaders::new();
        table.learn(Page::First, tools, Instant::now());
        table
    });
    let posted = posted(&TABLE);
    for tape_alone in [false, true] {
        let new = if tape_alone { Validator::with_tape_alone } else { Validator::new };
        let mut validator = new(Policy::strict().with_requirements(&NEEDS));
        let mut reply = Vec::with_capacity(4096);
        let mut judge = || {
            for Posted { exchange, rule } in &posted {
                exchange.judge(&mut validator, |verdict| {
                    let refused = verdict.as_ref().err();
                    assert_eq!(refused.map(|violation| violation.rule().id()), *rule);
                    if let Some(violation) = refused {
                        reply.clear();
                        assert!(
                            violation.write_reply(&mut reply)
                                == (*rule != Some("request-without-id"))
                        );
                    }
                });
            }
        };
        judge();
        let ((), usage) = measure(judge);
        assert_eq!((usage.allocations, usage.held), (0, 0), "{tape_alone}");
    }
    let stages: Vec<_> =
        posted.iter().filter_map(|posted| Some(Rule::from_id(posted.rule?)?.stage())).collect();
    let mut of_requests = Rule::ALL.iter().filter(|rule| rule.stage() <= Stage::Params);
    assert!(of_requests.all(|rule| stages.contains(&rule.stage())), "{stages:?}");
}

#[test]
fn a_session_and_a_batch_cost_no_allocation() {
    let said: [(Sender, &[u8]); 6] = [
        (Sender::Client, br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
        (Sender::Client, br#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"t","version":"1"}}}"#),
        (Sender::Server, br#"{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}}"#),
        (Sender::Client, br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        (Sender::Client, br#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#),
        (Sender::Server, br#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#),
    ];
    let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping","ID":1},7,[]]"#;
    let policy = Policy::strict().with_batches(true);
    let mut validators = validators(policy);
    let mut out = Vec::with_capacity(4096);
    let mut judge = || {
        let mut refused = 0;
        for validator in &mut validators {
            let mut session = Session::new();
            for (from, bytes) in said {
                let message = validator.check(from, bytes).unwrap();
                let noticed = match from {
                    Sender::Client => session.sent(&message),
                    Sender::Server => session.received(&message),
                };
                out.clear();
                if let Some(violation) = noticed.violation(&policy, &message) {
                    refused += usize::from(violation.write_reply(&mut out));
                }
            }
            assert_eq!(session.state(), SessionState::Running);
            let count = validator.check_batch(Sender::Client, batch, |verdict| {
                refused += usize::from(verdict.is_err());
            });
            assert_eq!(count.unwrap(), 4);
        }
        refused
    };
    let warm = judge();
    let (refused, usage) = measure(judge);
    assert_eq!((refused, refused), (warm, 10));
    assert_eq!((usage.allocations, usage.held), (0, 0));
}
