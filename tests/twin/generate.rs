//! Messages near the truth table, drawn from a string of bytes.
//!
//! Each byte is one choice and 0 is always the plain one, so that proptest
//! shrinks to plain messages, and a fuzzer can steer by the same bytes.

use super::generate_calls::call;
use super::words::{
    ERROR, META, METHODS, NAMES, NAUGHTY, NAUGHTY_NAMES, NOT_NUMBERS, NUMBERS, PARAMS, RESULT,
    ROUND, SCALARS, SPACE, TEXT,
};

/// The choices that are left; when they are used up, every one is 0.
pub(crate) struct Draw<'d> {
    left: &'d [u8],
}

impl<'d> Draw<'d> {
    pub(crate) fn new(choices: &'d [u8]) -> Self {
        Self { left: choices }
    }

    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.left.split_first() else { return 0 };
        self.left = rest;
        first
    }

    /// A number below `n`, which is at most 256.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// True once in `n` times, and never when the choices are used up.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }
}

/// A member before it is written: its name with quotes, and its value.
pub(crate) type Written = (String, String);

/// A message: usually a good one, with something odd about it or not.
pub(crate) fn message(draw: &mut Draw<'_>) -> String {
    if draw.once_in(24) {
        let value =
            if draw.once_in(3) { format!("[{}]", object_message(draw)) } else { value(draw, 3) };
        return around(draw, &value);
    }
    let object = if draw.once_in(2) { call(draw) } else { object_message(draw) };
    around(draw, &object)
}

fn around(draw: &mut Draw<'_>, value: &str) -> String {
    let bom = if draw.once_in(40) { "\u{feff}" } else { "" };
    let behind = if draw.once_in(40) {
        draw.pick(&["}", "{}", "x", "\u{0}", ",", "\u{feff}", "null"])
    } else {
        ""
    };
    format!("{bom}{}{value}{}{behind}", draw.pick(SPACE), draw.pick(SPACE))
}

fn object_message(draw: &mut Draw<'_>) -> String {
    let shape = draw.below(9);
    let odd = |draw: &mut Draw<'_>| shape == 8 && draw.once_in(2);
    let [mut members, mut spare] = [Vec::new(), Vec::new()];
    let mut member = |name: &str, value: String, is_there: bool| {
        let list = if is_there { &mut members } else { &mut spare };
        list.push((name.to_owned(), value));
    };
    member("jsonrpc", version(draw), !draw.once_in(24));
    member("id", id(draw), matches!(shape, 0 | 2..=6) != draw.once_in(16) || odd(draw));
    member("method", method(draw), matches!(shape, 0 | 1 | 5 | 7) || odd(draw));
    member(
        "params",
        inner(draw, PARAMS),
        matches!(shape, 0 | 1 | 7) != draw.once_in(4) || odd(draw),
    );
    member("result", inner(draw, RESULT), matches!(shape, 2 | 4 | 5) || odd(draw));
    member(
        "error",
        error(draw),
        matches!(shape, 3 | 6 | 7) || shape == 4 && draw.once_in(2) || odd(draw),
    );
    // A member more, seldom: given twice, or one that should not be there.
    if draw.once_in(6) {
        let again = draw.below(6);
        let all: Vec<_> = members.iter().chain(&spare).cloned().collect();
        let (name, mut value) = all[again].clone();
        if draw.once_in(2) {
            value = self::value(draw, 2);
        }
        members.push((name, value));
    }
    if draw.once_in(8) {
        members.push((draw.pick(NAMES).to_owned(), value(draw, 3)));
    }
    let members = members.into_iter().map(|(name, value)| (spelled(draw, &name), value)).collect();
    object(draw, members)
}

