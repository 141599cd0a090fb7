//! The classes of traffic that the benchmarks and the memory tests run over:
//! for each, messages to accept and messages of the same size to refuse, with
//! the verdict that each must get.
//!
//! Small classes hold many different messages, so that no branch predictor
//! learns one by heart. Deterministic: the same bytes in every run.

use mcparse::{ErrorCode, Kind, Rule, Sender};

use super::messages;
use super::random::Random;

/// One message, and what is true of it.
pub(crate) struct Case {
    pub(crate) message: Vec<u8>,
    pub(crate) from: Sender,
    /// What `classify` must say.
    pub(crate) kind: Result<Kind, ErrorCode>,
    /// The rule by which `check` must refuse it.
    pub(crate) rule: Option<Rule>,
}

impl Case {
    fn accepted(kind: Kind, message: Vec<u8>) -> Self {
        Self { message, from: sender(kind), kind: Ok(kind), rule: None }
    }
}

fn sender(kind: Kind) -> Sender {
    if kind.is_response() { Sender::Server } else { Sender::Client }
}

/// Messages of one sort, all accepted or all refused by `check`.
pub(crate) struct Class {
    /// The sort and its size, `request 463 B`.
    pub(crate) name: String,
    /// `accept`, `refuse` or `not JSON`.
    pub(crate) verdict: &'static str,
    pub(crate) cases: Vec<Case>,
}

impl Class {
    fn new(sort: &str, verdict: &'static str, cases: Vec<Case>) -> Self {
        let mut class = Self { name: String::new(), verdict, cases };
        class.name = format!("{sort} {}", size(class.bytes() / class.cases.len()));
        class
    }

