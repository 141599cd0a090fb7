//! The tape lane: simd-json parses the message into a borrowed tape, which a
//! [`Document`] walks. The only file that names simd-json.
//!
//! simd-json writes into its input (it unescapes strings in place) and reads
//! past its end, so it works on a private padded scratch: one copy of the
//! message in all. Scratch, tape and buffers are kept between messages;
//! [`Kept`] says for how long. Positions are those of the caller's message:
//! the scratch has the same layout, and the list of structurals holds the
//! offset of every token.
//!
//! A message that simd-json refuses is read once more by `grammar.rs`, which
//! knows why. If it was only the size of a number, that token is blanked in
//! the scratch and the tape filled again, since nobody reads numbers from it.

use std::mem;

use simd_json::{Buffers, INPUT_PADDING, Node, StaticNode, Tape, fill_tape_padded};

use super::grammar::{self, Fault, Obstacle};
use crate::envelope::{Field, JsonType};
use crate::rule::{Rule, RuleSet};

/// A tape and all that is needed to fill it again and again.
pub(crate) struct TapeLane {
    /// At least as long as any message so far, and the padding.
    scratch: Vec<u8>,
    buffers: Buffers,
    /// Empty between messages.
    tape: Tape<'static>,
    depth: usize,
    kept: Kept,
}

impl TapeLane {
    /// A lane for messages nested at most `depth` deep. Allocates nothing yet.
    pub(crate) fn new(depth: usize) -> Self {
        Self {
            scratch: Vec::new(),
            buffers: Buffers::with_max_depth(0, depth),
            tape: Tape(Vec::new()),
            depth,
            kept: Kept::default(),
        }
    }

    /// The depth that this lane reads to.
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// Parses `message` and lets `walk` read it. Gives what
    /// `walk` gave, and the rules that the message breaks although `refused`,
    /// the rules that the policy refuses by, lets it pass.
    ///
    /// The caller has bounded the message's length, see `Limits`.
    #[inline]
    pub(crate) fn read<R>(
        &mut self,
        message: &[u8],
        refused: RuleSet,
        walk: impl FnOnce(&Document<'_>) -> R,
    ) -> Result<(R, RuleSet), Fault> {
        let mut tape = mem::replace(&mut self.tape, Tape(Vec::new())).reset();
        self.lay(message);
        let mut tolerated = RuleSet::EMPTY;
        let end = message.len() + INPUT_PADDING;
        let base = self.scratch.as_ptr().addr();
        let mut filled =
            fill_tape_padded(&mut self.scratch[..end], message.len(), &mut self.buffers, &mut tape)
                .is_ok();
        if !filled {
            // What the failed fill left on the tape borrows the scratch.
            tape = tape.reset();
            match self.lay_again(message, refused) {
                Ok(found) => tolerated = found,
                Err(fault) => {
                    self.tape = tape.reset();
                    self.recycle(message.len());
                    return Err(fault);
                }
            }
            filled = fill_tape_padded(
                &mut self.scratch[..end],
                message.len(),
                &mut self.buffers,
                &mut tape,
            )
            .is_ok();
        }
        let out = if filled {
            let structurals = self.buffers.structural_indexes();
            let document = Document { nodes: &tape.0, structurals, base, message };
            Ok((walk(&document), tolerated))
        } else {
            Err(Fault { rule: Rule::NotJson, offset: 0, reason: Rule::NotJson.reason() })
        };
        self.tape = tape.reset();
        self.recycle(message.len());
        out
    }

    /// Lays the message into the scratch, with room behind it.
    #[inline]
    fn lay(&mut self, message: &[u8]) {
        let end = message.len() + INPUT_PADDING;
        if self.scratch.len() < end {
            self.scratch.resize(end, 0);
        }
        self.scratch[..message.len()].copy_from_slice(message);
    }

    /// After simd-json has refused `message`: says why, or lays it again with
    /// everything blanked that only simd-json cannot read.
    #[cold]
    fn lay_again(&mut self, message: &[u8], refused: RuleSet) -> Result<RuleSet, Fault> {
        self.lay(message);
        let mut tolerated = RuleSet::EMPTY;
        let scratch = &mut self.scratch;
        grammar::check(message, self.depth, refused, |obstacle, place| {
            let Some(token) = scratch.get_mut(place) else { return };
            match obstacle {
                Obstacle::Number => {
                    token.fill(b' ');
                    token.iter_mut().take(1).for_each(|first| *first = b'0');
                }
                Obstacle::Surrogate => {
                    token.fill(b'?');
                    tolerated = tolerated.with(Rule::UnpairedSurrogate);
                }
                Obstacle::Bom => {
                    token.fill(b' ');
                    tolerated = tolerated.with(Rule::Bom);
                }
            }
        })?;
        Ok(tolerated)
    }

    /// Lets go of memory that only an unusual message needed.
    #[inline]
    fn recycle(&mut self, len: usize) {
        let needed = Kept::bytes(len, self.buffers.structural_indexes().len());
        if self.kept.is_too_much_after(needed) {
            *self = Self::new(self.depth);
        }
    }
}

/// How much memory the lane holds, against how much the last messages needed.
///
/// simd-json's buffers grow and cannot shrink; they can only be replaced. That
/// is done at the end of a run of [`Kept::RUN`] messages if none of them needed
/// an eighth of what is held, and only beyond [`Kept::FLOOR`], so that a steady
/// stream of messages never allocates.
#[derive(Default)]
struct Kept {
    /// The most that any message needed since the lane was made.
    held: usize,
    /// The most that a message of this run needed. At most `held`.
    recent: usize,
    /// Messages in this run. Less than `RUN`.
    run: u32,
}

impl Kept {
    const RUN: u32 = 64;
    const FLOOR: usize = 1 << 20;