fn version(draw: &mut Draw<'_>) -> String {
    if !draw.once_in(10) {
        return "\"2.0\"".to_owned();
    }
    let odd = [
        "\"\\u0032.0\"",
        "\"2\\u002e0\"",
        "\"1.0\"",
        "2.0",
        "2",
        "\"2.0 \"",
        "\"2.0\\u0000\"",
        "\"\\\\u0032.0\"",
    ];
    match draw.below(odd.len() + 1) {
        0 => value(draw, 1),
        other => odd[other - 1].to_owned(),
    }
}

pub(crate) fn id(draw: &mut Draw<'_>) -> String {
    match draw.below(12) {
        0..=4 => draw.pick(ROUND).to_owned(),
        5 | 6 => string(draw),
        7 | 8 => number(draw),
        9 => "null".to_owned(),
        10 => draw.pick(SCALARS).to_owned(),
        _ => value(draw, 1),
    }
}

fn method(draw: &mut Draw<'_>) -> String {
    match draw.below(16) {
        14 => string(draw),
        15 => value(draw, 1),
        _ => format!("\"{}\"", draw.pick(METHODS)),
    }
}

fn error(draw: &mut Draw<'_>) -> String {
    if draw.once_in(3) {
        return inner(draw, ERROR);
    }
    let code = if draw.once_in(4) { number(draw) } else { draw.pick(ROUND).to_owned() };
    let text = string(draw);
    let mut members = vec![("code".to_owned(), code), ("message".to_owned(), text)];
    if draw.once_in(3) {
        members.push((draw.pick(ERROR).to_owned(), value(draw, 2)));
    }
    let members = members.into_iter().map(|(name, value)| (spelled(draw, &name), value)).collect();
    object(draw, members)
}

/// What `params`, `result` or `error` holds: usually an object whose members
/// have known names, `_meta` among them.
fn inner(draw: &mut Draw<'_>, names: &[&str]) -> String {
    if draw.once_in(12) {
        return value(draw, 2);
    }
    let members = (0..draw.below(5))
        .map(|_| {
            let name = draw.pick(names);
            let value = match name {
                "_meta" if !draw.once_in(8) => {
                    let members = (0..draw.below(5))
                        .map(|_| {
                            let name = draw.pick(META);
                            (spelled(draw, name), value(draw, 1))
                        })
                        .collect();
                    object(draw, members)
                }
                "name" | "uri" | "taskId" if !draw.once_in(4) => string(draw),
                _ => value(draw, 3),
            };
            (spelled(draw, name), value)
        })
        .collect();
    object(draw, members)
}

/// Writes an object, seldom in another order.
fn object(draw: &mut Draw<'_>, mut members: Vec<Written>) -> String {
    if draw.once_in(3) {
        for last in (1..members.len()).rev() {
            members.swap(last, draw.below(last + 1));
        }
    }
    let members: Vec<String> = members
        .iter()
        .map(|(name, value)| {
            let [a, b, c, d] = [(); 4].map(|()| draw.pick(SPACE));
            format!("{a}{name}{b}:{c}{value}{d}")
        })
        .collect();
    let empty = if members.is_empty() { draw.pick(SPACE) } else { "" };
    format!("{{{empty}{}}}", members.join(","))
}

/// A name in quotes: as it is, with escapes, or only looking like it.
pub(crate) fn spelled(draw: &mut Draw<'_>, name: &str) -> String {
    let escape = |letter: char| {
        let mut units = [0; 2];
        let units = letter.encode_utf16(&mut units).iter();
        units.fold(String::new(), |text, unit| format!("{text}\\u{unit:04x}"))
    };
    let written: String = match draw.below(40) {
        30..=32 => name.chars().map(escape).collect(),
        33..=36 => {
            let chosen = draw.below(name.len().max(1));
            let one =
                |(at, letter)| if at == chosen { escape(letter) } else { String::from(letter) };
            name.chars().enumerate().map(one).collect()
        }
        37 => name.to_uppercase(),
        38 => match draw.below(4) {
            0 => name.replace('s', "\u{17f}").replace('k', "\u{212a}"),
            1 => name.replace('s', "\\u017f").replace('k', "\\u212A"),
            2 => format!("{name}\\u0000"),
            _ => format!("{name}\\u0000\\u0000"),
        },
        39 => {
            let chosen = draw.below(name.len().max(1));
            let toggled = |letter: char| {
                if letter.is_ascii_uppercase() {
                    letter.to_ascii_lowercase()
                } else {
                    letter.to_ascii_uppercase()
                }
            };
            let one = |(at, letter)| if at == chosen { toggled(letter) } else { letter };
            name.chars().enumerate().map(one).collect()
        }
        _ => name.to_owned(),
    };
    format!("\"{written}\"")
}

