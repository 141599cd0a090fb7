//! What a reader has seen of a message, the truth table over it, and the
//! checksums by which readers are held to the same reading.

use mcparse::Kind;

/// The JSON type of a member, as far as the truth table asks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Json {
    #[default]
    Absent,
    Null,
    Integer,
    Text,
    Object,
    Other,
}

/// The members of an envelope. Laid out for C++, `Seen` in `cpp/shim.cpp`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Seen {
    /// `jsonrpc` is `"2.0"`.
    pub(crate) version: bool,
    pub(crate) id: Json,
    pub(crate) method: Json,
    pub(crate) params: Json,
    pub(crate) result: Json,
    pub(crate) error: Json,
    pub(crate) code: Json,
    pub(crate) message: Json,
    /// From here on only what the fields are made of.
    pub(crate) id_number: i64,
    pub(crate) code_number: i64,
    pub(crate) id_text: Length,
    pub(crate) method_text: Length,
    pub(crate) name_text: Length,
    pub(crate) revision_text: Length,
}

/// One more than the length of a text in bytes; 0 if there is none.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub(crate) struct Length(u64);

impl Length {
    pub(crate) const fn of(text: &str) -> Self {
        Self(text.len() as u64 + 1)
    }

    pub(crate) fn of_any(text: Option<&str>) -> Self {
        text.map_or(Self(0), Self::of)
    }
}

impl Seen {
    /// The truth table: what kind of message it is.
    #[inline]
    pub(crate) fn kind(&self) -> Option<Kind> {
        let is_id = matches!(self.id, Json::Integer | Json::Text);
        let is_object = |json| json == Json::Object;
        if !self.version {
            return None;
        }
        match (self.method, self.result, self.error) {
            (Json::Text, _, _) if is_object(self.params) || self.params == Json::Absent => {
                match self.id {
                    Json::Absent => Some(Kind::Notification),
                    _ => is_id.then_some(Kind::Request),
                }
            }
            (Json::Absent, Json::Object, Json::Absent) => is_id.then_some(Kind::Result),
            (Json::Absent, Json::Absent, Json::Object) => {
                let is_error = self.code == Json::Integer && self.message == Json::Text;
                (is_error && (is_id || self.id == Json::Null)).then_some(Kind::Error)
            }
            _ => None,
        }
    }

    /// The fields, if it is a message.
    #[inline]
    pub(crate) fn fields(&self) -> Option<Fields> {
        Some(Fields {
            kind: self.kind()?,
            id: (self.id_number, self.id_text),
            method: self.method_text,
            name: self.name_text,
            revision: self.revision_text,
            code: self.code_number,
        })
    }
}

/// What a gateway routes by. Texts count by their length.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    pub(crate) kind: Kind,
    /// The number, or the text.
    pub(crate) id: (i64, Length),
    pub(crate) method: Length,
    /// `params.name`.
    pub(crate) name: Length,
    /// The protocol version in `params._meta`.
    pub(crate) revision: Length,
    /// `error.code`.
    pub(crate) code: i64,
}

impl Fields {
    /// Of a message with neither id nor texts nor code.
    pub(crate) const fn of(kind: Kind) -> Self {
        const NONE: Length = Length(0);
        Self { kind, id: (0, NONE), method: NONE, name: NONE, revision: NONE, code: 0 }
    }
}

/// How many messages were read, and a checksum of what was seen in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) accepted: usize,
    sum: u64,
}

impl Tally {
    /// Of a reader that says no more than that.
    pub(crate) fn of(accepted: usize) -> Self {
        Self { accepted, sum: 0 }
    }

    #[inline]
    pub(crate) fn accept(&mut self, accepted: bool) {
        self.accepted += usize::from(accepted);
    }

    #[inline]
    pub(crate) fn kind(&mut self, kind: Option<Kind>) {
        if let Some(kind) = kind {
            self.accepted += 1;
            self.add(kind as u64);
        }
    }

    #[inline]
    pub(crate) fn fields(&mut self, fields: Option<Fields>) {
        let Some(Fields { kind, id: (number, text), method, name, revision, code }) = fields else {
            return;
        };
        self.accepted += 1;
        let texts = text.0 ^ method.0 << 16 ^ name.0 << 32 ^ revision.0 << 48;
        self.add(kind as u64);
        self.add(number.cast_unsigned() ^ code.cast_unsigned().rotate_left(32));
        self.add(texts);
    }

    /// By the order, too.
    #[inline]
    fn add(&mut self, value: u64) {
        self.sum = (self.sum.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
