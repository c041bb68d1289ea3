import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';

import { MACHINE, startProtected } from '../client/oauth-server.js';
import type { Misbehaviour } from '../client/oauth-server.js';
import { start } from '../cli/process.js';
import { freePort } from '../../runtime/testing/free-port.js';
import { homeEnv, KEYS, openTerminal, temporary } from './terminal.js';
import { SILENT_PORT } from '../support/silent-port.js';

interface Ran {
  readonly code: number;
  readonly output: string;
  readonly messages: string;
}

/** Runs the client with a configuration of its own. `visit` does what its user does at an address. */
function openClient(env: Record<string, string> = {}) {
  const home = temporary();
  return async (words: readonly string[], visit?: (said: string) => unknown): Promise<Ran> => {
    const terminal = openTerminal({ person: false, home, env });
    const running = terminal.run(...words);
    if (visit) {
      await terminal.when('\n\n');
      await visit(terminal.messages());
    }
    const code = await running;
    return { code, output: terminal.output(), messages: terminal.messages() };
  };
}

const addressIn = (said: string): string => /https?:\/\/\S+\/authorize\S+/.exec(said)?.[0] ?? '';

/** A server with a login, and the home of a user who is logged in there. */
async function loggedIn() {
  const started = await startProtected();
  const home = temporary();
  const script = openTerminal({ person: false, home });
  const login = script.run('login', '--server', started.url);
  await script.when('\n\n');
  await fetch(addressIn(script.messages()));
  expect(await login).toBe(0);
  return { ...started, home };
}

