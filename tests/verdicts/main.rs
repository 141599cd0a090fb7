//! Named messages and what becomes of them: the tables of the design, every
//! rule with a message that breaks it and one that just does not, every limit
//! at n and n + 1, and the bytes of the replies.

#[path = "../twin/broken.rs"]
mod broken;
mod calls;
mod case;
mod envelope;
#[path = "../exchange/mod.rs"]
mod exchange;
mod headers;
mod limits;
mod metadata;
mod replies;
mod transport;

use broken::{REFUSED, REPORTED};
use case::Case;
use mcparse::{
    Action, ErrorCode, Id, Kind, Message, Policy, ReplyId, Rule, Sender, Stage, Validator,
    Violation, classify, error_response,
};

/// The methods of these messages stand for any, and need be in no revision.
const STRICT: Policy = Policy::strict().with_action(Rule::UnknownMethod, Action::Off);

fn check(policy: Policy, message: &[u8]) -> Result<Message<'_>, Violation<'_>> {
    Validator::new(policy).check(Sender::Client, message)
}

/// What a policy says of a message: `Ok` with its findings, or the rule that
/// refuses it and where.
fn said(policy: Policy, message: &[u8]) -> Result<Vec<&'static str>, (&'static str, u64)> {
    match check(policy, message) {
        Ok(message) => Ok(message.findings().iter().map(Rule::id).collect()),
        Err(violation) => Err((violation.rule().id(), violation.offset())),
    }
}

fn strict(message: &str) -> Result<Vec<&'static str>, (&'static str, u64)> {
    said(STRICT, message.as_bytes())
}

/// The reply to a message of a client; `None` if there must be none.
fn reply(message: &str) -> Option<String> {
    let mut out = Vec::new();
    let is_answered = check(STRICT, message.as_bytes()).unwrap_err().write_reply(&mut out);
    is_answered.then(|| String::from_utf8(out).unwrap())
}

const INVALID: Result<Kind, ErrorCode> = Err(ErrorCode::INVALID_REQUEST);
const NOT_JSON: Result<Kind, ErrorCode> = Err(ErrorCode::PARSE_ERROR);

