//! Floods: memory stays flat, and nothing is lost.

use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use crate::support::{Folder, PATIENCE, Wrapped};

/// How much memory the process has ever had, in KiB.
fn most_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn ping(id: usize) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n")
}

#[test]
#[cfg(target_os = "linux")]
fn a_flood_of_requests_to_a_slow_server_takes_no_memory_and_all_arrive() {
    const COUNT: usize = 100_000;
    let folder = Folder::new("slow");
    let (file, go) = (folder.path("count"), folder.path("go"));
    // Reads nothing until it may.
    let script = format!("while ! [ -e '{go}' ]; do sleep 0.05; done; wc -l > '{file}'");
    let mut wrapped = Wrapped::script(&["--log", "/dev/null"], &script);
    let pid = wrapped.pid();
    let mut stdin = wrapped.take_stdin();
    let writer = thread::spawn(move || {
        for id in 0..COUNT {
            stdin.write_all(ping(id).as_bytes()).unwrap();
        }
    });
    thread::sleep(Duration::from_millis(500));
    assert!(!writer.is_finished(), "the client is held up");
    folder.write("go", "");
    // Until the client has sent all, the wrapper is there to be looked at.
    while !writer.is_finished() {
        let memory = most_memory(pid);
        assert!(memory < 40_000, "{memory} KiB");
        thread::sleep(Duration::from_millis(20));
    }
    writer.join().unwrap();
    let out = wrapped.rest();
    let told = out.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    assert_eq!(fs::read_to_string(&file).unwrap().trim(), COUNT.to_string());
    assert_eq!(told, 1024, "those that are kept account of are told that the server has ended");
}

#[test]
fn a_client_that_reads_only_when_it_has_sent_all_it_can_gets_every_answer_once_and_whole() {
    // Far more than the pipes hold, in both directions: the server answers each, and
    // every other request is refused and answered by the gate itself.
    const COUNT: usize = 20_000;
    let script = r#"sed -u 's/"method":"ping"/"result":{}/'"#;
    let mut wrapped =
        Wrapped::unread(&["--log", "/dev/null", "--grace", "60"], &["sh", "-c", script]);
    let mut stdin = wrapped.take_stdin();
    let out = wrapped.child().stdout.take().unwrap();
    let writer = thread::spawn(move || {
        for id in 0..COUNT {
            let line = ping(id);
            let line =
                if id % 2 == 0 { line } else { line.replace("ping\"", "ping\",\"params\":7") };
            stdin.write_all(line.as_bytes()).unwrap();
        }
    });
    thread::sleep(Duration::from_millis(500));
    assert!(!writer.is_finished(), "everything stands still until the client reads");
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut seen = vec![0; COUNT];
        for line in BufReader::new(out).lines() {
            let answer: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            let id = usize::try_from(answer["id"].as_u64().unwrap()).unwrap();
            assert_eq!(answer.get("error").is_some(), id % 2 == 1, "{answer}");
            seen[id] += 1;
        }
        tell.send(seen).unwrap();
    });
    let seen = told.recv_timeout(PATIENCE).unwrap();
    writer.join().unwrap();
    assert!(seen.iter().all(|&count| count == 1));
    assert_eq!(wrapped.code(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn lines_without_an_end_take_no_more_than_the_limit() {
    let folder = Folder::new("endless");
    let go = folder.path("go");
    // Both sides write one line of 64 MiB.
    let script = format!(
        "head -c 67108864 /dev/zero; printf '\\n'; cat > /dev/null; while ! [ -e '{go}' ]; do sleep 0.02; done"
    );
    let mut wrapped = Wrapped::script(&["--log", "/dev/null", "--grace", "60"], &script);
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..64 {
        wrapped.send(&chunk);
    }
    wrapped.send("\n");
    assert_eq!(wrapped.json()["error"]["data"]["rule"], "too-large");
    let memory = most_memory(wrapped.pid());
    assert!(memory < 40_000, "{memory} KiB");
    wrapped.close();
    folder.write("go", "");
    assert_eq!(wrapped.rest(), b"");
}
