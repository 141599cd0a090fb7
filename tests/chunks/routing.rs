//! What a body says of where its message is to go: that it holds is asked of every
//! message in `same.rs`; here is when it says something, and when nothing.

use mcparse::{Action, Body, ExtraMethod, Kind, Policy, Rule, Sender, Validator};

const META: &str = r#""_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;

/// The shortest prefix of `message` of which something is said, by bytes.
fn first(policy: Policy, message: &str) -> Option<&str> {
    let mut validator = Validator::new(policy);
    let mut body = Body::new();
    for (at, byte) in message.bytes().enumerate() {
        assert!(validator.push(&mut body, &[byte]));
        if body.routing().is_some() {
            return Some(&message[..=at]);
        }
    }
    None
}

#[test]
fn it_is_said_as_soon_as_all_of_it_has_come() {
    let version = META.trim_end_matches('}');
    for (message, expected) in [
        // With the name before `_meta`, and behind it.
        (
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"a",{META}}}}}"#
            ),
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"a",{version}"#
            ),
        ),
        (
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{{META},"name":"a"}}}}"#
            ),
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{{META},"name":"a""#
            ),
        ),
        // What the method is comes last, or the id.
        (
            format!(
                r#"{{"jsonrpc":"2.0","id":"i","params":{{{META},"name":"a"}},"method":"tools/call"}}"#
            ),
            format!(
                r#"{{"jsonrpc":"2.0","id":"i","params":{{{META},"name":"a"}},"method":"tools/call""#
            ),
        ),
        (
            format!(r#"{{"method":"tools/call","params":{{{META},"name":"a"}},"id":"i","x":1}}"#),
            format!(r#"{{"method":"tools/call","params":{{{META},"name":"a"}},"id":"i""#),
        ),
        (
            format!(r#"{{"method":"tools/call","params":{{{META},"name":"a"}},"id":12 ,"x":1}}"#),
            format!(r#"{{"method":"tools/call","params":{{{META},"name":"a"}},"id":12 "#),
        ),
        // Nothing is named by this method.
        (
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{{{META}}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{{{version}"#),
        ),
        // Behind `params` no version comes.
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"},"x":1}"#.into(),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}"#.into(),
        ),
        // `params` may come, and of a notification an id.
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#.into(),
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#.into(),
        ),
        (
            r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{}} "#.into(),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}"#.into(),
        ),
    ] {
        assert_eq!(first(Policy::strict(), &message), Some(&*expected));
    }
}

#[test]
fn nothing_is_said_of_what_is_no_plain_call() {
    for message in [
        r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{},"method":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"p\u0069ng","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"m\u0065thod":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"Method":"x","method":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"id":8,"method":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":7,"params":{}}"#,
        r#"[{"jsonrpc":"2.0","id":7,"method":"ping","params":{}}]"#,
        r#"{"jsonrpc":"2.0","id":7,"params":{}}"#,
        // It is accepted, since this method is called on nothing.
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"taskId":"","taskId":0,"_meta":{}}}"#,
        "7",
        "",
    ] {
        assert_eq!(first(Policy::strict(), message), None, "{message}");
    }
}

/// What was said may turn out to be said of no plain call.
#[test]
fn nothing_is_said_any_more_once_something_odd_has_come() {
    for odd in [r#""name":"b""#, r#""n\u0061me":"b""#, r#""NAME":"b""#, r#""x":}"#, r#""_meta":{}"#]
    {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{{META},"name":"a",{odd}}}}}"#
        );
        let mut validator = Validator::new(Policy::strict());
        let mut body = Body::new();
        let (before, behind) = message.split_at(message.len() - odd.len() - 2);
        validator.push(&mut body, before.as_bytes());
        assert_eq!(body.routing().and_then(|routing| routing.name()).unwrap(), "a");
        validator.push(&mut body, behind.as_bytes());
        assert!(body.routing().is_none(), "{message}");
    }
}

/// The last of two may be an escaped one, behind all that has come.
#[test]
fn where_a_member_may_be_given_twice_nothing_is_said_before_the_end() {
    let message =
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{{{META}}}}}"#);
    for action in [Action::Report, Action::Off] {
        let policy = Policy::strict().with_action(Rule::DuplicateMember, action);
        assert_eq!(first(policy, &message), Some(&*message));
    }
    assert_eq!(first(Policy::observe(), &message), Some(&*message));
}

