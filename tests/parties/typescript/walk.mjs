// What a client of the TypeScript SDK does in a session, for all the lines of
// that SDK: everything that the servers of this folder offer. Each step prints
// `ok NAME: WHAT CAME BACK` or `ERR NAME: WHY`, and what comes back is told so
// that it is the same in every run.
const STEP_MILLISECONDS = 12000;
const ODD = 'vàlue ☃ 🚀 "q" \\ \u2028';
const EXAMPLES = { string: ODD, number: 2.5, integer: 3, boolean: true, array: [], object: {} };
const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

// What a host would ask its user, its model and its settings.
export const HOST = {
    elicit: ({ params }) => {
        const content = {};
        for (const [name, field] of Object.entries(params.requestedSchema?.properties ?? {})) {
            const kind = field.enum ?? field.items?.enum ?? (field.oneOf ?? field.anyOf ?? field.items?.anyOf ?? []).map(one => one.const);
            const one = field.default ?? kind[0] ?? { string: 'x', integer: 1, number: 1.5, boolean: true }[field.type];
            content[name] = field.type === 'array' ? [one] : one;
        }
        return { action: 'accept', content };
    },
    sample: () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris é ☃' }, stopReason: 'endTurn' }),
    roots: () => ({ roots: [{ uri: 'file:///tmp/x', name: 'x' }] })
};

async function step(name, does) {
    let timer;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('took too long')), STEP_MILLISECONDS); });
    try {
        const value = await Promise.race([does(), late]);
        console.log(`ok ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
        return value;
    } catch (error) {
        console.log(`ERR ${name}: ${error.code ?? error.name} ${String(error.message).replaceAll('\n', ' ').slice(0, 300)}`);
        return undefined;
    } finally {
        clearTimeout(timer);
    }
}

async function refused(does) {
    try {
        await does();
    } catch (error) {
        if (Number.isInteger(error.code)) return `refused with ${error.code}`;
        throw error;
    }
    throw new Error('was not refused');
}

const brief = blocks => blocks.map(block => block.text ?? block.resource?.uri ?? `${block.type} of ${block.data?.length ?? block.blob?.length}`).join(' | ');

// Arguments for what is required, and for what goes into a header, too.
function example(tool) {
    const { required = [], properties = {} } = tool.inputSchema;
    const given = Object.keys(properties).filter(name => required.includes(name) || 'x-mcp-header' in properties[name]);
    return Object.fromEntries(given.map(name => [name, EXAMPLES[properties[name].type] ?? 'x']));
}

// `version` is what was agreed on; `session` says whether that is the era of the
// handshake; `counts` makes the options of a call out of what hears of progress.
export async function walk(client, { version, session, counts }) {
    await step('connect', async () => version);
    if (session) {
        await step('ping', () => client.ping());
        await step('logging/setLevel', () => client.setLoggingLevel('debug'));
    }
    const { tools = [] } = await step('tools/list', () => client.listTools()) ?? {};
    for (const tool of tools) {
        await step(`tools/call ${tool.name}`, async () => {
            let told = 0;
            const asked = { name: tool.name, arguments: example(tool) };
            const result = await client.callTool(asked, ...counts(() => told++));
            return `${result.isError ? 'error ' : ''}${brief(result.content)}; progress ${told}`;
        });
    }
    await step('tools/call of no tool', async () => {
        try {
            const result = await client.callTool({ name: 'no_such_tool_é', arguments: { a: [1, 1e30, null, { b: '\u2029\u0000' }] } });
            if (result.isError) return `told as a result: ${brief(result.content)}`;
        } catch (error) {
            if (Number.isInteger(error.code)) return `refused with ${error.code}`;
            throw error;
        }
        throw new Error('was not refused');
    });
    await step('resources/templates/list', () => client.listResourceTemplates());
    const { resources = [] } = await step('resources/list', () => client.listResources()) ?? {};
    for (const { uri } of [...resources, { uri: 'test://template/42/data' }]) {
        await step(`resources/read ${uri}`, async () => brief((await client.readResource({ uri })).contents));
    }
    await step('resources/read of no resource', () => refused(() => client.readResource({ uri: 'test://nope/%C3%A9' })));
    const { prompts = [] } = await step('prompts/list', () => client.listPrompts()) ?? {};
    for (const prompt of prompts) {
        const given = Object.fromEntries((prompt.arguments ?? []).map(({ name }) => [name, /uri/i.test(name) ? 'test://static-text' : ODD]));
        await step(`prompts/get ${prompt.name}`, async () => {
            const { messages } = await client.getPrompt({ name: prompt.name, arguments: given });
            return brief(messages.map(message => message.content));
        });
    }
    await step('prompts/get of no prompt', () => refused(() => client.getPrompt({ name: 'nope' })));
    const argument = { name: 'arg1', value: 'par' };
    const complete = (ref, argument) => async () => (await client.complete({ ref, argument, context: { arguments: { arg2: 'z' } } })).completion.values;
    await step('completion/complete of a prompt', complete({ type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument));
    await step('completion/complete of a template', complete({ type: 'ref/resource', uri: 'test://template/{id}/data' }, { name: 'id', value: '1' }));
    if (session) {
        await step('resources/subscribe', () => client.subscribeResource({ uri: 'test://watched-resource' }));
        await step('resources/unsubscribe', () => client.unsubscribeResource({ uri: 'test://watched-resource' }));
        await step('roots changed', async () => { await client.sendRootsListChanged(); return 'told'; });
    } else {
        await step('subscriptions/listen', () => listened(client));
    }
    await step('cancellation', async () => {
        const stop = new AbortController();
        const call = client.callTool({ name: 'test_tool_with_progress', arguments: {} }, ...counts(() => stop.abort('enough'), { signal: stop.signal }));
        await call.then(() => { throw new Error('the call came to its end'); }, error => { if (!stop.signal.aborted) throw error; });
        return 'gave up after the first progress';
    });
    await step('after the cancellation', async () => brief((await client.callTool({ name: 'test_simple_text', arguments: {} })).content));
}

async function listened(client) {
    const heard = new Set();
    for (const what of ['tools', 'prompts']) {
        client.setNotificationHandler(`notifications/${what}/list_changed`, () => { heard.add(what); });
    }
    const stream = await client.listen({ toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['test://watched-resource'] });
    await client.callTool({ name: 'test_trigger_tool_change', arguments: {} });
    await client.callTool({ name: 'test_trigger_prompt_change', arguments: {} });
    for (let waited = 0; heard.size < 2 && waited < 3000; waited += 20) await wait(20);
    await stream.close();
    if (heard.size < 2) throw new Error(`heard only of [${[...heard]}]`);
    return 'heard of tools and prompts';
}
