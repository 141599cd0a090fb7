//! Sums over all messages: how many of each verdict, kind, code, rule, finding
//! and method. Bounded, however many method names a peer makes up.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use mcparse::{Kind, Rule};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::judge::{Record, Verdict};

/// The most method names that are counted one by one, and the most characters
/// that are kept of each.
const MOST_METHODS: usize = 256;
const MOST_NAME: usize = 64;

#[derive(Default)]
pub(super) struct Statistics {
    bytes: u64,
    accepted: u64,
    refused: u64,
    requests: u64,
    notifications: u64,
    responses: u64,
    codes: BTreeMap<i32, u64>,
    rules: BTreeMap<Rule, u64>,
    findings: BTreeMap<Rule, u64>,
    methods: HashMap<String, u64>,
    /// Calls of methods that found no room in `methods`.
    other_methods: u64,
}

/// Names with how often each was seen.
pub(super) type Counts<'s> = Vec<(Cow<'s, str>, u64)>;

impl Statistics {
    pub(super) fn add(&mut self, record: &Record<'_>) {
        self.bytes += record.bytes.unwrap_or_default();
        match &record.verdict {
            Verdict::Accepted { kind, method, findings, .. } => {
                self.accepted += 1;
                match kind {
                    Kind::Request => self.requests += 1,
                    Kind::Notification => self.notifications += 1,
                    Kind::Result | Kind::Error => self.responses += 1,
                }
                findings.iter().for_each(|rule| self.add_finding(rule));
                if let Some(method) = method {
                    self.add_method(&method.decode());
                }
            }
            Verdict::Refused { code, broken } => {
                self.refused += 1;
                *self.codes.entry(code.get()).or_default() += 1;
                if let Some(broken) = broken {
                    *self.rules.entry(broken.rule).or_default() += 1;
                }
            }
        }
    }

    /// A broken rule that was only reported.
    pub(super) fn add_finding(&mut self, rule: Rule) {
        *self.findings.entry(rule).or_default() += 1;
    }

    fn add_method(&mut self, method: &str) {
        let kept = match method.char_indices().nth(MOST_NAME) {
            Some((end, _)) => &method[..end],
            None => method,
        };
        if let Some(sum) = self.methods.get_mut(kept) {
            *sum += 1;
        } else if self.methods.len() < MOST_METHODS {
            self.methods.insert(kept.to_owned(), 1);
        } else {
            self.other_methods += 1;
        }
    }

    /// Messages, and their bytes but for those that were too large to be read.
    pub(super) fn totals(&self) -> Counts<'_> {
        vec![("messages".into(), self.accepted + self.refused), ("bytes".into(), self.bytes)]
    }

    pub(super) const fn other_methods(&self) -> u64 {
        self.other_methods
    }

    /// All sums but the totals, in the order in which they are printed. What
    /// has fixed names is complete; the rest is what was seen, most first.
    pub(super) fn sections(&self) -> [(&'static str, Counts<'_>); 6] {
        let fixed = |counts: &[(&'static str, u64)]| {
            counts.iter().map(|&(name, sum)| (Cow::Borrowed(name), sum)).collect()
        };
        let rules = |counts: &BTreeMap<Rule, u64>| {
            most_first(counts.iter().map(|(rule, &sum)| (Cow::Borrowed(rule.id()), sum)))
        };
        [
            ("verdicts", fixed(&[("accept", self.accepted), ("refuse", self.refused)])),
            (
                "kinds",
                fixed(&[
                    ("request", self.requests),
                    ("notification", self.notifications),
                    ("response", self.responses),
                    ("invalid", self.refused),
                ]),
            ),
            (
                "codes",
                most_first(self.codes.iter().map(|(code, &sum)| (code.to_string().into(), sum))),
            ),
            ("rules", rules(&self.rules)),
            ("findings", rules(&self.findings)),
            (
                "methods",
                most_first(self.methods.iter().map(|(name, &sum)| (name.as_str().into(), sum))),
            ),
        ]
    }
}

/// Sorted by how often, then by name, so that equal input prints equal sums.
fn most_first<'s>(counts: impl Iterator<Item = (Cow<'s, str>, u64)>) -> Counts<'s> {
    let mut counts: Counts<'s> = counts.collect();
    counts.sort_unstable_by(|(name, sum), (other, than)| than.cmp(sum).then(name.cmp(other)));
    counts
}

/// `{"messages":2,"bytes":90,"verdicts":{"accept":2,"refuse":0}, ...}`.
impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, sum) in self.totals() {
            map.serialize_entry(&name, &sum)?;
        }
        for (title, counts) in self.sections() {
            map.serialize_entry(title, &Pairs(counts))?;
        }
        map.serialize_entry("other_methods", &self.other_methods)?;
        map.end()
    }
}

/// An object that keeps the order of its members.
struct Pairs<'s>(Counts<'s>);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, sum)| (name, sum)))
    }
}