    /// The bytes of all its messages.
    pub(crate) fn bytes(&self) -> usize {
        self.cases.iter().map(|case| case.message.len()).sum()
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..10_000 => format!("{}.{} KB", bytes / 1_000, bytes / 100 % 10),
        10_000..1_000_000 => format!("{} KB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}

/// The classes in order of size, each accepted and refused, then those that
/// are not JSON.
pub(crate) fn all() -> Vec<Class> {
    let mut classes = vec![
        Class::new("tiny", "accept", shuffled(tiny)),
        Class::new("tiny", "refuse", shuffled(tiny_refused)),
    ];
    for sort in &SORTS {
        classes.push(sort.class("accept", Sort::accepted));
        classes.push(sort.class("refuse", Sort::refused));
    }
    for sort in SORTS.iter().filter(|sort| ["request", "tools/list", "blob"].contains(&sort.name)) {
        classes.push(sort.class("cut short", Sort::cut));
        classes.push(sort.class("bad byte", Sort::with_bad_byte));
    }
    classes
}

/// A sort of message.
struct Sort {
    name: &'static str,
    count: u64,
    kind: Kind,
    /// Writes one with this id, and with this text behind its params, result
    /// or error.
    write: fn(&mut Random, id: &str, beside: &str) -> Vec<u8>,
}

/// Every sort but the tiny one.
const SORTS: [Sort; 8] = [
    Sort { name: "error", count: 64, kind: Kind::Error, write: messages::error },
    Sort { name: "request", count: 64, kind: Kind::Request, write: messages::request },
    Sort { name: "text", count: 32, kind: Kind::Result, write: messages::code },
    Sort { name: "CJK", count: 16, kind: Kind::Result, write: messages::cjk },
    Sort { name: "tools/list", count: 4, kind: Kind::Result, write: messages::tools_list },
    Sort { name: "escapes", count: 4, kind: Kind::Result, write: messages::escapes },
    Sort { name: "numbers", count: 2, kind: Kind::Result, write: messages::numbers },
    Sort { name: "blob", count: 1, kind: Kind::Result, write: messages::blob },
];

impl Sort {
    fn class(&self, verdict: &'static str, make: impl Fn(&Self, u64) -> Case) -> Class {
        let cases = (0..self.count).map(|seed| make(self, seed)).collect();
        Class::new(self.name, verdict, cases)
    }

    fn accepted(&self, seed: u64) -> Case {
        let random = &mut Random::new(seed);
        let id = messages::id(random);
        Case::accepted(self.kind, (self.write)(random, &id, ""))
    }

    fn refused(&self, seed: u64) -> Case {
        let random = &mut Random::new(seed);
        let invalid = Err(ErrorCode::INVALID_REQUEST);
        let (id, beside, kind, rule) = match (seed % 3, self.kind) {
            (0, Kind::Error) => ("7", r#","result":{}"#, invalid, Rule::ResultAndError),
            (0, Kind::Result) => {
                ("7", r#","error":{"code":1,"message":"m"}"#, invalid, Rule::ResultAndError)
            }
            (0, _) => ("null", "", invalid, Rule::IdNull),
            (1, _) => ("true", "", invalid, Rule::IdType),
            // `classify` reads the last of two, `check` refuses them.
            (_, kind) => (r#"7,"id":8"#, "", Ok(kind), Rule::DuplicateMember),
        };
        let message = (self.write)(random, id, beside);
        Case { message, from: sender(self.kind), kind, rule: Some(rule) }
    }

    /// Without its last two bytes.
    fn cut(&self, seed: u64) -> Case {
        self.broken(seed, |message| message.truncate(message.len() - 2))
    }

    /// With a control character in the middle, which stands nowhere in JSON.
    fn with_bad_byte(&self, seed: u64) -> Case {
        self.broken(seed, |message| {
            let middle = message.len() / 2;
            message[middle] = 0x01;
        })
    }

    fn broken(&self, seed: u64, fault: impl Fn(&mut Vec<u8>)) -> Case {
        let mut case = self.accepted(seed);
        fault(&mut case.message);
        Case { kind: Err(ErrorCode::PARSE_ERROR), rule: Some(Rule::NotJson), ..case }
    }
}

fn tiny(seed: u64) -> Case {
    let form = seed % 5;
    let kind = match form {
        1 => Kind::Request,
        4 => Kind::Result,
        _ => Kind::Notification,
    };
    let random = &mut Random::new(seed);
    let id = random.between(0, 1000).to_string();
    Case::accepted(kind, messages::tiny(random, form, "2.0", &id))
}

fn tiny_refused(seed: u64) -> Case {
    let form = seed % 5;
    let (version, id, rule) = match form {
        1 => ("2.0", "null", Rule::IdNull),
        4 => ("2.0", "true", Rule::IdType),
        _ => ("1.0", "", Rule::JsonrpcVersion),
    };
    let message = messages::tiny(&mut Random::new(seed), form, version, id);
    let kind = Err(ErrorCode::INVALID_REQUEST);
    Case { message, from: tiny(seed).from, kind, rule: Some(rule) }
}

/// 320 tiny messages, out of order, so that their forms make no pattern.
fn shuffled(make: impl Fn(u64) -> Case) -> Vec<Case> {
    let mut cases: Vec<Case> = (0..320).map(make).collect();
    let random = &mut Random::new(1);
    for at in (1..cases.len()).rev() {
        cases.swap(at, random.below(at + 1));
    }
    cases
}

/// A stream of at least `bytes` bytes, one message a line, all to be accepted
/// from their senders: by count mostly small messages, by bytes mostly large.
/// Gives the stream and who sent each message.
pub(crate) fn stream(bytes: usize) -> (Vec<u8>, Vec<Sender>) {
    /// Of 10,000 messages, how many are of each sort, in the order of `SORTS`;
    /// the rest are tiny.
    const SHARES: [u64; 8] = [200, 3200, 2100, 250, 170, 40, 36, 4];
    const KEPT: u64 = 8;

    let pools: Vec<Vec<Case>> = SORTS
        .iter()
        .map(|sort| (0..sort.count.max(KEPT)).map(|seed| sort.accepted(seed)).collect())
        .collect();
    let small: Vec<Case> = (0..320).map(tiny).collect();
    let random = &mut Random::new(2);
    let mut stream = Vec::with_capacity(bytes + (5 << 20));
    let mut senders = Vec::new();
    while stream.len() < bytes {
        let mut ticket = random.between(0, 10_000);
        let drawn = SHARES.iter().zip(&pools).find(|&(&share, _)| {
            let is_drawn = ticket < share;
            ticket = ticket.wrapping_sub(share);
            is_drawn
        });
        let pool = drawn.map_or(&small, |(_, pool)| pool);
        let Case { message, from, .. } = &pool[random.below(pool.len())];
        stream.extend_from_slice(message);
        stream.push(b'\n');
        senders.push(*from);
    }
    (stream, senders)
}
