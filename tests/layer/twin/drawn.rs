//! Requests, streams and cuts, drawn at random.

use std::fmt;

use http::Request;
use mcparse::layer::Mode;
use mcparse::{Action, Limits, Policy, Rule};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::model::Ending;
use crate::support::{PING, Steps, modern, post};

/// What messages may have at most.
pub(crate) const MOST: usize = 240;

/// What a client sends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asks {
    Ping,
    LongPing,
    Note,
    Tools,
    /// What is refused, and goes on all the same where one only observes.
    Broken,
    Get,
}

pub(crate) const BROKEN: &[u8] = br#"{"jsonrpc":"2.0","id":7,"method":"ping","ID":8}"#;
const NOTE: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const NAMED: &[u8] = br#"{"jsonrpc":"2.0","id":"a\u0062c","method":"ping"}"#;

impl Asks {
    pub(crate) fn request(self) -> (Request<Steps>, Vec<u8>) {
        let of = |body: &[u8]| (post(Steps::of(&[body])), body.to_vec());
        match self {
            Self::Ping => of(PING),
            Self::LongPing => of(NAMED),
            Self::Note => of(NOTE),
            Self::Tools => modern("tools/list", ""),
            Self::Broken => of(BROKEN),
            Self::Get => (Request::get("/mcp").body(Steps::default()).unwrap(), Vec::new()),
        }
    }
}

pub(crate) fn asks() -> impl Strategy<Value = Asks> {
    use Asks::{Broken, Get, LongPing, Note, Ping, Tools};
    select(vec![Ping, Ping, Ping, LongPing, Note, Tools, Tools, Broken, Get])
}

pub(crate) fn mode() -> impl Strategy<Value = Mode> {
    select(vec![Mode::Gate, Mode::Gate, Mode::Observe])
}

/// The strict policy, but for two rules, and with short messages.
pub(crate) fn policy(cut: Action, other: Action) -> Policy {
    Policy::strict()
        .with_limits(Limits::new().with_message_bytes(MOST))
        .with_action(Rule::SseEventCut, cut)
        .with_action(Rule::SseEventOther, other)
}

/// What the policy says of events that are cut, and of those that are no messages.
pub(crate) fn actions() -> impl Strategy<Value = (Action, Action)> {
    use Action::{Off, Refuse, Report};
    select(vec![(Report, Off), (Report, Off), (Refuse, Report), (Report, Refuse), (Refuse, Refuse)])
}

/// What a server may write as one message, or in its place.
pub(crate) fn message() -> impl Strategy<Value = String> {
    let fixed = [
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"abc","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"7","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":8,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":[]}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[]}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[]}}"#,
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"[{"jsonrpc":"2.0","id":7,"result":{}}]"#,
        "[]",
        "{",
        "not json",
        "",
        " ",
    ];
    let padded = (0..6usize).prop_map(|more| {
        let start = r#"{"jsonrpc":"2.0","id":7,"result":{"x":""#;
        format!("{start}{}\"}}}}", "x".repeat(MOST - 3 + more - start.len() - 3))
    });
    prop_oneof![9 => select(fixed.to_vec()).prop_map(str::to_owned), 1 => padded]
}

/// Lines of a stream. Blank ones end events.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let comment = prop_oneof![20 => 0..40usize, 1 => Just(70_000usize)];
    let comment = comment.prop_map(|length| vec![format!(":{}", "c".repeat(length))]);
    let data = message().prop_map(|message| format!("data: {message}"));
    let whole = (data, select(vec!["", "event: message", "event: other", "id: 5"]));
    let whole = whole.prop_map(|(data, more)| match more {
        "" => vec![data, String::new()],
        more => vec![more.to_owned(), data, String::new()],
    });
    let torn = message().prop_filter_map("has two halves", |message| {
        let (one, two) = message.split_at_checked(message.find(',')? + 1)?;
        Some(vec![format!("data:{one}"), format!("data:{two}"), String::new()])
    });
    let odd = select(vec![
        "",
        "",
        "id: 3",
        "id",
        "id:4\0",
        "retry: 5",
        "retry: x",
        "event: ",
        "event: ping",
        "data",
        "data:",
        "data: {",
        "other: x",
        "other",
        ": c",
    ]);
    let name =
        (MOST - 3..MOST + 3).prop_map(|length| vec![format!("event:{}", "n".repeat(length))]);
    // Without the first one the mark would be the stream's.
    let hidden = ["data: {", "", "\u{feff}data: {", ""].map(str::to_owned).to_vec();
    prop_oneof![
        10 => whole,
        2 => torn,
        4 => comment,
        6 => odd.prop_map(|line| vec![line.to_owned()]),
        1 => name,
        1 => Just(hidden),
    ]
}

/// A text that tells what it is.
#[derive(Clone)]
pub(crate) struct Text(pub(crate) Vec<u8>);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(&self.0), f)
    }
}

/// A stream as text.
pub(crate) fn stream() -> impl Strategy<Value = Text> {
    let end = || select(vec!["\n", "\n", "\n", "\r", "\r\n"]);
    let bom = select(vec!["", "", "", "\u{feff}"]);
    let uniform = proptest::option::of(end());
    let tail = prop_oneof![2 => Just(0usize), 1 => 1..60usize];
    let lines = vec((lines(), vec(end(), 4)), 0..9);
    (bom, uniform, lines, tail).prop_map(|(bom, uniform, lines, tail)| {
        let mut text = bom.as_bytes().to_vec();
        for (lines, ends) in lines {
            for (line, end) in lines.iter().zip(ends) {
                text.extend_from_slice(line.as_bytes());
                text.extend_from_slice(uniform.unwrap_or(end).as_bytes());
            }
        }
        text.truncate(text.len().saturating_sub(tail));
        Text(text)
    })
}

/// Where a body of this length is cut: its chunks end there, and at its end.
pub(crate) fn cuts(length: usize) -> BoxedStrategy<Vec<usize>> {
    let mut ways = vec![
        vec(0..=length, 0..6).boxed(),
        Just(Vec::new()).boxed(),
        (1..40usize).prop_map(move |step| (step..length).step_by(step).collect()).boxed(),
    ];
    if length < 4000 {
        ways.push(Just((1..length).collect()).boxed());
    }
    proptest::strategy::Union::new(ways)
        .prop_map(move |mut ends: Vec<usize>| {
            ends.sort_unstable();
            ends.push(length);
            ends
        })
        .boxed()
}

pub(crate) fn ending() -> impl Strategy<Value = Ending> {
    select(vec![Ending::Whole, Ending::Whole, Ending::Broken, Ending::Trailers])
}
