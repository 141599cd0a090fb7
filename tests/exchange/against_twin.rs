//! The exchange against its twin, on conversations about few things, so that
//! messages meet.

use std::cell::RefCell;
use std::collections::BTreeMap;

use mcparse::{Exchange, ExchangeLimits, Id, Rule, Sender, Stage};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::talk::{
    Talk, cancelled, error, legacy, modern, notification, on_stream, progress, result,
};
use crate::twin::{End, Twin};

#[derive(Clone, Debug)]
enum Step {
    Says(Sender, Value),
    /// The host ends a request of the client.
    Ends(Value, End),
}

fn config(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig { cases: asked.cases.max(cases), failure_persistence: None, ..asked }
}

fn id() -> impl Strategy<Value = Value> {
    select(vec![json!(1), json!("1"), json!(2), json!(""), json!("x".repeat(80))])
}

fn token() -> impl Strategy<Value = Value> {
    select(vec![json!(1), json!("1")])
}

fn side() -> impl Strategy<Value = Sender> {
    prop_oneof![4 => Just(Sender::Client), 1 => Just(Sender::Server)]
}

/// A member of an object, or none.
fn member(name: &'static str, values: Vec<Value>) -> impl Strategy<Value = Value> {
    let one = select(values).prop_map(move |value| json!({name: value}));
    prop_oneof![Just(json!({})), one]
}

fn joined(parts: Vec<Value>) -> Value {
    let members = parts.into_iter().flat_map(|part| part.as_object().cloned().unwrap_or_default());
    Value::Object(members.collect())
}

fn filter() -> impl Strategy<Value = Value> {
    let uris = vec![json!([]), json!(["a"]), json!(["b", "a"]), json!(["c"])];
    (
        member("toolsListChanged", vec![json!(true), json!(false)]),
        member("promptsListChanged", vec![json!(true)]),
        member("resourceSubscriptions", uris),
        member("taskIds", vec![json!(["a"])]),
    )
        .prop_map(|(one, two, three, four)| joined(vec![one, two, three, four]))
}

fn list() -> impl Strategy<Value = (&'static str, Value)> {
    member("cursor", vec![json!(""), json!("2")]).prop_map(|params| ("tools/list", params))
}

fn request() -> impl Strategy<Value = Value> {
    let meta = (
        member("progressToken", vec![json!(1), json!("1")]),
        member("io.modelcontextprotocol/logLevel", vec![json!("info")]),
    )
        .prop_map(|(token, level)| joined(vec![token, level]));
    let call = (
        select(vec!["add", "sub"]),
        member("inputResponses", vec![json!({})]),
        member("requestState", vec![json!("s"), json!("t")]),
    )
        .prop_map(|(name, answers, state)| {
            ("tools/call", joined(vec![json!({"name": name}), answers, state]))
        });
    let listen =
        filter().prop_map(|filter| ("subscriptions/listen", json!({"notifications": filter})));
    let what = prop_oneof![3 => call, 2 => list(), 2 => listen];
    (id(), what, meta, prop::bool::weighted(0.02)).prop_map(
        |(id, (method, params), meta, is_old)| {
            if is_old && method != "subscriptions/listen" {
                legacy(&id, method, &params)
            } else {
                modern(&id, method, params, &meta)
            }
        },
    )
}

/// A page of a list.
fn page() -> impl Strategy<Value = Value> {
    let order = select(vec!["ab", "ba", "abc", "cab", ""]).prop_map(|names| {
        let tools: Vec<_> = names.chars().map(|name| json!({"name": name.to_string()})).collect();
        json!({"tools": tools})
    });
    let scope = member("cacheScope", vec![json!("public"), json!("private"), json!("other")]);
    let next = member("nextCursor", vec![json!("2"), json!("")]);
    (order, scope, next).prop_map(|(tools, scope, next)| joined(vec![tools, scope, next]))
}

fn outcome() -> impl Strategy<Value = Value> {
    let asks = member("requestState", vec![json!("s"), json!("t")])
        .prop_map(|state| joined(vec![json!({"resultType": "input_required"}), state]));
    let task = select(vec![json!({"task": {}}), json!({"resultType": "task"})]);
    prop_oneof![2 => Just(json!({})), 3 => asks, 3 => page(), 1 => task]
}

fn answer() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => (id(), outcome()).prop_map(|(id, outcome)| result(&id, &outcome)),
        1 => id().prop_map(|id| error(&id)),
        1 => Just(error(&Value::Null)),
    ]
}

