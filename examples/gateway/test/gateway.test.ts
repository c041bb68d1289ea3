import { execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGateway } from '../src/gateway.js';
import { linesOf } from '../src/lines.js';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const GATEWAY = fileOf('../dist/main.js');
const WORDS = [GATEWAY, process.execPath, fileOf('../dist/words-server.js')];
const SDK = [GATEWAY, process.execPath, fileOf('sdk-server.js')];
const CARELESS = [GATEWAY, process.execPath, fileOf('careless-server.js')];

beforeAll(() => void execSync('npm run build', { stdio: 'pipe' }));

async function connect(args: string[], mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
  );
  onTestFinished(() => client.close());
  return client;
}

/** Sends texts to the gateway, ends its input, and reads what comes out. */
async function send(args: string[], ...texts: string[]) {
  const child = spawn(process.execPath, args);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (log += part));
  const closed = once(child, 'close') as Promise<[number]>;
  const answers: Record<string, unknown>[] = [];
  const reading = (async () => {
    for await (const line of linesOf(child.stdout)) {
      answers.push(JSON.parse(line) as Record<string, unknown>);
    }
  })();
  child.stdin.end(texts.map((text) => `${text}\n`).join(''));
  await reading;
  const [code] = await closed;
  return { answers, code, log };
}

const request = (id: number, method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });

const INITIALIZE = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});

describe.each([
  ['a server', WORDS],
  ['a server of the official SDK', SDK],
])('between the client and %s', (_, args) => {
  it.each([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const)('valid messages pass (%s)', async (mode, revision) => {
    const client = await connect(args, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['count-words']);
    // U+2028 ends a line for some readers, but not in MCP.
    const called = await client.callTool({
      name: 'count-words',
      arguments: { text: 'three\u2028short words' },
    });
    expect(called.structuredContent).toEqual({ words: 3 });
  });
});

describe('an invalid message of the client', () => {
  it.each([
    ['a text that is not JSON', '{"jsonrpc":', -32_700, undefined],
    ['no JSON-RPC', '{"id":1,"method":"ping"}', -32_600, 1],
    ['a batch', `[${request(1, 'ping')}]`, -32_600, undefined],
    ['an unknown method', request(1, 'tools/remove'), -32_601, 1],
    ['a request that only servers send', request(1, 'roots/list'), -32_601, 1],
    ['wrong params', request(1, 'tools/call', { name: 7 }), -32_602, 1],
    [
      'an unknown revision',
      request(1, 'ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }),
      -32_022,
      1,
    ],
  ])('is refused: %s', (_, text, code, id) => {
    const receive = createGateway();
    expect(receive(INITIALIZE, 'client').forward).toBe(INITIALIZE);
    const { forward, answer = '{}' } = receive(text, 'client');
    expect(forward).toBeUndefined();
    const refused = JSON.parse(answer) as { readonly id?: unknown };
    expect(refused).toMatchObject({ error: { code } });
    expect(refused.id).toBe(id);
  });

  it('is refused when its id is in use', () => {
    const receive = createGateway();
    receive(request(1, 'ping'), 'client');
    const { forward, answer = '{}' } = receive(request(1, 'tools/list'), 'client');
    expect(forward).toBeUndefined();
    expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { code: -32_600 } });
    receive('{"jsonrpc":"2.0","id":1,"result":{}}', 'server');
    expect(receive(request(1, 'tools/list'), 'client').forward).toBeDefined();
  });

  it('is refused when it is a batch of 2025-03-26', () => {
    const receive = createGateway();
    const initialize = INITIALIZE.replace('2025-11-25', '2025-03-26');
    receive(initialize, 'client');
    const result = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      serverInfo: { name: 'old', version: '1.0.0' },
    };
    const answered = receive(JSON.stringify({ jsonrpc: '2.0', id: 0, result }), 'server');
    expect(answered.forward).toBeDefined();
    const { forward, answer = '{}' } = receive(`[${request(1, 'ping')}]`, 'client');
    expect(forward).toBeUndefined();
    expect(JSON.parse(answer)).toMatchObject({ id: null, error: { code: -32_600 } });
  });

  it('is not answered when it is a notification', () => {
    const wrong = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}';
    const { forward, answer, problem } = createGateway()(wrong, 'client');
    expect([forward, answer]).toEqual([undefined, undefined]);
    expect(problem).toMatch(/^Invalid message of the client: /);
  });

  it('does not reach the server', async () => {
    const wrong = request(1, 'tools/call', { name: 7 });
    const { answers, log } = await send(CARELESS, INITIALIZE, wrong);
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ error: { code: -32_602 } });
    expect(log.match(/^got .*$/gm)).toEqual(['got initialize']);
    expect(log).toMatch(/^gateway: Invalid message of the client: /m);
  });
});

describe('an invalid message of the server', () => {
  it('becomes an error when it is an answer', async () => {
    const client = await connect(CARELESS, 'legacy');
    await expect(client.listTools()).rejects.toThrow(
      /The server sent an invalid answer: .*inputSchema/,
    );
  });

  it('is dropped, or refused when it is a request', async () => {
    const { answers, log } = await send(CARELESS, INITIALIZE, request(1, 'ping'));
    expect(answers.map(({ id }) => id)).toEqual([0, 1]);
    expect(log.match(/^gateway: /gm)).toHaveLength(4);
    expect(log).toContain('The server answered a request that was not made.');
    const receive = createGateway();
    const call = request(1, 'tools/call', { name: 'a-tool' });
    const { forward, answer = '{}' } = receive(call, 'server');
    expect(forward).toBeUndefined();
    expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { code: -32_601 } });
  });
});

describe('the gateway', () => {
  it('ends with the code of the server', async () => {
    const args = [GATEWAY, process.execPath, '-e', 'process.exit(7)'];
    expect(await send(args)).toMatchObject({ code: 7 });
  });

  it('names a command that it cannot start', async () => {
    const { code, log } = await send([GATEWAY, 'no-such-server']);
    expect(code).toBe(1);
    expect(log).toContain('Cannot start the server "no-such-server"');
  });
});
