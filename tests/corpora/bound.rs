//! `cases.jsonl`: the messages and streams that are bound to a revision, judged
//! where only that one is served.

use std::collections::BTreeMap;

use mcparse::{Limits, LineFramer, SseFramer, Validator};

use crate::cases::{Case, Expected, reported};
use crate::decisions::BOUND;
use crate::framing::found;
use crate::support::{Corpora, Tally, in_words, same, say, serving};

/// The messages of a case, each with what is expected of it.
fn messages(case: &Case, surface: &str) -> Vec<(Vec<u8>, Expected)> {
    let stream = case.input();
    let limit = Limits::new().message_bytes;
    let found = match surface {
        "message" => return vec![(stream, case.expected())],
        "stdio-stream" => found::<LineFramer>(&stream, &[], limit),
        _ => found::<SseFramer>(&stream, &[], limit),
    };
    let messages = found.iter().filter_map(|one| one.message().map(<[u8]>::to_vec));
    let expected: Vec<Expected> = case.expected();
    let messages: Vec<_> = messages.collect();
    assert_eq!(messages.len(), expected.len(), "{}", case.name);
    messages.into_iter().zip(expected).collect()
}

#[test]
fn every_case_of_one_revision_is_decided_in_it_as_the_table_says() {
    let Some(corpora) = Corpora::find() else { return };
    let (mut tally, mut rows) = (Tally::default(), 0);
    let mut findings = BTreeMap::<&str, usize>::new();
    for surface in ["message", "stdio-stream", "sse-stream"] {
        for case in Case::all_of(&corpora, surface) {
            let Some(revision) = case.revision() else { continue };
            let row = BOUND.iter().find(|(name, ..)| *name == case.name);
            rows += usize::from(row.is_some());
            let mut validator = Validator::new(serving(revision));
            for (message, expected) in messages(&case, surface) {
                let outcome = match (validator.check(case.sender(&expected), &message), row) {
                    (Ok(message), None) => {
                        let got = message.findings();
                        got.iter().for_each(|rule| *findings.entry(rule.id()).or_default() += 1);
                        let wanted = reported(&expected);
                        same(&got.intersection(wanted), &wanted).and_then(|()| {
                            let kind = in_words(Ok(message.kind()));
                            same(&kind, &(&*expected.kind, expected.code))
                        })
                    }
                    (Ok(message), Some(_)) => Err(format!("accepted: {:?}", message.kind())),
                    (Err(violation), Some(&(_, rule, _))) => same(&violation.rule(), &rule),
                    (Err(violation), None) => Err(violation.to_string()),
                };
                tally.count(&format!("{} in {}", case.name, revision.as_str()), outcome);
            }
        }
    }
    say(format_args!("{rows} cases refused in their own revision; findings {findings:?}"));
    tally.finish("messages in the one revision of their case", 23);
    assert_eq!(rows, BOUND.len(), "a row without a case");
}
