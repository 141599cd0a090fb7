//! The check against the official schemas, against what SDKs really send, and
//! case by case.

use serde_json::{Map, Value, json};

use super::*;
use crate::json::lanes::Lanes;
use crate::policy::Policy;
use crate::revision::Revision;
use crate::rule::Action;
use crate::shapes::tests::{Alternative, Official, corpus, official, takes};

/// The envelope of a message, as both lanes read it.
fn envelope(message: &str) -> Envelope {
    let policy = Policy::strict().with_action(Rule::UnpairedSurrogate, Action::Report);
    let read = |mut lanes: Lanes| {
        let mut envelope = Envelope::default();
        lanes.envelope(message.as_bytes(), &policy, &mut envelope).ok().unwrap();
        envelope
    };
    let envelope = read(Lanes::new(&policy));
    assert_eq!(envelope, read(Lanes::tape_alone(&policy)), "{message}");
    envelope
}

fn message(method: Method, params: Option<&str>) -> String {
    let params = params.map_or(String::new(), |params| format!(r#","params":{params}"#));
    format!(r#"{{"jsonrpc":"2.0","method":"{method}"{params}}}"#)
}

fn shape_fault(message: &str, method: Method, revisions: RevisionSet) -> Option<Fault> {
    let envelope = envelope(message);
    let fault = check(message.as_bytes(), &envelope, method, revisions);
    let broken = broken(message.as_bytes(), &envelope, method, revisions);
    assert_eq!(broken.contains(Rule::ParamsShape), fault.is_some(), "{message}");
    fault
}

/// What there is to say of params: offset of the text `at`, member, expected,
/// missing.
#[track_caller]
fn assert_fault(
    (method, revisions): (Method, RevisionSet),
    params: Option<&str>,
    at: &str,
    (member, expected, missing): (&'static str, &'static str, bool),
) {
    let message = message(method, params);
    let offset = u32::try_from(message.find(at).unwrap()).unwrap();
    let rule = Rule::ParamsShape;
    let fault = Fault { rule, offset, member, expected, missing };
    assert_eq!(shape_fault(&message, method, revisions), Some(fault), "{message}");
}

#[track_caller]
fn assert_sound(method: Method, revisions: RevisionSet, params: &str) {
    assert_eq!(shape_fault(&message(method, Some(params)), method, revisions), None, "{params}");
}

fn only(revision: Revision) -> RevisionSet {
    RevisionSet::only(revision)
}

#[test]
fn a_fault_says_where_it_is_and_what_should_be_there() {
    let call = (Method::ToolsCall, RevisionSet::ALL);
    assert_fault(call, None, "{", ("", "an object", true));
    assert_fault(call, Some(r#"{"x":1}"#), r#"{"x"#, ("name", "a string", true));
    assert_fault(call, Some(r#"{"name":7}"#), "7", ("name", "a string", false));
    let params = r#"{"arguments":[9],"name":7}"#;
    assert_fault(call, Some(params), "[9]", ("arguments", "an object", false));
    let level = (Method::LoggingSetLevel, RevisionSet::LEGACY);
    let expected = "one of the eight levels of RFC 5424";
    assert_fault(level, Some(r#"{"level":"loud"}"#), "\"loud\"", ("level", expected, false));
    let list = (Method::ToolsList, RevisionSet::ALL);
    assert_fault(list, Some(r#"{"cursor":null}"#), "null", ("cursor", "a string", false));
}

#[test]
fn params_are_faulty_only_if_they_are_in_every_revision_that_it_may_be() {
    let without_id = r#"{"reason":"late"}"#;
    let old = only(Revision::V2025_06_18);
    let missing = ("requestId", "a string or an integer", true);
    assert_fault((Method::Cancelled, old), Some(without_id), r#"{"re"#, missing);
    assert_sound(Method::Cancelled, old.with(Revision::V2025_11_25), without_id);
    // `message` came with 2025-03-26.
    let progress = r#"{"progressToken":1,"progress":0.5,"message":7}"#;
    assert_sound(Method::Progress, RevisionSet::ALL, progress);
    let later = RevisionSet::since(Revision::V2025_03_26);
    assert_fault((Method::Progress, later), Some(progress), "7}", ("message", "a string", false));
    assert_sound(Method::ToolsCall, RevisionSet::EMPTY, "{}");
}

#[test]
fn revisions_that_do_not_have_the_method_do_not_count() {
    assert_sound(Method::ResourcesSubscribe, RevisionSet::MODERN, "{}");
    let subscribe = (Method::ResourcesSubscribe, RevisionSet::ALL);
    assert_fault(subscribe, Some("{}"), "{}", ("uri", "a string", true));
}

#[test]
fn each_revision_may_be_broken_by_another_member() {
    // 2025-11-25 wants `elicitationId`, 2026-07-28 does not know it, and
    // 2025-06-18 knows forms only.
    let url = r#"{"message":"m","mode":"u\u0072l","url":"https://x"}"#;
    let elicitation = Method::ElicitationCreate;
    assert_sound(elicitation, RevisionSet::ALL, url);
    assert_sound(elicitation, RevisionSet::MODERN, url);
    let legacy = (elicitation, RevisionSet::LEGACY);
    assert_fault(legacy, Some(url), r#"{"me"#, ("elicitationId", "a string", true));
    let form = r#"{"message":"m","requestedSchema":{}}"#;
    assert_sound(elicitation, RevisionSet::LEGACY, form);
    let neither = r#"{"message":"m","requestedSchema":{},"mode":"voice"}"#;
    let mode = ("mode", "\"form\" or \"url\"", false);
    let newer = only(Revision::V2025_11_25);
    assert_fault((elicitation, newer), Some(neither), "\"voice", mode);
    assert_sound(elicitation, RevisionSet::LEGACY, neither);
}

#[test]
fn the_tasks_of_the_extension_are_known() {
    let modern = RevisionSet::MODERN;
    for method in [Method::TasksGet, Method::TasksCancel, Method::TasksUpdate] {
        let missing = ("taskId", "a string", true);
        assert_fault((method, modern), Some("{}"), "{}", missing);
    }
    assert_sound(Method::TasksUpdate, modern, r#"{"taskId":"t","inputResponses":{"a":1}}"#);
    let wrong = r#"{"taskId":"t","inputResponses":[]}"#;
    let expected = ("inputResponses", "an object or null", false);
    assert_fault((Method::TasksUpdate, modern), Some(wrong), "[]", expected);
    let missing = ("inputResponses", "an object or null", true);
    let update = (Method::TasksUpdate, modern);
    assert_fault(update, Some(r#"{"taskId":"t"}"#), r#"{"taskId"#, missing);
    assert_sound(Method::Tasks, modern, "{}");
}

#[test]
fn integers_may_be_written_as_floats() {
    let sample = |tokens: &str| format!(r#"{{"messages":[],"maxTokens":{tokens}}}"#);
    for integer in ["1", "-0", "1.0", "1e3", "1.5e1", "12345678901234567890123"] {
        assert_sound(Method::SamplingCreateMessage, RevisionSet::ALL, &sample(integer));
    }
    for other in ["1.5", "1e-1", "null", "\"1\""] {
        let params = sample(other);
        let expected = ("maxTokens", "an integer", false);
        let sampling = (Method::SamplingCreateMessage, RevisionSet::ALL);
        assert_fault(sampling, Some(&params), &format!("{other}}}"), expected);
    }
}

#[test]
fn of_a_member_given_twice_the_last_counts_and_the_second_is_named() {
    for (params, is_sound) in [
        (r#"{"level":"info","le\u0076el":7}"#, false),
        (r#"{"level":7,"le\u0076el":"inf\u006f"}"#, true),
    ] {
        let message = message(Method::LoggingSetLevel, Some(params));
        let (bytes, envelope) = (message.as_bytes(), envelope(&message));
        let broken = broken(bytes, &envelope, Method::LoggingSetLevel, RevisionSet::ALL);
        assert!(broken.contains(Rule::DuplicateMember));
        assert_eq!(broken.contains(Rule::ParamsShape), !is_sound);
        let rule = Rule::DuplicateMember;
        let fault = fault(rule, bytes, &envelope, Method::LoggingSetLevel, RevisionSet::ALL);
        let offset = u32::try_from(message.find(r#""le\"#).unwrap()).unwrap();
        let (member, expected, missing) = ("level", "given once", false);
        assert_eq!(fault, Some(Fault { rule, offset, member, expected, missing }));
    }
    let strangers = message(Method::ToolsList, Some(r#"{"x":1,"x":2,"cursor":"x"}"#));
    let envelope = envelope(&strangers);
    let bytes = strangers.as_bytes();
    assert!(broken(bytes, &envelope, Method::ToolsList, RevisionSet::ALL).is_empty());
    let rule = Rule::DuplicateMember;
    assert_eq!(fault(rule, bytes, &envelope, Method::ToolsList, RevisionSet::ALL), None);
}

#[test]
fn answers_belong_to_methods_that_may_ask() {
    let modern = RevisionSet::MODERN;
    for (method, revisions, params, member) in [
        (Method::ToolsList, modern, r#"{"requestState":"s"}"#, Some("requestState")),
        (Method::ToolsList, modern, r#"{"inputRespons\u0065s":{}}"#, Some("inputResponses")),
        (Method::ToolsList, modern, r#"{"cursor":"c"}"#, None),
        (Method::ToolsList, RevisionSet::ALL, r#"{"requestState":"s"}"#, None),
        (Method::ToolsList, RevisionSet::LEGACY, r#"{"requestState":"s"}"#, None),
        (Method::ToolsCall, modern, r#"{"name":"n","requestState":"s"}"#, None),
        (Method::TasksUpdate, modern, r#"{"taskId":"t","inputResponses":{}}"#, None),
        (Method::TasksGet, modern, r#"{"taskId":"t","inputResponses":{}}"#, Some("inputResponses")),
        (Method::LogMessage, modern, r#"{"level":"info","data":1,"requestState":""}"#, None),
    ] {
        let message = message(method, Some(params));
        let (bytes, envelope) = (message.as_bytes(), envelope(&message));
        let broken = broken(bytes, &envelope, method, revisions);
        let expected = member.map_or(RuleSet::EMPTY, |_| RuleSet::EMPTY.with(Rule::MrtrParams));
        assert_eq!(broken, expected, "{message}");
        let fault = fault(Rule::MrtrParams, bytes, &envelope, method, revisions);
        assert_eq!(fault.map(|fault| fault.member), member, "{message}");
        let name = fault.map(|fault| &message[fault.offset as usize..][..9]);
        assert!(name.is_none_or(|name| ["\"requestS", "\"inputRes"].contains(&name)));
    }
}

#[test]
fn more_members_than_are_noted_are_read_all_the_same() {
    let stranger = |at: u8| format!(r#""x{at}":{{"name":1}},"#);
    let strangers = (0..40).map(stranger).collect::<Vec<_>>().concat();
    let params = format!(r#"{{{strangers}"name":"n"}}"#);
    assert_sound(Method::ToolsCall, RevisionSet::ALL, &params);
    let params = format!(r#"{{{strangers}"name":false}}"#);
    let wrong = ("name", "a string", false);
    assert_fault((Method::ToolsCall, RevisionSet::ALL), Some(&params), "false", wrong);
}

/// One value of each JSON type, and two that only some words and numbers are.
fn values() -> [Value; 9] {
    [
        json!(null),
        json!(true),
        json!(1),
        json!(1.0),
        json!(1.5),
        json!("a word"),
        json!("url"),
        json!([]),
        json!({}),
    ]
}

impl Alternative {
    fn takes(&self, params: &Map<String, Value>) -> bool {
        let has_all = self.required.iter().all(|name| params.contains_key(name));
        let is_right = |(name, schema)| match params.get(name) {
            // The schema has no null; see `INPUT_RESPONSES`.
            Some(Value::Null) if name == "inputResponses" => true,
            given => given.is_none_or(|value| takes(schema, value)),
        };
        has_all && self.members.iter().all(is_right)
    }

    /// The fewest members, and something right in each.
    fn least(&self) -> Map<String, Value> {
        let right = |name: &String| {
            let schema = &self.members[name];
            let listed = schema.get("const").or_else(|| schema.get("enum")?.get(0)).cloned();
            let any = || values().into_iter().find(|value| takes(schema, value)).unwrap();
            (name.clone(), listed.unwrap_or_else(any))
        };
        self.required.iter().map(right).collect()
    }

    /// The least params, with one member less or one value changed.
    fn mutants(&self) -> Vec<Map<String, Value>> {
        let least = self.least();
        let mut mutants = vec![least.clone()];
        for name in least.keys() {
            let mut less = least.clone();
            less.remove(name);
            mutants.push(less);
        }
        for name in self.members.keys() {
            let words = self.members[name].get("enum").and_then(Value::as_array);
            let values = values().into_iter().chain(words.cloned().unwrap_or_default());
            mutants.extend(values.map(|value| {
                let mut other = least.clone();
                other.insert(name.clone(), value);
                other
            }));
        }
        mutants
    }
}

#[test]
fn params_are_judged_as_the_schemas_judge_them() {
    let Some(all) = official() else { return };
    let (mut right, mut wrong) = (0, 0);
    for Official { method, alternatives, .. } in &all {
        // The params of one revision are judged as those of every other too.
        let others: Vec<_> = all.iter().filter(|other| other.method == *method).collect();
        for params in alternatives.iter().flat_map(Alternative::mutants) {
            let message = message(*method, Some(&Value::from(params.clone()).to_string()));
            let takes = |revision: Revision| {
                let schemas = others.iter().filter(|other| other.revision == revision);
                let mut alternatives = schemas.flat_map(|schema| &schema.alternatives);
                alternatives.any(|alternative| alternative.takes(&params))
            };
            let revisions: RevisionSet = others.iter().map(|other| other.revision).collect();
            for revision in revisions.iter() {
                let fault = shape_fault(&message, *method, only(revision));
                assert_eq!(fault.is_none(), takes(revision), "{revision} {message} {fault:?}");
                *(if fault.is_none() { &mut right } else { &mut wrong }) += 1;
            }
            for first in Revision::ALL {
                let set = RevisionSet::since(first).intersection(revisions);
                let fault = shape_fault(&message, *method, set);
                let some_takes = set.is_empty() || set.iter().any(takes);
                assert_eq!(fault.is_none(), some_takes, "{set:?} {message} {fault:?}");
            }
        }
    }
    assert_eq!((right, wrong), (3247, 6892), "verdicts compared");
}

#[test]
fn params_are_needed_where_the_schemas_need_them() {
    let Some(all) = official() else { return };
    for Official { method, revision, params_required, .. } in &all {
        let fault = shape_fault(&message(*method, None), *method, only(*revision));
        assert_eq!(fault.is_some(), *params_required, "{method} {revision}");
        assert!(fault.is_none_or(|fault| fault.member.is_empty() && fault.missing));
    }
    assert!(all.len() > 100);
}

#[test]
fn what_sdks_send_is_sound_where_the_schema_says_so() {
    let Some(lines) = corpus("messages.jsonl") else { return };
    let mut sound = 0;
    for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let row: Value = serde_json::from_slice(line).unwrap();
        let method = row["method"].as_str().and_then(|name| Method::from_bytes(name.as_bytes()));
        let revision = row["rev"].as_str().and_then(|date| Revision::from_bytes(date.as_bytes()));
        let (Some(method), Some(text)) = (method, row["text"].as_str()) else { continue };
        let Some(revision) = revision.filter(|_| row["def_ok"] == true) else { continue };
        assert_eq!(shape_fault(text, method, only(revision)), None, "{text}");
        sound += 1;
    }
    assert_eq!(sound, 1455, "messages");
}
