//! Who takes part, in the order of the tables.

mod jiter;
mod ours;
mod rmcp;
mod serde;
mod shared;
pub(crate) mod simdjson;
mod sonic;
mod tower;

use std::hint::black_box;

use self::jiter::Members;
use self::ours::Check;
use self::rmcp::Rmcp;
use self::serde::{Tree, Typed};
use self::simdjson::{Dom, Input, OnDemand};
use self::sonic::{SonicTree, SonicTyped};
use self::tower::Tower;
use crate::contender::{Accepts, AllFields, Contender, Kinds};
use crate::support::classes::Case;

pub(crate) const CLASSIFY: &str = "mcparse classify";
pub(crate) const CHECK: &str = "mcparse check";
pub(crate) const CHECK_HTTP: &str = "mcparse check_http";
pub(crate) const IGNORED: &str = "serde_json IgnoredAny";
pub(crate) const RMCP: &str = "rmcp";
pub(crate) const TOWER: &str = "tower-mcp-types inspection";
pub(crate) const DOM: &str = "simdjson DOM, padded";
pub(crate) const DOM_COPY: &str = "simdjson DOM, copy";
pub(crate) const ON_DEMAND: &str = "simdjson On-Demand, padded";
pub(crate) const ON_DEMAND_COPY: &str = "simdjson On-Demand, copy";
pub(crate) const UTF8: &str = "limit: simdutf8";

/// Those of the first table, `classify` first: what each can say that is not
/// more than the kind.
pub(crate) fn kinds(with_heads: bool) -> Vec<Box<dyn Contender>> {
    let mut all: Vec<Box<dyn Contender>> =
        vec![Box::new(ours::classify()), Box::new(Kinds(CHECK, Check::new()))];
    if with_heads {
        all.push(Box::new(shared::check_http()));
    }
    let rest: [Box<dyn Contender>; 16] = [
        Box::new(Kinds("mcparse check, tape lane", Check::tape())),
        Box::new(shared::simd_json()),
        Box::new(Kinds(DOM, Dom::new(Input::Padded))),
        Box::new(Kinds(DOM_COPY, Dom::new(Input::Copied))),
        Box::new(Kinds(ON_DEMAND, OnDemand::new(Input::Padded))),
        Box::new(Kinds(ON_DEMAND_COPY, OnDemand::new(Input::Copied))),
        Box::new(shared::ignored()),
        Box::new(Kinds("serde_json typed", Typed)),
        Box::new(Kinds("serde_json Value", Tree)),
        Box::new(Kinds("sonic-rs typed", SonicTyped)),
        Box::new(Kinds("sonic-rs Value", SonicTree)),
        Box::new(Kinds("jiter", Members::default())),
        Box::new(Kinds(RMCP, Rmcp)),
        Box::new(Kinds(TOWER, Tower)),
        Box::new(Accepts(UTF8, utf8)),
        Box::new(shared::copy()),
    ];
    all.extend(rest);
    all
}

/// Those of the second table, `check` first: the same with all fields.
pub(crate) fn fields() -> Vec<Box<dyn Contender>> {
    vec![
        Box::new(AllFields(CHECK, Check::new())),
        Box::new(AllFields(DOM, Dom::new(Input::Padded))),
        Box::new(AllFields(DOM_COPY, Dom::new(Input::Copied))),
        Box::new(AllFields(ON_DEMAND, OnDemand::new(Input::Padded))),
        Box::new(AllFields(ON_DEMAND_COPY, OnDemand::new(Input::Copied))),
        Box::new(AllFields("serde_json typed", Typed)),
        Box::new(AllFields("serde_json Value", Tree)),
        Box::new(AllFields("sonic-rs typed", SonicTyped)),
        Box::new(AllFields("sonic-rs Value", SonicTree)),
        Box::new(AllFields("jiter", Members::default())),
        Box::new(AllFields(RMCP, Rmcp)),
        Box::new(AllFields(TOWER, Tower)),
    ]
}

fn utf8(case: &Case) -> bool {
    black_box(simdutf8::basic::from_utf8(black_box(&case.message))).is_ok()
}
