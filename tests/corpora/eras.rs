//! The era of the captured requests, and that of the servers that answered
//! `server/discover`.

use std::collections::BTreeMap;

use mcparse::{Era, Message, Policy, RevisionSet, Rule, Validator};
use serde_json::Value;

use crate::sessions::{Exchange, head};
use crate::support::{Corpora, Tally, same, say};

/// Every exchange whose request carries a message.
fn exchanges(corpora: &Corpora) -> Vec<(Exchange, Value)> {
    let exchanges = Exchange::all(corpora).into_iter().flatten();
    exchanges.filter_map(|exchange| exchange.sent().map(|sent| (exchange, sent))).collect()
}

#[test]
fn the_era_of_a_captured_request_is_that_of_its_metadata() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut tally = Tally::default();
    let mut counts = BTreeMap::<String, usize>::new();
    for (exchange, sent) in exchanges(&corpora) {
        let http = &exchange.request;
        let Ok(Message::Request(request)) = validator.check_http(&head(http), &http.body) else {
            continue;
        };
        let version = &sent["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let wanted = if version.is_null() { Era::Legacy } else { Era::Modern };
        *counts.entry(wanted.to_string()).or_default() += 1;
        let outcome = same(&request.era(), &wanted).and_then(|()| {
            let said = request
                .meta()
                .and_then(|meta| meta.protocol_version())
                .map(|version| Value::from(version.decode()));
            same(&said.unwrap_or_default(), version)
        });
        tally.count(&exchange.name, outcome);
    }
    say(format_args!("captured requests by era: {counts:?}"));
    tally.finish("captured requests of one era", 1759);
    assert_eq!(counts, BTreeMap::from([("legacy".to_owned(), 790), ("modern".to_owned(), 969)]));
}

/// What the captured requests of each era are refused by where only the other is
/// served: rule, code, and how many. A legacy client's `initialize` is told the
/// versions that are served.
const NOT_SERVED: &[(Era, Rule, i32, usize)] = &[
    (Era::Legacy, Rule::MetaMissing, -32602, 437),
    (Era::Legacy, Rule::ProtocolVersionMissing, -32602, 210),
    (Era::Legacy, Rule::UnsupportedVersion, -32022, 143),
    (Era::Modern, Rule::EraNotServed, -32600, 969),
];

#[test]
fn a_captured_request_of_an_era_that_is_not_served_is_refused_as_such() {
    let Some(corpora) = Corpora::find() else { return };
    let mut any = Validator::new(Policy::strict());
    let only = |revisions| Validator::new(Policy::strict().with_revisions(revisions));
    let (mut legacy, mut modern) = (only(RevisionSet::LEGACY), only(RevisionSet::MODERN));
    let mut counts = BTreeMap::<(Era, Rule, i32), usize>::new();
    for (exchange, _) in exchanges(&corpora) {
        let (head, body) = (head(&exchange.request), &exchange.request.body);
        let Ok(Message::Request(request)) = any.check_http(&head, body) else { continue };
        let other = match request.era() {
            Era::Legacy => &mut modern,
            Era::Modern => &mut legacy,
        };
        let violation = other.check_http(&head, body).expect_err(&exchange.name);
        assert_eq!(violation.http_status(), 400, "{}", exchange.name);
        let how = (request.era(), violation.rule(), violation.code().get());
        *counts.entry(how).or_default() += 1;
    }
    say(format_args!("refused where only the other era is served: {counts:?}"));
    let expected = NOT_SERVED.iter().map(|&(era, rule, code, count)| ((era, rule, code), count));
    assert_eq!(counts, expected.collect());
}

/// What modern servers answered to `server/discover`, by the status and the
/// code, with the era that a client reads from it, and how often. An error that
/// legacy servers know too says nothing of the era.
const DISCOVERED: &[(u16, Option<i64>, Era, usize)] = &[
    (200, None, Era::Modern, 53),
    (400, Some(-32602), Era::Legacy, 9),
    (400, Some(-32022), Era::Modern, 4),
    (400, Some(-32020), Era::Modern, 3),
    (401, None, Era::Legacy, 1),
    (403, None, Era::Legacy, 3),
    (403, Some(-32000), Era::Legacy, 2),
];

#[test]
fn the_era_of_a_server_is_told_by_its_answer_to_discover() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut found = Vec::new();
    for (exchange, sent) in exchanges(&corpora) {
        let (Some(response), true) = (&exchange.response, sent["method"] == "server/discover")
        else {
            continue;
        };
        let body = response.messages().into_iter().next().unwrap_or_default();
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        let code = answer["error"]["code"].as_i64();
        found.push((response.status(), code, validator.era_of_answer(&body)));
    }
    for &(status, code, era, count) in DISCOVERED {
        let row = (status, code, era);
        assert_eq!(found.iter().filter(|&&one| one == row).count(), count, "{row:?}");
    }
    let all = DISCOVERED.iter().map(|row| row.3).sum::<usize>();
    say(format_args!("{all} answers to server/discover"));
    assert_eq!(found.len(), all);
}
