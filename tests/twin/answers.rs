//! The rules of answers, in words: what comes while a request waits, and what
//! needs no request to be judged.

use mcparse::{Capability, Kind, Method, Revision, Rule, Sender};

use super::calls::has;
use super::envelope::{is, repeated};
use super::message::Message;
use super::number;
use super::params::{fits, is_any, results};
use super::read::{Json, Member, Value};
use super::tools;
use super::truth::last;

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

pub(crate) fn breaks(message: &Message<'_>, rule: Rule) -> Option<usize> {
    let beside = message.to.as_deref().and_then(|to| beside(message, to, rule));
    let is_of_modern_server = message.from == Sender::Server && message.is_modern();
    let alone = || match message.kind() {
        Kind::Result => result(message, rule),
        Kind::Error => error(message, rule),
        Kind::Request | Kind::Notification => None,
    };
    beside.or_else(|| alone().filter(|_| is_of_modern_server))
}

/// The rules that need the request.
fn beside(message: &Message<'_>, to: &Message<'_>, rule: Rule) -> Option<usize> {
    let method = to.protocol_method();
    match rule {
        Rule::AnswerIdType | Rule::AnswerIdMismatch => {
            let id = message.id.filter(|id| matches!(id.json(), Json::String | Json::Number))?;
            let is_other = message.kind().is_response() && !is_same_id(to, id);
            let is_by_type = is_other_type(to, id);
            (is_other && is_by_type == (rule == Rule::AnswerIdType)).then_some(id.at)
        }
        Rule::ResultShape => result_shape(message, method?),
        Rule::ToolInputSchema
        | Rule::ToolNameForm
        | Rule::ToolNameDuplicate
        | Rule::SchemaExternalRef
        | Rule::SchemaTooComplex
        | Rule::IconUriScheme => tools::breaks(message, to, rule),
        Rule::SubscriptionIdMissing | Rule::SubscriptionIdMismatch => {
            let is_cancelled = message.protocol_method() == Some(Method::Cancelled);
            let says_so = match message.kind() {
                Kind::Result => true,
                Kind::Notification => !is_cancelled,
                _ => false,
            };
            let meta = meta(message);
            let said = meta.and_then(|meta| last(&meta.members(), SUBSCRIPTION_ID));
            let is_missing = said.is_none();
            let is_own = said.is_some_and(|said| is_same_id(to, said));
            let is_meant = is_missing == (rule == Rule::SubscriptionIdMissing);
            let at = said.or(meta).or(message.result).unwrap_or(message.root).at;
            let is_listen = method == Some(Method::SubscriptionsListen);
            (is_listen && says_so && !is_own && is_meant).then_some(at)
        }
        _ => None,
    }
}

pub(crate) fn has_same_id(message: &Message<'_>, to: &Message<'_>) -> bool {
    message.id.is_some_and(|id| is_same_id(to, id))
}

/// The same type and the same value.
fn is_same_id(to: &Message<'_>, id: Value<'_>) -> bool {
    let Some(own) = to.id else { return false };
    match (own.json(), id.json()) {
        (Json::String, Json::String) => own.decoded() == id.decoded(),
        (Json::Number, Json::Number) => {
            own.raw == id.raw || number::equal(own.raw, id.raw).unwrap_or(false)
        }
        _ => false,
    }
}

/// A string that spells the number, or the number that the string spells. Of a
/// long id it is not known.
fn is_other_type(to: &Message<'_>, id: Value<'_>) -> bool {
    let Some(own) = to.id.filter(|own| own.raw.len() <= 64) else { return false };
    match (own.json(), id.json()) {
        (Json::String, Json::Number) => own.is_text(id.raw),
        (Json::Number, Json::String) => id.is_text(own.raw),
        _ => false,
    }
}

fn result_shape(message: &Message<'_>, method: Method) -> Option<usize> {
    let is_asked = message.to.as_deref().is_some_and(Message::is_request);
    let given = message.result.filter(|_| is_asked && message.kind() == Kind::Result)?;
    let members = given.members();
    let kind = last(&members, "resultType");
    let shape_of = |revision: Revision| {
        if !revision.is_modern() || kind.is_none_or(|kind| kind.is_text("complete")) {
            results(method.as_str(), revision)
        } else if kind.is_some_and(|kind| kind.is_text("input_required")) {
            results("input_required", revision)
        } else {
            Vec::new()
        }
    };
    let all: Vec<_> =
        message.revisions.intersection(method.revisions()).iter().map(shape_of).collect();
    let newest = all.last()?;
    let fits_one = |shapes: &Vec<_>| {
        shapes.is_empty() || shapes.iter().any(|taken: &Vec<_>| fits(taken, &members))
    };
    if all.iter().any(fits_one) {
        return None;
    }
    // The first shape of a revision is that of the method itself.
    let taken = newest.first()?;
    let is_wrong = |member: &&Member<'_>| {
        taken.iter().filter(|one| is(member, one.0)).any(|(name, _, types)| {
            let counts = last(&members, name).is_some_and(|value| !is_any(value, types));
            counts && !is_any(member.value, types)
        })
    };
    Some(members.iter().find(is_wrong).map_or(given.at, |member| member.value.at))
}

