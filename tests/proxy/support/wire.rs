//! One connection, read and written byte by byte, from either side.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::soon;

pub(crate) struct Wire {
    stream: TcpStream,
    /// What came and has not been taken.
    buffer: Vec<u8>,
}

/// The head of a request or of a response.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) first: String,
    pub(crate) headers: Vec<(String, String)>,
}

impl Head {
    fn parse(text: &str) -> Self {
        let mut lines = text.split("\r\n").filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default().to_owned();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("{line:?}"));
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        Self { first, headers: lines.map(header).collect() }
    }

    pub(crate) fn status(&self) -> u16 {
        self.first.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
    }

    /// The method and the path of a request.
    pub(crate) fn asked(&self) -> &str {
        self.first.rsplit_once(' ').unwrap().0
    }

    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        let named = self.headers.iter().filter(|(named, _)| named == name);
        named.map(|(_, value)| &**value).collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).first().copied()
    }
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: Vec::new() }
    }

    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self::new(soon(TcpStream::connect(address)).await.unwrap())
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        soon(self.stream.write_all(bytes.as_ref())).await.unwrap();
    }

    /// Sends what the other side may not take.
    pub(crate) async fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).await.is_ok()
    }

    /// Reads more. False at the end, whether it is an end or a break.
    pub(crate) async fn more(&mut self) -> bool {
        self.buffer.reserve(65536);
        self.stream.read_buf(&mut self.buffer).await.is_ok_and(|read| read > 0)
    }

    /// A head, or none if the connection ends before it.
    pub(crate) async fn try_head(&mut self) -> Option<Head> {
        loop {
            let end = self.buffer.windows(4).position(|window| window == b"\r\n\r\n");
            if let Some(end) = end {
                let head: Vec<u8> = self.buffer.drain(..end + 4).collect();
                return Some(Head::parse(std::str::from_utf8(&head).unwrap()));
            }
            if !self.more().await {
                return None;
            }
        }
    }

    pub(crate) async fn head(&mut self) -> Head {
        soon(self.try_head()).await.expect("a head")
    }

    /// The body behind a head, or what there is of it if it breaks off.
    pub(crate) async fn try_body(&mut self, head: &Head) -> Result<Vec<u8>, Vec<u8>> {
        if head.get("transfer-encoding").is_some() {
            return self.chunks().await;
        }
        if let Some(length) = head.get("content-length") {
            let length: usize = length.parse().unwrap();
            let is_whole = self.fill(length).await;
            let came = length.min(self.buffer.len());
            let body = self.buffer.drain(..came).collect();
            return if is_whole { Ok(body) } else { Err(body) };
        }
        if head.first.starts_with("HTTP/") && !matches!(head.status(), 204 | 304) {
            while self.more().await {}
            return Ok(std::mem::take(&mut self.buffer));
        }
        Ok(Vec::new())
    }

    pub(crate) async fn body(&mut self, head: &Head) -> Vec<u8> {
        soon(self.try_body(head)).await.expect("a body that is whole")
    }

    pub(crate) async fn response(&mut self) -> (Head, Vec<u8>) {
        let head = self.head().await;
        let body = self.body(&head).await;
        (head, body)
    }

    /// Sends a request and takes its response.
    pub(crate) async fn ask(&mut self, request: impl AsRef<[u8]>) -> (Head, Vec<u8>) {
        self.send(request).await;
        self.response().await
    }

    /// The next chunk of a body; none at its end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Vec<u8>>, ()> {
        let end = loop {
            match self.buffer.windows(2).position(|window| window == b"\r\n") {
                Some(end) => break end,
                None if self.more().await => {}
                None => return Err(()),
            }
        };
        let line = String::from_utf8(self.buffer[..end].to_vec()).unwrap();
        let length = usize::from_str_radix(&line, 16).unwrap();
        if !self.fill(end + 2 + length + 2).await {
            return Err(());
        }
        self.buffer.drain(..end + 2);
        let data: Vec<u8> = self.buffer.drain(..length).collect();
        self.buffer.drain(..2);
        Ok((length > 0).then_some(data))
    }

    async fn chunks(&mut self) -> Result<Vec<u8>, Vec<u8>> {
        let mut body = Vec::new();
        loop {
            match self.chunk().await {
                Ok(Some(data)) => body.extend(data),
                Ok(None) => return Ok(body),
                Err(()) => return Err(body),
            }
        }
    }

    async fn fill(&mut self, length: usize) -> bool {
        while self.buffer.len() < length {
            if !self.more().await {
                return false;
            }
        }
        true
    }

    /// Waits until the other side has closed, and gives what it said before.
    pub(crate) async fn closed(&mut self) -> Vec<u8> {
        while self.more().await {}
        std::mem::take(&mut self.buffer)
    }
}
