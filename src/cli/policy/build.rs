//! From the text of a policy file to a policy.
//!
//! A policy borrows its lists for ever, so that it can stand in a constant. The
//! command reads one policy a run and needs it to the end, and so the lists are
//! leaked: once, and no more of them than the file holds.

use mcparse::{
    Action, Capability, ExtraMethod, Kind, Limits, Policy, Requirement, Revision, RevisionSet,
    Rule, Sender,
};
use toml::Spanned;

use super::fault::Fault;
use super::file::{ActionName, EraName, File, KindName, Need, OwnMethod, Preset, SenderName};

/// The policy that `text` describes, or what is wrong with it.
pub(in super::super) fn build(text: &str) -> Result<Policy, Fault> {
    let file: File = toml::from_str(text).map_err(|error| Fault::of_toml(&error, text))?;
    let mut policy = match file.preset {
        None | Some(Preset::Strict) => Policy::strict(),
        Some(Preset::Spec) => Policy::spec(),
        Some(Preset::Observe) => Policy::observe(),
    };
    if let Some(served) = served(&file)? {
        policy = policy.with_revisions(served);
    }
    if let Some(batches) = &file.batches {
        policy = with_batches(policy, batches)?;
    }
    for (id, action) in &file.actions {
        policy = with_action(policy, id, action)?;
    }
    policy = policy.with_limits(limits(&file)?);
    if let Some(origins) = &file.origins {
        origins.iter().try_for_each(check_origin)?;
        policy = policy.with_origins(leaked_all(origins));
    }
    let methods = file.methods.iter().map(method).collect::<Result<Vec<_>, _>>()?;
    let requirements = file
        .requirements
        .iter()
        .map(|need| requirement(need, &methods))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(policy
        .with_result_types(leaked_all(&file.result_types))
        .with_methods(methods.leak())
        .with_requirements(requirements.leak()))
}

/// The revisions that the file names, by dates or by eras.
fn served(file: &File) -> Result<Option<RevisionSet>, Fault> {
    match (&file.revisions, &file.eras) {
        (None, None) => Ok(None),
        (Some(dates), None) => revisions(dates).map(Some),
        (None, Some(eras)) if eras.get_ref().is_empty() => {
            Err(Fault::new(&eras.span(), "eras is empty; name \"modern\", \"legacy\" or both"))
        }
        (None, Some(eras)) => {
            let of_era = |set: RevisionSet, era: &EraName| match era {
                EraName::Modern => set.union(RevisionSet::MODERN),
                EraName::Legacy => set.union(RevisionSet::LEGACY),
            };
            Ok(Some(eras.get_ref().iter().fold(RevisionSet::EMPTY, of_era)))
        }
        (Some(_), Some(eras)) => {
            Err(Fault::new(&eras.span(), "revisions and eras say the same thing; give one of them"))
        }
    }
}

fn revisions(dates: &Spanned<Vec<Spanned<String>>>) -> Result<RevisionSet, Fault> {
    if dates.get_ref().is_empty() {
        return Err(Fault::new(&dates.span(), "revisions is empty; name one or leave it out"));
    }
    let known = Revision::ALL.map(Revision::as_str);
    dates.get_ref().iter().try_fold(RevisionSet::EMPTY, |set, date| {
        let revision = Revision::from_bytes(date.get_ref().as_bytes());
        let unknown = || Fault::unknown(&date.span(), "revision", date.get_ref(), known);
        Ok(set.with(revision.ok_or_else(unknown)?))
    })
}

/// Where their revision is not served, batches would be refused all the same, and
/// nobody would notice.
fn with_batches(policy: Policy, batches: &Spanned<bool>) -> Result<Policy, Fault> {
    let takes = *batches.get_ref();
    if takes && !policy.revisions().contains(Revision::V2025_03_26) {
        let said = "batches are of 2025-03-26, which is not served; add it or leave them out";
        return Err(Fault::new(&batches.span(), said));
    }
    Ok(policy.with_batches(takes))
}

fn with_action(
    policy: Policy,
    id: &Spanned<String>,
    action: &Spanned<ActionName>,
) -> Result<Policy, Fault> {
    let ids = Rule::ALL.iter().map(|rule| rule.id());
    let unknown = || match super::super::near::nearest(id.get_ref(), ids.clone()) {
        Some(_) => Fault::unknown(&id.span(), "rule", id.get_ref(), ids),
        // A hundred names are no help; the command that shows them is.
        None => Fault::new(
            &id.span(),
            format!("there is no rule \"{}\"; see `mcparse rules`", id.get_ref().escape_debug()),
        ),
    };
    let rule = Rule::from_id(id.get_ref()).ok_or_else(unknown)?;
    let asked = match action.get_ref() {
        ActionName::Refuse => Action::Refuse,
        ActionName::Report => Action::Report,
        ActionName::Off => Action::Off,
    };
    if rule.is_fatal() && asked != Action::Refuse {
        return Err(Fault::new(
            &id.span(),
            format!("the rule \"{rule}\" is fatal and always refuses; leave it out"),
        ));
    }
    Ok(policy.with_action(rule, asked))
}

