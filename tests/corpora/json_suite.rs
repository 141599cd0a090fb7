//! `JSONTestSuite`: what is JSON and what is not, as a whole message and deep
//! inside one; and what we do where RFC 8259 leaves it open.

use mcparse::{ErrorCode, Kind, Policy, Rule, Sender, Validator, classify};

use crate::framing::check;
use crate::support::{Corpora, Decision, Tally, same};

const SUITE: &str = "json/JSONTestSuite/test_parsing";

/// The texts that RFC 8259 lets a parser accept or refuse: name, the rule that
/// we refuse the text by, reason. An array of them is a batch, and an object
/// has no version: those we take for JSON.
const OPEN: &[(&str, Rule, &str)] = &[
    ("number_double_huge_neg_exp", Rule::Batch, "numbers of any size are JSON"),
    ("number_huge_exp", Rule::Batch, "numbers of any size are JSON"),
    ("number_neg_int_huge_exp", Rule::Batch, "numbers of any size are JSON"),
    ("number_pos_double_huge_exp", Rule::Batch, "numbers of any size are JSON"),
    ("number_real_neg_overflow", Rule::Batch, "numbers of any size are JSON"),
    ("number_real_pos_overflow", Rule::Batch, "numbers of any size are JSON"),
    ("number_real_underflow", Rule::Batch, "numbers of any size are JSON"),
    ("number_too_big_neg_int", Rule::Batch, "numbers of any size are JSON"),
    ("number_too_big_pos_int", Rule::Batch, "numbers of any size are JSON"),
    ("number_very_big_negative_int", Rule::Batch, "numbers of any size are JSON"),
    ("object_key_lone_2nd_surrogate", Rule::UnpairedSurrogate, "stands for no character"),
    ("string_1st_surrogate_but_2nd_missing", Rule::UnpairedSurrogate, "stands for no character"),
    ("string_1st_valid_surrogate_2nd_invalid", Rule::UnpairedSurrogate, "stands for no character"),
    ("string_UTF-16LE_with_BOM", Rule::NotUtf8, "UTF-8 only; the cause names UTF-16"),
    ("string_UTF-8_invalid_sequence", Rule::NotUtf8, "UTF-8 only"),
    ("string_UTF8_surrogate_U+D800", Rule::NotUtf8, "a surrogate as bytes is not UTF-8"),
    (
        "string_incomplete_surrogate_and_escape_valid",
        Rule::UnpairedSurrogate,
        "stands for no character",
    ),
    ("string_incomplete_surrogate_pair", Rule::UnpairedSurrogate, "stands for no character"),
    (
        "string_incomplete_surrogates_escape_valid",
        Rule::UnpairedSurrogate,
        "stands for no character",
    ),
    ("string_invalid_lonely_surrogate", Rule::UnpairedSurrogate, "stands for no character"),
    ("string_invalid_surrogate", Rule::UnpairedSurrogate, "stands for no character"),
    ("string_invalid_utf-8", Rule::NotUtf8, "UTF-8 only"),
    ("string_inverted_surrogates_U+1D11E", Rule::UnpairedSurrogate, "stands for no character"),
    ("string_iso_latin_1", Rule::NotUtf8, "UTF-8 only"),
    ("string_lone_second_surrogate", Rule::UnpairedSurrogate, "stands for no character"),
    ("string_lone_utf8_continuation_byte", Rule::NotUtf8, "UTF-8 only"),
    ("string_not_in_unicode_range", Rule::NotUtf8, "beyond U+10FFFF is not UTF-8"),
    ("string_overlong_sequence_2_bytes", Rule::NotUtf8, "overlong forms are not UTF-8"),
    ("string_overlong_sequence_6_bytes", Rule::NotUtf8, "overlong forms are not UTF-8"),
    ("string_overlong_sequence_6_bytes_null", Rule::NotUtf8, "overlong forms are not UTF-8"),
    ("string_truncated-utf-8", Rule::NotUtf8, "UTF-8 only"),
    ("string_utf16BE_no_BOM", Rule::NotUtf8, "UTF-8 only; the cause names UTF-16"),
    ("string_utf16LE_no_BOM", Rule::NotUtf8, "UTF-8 only; the cause names UTF-16"),
    ("structure_500_nested_arrays", Rule::Batch, "within the depth limit of 512"),
    ("structure_UTF-8_BOM_empty_object", Rule::Bom, "RFC 8259 forbids senders to add it"),
];

/// The texts of the suite whose names start so, with their names.
fn texts(corpora: &Corpora, start: &str) -> Vec<(String, Vec<u8>)> {
    let name = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or_default().strip_suffix(".json");
        name.and_then(|name| name.strip_prefix(start)).map(str::to_owned)
    };
    let files = corpora.files(SUITE, ".json");
    files.iter().filter_map(|file| Some((name(file)?, corpora.read(file)))).collect()
}

/// A request with `text` deep in its params.
fn inside_a_request(text: &[u8]) -> Vec<u8> {
    let head =
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","arguments":{"v":"#;
    [&head[..], text, b"}}}"].concat()
}

#[test]
fn what_is_json_is_never_called_otherwise() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut tally = Tally::default();
    for (name, text) in texts(&corpora, "y_") {
        let inside = check(&mut validator, Sender::Client, &inside_a_request(&text));
        let outcome = same(&classify(&text), &Err(ErrorCode::INVALID_REQUEST))
            .and_then(|()| same(&inside, &Decision::Accept(Kind::Request)));
        tally.count(&name, outcome);
    }
    tally.finish("texts that are JSON", 95);
}

#[test]
fn what_is_not_json_is_never_taken_for_it() {
    let Some(corpora) = Corpora::find() else { return };
    let mut tally = Tally::default();
    for (name, text) in texts(&corpora, "n_") {
        let outcome = same(&classify(&text), &Err(ErrorCode::PARSE_ERROR))
            .and_then(|()| same(&classify(&inside_a_request(&text)), &Err(ErrorCode::PARSE_ERROR)));
        tally.count(&name, outcome);
    }
    tally.finish("texts that are not JSON", 188);
}

#[test]
fn what_the_standard_leaves_open_is_decided() {
    let Some(corpora) = Corpora::find() else { return };
    let mut validator = Validator::new(Policy::strict());
    let mut tally = Tally::default();
    for (name, text) in texts(&corpora, "i_") {
        let row = OPEN.iter().find(|(known, ..)| *known == name);
        let got = check(&mut validator, Sender::Client, &text);
        let outcome = match row {
            Some(&(_, rule, _)) => same(&got, &Decision::Refuse(rule)),
            None => Err("not in the table".to_owned()),
        };
        let outcome = outcome.and_then(|()| {
            let code = row.map_or(ErrorCode::PARSE_ERROR, |(_, rule, _)| rule.code());
            same(&classify(&text), &Err(code))
        });
        tally.count(&name, outcome);
    }
    tally.finish("texts that the standard leaves open", OPEN.len());
}
