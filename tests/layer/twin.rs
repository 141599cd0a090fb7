//! The layer against a slow model of it, which works on whole texts: what goes on, when,
//! what is told of it and what is counted, however bodies are cut and end.

mod bodies;
mod drawn;
mod model;
mod reader;

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::HeaderMap;
use http_body::Body;
use mcparse::layer::{Heard, Mode, Outcome, ValidateLayer};
use mcparse::{
    Action, Answering, Counters, Policy, RequestHead, ResponseHead, RuleSet, Sender, Validator,
};
use proptest::prelude::*;
use proptest::test_runner::Config;

use crate::support::{Broke, EVENTS, Server, Step, Steps, answer};
use drawn::Asks;
use model::{Ending, Expected, Model, Told, counted, numbers};

/// By default eight times as many as otherwise; `PROPTEST_CASES` decides.
fn config() -> Config {
    let default = Config::default();
    let cases = std::env::var_os("PROPTEST_CASES").map_or(2000, |_| default.cases);
    Config { cases, failure_persistence: None, ..default }
}

/// A layer, what it told and what it counted.
struct Watched {
    layer: ValidateLayer,
    told: Arc<Mutex<Vec<Told>>>,
    counters: Arc<Counters>,
}

impl Watched {
    fn new(policy: &Policy, mode: Mode) -> Self {
        let (told, counters) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Counters::new()));
        let list = Arc::clone(&told);
        let layer = ValidateLayer::new(*policy)
            .with_mode(mode)
            .with_counters(Arc::clone(&counters))
            .with_observer(move |heard: &Heard<'_>| list.lock().unwrap().push(Told::of(heard)));
        Self { layer, told, counters }
    }

    fn told(&self) -> Vec<Told> {
        self.told.lock().unwrap().clone()
    }
}

/// The request, as the model judges it: what is told of it, and what answers it.
fn asked(
    policy: &Policy,
    mode: Mode,
    asks: Asks,
    response: &ResponseHead<'_>,
) -> Option<(Vec<Told>, Option<Answering>)> {
    let (request, bytes) = asks.request();
    if let Asks::Get = asks {
        return Some((Vec::new(), None));
    }
    let mut validator = Validator::new(*policy);
    let head = RequestHead::from_http(request.method(), request.headers());
    let told = |verdict, outcome| {
        vec![Told { from: Sender::Client, verdict, outcome, bytes: bytes.clone(), to: None }]
    };
    match validator.check_http(&head, &bytes) {
        Ok(message) => {
            let verdict = Ok((message.kind(), message.findings()));
            let summary = message.summary();
            let answering = validator.check_answer_head(&summary, response).ok()?;
            Some((told(verdict, Outcome::Forwarded), Some(answering)))
        }
        Err(_) if mode == Mode::Gate => None,
        Err(violation) => Some((told(Err(violation.rule()), Outcome::LetThrough), None)),
    }
}

/// The chunks that end at `ends`, with a wait behind each, and the end.
fn steps(text: &[u8], ends: &[usize], ending: Ending) -> Vec<Step> {
    let mut from = 0;
    let mut steps = Vec::new();
    for &to in ends {
        steps.push(Step::Data(Bytes::copy_from_slice(&text[from..to])));
        steps.push(Step::Wait);
        from = to;
    }
    match ending {
        Ending::Whole => {}
        Ending::Broken => steps.push(Step::Broken),
        Ending::Trailers => steps.push(Step::Trailers(trailers())),
    }
    steps
}

fn trailers() -> HeaderMap {
    [("x-sum".parse().unwrap(), "1".parse().unwrap())].into_iter().collect()
}

/// What came of a body.
#[derive(Debug, Default)]
struct Came {
    data: Vec<u8>,
    /// How much had come at each wait.
    at_waits: Vec<usize>,
    trailers: Option<HeaderMap>,
    broke: Option<Broke>,
    has_empty: bool,
}

fn read(body: impl Body<Data = Bytes, Error = Broke>) -> Came {
    let mut body = Box::pin(body);
    let mut context = Context::from_waker(Waker::noop());
    let mut came = Came::default();
    loop {
        match body.as_mut().poll_frame(&mut context) {
            Poll::Pending => came.at_waits.push(came.data.len()),
            Poll::Ready(None) => break,
            Poll::Ready(Some(Err(broke))) => came.broke = Some(broke),
            Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) => {
                    came.has_empty |= data.is_empty();
                    came.data.extend_from_slice(&data);
                }
                Err(frame) => came.trailers = frame.into_trailers().ok(),
            },
        }
    }
    assert!(matches!(body.as_mut().poll_frame(&mut context), Poll::Ready(None)));
    came
}

/// Whether the response is just what is expected of it.
fn is_as_expected(
    came: &Came,
    expected: &Expected,
    ends: &[usize],
    ending: Ending,
) -> Result<(), TestCaseError> {
    prop_assert!(!came.has_empty, "no piece of a stream is empty");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    prop_assert_eq!(text(&came.data), text(&expected.all()));
    for (&length, &end) in came.at_waits.iter().zip(ends) {
        prop_assert_eq!(length, expected.by(end), "once {} bytes had come", end);
    }
    prop_assert_eq!(came.broke.is_some(), expected.breaks);
    let is_read = ending == Ending::Trailers && !expected.is_left;
    prop_assert_eq!(&came.trailers, &is_read.then(trailers));
    Ok(())
}

fn a_stream_is_as_the_model_says(
    ((cut, other), mode, asks): ((Action, Action), Mode, Asks),
    text: &[u8],
    ends: &[usize],
    ending: Ending,
) -> Result<(), TestCaseError> {
    let policy = drawn::policy(cut, other);
    let head = ResponseHead::new(200, [("content-type", EVENTS)]);
    let Some((client, to)) = asked(&policy, mode, asks, &head) else { return Ok(()) };
    let of_head = to.map_or(RuleSet::EMPTY, |to| to.findings());
    let validator = Validator::new(policy);
    let model = Model { policy: &policy, mode, to, validator, expected: Expected::default() };
    let expected = model.stream(text, ends, ending);

    let watched = Watched::new(&policy, mode);
    let body = Steps::new(steps(text, ends, ending));
    let alive = body.alive();
    let server = Server::new(200, EVENTS, body);
    let response = answer(&watched.layer, &server, asks.request().0);
    prop_assert_eq!(response.status(), 200);
    let came = read(response.into_body());
    prop_assert_eq!(Arc::strong_count(&alive), 2, "the server's own and this one");
    is_as_expected(&came, &expected, ends, ending)?;
    let told = [client, expected.told].concat();
    let reported = of_head.into_iter().chain(expected.reported);
    prop_assert_eq!(watched.told(), &*told);
    prop_assert_eq!(counted(&watched.counters.snapshot()), numbers(&told, reported));
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_stream_goes_on_as_the_model_says_however_it_is_cut(
        who in (drawn::actions(), drawn::mode(), drawn::asks()),
        (text, ends) in drawn::stream().prop_flat_map(|text| {
            let cuts = drawn::cuts(text.0.len());
            (Just(text), cuts)
        }),
        ending in drawn::ending(),
    ) {
        a_stream_is_as_the_model_says(who, &text.0, &ends, ending)?;
    }
}