/// In `result` and in `error` members of the same names mean something else.
#[test]
fn what_stands_in_an_answer_is_not_taken_for_a_call() {
    let inside = META;
    for outcome in ["result", "error"] {
        let message =
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/list","{outcome}":{{{inside}}}}}"#);
        assert_eq!(first(Policy::strict(), &message), None, "{message}");
    }
}

static METHODS: [ExtraMethod; 3] = [
    ExtraMethod::new("acme/named", Kind::Request, Sender::Client).with_name_source("name"),
    ExtraMethod::new("acme/index", Kind::Request, Sender::Client).with_name_source("index"),
    ExtraMethod::new("acme/plain", Kind::Request, Sender::Client),
];

#[test]
fn nothing_is_said_of_a_policys_own_method_that_is_called_on_something() {
    let policy = Policy::strict().with_methods(&METHODS);
    let message = |method: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{"name":"a","index":"b",{META}}}}}"#
        )
    };
    assert_eq!(first(policy, &message("acme/named")), None);
    assert_eq!(first(policy, &message("acme/index")), None);
    assert!(first(policy, &message("acme/plain")).is_some());
    assert!(first(Policy::strict(), &message("acme/named")).is_some(), "unknown to it");
}

#[test]
fn what_is_said_of_broken_text_can_be_read() {
    for (name, version) in [(r"\u12", "\\"), ("\\", r"\ud800"), (r"\x", r"\u")] {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"{name} ","_meta":{{"io.modelcontextprotocol/protocolVersion":"{version} "}}}}}}"#
        );
        let mut validator = Validator::new(Policy::strict());
        let mut body = Body::new();
        for byte in message.bytes() {
            validator.push(&mut body, &[byte]);
            if let Some(routing) = body.routing() {
                let _ = format!("{routing:?}");
            }
        }
        assert!(validator.finish(Sender::Client, &mut body).is_err());
    }
}

/// What is not JSON, or not UTF-8, is never given out as text, however early.
#[test]
fn a_broken_string_is_never_given_out() {
    let strict = Policy::strict();
    let broken: [&[u8]; 5] = [
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/\x01list\",\"params\":{}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/\xfflist\",\"params\":{}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\\x\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\\u12\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\x01\",\"method\":\"tools/list\",\"params\":{}",
    ];
    for message in broken {
        let mut validator = Validator::new(strict);
        let mut body = Body::new();
        for byte in message {
            validator.push(&mut body, &[*byte]);
            let texts = body.routing().map(|routing| {
                let id = routing.id().map(|id| id.lexeme().to_vec()).unwrap_or_default();
                let name = routing.name().map(|name| name.raw().to_vec()).unwrap_or_default();
                [routing.method().raw().to_vec(), name, id].concat()
            });
            let texts = texts.unwrap_or_default();
            let is_text =
                std::str::from_utf8(&texts).is_ok_and(|text| !text.contains(['\x01', '\\']));
            assert!(is_text, "{}", String::from_utf8_lossy(message));
        }
    }
}

/// A method of megabytes is not gone over at every call.
#[test]
fn nothing_is_told_of_a_method_beyond_the_limit() {
    let mut validator = Validator::new(Policy::strict());
    for (length, is_told) in [(256, true), (257, false)] {
        let mut body = Body::new();
        let method = "m".repeat(length);
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{}},"#);
        validator.push(&mut body, message.as_bytes());
        assert_eq!(body.routing().is_some(), is_told, "{length}");
    }
}

/// What stands in the second of two is not taken for the first's, nor is what was
/// read under one policy told under another that reads by the tape.
#[test]
fn what_is_given_twice_or_read_no_further_is_not_told() {
    let mut validator = Validator::new(Policy::strict());
    for (first, second) in [
        (r#""params":0,"#, r#""params":{"name":"x","#),
        (r#""params":{},"#, r#""params":{"name":"x","#),
        (
            r#""params":{"name":"x","_meta":{},"#,
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
        ),
    ] {
        let mut body = Body::new();
        validator.push(&mut body, br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","#);
        validator.push(&mut body, first.as_bytes());
        validator.push(&mut body, second.as_bytes());
        assert!(body.routing().is_none(), "{first} {second}");
    }
    let mut body = Body::new();
    validator.push(&mut body, br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"#);
    assert!(body.routing().is_some());
    validator.set_policy(Policy::observe().with_action(Rule::DeepDuplicate, Action::Report));
    validator.push(&mut body, br#""method":"tools/list"}"#);
    assert!(body.routing().is_none());
    let message = validator.finish(Sender::Client, &mut body).unwrap();
    assert_eq!(message.method().unwrap(), "tools/list");
}
