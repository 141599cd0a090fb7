//! The bounds of all that grows with what a peer sends.

/// The bounds of all that grows. A message at a limit passes, one past it is
/// refused by the rule named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a message (`too-large`). Default 4 MiB; more than
    /// [`Limits::MOST_MESSAGE_BYTES`] is read as that.
    pub message_bytes: usize,
    /// Arrays and objects inside each other, the message itself being the
    /// first (`too-deep`). Default 512; more than
    /// [`Limits::MOST_DEPTH`] is read as that.
    pub depth: usize,
    /// Bytes of an id with its quotes (`id-too-long`). Default 1 KiB.
    pub id_bytes: usize,
    /// Bytes of a method as written, without its quotes (`method-too-long`).
    /// Default 256.
    pub method_bytes: usize,
    /// Bytes of what a method is called on (`params.name`, `uri`, `taskId`) as
    /// written, without its quotes (`name-too-long`). Default 8 KiB.
    pub name_bytes: usize,
    /// Bytes of the value of a header that mirrors the body
    /// (`header-too-long`). Default 16 KiB.
    pub header_bytes: usize,
    /// Members of each object whose members are read: the message, `params`,
    /// `_meta`, `result`, `error` (`members-too-many`). Default 1024.
    pub members: usize,
    /// Messages in a batch, where a policy takes batches (`batch`). Default
    /// 1024.
    pub batch_messages: usize,
}

impl Limits {
    /// The largest limit on the bytes of a message: 1 GiB. Positions are kept
    /// in 32 bits, and the tape needs room behind the message.
    pub const MOST_MESSAGE_BYTES: usize = 1 << 30;
    /// The largest limit on depth: 8192.
    pub const MOST_DEPTH: usize = 8192;

    /// The defaults.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            message_bytes: 4 << 20,
            depth: 512,
            id_bytes: 1 << 10,
            method_bytes: 256,
            name_bytes: 8 << 10,
            header_bytes: 16 << 10,
            members: 1024,
            batch_messages: 1024,
        }
    }

    /// Sets the bytes of a message.
    #[must_use]
    pub const fn with_message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = bytes;
        self
    }

    /// Sets the depth.
    #[must_use]
    pub const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the bytes of an id.
    #[must_use]
    pub const fn with_id_bytes(mut self, bytes: usize) -> Self {
        self.id_bytes = bytes;
        self
    }

    /// Sets the bytes of a method.
    #[must_use]
    pub const fn with_method_bytes(mut self, bytes: usize) -> Self {
        self.method_bytes = bytes;
        self
    }

    /// Sets the bytes of what a method is called on.
    #[must_use]
    pub const fn with_name_bytes(mut self, bytes: usize) -> Self {
        self.name_bytes = bytes;
        self
    }

    /// Sets the bytes of a header's value.
    #[must_use]
    pub const fn with_header_bytes(mut self, bytes: usize) -> Self {
        self.header_bytes = bytes;
        self
    }

    /// Sets the members of an object.
    #[must_use]
    pub const fn with_members(mut self, members: usize) -> Self {
        self.members = members;
        self
    }

    /// Sets the messages in a batch.
    #[must_use]
    pub const fn with_batch_messages(mut self, messages: usize) -> Self {
        self.batch_messages = messages;
        self
    }

    /// The limits with those that have a ceiling of their own cut to it.
    pub(super) const fn within_ceilings(mut self) -> Self {
        if self.message_bytes > Self::MOST_MESSAGE_BYTES {
            self.message_bytes = Self::MOST_MESSAGE_BYTES;
        }
        if self.depth > Self::MOST_DEPTH {
            self.depth = Self::MOST_DEPTH;
        }
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