/// Where a member that the method gives, in whatever revision, is given again.
pub(crate) fn repeated_member(message: &Message<'_>) -> Option<usize> {
    // What is no request has no result.
    let to = message.to.as_deref().filter(|to| to.is_request())?;
    let method = to.protocol_method()?;
    let members = message.result.filter(|_| message.kind() == Kind::Result)?.members();
    let kind = last(&members, "resultType").filter(|_| message.is_modern());
    let name = match kind {
        None => method.as_str(),
        Some(kind) if kind.is_text("complete") => method.as_str(),
        Some(kind) if kind.is_text("input_required") => "input_required",
        Some(_) => return None,
    };
    let first = |revision: &Revision| results(name, *revision).into_iter().next();
    let given: Vec<_> = Revision::ALL.iter().filter_map(first).flatten().collect();
    let is_given = |member: &&Member<'_>| given.iter().any(|one| is(member, one.0));
    repeated(members.iter().filter(is_given))
}

fn meta<'m>(message: &Message<'m>) -> Option<Value<'m>> {
    let of = if message.method.is_some() { message.params } else { message.result };
    last(&of?.members(), "_meta")
}

/// The rules of modern results.
fn result(message: &Message<'_>, rule: Rule) -> Option<usize> {
    let result = message.result?;
    let members = result.members();
    let get = |name| last(&members, name);
    let [kind, ttl, scope] = ["resultType", "ttlMs", "cacheScope"].map(get);
    let to = message.to.as_deref();
    let method = to.and_then(Message::protocol_method);
    let is_kind = |word: &str| kind.is_some_and(|kind| kind.is_text(word));
    let of_policy = message.policy.result_types().iter().any(|known| is_kind(known));
    let at_kind = kind.unwrap_or(result).at;
    let asks = is_kind("input_required");
    let is_task = is_kind("task") && method.is_none_or(|method| method == Method::ToolsCall);
    let are_hints = match method {
        Some(method) => method.is_cacheable(),
        None => scope.is_some(),
    };
    match rule {
        Rule::MetaType => {
            get("_meta").filter(|meta| meta.json() != Json::Object).map(|meta| meta.at)
        }
        Rule::ResultTypeMissing => kind.is_none().then_some(at_kind),
        Rule::ResultTypeUnknown => {
            let is_known = ["complete", "input_required"].into_iter().any(is_kind) || is_task;
            (kind.is_some() && !is_known && !of_policy).then_some(at_kind)
        }
        Rule::ResultTypeExtensionUndeclared => {
            let tasks =
                Capability::of_client("extensions").with_part("io.modelcontextprotocol/tasks");
            (is_task && !of_policy && !declares(to?, tasks)).then_some(at_kind)
        }
        Rule::TtlType | Rule::TtlNegative => {
            let ttl = ttl.filter(|_| are_hints)?;
            let is_integer = ttl.json() == Json::Number && number::is_integral(ttl.raw);
            let is_negative = is_integer
                && ttl.raw.starts_with('-')
                && ttl
                    .raw
                    .bytes()
                    .take_while(|byte| !b"eE".contains(byte))
                    .any(|byte| byte.is_ascii_digit() && byte != b'0');
            let is_broken = if rule == Rule::TtlType { !is_integer } else { is_negative };
            is_broken.then_some(ttl.at)
        }
        Rule::CacheScopeUnknown => {
            let scope = scope.filter(|_| are_hints)?;
            let is_known = scope.is_text("public") || scope.is_text("private");
            (!is_known).then_some(scope.at)
        }
        Rule::CacheHintMissing => {
            let is_complete = kind.is_none() || is_kind("complete");
            let lacks = ttl.is_none() || scope.is_none();
            (method?.is_cacheable() && is_complete && lacks).then_some(result.at)
        }
        Rule::CacheOnInputRequired => ttl.or(scope).filter(|_| asks).map(|hint| hint.at),
        Rule::ServerInfoShape | Rule::ServerInfoMissing => {
            let info = get("_meta").and_then(|meta| last(&meta.members(), SERVER_INFO));
            let has = |name| {
                let of = info.map(Value::members).unwrap_or_default();
                last(&of, name).is_some_and(|value| value.json() == Json::String)
            };
            let is_broken = match rule {
                Rule::ServerInfoMissing => info.is_none(),
                _ => info.is_some() && !(has("name") && has("version")),
            };
            is_broken.then(|| info.or(get("_meta")).unwrap_or(result).at)
        }
        Rule::InputRequiredMethod => (asks && !method?.may_ask_for_input()).then_some(at_kind),
        Rule::InputRequiredEmpty => {
            let has_any = get("inputRequests").or(get("requestState")).is_some();
            (asks && !has_any).then_some(at_kind)
        }
        Rule::InputRequestMethod | Rule::InputRequestUndeclared if asks => {
            let questions = get("inputRequests")?.members();
            let breaks = |question: &&Member<'_>| match (needed(question.value), rule) {
                (None, rule) => rule == Rule::InputRequestMethod,
                (Some(needed), Rule::InputRequestUndeclared) => {
                    to.is_some_and(|to| !declares(to, needed))
                }
                _ => false,
            };
            questions.iter().find(breaks).map(|question| question.value.at)
        }
        Rule::DiscoverVersionAbsent if method == Some(Method::ServerDiscover) => {
            let asked = to?.meta_member(super::message::PROTOCOL_VERSION)?.decoded()?;
            let asked = Revision::from_bytes(&asked)?;
            let supported = get("supportedVersions").filter(|all| all.json() == Json::Array)?;
            let has_it = supported.parts().iter().any(|one| one.is_text(asked.as_str()));
            (!has_it).then_some(supported.at)
        }
        _ => None,
    }
}

