//! Each message that passes a layer has one span, within which the service is called, and which
//! tells how its answer failed.
//!
//! A program of its own: where some threads listen and others do not, what is said first may be
//! heard by nobody.
#![cfg(all(feature = "tower", feature = "tracing"))]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::FutureExt;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use mcparse::Policy;
use mcparse::layer::{Mode, RequestBody, ValidateLayer};
use tower::{Layer as _, Service, service_fn};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const PING: &[u8] = br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
const PONG: &[u8] = br#"{"jsonrpc":"2.0","id":7,"result":{}}"#;

type Fields = BTreeMap<&'static str, String>;

/// The spans in their order, and each event with the name of the method whose span it was within.
type Lists = (Vec<(Id, Fields)>, Vec<String>);

/// What was said.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Lists>>);

struct Reader<'f>(&'f mut Fields);

impl Visit for Reader<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Said {
    fn on_new_span(&self, span: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        let mut fields = Fields::new();
        span.record(&mut Reader(&mut fields));
        self.0.lock().unwrap().0.push((id.clone(), fields));
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, _: Context<'_, S>) {
        let mut said = self.0.lock().unwrap();
        let (_, fields) = said.0.iter_mut().rfind(|(own, _)| own == id).unwrap();
        record.record(&mut Reader(fields));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::new();
        event.record(&mut Reader(&mut fields));
        let within = context.event_span(event).map(|span| span.id());
        let mut said = self.0.lock().unwrap();
        let method = said.0.iter().rfind(|(id, _)| Some(id) == within.as_ref());
        let method = method.map_or("nothing", |(_, fields)| &fields["mcp.method.name"]);
        let line = format!("{} within {method}", fields["message"]);
        said.1.push(line);
    }
}

/// The fields of the spans, and the events, while requests with this answer pass.
fn spans(mode: Mode, asked: &[&[u8]], kind: &str, reply: &[u8]) -> (Vec<Fields>, Vec<String>) {
    let said = Said::default();
    let subscriber = tracing_subscriber::registry().with(said.clone());
    tracing::subscriber::with_default(subscriber, || {
        let layer = ValidateLayer::new(Policy::strict()).with_mode(mode);
        let server = service_fn(async |_: Request<RequestBody<Full<Bytes>>>| {
            tracing::info!("the service is called");
            let response = Response::builder().header("content-type", kind);
            Ok::<_, Infallible>(response.body(Full::new(Bytes::copy_from_slice(reply))).unwrap())
        });
        for bytes in asked {
            let request = Request::post("/mcp")
                .header("content-type", JSON)
                .header("accept", "application/json, text/event-stream")
                .header("mcp-session-id", "s-1")
                .body(Full::new(Bytes::copy_from_slice(bytes)));
            let response = layer.layer(server).call(request.unwrap()).now_or_never();
            let Ok(response) = response.expect("nothing is waited for");
            response.into_body().collect().now_or_never().unwrap().unwrap();
        }
        // Whoever called the layer is within no span of its.
        tracing::info!("behind");
    });
    let said = std::mem::take(&mut *said.0.lock().unwrap());
    (said.0.into_iter().map(|(_, fields)| fields).collect(), said.1)
}

const CALLED: &str = "the service is called within ping";

#[test]
fn a_message_has_one_span_and_the_service_is_called_within_it() {
    let event = [b"data: ", PONG, b"\n\n"].concat();
    for (kind, reply) in [(JSON, PONG), (EVENTS, &event)] {
        for mode in [Mode::Gate, Mode::Observe] {
            let (spans, events) = spans(mode, &[PING, PING], kind, reply);
            assert_eq!(events, [CALLED, CALLED, "behind within nothing"]);
            assert_eq!(spans.len(), 2, "{spans:?}");
            for span in spans {
                assert_eq!(span["mcp.method.name"], "ping");
                assert_eq!((&*span["jsonrpc.request.id"], &*span["mcp.session.id"]), ("7", "s-1"));
                assert_eq!(&*span["network.protocol.name"], "http");
                assert!(!span.contains_key("error.type"), "{span:?}");
            }
        }
    }
}

#[test]
fn an_answer_that_fails_or_is_refused_is_told_in_the_span() {
    let error = br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"m"}}"#;
    let broken = br#"{"jsonrpc":"2.0","id":8,"result":{}}"#;
    for (reply, code, is_refused) in [(&error[..], "-32602", false), (broken, "-32603", true)] {
        let event = [b"data: ", reply, b"\n\n"].concat();
        for (kind, reply) in [(JSON, reply), (EVENTS, &event)] {
            let (spans, events) = spans(Mode::Gate, &[PING], kind, reply);
            assert_eq!((spans.len(), &*spans[0]["error.type"]), (1, code), "{kind}");
            let refused = events.iter().any(|event| event == "message refused within ping");
            assert_eq!(refused, is_refused, "{events:?}");
        }
    }
    // That there is no answer is a failure too.
    let (spans, _) = spans(Mode::Gate, &[PING], EVENTS, b": c\n\n");
    assert_eq!(spans[0]["error.type"], "-32603");
}

#[test]
fn a_message_that_is_refused_has_an_event_and_no_span() {
    let (spans, events) = spans(Mode::Gate, &[b"{}"], JSON, PONG);
    assert_eq!(spans, []);
    assert_eq!(events, ["message refused within nothing", "behind within nothing"]);
}
