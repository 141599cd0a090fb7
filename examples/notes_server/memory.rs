//! A store in memory, behind one lock. It forgets what has expired, and holds no
//! more than its bounds say.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::broadcast;

use crate::access::Owner;
use crate::store::{Handle, Note, Refused, Store};

/// Notes of one owner, so that a list of them fits one page.
const MOST_OF_OWNER: usize = 256;
/// Notes of all owners.
const MOST_NOTES: usize = 4096;
/// How long a question waits for its answer.
const ASKED_LIVES: Duration = Duration::from_secs(600);
/// Changes that a listener may be behind before it is told at once of all.
const CHANGES_HELD: usize = 64;

/// The store.
pub(crate) struct Memory {
    note_lives: Duration,
    kept: Mutex<Kept>,
    changes: broadcast::Sender<Owner>,
}

#[derive(Default)]
struct Kept {
    notes: HashMap<Handle, Entry>,
    /// By their secrets; no more than one for each note.
    asked: HashMap<String, Asked>,
    /// How many notes there ever were: their order.
    created: u64,
}

struct Entry {
    owner: Owner,
    note: Arc<Note>,
    order: u64,
    until: Instant,
}

struct Asked {
    owner: Owner,
    handle: Handle,
    until: Instant,
}

impl Memory {
    /// An empty store whose notes live so long.
    pub(crate) fn new(note_lives: Duration) -> Self {
        Self { note_lives, kept: Mutex::default(), changes: broadcast::Sender::new(CHANGES_HELD) }
    }

    /// What is kept and has not expired.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        kept.notes.retain(|_, entry| entry.until > now);
        kept.asked.retain(|_, asked| asked.until > now);
        kept
    }

    fn changed(&self, owner: &Owner) {
        // That nobody listens is no failure.
        let _heard_by = self.changes.send(owner.clone());
    }
}

impl Kept {
    fn note(&self, owner: &Owner, handle: &Handle) -> Result<Arc<Note>, Refused> {
        let entry = self.notes.get(handle).filter(|entry| entry.owner == *owner);
        entry.map(|entry| Arc::clone(&entry.note)).ok_or(Refused::NoSuchNote)
    }
}

impl Store for Memory {
    fn create(&self, owner: &Owner, note: Note) -> Result<Handle, Refused> {
        let parts = [
            ("title", note.title.len(), Note::MOST_TITLE),
            ("notebook", note.notebook.len(), Note::MOST_TITLE),
            ("text", note.text.len(), Note::MOST_TEXT),
        ];
        if let Some((part, ..)) = parts.iter().find(|(_, len, most)| len > most) {
            return Err(Refused::TooLong(part));
        }
        let handle = Handle::random().ok_or(Refused::Full)?;
        let until = Instant::now().checked_add(self.note_lives).ok_or(Refused::Full)?;
        let mut kept = self.kept();
        let of_owner = kept.notes.values().filter(|entry| entry.owner == *owner).count();
        if of_owner >= MOST_OF_OWNER || kept.notes.len() >= MOST_NOTES {
            return Err(Refused::Full);
        }
        kept.created += 1;
        let entry = Entry { owner: owner.clone(), note: note.into(), order: kept.created, until };
        kept.notes.insert(handle.clone(), entry);
        drop(kept);
        self.changed(owner);
        Ok(handle)
    }

    fn read(&self, owner: &Owner, handle: &Handle) -> Result<Arc<Note>, Refused> {
        self.kept().note(owner, handle)
    }

    fn all(&self, owner: &Owner) -> Vec<(Handle, Arc<Note>)> {
        let kept = self.kept();
        let mut own: Vec<_> =
            kept.notes.iter().filter(|(_, entry)| entry.owner == *owner).collect();
        own.sort_by_key(|(_, entry)| entry.order);
        own.into_iter().map(|(handle, entry)| (handle.clone(), Arc::clone(&entry.note))).collect()
    }

    fn ask_to_delete(&self, owner: &Owner, handle: &Handle) -> Result<String, Refused> {
        let Handle(secret) = Handle::random().ok_or(Refused::Full)?;
        let until = Instant::now() + ASKED_LIVES;
        let mut kept = self.kept();
        kept.note(owner, handle)?;
        // The newest question is the one that counts.
        kept.asked.retain(|_, asked| asked.handle != *handle);
        let asked = Asked { owner: owner.clone(), handle: handle.clone(), until };
        kept.asked.insert(secret.clone(), asked);
        Ok(secret)
    }

    fn settle(
        &self,
        owner: &Owner,
        handle: &Handle,
        secret: &str,
        delete: bool,
    ) -> Result<Arc<Note>, Refused> {
        let mut kept = self.kept();
        let is_right = |asked: &Asked| asked.owner == *owner && asked.handle == *handle;
        // What somebody else was given stays theirs.
        if !kept.asked.get(secret).is_some_and(is_right) {
            return Err(Refused::NotConfirmed);
        }
        kept.asked.remove(secret);
        let note = kept.note(owner, handle)?;
        if delete {
            kept.notes.remove(handle);
            drop(kept);
            self.changed(owner);
        }
        Ok(note)
    }

    fn changes(&self) -> broadcast::Receiver<Owner> {
        self.changes.subscribe()
    }
}
