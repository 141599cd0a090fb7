//! Generators of single messages that look like real MCP traffic: the members,
//! names, lengths and proportions of characters of what SDKs send.
//!
//! Each writes JSON text by hand, so that the order of the members is that of
//! the SDKs and nothing depends on a serialiser. The envelope's `id` is given
//! by the caller; the refused forms put something invalid there.

use std::fmt::Write;

use super::random::Random;

const WORDS: [&str; 26] = [
    "the", "quick", "server", "returns", "file", "content", "from", "project", "module", "with",
    "error", "result", "value", "index", "search", "query", "tool", "resource", "prompt",
    "session", "update", "build", "test", "config", "token", "path",
];
const TOOLS: [&str; 8] = [
    "get_weather",
    "search_code",
    "read_file",
    "list_issues",
    "create_branch",
    "run_query",
    "browser_navigate",
    "fs/list",
];

/// What stands before the result of an answer.
fn result(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","#)
}

/// Closes `params`, `result` or `error`, and the message; `beside` stands
/// between the two.
fn close(mut message: String, beside: &str) -> Vec<u8> {
    message.push('}');
    message.push_str(beside);
    message.push('}');
    message.into_bytes()
}

/// An id as SDKs make them: a counter, or a UUID.
pub(crate) fn id(random: &mut Random) -> String {
    match random.between(0, 3) {
        0 => random.between(1, 1000).to_string(),
        1 => random.between(1, 100_000).to_string(),
        _ => format!("\"{}\"", uuid(random)),
    }
}

fn uuid(random: &mut Random) -> String {
    let (high, low) = (random.next(), random.next());
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 52,
        low & 0xffff_ffff_ffff
    )
}

fn words(random: &mut Random, count: u64) -> String {
    let words: Vec<&str> = (0..count).map(|_| random.pick(&WORDS)).collect();
    words.join(" ")
}

