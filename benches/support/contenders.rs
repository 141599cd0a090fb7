//! The rows of the tables: ours, the bare tape as the ceiling, and `serde_json`.
//!
//! | row | what it checks |
//! | --- | --- |
//! | ceiling | JSON: a copy into a padded scratch, then simd-json's tape; nothing is read from it |
//! | classify | JSON, the truth table, limits |
//! | check | the same, duplicates, look-alikes, hybrids, findings; gives the spans |
//! | tape check | as check, by the tape lane alone |
//! | `IgnoredAny` | JSON without UTF-8 and surrogates inside strings: less than JSON |
//! | `Value` | JSON, the truth table by look-ups; duplicates and lexemes are lost |
//! | typed | JSON, duplicates, the truth table on a struct of `RawValue`s |

use std::borrow::Cow;
use std::hint::black_box;
use std::mem;

use mcparse::{ErrorCode, Policy, Validator};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use simd_json::{Buffers, INPUT_PADDING, Tape, fill_tape_padded};

use super::classes::Case;

/// One row.
pub(crate) trait Contender {
    fn name(&self) -> &'static str;

    /// Judges one message: whether it is accepted.
    fn accepts(&mut self, case: &Case) -> bool;

    /// What [`accepts`](Self::accepts) must give.
    fn expects(&self, case: &Case) -> bool;

    /// Judges all of them: how many are accepted. The loop that is timed,
    /// compiled once for each contender.
    fn pass(&mut self, cases: &[Case]) -> usize {
        cases.iter().filter(|case| self.accepts(case)).count()
    }

    /// Panics unless every verdict is as expected.
    fn prove(&mut self, cases: &[Case]) {
        for case in cases {
            let expected = self.expects(case);
            let start = String::from_utf8_lossy(&case.message[..case.message.len().min(300)]);
            assert_eq!(self.accepts(case), expected, "{}: {start}", self.name());
        }
    }
}

/// All rows, the ceiling first.
pub(crate) fn all() -> Vec<Box<dyn Contender>> {
    vec![
        Box::new(Ceiling::new()),
        Box::new(Classify(Validator::new(Policy::strict()))),
        Box::new(Check { name: "check", validator: Validator::new(Policy::strict()) }),
        Box::new(Check {
            name: "tape check",
            validator: Validator::with_tape_alone(Policy::strict()),
        }),
        Box::new(Skipped),
        Box::new(Tree),
        Box::new(Typed),
    ]
}

fn is_json(case: &Case) -> bool {
    case.kind != Err(ErrorCode::PARSE_ERROR)
}

pub(crate) struct Classify(pub(crate) Validator);

impl Contender for Classify {
    fn name(&self) -> &'static str {
        "classify"
    }

    fn accepts(&mut self, case: &Case) -> bool {
        black_box(&self.0.classify(black_box(&case.message))).is_ok()
    }

    fn expects(&self, case: &Case) -> bool {
        case.kind.is_ok()
    }

    fn prove(&mut self, cases: &[Case]) {
        for case in cases {
            assert_eq!(self.0.classify(&case.message), case.kind);
        }
    }
}

struct Check {
    name: &'static str,
    validator: Validator,
}

impl Contender for Check {
    fn name(&self) -> &'static str {
        self.name
    }

    fn accepts(&mut self, case: &Case) -> bool {
        black_box(&self.validator.check(case.from, black_box(&case.message))).is_ok()
    }

    fn expects(&self, case: &Case) -> bool {
        case.rule.is_none()
    }

    fn prove(&mut self, cases: &[Case]) {
        for case in cases {
            match self.validator.check(case.from, &case.message) {
                Ok(message) => assert_eq!((Ok(message.kind()), None), (case.kind, case.rule)),
                Err(violation) => assert_eq!(Some(violation.rule()), case.rule),
            }
        }
    }
}

struct Ceiling {
    scratch: Vec<u8>,
    buffers: Buffers,
    tape: Tape<'static>,
}

impl Ceiling {
    fn new() -> Self {
        let buffers = Buffers::with_max_depth(0, Policy::strict().limits().depth);
        Self { scratch: Vec::new(), buffers, tape: Tape(Vec::new()) }
    }
}

