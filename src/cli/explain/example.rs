//! What an explanation is made of, and the parts that many examples share.

use mcparse::{Rule, Sender};

/// What there is to say of a rule.
pub(super) struct Entry {
    pub(super) rule: Rule,
    /// What the rule asks for, and when it is broken.
    pub(super) meaning: &'static str,
    /// What goes wrong without it.
    pub(super) why: &'static str,
    pub(super) broken: Example,
    pub(super) right: Example,
}

/// A message, and all that it is judged with; or a conversation.
#[derive(Clone, Copy)]
pub(super) struct Example {
    pub(super) from: Sender,
    /// The head of the HTTP request or response that it came in, line by line.
    pub(super) head: Option<&'static [u8]>,
    pub(super) text: &'static [u8],
    /// Whether the text is a stream of server-sent events.
    pub(super) is_stream: bool,
    /// What the policy says besides, as in a policy file.
    pub(super) policy: &'static str,
    /// The result of a `tools/list` that passed by before.
    pub(super) tools: Option<&'static str>,
    /// What it answers. The head is then that of the HTTP response.
    pub(super) to: Option<&'static str>,
    /// What was said before it in its session.
    pub(super) before: &'static [(Sender, &'static str)],
    /// What was said in turn, if the rule is about several messages; then there
    /// is no text.
    pub(super) talk: &'static [Turn],
    /// Whether that was over HTTP.
    pub(super) is_http: bool,
    /// How many requests that wait are kept account of, if that matters.
    pub(super) room: Option<usize>,
}

/// A message of a conversation.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) from: Sender,
    pub(super) text: &'static str,
}

pub(super) const fn client(text: &'static str) -> Turn {
    Turn { from: Sender::Client, text }
}

pub(super) const fn server(text: &'static str) -> Turn {
    Turn { from: Sender::Server, text }
}

impl Example {
    pub(super) const fn client(text: &'static str) -> Self {
        Self::bytes(text.as_bytes())
    }

    /// From a client, and perhaps no text.
    pub(super) const fn bytes(text: &'static [u8]) -> Self {
        Self {
            from: Sender::Client,
            head: None,
            text,
            is_stream: false,
            policy: "",
            tools: None,
            to: None,
            before: &[],
            talk: &[],
            is_http: false,
            room: None,
        }
    }

    /// A conversation.
    pub(super) const fn talk(turns: &'static [Turn]) -> Self {
        let mut example = Self::bytes(b"");
        example.talk = turns;
        example
    }

    pub(super) const fn over_http(mut self) -> Self {
        self.is_http = true;
        self
    }

    pub(super) const fn with_room_for(mut self, requests: usize) -> Self {
        self.room = Some(requests);
        self
    }

    pub(super) const fn server(text: &'static str) -> Self {
        let mut example = Self::client(text);
        example.from = Sender::Server;
        example
    }

    /// Server-sent events.
    pub(super) const fn stream(text: &'static str) -> Self {
        let mut example = Self::server(text);
        example.is_stream = true;
        example
    }

    /// Sent over HTTP.
    pub(super) const fn with_head(self, head: &'static str) -> Self {
        self.with_raw_head(head.as_bytes())
    }

    pub(super) const fn with_raw_head(mut self, head: &'static [u8]) -> Self {
        self.head = Some(head);
        self
    }

    /// Sent by a server, to this message.
    pub(super) const fn answer(to: &'static str, text: &'static str) -> Self {
        let mut example = Self::server(text);
        example.to = Some(to);
        example
    }

    pub(super) const fn under(mut self, policy: &'static str) -> Self {
        self.policy = policy;
        self
    }

    pub(super) const fn knowing(mut self, tools: &'static str) -> Self {
        self.tools = Some(tools);
        self
    }

    /// Sent in a session in which all this was said.
    pub(super) const fn after(mut self, before: &'static [(Sender, &'static str)]) -> Self {
        self.before = before;
        self
    }
}

/// Serves the newest revision alone.
pub(super) const MODERN: &str = "revisions = [\"2026-07-28\"]";

/// What every modern request says of itself, with what a client can do and
/// other members of `_meta`, each with its comma in front.
macro_rules! meta {
    () => {
        meta!("{}", "")
    };
    ($capabilities:literal) => {
        meta!($capabilities, "")
    };
    ($capabilities:literal, $more:literal) => {
        concat!(
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
            r#""io.modelcontextprotocol/clientInfo":{"name":"desk","version":"4.0"},"#,
            r#""io.modelcontextprotocol/clientCapabilities":"#,
            $capabilities,
            $more,
            "}"
        )
    };
}

/// A request with this method and these params.
macro_rules! request {
    ($method:literal, $params:expr) => {
        concat!(r#"{"jsonrpc":"2.0","id":1,"method":""#, $method, r#"","params":{"#, $params, "}}")
    };
}

/// A modern request with these members besides `_meta`, each with its comma
/// behind it.
macro_rules! modern {
    ($method:literal) => {
        modern!($method, "")
    };
    ($method:literal, $members:literal) => {
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":""#,
            $method,
            r#"","params":{"#,
            $members,
            meta!(),
            "}}"
        )
    };
}

/// A head for any message, with more lines.
macro_rules! head {
    ($($line:literal)*) => {
        concat!(
            "POST /mcp HTTP/1.1\n",
            "Content-Type: application/json\n",
            "Accept: application/json, text/event-stream\n",
            $($line, "\n",)*
        )
    };
}

/// A head for a modern message, with more lines.
macro_rules! modern_head {
    ($($line:literal)*) => {
        head!("MCP-Protocol-Version: 2026-07-28" $($line)*)
    };
}
