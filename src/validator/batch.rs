//! Judging a batch of 2025-03-26: an array of messages, each judged alone. Never
//! reached by a message that is judged on its own.

use std::ops::Range;

use super::{Circumstances, Validator, not_json, read, unread};
use crate::envelope::{Field, JsonType};
use crate::json::grammar::{self, Fault};
use crate::json::reader;
use crate::kind::Sender;
use crate::message::Message;
use crate::method::{Method, RevisionSet};
use crate::revision::Revision;
use crate::rule::{Rule, RuleSet};
use crate::violation::{Answer, Place, Violation};

impl Validator {
    /// Judges what may be a [batch], as 2025-03-26 alone has them: if the policy
    /// [takes them](crate::Policy::with_batches) and serves that revision, each element
    /// of an array is judged alone, in that revision, and `each` gets the
    /// verdicts in order. The result is how many there were; 0 if the message is
    /// no array, which is judged as by [`check`](Self::check), once.
    ///
    /// What is given borrows the caller's bytes; the offset in a violation counts
    /// from the first byte of its element. An array is checked as JSON as a whole
    /// first, so that either all elements are judged or none is. Whether requests
    /// and answers are mixed, which they must not be, is left to the caller.
    ///
    /// The replies of refused elements, which
    /// [`write_reply`](Violation::write_reply) writes one by one, belong into one
    /// array with the answers to the accepted requests; where there are none of
    /// either, nothing is said at all. A batch that is refused as a whole has one
    /// reply, in no array.
    ///
    /// The head of an HTTP request that a batch came in is not judged: its version
    /// header, if there is one, names 2025-03-26, and its `Origin` is the caller's
    /// to look at.
    ///
    /// ```
    /// use mcparse::{Policy, Sender, Validator};
    ///
    /// let mut validator = Validator::new(Policy::strict().with_batches(true));
    /// let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}, {"foo":"boo"}]"#;
    ///
    /// let (mut accepted, mut replies) = (Vec::new(), Vec::new());
    /// let count = validator.check_batch(Sender::Client, batch, |verdict| match verdict {
    ///     Ok(message) => accepted.push(message), // its answer comes later
    ///     Err(violation) => {
    ///         let comma = replies.len();
    ///         if violation.write_reply(&mut replies) && comma > 0 {
    ///             replies.insert(comma, b',');
    ///         }
    ///     }
    /// })?;
    /// assert_eq!((count, accepted.len()), (3, 2));
    /// let replies = [b"[", &replies[..], b"]"].concat();
    /// assert!(replies.starts_with(br#"[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"#));
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Violation`] by which the array is refused as a whole: it is too long,
    /// no JSON or too deep, or by the rule `batch` it is empty, has more elements
    /// than [`Limits::batch_messages`](crate::Limits::batch_messages), or may not
    /// be.
    ///
    /// [batch]: https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
    pub fn check_batch<'m>(
        &mut self,
        from: Sender,
        message: &'m [u8],
        mut each: impl FnMut(Result<Message<'m>, Violation<'m>>),
    ) -> Result<usize, Violation<'m>> {
        let policy = *self.policy;
        let is_served = policy.revisions().contains(Revision::V2025_03_26);
        let Some(array) = array(message) else {
            each(self.check(from, message));
            return Ok(0);
        };
        if !policy.batches() || !is_served {
            // The rule `batch`, or what comes before it.
            let circumstances = Circumstances::alone(&policy, from);
            return read(&mut self.lanes, circumstances, message, RuleSet::EMPTY).map(|_| 0);
        }
        let policy = policy.with_revisions(RevisionSet::only(Revision::V2025_03_26));
        let circumstances = Circumstances::alone(&policy, from);
        let count = count(circumstances, message, array)?;
        for element in reader::elements(message, array) {
            let verdict = read(&mut self.lanes, circumstances, element.of(message), RuleSet::EMPTY);
            each(verdict.and_then(opens_nothing));
        }
        Ok(count)
    }
}

/// The array that the message is, if it starts like one.
fn array(message: &[u8]) -> Option<Field> {
    let Range { start, end } = without_blanks(message);
    let starts = message.get(start) == Some(&b'[');
    let place = |at: usize| u32::try_from(at).ok();
    starts.then_some(Field { json: JsonType::Array, start: place(start)?, end: place(end)? })
}

/// Where the message stands without white space around it, and without a byte
/// order mark, which is judged where JSON is.
fn without_blanks(message: &[u8]) -> Range<usize> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let mark = if message.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let text = message.get(mark..).unwrap_or_default();
    let start = mark + text.iter().take_while(|byte| is_blank(byte)).count();
    let behind = text.iter().rev().take_while(|byte| is_blank(byte)).count();
    start..(message.len() - behind).max(start)
}

/// How many elements the array has, once it is known to be JSON within the
/// limits.
fn count<'m>(
    circumstances: Circumstances<'_, '_>,
    message: &'m [u8],
    array: Field,
) -> Result<usize, Violation<'m>> {
    let policy = circumstances.policy;
    let limits = policy.limits();
    if message.len() > limits.message_bytes {
        return Err(unread(Rule::TooLarge, limits.message_bytes, circumstances, message));
    }
    grammar::check(message, limits.depth, policy.refused(), |_, _| ())
        .map_err(|fault| not_json(&fault, circumstances, message))?;
    let refused = |offset: u32, reason| {
        let fault = Fault { rule: Rule::Batch, offset: offset as usize, reason };
        not_json(&fault, circumstances, message)
    };
    let mut elements = reader::elements(message, array);
    let most = limits.batch_messages;
    match elements.by_ref().take(most).count() {
        0 => Err(refused(array.start, EMPTY)),
        count => match elements.next() {
            None => Ok(count),
            Some(further) => Err(refused(further.start, TOO_MANY)),
        },
    }
}

const EMPTY: &str = "the batch is empty";
const TOO_MANY: &str = "the batch has more messages than the limit";
const INITIALIZE: &str = "initialize must not be part of a batch";

/// An `initialize` is refused: what stands beside it could not be sent yet
/// ([Initialization]).
///
/// [Initialization]: https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle#initialization
fn opens_nothing(message: Message<'_>) -> Result<Message<'_>, Violation<'_>> {
    let Message::Request(call) = message else { return Ok(message) };
    if Method::from_text(call.method()) != Some(Method::Initialize) {
        return Ok(message);
    }
    let (id, offset) = (call.id_span(), call.method_span().start);
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let answer = match message.sender() {
        Sender::Server => Answer::Forbidden,
        _ if message.findings().contains(Rule::DuplicateMember) => Answer::WithNull,
        Sender::Client => Answer::To(Place { start: place(id.start), end: place(id.end) }),
    };
    Err(Violation::new(Rule::Batch, offset, INITIALIZE, message.bytes(), answer))
}
