//! What a proxy asks of a stream that it sends on: how much of it is an event of which the
//! end has not come.

use std::mem;

use super::{Event, Line, SseFramer};

/// What of an event is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnderWay {
    /// None; at most a comment is, which means nothing.
    Nothing,
    /// The event whose first line begins here.
    Since(u64),
    /// What is left of one that has been refused for its length.
    TooLarge,
}

impl SseFramer {
    /// Whether an event is under way once all of a chunk is taken, and where it
    /// begins: what a proxy may not send on before it has been judged.
    pub(crate) fn under_way(&self) -> UnderWay {
        let Event { begun, passed, start, .. } = &self.event;
        match self.line {
            _ if *passed => UnderWay::TooLarge,
            _ if *begun => UnderWay::Since(start.offset),
            Line::Name if !self.value.is_empty() => UnderWay::Since(self.start.offset),
            _ => UnderWay::Nothing,
        }
    }

    /// Where the last event of this stream ended that was refused for its length: behind its
    /// blank line.
    pub(crate) const fn too_large_to(&self) -> u64 {
        self.left_out.to
    }

    /// One whose [`last_event_id`](Self::last_event_id) is of what was sent on: events that are
    /// too large are left out, and so are those that [`leave_out`](Self::leave_out) says.
    pub(crate) fn leaving_out(limit: usize) -> Self {
        let left_out = LeftOut { is_asked_for: true, ..LeftOut::NONE };
        Self { left_out, ..Self::new(limit) }
    }

    /// Takes back the id of the event that was lent last, if it set one.
    pub(crate) fn leave_out(&mut self) {
        if mem::take(&mut self.left_out.id_was_new) {
            mem::swap(&mut self.next_id, &mut self.last_id);
        }
    }
}

/// What is kept for a proxy that leaves events out.
#[derive(Clone, Debug)]
pub(super) struct LeftOut {
    /// Whether those that are too large are, with their ids.
    is_asked_for: bool,
    /// Whether the last event has set its id, and the one before is where the next will be.
    id_was_new: bool,
    /// Where the last one ended that was too large.
    to: u64,
}

impl LeftOut {
    pub(super) const NONE: Self = Self { is_asked_for: false, id_was_new: false, to: 0 };

    /// Notes that an event ends. Gives whether its id is set.
    pub(super) const fn end_event(&mut self, too_large: bool, to: u64, id_is_new: bool) -> bool {
        if too_large {
            self.to = to;
        }
        self.id_was_new = id_is_new && !(too_large && self.is_asked_for);
        self.id_was_new
    }
}
