//! Whether what comes from a server is an answer to the request that waits for
//! it ([Responses]): its id, its type, its caching hints, its questions, its error
//! code, its subscription, and the tools that it lists.
//!
//! The request is known by its [`Summary`] alone. What needs no request, and is
//! asked by modern revisions only, is judged without one too. Whether a stream
//! holds one answer, and not none or two, is for whoever reads the stream.
//!
//! [Responses]: https://modelcontextprotocol.io/specification/2026-07-28/basic#responses

mod caching;
mod errors;
mod input;
mod tools;

use super::result;
use super::subject::Subject;
use crate::envelope::{Envelope, Field, JsonType};
use crate::id::Id;
use crate::json::reader;
use crate::kind::{Kind, Sender};
use crate::method::{Capability, Method};
use crate::rule::{Rule, RuleSet};
use crate::summary::Summary;
use crate::violation::Detail;

/// The rules of this stage that the message breaks.
#[inline]
pub(crate) fn broken(subject: &Subject<'_, '_>) -> RuleSet {
    let is_of_modern_server = subject.from == Sender::Server && subject.is_modern();
    match (subject.to, subject.kind) {
        (None, Kind::Result | Kind::Error) if is_of_modern_server => modern(subject),
        (None, _) => RuleSet::EMPTY,
        (Some(to), _) => beside(subject, to, is_of_modern_server),
    }
}

/// The rules that a message breaks which comes while a request waits.
fn beside(subject: &Subject<'_, '_>, to: &Summary, is_of_modern_server: bool) -> RuleSet {
    let mut broken = RuleSet::EMPTY;
    if subject.kind.is_response() {
        note_id(subject, to, &mut broken);
        broken = broken.union(result::broken(subject));
        if is_of_modern_server {
            broken = broken.union(modern(subject));
        }
        tools::note(subject, &mut broken);
    }
    note_subscription(subject, to, &mut broken);
    broken
}

/// The rules that the answer of a modern server breaks.
fn modern(subject: &Subject<'_, '_>) -> RuleSet {
    if subject.kind == Kind::Error {
        return errors::broken(subject);
    }
    let mut broken = RuleSet::EMPTY;
    let kind = ResultType::of(subject);
    broken.note(Rule::ResultTypeMissing, kind == ResultType::Missing);
    broken.note(Rule::ResultTypeUnknown, kind == ResultType::Unknown);
    let is_undeclared = |to: &Summary| kind == ResultType::Task && !to.has_capability(TASKS);
    broken.note(Rule::ResultTypeExtensionUndeclared, subject.to.is_some_and(is_undeclared));
    note_server_info(subject, &mut broken);
    caching::note(subject, kind, &mut broken);
    if kind == ResultType::InputRequired {
        input::note(subject, &mut broken);
    }
    broken.note(Rule::DiscoverVersionAbsent, is_version_absent(subject));
    broken
}

/// What a modern result says that it is ([`ResultType`]).
///
/// [`ResultType`]: https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultType {
    /// Nothing: it is read as complete.
    Missing,
    Complete,
    InputRequired,
    /// Of the extension for tasks.
    Task,
    /// One that the policy knows.
    OfPolicy,
    Unknown,
}

impl ResultType {
    #[inline]
    pub(super) fn of(subject: &Subject<'_, '_>) -> Self {
        let field = subject.envelope.result_type;
        let Some(said) = reader::text(subject.message, field) else {
            return if field.is_present() { Self::Unknown } else { Self::Missing };
        };
        if said == *"complete" {
            Self::Complete
        } else if said == *"input_required" {
            Self::InputRequired
        } else if subject.policy.result_types().iter().any(|known| said == **known) {
            Self::OfPolicy
        } else if said == *"task" && may_be_task(subject) {
            Self::Task
        } else {
            Self::Unknown
        }
    }
}

/// Whether the extension for tasks lets one stand for the answer: that of
/// `tools/call` alone ([SEP-2663]), and who knows of a method of nobody's.
///
/// [SEP-2663]: https://modelcontextprotocol.io/seps/2663-tasks-extension
fn may_be_task(subject: &Subject<'_, '_>) -> bool {
    let method = subject.to.and_then(Summary::method);
    method.is_none_or(|method| method == Method::ToolsCall)
}

const TASKS: Capability =
    Capability::of_client("extensions").with_part("io.modelcontextprotocol/tasks");

/// `answer-id-type`, `answer-id-mismatch`: the request's own id, in type and
/// value. Of an error whose sender could not read it, it may be left out.
fn note_id(subject: &Subject<'_, '_>, to: &Summary, broken: &mut RuleSet) {
    let Some(id) = id(subject.message, subject.envelope.id) else { return };
    if to.has_id(id) {
        return;
    }
    let is_other_type = to.id().is_some_and(|own| is_same_but_for_its_type(own, id));
    broken.note(Rule::AnswerIdType, is_other_type);
    broken.note(Rule::AnswerIdMismatch, !is_other_type);
}

/// Whether one is a number and the other a string that spells it.
fn is_same_but_for_its_type(one: Id<'_>, other: Id<'_>) -> bool {
    let (text, number) = match (one.as_text(), other.as_text()) {
        (Some(text), None) => (text, other.lexeme()),
        (None, Some(text)) => (text, one.lexeme()),
        _ => return false,
    };
    text.bytes().eq(number.iter().copied())
}

