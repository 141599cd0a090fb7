//! `mcparse proxy` where its parts meet what they were not written for: paths that are
//! read in two ways, clients that say nothing, servers that speak unasked, and signals
//! in the thick of it.

#![cfg(all(feature = "cli", unix))]

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take here.
const LONG: Duration = Duration::from_secs(20);
const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";
const SWITCH: &str = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n\
                      HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nstray";

/// A proxy, ended with the test.
struct Proxy {
    child: Child,
    address: SocketAddr,
}

impl Proxy {
    fn new(upstream: SocketAddr, options: &[&str]) -> Self {
        let mut child = command(upstream, options).spawn().unwrap();
        let mut first = String::new();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        log.read_line(&mut first).unwrap();
        // So that it never waits to log.
        thread::spawn(move || log.lines().count());
        let (_, after) = first.split_once("listening on http://").expect("it says where it is");
        let (address, _) = after.split_once('/').unwrap();
        Self { child, address: address.parse().unwrap() }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    /// How it ends after the signal.
    fn end(&mut self, signal: &str) -> ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let start = Instant::now();
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return status,
                None if start.elapsed() > LONG => panic!("it goes on after {signal}"),
                None => thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(upstream: SocketAddr, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcparse"));
    command.args(["proxy", "--listen", "127.0.0.1:0", "--upstream"]);
    command.arg(format!("http://{upstream}/mcp")).args(options).stderr(Stdio::piped());
    command
}

/// A server that says the same to all, and the heads of what it was asked.
fn upstream(response: &'static str) -> (SocketAddr, Receiver<String>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let (heads, asked) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut head = String::new();
            while stream.read_line(&mut head).unwrap_or(0) > 2 {}
            let _ = stream.get_mut().write_all(response.as_bytes());
            if heads.send(head).is_err() {
                return;
            }
        }
    });
    (address, asked)
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
}

#[test]
fn a_path_that_leads_from_what_passes_to_what_is_judged_reaches_nobody() {
    let (upstream, asked) = upstream(OK);
    let proxy = Proxy::new(upstream, &[]);
    for path in ["/.well-known/../mcp", "/.well-known/%2e%2e/mcp", "/.well-known/..;/mcp"] {
        assert!(proxy.ask(&get(path)).starts_with("HTTP/1.1 404 "), "{path}");
    }
    assert!(proxy.ask(&get("/.well-known/a?b=..")).starts_with("HTTP/1.1 200 "));
    let head = asked.recv_timeout(LONG).unwrap();
    assert!(head.starts_with("GET /.well-known/a?b=.. HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nvia: 1.1 mcparse\r\n"), "{head}");
    assert!(asked.try_recv().is_err(), "nothing else went there");
}

#[test]
fn nothing_that_holds_the_judged_path_can_be_passed() {
    for prefix in ["/", "/mcp", "/MCP/", "mcp"] {
        let upstream = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        let output = command(upstream, &["--pass", prefix]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{prefix}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("what --pass names must"), "{told}");
    }
}

#[test]
fn a_client_that_does_not_say_which_http_it_speaks_is_let_go_of() {
    let (upstream, _asked) = upstream(OK);
    let proxy = Proxy::new(upstream, &["--idle", "1"]);
    for said in ["", "PRI * HT"] {
        // It ends the connection; else reading would take too long, and fail.
        assert_eq!(proxy.ask(said), "", "{said:?}");
    }
}

#[test]
fn a_stream_may_be_silent_for_longer_than_a_connection_may_rest() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let upstream = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // An answer to what has not been asked yet is none.
        let mut asked = Vec::new();
        while !asked.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            asked.push(byte[0]);
        }
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        let _ = stream.write_all(format!("{head}: first\n\n").as_bytes());
        // The silence itself is what is tried.
        thread::sleep(Duration::from_millis(1500));
        let _ = stream.write_all(b": last\n\n");
    });
    let proxy = Proxy::new(upstream, &["--mode", "off", "--idle", "1", "--timeout", "1"]);
    let response = proxy.ask(&get("/mcp"));
    assert!(response.contains(": first\n\n") && response.contains(": last\n\n"), "{response}");
}

#[test]
fn a_server_that_switches_protocols_unasked_has_failed() {
    let (upstream, _asked) = upstream(SWITCH);
    for mode in ["gate", "observe", "off"] {
        let proxy = Proxy::new(upstream, &["--mode", mode]);
        let request = get("/mcp").replace(
            "connection: close",
            "accept: text/event-stream\r\nconnection: close, upgrade\r\nupgrade: x",
        );
        let response = proxy.ask(&request);
        assert!(response.starts_with("HTTP/1.1 502 "), "{mode}: {response}");
        assert!(response.contains("-32603") && !response.contains("stray"), "{mode}: {response}");
    }
}

#[test]
fn each_signal_is_heard_while_clients_come_and_go() {
    let (upstream, _asked) = upstream(OK);
    for signal in ["-TERM", "-INT"] {
        let mut proxy = Proxy::new(upstream, &[]);
        let address = proxy.address;
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let (begun, has_begun) = channel();
            for _ in 0..4 {
                let (begun, is_over) = (begun.clone(), &is_over);
                scope.spawn(move || {
                    for round in 0.. {
                        match TcpStream::connect(address) {
                            Err(error) if error.kind() == ErrorKind::ConnectionRefused => return,
                            _ if is_over.load(Ordering::Relaxed) => return,
                            _ if round == 50 => begun.send(()).unwrap(),
                            _ => {}
                        }
                    }
                });
            }
            drop(begun);
            assert_eq!(has_begun.iter().take(4).count(), 4);
            let ended =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| proxy.end(signal)));
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(ended.unwrap().code(), Some(0), "{signal}");
        });
    }
}
