//! Memory that ends where reading on crashes, for tests: pages between two that may
//! not be read.

use std::ptr::{self, NonNull};
use std::slice;

/// A few pages, and one before and one behind them that may not be read.
pub(in crate::json) struct Guarded {
    start: NonNull<u8>,
    /// Of the pages that may be read.
    len: usize,
    page: usize,
}

impl Guarded {
    /// Room for `least` bytes.
    pub(in crate::json) fn new(least: usize) -> Self {
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("there is a page size");
        let len = least.next_multiple_of(page);
        // SAFETY: a new mapping, anywhere, that concerns no other memory.
        let all = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            libc::mmap(ptr::null_mut(), len + 2 * page, libc::PROT_NONE, flags, -1, 0)
        };
        assert_ne!(all, libc::MAP_FAILED, "no memory");
        let start = all.cast::<u8>().wrapping_add(page);
        // SAFETY: within the mapping, which nothing else knows yet.
        let status =
            unsafe { libc::mprotect(start.cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(status, 0, "the pages cannot be made readable");
        Self { start: NonNull::new(start).expect("it was mapped"), len, page }
    }

    /// `bytes` at the end: what is behind them may not be read.
    pub(in crate::json) fn at_end(&mut self, bytes: &[u8]) -> &[u8] {
        let start = self.len.checked_sub(bytes.len()).expect("there is room");
        let place = &mut self.memory()[start..];
        place.copy_from_slice(bytes);
        place
    }

    /// `bytes` at the start: what is before them may not be read.
    pub(in crate::json) fn at_start(&mut self, bytes: &[u8]) -> &[u8] {
        let place = &mut self.memory()[..bytes.len()];
        place.copy_from_slice(bytes);
        place
    }

    fn memory(&mut self) -> &mut [u8] {
        // SAFETY: `len` bytes from `start` on are mapped, zero or written since,
        // and only this value knows them; what it lends borrows it.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let all = self.start.as_ptr().wrapping_sub(self.page);
        // SAFETY: the whole of the mapping, of which nothing is lent any more.
        unsafe { libc::munmap(all.cast(), self.len + 2 * self.page) };
    }
}

/// Run by the test below, in another process: this crashes.
#[test]
#[ignore = "it crashes, which is what the test below wants to see"]
fn trespass() {
    let mut guarded = Guarded::new(1);
    let side = std::env::var("MCPARSE_TRESPASS").expect("the test below says which side");
    let beyond = match side.as_str() {
        "start" => guarded.at_start(b"a").as_ptr().wrapping_sub(1),
        _ => guarded.at_end(b"a").as_ptr().wrapping_add(1),
    };
    // SAFETY: none. This shows that it is not safe.
    let byte = unsafe { ptr::read_volatile(beyond) };
    panic!("a byte was read, {byte}");
}

#[test]
fn reading_beyond_either_side_crashes() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    for side in ["start", "end"] {
        let output = Command::new(std::env::current_exe().expect("this test has a path"))
            .args(["--ignored", "--exact", "json::kernel::guard::trespass"])
            .env("MCPARSE_TRESPASS", side)
            .output()
            .expect("it can be run");
        let signal = output.status.signal();
        assert!(matches!(signal, Some(libc::SIGSEGV | libc::SIGBUS)), "{side}: {output:?}");
    }
}
