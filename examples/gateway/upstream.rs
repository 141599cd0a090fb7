//! A server behind the gateway, and how it is asked.

use axum::body::{Body, Bytes};
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, TE, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, Method, Request, Response, Uri};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

pub(crate) struct Upstream {
    /// What its tools' names begin with: its own name and two underscores.
    pub(crate) prefix: String,
    uri: Uri,
    client: Client<HttpConnector, Body>,
}

impl Upstream {
    /// Reads `NAME=URL`.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let (name, uri) = word.split_once('=')?;
        let uri = uri.parse().ok().filter(|uri: &Uri| uri.scheme_str() == Some("http"))?;
        let client = Client::builder(TokioExecutor::new()).build_http();
        Some(Self { prefix: format!("{name}__"), uri, client })
    }

    /// Sends a message on, with the headers that it came with. What it answers flows: events
    /// go on as they come.
    pub(crate) async fn ask(
        &self,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, hyper_util::client::legacy::Error> {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = headers.clone();
        // All but the last are of this hop; an encoded answer could not be judged.
        for name in
            [CONNECTION, CONTENT_LENGTH, HOST, TE, TRANSFER_ENCODING, UPGRADE, ACCEPT_ENCODING]
        {
            request.headers_mut().remove(name);
        }
        self.client.request(request).await
    }
}
