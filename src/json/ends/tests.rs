//! Where strings end and whether they are JSON, as every kernel of this machine
//! finds it, held against a plain model byte by byte: whole, and as the bytes come.
//!
//! What is promised: the closing quotes up to the first broken string, one behind
//! the other, and whether any string is broken or the text is not UTF-8. Behind a
//! backslash outside of all strings nothing is promised, since the scan refuses it;
//! there only the kernels must agree, so that no verdict depends on the processor.

#[cfg(unix)]
mod guarded;
mod model;
mod texts;

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::json::blocks::tests::stride;
use model::{Model, Outcome};
use texts::Draw;

/// All that can be told of a message once it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    ends: Vec<usize>,
    are_json: bool,
    has_backslash: bool,
    has_high: bool,
}

impl Found {
    fn by(ends: &mut Ends, message: &[u8], found: Vec<usize>) -> Self {
        Self {
            ends: found,
            are_json: ends.are_json(message),
            has_backslash: ends.has_backslash(),
            has_high: ends.has_high,
        }
    }
}

/// Takes ends until there are no more.
fn drain(ends: &mut Ends, message: &[u8], found: &mut Vec<usize>) {
    loop {
        match ends.next(message) {
            Ok(end) => found.push(end),
            Err(stop) => {
                assert_eq!(stop, Stop::More, "{}", message.escape_ascii());
                return;
            }
        }
        assert!(found.len() <= message.len(), "endless: {}", message.escape_ascii());
    }
}

/// For each kernel, what was used for a message of which much is still due.
static USED: LazyLock<Vec<Ends>> = LazyLock::new(|| {
    let mut message = br#""","e", "#.repeat(7);
    message.extend_from_slice("\"\u{e9}\x01".as_bytes());
    message.resize(250, b'.');
    message.extend_from_slice(br"\ud83d");
    let mut used: Vec<_> = Kernel::all().into_iter().map(Ends::new).collect();
    for ends in &mut used {
        ends.restart(false);
        drain(ends, &message, &mut Vec::new());
        assert!(ends.escape.is_due() && ends.inside != 0 && ends.is_broken && ends.has_high);
        ends.resume(200);
    }
    used
});

/// Reads all of `message` at once.
fn whole(ends: &mut Ends, message: &[u8]) -> Found {
    ends.restart(true);
    let mut found = Vec::new();
    drain(ends, message, &mut found);
    Found::by(ends, message, found)
}

/// Reads `message` as it grows from each of `cuts` to the next. What is read again
/// from somewhere between two strings, `resume` decides, of so many bytes between.
fn streamed(
    ends: &mut Ends,
    message: &[u8],
    cuts: impl IntoIterator<Item = usize>,
    model: &Model,
    mut resume: impl FnMut(usize) -> usize,
) -> Found {
    ends.restart(false);
    let mut found = Vec::new();
    for cut in cuts {
        drain(ends, &message[..cut], &mut found);
        if model.outcome == Outcome::Good {
            let come = model.strings.iter().filter(|&&(_, end)| end < cut).count();
            assert_eq!(found.len(), come, "at {cut}: {}", message.escape_ascii());
            let has_backslash = message[..cut].contains(&b'\\');
            assert_eq!(ends.has_backslash(), has_backslash, "{}", message.escape_ascii());
        }
        let behind = found.last().map_or(0, |last| last + 1);
        let gap = match model.outcome {
            Outcome::Good => model.gap(found.len(), message.len()).min(cut - behind),
            _ => 0,
        };
        ends.resume(behind + resume(gap).min(gap));
    }
    drain(ends, message, &mut found);
    Found::by(ends, message, found)
}

/// Whether `found` is what the model says.
fn agree(found: &Found, message: &[u8], model: &Model, how: impl std::fmt::Display) {
    let text = message.escape_ascii();
    let ends = model.ends();
    match model.outcome {
        Outcome::Good => {
            assert_eq!(found.ends, ends, "{how}: {text}");
            assert_eq!(found.are_json, std::str::from_utf8(message).is_ok(), "{how}: {text}");
            assert_eq!(found.has_backslash, message.contains(&b'\\'), "{how}: {text}");
            assert_eq!(found.has_high, !message.is_ascii(), "{how}: {text}");
        }
        Outcome::Broken => {
            assert!(found.ends.starts_with(&ends), "{how}: {found:?}, not {ends:?}: {text}");
            assert!(!found.are_json, "{how}: {text}");
        }
        Outcome::Stray => {
            assert!(found.ends.starts_with(&ends), "{how}: {found:?}, not {ends:?}: {text}");
        }
    }
}

/// Every kernel finds the same in all of `message`, and that is right.
fn hold_whole(message: &[u8]) -> Model {
    let model = Model::of(message);
    let mut first = None;
    for mut ends in USED.iter().cloned() {
        let kernel = ends.kernel;
        let found = whole(&mut ends, message);
        agree(&found, message, &model, format_args!("{kernel:?}"));
        hold_without_more(&mut ends, message, &found);
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(*first, found, "{kernel:?}: {}", message.escape_ascii());
    }
    model
}

