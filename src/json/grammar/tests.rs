//! Where the reader of `grammar.rs` sees a fault, and what it says.

use super::*;

fn refused() -> RuleSet {
    [Rule::Bom, Rule::UnpairedSurrogate].into_iter().collect()
}

fn fault(message: &[u8]) -> Option<(&'static str, usize, &'static str)> {
    let fault = check(message, 3, refused(), |_, _| ()).err()?;
    Some((fault.rule.id(), fault.offset, fault.reason))
}

#[test]
fn a_fault_is_the_first_byte_that_cannot_stand_there() {
    for (message, offset, reason) in [
        (" \r\n", 3, "the message is empty or only white space"),
        (r#"{"a": "b"#, 8, "the message ends inside a string"),
        (r#"{"a":"#, 5, "the message ends inside an object"),
        ("-", 1, "the message ends inside a number"),
        ("[tru", 4, "the message ends inside a literal"),
        (r#"["\ud83d\ude"#, 12, "the message ends inside a string"),
        ("[\"a\nb\"]", 3, "a line break stands unescaped in a string"),
        (r#"["a\u12g4"]"#, 3, "a \\u escape needs four hex digits"),
        ("[1, -Infinity]", 4, NOT_FINITE),
        ("{'a':1}", 1, "a member name must be a string in double quotes"),
        (r#"{"a" 1}"#, 5, "a colon must follow a member name"),
        (r#"{"a":}"#, 5, "a value is missing before a comma, a colon or a bracket"),
        (r#"{"a":1 "b"}"#, 7, "a comma or a closing brace must follow a member"),
        (r#"{"a":1, }"#, 8, "a closing bracket follows a trailing comma"),
        ("{}{}", 2, "a second value follows the first"),
        ("{}}", 2, "a closing bracket has no opening one"),
        ("{\u{a0}}", 1, INVISIBLE),
    ] {
        assert_eq!(fault(message.as_bytes()), Some(("not-json", offset, reason)), "{message}");
    }
    let reason = Rule::NotUtf8.reason();
    assert_eq!(fault(b"\xef\xbb\xbf}\xe9"), Some(("not-utf8", 4, reason)));
}

#[test]
fn the_bracket_beyond_the_depth_is_at_fault() {
    assert_eq!(fault(b"[[[1], {}], [[{}]]]"), Some(("too-deep", 14, Rule::TooDeep.reason())));
    let most = Limits::MOST_DEPTH;
    let mut brackets = [vec![b'['; most], vec![b']'; most]].concat();
    assert_eq!(check(&brackets, usize::MAX, refused(), |_, _| ()), Ok(()));
    brackets.insert(0, b'[');
    let fault = check(&brackets, usize::MAX, refused(), |_, _| ()).unwrap_err();
    assert_eq!((fault.rule, fault.offset), (Rule::TooDeep, most));
}

#[test]
fn what_the_policy_lets_pass_is_an_obstacle() {
    let message = b"\xef\xbb\xbf[\"\\udc00\\ud83d\\ude00\", 123456789012345678, 1e3, 7]";
    assert_eq!(fault(message), Some(("bom", 0, Rule::Bom.reason())));
    let reason = Rule::UnpairedSurrogate.reason();
    assert_eq!(fault(&message[3..]), Some(("unpaired-surrogate", 2, reason)));
    let mut met = Vec::new();
    assert_eq!(check(message, 1, RuleSet::EMPTY, |_, range| met.push(range)), Ok(()));
    assert_eq!(met, [0..3, 5..11, 26..44, 46..49]);
}

#[test]
fn lexemes_are_judged_whole() {
    assert!(is_string(br#""""#) && is_string(r#""\ud83d\ude00 é""#.as_bytes()));
    for other in [r#"""#, r#""a"b"#, r#" "a""#, r#""\ud83d""#, "7", ""] {
        assert!(!is_string(other.as_bytes()), "{other}");
    }
    assert!(
        ["0", "-0", "-12345678901234567890123"].iter().all(|lexeme| is_integer(lexeme.as_bytes()))
    );
    for other in ["", "-", "01", "1.0", "1e3", "+1", " 1", "1 "] {
        assert!(!is_integer(other.as_bytes()), "{other}");
    }
}
