// A server on the published TypeScript SDK with all that the official
// conformance suite asks a server for: `node server.mjs PORT` serves
// http://127.0.0.1:PORT/mcp, `node server.mjs --stdio` its standard input.
// Requests that carry the envelope of 2026-07-28 are answered without a
// session, all others in one. Only what it is asked for is in here.
import { randomUUID, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { load } from './load.mjs';

const mcp = load('@modelcontextprotocol/server');
const { NodeStreamableHTTPServerTransport, toNodeHandler } = load('@modelcontextprotocol/node');
const { serveStdio } = load('@modelcontextprotocol/server/stdio');
const z = load('zod');
const { inputRequired, acceptedContent } = mcp;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
// Far above what a run needs, so that a client that never says goodbye cannot fill the memory.
const MOST_SESSIONS = 1000;
const MOST_EVENTS = 10000;

const sessions = new Map();
const sealed = mcp.createRequestStateCodec({ key: randomBytes(32) });
const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
const text = value => ({ content: [{ type: 'text', text: value }] });
const form = (message, properties, required = Object.keys(properties)) =>
    ({ message, requestedSchema: { type: 'object', properties, required } });
const sampling = (prompt, maxTokens = 100) =>
    ({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens });
const askName = message => inputRequired.elicit(form(message, { name: { type: 'string' } }));
const embedded = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });

const FIVE_ENUMS = {
    untitledSingle: { type: 'string', enum: ['a', 'b', 'c'] },
    titledSingle: { type: 'string', oneOf: [{ const: 'a', title: 'First' }, { const: 'b', title: 'Second' }] },
    legacyEnum: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
    titledMulti: { type: 'array', items: { anyOf: [{ const: 'a', title: 'First' }, { const: 'b', title: 'Second' }] } }
};
const FIVE_DEFAULTS = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true }
};
const WIDE_SCHEMA = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { $anchor: 'address', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' }, contactMethod: { type: 'string', enum: ['phone', 'email'] }, phone: { type: 'string' }, email: { type: 'string' } },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false
};
const HEADER_SCHEMA = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } }
};

// Asks the client in the middle of a call, which only a session can.
const asked = async (ctx, method, params) => text(`the client said ${JSON.stringify(await ctx.mcpReq.send({ method, params }))}`);

