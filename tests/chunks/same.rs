//! Two ways to a verdict held together, to the last word that a caller can learn of
//! it; and what a body says of where a message is to go, held to the verdict.
//!
//! Used by these tests, those of the corpora, and the fuzz target `lanes`.

use std::ops::Range;

use mcparse::{
    Action, Body, Cause, Kind, Message, Method, Policy, RequestHead, RevisionSet, Rule, RuleSet,
    Sender, Text, Validator, Violation,
};

/// All that a caller can learn of a verdict.
#[derive(Debug, PartialEq)]
pub(crate) enum Told {
    Accepted(Box<Accepted>),
    Refused(Box<Refused>),
}

#[derive(Debug, PartialEq)]
pub(crate) struct Accepted {
    kind: Kind,
    findings: RuleSet,
    revisions: RevisionSet,
    summary: String,
    id: Option<Vec<u8>>,
    error_code: Option<Vec<u8>>,
    version: Option<Vec<u8>>,
    has_meta: bool,
    /// Of the id, the method, the params, the name, the result and the error.
    spans: [Option<Range<usize>>; 6],
    is_one_line: bool,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Refused {
    rule: Rule,
    offset: u64,
    reason: &'static str,
    status: u16,
    detail: Option<String>,
    cause: Option<Cause>,
    id: Option<Vec<u8>>,
    answered: Option<Vec<u8>>,
    concerns_pending: bool,
    reply: Vec<u8>,
}

fn owned(text: Option<Text<'_>>) -> Option<Vec<u8>> {
    text.map(|text| text.raw().to_vec())
}

/// Where `part` of `whole` stands.
fn span(whole: &[u8], part: Option<&[u8]>) -> Option<Range<usize>> {
    let part = part?;
    let start = part.as_ptr().addr() - whole.as_ptr().addr();
    assert!(start + part.len() <= whole.len(), "a part of the message");
    Some(start..start + part.len())
}

pub(crate) fn told(verdict: &Result<Message<'_>, Violation<'_>>, bytes: &[u8]) -> Told {
    match verdict {
        Ok(message) => {
            assert_eq!(message.bytes(), bytes);
            Told::Accepted(Box::new(accepted(message)))
        }
        Err(violation) => Told::Refused(Box::new(refused(violation))),
    }
}

fn accepted(message: &Message<'_>) -> Accepted {
    let whole = message.bytes();
    let mut spans = [message.id_span(), None, None, None, None, None];
    let mut error_code = None;
    match message {
        Message::Request(call) => {
            spans[1] = Some(call.method_span());
            spans[2] = call.params_span();
            spans[3] = call.name_span();
        }
        Message::Notification(call) => {
            spans[1] = Some(call.method_span());
            spans[2] = call.params_span();
            spans[3] = call.name_span();
        }
        Message::Response(answer) => {
            spans[4] = answer.result_span();
            spans[5] = span(whole, answer.error());
            error_code = answer.error_code().map(<[u8]>::to_vec);
        }
    }
    Accepted {
        kind: message.kind(),
        findings: message.findings(),
        revisions: message.revisions(),
        summary: format!("{:?}", message.summary()),
        id: message.id().map(|id| id.lexeme().to_vec()),
        error_code,
        version: match message {
            Message::Request(call) => owned(call.protocol_version()),
            _ => owned(version_in_meta(message)),
        },
        has_meta: match message {
            Message::Request(call) => call.meta().is_some(),
            Message::Notification(call) => call.meta().is_some(),
            Message::Response(_) => false,
        },
        spans,
        is_one_line: message.is_one_line(),
    }
}

fn version_in_meta<'m>(message: &Message<'m>) -> Option<Text<'m>> {
    match message {
        Message::Request(call) => call.meta()?.protocol_version(),
        Message::Notification(call) => call.meta()?.protocol_version(),
        Message::Response(_) => None,
    }
}

fn name<'m>(message: &Message<'m>) -> Option<Text<'m>> {
    match message {
        Message::Request(call) => call.name(),
        Message::Notification(call) => call.name(),
        Message::Response(_) => None,
    }
}

fn refused(violation: &Violation<'_>) -> Refused {
    let mut reply = Vec::new();
    assert_eq!(violation.write_reply(&mut reply), !reply.is_empty());
    Refused {
        rule: violation.rule(),
        offset: violation.offset(),
        reason: violation.reason(),
        status: violation.http_status(),
        detail: violation.detail().map(|detail| detail.to_string()),
        // Of what is too long, no more is kept than may be.
        cause: violation.cause().filter(|_| violation.rule() != Rule::TooLarge),
        id: violation.id().map(|id| id.lexeme().to_vec()),
        answered: violation.answered_id().map(|id| id.lexeme().to_vec()),
        concerns_pending: violation.concerns_pending(),
        reply,
    }
}

/// What a body said of where its message is to go: where in it the method, the id, the
/// name and the version stand. Only places, so that asking after every byte is cheap.
type Routing = [Option<Range<usize>>; 4];

fn routing(body: &Body) -> Option<Routing> {
    let text = |text: Option<Text<'_>>| span(body.bytes(), text.map(|text| text.raw()));
    body.routing().map(|routing| {
        [
            text(Some(routing.method())),
            span(body.bytes(), routing.id().map(|id| id.lexeme())),
            text(routing.name()),
            text(routing.protocol_version()),
        ]
    })
}

/// The routing that an accepted message has.
fn final_routing(message: &Message<'_>) -> Routing {
    let text = |text: Option<Text<'_>>| span(message.bytes(), text.map(|text| text.raw()));
    [text(message.method()), message.id_span(), text(name(message)), text(version_in_meta(message))]
}

