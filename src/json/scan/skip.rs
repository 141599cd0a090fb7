//! Arrays and objects of which nothing is read: they are only checked.

use super::tokens::{colon_and, next, scalar};
use super::{LEVELS, Place, Stop};
use crate::json::ends::Ends;

/// A value that is only checked, and how far it is.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    place: Place,
    pub(super) at: usize,
    levels: Levels,
}

/// The arrays and objects that are open.
#[derive(Clone, Debug)]
struct Levels {
    /// How many are open, and how many may be.
    open: usize,
    most: usize,
    /// Whether each is an object, the innermost in the lowest bit.
    objects: u64,
    /// The same of those before, 64 at a time.
    outer: [u64; LEVELS / 64],
}

impl Levels {
    #[inline(always)]
    fn push(&mut self, is_object: bool) -> Result<(), Stop> {
        if self.open == self.most {
            return Err(Stop::AskTape);
        }
        if self.open.is_multiple_of(64) {
            *self.outer.get_mut(self.open / 64).ok_or(Stop::AskTape)? = self.objects;
        }
        self.open += 1;
        self.objects = self.objects << 1 | u64::from(is_object);
        Ok(())
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.open -= 1;
        self.objects >>= 1;
        if self.open.is_multiple_of(64) {
            self.objects = self.outer.get(self.open / 64).copied().unwrap_or_default();
        }
    }

    #[inline(always)]
    fn is_in_object(&self) -> bool {
        self.objects & 1 == 1
    }
}

impl Nest {
    pub(super) fn new() -> Self {
        let levels = Levels { open: 0, most: 0, objects: 0, outer: [0; LEVELS / 64] };
        Self { place: Place::Value, at: 0, levels }
    }

    /// At an array or object that stands in `level` others.
    #[inline]
    pub(super) fn enter(&mut self, level: usize, depth: usize) {
        self.place = Place::Value;
        (self.levels.open, self.levels.most) = (0, depth.saturating_sub(level));
    }

    /// Reads to behind the outermost.
    #[inline(never)]
    pub(super) fn skip(
        &mut self,
        message: &[u8],
        mut at: usize,
        ends: &mut Ends,
    ) -> Result<usize, Stop> {
        let levels = &mut self.levels;
        // What could not be read is read again from where it starts.
        macro_rules! read {
            ($place:expr, $result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => {
                        (self.place, self.at) = ($place, at);
                        return Err(stop);
                    }
                }
            };
        }
        macro_rules! name {
            () => {{
                if read!(Place::Name, next(message, &mut at)) != b'"' {
                    return Err(Stop::NotJson);
                }
                at = read!(Place::Name, ends.next(message)) + 1;
            }};
        }
        // The colon, and the byte that the value starts with.
        macro_rules! colon {
            () => {
                if let Some(first) = colon_and(message, at) {
                    at += 1;
                    first
                } else {
                    if read!(Place::Colon, next(message, &mut at)) != b':' {
                        return Err(Stop::NotJson);
                    }
                    at += 1;
                    read!(Place::Value, next(message, &mut at))
                }
            };
        }
        let mut first = 0;
        match self.place {
            Place::Start | Place::Value => first = read!(Place::Value, next(message, &mut at)),
            Place::Name => {
                name!();
                first = colon!();
            }
            Place::Colon => first = colon!(),
            Place::Behind | Place::Inside | Place::End => {}
        }
        let mut is_behind = self.place >= Place::Inside;
        loop {
            if is_behind {
                is_behind = false;
            } else if first == b'"' {
                at = read!(Place::Value, ends.next(message)) + 1;
            } else if let b'{' | b'[' = first {
                let mut inside = at + 1;
                let next = read!(Place::Value, next(message, &mut inside));
                levels.push(first == b'{')?;
                at = inside;
                // Either closing bracket stands 2 behind its opening one.
                if next != first + 2 {
                    first = next;
                    if levels.is_in_object() {
                        name!();
                        first = colon!();
                    }
                    continue;
                }
            } else {
                (_, at) = read!(Place::Value, scalar(message, at, first));
            }
            while levels.open > 0 {
                let byte = read!(Place::Behind, next(message, &mut at));
                at += 1;
                if byte == b',' {
                    if levels.is_in_object() {
                        name!();
                        first = colon!();
                    } else {
                        // From the second element on, so that an array of one need not
                        // ask; and only where no white space stands between.
                        if let Some(b'-' | b'0'..=b'9') = message.get(at) {
                            at = ends.kernel().pass_numbers(message, at);
                        }
                        first = read!(Place::Value, next(message, &mut at));
                    }
                    break;
                }
                if byte != if levels.is_in_object() { b'}' } else { b']' } {
                    return Err(Stop::NotJson);
                }
                levels.pop();
            }
            if levels.open == 0 {
                return Ok(at);
            }
        }
    }
}
