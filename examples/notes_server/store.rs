//! What the application keeps, and the handles by which clients name it. Nothing
//! of the protocol is in here: a handle is a value in a tool's arguments, as good
//! at one replica as at another, and it is checked at every use.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use tokio::sync::broadcast;

use crate::access::Owner;

/// A note as its owner wrote it.
#[derive(Debug, Deserialize)]
pub(crate) struct Note {
    /// At most [`Note::MOST_TITLE`] bytes.
    pub(crate) title: String,
    /// At most [`Note::MOST_TEXT`] bytes.
    pub(crate) text: String,
    /// Where it is sorted in; at most [`Note::MOST_TITLE`] bytes.
    #[serde(default = "inbox")]
    pub(crate) notebook: String,
}

impl Note {
    /// Bytes of a title, and of the name of a notebook.
    pub(crate) const MOST_TITLE: usize = 200;
    /// Bytes of a text.
    pub(crate) const MOST_TEXT: usize = 64 << 10;
}

fn inbox() -> String {
    "inbox".to_owned()
}

/// Names one note: 128 random bits in hexadecimal, so that nobody comes upon
/// another's by counting.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handle(pub(crate) String);

impl Handle {
    /// A new one; none where the system has no randomness to give.
    pub(crate) fn random() -> Option<Self> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).ok()?;
        Some(Self(format!("{:032x}", u128::from_be_bytes(bits))))
    }
}

/// Why the store did not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Unknown, expired or another's: which of them is nobody's business.
    NoSuchNote,
    /// The part that is longer than it may be.
    TooLong(&'static str),
    /// No room for another note.
    Full,
    /// The confirmation is unknown, expired, used, or of something else.
    NotConfirmed,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchNote => f.write_str("there is no such note"),
            Self::TooLong(part) => write!(f, "the {part} is too long"),
            Self::Full => f.write_str("there is no room, delete something first"),
            Self::NotConfirmed => f.write_str("the request state is not valid here"),
        }
    }
}

/// Where the notes are. Replicas that share one are one server.
pub(crate) trait Store: Send + Sync {
    /// Keeps a note.
    fn create(&self, owner: &Owner, note: Note) -> Result<Handle, Refused>;

    /// The note of this handle, if it is the owner's.
    fn read(&self, owner: &Owner, handle: &Handle) -> Result<Arc<Note>, Refused>;

    /// All notes of the owner, the oldest first.
    fn all(&self, owner: &Owner) -> Vec<(Handle, Arc<Note>)>;

    /// A secret that lets the owner delete this note, once and soon: it goes
    /// through the client's hands while the user is asked. It takes the place of an
    /// earlier one.
    fn ask_to_delete(&self, owner: &Owner, handle: &Handle) -> Result<String, Refused>;

    /// Takes back what [`ask_to_delete`](Self::ask_to_delete) gave, and deletes the
    /// note if the user said so.
    fn settle(
        &self,
        owner: &Owner,
        handle: &Handle,
        secret: &str,
        delete: bool,
    ) -> Result<Arc<Note>, Refused>;

    /// Tells from now on whose list of notes has changed.
    fn changes(&self) -> broadcast::Receiver<Owner>;
}
