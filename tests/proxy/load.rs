//! Many clients, and one that does not read: memory stays bounded, and nobody waits for others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::support::messages::{STREAM, chunk, event};
use crate::support::{Proxy, Upstream, Wire, answer, call, post, reply, soon};

/// The most that the 99th of 100 requests may take beside slow clients, with room for a
/// machine that does much else.
const MOST: Duration = Duration::from_millis(500);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_slow_clients_do_not_delay_another_one() {
    let upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let over = Arc::new(AtomicBool::new(false));
    let mut slow = Vec::new();
    for number in 0..1000 {
        let (mut wire, over) = (proxy.connect().await, Arc::clone(&over));
        slow.push(tokio::spawn(async move {
            let request = post(&call("1"));
            // Some within their heads, some within their bodies.
            let start = if number % 2 == 0 { 0 } else { request.len() - call("1").len() };
            wire.send(&request[..start]).await;
            let until = Instant::now() + Duration::from_secs(20);
            for byte in &request[start..request.len() - 1] {
                if over.load(Ordering::Relaxed) || Instant::now() > until {
                    return;
                }
                wire.try_send([*byte]).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }));
    }
    let mut wire = proxy.connect().await;
    let mut times = Vec::new();
    for _ in 0..100 {
        let start = Instant::now();
        assert_eq!(wire.ask(post(&call("1"))).await.0.status(), 200);
        times.push(start.elapsed());
    }
    assert!(proxy.metric("mcparse_connections_open").await > 1000, "they are still there");
    over.store(true, Ordering::Relaxed);
    times.sort();
    println!("median {:?}, 99th of 100 {:?}", times[50], times[98]);
    assert!(times[98] < MOST, "{:?}", times[98]);
    for slow in slow {
        soon(slow).await.unwrap();
    }
    proxy.end().await;
}

#[tokio::test]
async fn who_does_not_read_makes_the_upstream_wait() {
    for mode in ["gate", "observe", "off"] {
        let written = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&written);
        let upstream = Upstream::start(move |mut served| {
            let count = Arc::clone(&count);
            async move {
                let Some(_) = served.request().await else { return };
                served.wire.send(STREAM).await;
                let text = "z".repeat(60_000);
                let message = format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","data":"{text}"}}}}"#
                );
                let piece = chunk(&event(&message));
                for _ in 0..1200 {
                    if !served.wire.try_send(&piece).await {
                        return;
                    }
                    count.fetch_add(piece.len() as u64, Ordering::SeqCst);
                }
                served.wire.try_send(chunk(&event(&answer("1")))).await;
                served.wire.try_send("0\r\n\r\n").await;
            }
        })
        .await;
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let before = proxy.resident();
        let mut wire = proxy.connect().await;
        wire.send(post(&call("1"))).await;
        let head = wire.head().await;
        // Until nothing more is written for a while.
        let mut last = u64::MAX;
        while last != written.load(Ordering::SeqCst) {
            last = written.load(Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        assert!(last > 0 && last < 32 << 20, "{mode}: {last} bytes are in flight");
        let grown = proxy.resident().saturating_sub(before);
        println!("{mode}: {last} bytes in flight, {grown} KiB more");
        assert!(grown < 16 << 10, "{mode}: {grown} KiB");
        // What waited comes, and is whole.
        let (mut length, mut end) = (0, Vec::new());
        while let Some(data) = soon(wire.chunk()).await.unwrap() {
            length += data.len();
            end = data;
        }
        assert_eq!(head.status(), 200);
        assert!(length > 64 << 20, "{mode}: {length}");
        assert!(end.ends_with(event(&answer("1")).as_bytes()), "{mode}");
        proxy.end().await;
    }
}

async fn ask_often(wire: &mut Wire, requests: usize) {
    let request = post(&call("1")).repeat(50);
    for _ in 0..requests / 50 {
        wire.send(&request).await;
        for _ in 0..50 {
            assert_eq!(wire.response().await.0.status(), 200);
        }
    }
}

#[tokio::test]
async fn memory_stays_as_it_is_over_many_requests() {
    let upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    ask_often(&mut wire, 10_000).await;
    let before = proxy.resident();
    ask_often(&mut wire, 40_000).await;
    let after = proxy.resident();
    println!("{before} KiB after 10,000 requests, {after} KiB after 50,000");
    assert!(after.saturating_sub(before) < 8 << 10, "{before} KiB, then {after} KiB");
    proxy.end().await;
}
