//! What has been judged is counted: by sender, kind and rule, on all threads,
//! and in a number of numbers that no peer can raise.

use std::mem::size_of;
use std::sync::Arc;
use std::thread;

use mcparse::{
    Action, Counters, Exchange, Kind, LineFramer, Policy, Rule, RuleCounts, Sender, Snapshot,
    Validator,
};

const PING: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const ODD: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"ping","more":1}"#;
const NULL: &[u8] = br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#;
const NOTE: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const RESULT: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
const ERROR: &[u8] = br#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#;

fn judge(counters: &Counters, from: Sender, message: &[u8]) {
    let mut validator = Validator::new(Policy::strict());
    counters.note(from, validator.check(from, message).as_ref());
}

/// The rules that were broken, in words.
fn broken(counted: &Snapshot) -> Vec<String> {
    let word = |(from, rule, counts): (Sender, Rule, RuleCounts)| {
        let RuleCounts { refused, reported, let_through, .. } = counts;
        format!("{from} {rule} {refused} {reported} {let_through}")
    };
    counted.rules().map(word).collect()
}

#[test]
fn an_accepted_message_is_counted_by_sender_and_kind() {
    let counters = Counters::new();
    for (times, from, message) in [
        (1, Sender::Client, PING),
        (2, Sender::Client, NOTE),
        (3, Sender::Server, RESULT),
        (4, Sender::Server, ERROR),
        (5, Sender::Server, PING),
    ] {
        (0..times).for_each(|_| judge(&counters, from, message));
    }
    let counted = counters.snapshot();
    let kinds = [Kind::Request, Kind::Notification, Kind::Result, Kind::Error];
    assert_eq!(kinds.map(|kind| counted.accepted(Sender::Client, kind)), [1, 2, 0, 0]);
    assert_eq!(kinds.map(|kind| counted.accepted(Sender::Server, kind)), [5, 0, 3, 4]);
    assert_eq!(counted.messages(Sender::Client), 3);
    assert_eq!(counted.bytes(Sender::Client), (PING.len() + 2 * NOTE.len()) as u64);
    assert_eq!(counted.refused(Sender::Server), 0);
}

#[test]
fn a_finding_is_counted_as_reported_and_a_refusal_as_refused() {
    let counters = Counters::new();
    for message in [ODD, ODD, NULL, b"[]", b"noise"] {
        judge(&counters, Sender::Client, message);
    }
    judge(&counters, Sender::Server, NULL);
    let counted = counters.snapshot();
    assert_eq!(
        broken(&counted),
        [
            "client not-json 1 0 0",
            "client batch 1 0 0",
            "client id-null 1 0 0",
            "client unknown-member 0 2 0",
            "server id-null 1 0 0",
        ]
    );
    assert_eq!(counted.accepted(Sender::Client, Kind::Request), 2);
    assert_eq!(counted.refused(Sender::Client), 3);
    assert_eq!(counted.messages(Sender::Client), 5);
    assert_eq!(counted.bytes(Sender::Client), (2 * ODD.len() + NULL.len() + 2 + 5) as u64);
}

#[test]
fn what_was_let_through_is_not_counted_as_refused() {
    let counters = Counters::new();
    let mut validator = Validator::new(Policy::strict());
    let violation = validator.check(Sender::Client, NULL).unwrap_err();
    counters.let_through(Sender::Client, &violation);
    let counted = counters.snapshot();
    assert_eq!(broken(&counted), ["client id-null 0 0 1"]);
    assert_eq!((counted.refused(Sender::Client), counted.let_through(Sender::Client)), (0, 1));
    assert_eq!(counted.messages(Sender::Client), 1);
    assert_eq!(counted.bytes(Sender::Client), NULL.len() as u64);
}

#[test]
fn what_an_exchange_notices_is_counted_as_reported() {
    let policy = Policy::strict();
    let (counters, mut exchange) = (Counters::new(), Exchange::new());
    let mut validator = Validator::new(policy);
    let answer = validator.check(Sender::Server, RESULT).unwrap();
    let noticed = exchange.received(&answer);
    counters.reported(Sender::Server, noticed.reported(&policy));
    assert_eq!(broken(&counters.snapshot()), ["server answer-unknown 0 1 0"]);
    assert_eq!(counters.snapshot().messages(Sender::Server), 0);
}

#[test]
fn a_line_that_is_too_long_is_counted_without_its_bytes() {
    let counters = Counters::new();
    let mut framer = LineFramer::new(4);
    let violation = framer.next_frame(&mut &b"too long"[..]).unwrap().unwrap_err();
    counters.note(Sender::Client, Err(&violation));
    let counted = counters.snapshot();
    assert_eq!(broken(&counted), ["client too-large 1 0 0"]);
    assert_eq!((counted.messages(Sender::Client), counted.bytes(Sender::Client)), (1, 0));
}

