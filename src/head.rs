//! What the rules read of an HTTP request's head.
//!
//! Every header is looked at once, when the head is built; a few bytes are kept
//! of each of the few that matter, borrowed. Nothing is judged here.

mod copies;
mod media;
mod names;
mod response;

use std::fmt;

pub(crate) use copies::Copies;
pub(crate) use media::{Accepted, parameter, parts};
pub(crate) use names::Header;
pub(crate) use response::Form;
pub use response::ResponseHead;

use crate::param_headers::ParamHeaders;
use crate::revision::Revision;
use copies::trim;
use names::Known;

/// The method and the headers of the HTTP request that a message came in, as
/// far as [Streamable HTTP] gives them a meaning.
///
/// It borrows the headers and allocates nothing. It is as large as it must be
/// to hold them, so pass it on by reference.
///
/// ```
/// use mcparse::RequestHead;
///
/// let headers = [
///     ("content-type", "application/json"),
///     ("accept", "application/json, text/event-stream"),
///     ("mcp-protocol-version", "2026-07-28"),
///     ("mcp-method", "tools/list"),
/// ];
/// let head = RequestHead::new("POST", headers);
/// # let _ = head;
///
/// // Names and values may be bytes, and owned by whom you like.
/// let owned = vec![("Mcp-Name".to_owned(), b"add".to_vec())];
/// let head = RequestHead::new(b"POST", owned.iter().map(|(name, value)| (name, value)));
/// # let _ = head;
/// ```
///
/// [Streamable HTTP]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
#[derive(Clone)]
pub struct RequestHead<'h> {
    method: &'h [u8],
    /// In the order of [`Header::ALL`].
    copies: [Copies<'h>; Header::ALL.len()],
    /// What the copies of `Accept` say together.
    accepted: Accepted,
    /// Most requests have none, and need not fill half a kilobyte.
    params: Option<[ParamHeader<'h>; MOST_PARAMS]>,
    /// How many there were; beyond `MOST_PARAMS` they are not kept.
    param_count: usize,
    /// What is known of the upstream's tools.
    table: Option<&'h ParamHeaders>,
}

/// A header `Mcp-Param-*`: its whole name as received, and its value.
pub(crate) type ParamHeader<'h> = (&'h [u8], &'h [u8]);

/// How many headers `Mcp-Param-*` are compared with the body.
pub(crate) const MOST_PARAMS: usize = 16;

impl<'h> RequestHead<'h> {
    /// Reads `headers`, pairs of name and value in any order and case. A header
    /// that is given more than once must be in it as often, or joined with
    /// commas.
    #[must_use]
    pub fn new<M, N, V>(method: &'h M, headers: impl IntoIterator<Item = (&'h N, &'h V)>) -> Self
    where
        M: AsRef<[u8]> + ?Sized,
        N: AsRef<[u8]> + ?Sized + 'h,
        V: AsRef<[u8]> + ?Sized + 'h,
    {
        let mut head = Self {
            method: method.as_ref(),
            copies: [Copies::default(); Header::ALL.len()],
            accepted: Accepted::default(),
            params: None,
            param_count: 0,
            table: None,
        };
        for (name, value) in headers {
            head.note(name.as_ref(), value.as_ref());
        }
        head
    }

    /// Reads the head as the crate `http` has it.
    ///
    /// ```
    /// use http::{HeaderMap, HeaderValue, Method};
    /// use mcparse::RequestHead;
    ///
    /// let mut headers = HeaderMap::new();
    /// headers.insert("mcp-method", HeaderValue::from_static("tools/list"));
    /// let head = RequestHead::from_http(&Method::POST, &headers);
    /// # let _ = head;
    /// ```
    #[cfg(feature = "http")]
    #[must_use]
    pub fn from_http(method: &'h http::Method, headers: &'h http::HeaderMap) -> Self {
        Self::new(method.as_str(), headers)
    }

    /// Has the headers `Mcp-Param-*` of a `tools/call` compared with its
    /// arguments, by what `table` has learned of the tool. Without a table, and of
    /// tools that it does not know, such headers are ignored, as they must be.
    #[must_use]
    pub const fn with_param_headers(mut self, table: &'h ParamHeaders) -> Self {
        self.table = Some(table);
        self
    }

    /// What is known of the upstream's tools.
    pub(crate) const fn table(&self) -> Option<&'h ParamHeaders> {
        self.table
    }

    #[inline]
    fn note(&mut self, name: &'h [u8], value: &'h [u8]) {
        match names::known(name) {
            Some(Known::Header(header)) => self.note_copy(header, trim(value)),
            Some(Known::Param) => self.note_param((name, trim(value))),
            None => {}
        }
    }

    fn note_copy(&mut self, header: Header, value: &'h [u8]) {
        let copies = &mut self.copies[header as usize];
        if header == Header::Accept {
            self.accepted.note(value);
        }
        if header.may_be_joined() {
            copies.note_joined(value);
        } else {
            copies.note(value);
        }
    }

    fn note_param(&mut self, header: ParamHeader<'h>) {
        let params = self.params.get_or_insert([ParamHeader::default(); MOST_PARAMS]);
        if let Some(free) = params.get_mut(self.param_count) {
            *free = header;
        }
        self.param_count = self.param_count.saturating_add(1);
    }

    /// The HTTP method.
    pub(crate) const fn method(&self) -> &'h [u8] {
        self.method
    }

    /// The copies of `header`.
    #[inline]
    pub(crate) const fn copies(&self, header: Header) -> Copies<'h> {
        self.copies[header as usize]
    }

    /// The value of the first copy of `header`.
    #[inline]
    pub(crate) fn value(&self, header: Header) -> Option<&'h [u8]> {
        let copies = self.copies(header);
        let is_repeated = copies.has_equal() || copies.has_different();
        if is_repeated && header.may_be_joined() { copies.first_part() } else { copies.first() }
    }

    /// The protocol version that the head names, if all copies of the header
    /// name the same.
    #[inline]
    pub(crate) fn protocol_version(&self) -> Option<&'h [u8]> {
        let differs = self.copies(Header::ProtocolVersion).has_different();
        self.value(Header::ProtocolVersion).filter(|_| !differs)
    }

    /// The revision with that version, if it is one that the crate knows.
    #[inline]
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.protocol_version().and_then(Revision::from_bytes)
    }

    /// What all copies of `Accept` together say.
    pub(crate) const fn accepted(&self) -> Accepted {
        self.accepted
    }

    /// The headers `Mcp-Param-*` in the order received, the first
    /// [`MOST_PARAMS`] of them.
    #[inline]
    pub(crate) fn params(&self) -> &[ParamHeader<'h>] {
        let Some(params) = &self.params else { return &[] };
        params.get(..self.param_count).unwrap_or(params)
    }

    /// Whether there were more of them than are kept.
    #[inline]
    pub(crate) const fn has_too_many_params(&self) -> bool {
        self.param_count > MOST_PARAMS
    }
}

