//! A record of a log: who sent a message, and the message, or how many bytes were
//! read. What is wrong with one is said in our own words.

use std::collections::BTreeMap;

use mcparse::Sender;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::safe::Safe;

/// The most characters that are shown of a value.
const MOST_SHOWN: usize = 40;

/// What the members of a record may be called.
const DIRECTION: &[&str] = &["direction", "dir", "d"];
const MESSAGE: &[&str] = &["message", "text"];
const LEN: &[&str] = &["len"];

#[derive(Deserialize)]
pub(super) struct Record<'l> {
    #[serde(alias = "dir", alias = "d")]
    direction: Direction,
    /// As JSON, or as a string that holds it.
    #[serde(borrow, alias = "text")]
    pub(super) message: Option<&'l RawValue>,
    /// How many bytes were read.
    pub(super) len: Option<u64>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    #[serde(alias = "c2s", alias = "client-to-server")]
    Client,
    #[serde(alias = "s2c", alias = "server-to-client")]
    Server,
}

impl<'l> Record<'l> {
    /// The record in this line, or what is wrong with it.
    pub(super) fn of(line: &'l [u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(|_| fault(line))
    }

    pub(super) const fn sender(&self) -> Sender {
        match self.direction {
            Direction::Client => Sender::Client,
            Direction::Server => Sender::Server,
        }
    }
}

/// Whether the line is a record, and no message.
pub(in super::super) fn is_record(line: &[u8]) -> bool {
    let is_whole = |record: Record<'_>| record.message.is_some() || record.len.is_some();
    Record::of(line).is_ok_and(is_whole) && !is_message(line)
}

/// Whether the line is a message by itself.
pub(super) fn is_message(line: &[u8]) -> bool {
    members(line).is_some_and(|members| members.contains_key("jsonrpc"))
}

/// The members of an object; of two with one name, the last.
fn members(line: &[u8]) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_slice(line).ok()
}

/// Why the line is no record.
fn fault(line: &[u8]) -> String {
    let text: &RawValue = match serde_json::from_slice(line) {
        Ok(text) => text,
        Err(error) => return format!("not JSON at byte {}", error.column().saturating_sub(1)),
    };
    if !text.get().starts_with('{') {
        return "not a JSON object".to_owned();
    }
    let Some(members) = members(line) else {
        return "the name of a member cannot be read".to_owned();
    };
    for names in [DIRECTION, MESSAGE, LEN] {
        let given: Vec<&str> =
            names.iter().copied().filter(|&name| members.contains_key(name)).collect();
        if let [first, second, ..] = given[..] {
            return format!("\"{first}\" stands beside \"{second}\", which is the same");
        }
    }
    let Some(direction) = DIRECTION.iter().find(|&&name| members.contains_key(name)) else {
        return "\"direction\" (or \"dir\", \"d\") is missing".to_owned();
    };
    let value = members.get(*direction).map_or("", |value| value.get());
    if serde_json::from_str::<Direction>(value).is_err() {
        return format!(
            "\"{direction}\" is {}; it may be \"client\", \"c2s\" or \"client-to-server\", or \
             \"server\", \"s2c\" or \"server-to-client\"",
            Safe::new(value, MOST_SHOWN)
        );
    }
    if members.get("len").is_some_and(|len| len.get().parse::<u64>().is_err()) {
        return "\"len\" must be a number of bytes".to_owned();
    }
    "a member is given twice".to_owned()
}