fn id(message: &[u8], field: Field) -> Option<Id<'_>> {
    let is_id = matches!(field.json, JsonType::String | JsonType::Number);
    is_id.then(|| Id::new(field.of(message)))
}

/// `server-info-missing`, `server-info-shape`, and `meta-type`, which for requests
/// is a rule of another stage.
fn note_server_info(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    let meta = &subject.envelope.meta;
    let is_object = meta.itself.json == JsonType::Object;
    broken.note(Rule::MetaType, meta.itself.is_present() && !is_object);
    let info = meta.server_info;
    if info.is_present() {
        let is_text = |name| reader::member(subject.message, info, name).json == JsonType::String;
        broken.note(Rule::ServerInfoShape, !(is_text("name") && is_text("version")));
    } else {
        broken.note(Rule::ServerInfoMissing, true);
    }
}

/// `subscription-id-missing`, `subscription-id-mismatch`: all that comes on the
/// stream of a `subscriptions/listen`, its own result at the end too, says so
/// ([Receiving Notifications]). A cancellation names the request itself.
///
/// [Receiving Notifications]: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#receiving-notifications
fn note_subscription(subject: &Subject<'_, '_>, to: &Summary, broken: &mut RuleSet) {
    let says_so = match subject.kind {
        Kind::Result => true,
        Kind::Notification => subject.envelope.called != Some(Method::Cancelled),
        Kind::Request | Kind::Error => false,
    };
    if !says_so || to.method() != Some(Method::SubscriptionsListen) {
        return;
    }
    let said = subject.envelope.meta.subscription_id;
    let is_own = id(subject.message, said).is_some_and(|id| to.has_id(id));
    broken.note(Rule::SubscriptionIdMissing, !said.is_present());
    broken.note(Rule::SubscriptionIdMismatch, said.is_present() && !is_own);
}

/// `discover-version-absent`: the server has just answered in that version.
fn is_version_absent(subject: &Subject<'_, '_>) -> bool {
    let to = subject.to.filter(|to| to.method() == Some(Method::ServerDiscover));
    let Some(version) = to.and_then(Summary::version) else { return false };
    let supported = named(subject, "supportedVersions");
    let mut all = reader::elements(subject.message, supported);
    let is_it =
        |field| reader::text(subject.message, field).is_some_and(|text| text == *version.as_str());
    supported.json == JsonType::Array && !all.any(is_it)
}

/// The last member of the result with this name.
fn named(subject: &Subject<'_, '_>, name: &str) -> Field {
    reader::result(subject.message, subject.envelope)
        .filter(|member| member.name == *name)
        .fold(Field::default(), |_, member| member.value)
}

/// Where in the message `rule` is broken, and what more there is to say.
#[cold]
pub(super) fn place(rule: Rule, subject: &Subject<'_, '_>) -> (u32, Detail<'static>) {
    let Envelope { root, id, result, error, code, data, meta, .. } = subject.envelope;
    let Envelope { result_type, ttl_ms, cache_scope, .. } = subject.envelope;
    // The closest thing that is there.
    let first = |fields: &[&Field]| {
        fields.iter().find(|field| field.is_present()).map_or(root.start, |field| field.start)
    };
    let offset = match rule {
        Rule::AnswerIdType | Rule::AnswerIdMismatch => first(&[id]),
        Rule::ResultTypeMissing
        | Rule::ResultTypeUnknown
        | Rule::ResultTypeExtensionUndeclared
        | Rule::InputRequiredMethod
        | Rule::InputRequiredEmpty => first(&[result_type, result]),
        Rule::TtlType | Rule::TtlNegative | Rule::CacheOnInputRequired => {
            first(&[ttl_ms, cache_scope])
        }
        Rule::CacheScopeUnknown => first(&[cache_scope]),
        Rule::ServerInfoShape | Rule::ServerInfoMissing => {
            first(&[&meta.server_info, &meta.itself, result])
        }
        Rule::InputRequestMethod | Rule::InputRequestUndeclared => {
            return input::place(rule, subject);
        }
        Rule::SubscriptionIdMissing | Rule::SubscriptionIdMismatch => {
            first(&[&meta.subscription_id, &meta.itself, result])
        }
        Rule::ErrorDataShape => first(&[data, error]),
        Rule::ErrorCodeRetired
        | Rule::ErrorCodeReserved
        | Rule::ErrorCodeNotFound
        | Rule::ErrorCodeLegacyRange
        | Rule::DiscoverUnimplemented => first(&[code]),
        Rule::DiscoverVersionAbsent => first(&[&named(subject, "supportedVersions"), result]),
        Rule::CacheHintMissing => first(&[result]),
        Rule::ToolInputSchema
        | Rule::ToolNameForm
        | Rule::ToolNameDuplicate
        | Rule::SchemaExternalRef
        | Rule::SchemaTooComplex
        | Rule::IconUriScheme => tools::place(rule, subject).unwrap_or_else(|| first(&[result])),
        _ => root.start,
    };
    (offset, Detail::Nothing)
}
