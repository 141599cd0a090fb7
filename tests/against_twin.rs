//! `mcparse` against its twin: messages near the truth table, whole and
//! damaged, under every kind of policy, and both must say the same.

mod twin;

use std::fmt;

use mcparse::{Action, Kind, Message, Policy, Rule, Sender, Stage, Validator};
use proptest::collection::vec;
use proptest::prelude::*;

use twin::compare::{same_answer_verdict, same_kind, same_verdict, same_verdict_http, shown, told};
use twin::damage::{bytes, policy};
use twin::generate::{Draw, number, string};
use twin::generate_answers::exchange;
use twin::generate_calls::call;
use twin::generate_heads::head;
use twin::judge::{Verdict, check, check_answer, check_http};
use twin::number;
use twin::words::{NAUGHTY, NOT_NUMBERS, NOT_UTF8, NOT_VALUES, NUMBERS, ROUND, TEXT};

/// Enough for each property to meet every branch many times; `PROPTEST_CASES`
/// asks for more. What is found becomes a named test, not a file of seeds.
fn config() -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig {
        cases: asked.cases.max(4096),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..asked
    }
}

/// A drawn message, shown as a byte string to copy into a test.
#[derive(Clone)]
struct Drawn(Vec<u8>);

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&shown(&self.0), f)
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    vec(any::<u8>(), 0..500).prop_map(|choices| Drawn(bytes(&mut Draw::new(&choices))))
}

fn any_policy() -> impl Strategy<Value = Policy> {
    vec(any::<u8>(), 0..200).prop_map(|choices| policy(&mut Draw::new(&choices)))
}

