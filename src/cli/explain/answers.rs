//! The rules of what an answer says: its id, its type, its shape, its caching
//! hints, its questions, its error code, its subscription.

use mcparse::Rule;

use super::example::{Entry, Example};

const LIST: &str = modern!("tools/list");
const CALL: &str = request!("tools/call", concat!(r#""name":"pay","#, meta!(r#"{"roots":{}}"#)));
const LISTEN: &str = modern!("subscriptions/listen", r#""notifications":{},"#);
const DISCOVER: &str = modern!("server/discover");

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        rule: Rule::AnswerIdType,
        meaning: "The id of an answer is that of its request, of the same type: a string \
                  stays a string, and a number a number. Here only the type differs.",
        why: "Two clients of one gateway may use 1 and \"1\"; whoever does not tell \
              them apart gives one the answer of the other.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":"1","result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::AnswerIdMismatch,
        meaning: "The id of an answer is not that of the request that it was sent to.",
        why: "It is the answer to something else, or to nothing, and may hold what is \
              not for this client.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::ResultTypeUnknown,
        meaning: "resultType says how a result is to be read. It must be one of complete, \
                  input_required, that of an extension that is known, or one that the \
                  policy lists in result_types, and it is matched exactly.",
        why: "A client must take a result of a type that it does not know for invalid.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"partial","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::ResultTypeExtensionUndeclared,
        meaning: "The result is a task, and the client did not declare the extension for \
                  tasks with its request.",
        why: "The client cannot fetch what the task comes to, and the call is lost.",
        broken: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t"}}"#,
        ),
        right: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}"#,
        ),
    },
    Entry {
        rule: Rule::ResultShape,
        meaning: "The first level of the result is not what its method gives: a member is \
                  missing, or has another JSON type. It is refused only if it is wrong in \
                  every revision that the request may be of.",
        why: "Clients read these members without looking, and fail far from the cause.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":{},"ttlMs":0,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::TtlType,
        meaning: "ttlMs, how long a result may be kept, is an integer number of \
                  milliseconds.",
        why: "Caches would differ in how long they keep the result, or fail.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":"0","cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::ServerInfoShape,
        meaning: "A server that says who it is gives an object with a name and a version, \
                  both strings.",
        why: "It is shown and logged by clients, which expect both.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
        ),
    },
    Entry {
        rule: Rule::InputRequiredMethod,
        meaning: "Only tools/call, prompts/get and resources/read may be answered with a \
                  question for input.",
        why: "Clients do not expect questions from other methods, and take the result \
              for a complete one.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::InputRequiredEmpty,
        meaning: "A result that asks for input has inputRequests, requestState, or both.",
        why: "The client could only send the same request again, for ever.",
        broken: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}"#,
        ),
        right: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}"#,
        ),
    },
    Entry {
        rule: Rule::InputRequestMethod,
        meaning: "A question in inputRequests is an object with one of the methods \
                  elicitation/create, sampling/createMessage and roots/list.",
        why: "There is nothing else that a client could be asked.",
        broken: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"ping"}}}}"#,
        ),
        right: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}}}"#,
        ),
    },
    Entry {
        rule: Rule::InputRequestUndeclared,
        meaning: "A question needs a capability that the client declared with the request: \
                  elicitation, with url if it is asked at a URL, sampling, with tools if it \
                  offers any, or roots.",
        why: "The client cannot answer it, and the call is stuck.",
        broken: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"sampling/createMessage"}}}}"#,
        ),
        right: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}}}"#,
        ),
    },
    Entry {
        rule: Rule::ErrorCodeRetired,
        meaning: "The code -32042 was that of 2025-11-25 for a URL to be visited. A server \
                  of 2026-07-28 asks for input in a result instead.",
        why: "Clients of this revision do not know what to do with it.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m"}}"#,
        ),
    },
    Entry {
        rule: Rule::ErrorCodeReserved,
        meaning: "The codes from -32020 to -32099 belong to the protocol, which defines \
                  three of them: -32020, -32021 and -32022.",
        why: "A later revision may give the code a meaning that this server does not \
              mean.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"m"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m"}}"#,
        ),
    },
    Entry {
        rule: Rule::SubscriptionIdMissing,
        meaning: "All that comes on a subscriptions/listen stream, its result at the end \
                  too, says in _meta which subscription it belongs to: the id of the \
                  request that opened it.",
        why: "On stdio all streams share one channel, and nothing else tells them \
              apart.",
        broken: Example::answer(
            LISTEN,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#,
        ),
        right: Example::answer(
            LISTEN,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
        ),
    },
    Entry {
        rule: Rule::SubscriptionIdMismatch,
        meaning: "The subscription that the message names is not the id of the request \
                  that opened the stream; a string is not a number.",
        why: "A client would drop the message, or give it to another subscription.",
        broken: Example::answer(
            LISTEN,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}"#,
        ),
        right: Example::answer(
            LISTEN,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
        ),
    },
    Entry {
        rule: Rule::ResultTypeMissing,
        meaning: "A result of 2026-07-28 says its resultType. Where it is missing, clients \
                  read the result as complete, since earlier servers do not have it.",
        why: "Without it a client cannot tell a question from an answer.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::CacheHintMissing,
        meaning: "A complete result of this method says with ttlMs and cacheScope how long \
                  and by whom it may be kept.",
        why: "A cache that is told nothing keeps nothing, and asks again each time.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::TtlNegative,
        meaning: "ttlMs must be 0 or more. Clients read a negative one as 0.",
        why: "A cache that takes it as it stands may keep the result for ever.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":-1,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::CacheScopeUnknown,
        meaning: "cacheScope is public or private.",
        why: "A cache that takes an unknown scope for public gives the results of one \
              user to another.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"shared"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::CacheOnInputRequired,
        meaning: "A result that asks for input is not to be kept, and has neither ttlMs \
                  nor cacheScope.",
        why: "The question would be asked of somebody else, or twice.",
        broken: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","ttlMs":0}}"#,
        ),
        right: Example::answer(
            CALL,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}"#,
        ),
    },
    Entry {
        rule: Rule::ServerInfoMissing,
        meaning: "A server should say who it is, in _meta of each result. It is for \
                  display and logs, and decides nothing.",
        why: "Without it nobody can tell from a log which software answered.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
        ),
    },
    Entry {
        rule: Rule::ErrorCodeNotFound,
        meaning: "Up to 2025-11-25 the code -32002 said that a resource was not found; \
                  from 2026-07-28 on that is -32602. Clients still accept it from older \
                  servers.",
        why: "The range that it is from has no meaning any more.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"m"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m"}}"#,
        ),
    },
    Entry {
        rule: Rule::ErrorCodeLegacyRange,
        meaning: "The codes from -32000 to -32019 were taken by implementations before \
                  there was a policy. New ones should not use them, and nobody may read a \
                  meaning into them.",
        why: "Two servers mean different things by the same code.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"m"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}"#,
        ),
    },
    Entry {
        rule: Rule::ErrorDataShape,
        meaning: "The error -32021 has data.requiredCapabilities, an object; -32022 has \
                  data.supported, an array of versions, and data.requested.",
        why: "A client needs them to send a request that is accepted.",
        broken: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m"}}"#,
        ),
        right: Example::answer(
            LIST,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"1"}}}"#,
        ),
    },
    Entry {
        rule: Rule::DiscoverUnimplemented,
        meaning: "Every server of 2026-07-28 must implement server/discover. This one says \
                  that it does not know it.",
        why: "Clients ask it first, and would take the server for an older one.",
        broken: Example::answer(
            DISCOVER,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}"#,
        ),
        right: Example::answer(
            DISCOVER,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
    Entry {
        rule: Rule::DiscoverVersionAbsent,
        meaning: "The versions that the server says it supports lack the one that it was \
                  asked in, and has just answered in.",
        why: "A client would choose another version, or give up.",
        broken: Example::answer(
            DISCOVER,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2027-01-01"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}}"#,
        ),
        right: Example::answer(
            DISCOVER,
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}}"#,
        ),
    },
];