/// Any JSON value, a few levels deep; seldom not quite JSON.
pub(crate) fn value(draw: &mut Draw<'_>, levels: usize) -> String {
    match draw.below(if levels == 0 { 8 } else { 14 }) {
        0..=2 => draw.pick(SCALARS).to_owned(),
        3 | 4 => number(draw),
        5..=7 => string(draw),
        8 | 9 => {
            let parts: Vec<_> = (0..draw.below(4)).map(|_| value(draw, levels - 1)).collect();
            let space = draw.pick(SPACE);
            format!("[{space}{}]", parts.join(","))
        }
        10 if draw.once_in(6) => nested(draw),
        _ => {
            let names = if draw.once_in(12) { NAUGHTY_NAMES } else { NAMES };
            let members = (0..draw.below(4))
                .map(|_| {
                    let name = draw.pick(names);
                    (spelled(draw, name), value(draw, levels - 1))
                })
                .collect();
            object(draw, members)
        }
    }
}

/// Arrays or objects inside each other: a few, or about as many as the default
/// limit allows.
fn nested(draw: &mut Draw<'_>) -> String {
    let levels = if draw.once_in(4) { 506 + draw.below(8) } else { draw.below(12) };
    let [open, close] = draw.pick(&[["[", "]"], ["{\"a\":", "}"], ["[0,{\"b\":[],\"\":", "}]"]]);
    let levels = levels / if open.starts_with("[0") { 2 } else { 1 };
    let inside = value(draw, 0);
    format!("{}{inside}{}", open.repeat(levels), close.repeat(levels))
}

pub(crate) fn number(draw: &mut Draw<'_>) -> String {
    match draw.below(16) {
        0..=4 => draw.pick(ROUND).to_owned(),
        5..=10 => draw.pick(NUMBERS).to_owned(),
        11 => format!("{}{}", draw.pick(&["1", "-9"]), "0123456789".repeat(draw.below(42))),
        12 if draw.once_in(2) => draw.pick(NOT_NUMBERS).to_owned(),
        _ => {
            let digits = |draw: &mut Draw<'_>, most| {
                (0..=draw.below(most))
                    .map(|_| draw.pick(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
                    .collect::<String>()
            };
            let whole = digits(draw, 20);
            let whole = whole.trim_start_matches('0');
            let whole = if whole.is_empty() { "0" } else { whole };
            let sign = draw.pick(&["", "-"]);
            let fraction =
                if draw.once_in(3) { format!(".{}", digits(draw, 20)) } else { String::new() };
            let exponent = match draw.below(4) {
                3 => format!(
                    "{}{}{}",
                    draw.pick(&["e", "E"]),
                    draw.pick(&["", "+", "-"]),
                    digits(draw, 3)
                ),
                _ => String::new(),
            };
            format!("{sign}{whole}{fraction}{exponent}")
        }
    }
}

pub(crate) fn string(draw: &mut Draw<'_>) -> String {
    let pieces = (0..draw.below(5)).map(|_| draw.pick(TEXT)).collect::<String>();
    let naughty = if draw.once_in(20) { draw.pick(NAUGHTY) } else { "" };
    let behind = if draw.once_in(4) { draw.pick(TEXT) } else { "" };
    format!("\"{pieces}{naughty}{behind}\"")
}
