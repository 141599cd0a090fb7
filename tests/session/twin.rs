//! A plain twin of a session: it keeps every message, and reads the whole
//! history anew for each.

use std::collections::BTreeSet;

use mcparse::{Method, Revision, Sender};
use serde_json::Value;

/// All that was said before, in order.
#[derive(Default)]
pub(crate) struct Twin {
    history: Vec<(Sender, Value)>,
}

/// What the history amounts to.
#[derive(Default)]
struct Known {
    asked: Option<Value>,
    opened: Option<Value>,
    is_running: bool,
}

impl Twin {
    /// What is wrong with a message, by ids.
    pub(crate) fn hear(&mut self, from: Sender, message: &Value) -> BTreeSet<&'static str> {
        let before = self.known();
        self.history.push((from, message.clone()));
        let mut wrong = BTreeSet::new();
        let method = message["method"].as_str();
        let is_request = method.is_some() && message.get("id").is_some();
        if is_request && method == Some("initialize") && before.asked.is_some() {
            wrong.insert("initialize-twice");
        }
        match method {
            Some("initialize" | "ping") if is_request => {}
            Some(_) if is_request && before.opened.is_none() => {
                wrong.insert("before-initialize");
            }
            Some(_) if is_request && !before.is_running => {
                wrong.insert("before-initialized");
            }
            Some("notifications/initialized") if before.opened.is_none() => {
                wrong.insert("before-initialized");
            }
            _ => {}
        }
        if let (Some(asked), Some(opened), Some(method)) = (&before.asked, &before.opened, method)
            && lacks(from, asked, opened, method)
        {
            wrong.insert("capability-not-negotiated");
        }
        wrong
    }

    pub(crate) fn state(&self) -> &'static str {
        match self.known() {
            Known { is_running: true, .. } => "Running",
            Known { opened: Some(_), .. } => "Opened",
            Known { asked: Some(_), .. } => "Opening",
            Known { .. } => "New",
        }
    }

    fn known(&self) -> Known {
        let mut known = Known::default();
        for (from, message) in &self.history {
            let waits = known.asked.as_ref().filter(|_| known.opened.is_none());
            let is_its_answer = waits.is_some_and(|asked| {
                message.get("method").is_none()
                    && message.get("id").is_none_or(|id| *id == asked["id"])
            });
            match (from, message["method"].as_str()) {
                (Sender::Client, Some("initialize")) if known.asked.is_none() => {
                    known.asked = Some(message.clone());
                }
                (Sender::Server, None) if is_its_answer && message.get("result").is_some() => {
                    known.opened = Some(message["result"].clone());
                }
                (Sender::Server, None) if is_its_answer => known = Known::default(),
                (Sender::Client, Some("notifications/initialized")) if known.opened.is_some() => {
                    known.is_running = true;
                }
                _ => {}
            }
        }
        known
    }
}

fn lacks(from: Sender, asked: &Value, opened: &Value, method: &str) -> bool {
    let version = opened["protocolVersion"].as_str().unwrap_or_default();
    let revision = Revision::from_bytes(version.as_bytes()).expect("the generator knows them");
    let Some(method) = Method::from_bytes(method.as_bytes()) else { return false };
    let Some(capability) = method.capability(from, revision) else { return false };
    let declared = match capability.owner {
        Sender::Client => &asked["params"]["capabilities"],
        Sender::Server => &opened["capabilities"],
    };
    let is_set = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
    let value = &declared[capability.name];
    !(is_set(value) && capability.part.is_none_or(|part| is_set(&value[part])))
}
