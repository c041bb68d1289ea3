import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { auditLines, bearer } from '../../runtime/server/index.js';
import { createReporter } from '../../runtime/server/log/log.js';
import { createMemoryStore, openSqliteStore } from '../../runtime/stores/index.js';
import type { AuditEvent, JsonObject, TaskStore } from '../../runtime/tasks/index.js';
import { temporaryFolder } from '../support/stores.js';
import { clientOf, META, settle } from './pipes.js';
import { EVERY_ASK, legacy, modern, RESOURCE, type Rig, rig, tokenOf, until } from './support.js';

interface Health {
  readonly code: number;
  readonly body: unknown;
}

async function health({ http }: Pick<Rig, 'http'>): Promise<Health> {
  const response = await http.fetch(new Request('http://localhost/health'));
  return { code: response.status, body: await response.json() };
}

const healthy = { code: 200, body: { status: 'ok', parts: { store: 'ok', authorization: 'ok' } } };

describe('health', () => {
  it('is good while every part works', async () => {
    expect(await health(await rig())).toEqual(healthy);
  });

  it('names the store when its file was deleted, and reports the reason', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const store = openSqliteStore({ file: join(folder.path, 'tasks.db') });
    const rigged = await rig({ store });
    folder.remove();
    const { code, body } = await health(rigged);
    expect(code).toBe(503);
    expect(body).toEqual({
      status: 'failing',
      parts: { store: 'failing', authorization: 'ok' },
    });
    expect(rigged.problems.map(({ message }) => message).join()).toMatch(
      /tasks\.db\S* was deleted/,
    );
  });

  it('probes the store at most once at a time for all clients, and again later', async () => {
    let probes = 0;
    let release = (): void => undefined;
    const store: TaskStore = {
      ...createMemoryStore(),
      probe() {
        probes += 1;
        return new Promise((resolve) => (release = resolve));
      },
    };
    const rigged = await rig({ store });
    const answers = Promise.all(Array.from({ length: 50 }, () => health(rigged)));
    await until(
      () => Promise.resolve(probes),
      (count) => count > 0,
    );
    release();
    expect(await answers).toEqual(Array.from({ length: 50 }, () => healthy));
    expect(await health(rigged)).toEqual(healthy);
    expect(probes).toBe(1);
    await until(
      async () => {
        void health(rigged);
        return Promise.resolve(probes);
      },
      (count) => count > 1,
    );
    release();
  });

  it('is bad while the store hangs, and good again afterwards', async () => {
    let release: (() => void) | undefined;
    const store: TaskStore = {
      ...createMemoryStore(),
      probe: () => (release ? Promise.resolve() : new Promise((resolve) => (release = resolve))),
    };
    const rigged = await rig({ store });
    expect(await health(rigged)).toMatchObject({
      code: 503,
      body: { parts: { store: 'failing' } },
    });
    release?.();
    await until(
      () => health(rigged),
      ({ code }) => code === 200,
    );
  });

  it('names an authorization server that is down, and finds it again without any request', async () => {
    const claims = {
      subject: 'ann',
      clientId: 'app',
      audience: [RESOURCE],
      scopes: ['mcp'],
      expiresAt: Date.now() / 1000 + 600,
    };
    const issuer = 'https://issuer.example';
    const start = async (port: number) => {
      const http = createServer((_, response) => response.end('{}'));
      await once(http.listen(port, '127.0.0.1'), 'listening');
      return http;
    };
    const first = await start(0);
    const { port } = first.address() as AddressInfo;
    first.close();
    first.closeAllConnections();
    const auth = bearer({
      resource: RESOURCE,
      issuer,
      verify: async () => {
        await fetch(`http://127.0.0.1:${port}`);
        return { ...claims, issuer };
      },
    });
    const rigged = await rig({}, { auth });
    await expect(legacy(rigged)).rejects.toThrow('500');
    expect(await health(rigged)).toEqual({
      code: 503,
      body: { status: 'failing', parts: { store: 'ok', authorization: 'failing' } },
    });
    expect(rigged.problems[0]?.message).toMatch(/^Authorization: .*ECONNREFUSED/);
    expect(rigged.problems.map(({ message }) => message).join()).not.toContain('ann|');
    const second = await start(port);
    onTestFinished(() => second.closeAllConnections());
    onTestFinished(() => void second.close());
    await until(
      () => health(rigged),
      ({ code }) => code === 200,
    );
  });
});

