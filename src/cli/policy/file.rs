//! What a policy file may hold, member by member. Values keep their places, so
//! that what is wrong with one can be said with its line.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// The whole file. What is not given stays as the preset has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) preset: Option<Preset>,
    /// Dates.
    pub(super) revisions: Option<Spanned<Vec<Spanned<String>>>>,
    pub(super) eras: Option<Spanned<Vec<EraName>>>,
    pub(super) origins: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(super) result_types: Vec<Spanned<String>>,
    pub(super) batches: Option<Spanned<bool>>,
    /// By rule id.
    #[serde(default)]
    pub(super) actions: BTreeMap<Spanned<String>, Spanned<ActionName>>,
    /// By name.
    #[serde(default)]
    pub(super) limits: BTreeMap<Spanned<String>, Spanned<i64>>,
    #[serde(default)]
    pub(super) methods: Vec<OwnMethod>,
    #[serde(default)]
    pub(super) requirements: Vec<Need>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Preset {
    Strict,
    Spec,
    Observe,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EraName {
    Modern,
    Legacy,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ActionName {
    Refuse,
    Report,
    Off,
}

/// A method besides those of the protocol.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct OwnMethod {
    pub(super) name: Spanned<String>,
    pub(super) kind: KindName,
    pub(super) sender: SenderName,
    pub(super) revisions: Option<Spanned<Vec<Spanned<String>>>>,
    pub(super) name_source: Option<Spanned<String>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum KindName {
    Request,
    Notification,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SenderName {
    Client,
    Server,
}

/// A capability that a request needs besides those that the protocol asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Need {
    pub(super) method: Spanned<String>,
    pub(super) name: Option<Spanned<String>>,
    pub(super) capability: Spanned<String>,
}
