//! Drawn messages, cut everywhere: whole and damaged, of either sender, under every
//! kind of policy, with heads and without.

use mcparse::{Body, Policy, RequestHead, Rule, Sender, Validator};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::same::Sent;
use crate::twin::damage::{bytes, policy};
use crate::twin::generate::Draw;
use crate::twin::generate_answers::exchange;
use crate::twin::generate_calls::call;
use crate::twin::generate_heads::head;
use crate::twin::words::{NAUGHTY, NOT_NUMBERS, NOT_UTF8, NOT_VALUES, NUMBERS, TEXT};

fn config(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig {
        cases: asked.cases.max(cases),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..asked
    }
}

/// A call, an answer, or anything near one.
fn drawn(choices: &[u8]) -> Vec<u8> {
    let Some((&first, rest)) = choices.split_first() else { return Vec::new() };
    let draw = &mut Draw::new(rest);
    match first % 4 {
        0 => call(draw).into_bytes(),
        1 => exchange(draw).2.into_bytes(),
        _ => bytes(draw),
    }
}

fn chosen(how: u8, choices: &[u8]) -> Policy {
    match how % 4 {
        0 | 1 => Policy::strict(),
        2 => Policy::observe(),
        _ => policy(&mut Draw::new(choices)),
    }
}

fn sender() -> impl Strategy<Value = Sender> {
    prop_oneof![Just(Sender::Client), Just(Sender::Server)]
}

/// Places to cut a message of `len` bytes: as drawn, in order, some of them twice.
fn places(drawn: &[u16], len: usize) -> Vec<usize> {
    let mut cuts: Vec<usize> = drawn.iter().map(|&place| usize::from(place) % (len + 1)).collect();
    cuts.sort_unstable();
    cuts
}

proptest! {
    #![proptest_config(config(1024))]

    #[test]
    fn a_message_cut_at_any_place_is_judged_as_a_whole(
        choices in vec(any::<u8>(), 0..400),
        how in any::<u8>(),
        of_policy in vec(any::<u8>(), 0..200),
        from in sender(),
    ) {
        let message = drawn(&choices);
        let sent = Sent { from, head: None, message: &message };
        let validator = &mut Validator::new(chosen(how, &of_policy));
        let mut body = Body::new();
        // Of a long one its ends, and what is around the blocks of the scan.
        let is_place = |at: &usize| message.len() < 300 || at % 64 < 3 || *at < 40;
        for cut in (0..=message.len()).filter(is_place) {
            sent.same_in_pieces(validator, &mut body, &[cut]);
        }
    }
}

proptest! {
    #![proptest_config(config(4096))]

    #[test]
    fn a_message_in_single_bytes_is_judged_as_a_whole(
        choices in vec(any::<u8>(), 0..500),
        how in any::<u8>(),
        of_policy in vec(any::<u8>(), 0..200),
        from in sender(),
    ) {
        let message = drawn(&choices);
        let sent = Sent { from, head: None, message: &message };
        let cuts: Vec<usize> = (1..message.len()).collect();
        let validator = &mut Validator::new(chosen(how, &of_policy));
        sent.same_in_pieces(validator, &mut Body::new(), &cuts);
    }

    #[test]
    fn a_message_in_many_pieces_is_judged_as_a_whole(
        choices in vec(any::<u8>(), 0..500),
        cuts in vec(any::<u16>(), 0..24),
        how in any::<u8>(),
        of_policy in vec(any::<u8>(), 0..200),
        from in sender(),
    ) {
        let message = drawn(&choices);
        let sent = Sent { from, head: None, message: &message };
        let validator = &mut Validator::new(chosen(how, &of_policy));
        sent.same_in_pieces(validator, &mut Body::new(), &places(&cuts, message.len()));
    }

    #[test]
    fn a_body_in_pieces_is_judged_with_its_head_as_a_whole(
        choices in vec(any::<u8>(), 0..500),
        of_head in vec(any::<u8>(), 0..120),
        cuts in vec(any::<u16>(), 0..24),
        how in any::<u8>(),
        of_policy in vec(any::<u8>(), 0..200),
    ) {
        let message = drawn(&choices);
        let head = head(&mut Draw::new(&of_head), &message);
        let pairs = head.headers.iter().map(|(name, value)| (name, value));
        let request = RequestHead::new(&head.method, pairs);
        let sent = Sent { from: Sender::Client, head: Some(&request), message: &message };
        let validator = &mut Validator::new(chosen(how, &of_policy));
        sent.same_in_pieces(validator, &mut Body::new(), &places(&cuts, message.len()));
    }

    #[test]
    fn any_bytes_in_pieces_are_judged_as_a_whole(
        message in vec(any::<u8>(), 0..200),
        cuts in vec(any::<u16>(), 0..24),
        from in sender(),
    ) {
        let sent = Sent { from, head: None, message: &message };
        let validator = &mut Validator::new(Policy::observe());
        sent.same_in_pieces(validator, &mut Body::new(), &places(&cuts, message.len()));
    }
}

