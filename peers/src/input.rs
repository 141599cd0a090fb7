//! One input for all readers.

/// The revision that a message is of where nobody says it: the last one with a
/// handshake, whose messages carry no version.
pub(crate) const LEGACY: &str = "2025-11-25";

/// Bytes that a client sends, and what is known of how they came.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) revision: &'static str,
    /// The head's fields, if it came over HTTP.
    pub(crate) headers: Option<Vec<(String, String)>>,
}
