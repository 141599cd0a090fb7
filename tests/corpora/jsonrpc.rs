//! The examples of the JSON-RPC 2.0 specification, section 7, and where MCP
//! answers otherwise: its params and results are objects, and it has no
//! batches.

use mcparse::Kind::{Error, Notification, Request};
use mcparse::{Policy, Rule, Sender, Validator, classify};
use serde::Deserialize;

use crate::framing::check;
use crate::support::Decision::{self, Accept, Refuse};
use crate::support::{Corpora, Tally, in_words, same};

/// Example, direction, our answer, and why where JSON-RPC has another. The
/// labels were compared with <https://www.jsonrpc.org/specification#examples>.
const EXAMPLES: &[(&str, &str, Decision, &str)] = &[
    ("positional-1", "req", Refuse(Rule::ParamsType), "params are an object"),
    ("positional-1", "res", Refuse(Rule::ResultType), "a result is an object"),
    ("positional-2", "req", Refuse(Rule::ParamsType), "params are an object"),
    ("positional-2", "res", Refuse(Rule::ResultType), "a result is an object"),
    ("named-1", "req", Accept(Request), ""),
    ("named-1", "res", Refuse(Rule::ResultType), "a result is an object"),
    ("named-2", "req", Accept(Request), ""),
    ("named-2", "res", Refuse(Rule::ResultType), "a result is an object"),
    ("notification-1", "req", Refuse(Rule::ParamsType), "params are an object"),
    ("notification-2", "req", Accept(Notification), ""),
    ("non-existent-method", "req", Accept(Request), ""),
    ("non-existent-method", "res", Accept(Error), ""),
    ("invalid-json", "req", Refuse(Rule::NotJson), ""),
    ("invalid-json", "res", Accept(Error), ""),
    ("invalid-request", "req", Refuse(Rule::MethodType), ""),
    ("invalid-request", "res", Accept(Error), ""),
    ("batch-invalid-json", "req", Refuse(Rule::NotJson), ""),
    ("batch-invalid-json", "res", Accept(Error), ""),
    ("batch-empty", "req", Refuse(Rule::Batch), ""),
    ("batch-empty", "res", Accept(Error), ""),
    ("batch-invalid-1", "req", Refuse(Rule::Batch), ""),
    ("batch-invalid-1", "res", Refuse(Rule::Batch), "no batches"),
    ("batch-invalid-3", "req", Refuse(Rule::Batch), ""),
    ("batch-invalid-3", "res", Refuse(Rule::Batch), "no batches"),
    ("batch", "req", Refuse(Rule::Batch), "no batches"),
    ("batch", "res", Refuse(Rule::Batch), "no batches"),
    ("batch-all-notifications", "req", Refuse(Rule::Batch), "no batches"),
];

#[derive(Deserialize)]
struct Row {
    example: String,
    dir: String,
    text: String,
}

#[test]
fn every_example_of_the_json_rpc_specification_is_answered_as_the_table_says() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut tally = Tally::default();
    let rows = corpora.json_lines::<Row>("json/jsonrpc2/spec_examples.jsonl");
    for (row, &(example, dir, decision, _)) in rows.iter().zip(EXAMPLES) {
        let from = if dir == "req" { Sender::Client } else { Sender::Server };
        let text = row.text.as_bytes();
        let by_classify = match decision {
            Accept(kind) => Ok(kind),
            Refuse(rule) => Err(rule.code()),
        };
        let outcome = same(&(&*row.example, &*row.dir), &(example, dir))
            .and_then(|()| same(&check(&mut validator, from, text), &decision))
            .and_then(|()| same(&in_words(classify(text)), &in_words(by_classify)));
        tally.count(&format!("{example} {dir}"), outcome);
    }
    assert_eq!(rows.len(), EXAMPLES.len());
    tally.finish("examples of JSON-RPC 2.0", 27);
}