/// The scan does not look for an end behind the last, if it does not meet another
/// quote: the verdict must be there already.
fn hold_without_more(ends: &mut Ends, message: &[u8], found: &Found) {
    let behind = &message[found.ends.last().map_or(0, |last| last + 1)..];
    if behind.iter().any(|&byte| matches!(byte, b'"' | b'\\' | 0x80..)) {
        return;
    }
    ends.restart(true);
    for end in &found.ends {
        assert_eq!(ends.next(message), Ok(*end));
    }
    assert_eq!(ends.are_json(message), found.are_json, "no more: {}", message.escape_ascii());
}

/// Every kernel finds the same in `message` as it comes, and that is right.
fn hold_streamed(message: &[u8], model: &Model, cuts: &[usize], draw: &mut Draw) {
    let mut first = None;
    let seed = draw.below(usize::MAX) as u64;
    for mut ends in USED.iter().cloned() {
        let kernel = ends.kernel;
        let mut draw = Draw(seed);
        let cuts = cuts.iter().copied();
        let found = streamed(&mut ends, message, cuts, model, |gap| draw.below(gap + 1));
        agree(&found, message, model, format_args!("{kernel:?}, streamed"));
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(*first, found, "{kernel:?}, streamed: {}", message.escape_ascii());
    }
}

/// `message` whole, cut at every single place near `near` and twice, and byte by byte.
fn hold_cut(message: &[u8], near: std::ops::Range<usize>, draw: &mut Draw) {
    let model = hold_whole(message);
    for cut in near.start..near.end.min(message.len() + 1) {
        hold_streamed(message, &model, &[cut], draw);
    }
    let cuts: Vec<_> = near.filter(|&cut| cut <= message.len()).collect();
    hold_streamed(message, &model, &cuts, draw);
}