// name: [input schema or null, what it does]
const TOOLS = {
    test_simple_text: [null, () => text('This is a simple text response for testing.')],
    test_image_content: [null, () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] })],
    test_audio_content: [null, () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })],
    test_embedded_resource: [null, () => ({ content: [embedded('test://embedded-resource', 'text/plain', 'embedded')] })],
    test_multiple_content_types: [null, () => ({
        content: [
            { type: 'text', text: 'several kinds' },
            { type: 'image', data: PNG, mimeType: 'image/png' },
            embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')
        ]
    })],
    test_error_handling: [null, () => { throw new Error('This tool intentionally returns an error for testing'); }],
    test_tool_with_logging: [z.object({}), async (_, ctx) => {
        for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
            await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
            await wait(50);
        }
        return text('logged');
    }],
    test_tool_with_progress: [z.object({}), async (_, ctx) => {
        const progressToken = ctx.mcpReq._meta?.progressToken;
        for (const progress of [0, 50, 100]) {
            if (progressToken !== undefined) {
                await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100, message: `${progress} of 100` } });
            }
            await wait(50);
        }
        return text(String(progressToken ?? 'no token'));
    }],
    test_reconnection: [z.object({}), async (_, ctx) => {
        sessions.get(ctx.sessionId)?.closeSSEStream(ctx.mcpReq.id);
        await wait(100);
        return text('reconnected');
    }],
    test_sampling: [z.object({ prompt: z.string() }), ({ prompt }, ctx) => asked(ctx, 'sampling/createMessage', sampling(prompt))],
    test_elicitation: [z.object({ message: z.string() }), ({ message }, ctx) =>
        asked(ctx, 'elicitation/create', form(message, { response: { type: 'string' } }))],
    test_elicitation_sep1034_defaults: [z.object({}), (_, ctx) => asked(ctx, 'elicitation/create', form('defaults', FIVE_DEFAULTS, []))],
    test_elicitation_sep1330_enums: [z.object({}), (_, ctx) => asked(ctx, 'elicitation/create', form('enums', FIVE_ENUMS, []))],
    json_schema_2020_12_tool: [mcp.fromJsonSchema(WIDE_SCHEMA), args => text(JSON.stringify(args))],
    test_x_mcp_header: [mcp.fromJsonSchema(HEADER_SCHEMA), ({ region }) => text(`region=${region}`)],
    test_missing_capability: [z.object({}), (_, ctx) => ctx.mcpReq.inputResponses?.answer === undefined
        ? inputRequired({ inputRequests: { answer: inputRequired.createMessage(sampling('say pong', 16)) } })
        : text('answered')],
    test_streaming_elicitation: [z.object({}), () => text('results only')],
    test_logging_tool: [z.object({}), async (_, ctx) => {
        await ctx.mcpReq.log('info', 'only where it was asked for');
        return text('logged');
    }],
    test_trigger_tool_change: [z.object({}), () => { changed('toolsChanged'); return text('told'); }],
    test_trigger_prompt_change: [z.object({}), () => { changed('promptsChanged'); return text('told'); }],
    test_input_required_result_elicitation: [z.object({}), (_, ctx) => {
        const name = acceptedContent(ctx.mcpReq.inputResponses, 'user_name')?.name;
        return typeof name === 'string' ? text(`Hello, ${name}!`) : inputRequired({ inputRequests: { user_name: askName('Your name?') } });
    }],
    test_input_required_result_sampling: [z.object({}), (_, ctx) => {
        const answer = ctx.mcpReq.inputResponses?.capital_question;
        return answer === undefined
            ? inputRequired({ inputRequests: { capital_question: inputRequired.createMessage(sampling('What is the capital of France?')) } })
            : text(`the model said ${answer.content?.text}`);
    }],
    test_input_required_result_list_roots: [z.object({}), (_, ctx) => {
        const roots = ctx.mcpReq.inputResponses?.client_roots?.roots;
        return Array.isArray(roots) ? text(`${roots.length} roots`) : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    }],
    test_input_required_result_request_state: [z.object({}), (_, ctx) => confirmed(ctx)],
    test_input_required_result_tampered_state: [z.object({}), (_, ctx) => confirmed(ctx)],
    test_input_required_result_multiple_inputs: [z.object({}), async (_, ctx) => {
        const { user_name, greeting, client_roots } = ctx.mcpReq.inputResponses ?? {};
        return user_name && greeting && client_roots ? text('all three') : inputRequired({
            inputRequests: {
                user_name: askName('Your name?'),
                greeting: inputRequired.createMessage(sampling('a greeting', 50)),
                client_roots: inputRequired.listRoots()
            },
            requestState: await sealed.mint({ nonce: randomUUID() })
        });
    }],
    test_input_required_result_multi_round: [z.object({}), async (_, ctx) => {
        const state = ctx.mcpReq.requestState();
        const round = state?.round ?? 0;
        if (round === 2) return text(`${state.name} likes ${acceptedContent(ctx.mcpReq.inputResponses, 'step2')?.color}`);
        const name = acceptedContent(ctx.mcpReq.inputResponses, 'step1')?.name;
        return inputRequired({
            inputRequests: round === 0
                ? { step1: askName('Step 1: your name?') }
                : { step2: inputRequired.elicit(form('Step 2: your colour?', { color: { type: 'string' } })) },
            requestState: await sealed.mint({ round: round + 1, name, nonce: randomUUID() })
        });
    }],
    test_input_required_result_capabilities: [z.object({}), (_, ctx) => {
        if (ctx.mcpReq.inputResponses !== undefined) return text('done');
        const declared = ctx.mcpReq.envelope?.[mcp.CLIENT_CAPABILITIES_META_KEY] ?? {};
        const inputRequests = {};
        if (declared.elicitation) inputRequests.user_name = askName('Your name?');
        if (declared.sampling) inputRequests.greeting = inputRequired.createMessage(sampling('a greeting', 50));
        if (declared.roots) inputRequests.client_roots = inputRequired.listRoots();
        return Object.keys(inputRequests).length ? inputRequired({ inputRequests }) : text('nothing can be asked');
    }]
};

async function confirmed(ctx) {
    if (ctx.mcpReq.requestState() !== undefined && acceptedContent(ctx.mcpReq.inputResponses, 'confirm')) return text('state-ok');
    return inputRequired({
        inputRequests: { confirm: inputRequired.elicit(form('Please confirm', { ok: { type: 'boolean' } })) },
        requestState: await sealed.mint({ nonce: randomUUID() })
    });
}

const says = content => ({ messages: [{ role: 'user', content }] });
const PROMPTS = {
    test_simple_prompt: [undefined, () => says({ type: 'text', text: 'a simple prompt' })],
    test_prompt_with_arguments: [z.object({ arg1: z.string(), arg2: z.string() }), ({ arg1, arg2 }) => says({ type: 'text', text: `arg1='${arg1}', arg2='${arg2}'` })],
    test_prompt_with_embedded_resource: [z.object({ resourceUri: z.string() }), ({ resourceUri }) => says(embedded(resourceUri, 'text/plain', 'embedded'))],
    test_prompt_with_image: [undefined, () => says({ type: 'image', data: PNG, mimeType: 'image/png' })],
    test_input_required_result_prompt: [undefined, ctx => {
        const context = acceptedContent(ctx.mcpReq.inputResponses, 'user_context')?.context;
        return typeof context === 'string'
            ? says({ type: 'text', text: `with ${context}` })
            : inputRequired({ inputRequests: { user_context: inputRequired.elicit(form('Which context?', { context: { type: 'string' } })) } });
    }]
};