/// The capability that a question needs, if it is one.
fn needed(question: Value<'_>) -> Option<Capability> {
    let members = question.members();
    let method = last(&members, "method")?;
    let params = last(&members, "params").map(Value::members).unwrap_or_default();
    let is_url = last(&params, "mode").is_some_and(|mode| mode.is_text("url"));
    let part = if is_url { "url" } else { "form" };
    let sampling = Capability::of_client("sampling");
    let has_tools = last(&params, "tools").is_some_and(|tools| tools.json() == Json::Array);
    [
        ("roots/list", Capability::of_client("roots")),
        ("sampling/createMessage", if has_tools { sampling.with_part("tools") } else { sampling }),
        ("elicitation/create", Capability::of_client("elicitation").with_part(part)),
    ]
    .into_iter()
    .find_map(|(name, needed)| method.is_text(name).then_some(needed))
}

fn declares(to: &Message<'_>, needed: Capability) -> bool {
    to.capabilities().is_some_and(|declared| has(declared, needed))
}

/// The rules of modern errors.
fn error(message: &Message<'_>, rule: Rule) -> Option<usize> {
    let error = message.error?;
    let members = error.members();
    let code = last(&members, "code")?;
    let data = last(&members, "data");
    let number: i64 = code.raw.parse().ok()?;
    let is_between = |least, most| number >= least && number <= most;
    let is_discover =
        message.to.as_deref().and_then(Message::protocol_method) == Some(Method::ServerDiscover);
    let in_data = |name| last(&data?.members(), name);
    let is_broken = match rule {
        Rule::ErrorCodeRetired => number == -32042,
        Rule::ErrorCodeReserved => {
            is_between(-32099, -32020) && !is_between(-32022, -32020) && number != -32042
        }
        Rule::ErrorCodeNotFound => number == -32002,
        Rule::ErrorCodeLegacyRange => is_between(-32019, -32000) && number != -32002,
        Rule::DiscoverUnimplemented => is_discover && number == -32601,
        Rule::ErrorDataShape if number == -32021 => {
            in_data("requiredCapabilities").is_none_or(|it| it.json() != Json::Object)
        }
        Rule::ErrorDataShape if number == -32022 => {
            let is_text = |value: &Value<'_>| value.json() == Json::String;
            let are_versions = in_data("supported")
                .is_some_and(|all| all.json() == Json::Array && all.parts().iter().all(is_text));
            !(are_versions && in_data("requested").is_some_and(|it| is_text(&it)))
        }
        _ => false,
    };
    let at = if rule == Rule::ErrorDataShape { data.unwrap_or(error) } else { code };
    is_broken.then_some(at.at)
}