fn of_server() -> impl Strategy<Value = Value> {
    let method = select(vec![
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/updated",
        "notifications/tasks",
        "notifications/message",
        "notifications/com.example/own",
    ]);
    let ack = (id(), filter()).prop_map(|(id, filter)| {
        let params = json!({"notifications": filter});
        on_stream(&id, "notifications/subscriptions/acknowledged", params)
    });
    prop_oneof![
        (id(), method.clone()).prop_map(|(id, method)| on_stream(&id, method, json!({}))),
        method.prop_map(|method| notification(method, &json!({}))),
        ack,
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let number = select(vec![json!(0), json!(0.5), json!(1), json!(-3), json!(1e30)]);
    let ready = Just(notification("notifications/roots/list_changed", &json!({})));
    let says = |message: BoxedStrategy<Value>| {
        (side(), message).prop_map(|(from, message)| Step::Says(from, message)).boxed()
    };
    let hears = |message: BoxedStrategy<Value>| {
        (side(), message)
            .prop_map(|(to, message)| {
                let is_to_client = to == Sender::Client;
                Step::Says(if is_to_client { Sender::Server } else { Sender::Client }, message)
            })
            .boxed()
    };
    prop_oneof![
        8 => says(request().boxed()),
        6 => hears(answer().boxed()),
        2 => says(id().prop_map(|id| cancelled(&id)).boxed()),
        1 => hears(id().prop_map(|id| cancelled(&id)).boxed()),
        3 => hears((token(), number).prop_map(|(token, number)| progress(&token, &number)).boxed()),
        4 => of_server().prop_map(|message| Step::Says(Sender::Server, message)),
        1 => says(ready.boxed()),
        1 => (id(), select(vec![End::Cancel, End::Fail, End::Withdraw]))
            .prop_map(|(id, end)| Step::Ends(id, end)),
    ]
}

/// Steps, some of them a request and its answer at once.
fn conversation() -> impl Strategy<Value = Vec<Step>> {
    let answered = |(request, outcome): (Value, Value)| {
        let answer = result(&request["id"], &outcome);
        vec![Step::Says(Sender::Client, request), Step::Says(Sender::Server, answer)]
    };
    let any = (request(), outcome()).prop_map(answered);
    let lists = (list(), page()).prop_map(move |((method, params), page)| {
        answered((modern(&json!(3), method, params, &json!({})), page))
    });
    let steps = prop_oneof![6 => step().prop_map(|step| vec![step]), 1 => any, 2 => lists];
    vec(steps, 1..50).prop_map(|steps| steps.into_iter().flatten().collect())
}

fn end(exchange: &mut Exchange, id: &Value, end: End) {
    let id = id.to_string();
    let id = Id::from_lexeme(id.as_bytes()).expect("an id");
    match end {
        End::Cancel => exchange.cancel(id),
        End::Fail => exchange.fail(id),
        End::Withdraw => exchange.withdraw(id),
    };
}

#[test]
fn the_exchange_notices_what_its_twin_does() {
    let seen = RefCell::new(BTreeMap::<&str, usize>::new());
    let conversations = (any::<bool>(), conversation());
    let run = TestRunner::new(config(512)).run(&conversations, |(is_http, steps)| {
        let exchange = if is_http { Exchange::new().over_http() } else { Exchange::new() };
        let mut talk = Talk::over(exchange);
        let mut twin = Twin::new(is_http);
        for (at, step) in steps.iter().enumerate() {
            match step {
                Step::Ends(id, how) => {
                    end(&mut talk.exchange, id, *how);
                    twin.end(id, *how);
                }
                Step::Says(from, message) => {
                    let noticed = talk.hear(*from, message);
                    let rules: Vec<_> = noticed.rules.iter().map(Rule::id).collect();
                    let mut told: Vec<_> = twin.hear(*from, message).into_iter().collect();
                    told.sort_by_key(|id| Rule::from_id(id));
                    prop_assert_eq!(&rules, &told, "step {}: {:?}", at, step);
                    for rule in rules {
                        *seen.borrow_mut().entry(rule).or_default() += 1;
                    }
                }
            }
            let long = json!("x".repeat(80)).to_string();
            let kept = |id: String| if id == long { String::new() } else { id };
            let pending: Vec<_> = twin.pending().into_iter().map(kept).collect();
            prop_assert_eq!(talk.pending(), pending);
        }
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    let seen = seen.into_inner();
    for rule in Rule::ALL.iter().filter(|rule| rule.stage() == Stage::Exchange) {
        let is_seen = seen.get(rule.id()).is_some_and(|&times| times > 2);
        assert!(is_seen || *rule == Rule::ExchangeFull, "{rule}: {seen:?}");
    }
}

fn limits() -> impl Strategy<Value = ExchangeLimits> {
    vec(0_usize..4, 7).prop_map(|most| {
        ExchangeLimits::new()
            .with_in_flight(most[0])
            .with_progress_tokens(most[1])
            .with_subscriptions(most[2])
            .with_subscribed(most[3])
            .with_remembered(most[4])
            .with_questions(most[5])
            .with_pages(most[6])
    })
}

/// What may be said by an exchange with little memory alone: it has forgotten
/// what a message refers to, or has not heard the page before.
const FORGOTTEN: [&str; 10] = [
    "answer-unknown",
    "cancel-by-server",
    "cancel-unknown",
    "progress-token-unknown",
    "subscription-unrequested",
    "mrtr-id-reused",
    "mrtr-state-changed",
    "mrtr-state-invented",
    "cache-scope-varies",
    "list-order-changed",
];

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn an_exchange_with_little_room_says_less_and_nothing_else(
        limits in limits(), steps in conversation(),
    ) {
        let mut talk = Talk::with(limits);
        let mut twin = Twin::new(false);
        let mut was_full = false;
        for step in &steps {
            match step {
                Step::Ends(id, how) => {
                    end(&mut talk.exchange, id, *how);
                    twin.end(id, *how);
                }
                Step::Says(from, message) => {
                    let is_stray = twin.is_stray(*from, message);
                    let noticed = talk.hear(*from, message);
                    let told = twin.hear(*from, message);
                    was_full |= noticed.rules.contains(Rule::ExchangeFull);
                    if was_full && is_stray {
                        // May be taken for the end of what was not tracked.
                        return Ok(());
                    }
                    if told.contains("id-in-flight") && !noticed.rules.contains(Rule::IdInFlight) {
                        // From here on the two have heard of other requests.
                        return Ok(());
                    }
                    for rule in noticed.rules.iter().filter(|&rule| rule != Rule::ExchangeFull) {
                        // Who had the token first was not tracked, and who else has it is.
                        let holds_on = was_full && rule == Rule::ProgressTokenReused;
                        let may_say =
                            holds_on || told.contains(rule.id()) || FORGOTTEN.contains(&rule.id());
                        prop_assert!(may_say, "{}: {:?}, not {:?}", rule, step, told);
                    }
                }
            }
            prop_assert!(talk.exchange.pending().count() <= limits.in_flight);
        }
    }
}
