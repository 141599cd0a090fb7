//! Everything here that is a message, in chunks: cut at every place if it is short,
//! byte by byte, and at places drawn; `finish` says what `check` says of the whole.

use mcparse::{Body, Policy, RequestHead, Sender, Validator};
use serde::Deserialize;

use crate::cases::Case;
use crate::http_cases::table;
use crate::same::Sent;
use crate::sessions::{Exchange, head};
use crate::support::{Chance, Corpora, say};

/// What cuts messages, and what they are judged by.
struct Cutter {
    validators: [Validator; 2],
    /// With the same policies, by the tape lane alone.
    tapes: [Validator; 2],
    /// One for all: what a message leaves behind must not change the next.
    body: Body,
    chance: Chance,
    messages: usize,
    ways: usize,
}

impl Cutter {
    fn new() -> Self {
        Self {
            validators: [Policy::strict(), Policy::observe()].map(Validator::new),
            tapes: [Policy::strict(), Policy::observe()].map(Validator::with_tape_alone),
            body: Body::new(),
            chance: Chance::new(1),
            messages: 0,
            ways: 0,
        }
    }

    /// Cuts `message` in many ways.
    fn cut(&mut self, from: Sender, head: Option<&RequestHead<'_>>, message: &[u8]) {
        let sent = Sent { from, head, message };
        let len = message.len();
        self.messages += 1;
        let mut ways: Vec<Vec<usize>> = Vec::new();
        if len <= 200 {
            ways.extend((0..=len).map(|cut| vec![cut]));
        }
        if len <= 4096 {
            ways.push((1..len).collect());
        }
        ways.push((0..len).step_by(64).collect());
        ways.push((0..len).step_by(1460).collect());
        for _ in 0..3 {
            let cuts = self.chance.cuts(len);
            // As many reads of as much as 64 KB each would take minutes.
            ways.push(cuts.into_iter().take(4096).collect());
        }
        for (validator, tape) in self.validators.iter_mut().zip(&mut self.tapes) {
            let text = message.escape_ascii();
            assert_eq!(sent.whole(tape), sent.whole(validator), "the lanes differ on {text}");
        }
        for cuts in ways {
            for validator in &mut self.validators {
                sent.same_in_pieces(validator, &mut self.body, &cuts);
                self.ways += 1;
            }
        }
    }

    fn finish(self, what: &str, expected: usize) {
        say(format_args!("{} {what} in chunks, in {} ways", self.messages, self.ways));
        assert_eq!(self.messages, expected, "messages of {what}");
    }
}

#[test]
fn every_case_is_judged_in_chunks_as_a_whole() {
    let Some(corpora) = Corpora::find() else { return };
    let mut cutter = Cutter::new();
    for case in Case::all_of(&corpora, "message") {
        for from in [Sender::Client, Sender::Server] {
            cutter.cut(from, None, &case.input());
        }
    }
    cutter.finish("cases", 262);
    let mut cutter = Cutter::new();
    for case in Case::all_of(&corpora, "http-request") {
        let body = case.input();
        let table = table(&case, &body);
        let headers = case.headers.iter().map(|(name, value)| (name, value));
        let head = RequestHead::new("POST", headers).with_param_headers(&table);
        cutter.cut(Sender::Client, Some(&head), &body);
    }
    cutter.finish("cases over HTTP", 36);
}

#[derive(Deserialize)]
struct Row {
    dir: String,
    text: String,
}

#[test]
fn every_real_message_is_judged_in_chunks_as_a_whole() {
    let Some(corpora) = Corpora::find() else { return };
    let mut cutter = Cutter::new();
    for Row { dir, text } in corpora.json_lines::<Row>("messages.jsonl") {
        let from = if dir == "c2s" { Sender::Client } else { Sender::Server };
        cutter.cut(from, None, text.as_bytes());
    }
    cutter.finish("real messages", 3226);
}

#[test]
fn every_text_of_the_json_suite_is_judged_in_chunks_as_a_whole() {
    let Some(corpora) = Corpora::find() else { return };
    let mut cutter = Cutter::new();
    for file in corpora.files("json/JSONTestSuite/test_parsing", ".json") {
        let text = corpora.read(file);
        let before = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"#;
        cutter.cut(Sender::Client, None, &text);
        cutter.cut(Sender::Client, None, &[&before[..], &text, b"}}"].concat());
    }
    cutter.finish("texts of the JSON suite", 2 * 318);
}

#[test]
fn every_official_example_is_judged_in_chunks_as_a_whole() {
    let Some(corpora) = Corpora::find() else { return };
    let mut cutter = Cutter::new();
    for file in corpora.files("mcp/2026-07-28/examples", ".json") {
        for from in [Sender::Client, Sender::Server] {
            cutter.cut(from, None, &corpora.read(&file));
        }
    }
    cutter.finish("official examples", 258);
}

#[test]
fn every_captured_request_is_judged_in_chunks_with_its_head_as_a_whole() {
    let Some(corpora) = Corpora::find() else { return };
    let mut cutter = Cutter::new();
    for Exchange { request, .. } in Exchange::all(&corpora).iter().flatten() {
        let head = head(request);
        cutter.cut(Sender::Client, Some(&head), &request.body);
    }
    cutter.finish("captured requests", 2346);
}
