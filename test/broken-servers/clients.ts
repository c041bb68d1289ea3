import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  auth,
  Client,
  type OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { createLogins, createTaskClient } from '../../runtime/client/node/index.js';
import { PROTOCOL_VERSIONS, REVISIONS } from '../../runtime/protocol.js';
import { LIMIT, type Outcome } from './judge.js';
import type { Played } from './play.js';
import type { Case } from './way.js';

/** Clients that call or list the tools of a server, and say how it went. */

/** Milliseconds that a client is told to wait for an answer: fewer where none comes. */
const patience = ({ says }: Case): number => (isLate(says) ? 2_500 : 8_000);
const isLate = (says: Case['says']): boolean => says !== 'result' && says.test('timed out');

/** Undefined where a client has no means for the case. */
export type Drive = (server: Played, each: Case) => Promise<Outcome> | undefined;

const shown = (result: unknown): Outcome => ({ result: JSON.stringify(result) ?? '' });

const DONE: Outcome = { result: 'done' };
const browse = (address: URL): void => void fetch(address).catch(() => undefined);

async function login({ url = '' }: Played): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-logins-'));
  try {
    await createLogins({ folder, clientName: 'test' }).browser(url, browse);
    return DONE;
  } catch (error) {
    return { error: (error as Error).message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const ours: Drive = (server, each) =>
  each.does === 'login' ? login(server) : call(server, each);

async function call(server: Played, each: Case): Promise<Outcome> {
  const { dialect, does } = each;
  const wait = patience(each);
  const notes: string[] = [];
  const client = createTaskClient({
    name: 'test',
    version: '1',
    revisions: PROTOCOL_VERSIONS.filter((each) => REVISIONS[each].dialect === dialect),
    limits: { pollMin: 1, pollMax: 20, patience: 600, requestTimeout: wait, silence: wait },
    onError: ({ message }) => notes.push(message),
  });
  try {
    const [command = '', ...args] = server.command ?? [];
    await client.connect(server.url ?? { command, args, stderr: 'ignore' }, { timeout: wait });
    const tools = does === 'call' || does === 'task' ? undefined : await client.tools();
    return shown(does === 'list' ? tools : await client.call('work'));
  } catch (error) {
    return { error: (error as Error).message };
  } finally {
    await client.close();
  }
}

/** An error of the SDK, with what it says besides its message. */
function textOf(error: unknown): string {
  const { message, code, data } = error as Error & Record<'code' | 'data', unknown>;
  return `${message} ${JSON.stringify({ code, data })}`;
}

/** Logs in with the SDK, and follows the browser's way without one. */
async function sdkLogin({ url = '' }: Played): Promise<Outcome> {
  const redirectUrl = 'http://127.0.0.1/callback';
  let address = new URL(redirectUrl);
  let [verifier, client, tokens]: [string, unknown, unknown] = ['', undefined, undefined];
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'test', redirect_uris: [redirectUrl] },
    state: () => 'state',
    clientInformation: () => client,
    saveClientInformation: (given: unknown) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given: unknown) => void (tokens = given),
    codeVerifier: () => verifier,
    saveCodeVerifier: (given: string) => void (verifier = given),
    redirectToAuthorization: (given: URL) => void (address = given),
  } as OAuthClientProvider;
  try {
    await auth(provider, { serverUrl: url });
    const { headers } = await fetch(address, { redirect: 'manual' });
    const { searchParams } = new URL(headers.get('location') ?? '');
    const error = searchParams.get('error');
    // What its documentation leaves to the application.
    if (error !== null) return { error };
    if (searchParams.get('state') !== 'state') return { error: 'Another state' };
    const code = { authorizationCode: searchParams.get('code') ?? '' };
    const iss = searchParams.get('iss');
    await auth(provider, { serverUrl: url, ...code, ...(iss !== null && { iss }) });
    return DONE;
  } catch (error) {
    return { error: textOf(error) };
  }
}

/** The SDK's client, which follows no tasks. */
export const sdk: Drive = (server, each) => {
  if (each.does === 'task') return undefined;
  return each.does === 'login' ? sdkLogin(server) : sdkCall(server, each);
};

