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

    /// Parses `message` and lets `walk` read it. Gives what `walk` gave, and the
    /// rules that the message breaks although `refused`, the rules that the
    /// policy refuses by, lets it pass.
    ///
    /// The caller has bounded the message's length, see `Limits`.
    #[inline]
    pub(crate) fn read<R>(
        &mut self,
        message: &[u8],
        refused: RuleSet,
        walk: impl FnOnce(&Document<'_>) -> R,
    ) -> Result<(R, RuleSet), Fault> {
        let read = self.parse(message, refused, walk);
        self.recycle(Kept::bytes(message.len(), self.buffers.structural_indexes().len()));
        read
    }

    /// [`read`](Self::read), keeping all memory that it took.
    #[inline]
    fn parse<R>(
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
                    token.copy_from_slice(br"\ufffd");
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

    /// A message was read without this lane.
    #[inline]
    pub(crate) fn pass(&mut self) {
        if self.kept.is_much() {
            self.recycle(Kept::NOTHING);
        }
    }

    /// Lets go of memory that none of the last messages needed; of these the
    /// newest needed so much.
    fn recycle(&mut self, needed: usize) {
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
    const NOTHING: usize = 0;

    /// The bytes that a message of this length and number of tokens needs: the
    /// scratch and simd-json's string buffer; an offset and a node per token.
    const fn bytes(len: usize, tokens: usize) -> usize {
        2 * len + tokens * (size_of::<u32>() + size_of::<Node<'_>>())
    }

    #[inline]
    const fn is_much(&self) -> bool {
        self.held > Self::FLOOR
    }

    fn is_too_much_after(&mut self, needed: usize) -> bool {
        self.held = self.held.max(needed);
        self.recent = self.recent.max(needed);
        self.run += 1;
        if self.run < Self::RUN {
            return false;
        }
        let too_much = self.is_much() && self.held / 8 > self.recent;
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
pub(crate) struct Value<'t> {
    node: &'t Node<'t>,
    /// The nodes inside an array or object, however deep.
    inside: &'t [Node<'t>],
    /// The tokens inside, up to and with the one that closes it.
    tokens: &'t [u32],
}

impl<'t> Value<'t> {
    /// A string, decoded; `None` if the value is none.
    pub(crate) const fn text(self) -> Option<&'t str> {
        match self.node {
            Node::String(text) => Some(text),
            _ => None,
        }
    }
}

/// One member of an object.
#[derive(Clone, Copy)]
pub(crate) struct Member<'t> {
    /// Decoded.
    pub(crate) name: &'t str,
    /// The offset of the quote that opens the name.
    pub(crate) offset: u32,
    pub(crate) value: Value<'t>,
    /// The type of the value, and its span in the caller's message.
    pub(crate) field: Field,
}

impl<'t> Document<'t> {
    /// The whole message, its type, and its span without white space.
    #[inline]
    pub(crate) fn root(&self) -> Option<(Value<'t>, Field)> {
        let (node, inside) = self.nodes.split_first()?;
        let (start, tokens) = self.structurals.split_first()?;
        let end = u32::try_from(self.message.len()).unwrap_or(u32::MAX);
        let field = Field { json: json_type(node).0, start: *start, end: self.trimmed(end) };
        Some((Value { node, inside, tokens }, field))
    }

    /// Calls `each` with every member of `object`, and gives their number.
    /// Does nothing with any other value.
    #[inline]
    pub(crate) fn for_each_member(
        &self,
        object: Value<'t>,
        mut each: impl FnMut(Member<'t>),
    ) -> usize {
        let &Node::Object { len, .. } = object.node else { return 0 };
        let (mut nodes, mut tokens) = (object.inside, object.tokens);
        // A name and a value; a name, a colon and the first token of a value.
        while let ([Node::String(name), node, behind @ ..], [offset, _, start, rest @ ..]) =
            (nodes, tokens)
        {
            let mut value = Value { node, inside: &[], tokens: &[] };
            let (json, inside) = json_type(node);
            (nodes, tokens) = (behind, rest);
            if let Some(count) = inside {
                let Some((inside, behind)) = behind.split_at_checked(count) else { break };
                let behind_tokens = self.behind(count, rest, behind.first());
                value.inside = inside;
                value.tokens = rest.get(..rest.len() - behind_tokens.len()).unwrap_or_default();
                (nodes, tokens) = (behind, behind_tokens);
            }
            // A comma, or what closes the object.
            let Some((&end, rest)) = tokens.split_first() else { break };
            tokens = rest;
            let field = Field { json, start: *start, end: self.trimmed(end) };
            each(Member { name, offset: *offset, value, field });
        }
        len
    }

    /// The offset of the name of the member at `place` in `object`.
    #[cold]
    pub(crate) fn offset_of_member(&self, object: Value<'t>, place: usize) -> u32 {
        let (mut at, mut offset) = (0, 0);
        self.for_each_member(object, |member| {
            if at == place {
                offset = member.offset;
            }
            at += 1;
        });
        offset
    }

    /// Where the name that starts at `start`, behind its quote, ends in the
    /// caller's message, escapes and all.
    pub(crate) fn end_of_name(&self, start: u32) -> u32 {
        let mut end = start;
        while let Some(&byte) = self.message.get(end as usize) {
            match byte {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        end
    }

    /// Whether `text` stands there in the caller's message, as it is.
    pub(crate) fn is_written(&self, start: u32, end: u32, text: &[u8]) -> bool {
        self.message.get(start as usize..end as usize) == Some(text)
    }

    /// Calls `each` with the name of every member of every object, however
    /// deep, in the order of the text: a number for the object, the name, and
    /// the offset of its quote.
    pub(crate) fn for_each_name(&self, mut each: impl FnMut(usize, &'t str, u32)) {
        // The arrays and objects that are open: where each ends among the nodes,
        // its own place, and whether a name is next, if it is an object.
        let mut open: Vec<(usize, usize, Option<bool>)> = Vec::new();
        let mut nodes = self.nodes.iter().enumerate();
        for &token in self.structurals {
            if let Some(b'}' | b']' | b':' | b',') = self.message.get(token as usize) {
                continue;
            }
            let Some((place, node)) = nodes.next() else { return };
            while open.last().is_some_and(|&(end, ..)| end <= place) {
                open.pop();
            }
            if let Some((_, object, Some(is_name))) = open.last_mut() {
                if let (true, Node::String(name)) = (*is_name, node) {
                    each(*object, name, token);
                }
                *is_name = !*is_name;
            }
            match *node {
                Node::Object { count, .. } => open.push((place + 1 + count, place, Some(true))),
                Node::Array { count, .. } => open.push((place + 1 + count, place, None)),
                Node::String(_) | Node::Static(_) => {}
            }
        }
    }

    /// `end`, moved before the white space before it: outside of strings,
    /// nothing else is as low as a space.
    #[inline]
    fn trimmed(&self, mut end: u32) -> u32 {
        while let Some(..=b' ') = self.message.get((end as usize).wrapping_sub(1)) {
            end -= 1;
        }
        end
    }

    /// The tokens behind an array or object: `inside` are those behind its
    /// opening one, `count` is how many nodes it holds, and `next` is the name
    /// of the next member, if it is not the last.
    ///
    /// Inside, each node has a token and a separator; the last one's place is
    /// taken by the closing token. Only those that are empty have one token
    /// more. simd-json leaves a decoded string where the raw one began, so the
    /// offset of the next name is known, and tells how many of those there are.
    #[inline]
    fn behind(&self, count: usize, inside: &'t [u32], next: Option<&Node<'t>>) -> &'t [u32] {
        let Some(Node::String(next)) = next else {
            // The last token closes the object around it.
            return inside.get(inside.len().saturating_sub(1)..).unwrap_or_default();
        };
        let quote = next.as_ptr().addr().wrapping_sub(self.base).wrapping_sub(1);
        let mut behind = inside.get(2 * count..).unwrap_or_default();
        while let [_, name, ..] = behind
            && (*name as usize) < quote
        {
            behind = &behind[1..];
        }
        behind
    }
}

/// The type of a value, and if it has any how many nodes inside.
#[inline]
fn json_type(node: &Node<'_>) -> (JsonType, Option<usize>) {
    match *node {
        Node::String(_) => (JsonType::String, None),
        Node::Object { count, .. } => (JsonType::Object, Some(count)),
        Node::Array { count, .. } => (JsonType::Array, Some(count)),
        Node::Static(StaticNode::Null) => (JsonType::Null, None),
        Node::Static(StaticNode::Bool(_)) => (JsonType::Bool, None),
        Node::Static(_) => (JsonType::Number, None),
    }
}
