//! What each contender validates, found out by asking it: a right request, then
//! the same with one fault each. Nothing here is from documentation.

use std::fmt::Write as _;

use mcparse::{Kind, Sender};

use crate::contender::Contender;
use crate::contenders;
use crate::support::classes::Case;

const MESSAGE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":[1,"x"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"com.example/a":"y"}}}"#;

/// A sort of fault: a heading, and what is put in the place of what.
type Faults = (&'static str, &'static [(&'static str, &'static [u8])]);

const FAULTS: [Faults; 10] = [
    ("JSON of the envelope", &[("}}}", b"}}"), (r#""id":1,"#, br#""id":1,,"#), ("}}}", b"}}}x")]),
    ("JSON inside", &[(r#""x"]"#, br#""x",]"#), ("[1,", b"[01,"), (r#""a":["#, br#""a"["#)]),
    ("strings inside", &[(r#""x""#, b"\"\x01\""), (r#""x""#, br#""\q""#)]),
    ("UTF-8 inside", &[(r#""x""#, b"\"\xff\""), (r#""y""#, b"\"\xc3\"")]),
    ("surrogates inside", &[(r#""x""#, br#""\ud800""#), (r#""y""#, br#""\udc00""#)]),
    ("truth table", &[(r#""id":1"#, br#""id":null"#), (r#""2.0""#, br#""1.0""#)]),
    (
        "members given twice",
        &[
            (r#""id":1"#, br#""id":1,"id":2"#),
            ("\"name\":\"add\"", br#""name":"add","name":"sub""#),
        ],
    ),
    ("look-alikes", &[(r#""id":1"#, br#""id":1,"ID":2"#)]),
    ("params of the method", &[(r#""name":"add","#, b""), (r#""add""#, b"1")]),
    ("`_meta` of the revision", &[(r#","io.modelcontextprotocol/clientCapabilities":{}"#, b"")]),
];

/// Who validates what. Panics if anybody refuses the right request.
pub(crate) fn table() -> String {
    let mut table = "## What each validates\n\nFound by a right `tools/call` of 2026-07-28 with one fault at a time: *yes* if every fault \
        of the sort is refused, *no* if none is. The rows say the kind; asked for the fields in *brackets*, where that differs. \
        `check_http` reads as check does, and the head's mirrors beside it.\n\n| | takes out |"
        .to_owned();
    for (heading, _) in FAULTS {
        let _ = write!(table, " {heading} |");
    }
    table += "\n| --- | --- |";
    table += &" --- |".repeat(FAULTS.len());
    table.push('\n');
    let mut with_fields = contenders::fields();
    for mut contender in contenders::kinds(false) {
        let name = contender.name();
        let _ = write!(table, "| {name} | {} |", contender.level().as_str());
        let mut other = with_fields.iter_mut().find(|other| other.name() == name);
        for (_, faults) in FAULTS {
            let said = refused(&mut *contender, faults);
            let _ = match other.as_mut().map(|other| refused(&mut ***other, faults)) {
                Some(differs) if differs != said => write!(table, " {said} (*{differs}*) |"),
                _ => write!(table, " {said} |"),
            };
        }
        table.push('\n');
    }
    table
}

/// How much of the faults is refused.
fn refused(contender: &mut dyn Contender, faults: &[(&str, &[u8])]) -> &'static str {
    assert!(accepts(contender, MESSAGE.into()), "{} refuses a right request", contender.name());
    let is_refused = |&&(right, wrong): &&(&str, &[u8])| {
        let (before, behind) = MESSAGE.rsplit_once(right).expect("a part of the message");
        !accepts(contender, [before.as_bytes(), wrong, behind.as_bytes()].concat())
    };
    match faults.iter().filter(is_refused).count() {
        0 => "no",
        count if count == faults.len() => "yes",
        _ => "partly",
    }
}

fn accepts(contender: &mut dyn Contender, message: Vec<u8>) -> bool {
    let kind = Ok(Kind::Request);
    let cases = [Case { message, from: Sender::Client, kind, rule: None }];
    contender.prepare(&cases);
    contender.pass(&cases).accepted == 1
}
