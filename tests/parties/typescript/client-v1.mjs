// A client on the published TypeScript SDK, line 1.x, which knows sessions only:
// `client-v1.mjs session URL`, or `client-v1.mjs session -- COMMAND...`.
import { load } from './load.mjs';
import { HOST, walk } from './walk.mjs';

const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
const types = load('@modelcontextprotocol/sdk/types.js');

const [, target, command, ...rest] = process.argv.slice(2);
const client = new Client({ name: 'party-typescript-v1', version: '1.0.0' }, {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } }
});
client.setRequestHandler(types.ElicitRequestSchema, async request => HOST.elicit(request));
client.setRequestHandler(types.CreateMessageRequestSchema, async () => HOST.sample());
client.setRequestHandler(types.ListRootsRequestSchema, async () => HOST.roots());
const transport = target === '--'
    ? new StdioClientTransport({ command, args: rest, env: process.env, stderr: 'inherit' })
    : new StreamableHTTPClientTransport(new URL(target));
let version;
transport.setProtocolVersion = (set => agreed => { version = agreed; set?.call(transport, agreed); })(transport.setProtocolVersion);
await client.connect(transport);
await walk(client, {
    version: version ?? 'not told',
    session: true,
    counts: (onprogress, more) => [undefined, { ...more, onprogress }]
});
await transport.terminateSession?.();
await client.close();
process.exit(0);