    /// The bytes that a message of this length and number of tokens needs: the
    /// scratch and simd-json's string buffer; an offset and a node per token.
    const fn bytes(len: usize, tokens: usize) -> usize {
        2 * len + tokens * (size_of::<u32>() + size_of::<Node<'_>>())
    }

    #[inline]
    fn is_too_much_after(&mut self, needed: usize) -> bool {
        self.held = self.held.max(needed);
        self.recent = self.recent.max(needed);
        self.run += 1;
        if self.run < Self::RUN {
            return false;
        }
        let too_much = self.held > Self::FLOOR && self.held / 8 > self.recent;
        self.run = 0;
        self.recent = 0;
        too_much
    }
}

/// A parsed message, and the way over it.
pub(crate) struct Document<'t> {
    /// Every value and member name, containers before what they hold.
    nodes: &'t [Node<'t>],
    /// The offset of every brace, bracket, colon, comma, and of the first byte
    /// of every string, number and literal.
    structurals: &'t [u32],
    /// The address of the scratch.
    base: usize,
    message: &'t [u8],
}

/// One value of a document.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    /// Its place among the nodes.
    node: usize,
    /// The places of its first and its last token among the structurals. They
    /// are the same unless it is an array or an object.
    open: usize,
    close: usize,
}

/// One member of an object.
#[derive(Clone, Copy)]
pub(crate) struct Member<'d, 't> {
    document: &'d Document<'t>,
    /// Decoded.
    pub(crate) name: &'t str,
    pub(crate) value: Value,
    /// The place of its name among the structurals.
    token: usize,
}

impl Member<'_, '_> {
    /// The offset of the quote that opens its name.
    #[inline]
    pub(crate) fn offset(&self) -> u32 {
        self.document.offset(self.token)
    }

    /// The type and the span of its value.
    #[inline]
    pub(crate) fn field(&self) -> Field {
        self.document.field(self.value)
    }
}

impl<'t> Document<'t> {
    pub(crate) fn root(&self) -> Value {
        Value { node: 0, open: 0, close: self.structurals.len().saturating_sub(1) }
    }

