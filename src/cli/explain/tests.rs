//! Every example is what it says it is.

use std::time::Instant;

use mcparse::{
    Action, Exchange, ExchangeLimits, Page, ParamHeaders, RequestHead, ResponseHead, RuleSet,
    Session, SessionNoticed, SseFramer, Stage, Validator,
};

use super::*;
use crate::cli::policy;

/// What is found in an example: the rule that refuses it, if one does, and the
/// findings.
struct Found {
    refused: Option<Rule>,
    findings: RuleSet,
}

/// Judges the example by the strict policy with what it adds, and with `rule`
/// refusing.
fn judge(rule: Rule, example: &Example) -> Found {
    let policy = match policy::build(example.policy) {
        Ok(policy) => policy.with_action(rule, Action::Refuse),
        Err(fault) => panic!("{rule}: {fault}"),
    };
    let mut validator = Validator::new(policy);
    if !example.talk.is_empty() {
        return talked(rule, &mut validator, example);
    }
    if let Some(to) = example.to {
        return answered(&mut validator, to, example);
    }
    if example.is_stream {
        return streamed(&mut validator, example);
    }
    let mut session = Session::new();
    let in_session = rule.stage() == Stage::Session;
    for (from, text) in example.before {
        let message = validator.check(*from, text.as_bytes()).expect("what was said is right");
        // A server over HTTP gives each session an id.
        let head = ResponseHead::new(200, [("Mcp-Session-Id", "1868a90c")]);
        let noticed = match from {
            Sender::Client => session.sent(&message),
            Sender::Server => session.received_over_http(&head, &message),
        };
        assert!(noticed.rules.is_empty(), "{rule}");
    }
    let Some(head) = example.head else {
        let checked = validator.check(example.from, example.text);
        return match checked {
            Ok(message) if in_session => noticed(session.sent(&message), &validator),
            checked => found(checked),
        };
    };
    let table = ParamHeaders::new();
    if let Some(tools) = example.tools {
        let learned = table.learn(Page::First, tools.as_bytes(), Instant::now());
        assert!(learned.unlearned.is_empty(), "{rule}");
    }
    let mut lines = head.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let method = lines.next().unwrap().split(|&byte| byte == b' ').next().unwrap();
    let headers = lines.map(|line| {
        let colon = line.iter().position(|&byte| byte == b':').unwrap();
        (&line[..colon], &line[colon + 1..])
    });
    let head = RequestHead::new(method, headers).with_param_headers(&table);
    let checked = validator.check_http(&head, example.text);
    match checked {
        Ok(message) if in_session => noticed(session.sent_over_http(&head, &message), &validator),
        checked => found(checked),
    }
}

fn noticed(noticed: SessionNoticed, validator: &Validator) -> Found {
    let policy = validator.policy();
    Found { refused: noticed.refused(policy), findings: noticed.reported(policy) }
}

/// What is noticed between the messages of a conversation, each of which is
/// right by itself. A broken one breaks `rule` and nothing else.
fn talked(rule: Rule, validator: &mut Validator, example: &Example) -> Found {
    let mut limits = ExchangeLimits::new();
    limits.in_flight = example.room.unwrap_or(limits.in_flight);
    let mut exchange = Exchange::with_limits(limits);
    if example.is_http {
        exchange = exchange.over_http();
    }
    let mut all = Found { refused: None, findings: RuleSet::EMPTY };
    for turn in example.talk {
        let message = match validator.check(turn.from, turn.text.as_bytes()) {
            Ok(message) => message,
            Err(violation) => panic!("{rule}: {violation}: {}", turn.text),
        };
        let noticed = match turn.from {
            Sender::Client => exchange.sent(&message),
            Sender::Server => exchange.received(&message),
        };
        let others: Vec<_> = noticed.rules.iter().filter(|&other| other != rule).collect();
        assert!(others.is_empty(), "{rule}: {others:?}: {}", turn.text);
        all.refused = all.refused.or(noticed.refused(validator.policy()));
        all.findings = all.findings.union(noticed.rules);
    }
    all
}

/// The first thing that is wrong with what answers `to`.
fn answered(validator: &mut Validator, to: &str, example: &Example) -> Found {
    let to = validator.check(Sender::Client, to.as_bytes()).unwrap().summary();
    let Some(head) = example.head else {
        return found(validator.check_answer(&to, example.text));
    };
    let mut lines = std::str::from_utf8(head).unwrap().lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.map(|line| line.split_once(": ").unwrap());
    let head = ResponseHead::new(status, headers);
    let mut all = Found { refused: None, findings: RuleSet::EMPTY };
    let findings = validator.check_http_answer(&to, &head, example.text, |verdict| {
        let one = found(verdict);
        all.refused = all.refused.or(one.refused);
        all.findings = all.findings.union(one.findings);
    });
    all.findings = all.findings.union(findings);
    all
}

fn found(checked: Result<mcparse::Message<'_>, mcparse::Violation<'_>>) -> Found {
    match checked {
        Ok(message) => Found { refused: None, findings: message.findings() },
        Err(violation) => Found { refused: Some(violation.rule()), findings: RuleSet::EMPTY },
    }
}

/// The first thing that is wrong with a stream.
fn streamed(validator: &mut Validator, example: &Example) -> Found {
    let mut framer = SseFramer::new(validator.policy().limits().message_bytes);
    let mut rest = example.text;
    let mut all = Found { refused: None, findings: RuleSet::EMPTY };
    while let Some(framed) = framer.next_frame(&mut rest) {
        let frame = framed.expect("no example has an event that is too large");
        let one = if frame.is_message() {
            found(validator.check(example.from, frame.bytes()))
        } else {
            Found { refused: Some(Rule::SseEventOther), findings: RuleSet::EMPTY }
        };
        all.refused = all.refused.or(one.refused);
        all.findings = all.findings.union(one.findings);
    }
    let at_end = framer.finish().and_then(Result::err);
    all.refused = all.refused.or(at_end.map(|violation| violation.rule()));
    all
}

#[test]
fn every_rule_is_explained_in_the_order_of_judgement() {
    let explained: Vec<Rule> = ENTRIES.into_iter().flatten().map(|entry| entry.rule).collect();
    assert_eq!(explained, Rule::ALL);
}

#[test]
fn every_broken_example_is_refused_by_its_rule() {
    let mut wrong = Vec::new();
    for entry in ENTRIES.into_iter().flatten() {
        let refused = judge(entry.rule, &entry.broken).refused;
        if refused != Some(entry.rule) {
            wrong.push(format!("{}: {refused:?}", entry.rule));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_right_example_is_accepted_and_does_not_break_the_rule() {
    let mut wrong = Vec::new();
    for entry in ENTRIES.into_iter().flatten() {
        let Found { refused, findings } = judge(entry.rule, &entry.right);
        if refused.is_some() || findings.contains(entry.rule) {
            wrong.push(format!("{}: {refused:?}", entry.rule));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn explanations_are_short_and_whole_sentences() {
    for entry in ENTRIES.into_iter().flatten() {
        for text in [entry.meaning, entry.why] {
            assert!(text.ends_with('.') && text.len() < 420, "{}: {}", entry.rule, text.len());
            assert!(!text.contains("  "), "{}", entry.rule);
        }
    }
}

#[test]
fn a_page_shows_bytes_that_are_no_text_by_number() {
    let page = explain(Some("not-utf8")).unwrap();
    assert!(page.contains("caf\\xe9"), "{page}");
    assert!(page.lines().filter(|line| !line.contains('{')).all(|line| line.len() < 90), "{page}");
}
