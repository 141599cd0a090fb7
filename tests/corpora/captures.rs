//! The captured sessions: stdio streams and HTTP bodies, byte for byte, in many
//! random chunks.

use std::collections::BTreeMap;

use mcparse::{Limits, LineFramer, Policy, Rule, Sender, SseFramer, Stage, Validator};

use crate::framing::{Found, Framer, check, events_by_hand, found};
use crate::http::Http;
use crate::support::{Chance, Corpora, Decision, Tally, same, say};

const LIMIT: usize = Limits::new().message_bytes;
/// Random chunkings of each capture; fewer where the code is not optimised.
const CHUNKINGS: usize = if cfg!(debug_assertions) { 15 } else { 150 };

/// What in the captures is no message: file, rule, and what it is.
type Broken = &'static [(&'static str, Rule, &'static str)];

const BROKEN_LINES: Broken = &[];
const BROKEN_EVENTS: Broken = &[];
/// Requests are judged with their heads in `requests.rs`.
const BROKEN_REQUESTS: Broken = &[];
const BROKEN_RESPONSES: Broken = &[
    ("conformance-x-everything-ts-2026-07-28-http/017.resp.http", Rule::NotJson, TWO),
    ("conformance-x-everything-ts-2026-07-28-http/019.resp.http", Rule::NotJson, TWO),
    ("conformance-x-everything-ts-2026-07-28-http/023.resp.http", Rule::NotJson, TWO),
    ("conformance-x-everything-ts-2026-07-28-http/025.resp.http", Rule::NotJson, TWO),
    ("driver-pyv2-x-everything-ts-2026-07-28-http/034.resp.http", Rule::NotJson, TWO),
    ("driver-pyv2-x-everything-ts-2026-07-28-http/035.resp.http", Rule::NotJson, TWO),
    ("driver-tsv2-x-everything-ts-2026-07-28-http/034.resp.http", Rule::NotJson, TWO),
    (
        "tsv2-story-scoped-tools-2026-07-28-http/001.resp.http",
        Rule::JsonrpcVersion,
        "an OAuth error, from in front of the server",
    ),
];
/// Requests that the tools of the captures sent because they are faulty: rule
/// and how many. `requests.rs` compares what their servers answered.
const FAULTY: &[(Rule, usize)] = &[
    (Rule::MetaMissing, 3),
    (Rule::ProtocolVersionMissing, 3),
    (Rule::ClientCapabilitiesMissing, 5),
    (Rule::UnsupportedVersion, 8),
    (Rule::MissingCapability, 9),
    (Rule::MethodOfOtherRevision, 21),
];
const TWO: &str = "several messages in one JSON body, a line each";

/// Everything that was refused, to be held against a table.
#[derive(Default)]
struct Refused(Vec<(String, Rule)>);

impl Refused {
    fn note(&mut self, file: &str, verdicts: &[Option<Decision>]) {
        for verdict in verdicts {
            if let Some(Decision::Refuse(rule)) = verdict {
                self.0.push((file.to_owned(), *rule));
            }
        }
    }

    /// Prints it. Fails if it is anything else than the rows of the table.
    fn finish(self, table: Broken) {
        for (file, rule) in &self.0 {
            say(format_args!("refused: {file} by {}", rule.id()));
        }
        let rows = table.iter().map(|&(file, rule, _)| (format!("captures/{file}"), rule));
        let expected: Vec<_> = rows.collect();
        assert_eq!(self.0, expected);
    }
}

/// The verdicts on what a framer found.
fn verdicts(validator: &mut Validator, from: Sender, found: &[Found]) -> Vec<Option<Decision>> {
    found.iter().map(|one| one.check(validator, from)).collect()
}

/// Whether a stream gives the same frames and verdicts in any chunks.
fn in_any_chunks<F: Framer>(
    stream: &[u8],
    from: Sender,
    chunkings: &[Vec<usize>],
    validator: &mut Validator,
) -> Result<(Vec<Found>, Vec<Option<Decision>>), String> {
    let whole = found::<F>(stream, &[], LIMIT);
    let expected = verdicts(validator, from, &whole);
    for cuts in chunkings {
        let found = found::<F>(stream, cuts, LIMIT);
        if found != whole {
            return Err(format!("other frames when cut at {cuts:?}"));
        }
        same(&verdicts(validator, from, &found), &expected)?;
    }
    Ok((whole, expected))
}

