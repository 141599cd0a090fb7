//! Whose request it is. It is asked for every request, before the operation, and
//! what it says is not remembered.

use std::fmt;
use std::sync::Arc;

/// Who asks: whoever holds one token. Notes belong to an owner, and nobody else
/// sees that they are there.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Owner(Arc<str>);

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The tokens that let somebody in.
pub(crate) struct Access {
    tokens: Vec<(String, Owner)>,
}

impl Access {
    /// Each token lets in its own owner. Without any, everybody is one owner.
    pub(crate) fn new(tokens: Vec<String>) -> Self {
        let owner = |at| Owner(format!("owner {at}").into());
        let numbered = tokens.into_iter().enumerate();
        Self { tokens: numbered.map(|(at, token)| (token, owner(at))).collect() }
    }

    /// Whose request it is that shows this token; nobody's if it is not known.
    pub(crate) fn owner(&self, shown: Option<&str>) -> Option<Owner> {
        if self.tokens.is_empty() {
            return Some(Owner("everybody".into()));
        }
        let shown = shown?;
        let mut owner = None;
        // All are compared, so that the time does not tell which one it was.
        for (token, own) in &self.tokens {
            if is_same(token, shown) {
                owner = Some(own.clone());
            }
        }
        owner
    }

    /// The token in the value of an `Authorization` header.
    pub(crate) fn bearer(authorization: &str) -> Option<&str> {
        let (scheme, token) = authorization.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    }
}

/// Compares in a time that depends on the lengths alone.
fn is_same(token: &str, shown: &str) -> bool {
    let differences = token.bytes().zip(shown.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    token.len() == shown.len() && differences == 0
}