describe('a fault of the store', () => {
  it('is reported, and its message reaches no requestor', async () => {
    const store = createMemoryStore();
    const broken: TaskStore = { ...store, get: () => Promise.reject(new Error('EIO on sda1')) };
    const rigged = await rig({ store: broken });
    const answer = await modern(rigged, 'tasks/get', { taskId: 'x'.repeat(32) });
    const created = await modern(rigged, 'tools/call', { name: 'failing' });
    const read = await modern(rigged, 'tasks/get', { taskId: created.result?.['taskId'] });
    expect(read.error).toMatchObject({ code: -32603 });
    expect(JSON.stringify([answer, read])).not.toContain('sda1');
    expect(rigged.problems.map(({ message }) => message)).toContain('Task store: EIO on sda1');
  });
});

describe('while the store is away', () => {
  const ids = { taskId: '0'.repeat(32) };
  const CORE: readonly (readonly [string, object])[] = [
    ['tools/call', { name: 'failing', task: {} }],
    ['tasks/get', ids],
    ['tasks/result', ids],
    ['tasks/list', {}],
    ['tasks/cancel', ids],
  ];
  const EXT: readonly (readonly [string, JsonObject])[] = [
    ['tools/call', { name: 'failing' }],
    ['tasks/get', ids],
    ['tasks/update', { ...ids, inputResponses: {} }],
    ['tasks/cancel', ids],
    ['subscriptions/listen', { notifications: { taskIds: [ids.taskId] } }],
  ];
  const REFUSED = {
    code: -32603,
    message: 'The store of tasks failed; retry in 100 ms',
    data: { reason: 'internal', retryAfterMs: 100 },
  };

  /** A store that can be cut off. */
  function cuttable(): { readonly store: TaskStore; cut: boolean } {
    const inner = createMemoryStore();
    const made = { cut: false, store: inner };
    const guarded = <A extends unknown[], R>(operation: (...args: A) => Promise<R>) => {
      return (...args: A): Promise<R> =>
        made.cut ? Promise.reject(new Error('connect ECONNREFUSED')) : operation(...args);
    };
    made.store = {
      ...inner,
      insert: guarded<Parameters<TaskStore['insert']>, Awaited<ReturnType<TaskStore['insert']>>>(
        (record, caps) => inner.insert(record, caps),
      ),
      get: guarded<Parameters<TaskStore['get']>, Awaited<ReturnType<TaskStore['get']>>>((key) =>
        inner.get(key),
      ),
      update: guarded<Parameters<TaskStore['update']>, Awaited<ReturnType<TaskStore['update']>>>(
        (next) => inner.update(next),
      ),
      list: guarded<Parameters<TaskStore['list']>, Awaited<ReturnType<TaskStore['list']>>>(
        (caller, page) => inner.list(caller, page),
      ),
    };
    return made;
  }

  it('every method of both dialects says over HTTP when to retry', async () => {
    const place = cuttable();
    const rigged = await rig({ store: place.store });
    const client = await legacy(rigged);
    await modern(rigged, 'tasks/get', ids);
    place.cut = true;
    const clock = performance.now.bind(performance);
    const stopped = clock();
    vi.spyOn(performance, 'now').mockImplementation(() => stopped);
    onTestFinished(() => void vi.restoreAllMocks());
    for (const [method, params] of CORE) {
      const { error } = await client.request(method, params);
      expect({ method, error }).toEqual({ method, error: REFUSED });
    }
    for (const [method, params] of EXT) {
      const { status, error } = await modern(rigged, method, params);
      expect({ method, status, error }).toEqual({ method, status: 200, error: REFUSED });
    }
  });

  it('every method says over stdio when to retry', async () => {
    const place = cuttable();
    const { server } = await rig({ store: place.store });
    for (const dialect of ['core', 'ext'] as const) {
      place.cut = false;
      const client = clientOf(server);
      await settle(client, dialect);
      place.cut = true;
      for (const [id, [method, params]] of (dialect === 'core' ? CORE : EXT).entries()) {
        const _meta = dialect === 'core' ? {} : { _meta: META };
        const { error } = await client.request({ id, method, params: { ...params, ..._meta } });
        expect(error).toMatchObject({ code: -32603, data: { reason: 'internal' } });
        expect(Number(error?.data?.['retryAfterMs'])).toBeGreaterThanOrEqual(100);
      }
    }
  });

  it('asks for longer waits the longer that lasts, at most 10 s, and begins again', async () => {
    const place = cuttable();
    const rigged = await rig({ store: place.store });
    // Whole milliseconds: sums of others differ in their last bit.
    let now = Math.ceil(performance.now());
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    const wait = async (): Promise<unknown> =>
      (await modern(rigged, 'tasks/get', ids)).error?.data?.['retryAfterMs'];
    place.cut = true;
    const waits: unknown[] = [];
    for (const pause of [0, 60, 900, 4_000, 60_000]) {
      now += pause;
      waits.push(await wait());
    }
    expect(waits).toEqual([100, 100, 960, 4_960, 10_000]);
    place.cut = false;
    await modern(rigged, 'tools/call', { name: 'failing' });
    place.cut = true;
    expect(await wait()).toBe(100);
  });
});

