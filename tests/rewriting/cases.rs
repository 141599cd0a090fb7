//! Rewritten messages byte by byte, and what cannot be rewritten.

use mcparse::compose::RawJson;
use mcparse::{Id, NotRewritable, Obstacle, Policy, Rewrite, Rule, Sender, Slices, Validator};

/// `message` with what `change` asks for, or why not.
fn rewritten(
    from: Sender,
    message: &str,
    change: impl for<'r> Fn(Rewrite<'r>) -> Rewrite<'r>,
) -> Result<String, String> {
    let mut validator = Validator::new(Policy::observe());
    let message = validator.check(from, message.as_bytes()).expect("it is no worse than odd");
    let (mut new, mut sent) = (Vec::new(), Vec::new());
    let refused = |refused: NotRewritable<'_>| refused.to_string();
    change(message.rewrite()).slices(&mut new).map_err(refused)?.write(&mut sent);
    Ok(String::from_utf8(sent).expect("it is JSON"))
}

fn sent(message: &str, change: impl for<'r> Fn(Rewrite<'r>) -> Rewrite<'r>) -> String {
    rewritten(Sender::Client, message, change).expect("it can be rewritten")
}

fn refused(message: &str, change: impl for<'r> Fn(Rewrite<'r>) -> Rewrite<'r>) -> String {
    rewritten(Sender::Client, message, change).expect_err("it cannot be rewritten")
}

#[test]
fn an_id_is_replaced_and_all_the_rest_stays() {
    let message = "\t{ \"id\" : \"a\\u0062\" , \"method\":\"ping\",\"jsonrpc\":\"2\\u002e0\" } \n";
    let expect = |id: &str| message.replace("\"a\\u0062\"", id);
    assert_eq!(sent(message, |rewrite| rewrite.with_id(7)), expect("7"));
    assert_eq!(sent(message, |rewrite| rewrite.with_id("a\"\n")), expect(r#""a\"\n""#));
    let echoed = Id::from_lexeme(b"12345678901234567890123").unwrap();
    assert_eq!(sent(message, |rewrite| rewrite.with_id(echoed)), expect("12345678901234567890123"));
    assert_eq!(sent(message, |rewrite| rewrite.with_id(1).with_id(2)), expect("2"));
}

#[test]
fn an_answer_goes_back_under_the_id_of_who_asked() {
    for answer in [
        r#"{"jsonrpc":"2.0","id":31,"result":{"a":[1e400, 2]}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"},"id":31}"#,
    ] {
        let back = rewritten(Sender::Server, answer, |rewrite| rewrite.with_id("a-1"));
        assert_eq!(back, Ok(answer.replace("31", "\"a-1\"")));
    }
    for answer in [
        r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"m"}}"#,
    ] {
        let back = rewritten(Sender::Server, answer, |rewrite| rewrite.with_id("a-1"));
        assert_eq!(back, Err("the member id is not there".to_owned()));
    }
}

#[test]
fn a_prefix_comes_off_however_it_is_written() {
    let call = |name: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}"}}}}"#)
    };
    for (before, after) in [
        ("docs__read", "read"),
        (r"\u0064ocs__r\u0065ad", r"r\u0065ad"),
        (r"d\u006fcs_\u005f\u0072ead", r"\u0072ead"),
        ("docs__", ""),
        ("docs__docs__read", "docs__read"),
    ] {
        assert_eq!(
            sent(&call(before), |rewrite| rewrite.without_name_prefix("docs__")),
            call(after)
        );
        assert_eq!(
            sent(&call(before), |rewrite| {
                rewrite.with_name_prefix("x\"/").without_name_prefix("docs__")
            }),
            call(&format!(r#"x\"/{after}"#))
        );
    }
    assert_eq!(
        refused(&call("doc_read"), |rewrite| rewrite.without_name_prefix("docs__")),
        "the member name does not start with the prefix"
    );
    assert_eq!(sent(&call(r"\ud83d\ude00"), |rewrite| rewrite.with_name("a\\")), call(r"a\\"));
}

#[test]
fn the_name_is_what_the_method_is_called_on() {
    let read =
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"name":"n","uri":"x:a"}}"#;
    let expected = read.replace("x:a", "y:b");
    assert_eq!(sent(read, |rewrite| rewrite.with_name("y:b")), expected);
    for none in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"n"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
    ] {
        assert_eq!(refused(none, |rewrite| rewrite.with_name("a")), "the member name is not there");
        assert!(rewritten(Sender::Client, none, |rewrite| rewrite.with_name_prefix("a")).is_err());
    }
}