async function sdkCall(server: Played, each: Case): Promise<Outcome> {
  const { dialect, over, does } = each;
  const timeout = patience(each);
  const mode = dialect === 'ext' ? 'auto' : 'legacy';
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode, probe: { timeoutMs: timeout } } },
  );
  const [command = '', ...args] = server.command ?? [];
  const transport =
    over === 'stdio'
      ? new StdioClientTransport({ command, args, stderr: 'ignore' })
      : over === 'old'
        ? new SSEClientTransport(new URL(server.url ?? ''))
        : new StreamableHTTPClientTransport(new URL(server.url ?? ''));
  const options = { timeout };
  try {
    await client.connect(transport, options);
    const list = does === 'call' ? undefined : await client.listTools({}, options);
    if (does === 'list') return shown(list);
    return shown(await client.callTool({ name: 'work', arguments: {} }, options));
  } catch (error) {
    return { error: textOf(error) };
  } finally {
    await client.close().catch(() => undefined);
  }
}

/** Runs a command line, and takes its output for a result if it exits with 0. */
function run(program: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const [command = '', ...args] = program;
  const home = mkdtempSync(join(tmpdir(), 'mcp-codegen-home-'));
  const homes = { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home };
  return new Promise((resolve) => {
    const options = {
      env: { PATH: process.env['PATH'], ...homes, ...env },
      cwd: home,
      timeout: LIMIT - 1_000,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1_024 * 1_024,
    } as const;
    execFile(command, args, options, (error, stdout, stderr) => {
      rmSync(home, { recursive: true, force: true });
      if (error === null) resolve({ result: stdout });
      else resolve(error.killed === true ? 'hangs' : { error: stdout + stderr });
    });
  });
}

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin.js');

/** The command line of this project. It may agree on any revision, lists no tools before a call, and starts no logins. */
export const cli: Drive = ({ url, command = [] }, each) => {
  const { does } = each;
  if (does === 'login' || does === 'listed') return undefined;
  const words = does === 'list' ? ['describe'] : ['call', 'work'];
  const target = url === undefined ? ['--', ...command] : ['--server', url];
  return run([
    process.execPath,
    CLI,
    ...words,
    '--timeout',
    String(patience(each) / 1_000),
    ...target,
  ]);
};

/** Where `npm run broken-servers` has installed the peers. */
export interface Peers {
  readonly node: string;
  readonly mcporter: string;
  readonly inspector: string;
}

/** One call lists no tools, and the peers follow no tasks. */
const NOT_OF_COMMANDS: ReadonlySet<string> = new Set(['login', 'listed', 'task']);

/** mcporter takes no revision of 2026, and neither tasks nor logins without a browser. */
export const mcporter =
  ({ node, mcporter: program }: Peers): Drive =>
  ({ url, command = [] }, each) => {
    const { does, dialect } = each;
    if (NOT_OF_COMMANDS.has(does) || dialect === 'ext') return undefined;
    const words = does === 'list' ? ['list'] : ['call'];
    const target =
      url === undefined ? ['--stdio', command.join(' ')] : ['--http-url', url, '--allow-http'];
    const limit = ['--timeout', String(patience(each)), '--no-oauth'];
    const shape = does === 'list' ? ['--json', '--exit-code'] : ['work', '--output', 'json'];
    return run([node, program, ...words, ...target, ...shape, ...limit]);
  };

/** The Inspector waits a minute for an answer, and has no option for it. */
export const inspector =
  ({ node, inspector: program }: Peers): Drive =>
  ({ url, command = [], over }, each) => {
    const { does, dialect, says } = each;
    if (NOT_OF_COMMANDS.has(does) || isLate(says)) return undefined;
    const words = does === 'list' ? ['tools/list'] : ['tools/call', '--tool-name', 'work'];
    const target =
      url === undefined
        ? ['--', ...command]
        : ['--server-url', url, '--transport', over === 'old' ? 'sse' : 'http'];
    const era = ['--protocol-era', dialect === 'ext' ? 'auto' : 'legacy'];
    const limit = ['--connect-timeout', String(patience(each)), '--stored-auth-only'];
    return run(
      [
        node,
        program,
        '--cli',
        '--format',
        'json',
        ...era,
        ...limit,
        '--method',
        ...words,
        ...target,
      ],
      { MCP_CATALOG_PATH: join(tmpdir(), 'mcp-codegen-no-catalog.json') },
    );
  };
