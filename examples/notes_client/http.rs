//! Servers elsewhere: a POST for each request. Each goes to the next server, which
//! is no different to them, since none of them remembers the one before.

use std::error::Error;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use hyper::{Method, Request, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use mcparse::{Message, ResponseHead, Validator};
use tokio::time::timeout;

use crate::trace;
use crate::wire::{Answer, Outgoing, POLICY, answer};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The servers, and whose turn it is.
pub(crate) struct Http {
    client: Client<HttpConnector, Full<Bytes>>,
    urls: Vec<Uri>,
    token: Option<String>,
    turn: usize,
}

impl Http {
    /// Asks nothing yet.
    pub(crate) fn new(urls: &[String], token: Option<&str>) -> Result<Self, Box<dyn Error>> {
        let urls: Result<Vec<Uri>, _> = urls.iter().map(|url| url.parse()).collect();
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).build_http(),
            urls: urls?,
            token: token.map(|token| format!("Bearer {token}")),
            turn: 0,
        })
    }

    /// Posts a request and judges the whole response.
    pub(crate) async fn ask(
        &mut self,
        validator: &mut Validator,
        request: Outgoing,
    ) -> Result<Answer, Box<dyn Error>> {
        let url = self.urls.get(self.turn % self.urls.len().max(1)).ok_or("no URL")?;
        self.turn = self.turn.wrapping_add(1);
        let mut post = Request::builder()
            .method(Method::POST)
            .uri(url)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream");
        for (name, value) in &request.headers {
            post = post.header(name, value);
            trace::say(&format!("{name}: {value}"));
        }
        if let Some(token) = &self.token {
            post = post.header(AUTHORIZATION, token);
        }
        let post = post.body(Full::from(request.body))?;

        let response = timeout(PATIENCE, self.client.request(post)).await??;
        let (head, body) = response.into_parts();
        let most = POLICY.limits().message_bytes;
        let body = timeout(PATIENCE, Limited::new(body, most).collect()).await?;
        let body = body.map_err(|error| error.to_string())?.to_bytes();
        // What HTTP says itself is no message.
        if head.status == hyper::StatusCode::UNAUTHORIZED {
            return Err("the server does not know the token".into());
        }

        let mut found = None;
        let judged = ResponseHead::from_http(head.status, &head.headers);
        let findings =
            validator.check_http_answer(
                &request.summary,
                &judged,
                &body,
                |verdict| match verdict {
                    Ok(message) => {
                        trace::received(&message);
                        if let Message::Response(response) = message {
                            found = Some(answer(&response));
                        }
                    }
                    Err(violation) => trace::refused(&violation),
                },
            );
        for rule in findings {
            trace::say(&format!("finding: {rule}"));
        }
        found.ok_or("the request has no answer")?.map_err(Into::into)
    }
}
