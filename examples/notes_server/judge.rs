//! Every message is judged by the crate before anybody looks at it, alone: by
//! what it says itself and nothing that came before.

use std::sync::{Arc, Mutex, PoisonError};

use mcparse::{
    Capability, Message, Policy, RequestHead, Requirement, RevisionSet, Sender, Validator,
    Violation,
};

/// Deleting asks the user first, so the client must be able to.
static NEEDS: [Requirement; 1] =
    [Requirement::new("tools/call", Capability::of_client("elicitation").with_part("form"))
        .on("delete_note")];

/// This revision alone, by the strict rules.
const POLICY: Policy =
    Policy::strict().with_revisions(RevisionSet::MODERN).with_requirements(&NEEDS);

/// Validators with one policy. Each serves one message at a time and keeps the
/// memory that it needed for the next one.
pub(crate) struct Judge {
    policy: Arc<Policy>,
    /// As many as were ever at work at once, which are at most the threads.
    idle: Mutex<Vec<Validator>>,
}

impl Judge {
    /// A judge who lets browsers send from these addresses of the server's own.
    pub(crate) fn new(addresses: &[String]) -> Self {
        let own = |address: &String| -> &'static str { format!("http://{address}").leak() };
        // A policy's lists live as long as the program.
        let origins = addresses.iter().map(own).collect::<Vec<_>>().leak();
        let policy = Arc::new(POLICY.with_origins(origins));
        Self { policy, idle: Mutex::default() }
    }

    /// How long a message may be, in bytes.
    pub(crate) fn most_bytes(&self) -> usize {
        self.policy.limits().message_bytes
    }

    /// Judges a line of stdio.
    pub(crate) fn check<'m>(&self, line: &'m [u8]) -> Result<Message<'m>, Violation<'m>> {
        self.with_validator(|validator| validator.check(Sender::Client, line))
    }

    /// Judges the body of an HTTP request by its head.
    pub(crate) fn check_http<'m: 'v, 'v>(
        &self,
        head: &RequestHead<'v>,
        body: &'m [u8],
    ) -> Result<Message<'m>, Violation<'v>> {
        self.with_validator(|validator| validator.check_http(head, body))
    }

    fn with_validator<T>(&self, check: impl FnOnce(&mut Validator) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut validator = taken.unwrap_or_else(|| Validator::new(Arc::clone(&self.policy)));
        let verdict = check(&mut validator);
        idle().push(validator);
        verdict
    }
}
