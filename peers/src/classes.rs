//! Why we differ from a peer: each class of difference as data, with the
//! sentence of the specification, or the decision, that it comes from.
//!
//! The first class that fits a difference explains it.

use mcparse::{Rule, Stage};

use crate::verdict::{Ours, Taken, Theirs};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    Rmcp,
    Tower,
}

pub(crate) struct Class {
    pub(crate) name: &'static str,
    peers: &'static [Peer],
    when: When,
    pub(crate) why: &'static str,
}

/// Which differences a class is about.
enum When {
    /// We refuse by one of these rules, and the peer accepts.
    WeRefuse(&'static [Rule]),
    /// The same, and the peer accepts with this remark.
    WeRefuseTheyRemark(&'static [Rule], &'static str),
    /// We refuse by a rule about the head of an HTTP request.
    WeRefuseTheHead,
    /// We accept and report this rule, and the peer refuses.
    WeReport(Rule),
    /// We accept as this kind, and the peer's error holds this text.
    TheyRefuse(Taken, &'static str),
}

use Peer::{Rmcp, Tower};
use When::{TheyRefuse, WeRefuse, WeRefuseTheHead, WeRefuseTheyRemark, WeReport};

const BOTH: &[Peer] = &[Rmcp, Tower];

/// Every class, those about one point before those that would swallow them.
pub(crate) const ALL: &[Class] = &[
    Class {
        name: "head",
        peers: BOTH,
        when: WeRefuseTheHead,
        why: "The head contradicts the body, or is none that a message may come with. Neither peer has a public function that compares them, so they judge the body alone: what rmcp has (`validate_request_headers`) is private to its HTTP server, and tower-mcp-types has the error to answer with, but leaves the transport to others.",
    },
    Class {
        name: "client-response",
        peers: BOTH,
        when: WeRefuse(&[Rule::ClientResponse]),
        why: "Clients send no responses in 2026-07-28, which only the header tells here. The peers' types serve the handshake revisions too, where clients answer requests of servers.",
    },
    Class {
        name: "id-float",
        peers: BOTH,
        when: WeRefuse(&[Rule::IdFloat]),
        why: "`1.0` is an integer to JSON Schema, and both peers turn it into `1`. We judge the text, since an echo as `1` is not the id that was sent; `id-float` can be relaxed.",
    },
    Class {
        name: "id-size",
        peers: BOTH,
        when: WeReport(Rule::IdUnsafeInteger),
        why: "The specification sets no bound to an integer. The peers keep it as an `i64`; we echo its text, however long, and report what many readers round.",
    },
    Class {
        name: "error-code-size",
        peers: BOTH,
        when: TheyRefuse(Taken::Error, ""),
        why: "The same for `error.code`: any integer by the specification, an `i32` to the peers.",
    },
    Class {
        name: "number-size",
        peers: BOTH,
        when: TheyRefuse(Taken::Request, "number out of range"),
        why: "`1e400` is JSON. The peers' parser makes a double of it; we make nothing of what is inside `params`.",
    },
    Class {
        name: "depth",
        peers: BOTH,
        when: TheyRefuse(Taken::Request, "recursion limit exceeded"),
        why: "RFC 8259 lets a reader limit the depth: 128 in the peers' parser, 512 in our policy, which can be set lower.",
    },
    Class {
        name: "duplicate",
        peers: &[Tower],
        when: WeRefuse(&[Rule::DuplicateMember]),
        why: "tower-mcp-types inspects a parsed value, in which the last of two equal members is left; its documentation says that whoever forwards the bytes must look for them before. We are that look.",
    },
    Class {
        name: "duplicate-inside",
        peers: &[Rmcp],
        when: WeRefuse(&[Rule::DuplicateMember]),
        why: "rmcp refuses a doubled member of a typed struct, the envelope's included. Inside `params` it then falls back to `CustomRequest`, a plain map, in which the last is left; `_meta` is such a map from the start.",
    },
    Class {
        name: "look-alike",
        peers: BOTH,
        when: WeRefuse(&[Rule::LookalikeMember]),
        why: "To readers that match names exactly, as both peers do, it is an unknown member and harmless. We refuse it for readers behind us that fold case or stop at a NUL.",
    },
    Class {
        name: "params-null",
        peers: &[Rmcp],
        when: WeRefuse(&[Rule::ParamsType]),
        why: "`params`, if present, is an object. rmcp reads an `Option`, to which `null` is absence.",
    },
    Class {
        name: "params-array",
        peers: &[Tower],
        when: WeRefuse(&[Rule::ParamsType]),
        why: "JSON-RPC allows an array, and tower-mcp-types leaves the params of a method that it does not know to the extension. MCP's `params` are objects, whatever the method.",
    },
    Class {
        name: "batch",
        peers: &[Tower],
        when: WeRefuse(&[Rule::Batch]),
        why: "2025-03-26 says that batches must be received, and tower-mcp-types takes them in that revision. We refuse them in all: a decision, and a deviation from that revision.",
    },
    Class {
        name: "result-type",
        peers: BOTH,
        when: WeRefuse(&[Rule::ResultType]),
        why: "JSON-RPC allows any `result`, MCP an object. rmcp falls back to `CustomResult`, tower-mcp-types keeps any value.",
    },
    Class {
        name: "method-empty",
        peers: &[Tower],
        when: TheyRefuse(Taken::Request, "must not be empty"),
        why: "The specification asks for a string. We let the empty one pass as an unknown method, which is reported.",
    },
    Class {
        name: "kind-or-sender",
        peers: &[Rmcp],
        when: WeRefuse(&[
            Rule::NotificationWithId,
            Rule::RequestWithoutId,
            Rule::MethodOfOtherSender,
        ]),
        why: "rmcp takes a method that does not fit the message, or that only servers send, for a custom one, and leaves it to its handler, which answers -32601 by default.",
    },
    Class {
        name: "params-as-custom",
        peers: &[Rmcp],
        when: WeRefuseTheyRemark(&[Rule::ParamsShape], "custom"),
        why: "Params that do not fit the typed request make it a `CustomRequest` or `CustomNotification` of the same method. Nothing is refused yet; the handler for those answers -32601 by default, where the specification has -32602.",
    },
    Class {
        name: "params-lenient",
        peers: &[Rmcp],
        when: WeRefuse(&[Rule::ParamsShape]),
        why: "An optional member that is `null` is absent to rmcp, and optional params that do not fit are dropped: `cursor` as a number is a first page. The schema has neither.",
    },
    Class {
        name: "arguments-any",
        peers: &[Tower],
        when: WeRefuse(&[Rule::ParamsShape]),
        why: "`arguments` are an object by the schema; tower-mcp-types keeps them as any value.",
    },
    Class {
        name: "read-when-asked",
        peers: &[Rmcp],
        when: WeRefuse(&[Rule::ProgressTokenType, Rule::ClientInfoShape, Rule::LogLevelUnknown]),
        why: "rmcp keeps `_meta` as a map and decodes a key when it is asked for; one of the wrong type is then absent. We refuse it, since the schema does.",
    },
    Class {
        name: "capabilities-array",
        peers: &[Tower],
        when: WeRefuse(&[Rule::ClientCapabilitiesType]),
        why: "A derived reader takes an array for the members of a struct in order, so `[]` is a struct without any. The schema has an object.",
    },
    Class {
        name: "extension-settings",
        peers: BOTH,
        when: WeReport(Rule::ExtensionSettingsType),
        why: "The schema is with the peers: an extension's settings are an object. We only report it. rmcp then counts the capabilities as missing.",
    },
    Class {
        name: "extension-id",
        peers: &[Tower],
        when: WeReport(Rule::ExtensionId),
        why: "An extension's identifier has a prefix, by the text of the specification but not by the schema; we report one without, tower-mcp-types refuses it.",
    },
    Class {
        name: "input-response",
        peers: &[Tower],
        when: TheyRefuse(Taken::Request, "InputResponse"),
        why: "The schema is with tower-mcp-types: an input response is one of three results. We look at the object `inputResponses`, not at what is in it.",
    },
    Class {
        name: "request-id-optional",
        peers: &[Tower],
        when: TheyRefuse(Taken::Notification, "`requestId`"),
        why: "2025-11-25 has `requestId` optional; tower-mcp-types asks for it in every revision. Its type says that this is for the receiver to log and drop.",
    },
    Class {
        name: "notification-of-other-revision",
        peers: &[Tower],
        when: WeReport(Rule::NotificationOfOtherRevision),
        why: "A client sends no `notifications/progress` in 2026-07-28. Nobody answers a notification, so we report one of another revision and let the receiver drop it.",
    },
    Class {
        name: "method-told",
        peers: &[Tower],
        when: WeRefuseTheyRemark(
            &[Rule::MethodOfOtherRevision, Rule::MissingCapability],
            "unavailable",
        ),
        why: "tower-mcp-types does not refuse a method of another revision or of an extension, but says that it is unavailable in this one: the caller decides. We refuse a method of another revision, and one of the tasks extension whose client does not declare it.",
    },
    Class {
        name: "one-union",
        peers: &[Rmcp],
        when: WeRefuse(&[Rule::MethodOfOtherRevision, Rule::MissingCapability]),
        why: "rmcp has one union of the methods of all revisions and extensions; its server looks at version and capabilities, behind the types.",
    },
    Class {
        name: "version-any",
        peers: &[Rmcp],
        when: WeRefuse(&[Rule::UnsupportedVersion]),
        why: "Any string is a `ProtocolVersion` to rmcp's types; its server compares with the list that it supports.",
    },
    Class {
        name: "version-legacy",
        peers: &[Tower],
        when: WeRefuse(&[Rule::UnsupportedVersion]),
        why: "The keys in `_meta` make it a modern request, and no modern request is of a handshake revision. tower-mcp-types is asked to inspect by the revision that is named, and has no opinion on whether a request may name it.",
    },
    Class {
        name: "revision-told",
        peers: BOTH,
        when: TheyRefuse(Taken::Request, "missing"),
        why: "Nothing in these bytes says 2026-07-28, so we judge a legacy request; the peers are told the revision. With the header beside it (`check_http`) or a policy that serves modern revisions only, we refuse it too.",
    },
];

impl Class {
    /// The class that explains why we differ from this peer, if there is one.
    pub(crate) fn of(peer: Peer, ours: &Ours, theirs: &Theirs) -> Option<&'static Self> {
        ALL.iter().find(|class| class.peers.contains(&peer) && class.when.fits(ours, theirs))
    }
}

impl When {
    fn fits(&self, ours: &Ours, theirs: &Theirs) -> bool {
        match (self, ours, theirs) {
            (WeRefuse(rules), Ours::Refuses(rule), Theirs::Accepts(..)) => rules.contains(rule),
            (WeRefuseTheyRemark(rules, expected), Ours::Refuses(rule), Theirs::Accepts(_, is)) => {
                rules.contains(rule) && is == expected
            }
            (WeRefuseTheHead, Ours::Refuses(rule), Theirs::Accepts(..)) => {
                matches!(rule.stage(), Stage::Transport | Stage::Headers)
            }
            (WeReport(rule), Ours::Accepts(_, findings), Theirs::Refuses(_)) => {
                findings.contains(*rule)
            }
            (TheyRefuse(taken, text), Ours::Accepts(as_taken, _), Theirs::Refuses(error)) => {
                taken == as_taken && error.contains(text)
            }
            _ => false,
        }
    }
}