/// The method and the names of the headers found. Values may be secrets.
impl fmt::Debug for RequestHead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestHead")
            .field("method", &format_args!("\"{}\"", self.method.escape_ascii()))
            .field("headers", &Found(self))
            .field("params", &self.param_count)
            .finish()
    }
}

struct Found<'f, 'h>(&'f RequestHead<'h>);

impl fmt::Debug for Found<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Header::ALL.into_iter().filter(|&header| self.0.copies(header).is_present());
        f.debug_list().entries(found.map(Header::as_str)).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn head<'h>(headers: &'h [(&'h str, &'h str)]) -> RequestHead<'h> {
        RequestHead::new("POST", headers.iter().copied())
    }

    #[test]
    fn names_are_found_in_any_case_and_values_kept_without_blanks_around_them() {
        let head = head(&[
            ("Host", "example.com"),
            ("MCP-protocol-VERSION", "\t2026-07-28 "),
            ("mcp-method", "tools/call"),
            ("Mcp-Name", " a, b "),
            ("user-agent", "test"),
        ]);
        assert_eq!(head.method(), b"POST");
        assert_eq!(head.value(Header::ProtocolVersion), Some(&b"2026-07-28"[..]));
        assert_eq!(head.value(Header::Method), Some(&b"tools/call"[..]));
        assert_eq!(head.value(Header::Name), Some(&b"a, b"[..]));
        assert_eq!(head.value(Header::Origin), None);
        assert_eq!(head.copies(Header::Name).first(), Some(&b"a, b"[..]));
    }

    #[test]
    fn a_version_is_named_if_all_copies_agree() {
        for (headers, version) in [
            (&[][..], None),
            (&["2025-11-25"][..], Some("2025-11-25")),
            (&["2025-11-25, 2025-11-25"][..], Some("2025-11-25")),
            (&["2025-11-25", "2025-11-25,2025-11-25"][..], Some("2025-11-25")),
            (&["2025-11-25", "2026-07-28"][..], None),
            (&["2025-11-25, 2026-07-28"][..], None),
            (&["1999-01-01"][..], Some("1999-01-01")),
            (&[""][..], Some("")),
        ] {
            let pairs = headers.iter().map(|&value| ("mcp-protocol-version", value));
            let head = RequestHead::new("POST", pairs);
            assert_eq!(head.protocol_version(), version.map(str::as_bytes), "{headers:?}");
            let known = version.and_then(|version| Revision::from_bytes(version.as_bytes()));
            assert_eq!(head.revision(), known, "{headers:?}");
        }
    }

    #[test]
    fn a_name_is_not_split_at_its_commas() {
        let twice = head(&[("mcp-name", "a,b"), ("mcp-name", "a,b")]);
        assert_eq!(twice.value(Header::Name), Some(&b"a,b"[..]));
        assert!(twice.copies(Header::Name).has_equal());
        assert!(!twice.copies(Header::Name).has_different());
    }

    #[test]
    fn sixteen_param_headers_are_kept_and_one_more_is_too_many() {
        for count in [0, 1, MOST_PARAMS, MOST_PARAMS + 1, 100] {
            let pairs: Vec<_> =
                (0..count).map(|at| (format!("mcp-param-{at}"), format!(" {at}\t"))).collect();
            let head = RequestHead::new("POST", pairs.iter().map(|(name, value)| (name, value)));
            assert_eq!(head.params().len(), count.min(MOST_PARAMS));
            assert_eq!(head.has_too_many_params(), count > MOST_PARAMS);
            for (&(name, value), pair) in head.params().iter().zip(&pairs) {
                assert_eq!((name, value), (pair.0.as_bytes(), pair.1.trim().as_bytes()));
            }
        }
    }

    #[test]
    fn a_debug_line_shows_no_values() {
        let head = head(&[("mcp-session-id", "secret"), ("accept", "*/*")]);
        let line = format!("{head:?}");
        assert_eq!(
            line,
            r#"RequestHead { method: "POST", headers: ["Accept", "Mcp-Session-Id"], params: 0 }"#
        );
    }

    #[cfg(feature = "http")]
    #[test]
    fn the_types_of_http_are_read_like_plain_pairs() {
        let mut headers = http::HeaderMap::new();
        for (name, value) in [("mcp-method", "a"), ("accept", "*/*"), ("mcp-method", "b")] {
            headers.append(name, http::HeaderValue::from_static(value));
        }
        headers.insert("mcp-name", http::HeaderValue::from_bytes(b"caf\xc3\xa9").unwrap());
        let head = RequestHead::from_http(&http::Method::POST, &headers);
        assert_eq!(head.method(), b"POST");
        assert_eq!(head.value(Header::Method), Some(&b"a"[..]));
        assert!(head.copies(Header::Method).has_different());
        assert_eq!(head.value(Header::Name), Some("caf\u{e9}".as_bytes()));
    }

    /// What a head holds of one header, found by a plain loop.
    fn plainly(pairs: &[(String, String)], header: Header) -> (Option<&str>, bool, bool) {
        let blanks = [' ', '\t'];
        let values: Vec<&str> = pairs
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(header.as_str()))
            .map(|(_, value)| value.trim_matches(blanks))
            .collect();
        let is_joined = matches!(header, Header::ProtocolVersion | Header::Method);
        let said: Vec<&str> = values
            .iter()
            .flat_map(|value| if is_joined { value.split(',').collect() } else { vec![*value] })
            .map(|part| part.trim_matches(blanks))
            .collect();
        let further = || said.iter().skip(1);
        let is_equal = further().any(|said_later| *said_later == said[0]);
        let is_different = further().any(|said_later| *said_later != said[0]);
        (said.first().copied(), is_equal, is_different)
    }

    fn some_header() -> impl Strategy<Value = (String, String)> {
        let known = prop::sample::select(Header::ALL.map(Header::as_str).to_vec());
        let name = prop_oneof![
            known.clone().prop_map(str::to_owned),
            known.clone().prop_map(str::to_lowercase),
            (known, any::<u32>()).prop_map(|(name, upper)| {
                let case = |(at, letter): (usize, char)| match upper >> at & 1 {
                    0 => letter.to_ascii_lowercase(),
                    _ => letter.to_ascii_uppercase(),
                };
                name.chars().enumerate().map(case).collect()
            }),
            "(?i)mcp-param-[a-z]{0,12}",
            "(?i)[mcal][a-z-]{5,19}",
            "[ -~]{0,24}",
        ];
        (name, "[ \t]{0,2}([ab](, ?[ab])?|[*]/[*](;q=0)?|text/[*]|application/json)?[ \t]{0,2}")
    }

    proptest! {
        #[test]
        fn a_head_holds_what_a_plain_loop_finds(
            pairs in prop::collection::vec(some_header(), 0..24),
        ) {
            let head = RequestHead::new("POST", pairs.iter().map(|(name, value)| (name, value)));
            for header in Header::ALL {
                let copies = head.copies(header);
                let value = head.value(header).map(|value| std::str::from_utf8(value).unwrap());
                let found = (value, copies.has_equal(), copies.has_different());
                prop_assert_eq!(found, plainly(&pairs, header), "{}", header.as_str());
            }
            let is_param = |name: &str| {
                name.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("mcp-param-"))
                    && name.len() > 10
            };
            let blanks = [' ', '\t'];
            let params: Vec<_> = pairs
                .iter()
                .filter(|(name, _)| is_param(name))
                .map(|(name, value)| (name.as_bytes(), value.trim_matches(blanks).as_bytes()))
                .collect();
            let mut accepted = Accepted::default();
            for (name, value) in &pairs {
                if name.eq_ignore_ascii_case("accept") {
                    accepted.note(value.as_bytes());
                }
            }
            prop_assert_eq!(head.accepted(), accepted);
            prop_assert_eq!(head.has_too_many_params(), params.len() > MOST_PARAMS);
            prop_assert_eq!(head.params(), &params[..params.len().min(MOST_PARAMS)]);
        }
    }
}
