//! The bounds of what an exchange keeps.

/// How much an [`Exchange`](crate::Exchange) keeps. Its tables grow up to here as
/// they are needed, keep their room, and never grow further.
///
/// Of what is open, one too many is not tracked (`exchange-full`); of what is
/// over, the oldest is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExchangeLimits {
    /// Requests of one side that wait for their answers. Default 1024, of about
    /// half a kilobyte each.
    pub in_flight: usize,
    /// Progress tokens of one side's requests that wait. Default 1024.
    pub progress_tokens: usize,
    /// Streams opened with `subscriptions/listen`. Default 64.
    pub subscriptions: usize,
    /// Resources and tasks that those ask for, kept until they are acknowledged.
    /// Default 1024.
    pub subscribed: usize,
    /// Ids of one side's requests that were answered or cancelled lately, and
    /// progress tokens of such; of more, the oldest are forgotten, and what
    /// refers to them refers to nothing known. Default 1024.
    pub remembered: usize,
    /// Requests that were answered `input_required` lately. Default 256.
    pub questions: usize,
    /// Pages of lists that were answered lately. Default 256.
    pub pages: usize,
}

impl ExchangeLimits {
    /// The defaults.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            in_flight: 1024,
            progress_tokens: 1024,
            subscriptions: 64,
            subscribed: 1024,
            remembered: 1024,
            questions: 256,
            pages: 256,
        }
    }

    /// Sets the requests of one side that wait.
    #[must_use]
    pub const fn with_in_flight(mut self, requests: usize) -> Self {
        self.in_flight = requests;
        self
    }

    /// Sets the progress tokens of one side.
    #[must_use]
    pub const fn with_progress_tokens(mut self, tokens: usize) -> Self {
        self.progress_tokens = tokens;
        self
    }

    /// Sets the streams opened with `subscriptions/listen`.
    #[must_use]
    pub const fn with_subscriptions(mut self, subscriptions: usize) -> Self {
        self.subscriptions = subscriptions;
        self
    }

    /// Sets the resources and tasks that those ask for.
    #[must_use]
    pub const fn with_subscribed(mut self, subscribed: usize) -> Self {
        self.subscribed = subscribed;
        self
    }

    /// Sets the ids and tokens that are remembered.
    #[must_use]
    pub const fn with_remembered(mut self, remembered: usize) -> Self {
        self.remembered = remembered;
        self
    }

    /// Sets the requests that were answered `input_required`.
    #[must_use]
    pub const fn with_questions(mut self, questions: usize) -> Self {
        self.questions = questions;
        self
    }

    /// Sets the pages of lists.
    #[must_use]
    pub const fn with_pages(mut self, pages: usize) -> Self {
        self.pages = pages;
        self
    }
}

impl Default for ExchangeLimits {
    fn default() -> Self {
        Self::new()
    }
}
