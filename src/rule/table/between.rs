//! The rows of the rules of what goes on between messages, which no verdict asks:
//! those of the stages `exchange` and `session`.

/// Calls the macro with the rows that it is given, and with those of this file
/// behind them.
macro_rules! and_between {
    ($rules:ident; $($rows:tt)*) => { $rules! { $($rows)*
        /// A request has the id of another one of its sender that waits for its
        /// answer, or that was cancelled and not answered.
        IdInFlight = "id-in-flight", Exchange, INVALID_REQUEST, 400, Refuse, REQUESTS,
            "another request with this id waits for its answer";
        /// An answer is to no request that was sent.
        AnswerUnknown = "answer-unknown", Exchange, INTERNAL_ERROR, 502, Report, RESPONSES,
            "no request that waits has the answer's id";
        /// A request is answered once more.
        AnswerTwice = "answer-twice", Exchange, INTERNAL_ERROR, 502, Report, RESPONSES,
            "the request has been answered before";
        /// A request is answered that its sender has cancelled.
        AnswerAfterCancel = "answer-after-cancel", Exchange, INTERNAL_ERROR, 502, Report, CANCELLING,
            "the request has been cancelled";
        /// An error without an id comes when nothing waits, and the last that was
        /// sent was a notification.
        NotificationAnswered = "notification-answered", Exchange, INTERNAL_ERROR, 502, Report,
            NOTIFICATIONS, "a notification must not be answered";
        /// A server cancels a request of the client that is no `subscriptions/listen`.
        CancelByServer = "cancel-by-server", Exchange, INTERNAL_ERROR, 502, Report, CANCELLING,
            "a server may cancel none of a client's requests but subscriptions/listen";
        /// `notifications/cancelled` names no request that was sent.
        CancelUnknown = "cancel-unknown", Exchange, INVALID_REQUEST, 400, Report, CANCELLING,
            "no request has the id that is cancelled";
        /// A modern client cancels with a message instead of closing the stream.
        CancelOverHttp = "cancel-over-http", Exchange, INVALID_REQUEST, 400, Report, CANCELLING_HOW,
            "over HTTP a request is cancelled by closing its stream";
        /// Progress is told under a token that no request has.
        ProgressTokenUnknown = "progress-token-unknown", Exchange, INTERNAL_ERROR, 502, Report,
            PROGRESS_BEHAVIOR, "no request that waits has the progress token";
        /// A request has the progress token of another one that waits.
        ProgressTokenReused = "progress-token-reused", Exchange, INVALID_REQUEST, 400, Report,
            PROGRESS_FLOW, "another request with this progress token waits for its answer";
        /// Progress is not greater than it was.
        ProgressNotIncreasing = "progress-not-increasing", Exchange, INTERNAL_ERROR, 502, Report,
            PROGRESS_FLOW, "the progress is not greater than the last";
        /// Progress is told of a request that has been answered.
        ProgressAfterAnswer = "progress-after-answer", Exchange, INTERNAL_ERROR, 502, Report,
            PROGRESS_BEHAVIOR, "the request has been answered; its progress must stop";
        /// The first message of a subscription is not its acknowledgment, or a later
        /// one is.
        AckNotFirst = "ack-not-first", Exchange, INTERNAL_ERROR, 502, Report, ACKNOWLEDGMENT,
            "the acknowledgment must be the first message of its subscription";
        /// A subscription is acknowledged for more than the client asked for.
        AckWidened = "ack-widened", Exchange, INTERNAL_ERROR, 502, Report, ACKNOWLEDGMENT,
            "the acknowledgment has more than the client asked for";
        /// A notification belongs to no subscription that is open, or is of a type
        /// that the client has not asked for.
        SubscriptionUnrequested = "subscription-unrequested", Exchange, INTERNAL_ERROR, 502, Report,
            OPENING, "the client has not asked for the notification";
        /// A modern server logs while no request that waits has asked for it.
        LogWithoutLevel = "log-without-level", Exchange, INTERNAL_ERROR, 502, Report, LOG_REQUESTED,
            "no request that waits has asked for log messages";
        /// A request with answers to questions has the id of the one that was asked.
        MrtrIdReused = "mrtr-id-reused", Exchange, INVALID_REQUEST, 400, Report, MRTR_CLIENT,
            "the retry must have another id than the request";
        /// The `requestState` of a retry is not the one that the server gave.
        MrtrStateChanged = "mrtr-state-changed", Exchange, INVALID_PARAMS, 400, Report, MRTR_CLIENT,
            "requestState is not the one that the server gave";
        /// A request has a `requestState` where the server gave none.
        MrtrStateInvented = "mrtr-state-invented", Exchange, INVALID_PARAMS, 400, Report, MRTR_CLIENT,
            "the server gave no requestState for this request";
        /// The pages of one list, or two answers to the same request for one, have
        /// different values of `cacheScope`.
        CacheScopeVaries = "cache-scope-varies", Exchange, INTERNAL_ERROR, 502, Report, CACHE_PAGES,
            "the list had another cacheScope before, here or on another page";
        /// The same tools are listed in another order than before.
        ListOrderChanged = "list-order-changed", Exchange, INTERNAL_ERROR, 502, Report, TOOL_ORDER,
            "the same tools are listed in another order than before";
        /// More goes on at once than the exchange keeps account of: the message is
        /// not tracked, and nothing is said of what belongs to it.
        ExchangeFull = "exchange-full", Exchange, INTERNAL_ERROR, 503, Report, TIMEOUTS,
            "more goes on at once than is kept account of";

        /// A request before the server has accepted `initialize`.
        BeforeInitialize = "before-initialize", Session, INVALID_REQUEST, 400, Refuse, HANDSHAKE,
            "the session is not open; only initialize and ping may be sent before";
        /// A request before `notifications/initialized`, or that notification before
        /// the server has accepted `initialize`.
        BeforeInitialized = "before-initialized", Session, INVALID_REQUEST, 400, Report, HANDSHAKE,
            "notifications/initialized comes after the result of initialize and before all requests";
        /// `initialize` in a session that is open or opening.
        InitializeTwice = "initialize-twice", Session, INVALID_REQUEST, 400, Refuse, HANDSHAKE,
            "the session has been initialized before";
        /// `MCP-Protocol-Version` names another version than the one negotiated.
        VersionNotNegotiated = "version-not-negotiated", Session, INVALID_REQUEST, 400, Refuse,
            LEGACY_VERSION_HEADER, "the header MCP-Protocol-Version is not the version that was negotiated";
        /// The message needs a capability that its owner did not declare in the
        /// handshake.
        CapabilityNotNegotiated = "capability-not-negotiated", Session, METHOD_NOT_FOUND, 200, Refuse,
            CAPABILITY_NEGOTIATION, "the message needs a capability that was not negotiated";
        /// The server has given the session an id, and the message comes without it.
        SessionIdMissing = "session-id-missing", Session, INVALID_REQUEST, 400, Report,
            SESSION_MANAGEMENT, "the header Mcp-Session-Id is missing";
    } };
}

pub(super) use and_between;