#[test]
fn the_classifier_follows_its_table() {
    for (message, kind) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, Ok(Kind::Request)),
        (r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#, Ok(Kind::Notification)),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Ok(Kind::Result)),
        (
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
            Ok(Kind::Error),
        ),
        (r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":true,"method":"x"}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#, INVALID),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#, INVALID),
        ("null", INVALID),
        ("\"text\"", INVALID),
        ("1e400", INVALID),
        ("{}", INVALID),
        ("", NOT_JSON),
        (" ", NOT_JSON),
        ("{} {}", NOT_JSON),
        // Presence decides, not truth.
        (r#"{"jsonrpc":"2.0","id":0,"method":""}"#, Ok(Kind::Request)),
        (r#"{"jsonrpc":"2.0","id":"","method":"x"}"#, Ok(Kind::Request)),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":""}}"#, Ok(Kind::Error)),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#, INVALID),
        // Integrality is judged on the text.
        (r#"{"jsonrpc":"2.0","id":-0,"method":"x"}"#, Ok(Kind::Request)),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"x"}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":1e3,"method":"x"}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-0,"message":""}}"#, Ok(Kind::Error)),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.0,"message":""}}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":true,"message":""}}"#, INVALID),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":123456789012345678901234567890,"message":""}}"#,
            Ok(Kind::Error),
        ),
        // A method beside a result or an error is read by the method.
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#, Ok(Kind::Request)),
        (r#"{"jsonrpc":"2.0","method":"x","result":1,"error":2}"#, Ok(Kind::Notification)),
        (r#"{"jsonrpc":"2.0","method":"x","params":null}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#, INVALID),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"params":[]}"#, Ok(Kind::Result)),
        // Of a member given twice the last counts.
        (r#"{"jsonrpc":"1.0","id":null,"method":"x","id":1,"jsonrpc":"2.0"}"#, Ok(Kind::Request)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","id":null}"#, INVALID),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"","c\u006fde":1,"message":""}}"#,
            Ok(Kind::Error),
        ),
        // However it is spelled.
        (r#"{"jsonrp\u0063":"\u0032\u002e0","\u006d\u0065thod":"x"}"#, Ok(Kind::Notification)),
        (r#"{"jsonrpc":"2.0\u0000","method":"x"}"#, INVALID),
        (r#"{"jsonrpc":2.0,"method":"x"}"#, INVALID),
        // `check` takes an error without an id, the truth table does not.
        (r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}"#, INVALID),
    ] {
        assert_eq!(classify(message.as_bytes()), kind, "{message}");
    }
}

#[test]
fn every_rule_refuses_what_breaks_it_where_it_is_broken_and_nothing_else() {
    for &(rule, breaks, offset, keeps) in REFUSED {
        let about = keeps.escape_ascii();
        assert_eq!(said(STRICT, breaks), Err((rule, offset)), "{}", breaks.escape_ascii());
        assert_eq!(said(STRICT, keeps), Ok(vec![]), "{about}");
    }
}

#[test]
fn every_reported_rule_is_a_finding_and_refuses_where_a_policy_wants_it() {
    for &(rule, breaks, keeps) in REPORTED {
        let about = breaks.escape_ascii().to_string();
        assert_eq!(said(STRICT, breaks), Ok(vec![rule]), "{about}");
        assert_eq!(said(STRICT, keeps), Ok(vec![]), "{}", keeps.escape_ascii());
        let rule = Rule::from_id(rule).unwrap();
        let refusing = STRICT.with_action(rule, Action::Refuse);
        assert_eq!(said(refusing, breaks).map_err(|(rule, _)| rule), Err(rule.id()), "{about}");
        let silent = STRICT.with_action(rule, Action::Off);
        assert_eq!(said(silent, breaks), Ok(vec![]), "{about}");
    }
}

/// The cases of a message with its head, and of a revision.
fn cases() -> Vec<Case> {
    let stages = [
        transport::cases(),
        envelope::cases(),
        metadata::cases(),
        headers::cases(),
        calls::cases(),
    ];
    stages.into_iter().flatten().collect()
}

#[test]
fn every_rule_is_told_from_its_neighbour_with_code_status_place_and_words() {
    for case in cases() {
        case.prove();
    }
    for (rule, breaks, says) in headers::wrapped() {
        let refusal = breaks.refusal();
        assert_eq!((refusal.rule.id(), refusal.code, refusal.status), (rule, -32020, 400));
        assert_eq!(refusal.detail.as_deref(), Some(says));
        let relaxed = |rule: &str| {
            let rule = Rule::from_id(rule).unwrap();
            breaks.clone().under(|policy| policy.with_action(rule, Action::Off))
        };
        assert_eq!(relaxed(rule).refused_by(), Some("name-header-mismatch"));
    }
}

#[test]
fn every_rule_of_a_message_has_a_case() {
    let elsewhere = [
        // At n and n + 1, below.
        "too-large",
        "too-deep",
        "id-too-long",
        "method-too-long",
        "members-too-many",
        // Off until a policy asks for it, below.
        "deep-duplicate",
        // Between messages: the framers' own tests.
        "sse-event-cut",
        "sse-event-other",
    ];
    let cases = cases();
    // Those of answers are in `tests/answers`, and what only shows between
    // messages in `tests/exchange`.
    let of_messages = Rule::ALL.iter().filter(|rule| rule.stage() <= Stage::Params);
    for rule in of_messages.map(|rule| rule.id()) {
        let has_case = REFUSED.iter().any(|case| case.0 == rule)
            || REPORTED.iter().any(|case| case.0 == rule)
            || cases.iter().any(|case| case.rule.id() == rule)
            || headers::wrapped().iter().any(|case| case.0 == rule)
            || elsewhere.contains(&rule);
        assert!(has_case, "{rule}");
    }
}

#[test]
fn look_alikes_and_duplicates_are_refused_where_we_read_and_nowhere_else() {
    let in_params = |method: &str, member: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"a":{{}},{member}}}}}"#)
    };
    let answer = |member: &str| format!(r#"{{"jsonrpc":"2.0","id":1,{member}}}"#);
    let call = |member: &str| in_params("tools/call", member);
    for message in [
        r#"{"jsonrpc":"2.0","method":"x","iD":1}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"x","param\u017f":{}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"x","id\u0000":1}"#.to_owned(),
        call(r#""Name":"b""#),
        in_params("prompts/get", r#""NAME":"b""#),
        in_params("resources/read", r#""URI":"b""#),
        in_params("tasks/cancel", r#""tas\u212aId":"b""#),
        in_params("x", r#""_Meta":{}"#),
        in_params("x", r#""_meta":{"progressTo\u212aen":1}"#),
        answer(r#""result":{"resulttype":"complete"}"#),
        answer(r#""result":{"_meta":{"Traceparent":""}}"#),
        answer(r#""error":{"code":1,"message":"","Data":1}"#),
    ] {
        assert_eq!(
            strict(&message).map_err(|(rule, _)| rule),
            Err("lookalike-member"),
            "{message}"
        );
    }
    for message in [
        call(r#""name":"b","n\u0061me":"b""#),
        in_params("tasks/get", r#""taskId":"b","taskId":"b""#),
        in_params("x", r#""_meta":{},"_meta":{}"#),
        in_params("x", r#""_meta":{"baggage":"","baggage":""}"#),
        answer(r#""result":{"ttlMs":1,"ttlMs":1}"#),
        answer(r#""error":{"code":1,"message":"","message":""}"#),
    ] {
        assert_eq!(
            strict(&message).map_err(|(rule, _)| rule),
            Err("duplicate-member"),
            "{message}"
        );
    }
    for message in [
        in_params("tools/list", r#""name":"b","name":"b","Name":"b""#),
        in_params("resources/read", r#""uri":"b","name":"b","name":"b","Uri\u0001":"b""#),
        call(r#""name":"a","arguments":{"name":"b","name":"b","_META":{}}"#),
        in_params("x", r#""_meta":{"a":1,"a":2,"progresstoken2":1}"#),
        in_params("x", r#""resultType":1,"resultType":1,"code":1,"CODE":1"#),
        answer(r#""result":{"name":1,"name":2,"Code":1}"#),
        answer(
            r#""error":{"code":1,"message":"","data":{"code":1,"code":2},"_meta":{},"_Meta":{}}"#,
        ),
    ] {
        assert_eq!(strict(&message), Ok(vec![]), "{message}");
    }
}

#[test]
fn a_duplicate_at_any_depth_is_told_where_a_policy_asks() {
    let policy = STRICT.with_action(Rule::DeepDuplicate, Action::Refuse);
    let message = |inner: &str| format!(r#"{{"jsonrpc":"2.0","method":"x","params":{inner}}}"#);
    let said = |inner: &str| said(policy, message(inner).as_bytes());
    assert_eq!(said(r#"{"a":[{"b":1},{"b":1,"B":1}]}"#), Ok(vec![]));
    assert_eq!(said(r#"{"a":[{"b":1},{"b":1,"\u0062":1}]}"#), Err(("deep-duplicate", 60)));
    assert_eq!(strict(&message(r#"{"a":[{"b":1},{"b":1,"\u0062":1}]}"#)), Ok(vec![]));
    // Half a surrogate pair is U+FFFD to the readers that let it pass.
    let policy = policy.with_action(Rule::UnpairedSurrogate, Action::Off);
    let said = |inner: &str| self::said(policy, message(inner).as_bytes());
    assert_eq!(said(r#"{"\ud800":1,"\udc00":2}"#), Err(("deep-duplicate", 51)));
    assert_eq!(said(r#"{"\ud800":1,"??????":2}"#), Ok(vec![]));
}

#[test]
fn of_several_broken_rules_the_first_in_the_order_of_judgement_wins() {
    for (message, rule) in [
        (r#"[{"a":1,]"#, "not-json"),
        (r#"{"method":1,"id":null}"#, "jsonrpc-version"),
        (r#"{"jsonrpc":"2.0","id":null,"ID":1,"params":[]}"#, "no-kind"),
        (r#"{"jsonrpc":"2.0","result":1,"error":1,"id":1.0}"#, "result-and-error"),
        (r#"{"jsonrpc":"2.0","method":null,"id":null,"result":1,"error":1}"#, "method-type"),
        (r#"{"jsonrpc":"2.0","result":null}"#, "result-type"),
        (r#"{"jsonrpc":"2.0","error":null,"id":{}}"#, "error-shape"),
        (r#"{"jsonrpc":"2.0","method":"x","id":null,"params":1}"#, "id-null"),
        (r#"{"jsonrpc":"2.0","method":"x","id":[],"params":1}"#, "id-type"),
        (r#"{"jsonrpc":"2.0","method":"x","id":1.0,"params":1}"#, "id-float"),
        (r#"{"jsonrpc":"2.0","method":"x","id":1,"id":1,"params":1}"#, "params-type"),
        (r#"{"jsonrpc":"2.0","Method":"x","method":"x","method":"x"}"#, "duplicate-member"),
        (r#"{"jsonrpc":"2.0","method":"x","result":1,"Result":1}"#, "lookalike-member"),
    ] {
        assert_eq!(strict(message).map_err(|(rule, _)| rule), Err(rule), "{message}");
    }
    let both =
        format!(r#"{{"jsonrpc":"2.0","method":"{0}","id":"{0}{0}{0}{0}"}}"#, "x".repeat(300));
    assert_eq!(strict(&both).map_err(|(rule, _)| rule), Err("id-too-long"));
    // Before there is JSON the first place in the text wins, UTF-8 apart.
    assert_eq!(said(STRICT, b"\xef\xbb\xbf{]\xff"), Err(("not-utf8", 5)));
    assert_eq!(said(STRICT, b"\xef\xbb\xbf{]"), Err(("bom", 0)));
    assert_eq!(strict(r#"["\ud800",]"#), Err(("unpaired-surrogate", 2)));
    assert_eq!(strict(r#"[,"\ud800"]"#), Err(("not-json", 1)));
}

#[test]
fn half_a_surrogate_pair_is_refused_wherever_it_stands() {
    for before in 0..600 {
        let before = "x".repeat(before);
        let start = format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"a":"{before}"#);
        let message = format!(r#"{start}\ud83d"}}}}"#);
        let refused = Err(("unpaired-surrogate", start.len() as u64));
        assert_eq!(strict(&message), refused, "{message}");
        assert_eq!(strict(&format!(r#"{start}\ud83d\ude00"}}}}"#)), Ok(vec![]), "{message}");
    }
}

#[test]
fn numbers_of_any_size_are_json_wherever_they_stand() {
    let long = "9".repeat(400);
    for number in ["1e400", "-1e-400", "123456789012345678901234567890", "-0", "-0.0e-0", &long] {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":[{number}, {number}],"b":{number}}}}}"#
        );
        assert_eq!(strict(&message), Ok(vec![]), "{message}");
        assert_eq!(classify(number.as_bytes()), INVALID, "{number}");
    }
    let message = format!(r#"{{"id" : {long} ,"result":{{}},"jsonrpc":"2.0"}}"#);
    let accepted = check(STRICT, message.as_bytes()).unwrap();
    assert_eq!(accepted.id().unwrap().lexeme(), long.as_bytes());
    assert_eq!(accepted.id_span(), Some(8..408));
    assert!(accepted.findings().contains(Rule::IdUnsafeInteger));
}

#[test]
fn an_id_in_float_form_keeps_its_text_where_a_policy_lets_it_pass() {
    let policy = STRICT.with_action(Rule::IdFloat, Action::Report);
    let message = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#);
    for (id, findings) in [
        ("1.0", vec!["id-float"]),
        ("1e3", vec!["id-float"]),
        ("1.0000000000000000000000", vec!["id-float"]),
        ("9007199254740991.0", vec!["id-float"]),
        ("9007199254740992.0", vec!["id-float", "id-unsafe-integer"]),
        ("-1e16", vec!["id-float", "id-unsafe-integer"]),
        ("1e400", vec!["id-float", "id-unsafe-integer"]),
    ] {
        let message = message(id);
        assert_eq!(said(policy, message.as_bytes()), Ok(findings), "{id}");
        let accepted = check(policy, message.as_bytes()).unwrap();
        assert_eq!(accepted.id().unwrap().lexeme(), id.as_bytes());
    }
    assert_eq!(said(policy, message("1.5").as_bytes()), Err(("id-type", 22)));
    let refused = message("1.0").replace("\"x\"", "1");
    let mut reply = Vec::new();
    assert!(check(policy, refused.as_bytes()).unwrap_err().write_reply(&mut reply));
    assert!(reply.starts_with(br#"{"jsonrpc":"2.0","id":1.0,"error":"#));
}

#[test]
fn a_reply_echoes_the_one_valid_id_as_it_was_written_or_leaves_it_out() {
    let data = |rule: &str| format!(r#""data":{{"rule":"{rule}"}}}}}}"#);
    let invalid = |id: &str, rule: &str| {
        let reason = match rule {
            "lookalike-member" => {
                "a member's name looks like id, and lenient readers take it for that"
            }
            "duplicate-member" => {
                "the member id is given twice, and readers differ in which one they take"
            }
            rule => Rule::from_id(rule).unwrap().reason(),
        };
        let reason = reason.replace('"', "\\\"");
        let head = format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32600,"#);
        Some(format!(r#"{head}"message":"Invalid Request: {reason}",{}"#, data(rule)))
    };
    for (message, expected) in [
        (r#"{"id":1,"method":"x"}"#, invalid(r#""id":1,"#, "jsonrpc-version")),
        (
            r#"{"jsonrpc":"2.0","id":"\u0061\/","method":1}"#,
            invalid(r#""id":"\u0061\/","#, "method-type"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":-0,"method":"x","params":0}"#,
            invalid(r#""id":-0,"#, "params-type"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x","ID":2}"#,
            invalid(r#""id":1,"#, "lookalike-member"),
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","id":1}"#, invalid("", "duplicate-member")),
        (r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, invalid("", "id-null")),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"x"}"#, invalid("", "id-float")),
        (r#"{"jsonrpc":"2.0","id":1}"#, invalid(r#""id":1,"#, "no-kind")),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#, invalid("", "batch")),
        // No answer to a notification or to an answer, however broken.
        (r#"{"method":"x"}"#, None),
        (r#"{"jsonrpc":"2.0","method":"x","params":[]}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"result":1}"#, None),
        (r#"{"id":1,"error":{"code":1,"message":""}}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, None),
    ] {
        assert_eq!(reply(message), expected, "{message}");
    }
    let parse_error = r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: the message ends inside an object","#;
    assert_eq!(reply(r#"{"id":1,"#), Some(format!("{parse_error}{}", data("not-json"))));
    let long = format!(r#"{{"jsonrpc":"2.0","method":"x","id":"{}"}}"#, "i".repeat(1023));
    assert_eq!(reply(&long), invalid("", "id-too-long"));
}

#[test]
fn what_a_server_sent_is_never_answered() {
    for message in ["{", "[]", r#"{"jsonrpc":"2.0","id":1,"method":"x","params":1}"#, "\u{feff}{}"]
    {
        let mut validator = Validator::new(STRICT);
        let violation = validator.check(Sender::Server, message.as_bytes()).unwrap_err();
        let mut out = Vec::new();
        assert!(!violation.write_reply(&mut out) && out.is_empty(), "{message}");
        assert_eq!(violation.id(), None, "{message}");
    }
}

#[test]
fn an_error_response_is_what_the_design_shows() {
    let mut out = Vec::new();
    let id = ReplyId::Id(Id::from_lexeme(b"1").unwrap());
    error_response(&mut out, id, ErrorCode::METHOD_NOT_FOUND, "Method not found");
    let expected =
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#;
    assert_eq!(out, expected);
}

#[test]
fn the_name_is_what_the_header_would_mirror() {
    let name = |method: &str, params: &str| {
        let message =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let Ok(Message::Request(request)) = check(Policy::observe(), message.as_bytes()) else {
            panic!("{message}");
        };
        request.name_span().map(|span| message[span].to_owned())
    };
    let all = r#"{"_meta":{}, "taskId" : "t" ,"name":"n","uri":"u"}"#;
    for (method, expected) in [
        ("tools/call", Some("\"n\"")),
        (r"tools\/call", Some("\"n\"")),
        ("prompts/get", Some("\"n\"")),
        ("resources/read", Some("\"u\"")),
        ("tasks/get", Some("\"t\"")),
        ("tasks/update", Some("\"t\"")),
        ("tasks/cancel", Some("\"t\"")),
        ("tools/list", None),
        ("Tools/call", None),
    ] {
        assert_eq!(name(method, all).as_deref(), expected, "{method}");
    }
    assert_eq!(name("tools/call", r#"{"name":1}"#), None);
    assert_eq!(name("tools/call", r#"{"params":{"name":"n"}}"#), None);
}

#[test]
fn an_ambiguous_member_is_named_as_the_protocol_has_it() {
    let twice = |name: &str| {
        format!("the member {name} is given twice, and readers differ in which one they take")
    };
    let like = |name: &str| {
        format!("a member's name looks like {name}, and lenient readers take it for that")
    };
    let mut validator = Validator::new(Policy::strict());
    for (message, detail) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","id":1}"#, Some(twice("id"))),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","\u0069d":1}"#, Some(twice("id"))),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","ID":1}"#, Some(like("id"))),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","Params\u0000":{}}"#, Some(like("params"))),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}"#,
            Some(like("name")),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"ProgressToken":1}}}"#,
            Some(like("progressToken")),
        ),
        // What only a method reads is not named.
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{},"arguments":{}}}"#,
            None,
        ),
    ] {
        let violation = validator.check(Sender::Client, message.as_bytes()).unwrap_err();
        let told = violation.detail().map(|detail| detail.to_string());
        assert_eq!(told, detail, "{message}");
    }
}
