//! stub
use crate::{kind::Sender, message::Message, violation::Violation};
/// Stub
#[derive(Debug, Default)]
pub struct Counters;
impl Counters {
    /// Stub
    pub fn new() -> Self {
        Self
    }

    pub(crate) fn note(&self, _: Sender, _: Result<&Message<'_>, &Violation<'_>>) {}
    pub(crate) fn let_through(&self, _: Sender, _: &Violation<'_>) {}
    pub(crate) fn replaced(&self) {}
    pub(crate) fn dropped(&self) {}
}