fn random_chunkings(chance: &mut Chance, len: usize, count: usize) -> Vec<Vec<usize>> {
    (0..count).map(|_| chance.cuts(len)).collect()
}

#[test]
fn stdio_captures_give_the_frames_of_their_lines_in_any_chunks() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut chance = Chance::new(2);
    let (mut tally, mut refused, mut messages) = (Tally::default(), Refused::default(), 0);
    for (ending, from) in [(".c2s.jsonl", Sender::Client), (".s2c.jsonl", Sender::Server)] {
        for file in corpora.files("captures", ending) {
            let stream = corpora.read(&file);
            let chunkings = random_chunkings(&mut chance, stream.len(), CHUNKINGS);
            let outcome = in_any_chunks::<LineFramer>(&stream, from, &chunkings, &mut validator)
                .and_then(|(found, verdicts)| {
                    messages += found.len();
                    refused.note(&file, &verdicts);
                    LineFramer::is_right(&found, &stream)
                });
            tally.count(&file, outcome);
        }
    }
    say(format_args!("{messages} messages on stdio, each capture in {CHUNKINGS} chunkings"));
    tally.finish("stdio captures", 112);
    refused.finish(BROKEN_LINES);
}

#[test]
fn captured_event_streams_give_the_same_messages_in_any_chunks() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut chance = Chance::new(6);
    let (mut tally, mut refused) = (Tally::default(), Refused::default());
    let (mut messages, mut others, mut cut, mut incomplete) = (0, BTreeMap::new(), 0, 0);
    for file in corpora.files("captures", ".resp.http") {
        let http = Http::read(&corpora.read(&file));
        if !http.is("text/event-stream") {
            continue;
        }
        let mut chunkings = random_chunkings(&mut chance, http.body.len(), CHUNKINGS);
        chunkings.push(http.chunk_ends.clone());
        let outcome =
            in_any_chunks::<SseFramer>(&http.body, Sender::Server, &chunkings, &mut validator)
                .and_then(|(found, verdicts)| {
                    refused.note(&file, &verdicts);
                    messages += found.iter().filter_map(Found::message).count();
                    let (events, is_cut) = events_by_hand(&http.body);
                    cut += usize::from(is_cut);
                    for (name, _) in &events {
                        *others.entry(String::from_utf8_lossy(name).into_owned()).or_insert(0) += 1;
                    }
                    SseFramer::is_right(&found, &http.body)
                });
        incomplete += usize::from(!http.is_complete);
        tally.count(&file, outcome);
    }
    say(format_args!(
        "{messages} messages in events, by name {others:?}; {cut} streams cut inside an event, \
         {incomplete} captures incomplete; {CHUNKINGS} chunkings each"
    ));
    tally.finish("captured event streams", 1066);
    refused.finish(BROKEN_EVENTS);
}

#[test]
fn captured_json_bodies_are_refused_only_if_they_are_truly_broken() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    for (ending, from, expected, broken) in [
        (".req.http", Sender::Client, 2106, BROKEN_REQUESTS),
        (".resp.http", Sender::Server, 836, BROKEN_RESPONSES),
    ] {
        let mut refused = Refused::default();
        let mut kinds = BTreeMap::<&str, usize>::new();
        let mut faulty = BTreeMap::<Rule, usize>::new();
        let mut others = BTreeMap::<String, usize>::new();
        for file in corpora.files("captures", ending) {
            let http = Http::read(&corpora.read(&file));
            if http.body.is_empty() || http.is("text/event-stream") {
                continue;
            }
            if !http.is("application/json") {
                *others.entry(http.start.clone()).or_default() += 1;
                continue;
            }
            match check(&mut validator, from, &http.body) {
                Decision::Accept(kind) => *kinds.entry(kind.as_str()).or_default() += 1,
                Decision::Refuse(rule) if rule.stage() > Stage::Envelope => {
                    *faulty.entry(rule).or_default() += 1;
                }
                Decision::Refuse(rule) => refused.0.push((file, rule)),
            }
        }
        let messages = kinds.values().sum::<usize>() + faulty.values().sum::<usize>();
        let bodies = messages + refused.0.len();
        say(format_args!(
            "{bodies} JSON bodies in {ending}: {kinds:?}, faulty requests {faulty:?}; \
             other bodies: {others:?}"
        ));
        assert_eq!(bodies, expected);
        refused.finish(broken);
        let expected = if from == Sender::Client { FAULTY } else { &[] };
        assert_eq!(faulty, expected.iter().copied().collect());
    }
}
