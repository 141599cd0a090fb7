//! What a row of the table of rules holds, and the macro that makes the enum of
//! rules and the rows from one list.

use super::Stage;
use crate::code::ErrorCode;

/// The default action of a rule, and whether a policy may change it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Always refused: past it there is no JSON, or no kind, to go on with.
    Fatal,
    Refuse,
    Report,
    Off,
}

/// Makes the enum of rules and their rows.
macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $stage:ident, $code:ident, $status:literal,
       $default:ident, $section:ident, $reason:literal;)*) => {
        /// One named thing that must hold of a message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// Every rule, in the order of judgement.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            pub(super) const fn row(self) -> &'static Row {
                const ROWS: &[Row] = &[$(Row {
                    id: $id,
                    stage: Stage::$stage,
                    code: ErrorCode::$code,
                    status: $status,
                    standing: Standing::$default,
                    section: crate::rule::section::$section,
                    reason: $reason,
                },)*];
                &ROWS[self as usize]
            }
        }
    };
}

pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) stage: Stage,
    pub(super) code: ErrorCode,
    pub(super) status: u16,
    pub(super) standing: Standing,
    pub(super) section: &'static str,
    pub(super) reason: &'static str,
}

pub(super) use rules;
