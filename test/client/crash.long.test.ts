import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { ClientTransport } from '../../runtime/client/index.js';
import { processTransport, type ProcessTransport } from '../../runtime/client/node/index.js';
import { httpTransport } from '../../runtime/client/transports/http.js';
import { APP, type HttpProcess, startHttp } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';
import { compiled } from '../support/program.js';
import { connect, type Dialect } from './harness.js';

const DIALECTS: readonly Dialect[] = ['core', 'ext'];
const STARTER = compiled(new URL('./starter.ts', import.meta.url));
const WAITED = { content: [{ type: 'text', text: 'waited 1000 ms' }] };

function storeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'tasks.db');
}

async function started(...options: readonly string[]): Promise<HttpProcess> {
  const server = await startHttp(...options);
  onTestFinished(() => server.stop());
  return server;
}

function http(url: string): ClientTransport {
  const headers = { authorization: `Bearer ${tokenOf('ann')}` };
  return httpTransport(new URL(url), { headers });
}

function stdio(store: string): ProcessTransport {
  return processTransport({ ...APP, args: [...APP.args, 'stdio', '--store', store] });
}

describe.each(DIALECTS)('%s', (dialect) => {
  it('EXT-CLI-2: another process resumes the task of a killed client', async () => {
    const { url } = await started();
    const child = spawn(process.execPath, [STARTER, url, dialect], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [reference] = (await once(createInterface(child.stdout), 'line')) as [string];
    child.kill('SIGKILL');
    const { tasks } = await connect(http(url), dialect);
    const handle = await tasks.resume(reference);
    expect(await handle.result()).toMatchObject(WAITED);
  });

  it('the client resumes a task after its stdio server was killed', async () => {
    const store = storeFile();
    const transport = stdio(store);
    const first = await connect(transport, dialect);
    const { reference = '', ...handle } = await first.tasks.start('wait', { ms: 1_000 });
    const lost = expect(handle.result()).rejects.toMatchObject({ reason: 'lost', reference });
    process.kill(transport.pid ?? 0, 'SIGKILL');
    await lost;
    const { tasks } = await connect(stdio(store), dialect);
    const resumed = await tasks.resume(reference);
    expect(await resumed.result()).toMatchObject(WAITED);
  });

  it('a call survives a restart of its HTTP server', async () => {
    const store = storeFile();
    const before = await started('--store', store);
    const { tasks } = await connect(http(before.url), dialect);
    const handle = await tasks.start('wait', { ms: 1_000 });
    before.child.kill('SIGKILL');
    await once(before.child, 'exit');
    await started('--store', store, '--port', new URL(before.url).port);
    expect(await handle.result()).toMatchObject(WAITED);
  });

  it('the client makes 1,000 calls on one HTTP connection', async () => {
    const { url } = await started();
    const { tasks } = await connect(http(url), dialect);
    const numbers = Array.from({ length: 1_000 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((index) =>
        index % 4 === 0 ? tasks.call('wait', { ms: 200 }) : tasks.call('add', { a: index, b: 1 }),
      ),
    );
    expect(results.filter(({ structuredContent }) => structuredContent === undefined)).toHaveLength(
      250,
    );
  });
});
