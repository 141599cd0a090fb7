//! Where nobody subscribes, spans and events cost no allocation. In a process of
//! its own, where no other test has a subscriber.
#![cfg(feature = "tracing")]

#[path = "../benches/support/heap.rs"]
mod heap;

use heap::{Heap, measure};
use mcparse::{Policy, Rule, RuleSet, Sender, Validator, telemetry};

#[global_allocator]
static HEAP: Heap = Heap;

#[test]
fn without_a_subscriber_nothing_is_recorded_or_allocated() {
    let mut validator = Validator::new(Policy::strict());
    let call =
        br#"{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"a\u0064d"}}"#;
    let request = validator.check(Sender::Client, call).unwrap().summary();
    let error = br#"{"jsonrpc":"2.0","id":"a-1","error":{"code":1,"message":"m"}}"#;
    let answer = validator.check_answer(&request, error).unwrap();
    let broken = validator.check_answer(&request, b"noise").unwrap_err();

    let ((), usage) = measure(|| {
        let span = telemetry::span(&request);
        assert!(span.is_disabled());
        telemetry::record(&span, telemetry::SESSION_ID, b"session");
        telemetry::answered(&span, &request, Ok(&answer));
        telemetry::answered(&span, &request, Err(&broken));
        telemetry::refused(Sender::Server, &broken);
        telemetry::let_through(Sender::Server, &broken);
        telemetry::reported(Sender::Client, RuleSet::EMPTY.with(Rule::Accept));
    });
    assert_eq!(usage.allocations, 0);
}