describe('the reporter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes a fault at once, and its repetitions as a count', () => {
    const lines: string[] = [];
    const report = createReporter((line) => lines.push(line));
    for (let n = 0; n < 1_000; n += 1) report(new Error('disk full'));
    report(new Error('other'));
    expect(lines).toEqual(['disk full', 'other']);
    vi.advanceTimersByTime(10_000);
    expect(lines.splice(0)).toEqual(['disk full', 'other', 'disk full (999 more in 10 s)']);
    report(new Error('disk full'));
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(lines.splice(0)).toEqual(['disk full (1 more in 10 s)']);
    vi.advanceTimersByTime(10_000);
    report(new Error('disk full'));
    expect(lines).toEqual(['disk full']);
  });

  it('writes a bounded number of lines, however many faults there are', () => {
    const lines: string[] = [];
    const report = createReporter((line) => lines.push(line));
    for (let n = 0; n < 1_000; n += 1) report(new Error(`fault ${n}`));
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('980 more faults of other kinds in 10 s');
  });

  it('keeps a fault to one short line', () => {
    const lines: string[] = [];
    createReporter((line) => lines.push(line))(
      new Error(`a\nb\u001b[2J\u2028${'x'.repeat(9_999)}`),
    );
    expect(lines[0]).toMatch(/^a b \[2J x+$/);
    expect(lines[0]?.length).toBeLessThanOrEqual(500);
  });
});