#[test]
fn members_of_meta_are_put_in_replaced_and_taken_out() {
    let around =
        |params: &str| format!(r#" {{"jsonrpc":"2.0","method":"notifications/x"{params}}}"#);
    let value = RawJson::new("{\"v\":\n1}").unwrap();
    for (before, after) in [
        ("", r#","params":{"_meta":{"b":{"v":1}}}"#),
        (r#","params":{}"#, r#","params":{"_meta":{"b":{"v":1}}}"#),
        (r#","params":{ }"#, r#","params":{"_meta":{"b":{"v":1}} }"#),
        (r#","params":{"c":"}" } "#, r#","params":{"c":"}","_meta":{"b":{"v":1}} } "#),
        (r#","params":{"_meta":{}}"#, r#","params":{"_meta":{"b":{"v":1}}}"#),
        (r#","params":{"_meta":{ } , "c":1}"#, r#","params":{"_meta":{"b":{"v":1} } , "c":1}"#),
        (r#","params":{"_meta":{"a":1 }}"#, r#","params":{"_meta":{"b":{"v":1} }}"#),
        (r#","params":{"_meta":{"a":1,"b" : 2}}"#, r#","params":{"_meta":{"b" : {"v":1}}}"#),
        (
            r#","params":{"_meta":{"\u0062":2 , "a":1}}"#,
            r#","params":{"_meta":{"\u0062":{"v":1}}}"#,
        ),
        (r#","params":{"_meta":{"c":0, "a":[1] }}"#, r#","params":{"_meta":{"c":0,"b":{"v":1} }}"#),
    ] {
        assert_eq!(
            sent(&around(before), |rewrite| rewrite.without_meta("a").with_meta("b", value)),
            around(after)
        );
    }
}

#[test]
fn commas_stay_between_what_is_left() {
    let members = ["\"a\":1", "\"b\" : 2", "\"c\":3", "\"d\":[4]"];
    let message = |members: &[&str]| {
        let members = members.join(" , ");
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"_meta":{{{members}}}}}}}"#)
    };
    for going in 0..16_usize {
        let is_kept = |at: &usize| going >> at & 1 == 0;
        let keys = ["a", "b", "c", "d"];
        let sent = sent(&message(&members), |rewrite| {
            let going = (0..4).filter(|at| !is_kept(at));
            going.fold(rewrite, |rewrite, at| rewrite.without_meta(keys[at]))
        });
        let kept: Vec<_> = (0..4).filter(is_kept).map(|at| members[at]).collect();
        assert_eq!(sent, message(&kept));
    }
}

#[test]
fn meta_that_is_not_there_need_not_be_taken_out() {
    for message in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":1}}}"#,
    ] {
        assert_eq!(sent(message, |rewrite| rewrite.without_meta("b").without_meta("c")), message);
    }
}

#[test]
fn an_answers_meta_is_its_results() {
    let key = "io.modelcontextprotocol/serverInfo";
    let result = r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#;
    let expected = r#"{"jsonrpc":"2.0","id":1,"result":{"a":1,"_meta":{"io.modelcontextprotocol/serverInfo":null}}}"#;
    let put = rewritten(Sender::Server, result, |rewrite| rewrite.with_meta(key, ()));
    assert_eq!(put.as_deref(), Ok(expected));
    let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#;
    let put = rewritten(Sender::Server, error, |rewrite| rewrite.with_meta(key, ()));
    assert_eq!(put, Err("the member result is not there".to_owned()));
    let none = rewritten(Sender::Server, error, |rewrite| rewrite.without_meta(key));
    assert_eq!(none.as_deref(), Ok(error));
}

#[test]
fn what_readers_may_differ_on_is_not_changed_and_the_rest_may_be() {
    let call =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","_meta":{"a":1}}}"#;
    let doubled = |member: &str, again: &str| call.replacen(member, &format!("{member}{again}"), 1);
    for (message, faults) in [
        (doubled("\"id\":1,", "\"id\":1,"), [Some("id is given twice"), None, None]),
        (doubled("\"id\":1,", "\"Id\":1,"), [Some("id has a look-alike"), None, None]),
        (doubled("\"id\":1,", "\"METHOD\":1,"), [None, Some("method has a look-alike"), None]),
        (
            doubled("\"id\":1,", "\"params\":{},"),
            [None, Some("params is given twice"), Some("params is given twice")],
        ),
        (
            doubled("\"name\":\"n\",", "\"n\\u0061me\":7,"),
            [None, Some("name is given twice"), None],
        ),
        (doubled("{\"name\"", ":0,\"name\""), [None, Some("name is given twice"), None]),
        (doubled("\"name\":\"n\",", "\"NAME\":7,"), [None, Some("name has a look-alike"), None]),
        (doubled("\"name\":\"n\",", "\"_meta\":{},"), [None, None, Some("_meta is given twice")]),
        (doubled("\"name\":\"n\",", "\"_META\":{},"), [None, None, Some("_meta has a look-alike")]),
        (doubled("{\"a\":1", ",\"a\":1"), [None, None, Some("a is given twice")]),
        (doubled("{\"a\":1", ",\"A\":1"), [None, None, Some("a has a look-alike")]),
        (doubled("{\"a\":1", ",\"c\":1,\"c\":2"), [None, None, None]),
        (doubled("{\"a\":1", ",\"traceparent\":1,\"Traceparent\":2"), [None, None, None]),
        (call.replace("{\"a\":1}", "7"), [None, None, Some("_meta is not an object")]),
    ] {
        let told = [
            rewritten(Sender::Client, &message, |rewrite| rewrite.with_id(2)),
            rewritten(Sender::Client, &message, |rewrite| rewrite.with_name("m")),
            rewritten(Sender::Client, &message, |rewrite| rewrite.with_meta("a", 2)),
        ];
        let faults = faults.map(|fault| fault.map(|fault| format!("the member {fault}")));
        assert_eq!(told.map(Result::err), faults, "{message}");
    }
}

#[test]
fn a_policy_that_does_not_even_report_hides_nothing() {
    let off = [Rule::DuplicateMember, Rule::LookalikeMember]
        .into_iter()
        .fold(Policy::observe(), |policy, rule| policy.with_action(rule, mcparse::Action::Off));
    let message = br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#;
    let mut validator = Validator::new(off);
    let message = validator.check(Sender::Client, message).unwrap();
    assert!(message.findings().is_empty());
    let refused = message.rewrite().with_id(3).slices(&mut Vec::new()).unwrap_err();
    assert_eq!((refused.member(), refused.obstacle()), ("id", Obstacle::Repeated));
}

#[test]
fn changes_must_fit_together() {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(
        refused(message, |rewrite| rewrite.with_meta("a", 1).without_meta("a")),
        "the member a is to be changed twice"
    );
    assert_eq!(
        refused(message, |rewrite| rewrite.with_meta("a", 1).with_meta("A\0", 1)),
        r"the member A\0 is to be changed twice"
    );
    assert_eq!(
        refused(message, |rewrite| rewrite.with_meta("Traceparent", 1)),
        "the member Traceparent has a look-alike"
    );
}

#[test]
fn there_is_room_for_the_most_changes_and_no_more() {
    let keys: Vec<String> = (0..=Rewrite::MOST_META).map(|at| format!("k{at}")).collect();
    let members: Vec<String> = keys.iter().map(|key| format!("\"{key}\":0")).collect();
    let members = members.join(",");
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{{"name":"n","_meta":{{{members}}}}}}}"#
    );
    let mut validator = Validator::new(Policy::observe());
    let message = validator.check(Sender::Client, message.as_bytes()).unwrap();
    let mut rewrite = message.rewrite().with_id(1).with_name("m");
    for key in &keys[1..] {
        rewrite = rewrite.with_meta(key, 1);
    }
    let mut new = Vec::new();
    let slices = rewrite.slices(&mut new).unwrap();
    assert_eq!(slices.as_slice().len(), Slices::MOST);
    assert!(slices.io_slices().iter().map(|slice| &**slice).eq(slices.into_iter()));
    let mut sent = Vec::new();
    slices.write(&mut sent);
    let sent = String::from_utf8(sent).unwrap();
    assert_eq!(sent.matches(":1").count(), 1 + Rewrite::MOST_META);

    let refused = rewrite.with_meta(&keys[0], 1).slices(&mut new).unwrap_err();
    assert_eq!((refused.member(), refused.obstacle()), ("k0", Obstacle::TooMany));
}

#[test]
fn the_header_follows_the_name() {
    let call =
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"d\u006fcs/\u00e9"}}"#;
    let mut validator = Validator::new(Policy::observe());
    let message = validator.check(Sender::Client, call).unwrap();
    let header = |rewrite: Rewrite<'_>| rewrite.name_header().map(|header| header.to_string());
    assert_eq!(header(message.rewrite()).as_deref(), Some("=?base64?ZG9jcy/DqQ==?="));
    assert_eq!(header(message.rewrite().with_name("a")).as_deref(), Some("a"));
    let stripped = message.rewrite().without_name_prefix("docs/");
    assert_eq!(header(stripped).as_deref(), Some("=?base64?w6k=?="));
    let both = message.rewrite().without_name_prefix("docs/\u{e9}").with_name_prefix("x");
    assert_eq!(header(both).as_deref(), Some("x"));
    assert_eq!(header(message.rewrite().without_name_prefix("x")), None);
}
