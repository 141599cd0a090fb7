//! A message as slices, old and new in turn.

use std::io::IoSlice;

use super::edits::Edits;

/// An old one before each new one, and one behind the last.
const MOST: usize = 2 * Edits::MOST + 1;

/// A rewritten message: a few slices which, one after the other, are its bytes.
/// None of them is empty.
///
/// ```
/// use std::io::Write;
/// use mcparse::{Policy, Sender, Validator};
///
/// let bytes = br#"{"jsonrpc":"2.0","id":"a","result":{}}"#;
/// let message = Validator::new(Policy::strict()).check(Sender::Server, bytes)?;
/// let mut new = Vec::new();
/// let slices = message.rewrite().with_id(7).slices(&mut new).unwrap();
/// assert_eq!(slices.as_slice(), [&br#"{"jsonrpc":"2.0","id":"#[..], b"7", br#","result":{}}"#]);
///
/// let mut socket = Vec::new();
/// let vectored = slices.io_slices();
/// let sent = socket.write_vectored(&vectored[..slices.as_slice().len()]).unwrap();
/// assert_eq!(sent, slices.byte_len());
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Slices<'s> {
    slices: [&'s [u8]; MOST],
    count: usize,
}

impl<'s> Slices<'s> {
    /// The most slices that a message is cut into: 21.
    pub const MOST: usize = MOST;

    pub(super) fn new(message: &'s [u8], new: &'s [u8], edits: &Edits) -> Self {
        let mut slices = Self { slices: [&[]; MOST], count: 0 };
        let mut at = 0;
        for edit in edits.iter() {
            slices.push(message.get(at..edit.old.start));
            slices.push(new.get(edit.new.clone()));
            at = edit.old.end;
        }
        slices.push(message.get(at..));
        slices
    }

    fn push(&mut self, slice: Option<&'s [u8]>) {
        let Some(slice) = slice.filter(|slice| !slice.is_empty()) else { return };
        if let Some(free) = self.slices.get_mut(self.count) {
            *free = slice;
            self.count += 1;
        }
    }

    /// The slices.
    #[must_use]
    pub fn as_slice(&self) -> &[&'s [u8]] {
        self.slices.get(..self.count).unwrap_or_default()
    }

    /// The slices, for [`Write::write_vectored`](std::io::Write::write_vectored)
    /// and its like. Those behind the first `as_slice().len()` are empty.
    #[must_use]
    pub fn io_slices(&self) -> [IoSlice<'s>; MOST] {
        self.slices.map(IoSlice::new)
    }

    /// How many bytes they are together.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        self.as_slice().iter().map(|slice| slice.len()).sum()
    }

    /// Appends them to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.reserve(self.byte_len());
        self.as_slice().iter().for_each(|slice| out.extend_from_slice(slice));
    }
}

impl<'s> IntoIterator for Slices<'s> {
    type Item = &'s [u8];
    type IntoIter = std::iter::Take<std::array::IntoIter<&'s [u8], MOST>>;

    fn into_iter(self) -> Self::IntoIter {
        IntoIterator::into_iter(self.slices).take(self.count)
    }
}