#[test]
fn what_was_replaced_and_dropped_is_counted_apart() {
    let counters = Counters::default();
    counters.replaced();
    counters.dropped();
    counters.dropped();
    let counted = counters.snapshot();
    assert_eq!((counted.replaced(), counted.dropped()), (1, 2));
    assert!(broken(&counted).is_empty());
}

#[test]
fn a_snapshot_stays_as_it_was_and_tells_what_came_since() {
    let counters = Counters::new();
    for message in [ODD, NULL] {
        judge(&counters, Sender::Client, message);
    }
    let earlier = counters.snapshot();
    for message in [ODD, NULL, NULL] {
        judge(&counters, Sender::Client, message);
    }
    counters.replaced();

    assert_eq!(broken(&earlier), ["client id-null 1 0 0", "client unknown-member 0 1 0"]);
    let since = counters.snapshot().since(&earlier);
    assert_eq!(broken(&since), ["client id-null 2 0 0", "client unknown-member 0 1 0"]);
    assert_eq!((since.accepted(Sender::Client, Kind::Request), since.replaced()), (1, 1));
    assert_eq!(since.bytes(Sender::Client), (ODD.len() + 2 * NULL.len()) as u64);
    assert_eq!(earlier.plus(&since), counters.snapshot());
}

#[test]
fn nothing_is_lost_between_threads() {
    const THREADS: u64 = 4;
    const TIMES: u64 = 2_000;
    let counters = Arc::new(Counters::new());
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let counters = Arc::clone(&counters);
            thread::spawn(move || {
                let mut validator = Validator::new(Policy::strict());
                for _ in 0..TIMES {
                    for message in [ODD, NULL] {
                        let verdict = validator.check(Sender::Client, message);
                        counters.note(Sender::Client, verdict.as_ref());
                    }
                    counters.dropped();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let counted = counters.snapshot();
    let times = THREADS * TIMES;
    assert_eq!(counted.accepted(Sender::Client, Kind::Request), times);
    assert_eq!(counted.rule(Sender::Client, Rule::UnknownMember).reported, times);
    assert_eq!(counted.rule(Sender::Client, Rule::IdNull).refused, times);
    assert_eq!(counted.bytes(Sender::Client), times * (ODD.len() + NULL.len()) as u64);
    assert_eq!(counted.dropped(), times);
}

#[test]
fn however_many_names_peers_make_up_there_are_as_many_numbers() {
    let counters = Counters::new();
    for n in 0..1000 {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":"{n}","method":"made/up{n}","params":{{"name":"{n}"}}}}"#
        );
        judge(&counters, Sender::Client, message.as_bytes());
    }
    let counted = counters.snapshot();
    assert_eq!(counted.accepted(Sender::Client, Kind::Request), 1000);
    assert!(counted.rules().count() <= 2 * Rule::ALL.len());
    assert!(size_of::<Counters>() < 10 << 10, "{} bytes", size_of::<Counters>());
}

#[test]
fn every_rule_has_its_own_number() {
    let counters = Counters::new();
    for (times, &rule) in Rule::ALL.iter().enumerate() {
        for _ in 0..times {
            counters.reported(Sender::Server, [rule].into_iter().collect());
        }
    }
    let counted = counters.snapshot();
    for (times, &rule) in Rule::ALL.iter().enumerate() {
        assert_eq!(counted.rule(Sender::Server, rule).reported, times as u64, "{rule}");
        assert!(counted.rule(Sender::Client, rule).is_zero(), "{rule}");
    }
    assert_eq!(counted.rules().count(), Rule::ALL.len() - 1);
}

#[test]
fn what_is_counted_can_be_read_in_a_debugger() {
    let counters = Counters::new();
    judge(&counters, Sender::Client, NULL);
    let text = format!("{counters:?}");
    assert!(text.contains("id-null") && text.contains("refused: 1"), "{text}");
    assert!(!text.contains("batch"), "{text}");
}

#[test]
fn a_policy_decides_under_what_a_broken_rule_is_counted() {
    let counters = Counters::new();
    for action in [Action::Refuse, Action::Report, Action::Off] {
        let policy = Policy::strict().with_action(Rule::UnknownMember, action);
        let mut validator = Validator::new(policy);
        counters.note(Sender::Client, validator.check(Sender::Client, ODD).as_ref());
    }
    assert_eq!(broken(&counters.snapshot()), ["client unknown-member 1 1 0"]);
}