/// The names of the limits.
const LIMITS: [&str; 8] = [
    "message-bytes",
    "depth",
    "id-bytes",
    "method-bytes",
    "name-bytes",
    "header-bytes",
    "members",
    "batch-messages",
];

fn limits(file: &File) -> Result<Limits, Fault> {
    let mut limits = Limits::new();
    for (name, value) in &file.limits {
        let (field, most) = match name.get_ref().as_str() {
            "message-bytes" => (&mut limits.message_bytes, Some(Limits::MOST_MESSAGE_BYTES)),
            "depth" => (&mut limits.depth, Some(Limits::MOST_DEPTH)),
            "id-bytes" => (&mut limits.id_bytes, None),
            "method-bytes" => (&mut limits.method_bytes, None),
            "name-bytes" => (&mut limits.name_bytes, None),
            "header-bytes" => (&mut limits.header_bytes, None),
            "members" => (&mut limits.members, None),
            "batch-messages" => (&mut limits.batch_messages, None),
            typed => return Err(Fault::unknown(&name.span(), "limit", typed, LIMITS)),
        };
        // Nothing is as long as the longest message.
        let most = most.unwrap_or(Limits::MOST_MESSAGE_BYTES);
        *field = match usize::try_from(*value.get_ref()) {
            Ok(limit) if (1..=most).contains(&limit) => limit,
            _ => {
                let said = format!(
                    "the limit \"{}\" is {}; it must be from 1 to {most}",
                    name.get_ref(),
                    value.get_ref()
                );
                return Err(Fault::new(&value.span(), said));
            }
        };
    }
    Ok(limits)
}

/// `origin` is scheme, host and port, with nothing behind them.
fn check_origin(origin: &Spanned<String>) -> Result<(), Fault> {
    let rest = origin.get_ref().split_once("://").map_or("", |(_, rest)| rest);
    if rest.is_empty() || rest.contains('/') {
        let said = format!(
            "the origin \"{}\" must be a scheme, a host and, if need be, a port, as in \
             \"https://app.example:8443\"",
            origin.get_ref().escape_debug()
        );
        return Err(Fault::new(&origin.span(), said));
    }
    Ok(())
}

fn method(own: &OwnMethod) -> Result<ExtraMethod, Fault> {
    let name = own.name.get_ref();
    if name.is_empty() {
        return Err(Fault::new(&own.name.span(), "the name of a method is empty"));
    }
    if mcparse::Method::from_bytes(name.as_bytes()).is_some() {
        let said = format!("the method \"{name}\" is one of the protocol's; leave it out");
        return Err(Fault::new(&own.name.span(), said));
    }
    let kind = match own.kind {
        KindName::Request => Kind::Request,
        KindName::Notification => Kind::Notification,
    };
    let sender = match own.sender {
        SenderName::Client => Sender::Client,
        SenderName::Server => Sender::Server,
    };
    let mut method = ExtraMethod::new(leaked(name), kind, sender);
    if let Some(dates) = &own.revisions {
        method = method.with_revisions(revisions(dates)?);
    }
    if let Some(source) = &own.name_source {
        method = method.with_name_source(leaked(source.get_ref()));
    }
    Ok(method)
}

/// The capabilities that the protocol defines for a client.
const CAPABILITIES: [&str; 5] = ["roots", "sampling", "elicitation", "experimental", "extensions"];

/// `methods` are the policy's own. A requirement on a method that nobody can
/// call, or of a capability that nobody declares, would do something else than
/// was meant, and nobody would notice.
fn requirement(need: &Need, methods: &[ExtraMethod]) -> Result<Requirement, Fault> {
    let written = need.capability.get_ref();
    // An extension's identifier has dots of its own.
    let (name, part) = match written.split_once('.') {
        Some((name, part)) => (name, Some(part)),
        None => (written.as_str(), None),
    };
    if name.is_empty() || part == Some("") {
        let said = format!(
            "the capability \"{}\" must be a name, as in \"elicitation\", or a name and a part, \
             as in \"elicitation.url\"",
            written.escape_debug()
        );
        return Err(Fault::new(&need.capability.span(), said));
    }
    if !CAPABILITIES.contains(&name) {
        return Err(Fault::unknown(&need.capability.span(), "capability", name, CAPABILITIES));
    }
    let of_protocol = mcparse::Method::ALL.iter().map(|method| method.as_str());
    let called = of_protocol.chain(methods.iter().map(ExtraMethod::name));
    if !called.clone().any(|method| method == need.method.get_ref()) {
        let typed = need.method.get_ref();
        return Err(Fault::unknown(&need.method.span(), "method", typed, called));
    }
    let mut capability = Capability::of_client(leaked(name));
    if let Some(part) = part {
        capability = capability.with_part(leaked(part));
    }
    let requirement = Requirement::new(leaked(need.method.get_ref()), capability);
    Ok(match &need.name {
        Some(name) => requirement.on(leaked(name.get_ref())),
        None => requirement,
    })
}

fn leaked(text: &str) -> &'static str {
    text.to_owned().leak()
}

fn leaked_all(texts: &[Spanned<String>]) -> &'static [&'static str] {
    texts.iter().map(|text| leaked(text.get_ref())).collect::<Vec<_>>().leak()
}

#[cfg(test)]
mod tests;