describe('the audit', () => {
  async function audited(): Promise<{ rigged: Rig; refusals: () => AuditEvent[] }> {
    const events: AuditEvent[] = [];
    const rigged = await rig({ audit: (event) => events.push(event) });
    return { rigged, refusals: () => events.filter(({ type }) => type === 'refused') };
  }

  it.each([
    ['no token', 401, { token: undefined }],
    ['a token without the scope', 403, { token: tokenOf('ann', 'app', 'other') }],
    ['a session of nobody', 404, { sessionId: 'gone' }],
  ] as const)('SEC-8 notes a request with %s', async (_, status, options) => {
    const { rigged, refusals } = await audited();
    await legacy(rigged, options)
      .then((client) => client.request('tools/list'))
      .catch(() => undefined);
    expect(refusals()[0]).toMatchObject({ method: 'POST /mcp', reason: `http_${status}` });
    if (status === 404) expect(refusals()[0]?.owner).toContain('ann');
  });

  it('SEC-8 notes a request to another path and from a foreign page', async () => {
    const { rigged, refusals } = await audited();
    const ask = (url: string, headers: Record<string, string>) =>
      rigged.http.fetch(new Request(url, { headers: { host: 'localhost', ...headers } }));
    await ask('http://localhost/etc/passwd', {});
    await ask(RESOURCE, { origin: 'https://evil.example' });
    expect(refusals().map(({ method, reason }) => [method, reason])).toEqual([
      ['GET /etc/passwd', 'http_404'],
      ['GET /mcp', 'http_403'],
    ]);
  });

  it('SEC-8 notes answers that are invalid, not asked for, or too late', async () => {
    const { rigged, refusals } = await audited();
    const { result } = await modern(rigged, 'tools/call', { name: 'asks' });
    const taskId = String(result?.['taskId']);
    const { inputRequests } = await until(
      async () => (await modern(rigged, 'tasks/get', { taskId })).result ?? {},
      (task) => task['status'] === 'input_required',
    );
    const [key = ''] = Object.keys(inputRequests as object);
    const update = (inputResponses: object) =>
      modern(rigged, 'tasks/update', { taskId, inputResponses });
    await update({ [key]: { action: 'perhaps' } });
    await update({ bogus: { action: 'accept', content: { name: 'hunter2' } } });
    await modern(rigged, 'tasks/cancel', { taskId });
    await update({ [key]: { action: 'accept', content: { name: 'hunter2' } } });
    const notes = refusals().map(({ method, reason, taskId: id }) => [method, reason, id]);
    expect(notes).toEqual([
      ['tasks/update', 'invalid_params', taskId],
      ['tasks/update', 'not_asked', taskId],
      ['tasks/update', 'ended', taskId],
    ]);
    expect(JSON.stringify(refusals())).not.toContain('hunter2');
  });

  it('SEC-8 notes an answer to a question that is over, and reports nothing of it', async () => {
    const { rigged, refusals } = await audited();
    const client = await legacy(rigged, { capabilities: EVERY_ASK });
    const { http } = rigged;
    await http.fetch(
      new Request(RESOURCE, {
        method: 'POST',
        headers: {
          host: 'localhost',
          authorization: `Bearer ${tokenOf('ann')}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
          'mcp-session-id': client.sessionId,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 987,
          result: { action: 'accept', content: { secret: 'hunter2' } },
        }),
      }),
    );
    expect(refusals()).toEqual([expect.objectContaining({ reason: 'late_answer' })]);
    expect(rigged.problems).toEqual([]);
    expect(JSON.stringify(refusals())).not.toContain('hunter2');
  });
});

describe('audit lines', () => {
  it('are one JSON document a line, in order, without faults', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-audit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'audit');
    const descriptor = openSync(file, 'w');
    onTestFinished(() => closeSync(descriptor));
    const sink = auditLines(descriptor);
    for (let n = 0; n < 500; n += 1) {
      void sink({ type: 'refused', at: 1_700_000_000_000 + n, owner: 'a\nb', reason: String(n) });
      void sink({ type: 'fault', at: 0 });
    }
    const lines = await until(
      () => Promise.resolve(readFileSync(file, 'utf8').split('\n').filter(Boolean)),
      (found) => found.length === 500,
    );
    const events = lines.map((line) => JSON.parse(line) as AuditEvent);
    expect(events.map(({ reason }) => Number(reason))).toEqual(events.map((_, n) => n));
    expect(events[0]).toEqual({
      type: 'refused',
      at: '2023-11-14T22:13:20.000Z',
      owner: 'a\nb',
      reason: '0',
    });
  });
});
