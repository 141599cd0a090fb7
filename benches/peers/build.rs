//! Compiles simdjson and the shim over it. Optimised as cargo says: -O3 in
//! release. simdjson's On-Demand front end picks its vector code when it is
//! compiled, so it is given all that this machine has; nothing here is shipped.

use std::path::Path;

fn main() {
    let sources = Path::new("simdjson/package/src");
    assert!(
        sources.join("simdjson.cpp").exists(),
        "simdjson is not here yet: run benches/peers/simdjson.sh once"
    );
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-march=native")
        .include(sources)
        .file(sources.join("simdjson.cpp"))
        .file("cpp/shim.cpp")
        .warnings(false)
        .compile("peers_simdjson");
    println!("cargo::rerun-if-changed=cpp/shim.cpp");
    println!("cargo::rerun-if-changed=simdjson/package/src");
    println!("cargo::rustc-env=PEERS_PROFILE={}", std::env::var("PROFILE").unwrap_or_default());
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout);
    println!("cargo::rustc-env=PEERS_RUSTC={}", version.trim());
}
