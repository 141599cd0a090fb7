//! simdjson, in C++, by way of `cpp/shim.cpp`. The only file with `unsafe`.

use std::ffi::{CStr, c_char};
use std::hint::black_box;
use std::ptr::NonNull;

use mcparse::Kind;

use crate::contender::Reader;
use crate::seen::{Fields, Seen};
use crate::support::classes::Case;

/// The parsers of the shim, which only it can look into.
#[repr(C)]
struct Parser {
    _opaque: [u8; 0],
}

type Read = unsafe extern "C" fn(*mut Parser, *const u8, usize, *mut Seen) -> bool;

unsafe extern "C" {
    safe fn peers_simdjson_version() -> *const c_char;
    safe fn peers_simdjson_dom_code() -> *const c_char;
    safe fn peers_simdjson_on_demand_code() -> *const c_char;
    safe fn peers_simdjson_padding() -> usize;
    safe fn peers_simdjson_seen() -> usize;

    safe fn peers_dom_new() -> *mut Parser;
    fn peers_dom_free(parser: *mut Parser);
    fn peers_dom_kind(
        parser: *mut Parser,
        bytes: *const u8,
        length: usize,
        seen: *mut Seen,
    ) -> bool;
    fn peers_dom_fields(
        parser: *mut Parser,
        bytes: *const u8,
        length: usize,
        seen: *mut Seen,
    ) -> bool;

    safe fn peers_on_demand_new() -> *mut Parser;
    fn peers_on_demand_free(parser: *mut Parser);
    fn peers_on_demand_kind(
        parser: *mut Parser,
        bytes: *const u8,
        length: usize,
        seen: *mut Seen,
    ) -> bool;
    fn peers_on_demand_fields(
        parser: *mut Parser,
        bytes: *const u8,
        length: usize,
        seen: *mut Seen,
    ) -> bool;
}

/// The version, and the vector code of DOM and of On-Demand.
pub(crate) fn about() -> [&'static str; 3] {
    [peers_simdjson_version(), peers_simdjson_dom_code(), peers_simdjson_on_demand_code()].map(
        // SAFETY: each gives a text that ends in a NUL and is never freed.
        |text| unsafe { CStr::from_ptr(text) }.to_str().expect("ASCII"),
    )
}

/// How the padding that simdjson needs behind a message gets there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// It is there before time runs.
    Padded,
    /// Each message is copied into a padded scratch while time runs.
    Copied,
}

/// Messages with their padding.
struct Buffers {
    input: Input,
    padding: usize,
    padded: Vec<Vec<u8>>,
    scratch: Vec<u8>,
}

impl Buffers {
    fn new(input: Input) -> Self {
        assert_eq!(peers_simdjson_seen(), size_of::<Seen>());
        Self { input, padding: peers_simdjson_padding(), padded: Vec::new(), scratch: Vec::new() }
    }

    fn prepare(&mut self, cases: &[Case]) {
        if self.input == Input::Padded {
            let padding = self.padding;
            let padded = |case: &Case| {
                let mut bytes = case.message.clone();
                bytes.resize(bytes.len() + padding, 0);
                bytes
            };
            self.padded = cases.iter().map(padded).collect();
        }
    }

    /// The message with its padding behind.
    #[inline]
    fn padded(&mut self, at: usize, message: &[u8]) -> &[u8] {
        match self.input {
            Input::Padded => &self.padded[at],
            Input::Copied => {
                let padded = message.len() + self.padding;
                if self.scratch.len() < padded {
                    self.scratch.resize(padded, 0);
                }
                self.scratch[..message.len()].copy_from_slice(message);
                &self.scratch[..padded]
            }
        }
    }

    #[inline]
    fn read(
        &mut self,
        parser: NonNull<Parser>,
        read: Read,
        at: usize,
        case: &Case,
    ) -> Option<Seen> {
        let message = black_box(&*case.message);
        let (length, padding) = (message.len(), self.padding);
        let bytes = black_box(self.padded(at, message));
        assert_eq!(bytes.len(), length + padding);
        let mut seen = Seen::default();
        // SAFETY: the parser is one that the shim made for this function, is alive,
        // and nobody else uses it, since its owner is borrowed. `bytes` holds the
        // message and the padding, and `seen` is laid out as the shim has it; it
        // writes only values that the types of its members have.
        unsafe { read(parser.as_ptr(), bytes.as_ptr(), length, &raw mut seen) }.then_some(seen)
    }
}

/// The tree: the whole text is checked.
pub(crate) struct Dom {
    parser: NonNull<Parser>,
    buffers: Buffers,
}

impl Dom {
    pub(crate) fn new(input: Input) -> Self {
        let parser = NonNull::new(peers_dom_new()).expect("a parser");
        Self { parser, buffers: Buffers::new(input) }
    }
}

impl Drop for Dom {
    fn drop(&mut self) {
        // SAFETY: `peers_dom_new` made it, and it is freed once.
        unsafe { peers_dom_free(self.parser.as_ptr()) }
    }
}

impl Reader for Dom {
    fn prepare(&mut self, cases: &[Case]) {
        self.buffers.prepare(cases);
    }

    fn kind(&mut self, at: usize, case: &Case) -> Option<Kind> {
        self.buffers.read(self.parser, peers_dom_kind, at, case)?.kind()
    }

    fn fields(&mut self, at: usize, case: &Case) -> Option<Fields> {
        self.buffers.read(self.parser, peers_dom_fields, at, case)?.fields()
    }
}

/// The lazy reader: what is not asked for is skipped.
pub(crate) struct OnDemand {
    parser: NonNull<Parser>,
    buffers: Buffers,
}

impl OnDemand {
    pub(crate) fn new(input: Input) -> Self {
        let parser = NonNull::new(peers_on_demand_new()).expect("a parser");
        Self { parser, buffers: Buffers::new(input) }
    }
}

impl Drop for OnDemand {
    fn drop(&mut self) {
        // SAFETY: `peers_on_demand_new` made it, and it is freed once.
        unsafe { peers_on_demand_free(self.parser.as_ptr()) }
    }
}

impl Reader for OnDemand {
    fn prepare(&mut self, cases: &[Case]) {
        self.buffers.prepare(cases);
    }

    fn kind(&mut self, at: usize, case: &Case) -> Option<Kind> {
        self.buffers.read(self.parser, peers_on_demand_kind, at, case)?.kind()
    }

    fn fields(&mut self, at: usize, case: &Case) -> Option<Fields> {
        self.buffers.read(self.parser, peers_on_demand_fields, at, case)?.fields()
    }
}