describe('login', () => {
  it('logs in, calls, refreshes and logs out', async () => {
    const { url, as } = await startProtected();
    const client = openClient();
    const call = ['call', 'whoami', '--server', url];
    const before = await client(call);
    expect(before.code).toBe(3);
    expect(before.messages).toContain(`"mcp-codegen login --server ${url}"`);

    const login = await client(['login', '--server', url], (said) => fetch(addressIn(said)));
    expect(login).toMatchObject({ code: 0, output: `Logged in at ${url}.\n` });
    expect(await client(call)).toMatchObject({ code: 0, output: 'one of us\n', messages: '' });
    as.tokens.clear();
    expect(await client(call)).toMatchObject({ code: 0, output: 'one of us\n', messages: '' });

    as.tokens.clear();
    as.misbehaviour.refreshError = 'invalid_grant';
    const expired = await client(call);
    expect(expired.code).toBe(3);
    expect(expired.messages).toContain('login --server');

    const logout = await client(['logout', '--server', url]);
    expect(logout).toMatchObject({ code: 0, output: `Logged out at ${url}.\n` });
    const again = await client(['logout', '--server', url]);
    expect(again.output).toBe(`You were not logged in at ${url}.\n`);
  });

  const evil = 'no\u202e\u001b[2J\u200b\u2028';
  it.each<[string, Misbehaviour]>([
    ['an error of its token endpoint', { response: { code: 'wrong' }, said: evil }],
    ['an error in the browser', { response: { error: evil, error_description: evil } }],
    ['the issuer in the browser', { response: { iss: evil } }],
    ['a token', { answer: { access_token: evil } }],
    ['a scope', { answer: { scope: evil } }],
    ['its page', { metadata: { authorization_endpoint: `https://127.0.0.1/authorize?${evil}` } }],
    ['an address', { metadata: { token_endpoint: `x:${evil}` } }],
    ['its methods', { metadata: { code_challenge_methods_supported: [evil] } }],
  ])('prints no invisible character of an authorization server: %s', async (_, misbehaviour) => {
    const { url, as } = await startProtected();
    Object.assign(as.misbehaviour, misbehaviour);
    const words = ['login', '--server', url, '--debug', '--timeout', '20'];
    const child = start(words, { cwd: temporary(), env: homeEnv(temporary()) });
    let printed = '';
    let isVisited = false;
    const print = (text: string): void => {
      printed += text;
      const address = addressIn(printed);
      if (isVisited || !printed.endsWith('\n\n')) return;
      isVisited = true;
      // Its own page is at no address of this machine.
      if (address.startsWith(as.issuer)) void fetch(address);
      else child.kill();
    };
    child.stdout.setEncoding('utf8').on('data', print);
    child.stderr.setEncoding('utf8').on('data', print);
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).not.toBe(0);
    expect(printed).not.toBe('');
    expect(printed).not.toMatch(/[^\P{C}\n\t]|[\u2028\u2029]/u);
  });

  it('shows no secret of its URL', async () => {
    const { url } = await startProtected();
    const client = openClient();
    const secret = `${url}?api_key=sesame`;
    for (const flags of [[], ['--json']]) {
      const { code, output } = await client(['logout', '--server', secret, ...flags]);
      expect(code).toBe(0);
      expect(output).toContain(`${url}?api_key=…`);
      expect(output).not.toContain('sesame');
    }
  });

  it('asks its user for the scopes that a tool needs, and names them to a script', async () => {
    const { url, as, home } = await loggedIn();

    const alone = openTerminal({ person: false, home });
    expect(await alone.run('call', 'erase', '--server', url)).toBe(3);
    expect(alone.messages()).toContain('admin');
    expect(alone.messages()).toContain(`mcp-codegen login --scope "mcp admin" --server ${url}`);

    const terminal = openTerminal({ home });
    const call = terminal.run('call', 'erase', '--server', url);
    await terminal.when(`${new URL(url).origin} requires a login with the scopes mcp, admin.`);
    expect(terminal.messages()).not.toContain('/authorize');
    await terminal.when('Log in again?', KEYS.enter);
    await terminal.when('/authorize');
    await fetch(addressIn(terminal.messages()));
    expect(await call).toBe(0);
    expect(terminal.output()).toBe('erased\n');
    expect([...as.tokens.values()].at(-1)?.scope).toBe('mcp admin');
    // The login keeps them.
    expect(await openTerminal({ person: false, home }).run('call', 'erase', '--server', url)).toBe(
      0,
    );
  });

  it('opens no browser when its user does not want more scopes', async () => {
    const { url, as, home } = await loggedIn();
    as.requests.length = 0;
    for (const keys of [[KEYS.down, KEYS.enter], [KEYS.leave]]) {
      const terminal = openTerminal({ home });
      const call = terminal.run('call', 'erase', '--server', url);
      await terminal.when('Log in again?', ...keys);
      expect(await call).toBe(3);
      expect(terminal.messages()).toContain('login --scope "mcp admin"');
    }
    expect(as.requests).toEqual([]);
  });

  it('stops waiting for the browser when its user interrupts the call', async () => {
    const { url, home } = await loggedIn();
    const terminal = openTerminal({ home });
    const call = terminal.run('call', 'erase', '--server', url);
    await terminal.when('Log in again?', KEYS.enter);
    await terminal.when('/authorize');
    const redirect = new URL(
      new URL(addressIn(terminal.messages())).searchParams.get('redirect_uri') ?? '',
    );
    terminal.interrupt();
    expect(await call).toBe(130);
    await expect(fetch(redirect)).rejects.toThrow();
  });

  it('prefers a token to the login, and sends the login to no other server', async () => {
    const { url } = await startProtected();
    const client = openClient();
    await client(['login', '--server', url], (said) => fetch(addressIn(said)));
    const other: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      other.push(headers.authorization);
      response.writeHead(401).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await client(['describe', '--server', `http://127.0.0.1:${port}/mcp`]);
    expect(new Set(other)).toEqual(new Set([undefined]));
    const { code } = await client(['describe', '--server', url, '--token', 'wrong']);
    expect(code).toBe(3);
  });

  it('says which scope is missing', async () => {
    const { url } = await startProtected();
    const client = openClient();
    const login = ['login', '--scope', 'other', '--server', url];
    await client(login, (said) => fetch(addressIn(said)));
    const { code, messages } = await client(['describe', '--server', url]);
    expect(messages).toContain(': the server requires the scope mcp.');
    expect(messages).toContain('help: Log in with it: ');
    expect(messages).toContain('login --scope "mcp" --server');
    expect(code).toBe(3);
  });

  it('finds the token of a saved server again for its tasks, and sends it nowhere else', async () => {
    const { url, as } = await startProtected();
    as.tokens.set('sesame', { client: 'x', scope: 'mcp', resource: url });
    const client = openClient({ TOKEN: 'sesame' });
    await client(['servers', 'add', 'prod', '--server', url, '--token-env', 'TOKEN']);
    const call = ['call', 'later', '--detach', '--json', '--server', 'prod'];
    const { output } = await client(call);
    const { task } = JSON.parse(output) as { task: { id: string } };
    await client(['servers', 'remove', 'prod']);
    const other = await startProtected();
    await client(['servers', 'add', 'prod', '--server', other.url, '--token-env', 'TOKEN']);
    expect(await client(['tasks', 'get', task.id])).toMatchObject({ code: 3 });
    await client(['servers', 'remove', 'prod']);
    await client(['servers', 'add', 'prod', '--server', url, '--token-env', 'TOKEN']);
    const resumed = await client(['tasks', 'resume', task.id]);
    expect(resumed).toMatchObject({ code: 0, output: 'it is later\n' });
  });

  it('says how to log in where clients cannot register themselves', async () => {
    const { url, as } = await startProtected();
    as.misbehaviour.metadata = { registration_endpoint: undefined };
    const refused = await openClient()(['login', '--server', url]);
    expect(refused.messages).toContain('set MCP_CLIENT_ID');
    expect(refused.code).toBe(3);
    const client = openClient({ MCP_CLIENT_ID: 'registered' });
    const login = await client(['login', '--server', url], (said) => fetch(addressIn(said)));
    expect(login).toMatchObject({ code: 0 });
  });

  it('takes the id of a client that was registered by hand, and its exact port', async () => {
    const { url, as } = await startProtected();
    const port = await freePort();
    const words = ['login', '--client-id', 'registered', '--redirect-port', String(port)];
    const login = await openClient()([...words, '--server', url], (said) => fetch(addressIn(said)));
    expect(login).toMatchObject({ code: 0 });
    const asked = as.requests.find(({ path }) => path === '/authorize');
    expect(asked?.params).toMatchObject({
      client_id: 'registered',
      redirect_uri: `http://127.0.0.1:${String(port)}/callback`,
    });
    expect(as.requests.some(({ path }) => path === '/register')).toBe(false);
  });

  it('does not fall back to another port than the registered one', async () => {
    const { url } = await startProtected();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const words = ['login', '--redirect-port', String(port), '--server', url];
    const { code, messages } = await openClient()(words);
    expect(messages).toContain(`Cannot listen on port ${String(port)} of 127.0.0.1`);
    expect(code).toBe(3);
  });

  it('has the address of a client metadata document as its id where that is supported', async () => {
    const { url, as } = await startProtected();
    const document = 'https://client.example/mcp.json';
    as.clientDocuments.add(document);
    as.misbehaviour.metadata = { client_id_metadata_document_supported: true };
    const words = ['login', '--client-metadata', document, '--server', url];
    const login = await openClient()(words, (said) => fetch(addressIn(said)));
    expect(login).toMatchObject({ code: 0 });
    expect(as.requests.some(({ path }) => path === '/register')).toBe(false);
    const asked = as.requests.find(({ path }) => path === '/authorize');
    expect(asked?.params).toMatchObject({ client_id: document });
  });

  it.each([
    [['--client-metadata', 'http://client.example/mcp.json'], 'no https address of a document'],
    [['--redirect-port', '70000'], '--redirect-port is not a port.'],
  ])('refuses %j', async (options, message) => {
    const words = ['login', ...options, '--server', 'https://mcp.example/mcp'];
    const { code, messages } = await openClient()(words);
    expect(messages).toContain(message);
    expect(code).toBe(2);
  });

  it('logs in as a program, with a secret from the environment', async () => {
    const { url, as } = await startProtected();
    const client = openClient({ MCP_CLIENT_ID: MACHINE.id, MCP_CLIENT_SECRET: MACHINE.secret });
    const login = ['login', '--client-credentials', '--server', url];
    expect(await client([...login, '--issuer', as.issuer])).toMatchObject({ code: 0 });
    as.tokens.clear();
    expect(await client(['call', 'whoami', '--server', url])).toMatchObject({ code: 0 });
  });

  it('shows the code of a device', async () => {
    const { url, as } = await startProtected();
    as.misbehaviour.deviceErrors = ['access_denied'];
    const { code, messages } = await openClient()(['login', '--device', '--server', url]);
    expect(messages).toMatch(/^Visit http:\S+\/activate\nand enter the code USER-\S+\n/);
    expect(messages).toMatch(/\nerror: Cannot log in to http:\S+: .*access_denied.*\.\n$/);
    expect(code).toBe(3);
  });

  it('says why it cannot log in', async () => {
    // Empty variables count as ones that are not set.
    const client = openClient({ MCP_CLIENT_ID: '', MCP_CLIENT_SECRET: '' });
    const nothing = await client(['login', '--server', `http://127.0.0.1:${SILENT_PORT}/mcp`]);
    expect(nothing.messages).toMatch(/^error: Cannot log in to \S+: nothing listens there/);
    const open = await client(['login', '--server', 'http://mcp.example/mcp']);
    expect(open.messages).toContain('which is not an https address');
    const { url } = await startProtected();
    const late = await client(['login', '--server', url, '--timeout', '0.5']);
    expect(late.messages).toContain('ended before it was finished');
    expect([nothing.code, open.code, late.code]).toEqual([3, 3, 3]);
    const program = ['login', '--client-credentials', '--issuer', 'http://127.0.0.1:1'];
    expect(await client([...program, '--server', url])).toMatchObject({
      messages: expect.stringContaining('MCP_CLIENT_ID is not set') as string,
      code: 2,
    });
  });
});