/// Pings, empty answers and the small notifications: about 73 bytes. The forms
/// 1 and 4 have an id.
pub(crate) fn tiny(random: &mut Random, form: u64, version: &str, id: &str) -> Vec<u8> {
    let (number, done) = (random.between(0, 1000), random.between(0, 100));
    let rest = match form {
        0 => r#""method":"notifications/initialized""#.to_owned(),
        1 => format!(r#""id":{id},"method":"ping""#),
        2 => format!(
            r#""method":"notifications/cancelled","params":{{"requestId":{number},"reason":"user"}}"#
        ),
        3 => format!(
            r#""method":"notifications/progress","params":{{"progressToken":{number},"progress":{done},"total":100}}"#
        ),
        _ => format!(r#""id":{id},"result":{{"resultType":"complete"}}"#),
    };
    format!(r#"{{"jsonrpc":"{version}",{rest}}}"#).into_bytes()
}

/// A `tools/call` of 2026-07-28 with its `_meta`: about 463 bytes.
pub(crate) fn request(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    let mut meta = format!(
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"example-client","version":"1.{}.0"}},"io.modelcontextprotocol/clientCapabilities":{}"#,
        random.between(0, 30),
        if random.chance(50) { r#"{"elicitation":{"form":{}}}"# } else { "{}" },
    );
    if random.chance(60) {
        let _ = write!(meta, r#","progressToken":{}"#, random.between(0, 1000));
    }
    if random.chance(50) {
        let (high, low, span) = (random.next(), random.next(), random.next());
        let _ = write!(meta, r#","traceparent":"00-{high:016x}{low:016x}-{span:016x}-01""#);
    }
    let query_words = random.between(3, 9);
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"_meta":{{{meta}}},"name":"{}","arguments":{{"query":"{}","limit":{},"path":"/src/{}.rs","recursive":{}}}"#,
        random.pick(&TOOLS),
        words(random, query_words),
        random.between(0, 100),
        random.pick(&WORDS),
        random.chance(50),
    );
    close(message, beside)
}

fn property(random: &mut Random, at: u64) -> String {
    let name = random.pick(&WORDS);
    let schema = match random.between(0, 5) {
        0 => {
            let count = random.between(5, 14);
            format!(r#"{{"type":"string","description":"{}"}}"#, words(random, count))
        }
        1 => format!(
            r#"{{"type":"integer","minimum":0,"maximum":{},"default":{}}}"#,
            random.between(10, 1000),
            random.between(0, 10)
        ),
        2 => format!(
            r#"{{"type":"array","items":{{"type":"string"}},"description":"{}"}}"#,
            words(random, 6)
        ),
        3 => r#"{"type":"boolean","default":false}"#.to_owned(),
        _ => {
            let choices = words(random, 4).replace(' ', r#"",""#);
            format!(r#"{{"type":"string","enum":["{choices}"]}}"#)
        }
    };
    format!(r#""{name}_{at}":{schema}"#)
}

fn tool(random: &mut Random, at: u64) -> String {
    let count = random.between(2, 7);
    let properties: Vec<String> = (0..count).map(|at| property(random, at)).collect();
    let description_words = random.between(10, 40);
    format!(
        r#"{{"name":"{}_{at}","title":"{}","description":"{}","inputSchema":{{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{{{}}},"required":["{}_0"],"additionalProperties":false}},"annotations":{{"readOnlyHint":{},"openWorldHint":true}}}}"#,
        random.pick(&TOOLS),
        words(random, 3),
        words(random, description_words),
        properties.join(","),
        random.pick(&WORDS),
        random.chance(50),
    )
}

/// The answer to `tools/list`, 60 tools: about 42 KB.
pub(crate) fn tools_list(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    let list: Vec<String> = (0..60).map(|at| tool(random, at)).collect();
    let mut message = result(id);
    let _ = write!(
        message,
        r#""tools":[{}],"nextCursor":"c{}","ttlMs":60000,"cacheScope":"private""#,
        list.join(","),
        random.between(0, 1000)
    );
    close(message, beside)
}

/// An answer with one block of text, escaped as it must stand in JSON.
fn text_result(id: &str, text: &str, beside: &str) -> Vec<u8> {
    let mut message = result(id);
    let _ = write!(message, r#""content":[{{"type":"text","text":"{text}"}}],"isError":false"#);
    close(message, beside)
}

/// Repeats `piece` until `bytes` bytes are there.
fn text(bytes: usize, mut piece: impl FnMut() -> String) -> String {
    let mut text = String::with_capacity(bytes + 256);
    while text.len() < bytes {
        text.push_str(&piece());
    }
    text
}

/// Source code as a tool reads it from a file: about 2.5 KB.
pub(crate) fn code(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    let bytes = 900 + random.below(2700);
    let text = text(bytes, || match random.between(0, 4) {
        0 => format!(r#"    let {} = \"{}\";\n"#, random.pick(&WORDS), words(random, 3)),
        1 => format!(r"fn {}(a: &str) -> u32 {{\n", random.pick(&WORDS)),
        2 => format!(r"\t// {}\n", words(random, 8)),
        _ => r"  }\n".to_owned(),
    });
    text_result(id, &text, beside)
}

/// Chinese, Japanese and Korean prose, raw UTF-8 with a little of the rest:
/// about 4 KB.
pub(crate) fn cjk(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    const PHRASES: [&str; 8] = [
        "協議服務器返回結果",
        "工具調用資源提示",
        "文件內容錯誤查詢更新設定",
        "日本語テキストの処理をする",
        "한국어문장",
        "查詢更新",
        "資源提示錯誤",
        "返回",
    ];
    const BREAKS: [&str; 7] = ["，", "。", " ", "🚀", "✅ ", "é ü ", " ok "];
    let text = text(4000, || {
        let count = random.between(1, 5);
        let phrases: String = (0..count).map(|_| random.pick(&PHRASES)).collect();
        format!("{phrases}{}", random.pick(&BREAKS))
    });
    text_result(id, &text, beside)
}

/// Text of which most characters are escapes: JSON in JSON, paths, `\u`: about
/// 64 KB.
pub(crate) fn escapes(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    const PIECES: [&str; 11] = [
        r"\n",
        r#"\"key\": \"v\""#,
        r"\\",
        r"caf\u00e9",
        r"\u65e5\u672c",
        r"\ud83d\ude00",
        r"\t",
        r"path\\to\\x",
        "word",
        r"\u0001",
        r#"{\"a\":1}"#,
    ];
    let text = text(64 << 10, || random.pick(&PIECES).to_owned());
    text_result(id, &text, beside)
}

/// A resource of base64: one string of 4.1 MB, just under the default
/// limit on a message.
pub(crate) fn blob(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut message = result(id);
    message.push_str(r#""contents":[{"uri":"file:///a/b.png","mimeType":"image/png","blob":""#);
    while message.len() < 4_100_000 {
        let bits = random.next();
        for at in 0..10 {
            let letter = usize::from((bits >> (6 * at)).to_le_bytes()[0] & 63);
            message.push(char::from(ALPHABET[letter]));
        }
    }
    message.push_str(r#""}]"#);
    close(message, beside)
}

/// Structured content that is mostly numbers: about 200 KB.
pub(crate) fn numbers(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    let mut message = result(id);
    message.push_str(r#""content":[{"type":"text","text":"ok"}],"structuredContent":{"rows":["#);
    let mut comma = "";
    while message.len() < 200_000 {
        let _ = write!(
            message,
            r#"{comma}{{"ts":{},"values":["#,
            random.between(1_790_000_000, 1_791_000_000)
        );
        for at in 0..16 {
            message.push_str(if at > 0 { "," } else { "" });
            let digits = usize::try_from(random.between(0, 7)).unwrap_or_default();
            let _ = if random.chance(70) {
                write!(message, "{:.digits$}", random.real())
            } else {
                write!(message, "{}", random.between(0, 1_000_000_000))
            };
        }
        let _ = write!(message, r#"],"mean":{},"n":{}}}"#, random.real(), random.between(0, 1000));
        comma = ",";
    }
    message.push_str("]}");
    close(message, beside)
}

/// An error response: about 150 bytes.
pub(crate) fn error(random: &mut Random, id: &str, beside: &str) -> Vec<u8> {
    let code = random.pick(&["-32601", "-32602", "-32603"]);
    let mut message = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":""#);
    let _ = write!(message, r#"{}","data":{{"detail":"{}"}}"#, words(random, 5), words(random, 6));
    close(message, beside)
}