    /// The message that was parsed.
    pub(crate) const fn message(&self) -> &'t [u8] {
        self.message
    }

    /// How many members an object has; 0 for any other value.
    pub(crate) fn members(&self, object: Value) -> usize {
        match self.nodes.get(object.node) {
            Some(&Node::Object { len, .. }) => len,
            _ => 0,
        }
    }

    /// Calls `each` with every member of `object`. Does nothing with any other
    /// value.
    #[inline]
    pub(crate) fn for_each_member(&self, object: Value, mut each: impl FnMut(Member<'_, 't>)) {
        let Some((&Node::Object { len, .. }, mut rest)) =
            self.nodes.get(object.node..).and_then(<[_]>::split_first)
        else {
            return;
        };
        let mut token = object.open + 1;
        for left in (0..len).rev() {
            let [Node::String(name), node, behind @ ..] = rest else { return };
            // A name, a colon, a value and a comma; only an array or an object
            // has tokens of its own inside.
            let (inside, next) = match *node {
                Node::String(_) | Node::Static(_) => (0, token + 4),
                Node::Object { count, .. } | Node::Array { count, .. } if left > 0 => {
                    let Some(Node::String(next)) = behind.get(count) else { return };
                    (count, self.token_of_name_behind(next, token + 2, count))
                }
                Node::Object { count, .. } | Node::Array { count, .. } => (count, object.close + 1),
            };
            let value = Value {
                node: self.nodes.len() - behind.len() - 1,
                open: token + 2,
                close: next.wrapping_sub(2),
            };
            each(Member { document: self, name, token, value });
            rest = behind.get(inside..).unwrap_or_default();
            token = next;
        }
    }

    /// The offset of the name of the member at `place` in `object`.
    #[cold]
    pub(crate) fn offset_of_member(&self, object: Value, place: usize) -> u32 {
        let (mut at, mut offset) = (0, 0);
        self.for_each_member(object, |member| {
            if at == place {
                offset = member.offset();
            }
            at += 1;
        });
        offset
    }

    /// A value's type and its span in the caller's message.
    #[inline]
    pub(crate) fn field(&self, value: Value) -> Field {
        let start = self.offset(value.open);
        let (json, end) = match self.nodes.get(value.node) {
            None => return Field::default(),
            Some(Node::Object { .. }) => (JsonType::Object, self.offset(value.close) + 1),
            Some(Node::Array { .. }) => (JsonType::Array, self.offset(value.close) + 1),
            Some(Node::String(_)) => (JsonType::String, self.scalar_end(value)),
            Some(Node::Static(StaticNode::Null)) => (JsonType::Null, self.scalar_end(value)),
            Some(Node::Static(StaticNode::Bool(_))) => (JsonType::Bool, self.scalar_end(value)),
            Some(Node::Static(_)) => (JsonType::Number, self.scalar_end(value)),
        };
        Field { json, start, end }
    }

    /// Where a string, number or literal ends: before the white space before
    /// the next token.
    #[inline]
    fn scalar_end(&self, value: Value) -> u32 {
        let mut end = match self.structurals.get(value.open + 1) {
            Some(&next) => next as usize,
            None => self.message.len(),
        };
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.message.get(end.wrapping_sub(1)) {
            end -= 1;
        }
        u32::try_from(end).unwrap_or(u32::MAX)
    }

    /// Calls `each` with every object, however deep, outer ones first. Of
    /// these values only the members' names may be read.
    pub(crate) fn for_each_object(&self, mut each: impl FnMut(Value)) {
        let starts_node = |token: &usize| {
            let byte = self.message.get(self.offset(*token) as usize);
            !matches!(byte, Some(b'}' | b']' | b':' | b',') | None)
        };
        let tokens = (0..self.structurals.len()).filter(starts_node);
        for ((node, kind), open) in self.nodes.iter().enumerate().zip(tokens) {
            if matches!(kind, Node::Object { .. }) {
                each(Value { node, open, close: open });
            }
        }
    }

    fn offset(&self, token: usize) -> u32 {
        self.structurals.get(token).copied().unwrap_or_default()
    }

    /// The token of the member name that follows an array or object which
    /// opens at token `open`, has `inside` nodes.
    ///
    /// simd-json leaves a decoded string where the raw one began, so the
    /// offset of the name's quote is known, and the token is found by that.
    #[inline]
    fn token_of_name_behind(&self, name: &str, open: usize, inside: usize) -> usize {
        let quote = name.as_ptr().addr().wrapping_sub(self.base).wrapping_sub(1);
        // Most hold only scalars, and then each has a token and a separator.
        let flat = open + 2 * inside + 2;
        if self.structurals.get(flat).is_some_and(|&token| token as usize == quote) {
            return flat;
        }
        // At the least a token for each node, at the most a separator and a
        // closing one besides.
        let first = open + inside + 3;
        let last = (first + 2 * inside + 1).min(self.structurals.len());
        let tokens = self.structurals.get(first..last).unwrap_or_default();
        first + tokens.partition_point(|&token| (token as usize) < quote)
    }
}
