//! The methods. A request comes here judged and let in; what comes of it depends on
//! the request, its owner and the store, and on nothing that was asked before.

use std::sync::Arc;

use mcparse::compose::NotJson;
use mcparse::{ErrorCode, Method, ParamHeaders, Request};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::access::Owner;
use crate::answer::{Failure, discovered};
use crate::call::{Call, Outcome};
use crate::closing::Closing;
use crate::registry::Registry;
use crate::store::Store;
use crate::{delete, listen, prompts, resources, tools, watch};

/// How much may be at work at once that takes its time.
const MOST_AT_WORK: usize = 64;

/// One replica.
pub(crate) struct Service {
    registry: Registry,
    store: Arc<dyn Store>,
    room: Arc<Semaphore>,
    closing: Closing,
}

impl Service {
    /// A replica with these notes. `reversed` registers its tools from the last to
    /// the first.
    ///
    /// # Errors
    ///
    /// A tool's schema is no JSON.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        reversed: bool,
        closing: Closing,
    ) -> Result<Self, NotJson> {
        let mut tools = vec![
            tools::CREATE_NOTE,
            tools::READ_NOTE,
            tools::SEARCH_NOTES,
            delete::TOOL,
            watch::TOOL,
        ];
        if reversed {
            tools.reverse();
        }
        let room = Arc::new(Semaphore::new(MOST_AT_WORK));
        Ok(Self { registry: Registry::new(tools)?, store, room, closing })
    }

    /// Answers a request of `owner`.
    pub(crate) fn answer(&self, request: Request<'_>, owner: &Owner) -> Outcome {
        let call = Call { request, owner, service: self };
        match Method::from_text(request.method()) {
            Some(Method::ServerDiscover) => Ok(discovered(&request)),
            Some(Method::ToolsList) => call.only_page().and_then(|call| self.registry.list(call)),
            Some(Method::ToolsCall) => self.registry.call(call),
            Some(Method::ResourcesList) => call.only_page().map(resources::list),
            Some(Method::ResourcesTemplatesList) => call.only_page().map(resources::list_templates),
            Some(Method::ResourcesRead) => resources::read(call),
            Some(Method::PromptsList) => call.only_page().map(prompts::list),
            Some(Method::PromptsGet) => prompts::get(call),
            Some(Method::CompletionComplete) => prompts::complete(call),
            Some(Method::SubscriptionsListen) => listen::start(call),
            _ => Err(Failure::new(ErrorCode::METHOD_NOT_FOUND, "Method not found")),
        }
    }

    /// Where the notes are.
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// What the headers `Mcp-Param-*` are compared by.
    pub(crate) const fn param_headers(&self) -> &ParamHeaders {
        self.registry.param_headers()
    }

    /// Tells when the server is closing.
    pub(crate) fn closing(&self) -> Closing {
        self.closing.clone()
    }

    /// Room for something that takes its time; it is free again when that is dropped.
    pub(crate) fn room(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let room = Arc::clone(&self.room).try_acquire_owned();
        room.map_err(|_| Failure::new(ErrorCode::INTERNAL_ERROR, "too much is at work already"))
    }
}