const RESOURCES = {
    'test://static-text': ['text/plain', { text: 'the static text' }],
    'test://static-binary': ['image/png', { blob: PNG }],
    'test://watched-resource': ['text/plain', { text: 'the watched text' }]
};

function server() {
    const one = new mcp.McpServer({ name: 'party-typescript', version: '1.0.0' }, {
        capabilities: {
            tools: { listChanged: true },
            resources: { subscribe: true, listChanged: true },
            prompts: { listChanged: true },
            logging: {},
            completions: {}
        },
        requestState: { verify: sealed.verify }
    });
    for (const [name, [inputSchema, call]] of Object.entries(TOOLS)) {
        one.registerTool(name, inputSchema ? { description: name, inputSchema } : { description: name }, async (...all) => call(...all));
    }
    for (const [uri, [mimeType, contents]] of Object.entries(RESOURCES)) {
        one.registerResource(uri.slice(7), uri, { mimeType, description: uri }, async () => ({ contents: [{ uri, mimeType, ...contents }] }));
    }
    one.registerResource('template', new mcp.ResourceTemplate('test://template/{id}/data', { list: undefined }), { mimeType: 'application/json' },
        async (uri, { id }) => ({ contents: [{ uri: uri.toString(), mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] }));
    for (const [name, [argsSchema, get]] of Object.entries(PROMPTS)) {
        one.registerPrompt(name, argsSchema ? { description: name, argsSchema } : { description: name }, async (...all) => get(...all));
    }
    one.server.setRequestHandler('logging/setLevel', async () => ({}));
    one.server.setRequestHandler('resources/subscribe', async () => ({}));
    one.server.setRequestHandler('resources/unsubscribe', async () => ({}));
    one.server.setRequestHandler('completion/complete', async ({ params }) => ({ completion: { values: [`${params.argument.value}is`], total: 1, hasMore: false } }));
    return one;
}

// Remembers what a stream said, so that a client that lost it may go on where it was.
function eventStore() {
    const events = [];
    return {
        async storeEvent(stream, message) {
            const id = String(events.push({ stream, message }) - 1);
            if (events.length > MOST_EVENTS) throw new Error('too many events in one session');
            return id;
        },
        async replayEventsAfter(last, { send }) {
            const { stream } = events[Number(last)] ?? {};
            for (let at = Number(last) + 1; at < events.length; at++) {
                const { stream: of, message } = events[at];
                if (of === stream && message && Object.keys(message).length) await send(String(at), message);
            }
            return stream;
        }
    };
}

const modern = mcp.createMcpHandler(server, { onerror: error => console.error('modern:', error.message) });
const modernNode = toNodeHandler(modern);
let stdio;

// Over HTTP every call has a server of its own, so the change is told to the streams of all.
function changed(what) {
    modern.notify[what]();
    stdio?.[what === 'toolsChanged' ? 'sendToolListChanged' : 'sendPromptListChanged']();
}

function refuse(response, status, code, message) {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

async function opened() {
    const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore: eventStore(),
        retryInterval: 100,
        onsessioninitialized: id => {
            sessions.set(id, transport);
            if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value);
        }
    });
    const one = server();
    transport.onclose = () => sessions.delete(transport.sessionId);
    await one.connect(transport);
    return transport;
}

async function answer(request, response) {
    if (new URL(request.url, 'http://localhost').pathname !== '/mcp') return refuse(response, 404, -32601, 'not here');
    const host = mcp.validateHostHeader(request.headers.host, mcp.localhostAllowedHostnames());
    if (!host.ok) return refuse(response, 403, -32000, host.message);
    const origin = mcp.validateOriginHeader(request.headers.origin, mcp.localhostAllowedOrigins());
    if (!origin.ok) return refuse(response, 403, -32000, origin.message);
    let body;
    if (request.method === 'POST') {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        try {
            body = JSON.parse(Buffer.concat(chunks).toString());
        } catch {
            return refuse(response, 400, -32700, 'not JSON');
        }
        const { kind } = mcp.classifyInboundRequest({
            httpMethod: request.method,
            protocolVersionHeader: request.headers['mcp-protocol-version'],
            mcpMethodHeader: request.headers['mcp-method'],
            body
        });
        if (kind !== 'legacy') return modernNode(request, response, body);
    }
    const id = request.headers['mcp-session-id'];
    const transport = id !== undefined ? sessions.get(id) : mcp.isInitializeRequest(body) ? await opened() : undefined;
    if (transport) return transport.handleRequest(request, response, body);
    return id === undefined ? refuse(response, 400, -32000, 'no session') : refuse(response, 404, -32001, 'no such session');
}

const [where] = process.argv.slice(2);
if (where === '--stdio') {
    serveStdio(() => (stdio = server()), { onerror: error => console.error('stdio:', error.message) });
} else {
    createServer((request, response) => answer(request, response).catch(error => {
        console.error(error);
        if (!response.headersSent) refuse(response, 500, -32603, 'internal error');
        response.end();
    })).listen(Number(where), '127.0.0.1');
}
