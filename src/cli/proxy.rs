//! `mcparse proxy`: a reverse proxy that judges what passes.
//!
//! ```text
//! connection ─ serve ─ route ─┬─ /healthz, /metrics
//!                             ├─ what passes unjudged ─┐
//!                             └─ the crate's layer ────┴─ forward ─ upstream
//! ```
//!
//! The judging is `mcparse::layer`'s; here is HTTP around it.

mod args;
mod counts;
mod failure;
mod forward;
mod headers;
mod local;
mod log;
mod metrics;
mod opening;
mod route;
mod serve;
mod target;
mod timed;

use std::sync::Arc;

use mcparse::layer::{Mode, ValidateLayer};
use mcparse::{Action, Counters, ParamHeaders, Policy, Rule};

pub(super) use args::Proxy;

use super::{Outcome, failed, policy};
use args::Judging;
use counts::Counts;
use route::Routes;
use target::Target;

/// Where nobody says what the upstream serves: of a version that it does not, it tells
/// itself, and which ones it has.
const UNKNOWN: Policy = Policy::strict().with_action(Rule::UnsupportedVersion, Action::Report);

/// Runs until it is told to stop.
pub(super) fn run(options: &Proxy) -> Outcome {
    let target = match Target::parse(&options.upstream) {
        Ok(target) => target,
        Err(fault) => return failed(&fault),
    };
    let policy = match options.policy.as_deref().map(policy::read).transpose() {
        Ok(policy) => policy.unwrap_or(UNKNOWN),
        Err(fault) => return failed(&fault),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(options.threads())
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return failed(&format!("cannot start: {error}")),
    };
    let log = log::start(options.log);
    let outcome = runtime.block_on(async {
        let counts = Arc::new(Counts::default());
        let counters = Arc::new(Counters::new());
        let layer = layer(options, policy, &counters);
        let routes = Routes::new(options, target, layer, counters, counts);
        match serve::run(options, Arc::new(routes)).await {
            Ok(()) => Outcome::Accepted,
            Err(fault) => failed(&fault),
        }
    });
    // Whatever is still open after the time to drain is closed.
    runtime.shutdown_background();
    log.finish();
    outcome
}

/// What judges, unless nothing is to be judged.
fn layer(options: &Proxy, policy: Policy, counters: &Arc<Counters>) -> Option<ValidateLayer> {
    let mode = match options.mode {
        Judging::Gate => Mode::Gate,
        Judging::Observe => Mode::Observe,
        Judging::Off => return None,
    };
    let layer = ValidateLayer::new(policy)
        .with_mode(mode)
        .with_param_headers(Arc::new(ParamHeaders::new()))
        .with_counters(Arc::clone(counters))
        .with_observer(log::heard);
    Some(layer)
}
