//! The order of judgement: one message with its head that breaks all stages at
//! once, each set of those faults alone, and which rule wins.
//!
//! The README shows what is found here; the test prints what it should say.

mod exchange;

use std::fmt::Write;

use exchange::{Exchange, Refusal};
use mcparse::{Action, Capability, Limits, Policy, Requirement, Rule, Sender, Stage};

/// One fault of each stage that can stand beside all the others.
struct Fault {
    rule: Rule,
    /// What the README says of it.
    words: &'static str,
    breaks: fn(Exchange) -> Exchange,
}

const FAULTS: [Fault; 9] = [
    Fault {
        rule: Rule::HttpMethod,
        words: "`PUT` in place of `POST`",
        breaks: |exchange| Exchange { http: Some("PUT"), ..exchange },
    },
    Fault {
        rule: Rule::Bom,
        words: "a byte order mark",
        breaks: |exchange| exchange.edit(r#"{"jsonrpc""#, "\u{feff}{\"jsonrpc\""),
    },
    Fault {
        rule: Rule::LookalikeMember,
        words: "a member `ID` beside `id`",
        breaks: |exchange| exchange.edit(r#""id":7"#, r#""id":7,"ID":8"#),
    },
    Fault {
        rule: Rule::ProgressTokenType,
        words: "`true` for a progress token",
        breaks: |exchange| exchange.edit(r#""progressToken":7"#, r#""progressToken":true"#),
    },
    Fault {
        rule: Rule::MethodHeaderMismatch,
        words: "`tools/list` in `Mcp-Method`",
        breaks: |exchange| exchange.header("Mcp-Method", "tools/list"),
    },
    Fault {
        rule: Rule::UnsupportedVersion,
        words: "version `2027-01-01`, in body and head",
        breaks: |exchange| exchange.version("2027-01-01"),
    },
    Fault {
        rule: Rule::MissingCapability,
        words: "no `elicitation`, which the policy asks for",
        breaks: |exchange| exchange.edit(r#""elicitation":{}"#, ""),
    },
    Fault {
        rule: Rule::MethodOfOtherSender,
        words: "`sampling/createMessage`, a server's to ask",
        breaks: |exchange| {
            // A header that is wrong already stays so.
            let is_wrong = |(_, value): &(String, String)| value == "tools/list";
            let is_mirrored = !exchange.headers.iter().any(is_wrong);
            let exchange = exchange.without("Mcp-Name").edit("tools/call", SAMPLING);
            if is_mirrored { exchange.header("Mcp-Method", SAMPLING) } else { exchange }
        },
    },
    Fault {
        rule: Rule::ParamsShape,
        words: "params that the method does not take",
        breaks: |exchange| exchange.edit(SAMPLE, r#""arguments":[],"messages":{},"maxTokens":1"#),
    },
];

const SAMPLING: &str = "sampling/createMessage";
/// What `tools/call` and `sampling/createMessage` both take.
const SAMPLE: &str = r#""arguments":{},"messages":[],"maxTokens":1"#;

static NEEDS: [Requirement; 2] = [
    Requirement::new("tools/call", Capability::of_client("elicitation")),
    Requirement::new(SAMPLING, Capability::of_client("elicitation")),
];

/// What all faults leave right: a call that may be either method.
fn right() -> Exchange {
    Exchange::call()
        .edit(r#""arguments":{"note":1}"#, SAMPLE)
        .edit("Capabilities\":{}", "Capabilities\":{\"elicitation\":{}}")
        .meta(r#""progressToken":7"#)
        .under(|policy| policy.with_requirements(&NEEDS))
}

/// With these of the faults, a bit each.
fn with(faults: usize) -> Exchange {
    let chosen = FAULTS.iter().enumerate().filter(|(at, _)| faults >> at & 1 == 1);
    chosen.fold(right(), |exchange, (_, fault)| (fault.breaks)(exchange))
}

/// As [`with`], the rules of `reported` being reported.
fn judged(faults: usize, reported: usize) -> Option<Refusal> {
    let relaxed = FAULTS.iter().enumerate().filter(|(at, _)| reported >> at & 1 == 1);
    let exchange = relaxed.fold(with(faults), |exchange, (_, fault)| {
        exchange.under(|policy| policy.with_action(fault.rule, Action::Report))
    });
    exchange.said().err()
}

#[test]
fn the_stages_have_a_fault_each_in_their_order() {
    let stages: Vec<Stage> = FAULTS.iter().map(|fault| fault.rule.stage()).collect();
    assert_eq!(
        stages,
        [
            Stage::Transport,
            Stage::Json,
            Stage::Envelope,
            Stage::Metadata,
            Stage::Headers,
            Stage::Version,
            Stage::Capability,
            Stage::Method,
            Stage::Params
        ]
    );
    // Those behind are of answers, and of what is between messages.
    let mut known: Vec<Stage> = Rule::ALL.iter().map(|rule| rule.stage()).collect();
    known.dedup();
    known.retain(|&stage| stage <= Stage::Params);
    assert_eq!(known, stages);
    assert!(FAULTS.iter().all(|fault| fault.rule.default_action() == Action::Refuse));
}

#[test]
fn each_fault_alone_is_refused_by_its_own_rule() {
    assert_eq!(right().findings(), [""; 0]);
    for (at, fault) in FAULTS.iter().enumerate() {
        let refusal = judged(1 << at, 0).unwrap();
        assert_eq!(refusal.rule, fault.rule);
        assert_eq!(refusal.code, i64::from(fault.rule.code().get()));
        assert_eq!(refusal.status, fault.rule.http_status());
        // It breaks nothing else that refuses.
        assert_eq!(judged(1 << at, 1 << at), None, "{}", fault.rule);
    }
}

#[test]
fn of_any_set_of_faults_the_earliest_stage_wins() {
    for faults in 1..1usize << FAULTS.len() {
        let first = &FAULTS[faults.trailing_zeros() as usize];
        let refusal = judged(faults, 0).unwrap();
        assert_eq!(refusal.rule, first.rule, "{faults:09b}");
    }
}

#[test]
fn of_any_set_of_faults_the_next_stage_wins_once_the_one_before_is_relaxed() {
    for faults in 1..1usize << FAULTS.len() {
        let mut left = faults;
        while left != 0 {
            let next = &FAULTS[left.trailing_zeros() as usize];
            assert_eq!(judged(faults, faults & !left).unwrap().rule, next.rule, "{faults:09b}");
            left &= left - 1;
        }
        assert_eq!(judged(faults, faults), None, "{faults:09b}");
    }
}

/// What cannot be relaxed hides what is behind it: there is nothing to read on
/// with. So here the later faults are shown without the earlier one.
#[test]
fn what_makes_a_message_unreadable_wins_over_all_behind_it() {
    let all = (1 << FAULTS.len()) - 1;
    // All but the transport's and the other one of JSON.
    let behind = with(all & !0b11);
    assert_eq!(behind.refused_by(), Some("lookalike-member"));
    let cut = |mut exchange: Exchange| {
        exchange.body.pop();
        exchange
    };
    let not_utf8 = |mut exchange: Exchange| {
        exchange.body.push(0xff);
        exchange
    };
    let short = |exchange: Exchange| {
        let most = exchange.body.len() - 1;
        exchange.under(|policy| policy.with_limits(Limits::new().with_message_bytes(most)))
    };
    let shallow = |exchange: Exchange| {
        exchange.under(|policy| policy.with_limits(Limits::new().with_depth(2)))
    };
    let unreadable: [(&str, &dyn Fn(Exchange) -> Exchange); 7] = [
        ("too-large", &short),
        ("not-utf8", &not_utf8),
        ("not-json", &cut),
        ("too-deep", &shallow),
        ("batch", &|exchange: Exchange| {
            let body = format!("[{}]", exchange.body());
            Exchange { body: body.into_bytes(), ..exchange }
        }),
        ("jsonrpc-version", &|exchange| exchange.edit("\"2.0\"", "\"1.0\"")),
        ("id-null", &|exchange| exchange.edit("\"id\":7", "\"id\":null")),
    ];
    for (rule, breaks) in unreadable {
        assert_eq!(breaks(right()).refused_by(), Some(rule));
        assert_eq!(breaks(behind.clone()).refused_by(), Some(rule));
        let with_head = Exchange { http: Some("PUT"), ..breaks(behind.clone()) };
        assert_eq!(with_head.refused_by(), Some("http-method"), "{rule}");
    }
    // And among themselves they stand in the order of the table.
    let [short, not_utf8, cut, shallow, batch, ..] = unreadable.map(|(_, breaks)| breaks);
    assert_eq!(short(not_utf8(right())).refused_by(), Some("too-large"));
    assert_eq!(not_utf8(cut(right())).refused_by(), Some("not-utf8"));
    assert_eq!(cut(batch(right())).refused_by(), Some("not-json"));
    assert_eq!(shallow(batch(right())).refused_by(), Some("too-deep"));
}

/// Other rules of the same stages, where two faults can stand side by side.
#[test]
fn other_pairs_and_triples_are_judged_in_the_same_order() {
    let legacy_only = |exchange: Exchange| {
        exchange.under(|policy| policy.with_revisions(mcparse::RevisionSet::LEGACY))
    };
    let without_capabilities = |exchange: Exchange| {
        exchange.edit(r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"#, "")
    };
    let other_revision =
        |exchange: Exchange| exchange.without("Mcp-Name").method("resources/subscribe");
    let info = r#""clientInfo":{"name":"t","version":"1"}"#;
    let anonymous = |exchange: Exchange| {
        exchange.edit(&info.replace("\"clientInfo", "clientInfo"), r#"clientInfo":{}"#)
    };
    for (exchange, rule) in [
        (without_capabilities(right()), "client-capabilities-missing"),
        (without_capabilities(with(1 << 5)), "client-capabilities-missing"),
        (without_capabilities(with(1 << 4 | 1 << 8)), "client-capabilities-missing"),
        (anonymous(with(0b1_1111_0000)), "client-info-shape"),
        (right().without("MCP-Protocol-Version"), "version-header-missing"),
        (legacy_only(right()), "era-not-served"),
        (legacy_only(with(1 << 6 | 1 << 8)), "era-not-served"),
        (legacy_only(with(1 << 4)), "method-header-mismatch"),
        (legacy_only(with(1 << 2 | 1 << 4)), "lookalike-member"),
        (other_revision(right()), "method-of-other-revision"),
        (other_revision(with(1 << 5)), "unsupported-version"),
        (other_revision(with(1 << 3 | 1 << 5)), "progress-token-type"),
        // No shape is known of a method in a revision that does not have it, so
        // that the method alone is wrong here, and the pair cannot exist.
        (other_revision(with(1 << 8)), "method-of-other-revision"),
        (with(1).header("Content-Type", "text/plain"), "http-method"),
        (with(2).header("Content-Type", "text/plain"), "content-type"),
    ] {
        assert_eq!(exchange.refused_by(), Some(rule), "{exchange:?}");
    }
}

#[test]
fn direction_is_of_the_envelope_and_comes_before_metadata() {
    // A server's request of a modern revision, with a wrong token.
    let request = right().meta(r#""tracestate":"""#).without_head();
    let wrong = (FAULTS[3].breaks)(request);
    assert_eq!(wrong.refused_by(), Some("progress-token-type"));
    let from_server = Exchange { from: Sender::Server, ..wrong };
    assert_eq!(from_server.refused_by(), Some("server-request"));
    // A notification's method with an id, and metadata that is wrong as well.
    let cancelled = r#"{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"_meta":[],"requestId":1}}"#;
    let cancelled = Exchange::bare(Sender::Client, cancelled);
    assert_eq!(cancelled.refused_by(), Some("notification-with-id"));
    assert_eq!(cancelled.edit("\"id\":1,", "").refused_by(), Some("meta-type"));
}

#[test]
fn the_readme_shows_the_order() {
    let readme = include_str!("../README.md");
    let (start, end) = ("<!-- order -->\n", "<!-- /order -->");
    let shown = readme.split_once(start).and_then(|(_, rest)| rest.split_once(end));
    let expected = format!("{}\n{}", stages(), pairs());
    assert_eq!(shown.map(|(shown, _)| shown), Some(&*expected), "it should be:\n{expected}");
}

/// A row for each stage: its codes, and the fault that the pairs are made of.
fn stages() -> String {
    let mut table = "| | stage | codes | HTTP | such as | breaks | refused with |\n".to_owned();
    table.push_str("| ---: | --- | --- | --- | --- | --- | --- |\n");
    for (at, Fault { rule, words, .. }) in FAULTS.iter().enumerate() {
        let rules = || Rule::ALL.iter().filter(|other| other.stage() == rule.stage());
        let codes = distinct(rules().map(|rule| rule.code().get().to_string()));
        let statuses = distinct(rules().map(|rule| rule.http_status().to_string()));
        let Refusal { code, status, .. } = judged(1 << at, 0).unwrap();
        let (place, stage) = (at + 1, rule.stage());
        let _ = writeln!(
            table,
            "| {place} | {stage} | {codes} | {statuses} | {words} | `{rule}` | {code}, {status} |"
        );
    }
    table
}

fn distinct(words: impl Iterator<Item = String>) -> String {
    let mut distinct: Vec<String> = words.collect();
    distinct.sort();
    distinct.dedup();
    distinct.join(", ")
}

/// A row for each fault: what a message is refused with that has it and one
/// further, in the order of the stages.
fn pairs() -> String {
    let names: Vec<String> = FAULTS.iter().map(|fault| fault.rule.stage().to_string()).collect();
    let mut table = format!("| broken besides: | {} |\n", names[1..].join(" | "));
    let _ = writeln!(table, "| --- |{}", " --- |".repeat(FAULTS.len() - 1));
    for (earlier, fault) in FAULTS[..FAULTS.len() - 1].iter().enumerate() {
        let _ = write!(table, "| {} |", fault.rule.stage());
        for later in 1..FAULTS.len() {
            if later <= earlier {
                table.push_str(" |");
                continue;
            }
            let Refusal { rule, code, .. } = judged(1 << earlier | 1 << later, 0).unwrap();
            let _ = write!(table, " `{rule}` {code} |");
        }
        table.push('\n');
    }
    table
}

#[test]
fn a_policy_that_only_observes_finds_all_of_them_in_the_same_order() {
    let all = (1 << FAULTS.len()) - 1;
    let observed = with(all).under(|policy| {
        let actions = FAULTS.iter().map(|fault| (fault.rule, policy.action(fault.rule)));
        assert!(actions.clone().all(|(_, action)| action == Action::Refuse));
        Policy::observe().with_requirements(policy.requirements())
    });
    let findings: Vec<&str> = observed.findings();
    let of_faults = FAULTS.map(|fault| fault.rule.id());
    let found: Vec<&str> = findings.into_iter().filter(|found| of_faults.contains(found)).collect();
    assert_eq!(found, of_faults);
}