/// Where a value, at `@`, may stand in a message that is plain otherwise.
const PLACES: [&str; 7] = [
    r#"{"jsonrpc":"2.0","id":@,"method":"x"}"#,
    r#" { "jsonrpc" : "2.0" , "id" : 1 , "method" : @ } "#,
    r#"{"jsonrpc":"2.0","method":"x","params":{"a":[{"b":[0,@],"c":{}}],"d": [ ]}}"#,
    r#"{"id":3,"params":{"name":@ ,"_meta":{"progressToken":@}},"method":"tools/call"}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{"a":{"b":@}}}"#,
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":@,"message":@,"data":@}}"#,
    "@",
];

fn same_wherever_cut(message: &[u8]) {
    let bytes: Vec<usize> = (1..message.len()).collect();
    let mut body = Body::new();
    for policy in [Policy::strict(), Policy::observe()] {
        let validator = &mut Validator::new(policy);
        let sent = Sent { from: Sender::Client, head: None, message };
        sent.same_in_pieces(validator, &mut body, &bytes);
        for cut in 0..=message.len() {
            sent.same_in_pieces(validator, &mut body, &[cut]);
        }
    }
}

#[test]
fn every_odd_value_is_read_wherever_it_stands_and_wherever_it_is_cut() {
    let quoted = |inside: &[u8]| [b"\"", inside, b"\""].concat();
    let texts = TEXT.iter().chain(NAUGHTY).map(|text| quoted(text.as_bytes()));
    let values = NOT_NUMBERS.iter().chain(NOT_VALUES).chain(NUMBERS).map(|value| value.as_bytes());
    let all = texts.chain(NOT_UTF8.iter().map(|text| quoted(text)));
    for (at, value) in all.chain(values.map(<[u8]>::to_vec)).enumerate() {
        // Each value in two places: all of them in each would take a minute.
        for place in [PLACES[at % PLACES.len()], PLACES[(at + 3) % PLACES.len()]] {
            let parts: Vec<&[u8]> = place.split('@').map(str::as_bytes).collect();
            same_wherever_cut(&parts.join(value.as_slice()));
        }
    }
}

#[test]
fn an_escape_is_read_wherever_it_is_cut_and_however_far_into_a_block() {
    for escape in [r"\n", r"\\", r#"\""#, r"\u0061", r"\ud83c\udf89", r"\ud83c", r"\x", r"\\\"] {
        for before in (0..6).chain(40..66) {
            let filler = "a".repeat(before);
            let message =
                format!(r#"{{"jsonrpc":"2.0","id":"{filler}{escape}b","method":"ping"}}"#);
            let message = message.as_bytes();
            let sent = Sent { from: Sender::Client, head: None, message };
            let validator = &mut Validator::new(Policy::strict());
            let start = message.iter().position(|&byte| byte == b'\\').expect("an escape");
            let mut body = Body::new();
            for cut in start..start + escape.len() + 2 {
                sent.same_in_pieces(validator, &mut body, &[cut]);
                sent.same_in_pieces(validator, &mut body, &[cut, cut, cut + 1]);
            }
        }
    }
}

/// What must follow it is due behind the last string, where nothing else is looked
/// for; so it matters where in a window of the scan that string ends.
#[test]
fn half_a_pair_at_the_end_of_the_last_string_is_refused_wherever_a_window_ends() {
    let mut by_scan = Validator::new(Policy::strict());
    let mut by_tape = Validator::with_tape_alone(Policy::strict());
    for before in 0..600 {
        let filler = "a".repeat(before);
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":["{filler}","\ud800"]}}}}"#
        );
        let sent = Sent { from: Sender::Client, head: None, message: message.as_bytes() };
        let verdict = sent.whole(&mut by_scan);
        assert_eq!(verdict, sent.whole(&mut by_tape), "{before}");
        let rule = by_scan.check(Sender::Client, sent.message).map_err(|refused| refused.rule());
        assert_eq!(rule.map(|_| ()), Err(Rule::UnpairedSurrogate), "{before}");
        sent.same_in_pieces(&mut by_scan, &mut Body::new(), &[message.len() - 6]);
    }
}
