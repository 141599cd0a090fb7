// A client on the published TypeScript SDK, line 2.x: `client.mjs ERA URL`, or
// `client.mjs ERA -- COMMAND...` for a server on stdio; ERA is `modern` or `session`.
import { load } from './load.mjs';
import { HOST, walk } from './walk.mjs';

const { Client, StreamableHTTPClientTransport } = load('@modelcontextprotocol/client');
const { StdioClientTransport } = load('@modelcontextprotocol/client/stdio');

const [era, target, command, ...rest] = process.argv.slice(2);
const session = era === 'session';
const client = new Client({ name: 'party-typescript', version: '1.0.0' }, {
    versionNegotiation: { mode: session ? 'legacy' : { pin: '2026-07-28' } },
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }
});
client.setRequestHandler('elicitation/create', async request => HOST.elicit(request));
client.setRequestHandler('sampling/createMessage', async () => HOST.sample());
client.setRequestHandler('roots/list', async () => HOST.roots());
const transport = target === '--'
    ? new StdioClientTransport({ command, args: rest, env: process.env, stderr: 'inherit' })
    : new StreamableHTTPClientTransport(new URL(target));
await client.connect(transport);
await walk(client, {
    version: client.getNegotiatedProtocolVersion(),
    session,
    counts: (onprogress, more) => [{ ...more, onprogress }]
});
if (session) await transport.terminateSession?.();
await client.close();
process.exit(0);
