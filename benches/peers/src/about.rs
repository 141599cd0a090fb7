//! What was measured where: the versions as they are locked, and the machine.

use std::fmt::Write as _;
use std::fs;

use crate::contenders::simdjson;

/// Whose versions count, beside simdjson.
const CRATES: [&str; 8] = [
    "mcparse",
    "simd-json",
    "serde_json",
    "sonic-rs",
    "jiter",
    "rmcp",
    "tower-mcp-types",
    "simdutf8",
];

/// Versions and machine as a table.
pub(crate) fn table() -> String {
    let mut table = "| what | version |\n| --- | --- |\n".to_owned();
    for name in CRATES {
        let _ = writeln!(table, "| {name} | {} |", locked(name));
    }
    let [version, dom, on_demand] = simdjson::about();
    assert_eq!(version, fetched(), "the simdjson that simdjson.sh names");
    let _ = writeln!(
        table,
        "| simdjson (C++) | {version}, built for this machine; DOM uses its {dom} code, On-Demand its {on_demand} code |"
    );
    let _ = writeln!(table, "| rustc | {} |", env!("PEERS_RUSTC"));
    let _ = writeln!(table, "| profile | {} |", env!("PEERS_PROFILE"));
    let _ = writeln!(table, "| vector code known to rustc | {} |", features());
    let _ = writeln!(table, "| processor | {} |", processor());
    table
}

/// The version of a crate in the lock file that it was built by.
fn locked(name: &str) -> &'static str {
    let entry = format!("name = \"{name}\"\nversion = \"");
    let lock = include_str!("../Cargo.lock");
    let (_, behind) = lock.split_once(&entry).expect("every peer is locked");
    behind.split('"').next().unwrap_or_default()
}

/// The version in the script that fetches simdjson.
fn fetched() -> &'static str {
    let (_, behind) =
        include_str!("../simdjson.sh").split_once("VERSION=").expect("a version in the script");
    behind.lines().next().unwrap_or_default()
}

/// What `target-cpu` gave, which sonic-rs goes by.
fn features() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        "AVX-512, by `target-cpu`"
    } else if cfg!(target_feature = "avx2") {
        "AVX2, by `target-cpu`"
    } else {
        "what every machine of its kind has; sonic-rs has all of its own only with `RUSTFLAGS=-Ctarget-cpu=native`"
    }
}

fn processor() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split(':').nth(1)).map_or("unknown", str::trim)
    };
    format!(
        "{}, family {} model {}, {cores} cores",
        value("model name"),
        value("cpu family"),
        value("model\t")
    )
}