/// How many bytes a body must have to say where the message is to go, if it is as
/// plain as can be: a request by the strict rules, of a method of the protocol's own.
fn earliest(message: &Message<'_>) -> Option<usize> {
    let Message::Request(call) = message else { return None };
    let whole = Some(message.bytes()).filter(|whole| is_plain(whole))?;
    let method = Method::from_text(call.method())?;
    // What follows a number tells that it is over.
    let id = call.id_span().end + usize::from(!call.id().is_string());
    let quoted_end = |text: Text<'_>| span(whole, Some(text.raw())).map(|span| span.end + 1);
    let version = version_in_meta(message).and_then(quoted_end);
    let name = match method.name_source() {
        Some(_) => call.name().and_then(quoted_end),
        None => Some(0),
    };
    let params = call.params_span().map(|span| span.end);
    let is_known = version.zip(name).map(|(version, name)| version.max(name));
    let known = [is_known, params].into_iter().flatten().min();
    // Else not before the last brace.
    let end = whole.trim_ascii_end().len();
    Some(known.unwrap_or(end).max(id).max(call.method_span().end))
}

/// Whether nothing is escaped, no member given twice in any object, no member's name
/// nearly one that a method could be called on, and no token very long. The rules let
/// much of it pass, but it takes the tape to tell.
fn is_plain(whole: &[u8]) -> bool {
    let no_twice = Policy::strict().with_action(Rule::DeepDuplicate, Action::Refuse);
    let is_like = |name: &[u8], known: &str| {
        name.eq_ignore_ascii_case(known.as_bytes()) && name != known.as_bytes()
    };
    let has_like = |known: &str| whole.windows(known.len()).any(|name| is_like(name, known));
    let is_filler = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace();
    let mut runs = whole.chunk_by(|one, next| is_filler(one) && is_filler(next));
    // U+017F and U+212A fold to letters.
    let folds = ["\u{17f}", "\u{212a}"];
    !whole.contains(&b'\\')
        && !runs.any(|run| run.len() > 1000)
        && !folds.iter().any(|fold| whole.windows(fold.len()).any(|at| at == fold.as_bytes()))
        && !["\"name\"", "\"uri\"", "\"taskId\""].into_iter().any(has_like)
        && Validator::new(no_twice).check(Sender::Client, whole).is_ok()
}

/// The pieces of `message` between the offsets `cuts`, which are in order and may be
/// given twice.
pub(crate) fn pieces<'m>(message: &'m [u8], cuts: &[usize]) -> Vec<&'m [u8]> {
    let mut from = 0;
    let mut pieces = Vec::with_capacity(cuts.len() + 1);
    for &cut in cuts.iter().chain([&message.len()]) {
        pieces.push(&message[from..cut]);
        from = cut;
    }
    pieces
}

/// What `body` is filled with.
#[derive(Clone, Copy)]
pub(crate) struct Sent<'s, 'h> {
    pub(crate) from: Sender,
    /// It came over HTTP with this head, from a client.
    pub(crate) head: Option<&'s RequestHead<'h>>,
    pub(crate) message: &'s [u8],
}

impl Sent<'_, '_> {
    /// The verdict on all of it at once.
    pub(crate) fn whole(&self, validator: &mut Validator) -> Told {
        let verdict = match self.head {
            Some(head) => validator.check_http(head, self.message),
            None => validator.check(self.from, self.message),
        };
        told(&verdict, self.message)
    }

    /// Fills `body`, which is cleared, with the pieces between `cuts`, and holds its
    /// verdict to the one on the whole message, and what it says before that to both.
    pub(crate) fn same_in_pieces(
        &self,
        validator: &mut Validator,
        body: &mut Body,
        cuts: &[usize],
    ) {
        let &Self { from, head, message } = self;
        let about = || format!("b\"{}\" cut at {cuts:?}", message.escape_ascii());
        let most = validator.policy().limits().message_bytes;
        body.clear();
        assert!(body.bytes().is_empty());
        let mut came = 0;
        let mut said: Option<(usize, Routing)> = None;
        let mut silent = 0;
        let mut is_cut = false;
        for piece in pieces(message, cuts) {
            came += piece.len();
            is_cut |= came > most;
            assert_eq!(validator.push(body, piece), !is_cut, "{}", about());
            if !is_cut {
                assert_eq!(body.bytes().len(), came, "{}", about());
            }
            let now = routing(body);
            match (&said, now) {
                (None, None) => silent = came,
                (None, Some(now)) => said = Some((came, now)),
                (Some(_), None) => {}
                (Some((_, before)), Some(now)) => assert_eq!(now, *before, "{}", about()),
            }
        }
        let whole = self.whole(validator);
        let policy = *validator.policy();
        let verdict = match head {
            Some(head) => validator.finish_http(head, body),
            None => validator.finish(from, body),
        };
        assert!(!is_cut || verdict.is_err(), "{}", about());
        let bytes = verdict.as_ref().map_or(message, |accepted| accepted.bytes());
        assert_eq!(bytes, message, "{}", about());
        assert_eq!(told(&verdict, bytes), whole, "{} by {policy:?}", about());
        let Ok(accepted) = verdict else { return };
        if let Some((_, said)) = &said {
            assert_eq!(*said, final_routing(&accepted), "{}", about());
        }
        let is_strict = policy == Policy::strict();
        let Some(earliest) = is_strict.then(|| earliest(&accepted)).flatten() else { return };
        let (first, _) = said.unwrap_or_else(|| panic!("nothing said of {}", about()));
        assert!(silent < earliest && earliest <= first, "{earliest} for {}", about());
    }
}