#[test]
fn every_length_at_every_alignment_is_read_as_the_model_reads_it() {
    let mut draw = Draw(1);
    let mut buffer = vec![0; 512];
    let mut seen = [0; 3];
    for case in (0..301 * 64).step_by(stride()) {
        let (len, alignment) = (case / 64, case % 64);
        let text = if case % 7 == 0 { draw.noise(len) } else { draw.text(len) };
        let start = buffer.as_ptr().align_offset(64) + alignment;
        buffer.fill(b"\"\\\n\xff"[draw.below(4)]);
        buffer[start..start + len].copy_from_slice(&text);
        let message = &buffer[start..start + len];
        assert_eq!(message.as_ptr().addr() % 64, alignment);
        seen[hold_whole(message).outcome as usize] += 1;
    }
    // The texts are of each kind, so that something is tried.
    assert!(stride() > 1 || seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn a_text_cut_at_any_place_is_read_as_if_it_were_whole() {
    let mut draw = Draw(2);
    for len in (0..301).step_by(stride()) {
        let text = draw.text(len);
        hold_cut(&text, 0..len + 1, &mut draw);
    }
}

#[test]
fn a_text_cut_at_many_places_is_read_as_if_it_were_whole() {
    let mut draw = Draw(3);
    for _ in (0..3000).step_by(stride()) {
        let len = draw.below(1000);
        let text = draw.text(len);
        let model = hold_whole(&text);
        let mut cuts: Vec<_> = (0..draw.below(30)).map(|_| draw.below(len + 1)).collect();
        cuts.sort_unstable();
        hold_streamed(&text, &model, &cuts, &mut draw);
    }
}

/// Calls `each` with every text of `len` pieces.
fn texts(pieces: &[&[u8]], len: u32, mut each: impl FnMut(&[u8])) {
    let mut text = Vec::new();
    for case in (0..pieces.len().pow(len)).step_by(stride()) {
        text.clear();
        let mut rest = case;
        for _ in 0..len {
            text.extend_from_slice(pieces[rest % pieces.len()]);
            rest /= pieces.len();
        }
        each(&text);
    }
}

#[test]
fn every_short_text_of_the_bytes_that_matter_is_read_right() {
    let bytes: [&[u8]; 5] = [b"\"", b"\\", b"u", b"d", b"\x1f"];
    for len in 0..=6 {
        texts(&bytes, len, |text| drop(hold_whole(text)));
    }
    let mut draw = Draw(9);
    texts(&bytes, 4, |text| hold_cut(text, 0..5, &mut draw));
    let digits: [&[u8]; 8] = [b"d", b"D", b"8", b"b", b"c", b"0", b"g", b"\""];
    texts(&digits, 4, |text| drop(hold_whole(&[br#""\u"#, text, br#"""#].concat())));
    texts(&digits, 4, |text| drop(hold_whole(&[br#""\ud83d\u"#, text, br#"""#].concat())));
}

/// `text` as it stands `before` bytes into a string.
fn placed(text: &[u8], before: usize) -> Vec<u8> {
    // With an end in the first block, the first window begins there.
    let mut message = br#""","#.to_vec();
    message.resize(before, b'.');
    message.insert(3, b'"');
    message.extend_from_slice(text);
    message.extend_from_slice(br#"" , "z""#);
    message
}

#[test]
fn escapes_across_the_end_of_a_block_or_a_window_are_read_right() {
    let pieces: [&[u8]; 8] =
        [br"\ud83d", br"\uDE00", br"\u0041", br"\\", br#"\""#, b"\"", b"uddd", b"\x1f"];
    texts(&pieces, 3, |text| {
        for end in [64, 256] {
            for before in end - text.len() - 2..end + 2 {
                hold_whole(&placed(text, before));
            }
        }
    });
}

/// What may stand in a string or not, closed or not.
const CASES: [&[u8]; 24] = [
    br#"\ud83d\ude00\"\\\u00e9\\\\\" "#,
    br#"\ud83d\ude00""#,
    br#"\ud83d""#,
    br#"\ud83d"}"#,
    br#"\ud83d" "#,
    br#"\ud83d",          "}"#,
    br"\ud83d",
    br"\ud83d\",
    br"\ud83d\u",
    br"\ud83d\ud",
    br"\ud83d\ude",
    br"\ud83d\ude0",
    br"\ud83d\udbff",
    br#"\ude00""#,
    br#"\u12"4""#,
    br#"\u123g""#,
    br"\u",
    br"\u1",
    br"\u123",
    br#"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"}"#,
    br#"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"}"#,
    br#"""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""""#,
    b"\x1f\"",
    "é\"".as_bytes(),
];

#[test]
fn what_breaks_a_string_is_found_at_every_place() {
    let mut draw = Draw(4);
    for before in (3..600).step_by(stride()) {
        for case in CASES {
            for is_alone in [false, true] {
                let mut message = placed(case, before);
                if is_alone {
                    message.truncate(before + 1 + case.len());
                }
                let model = hold_whole(&message);
                let cut = before + draw.below(message.len() - before);
                hold_streamed(&message, &model, &[cut, cut + 1], &mut draw);
            }
        }
    }
}

#[test]
fn what_breaks_a_string_is_found_however_it_is_cut() {
    let mut draw = Draw(5);
    for before in [3, 20, 50, 60, 64, 120, 240, 250, 256, 300].into_iter().step_by(stride().min(4))
    {
        for case in CASES.into_iter().step_by(stride().min(4)) {
            let message = placed(case, before);
            hold_cut(&message, before.saturating_sub(2)..message.len(), &mut draw);
        }
    }
}

#[test]
fn every_kind_of_code_unit_is_told_alone_and_in_a_pair() {
    for unit in (0..=0xffff_u16).filter(|unit| matches!(unit & 0xff, 0 | 0x3d | 0xff)) {
        for unit in [format!("\\u{unit:04x}"), format!("\\u{unit:04X}")] {
            for message in [
                format!("[\"{unit}\"]"),
                format!("[\"\\ud83d{unit}\"]"),
                format!("[\"{unit}\\ude00\"]"),
            ] {
                hold_whole(message.as_bytes());
            }
        }
    }
}

#[test]
fn what_is_not_ascii_is_found_at_every_place() {
    let mut draw = Draw(10);
    for at in (1..400).step_by(stride()) {
        for odd in [&b"\xc3\xa9"[..], b"\xff", b"\x80", b"\x7f"] {
            for len in [402, 448, 450] {
                let mut message = vec![b'.'; len];
                (message[0], message[len - 1]) = (b'"', b'"');
                message[at..at + odd.len()].copy_from_slice(odd);
                let model = hold_whole(&message);
                let cuts = [at, at + draw.below(len - at)];
                hold_streamed(&message, &model, &cuts, &mut draw);
            }
        }
    }
}

/// A long text of strings, at most one place of it odd, and where it is cut.
fn long() -> impl Strategy<Value = (Vec<u8>, Vec<usize>)> {
    let piece = prop_oneof![
        4 => "[ !#-\\[\\]-~]{0,20}",
        2 => r#"\\["\\/bfnrt]"#,
        1 => r"\\u[0-9a-cA-CefEF][0-9a-fA-F]{3}",
        1 => r"\\u[dD][89abAB][0-9a-f]{2}\\u[dD][c-fC-F][0-9a-f]{2}",
        1 => "[^\\x00-\\x1f\"\\\\]{0,80}",
    ];
    let string = vec(piece, 0..12).prop_map(|pieces| format!("\"{}\", ", pieces.concat()));
    let odd = (any::<prop::sample::Index>(), vec(any::<u8>(), 0..3));
    (vec(string, 0..30), odd).prop_flat_map(|(strings, (at, odd))| {
        let mut text = strings.concat().into_bytes();
        let at = at.index(text.len() + 1);
        text.splice(at..at, odd);
        let len = text.len();
        (Just(text), vec(0..=len, 0..20))
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: u32::try_from(256 / stride()).unwrap_or(0).max(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn long_texts_are_read_as_the_model_reads_them((text, mut cuts) in long(), seed: u64) {
        let model = hold_whole(&text);
        cuts.sort_unstable();
        hold_streamed(&text, &model, &cuts, &mut Draw(seed));
    }
}
