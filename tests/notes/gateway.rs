//! The gateway in front of two servers for notes, which do not share theirs.

use serde_json::{Value, json};

use crate::process::Server;
use crate::said::{call, note, request};
use crate::web::{ask, ask_all, post};

/// The gateway, and the servers that live as long as it does.
struct Gateway {
    address: String,
    _running: [Server; 3],
}

fn start() -> Gateway {
    let [one, two] = ["one", "two"].map(|name| {
        let server = Server::start(&["--http", "127.0.0.1:0"], None);
        let argument = format!("{name}=http://{}/mcp", server.address());
        (server, argument)
    });
    let args = ["127.0.0.1:0", &one.1, &two.1];
    let gateway = Server::start_as("gateway", &args, None);
    Gateway { address: gateway.address(), _running: [gateway, one.0, two.0] }
}

#[test]
fn a_call_goes_to_the_server_that_the_prefix_names() {
    let gateway = start();
    let created = ask(&gateway.address, &call(1, "one__create_note", note("mine")), &[]);
    let on_note = json!({ "note": created["result"]["structuredContent"]["note"] });
    let read = ask(&gateway.address, &call(2, "one__read_note", on_note.clone()), &[]);
    assert_eq!(read["result"]["structuredContent"]["title"], "mine");
    let unknown = ask(&gateway.address, &call(3, "two__read_note", on_note), &[]);
    assert_eq!(unknown["result"]["isError"], true, "the other server has no such note");
    let nobody = ask(&gateway.address, &call(4, "three__read_note", json!({})), &[]);
    assert_eq!(nobody["error"]["code"], -32602);
}

#[test]
fn the_tools_of_all_servers_are_listed_with_their_prefixes() {
    let gateway = start();
    let list = ask(&gateway.address, &request(1, "tools/list", json!({})), &[]);
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    let names: Vec<_> = list["result"]["tools"].as_array().unwrap().iter().map(name).collect();
    let of = |prefix: &str| names.iter().filter(|name| name.starts_with(prefix)).count();
    assert_eq!((of("one__"), of("two__")), (names.len() / 2, names.len() / 2), "{names:?}");
    assert!(names.contains(&"two__read_note".to_owned()));
    let about = ask(&gateway.address, &request(2, "server/discover", json!({})), &[]);
    assert_eq!(about["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "gateway");
}

#[test]
fn what_is_broken_does_not_reach_a_server() {
    let gateway = start();
    let other = ("Mcp-Name", "one__delete_note".to_owned());
    let refused = post(&gateway.address, &call(1, "one__create_note", note("x")), &[other]);
    assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (400, json!(-32020)));
    let refused = post(&gateway.address, &request(1, "prompts/list", json!({})), &[]);
    assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (404, json!(-32601)));
}

#[test]
fn events_come_through_as_they_are() {
    let gateway = start();
    let mut watch = call(1, "one__watch_notes", json!({ "seconds": 1 }));
    watch["params"]["_meta"]["progressToken"] = json!("p");
    let (before, answer) = ask_all(&gateway.address, &watch, &[]);
    assert!(answer["result"].is_object(), "{answer}");
    assert!(before.iter().all(|it| it["params"]["progressToken"] == "p"), "{before:?}");
    assert!(!before.is_empty());
}