impl Contender for Ceiling {
    fn name(&self) -> &'static str {
        "ceiling"
    }

    fn accepts(&mut self, case: &Case) -> bool {
        let message = black_box(&*case.message);
        let padded = message.len() + INPUT_PADDING;
        if self.scratch.len() < padded {
            self.scratch.resize(padded, 0);
        }
        self.scratch[..message.len()].copy_from_slice(message);
        let mut tape = mem::replace(&mut self.tape, Tape(Vec::new())).reset();
        let scratch = &mut self.scratch[..padded];
        let filled = fill_tape_padded(scratch, message.len(), &mut self.buffers, &mut tape);
        let is_json = black_box(&filled).is_ok() && !black_box(&tape.0).is_empty();
        self.tape = tape.reset();
        is_json
    }

    fn expects(&self, case: &Case) -> bool {
        is_json(case)
    }
}

struct Skipped;

impl Contender for Skipped {
    fn name(&self) -> &'static str {
        "IgnoredAny"
    }

    fn accepts(&mut self, case: &Case) -> bool {
        let message = black_box(&*case.message);
        black_box(&serde_json::from_slice::<IgnoredAny>(message)).is_ok()
    }

    fn expects(&self, case: &Case) -> bool {
        is_json(case)
    }
}

struct Tree;

impl Contender for Tree {
    fn name(&self) -> &'static str {
        "Value"
    }

    fn accepts(&mut self, case: &Case) -> bool {
        let message = black_box(&*case.message);
        serde_json::from_slice(message).is_ok_and(|tree| is_message(black_box(&tree)))
    }

    fn expects(&self, case: &Case) -> bool {
        case.kind.is_ok()
    }
}

/// The truth table on a tree.
fn is_message(tree: &Value) -> bool {
    let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    let [id, method, params, result, error] =
        ["id", "method", "params", "result", "error"].map(|name| tree.get(name));
    tree.get("jsonrpc").is_some_and(|version| version == "2.0")
        && match (method, result, error) {
            (Some(method), _, _) => {
                method.is_string() && id.is_none_or(is_id) && params.is_none_or(Value::is_object)
            }
            (None, Some(result), None) => result.is_object() && id.is_some_and(is_id),
            (None, None, Some(error)) => {
                error["code"].is_i64()
                    && error["message"].is_string()
                    && id.is_some_and(|id| id.is_null() || is_id(id))
            }
            (None, _, _) => false,
        }
}

struct Typed;

/// The envelope, what is inside its members left as text.
#[derive(Deserialize)]
struct Envelope<'m> {
    #[serde(borrow)]
    jsonrpc: Cow<'m, str>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'m RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'m, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'m RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'m RawValue>,
    error: Option<ErrorObject<'m>>,
}

#[derive(Deserialize)]
struct ErrorObject<'m> {
    #[expect(dead_code, reason = "that it can be read is all that is asked")]
    code: i64,
    #[serde(borrow)]
    #[expect(dead_code, reason = "that it can be read is all that is asked")]
    message: Cow<'m, str>,
}

/// A member that is there, `null` or not.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<&'de RawValue>, D::Error> {
    Deserialize::deserialize(value).map(Some)
}

impl Envelope<'_> {
    fn is_message(&self) -> bool {
        let is_id = |id: &RawValue| {
            let text = id.get();
            text.starts_with('"') || text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
        };
        let is_object = |value: &RawValue| value.get().starts_with('{');
        self.jsonrpc == "2.0"
            && match (&self.method, self.result, &self.error) {
                (Some(_), _, _) => self.id.is_none_or(is_id) && self.params.is_none_or(is_object),
                (None, Some(result), None) => is_object(result) && self.id.is_some_and(is_id),
                (None, None, Some(_)) => self.id.is_some_and(|id| id.get() == "null" || is_id(id)),
                (None, _, _) => false,
            }
    }
}

impl Contender for Typed {
    fn name(&self) -> &'static str {
        "typed"
    }

    fn accepts(&mut self, case: &Case) -> bool {
        let message = black_box(&*case.message);
        serde_json::from_slice::<Envelope<'_>>(message)
            .is_ok_and(|envelope| black_box(&envelope).is_message())
    }

    /// Serde's structs refuse a member given twice, as `check` does.
    fn expects(&self, case: &Case) -> bool {
        case.rule.is_none()
    }
}
