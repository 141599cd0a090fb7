//! An allocator that counts what each thread does with it, for the tests that
//! bound memory. Counting by thread keeps the test harness and other tests out
//! of the figures, so that tests need not run one after the other.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// To be declared as the `#[global_allocator]` of a test binary.
pub(crate) struct Heap;

/// What a piece of work did with the heap.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Calls that asked for memory, or for more or less of it.
    pub(crate) allocations: usize,
    /// Bytes that it left held; less than zero if it freed more than it took.
    pub(crate) held: isize,
    /// The most bytes that it held at any time.
    pub(crate) peak: isize,
}

thread_local! {
    // No destructor and no lazy start: the allocator may always read it.
    static USAGE: Cell<Usage> = const { Cell::new(Usage { allocations: 0, held: 0, peak: 0 }) };
}

/// Does `work`, and says what it did with the heap on this thread.
pub(crate) fn measure<R>(work: impl FnOnce() -> R) -> (R, Usage) {
    USAGE.set(Usage::default());
    let result = work();
    (result, USAGE.get())
}

fn note(allocations: usize, more: usize, less: usize) {
    // A thread that ends frees memory after its counters are gone.
    let _ = USAGE.try_with(|usage| {
        let mut now = usage.get();
        now.allocations += allocations;
        now.held += more.cast_signed() - less.cast_signed();
        now.peak = now.peak.max(now.held);
        usage.set(now);
    });
}

// SAFETY: all is done by `System`; the counters touch no memory of its.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size(), 0);
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(1, size, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(0, 0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}