fn sender() -> impl Strategy<Value = Sender> {
    prop_oneof![Just(Sender::Client), Just(Sender::Server)]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_kind_is_what_the_twin_says(Drawn(message) in drawn()) {
        same_kind(&message);
    }

    #[test]
    fn the_strict_verdict_is_what_the_twin_says(Drawn(message) in drawn(), from in sender()) {
        same_verdict(&mut Validator::new(Policy::strict()), from, &message);
    }

    #[test]
    fn the_findings_in_shadow_are_what_the_twin_says(Drawn(message) in drawn(), from in sender()) {
        same_verdict(&mut Validator::new(Policy::observe()), from, &message);
    }

    #[test]
    fn the_verdict_of_any_policy_is_what_the_twin_says(
        Drawn(message) in drawn(),
        policy in any_policy(),
        from in sender(),
    ) {
        same_verdict(&mut Validator::new(policy), from, &message);
    }

    #[test]
    fn the_verdict_on_head_and_body_is_what_the_twin_says(
        Drawn(message) in drawn(),
        choices in vec(any::<u8>(), 0..120),
        policy in any_policy(),
    ) {
        let head = head(&mut Draw::new(&choices), &message);
        same_verdict_http(&mut Validator::new(policy), &head, &message);
    }

    #[test]
    fn any_bytes_are_judged_as_the_twin_judges_them(message in vec(any::<u8>(), 0..80), from in sender()) {
        same_kind(&message);
        same_verdict(&mut Validator::new(Policy::observe()), from, &message);
    }

    #[test]
    fn the_verdict_on_an_answer_is_what_the_twin_says(
        choices in vec(any::<u8>(), 0..600),
        policy in any_policy(),
        is_strict in any::<bool>(),
    ) {
        let (from, request, message) = exchange(&mut Draw::new(&choices));
        let policy = if is_strict { Policy::strict() } else { policy };
        same_answer_verdict(policy, from, request.as_bytes(), message.as_bytes());
    }

    #[test]
    fn the_plain_function_and_the_validator_agree(Drawn(message) in drawn()) {
        let mut validator = Validator::new(Policy::strict());
        prop_assert_eq!(mcparse::classify(&message), validator.classify(&message));
        // What is accepted has the same kind by the truth table, which knows
        // no error without an id.
        if let Ok(accepted) = validator.check(Sender::Client, &message) {
            let has_id = accepted.id_span().is_some() || accepted.findings().contains(Rule::ErrorIdNull);
            if accepted.kind() != Kind::Error || has_id {
                prop_assert_eq!(mcparse::classify(&message), Ok(accepted.kind()));
            } else {
                prop_assert!(mcparse::classify(&message).is_err());
            }
        }
    }

    #[test]
    fn the_callers_bytes_are_unchanged(Drawn(message) in drawn(), from in sender()) {
        let before = message.clone();
        let mut validator = Validator::new(Policy::observe());
        let _ = validator.check(from, &message);
        let _ = validator.classify(&message);
        let _ = mcparse::classify(&message);
        prop_assert_eq!(message, before);
    }

    #[test]
    fn a_reply_passes_our_own_check(Drawn(message) in drawn()) {
        let mut validator = Validator::new(Policy::strict());
        let Err(violation) = validator.check(Sender::Client, &message) else { return Ok(()) };
        let mut reply = Vec::new();
        if !violation.write_reply(&mut reply) {
            return Ok(());
        }
        let id = violation.id();
        let answer = validator.check(Sender::Server, &reply);
        let Ok(Message::Response(answer)) = answer else {
            return Err(TestCaseError::fail(format!("{answer:?} of {}", shown(&reply))));
        };
        prop_assert_eq!(answer.id(), id);
        let code = violation.code().to_string();
        prop_assert_eq!(answer.error_code(), Some(code.as_bytes()));
        match id {
            Some(_) => prop_assert_eq!(mcparse::classify(&reply), Ok(Kind::Error)),
            None => prop_assert!(mcparse::classify(&reply).is_err()),
        }
    }

    #[test]
    fn what_refuses_in_earnest_is_found_in_shadow(Drawn(message) in drawn()) {
        let strict = Validator::new(Policy::strict()).check(Sender::Client, &message).map_err(|v| v.rule());
        let shadow = Validator::new(Policy::observe()).check(Sender::Client, &message).map_err(|v| v.rule());
        match (strict, shadow) {
            (Ok(strict), shadow) => {
                let findings = shadow.map(|shadow| shadow.findings());
                prop_assert_eq!(findings, Ok(strict.findings()));
            }
            (Err(rule), Ok(shadow)) => prop_assert!(shadow.findings().contains(rule)),
            (Err(_), Err(fatal)) => prop_assert!(fatal.is_fatal()),
        }
    }

    #[test]
    fn two_messages_of_one_validator_are_held_at_once(Drawn(first) in drawn(), Drawn(second) in drawn()) {
        let mut validator = Validator::new(Policy::observe());
        let one = validator.check(Sender::Client, &first);
        let other = validator.check(Sender::Server, &second);
        let fresh = |from, message| told(&Validator::new(Policy::observe()).check(from, message));
        prop_assert_eq!(told(&one), fresh(Sender::Client, &first));
        prop_assert_eq!(told(&other), fresh(Sender::Server, &second));
    }

    #[test]
    fn equal_ids_are_equal_numbers_or_equal_texts(choices in vec(any::<u8>(), 0..64)) {
        let draw = &mut Draw::new(&choices);
        let [left, right] = [(); 2].map(|()| if draw.once_in(3) { string(draw) } else { number(draw) });
        same_equality(&left, &right);
        let zeros = format!("{left}0");
        same_equality(&left, &zeros);
        same_equality(&left, &format!("-{right}"));
        same_equality(&left, &format!("{left}.0"));
        same_equality(&left, &format!("{left}e0"));
        same_equality(&zeros, &format!("{left}e1"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: config().cases / 8, ..config() })]

    #[test]
    fn no_message_and_no_policy_changes_the_verdict_on_the_next(
        messages in vec((drawn(), sender(), any_policy()), 2..16),
    ) {
        let mut validator = Validator::new(Policy::strict());
        for (Drawn(message), from, policy) in &messages {
            validator.set_policy(*policy);
            let fresh = told(&Validator::new(*policy).check(*from, message));
            prop_assert_eq!(told(&validator.check(*from, message)), fresh, "{}", shown(message));
            let fresh = Validator::new(*policy).classify(message);
            prop_assert_eq!(validator.classify(message), fresh, "{}", shown(message));
        }
    }
}

/// Where a value, at `@`, may stand in a message that is plain otherwise.
const PLACES: [&str; 8] = [
    r#"{"jsonrpc":"2.0","id":@,"method":"x"}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":@}"#,
    r#"{"jsonrpc":"2.0","method":"x","params":@}"#,
    r#"{"jsonrpc":"2.0","method":"x","params":{"a":[{"b":[0,@]}]}}"#,
    r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":@ ,"_meta":{"progressToken":@}}}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{"a":{"b":@}}}"#,
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":@,"message":@,"data":@}}"#,
    "@",
];

fn in_every_place(value: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    PLACES.iter().map(move |place| {
        let parts: Vec<&[u8]> = place.split('@').map(str::as_bytes).collect();
        parts.join(value)
    })
}

fn same_everywhere(message: &[u8]) {
    same_kind(message);
    for policy in [Policy::strict(), Policy::observe()] {
        same_verdict(&mut Validator::new(policy), Sender::Client, message);
    }
}

#[test]
fn what_is_almost_json_is_refused_wherever_it_stands() {
    for value in NOT_NUMBERS.iter().chain(NOT_VALUES) {
        for message in in_every_place(value.as_bytes()) {
            same_everywhere(&message);
            let verdict = Validator::new(Policy::observe()).check(Sender::Client, &message);
            let rule = verdict.map(|_| ()).map_err(|violation| violation.rule());
            assert_eq!(rule, Err(Rule::NotJson), "{}", shown(&message));
        }
    }
}

