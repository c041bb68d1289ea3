import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';
import { serverRequirements } from '../../scripts/conformance/server.js';
import { root } from '../../scripts/conformance/suite.js';
import { installed, newerNode } from '../../scripts/newer-node.js';
import { BIN, run, start } from '../cli/process.js';
import { temporary } from '../client-commands/terminal.js';
import { taskSession } from '../server/clients.js';
import { APP, startHttp } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';
import { compiled } from '../support/program.js';

/** The clients of others, with `record` before their servers. */

interface Finding {
  readonly code: string;
  readonly from?: 'client' | 'server';
  readonly kind?: string;
  readonly message: string;
}

async function findingsIn(file: string): Promise<readonly Finding[]> {
  const { stdout } = await run(['validate', file, '--json'], { cwd: temporary() });
  return (JSON.parse(stdout) as { findings: readonly Finding[] }).findings;
}

const recordingFile = (): string => join(temporary(), 'session.jsonl');

/** `record` before a server at a URL. `end` resolves when the recording is complete. */
async function recordedUrl(target: string) {
  const file = recordingFile();
  const child = start(['record', '--out', file, target], { cwd: temporary() });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      const [, found] = /connect to (\S+)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error('The proxy did not start')));
  });
  const end = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended;
  };
  return { url, file, end };
}

/** The server of the conformance suite's tests. */
async function conformanceServer(): Promise<string> {
  const args = [compiled(new URL('../conformance/server.ts', import.meta.url))];
  const server = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const exited = once(server, 'exit');
    server.stdin.end();
    await exited;
  });
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
  return url;
}

/** What the suite does wrong as a client, to see how the server answers. */
const ON_PURPOSE: ReadonlySet<string> = new Set([
  'bad-message',
  // It polls as fast as it can.
  'early-poll',
  'no-client-info',
  'reused-id',
  'undeclared-capability',
  'unknown-revision',
  'wrong-request-state',
]);

/** The answers to what cannot be read or followed. */
const DUE: ReadonlySet<string> = new Set(['bad-message', 'unasked']);

it.each(Object.values(DIALECT_REVISIONS))(
  'the conformance suite for %s passes through record, and its recording is valid',
  async (revision) => {
    const { url, file, end } = await recordedUrl(await conformanceServer());
    expect(await serverRequirements(url, revision)).toMatchObject({ passed: true });
    await end();
    const findings = await findingsIn(file);
    const ofServer = findings.filter(({ from }) => from !== 'client');
    expect(ofServer.filter(({ code, kind }) => !(kind === 'error' && DUE.has(code)))).toEqual([]);
    const ofClient = findings.filter(
      ({ from, code }) => from === 'client' && !ON_PURPOSE.has(code),
    );
    expect(ofClient).toEqual([]);
  },
  300_000,
);

const execute = promisify(execFile);

describe.each(['stdio', 'http'])('the Inspector over %s', (kind) => {
  it.each(['legacy', 'modern'])(
    'gets the same answers through record in the %s era',
    async (era) => {
      const inspector = await installed('inspector', '@modelcontextprotocol/inspector', '2.12.0');
      const launcher = join(inspector, 'clients', 'launcher', 'build', 'index.js');
      const node = await newerNode();
      const env = { ...process.env, MCP_CATALOG_PATH: join(temporary(), 'catalog.json') };
      async function inspect(
        target: readonly string[],
        words: readonly string[],
      ): Promise<unknown> {
        const options = ['--cli', '--format', 'json', '--protocol-era', era, ...words, ...target];
        const { stdout } = await execute(node, [launcher, ...options], { env }).catch(
          (error: unknown) => error as { stdout: string },
        );
        return JSON.parse(stdout);
      }
      const server = [APP.command, ...APP.args, 'stdio'];
      const http = kind === 'http' ? await conformanceServer() : undefined;
      const overHttp = (url: string): string[] => ['--server-url', url, '--transport', 'http'];
      const direct = http === undefined ? ['--', ...server] : overHttp(http);
      const sum = ['add', '--tool-arg', 'a=1', '--tool-arg', 'b=2'];
      const tool = http === undefined ? sum : ['test_simple_text'];
      for (const words of [
        ['--method', 'tools/list'],
        ['--method', 'tools/call', '--tool-name', ...tool],
      ]) {
        const answer = await inspect(direct, words);
        expect(answer).toMatchObject({ result: {} });
        // Each run is a client of its own, and the modern era has no sessions that tell them apart.
        const proxy = http === undefined ? undefined : await recordedUrl(http);
        const file = proxy?.file ?? recordingFile();
        const record = [
          process.execPath,
          BIN,
          'record',
          '--append',
          '--out',
          file,
          '--',
          ...server,
        ];
        const through = proxy ? overHttp(proxy.url) : ['--', ...record];
        expect(await inspect(through, words)).toEqual(answer);
        await proxy?.end();
        expect(await findingsIn(file)).toEqual([]);
      }
    },
  );
});

describe('the client of ext-tasks', () => {
  it.each([
    ['stdio', 'legacy'],
    ['stdio', 'auto'],
    ['http', 'legacy'],
    ['http', 'auto'],
  ] as const)('runs its tasks through record over %s in mode %s', async (kind, mode) => {
    const http = kind === 'http' ? await startHttp() : undefined;
    if (http) onTestFinished(() => http.stop());
    const proxy = http && (await recordedUrl(http.url));
    const file = proxy?.file ?? recordingFile();
    const requestInit = { headers: { authorization: `Bearer ${tokenOf('ann')}` } };
    const args = [
      BIN,
      'record',
      '--append',
      '--out',
      file,
      '--',
      APP.command,
      ...APP.args,
      'stdio',
    ];
    const transport: Transport = proxy
      ? new StreamableHTTPClientTransport(new URL(proxy.url), { requestInit })
      : new StdioClientTransport({ command: process.execPath, args });
    const session = await taskSession(transport, mode, { name: 'Ann' });
    const options = mode === 'legacy' ? { task: { preference: 'prefer' } as const } : {};
    for (const name of ['wait', 'failing', ...(mode === 'auto' ? ['asks-once'] : [])]) {
      const execution = await session.callTool(name, name === 'wait' ? { ms: 50 } : {}, options);
      expect(execution.kind).toBe('task');
      await execution.settle();
    }
    await session.close();
    await proxy?.end();
    expect(await findingsIn(file)).toEqual([]);
  });
});