#[test]
fn every_number_is_read_wherever_it_stands() {
    for number in ROUND.iter().chain(NUMBERS) {
        in_every_place(number.as_bytes()).for_each(|message| same_everywhere(&message));
    }
}

#[test]
fn a_fault_in_a_string_is_found_however_far_into_it() {
    let faults = NAUGHTY.iter().map(|fault| fault.as_bytes()).chain(NOT_UTF8.iter().copied());
    for fault in faults.chain(TEXT.iter().map(|text| text.as_bytes())) {
        for before in (0..18).chain(62..66).chain(126..138).chain([300]) {
            for filler in ["a", "\u{e9}"] {
                let mut string = format!("\"{}", filler.repeat(before)).into_bytes();
                string.extend_from_slice(fault);
                string.extend_from_slice(b"b\"");
                let message = [PLACES[2], PLACES[1], PLACES[4]][before % 3];
                let parts: Vec<&[u8]> = message.split('@').map(str::as_bytes).collect();
                same_everywhere(&parts.join(string.as_slice()));
            }
        }
    }
}

/// Whether two lexemes are equal as ids, and hash alike, exactly if they are
/// equal as schoolbook decimals or as decoded strings. Lexemes that are no ids
/// even to a lenient policy are passed over.
fn same_equality(left: &str, right: &str) {
    let message = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#);
    let [one, other] = [message(left), message(right)];
    let mut validator = Validator::new(Policy::strict().with_action(Rule::IdFloat, Action::Off));
    let Ok(one) = validator.check(Sender::Client, one.as_bytes()) else { return };
    let Ok(other) = validator.check(Sender::Client, other.as_bytes()) else { return };
    let [one, other] = [one.id().expect("a request"), other.id().expect("a request")];
    let text = |id: &str| serde_json::from_str::<String>(id).ok();
    let expected = match (text(left), text(right)) {
        (Some(left), Some(right)) => Some(left == right),
        (None, None) => number::equal(left, right),
        _ => Some(false),
    };
    let Some(expected) = expected else { return };
    assert_eq!(one == other, expected, "{left} {right}");
    if expected {
        assert_eq!(hash(one), hash(other), "{left} {right}");
    }
}

fn hash(id: mcparse::Id<'_>) -> u64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(id)
}

/// The rules that are not of this comparison: those of streams and of the heads of
/// responses, and of the headers that mirror arguments, which have a twin of their
/// own in `src`.
fn is_of_others(rule: Rule) -> bool {
    // What only shows between messages breaks no verdict.
    rule.stage() > Stage::Answer
        || rule.id().starts_with("param-header")
        || matches!(
            rule,
            Rule::SseEventCut
                | Rule::SseEventOther
                | Rule::AnswerContentType
                | Rule::MessageAfterAnswer
                | Rule::AnswerStatus
                | Rule::SseBufferingHeader
                | Rule::StreamWithoutAnswer
        )
}

#[test]
fn the_messages_and_heads_that_are_drawn_break_every_rule_many_times() {
    let mut random = Random(1);
    let mut hits = vec![0; Rule::ALL.len()];
    for round in 0..18_000 {
        let policy = policy(&mut Draw::new(&random.bytes(200)));
        let policy = Rule::ALL.iter().fold(policy, |p, &rule| p.with_action(rule, Action::Report));
        let choices = random.bytes(500);
        let message = match round % 4 {
            3 => call(&mut Draw::new(&choices)).into_bytes(),
            _ => bytes(&mut Draw::new(&choices)),
        };
        let (from, request, answer) = exchange(&mut Draw::new(&choices));
        let verdict = match round % 4 {
            _ if round >= 12_000 => {
                let verdict = check_answer(&policy, from, request.as_bytes(), answer.as_bytes());
                let Some((verdict, _)) = verdict else { continue };
                verdict
            }
            0 => check(&policy, Sender::Server, &message),
            1 => check(&policy, Sender::Client, &message),
            _ => check_http(&policy, &head(&mut Draw::new(&random.bytes(120)), &message), &message),
        };
        match verdict {
            Verdict::Accept(accepted) => {
                accepted.findings.iter().for_each(|&rule| hits[rule as usize] += 1);
            }
            Verdict::Refuse(refused) => hits[refused.rule as usize] += 1,
        }
    }
    for &rule in Rule::ALL.iter().filter(|&&rule| !is_of_others(rule)) {
        assert!(hits[rule as usize] >= 4, "{rule} is broken {} times", hits[rule as usize]);
    }
}

/// The same choices in each run: a survey must not come out differently.
struct Random(u64);

impl Random {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count)
            .map(|_| {
                // xorshift64
                self.0 ^= self.0 << 13;
                self.0 ^= self.0 >> 7;
                self.0 ^= self.0 << 17;
                self.0.to_be_bytes()[2]
            })
            .collect()
    }
}
