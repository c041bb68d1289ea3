import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { lineWriter } from '../../runtime/server/index.js';
import { logOptions } from '../../runtime/program/index.js';
import { linesWritten } from '../../runtime/server/log/audit-lines.js';
import { countRefusals, type CountedEvent } from '../../runtime/server/log/log.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { connect, transportTo, WAYS } from '../client/harness.js';
import { recordTelemetry } from '../support/telemetry.js';
import { sized } from '../support/size.js';
import { legacy, post, rig, until } from './support.js';
import { testTools } from './tools.js';

const recorded = recordTelemetry();

type Line = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: string };

/** A file in place of standard error, and its lines so far. */
function file(): { readonly descriptor: number; readonly text: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-log-'));
  const path = join(folder, 'log');
  const descriptor = openSync(path, 'w');
  // It stays open: a server that is closing still writes, and would write to the file of another test.
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { descriptor, text: () => readFileSync(path, 'utf8') };
}

/** The log of the scaffold, as it writes to standard error. */
function logged(level: 'debug' | 'warn' = 'debug') {
  const { descriptor, text } = file();
  const lines = (): readonly Line[] =>
    text()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  const said = (event: string, tool?: string): Promise<readonly Line[]> =>
    until(
      () => Promise.resolve(lines().filter((line) => line['event'] === event)),
      (found) => found.some((line) => tool === undefined || line['tool'] === tool),
    );
  return { log: pino(logOptions(level), lineWriter(descriptor)), text, lines, said };
}

const SECRET = 'hunter2\n\u001b[31m\u009b2J\u202e{"level":"error","msg":"forged"}';

const answer = {
  form: () => ({ action: 'accept' as const, content: { name: SECRET } }),
  sampling: () => ({
    model: 'test',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: SECRET },
  }),
};

describe.each(WAYS)('the log of a server in %s over %s', (dialect, kind) => {
  it('SEC-8 has a line for each event with its level, its task and its trace', async () => {
    const { log, said } = logged();
    const { tasks } = await connect(transportTo(await rig({ log }), kind), dialect, { answer });
    await tasks.call('asks', {}, { meta: { note: SECRET } });
    await tasks.call('failing').catch(() => undefined);
    const [created] = await said('created');
    expect(created).toMatchObject({
      level: 'info',
      msg: 'Task created',
      tool: 'asks',
      method: 'tools/call',
      dialect,
      trace_flags: '01',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    const [submitted] = recorded.named('tasks.submit');
    expect(created?.['trace_id']).toBe(submitted?.spanContext().traceId);
    const [completed] = await said('completed');
    expect(completed?.['taskId']).toBe(created?.['taskId']);
    expect(completed?.['trace_id']).toBe(created?.['trace_id']);
    expect(await said('input_answered')).toMatchObject([{ level: 'info' }, { level: 'info' }]);
    expect(await said('retrieved')).toContainEqual(expect.objectContaining({ level: 'info' }));
    // In the extension the task is completed; its work failed.
    expect(await said('failed', 'failing')).toContainEqual(
      expect.objectContaining({ level: 'warn' }),
    );
  });

  it('never holds arguments, answers, results, tokens or the text of failures', async () => {
    const { log, text, said } = logged();
    const tools = [...testTools];
    const server = await rig({ log, tools });
    const { tasks } = await connect(transportTo(server, kind), dialect, { answer });
    await tasks.call('asks');
    await tasks.call('held', { label: SECRET, more: SECRET }, { timeout: 500 }).catch(() => 0);
    await tasks.call(SECRET).catch(() => undefined);
    await tasks.call('failing').catch(() => undefined);
    await tasks.resume(`${dialect}:${SECRET}`).catch(() => undefined);
    await said('completed');
    await said('cancelled');
    expect(text()).not.toContain('hunter2');
    expect(text()).not.toContain('It went wrong');
    expect(text()).not.toMatch(/[Bb]earer/);
  });
});

describe('the log', () => {
  it('leaves out what is less important than its level', async () => {
    const { log, lines } = logged('warn');
    const { tasks } = await connect(transportTo(await rig({ log }), 'http'), 'core', { answer });
    await tasks.call('failing').catch(() => undefined);
    const found = await until(
      () => Promise.resolve(lines()),
      (all) => all.length > 0,
    );
    expect(found).toMatchObject([{ level: 'warn', event: 'failed', tool: 'failing' }]);
  });

  it('has a warning when the server serves without authorization', async () => {
    const { log, lines, said } = logged();
    await rig({ log, onError: undefined as never }, { allowUnidentified: true });
    await said('warning');
    expect(lines()).toMatchObject([
      { level: 'warn', msg: expect.stringMatching(/^Serving without authorization/) as string },
    ]);
  });

  it('has faults of the store, once', async () => {
    const inner = createMemoryStore();
    const broken = (): Promise<never> => Promise.reject(new Error(`disk\n${SECRET}`));
    const store: TaskStore = { ...inner, get: broken };
    const { log, said, text } = logged();
    // Without `onError`, which would get them instead.
    const server = await rig({ store, log, onError: undefined as never });
    const client = await legacy(server);
    for (let n = 0; n < 50; n += 1) await client.request('tasks/get', { taskId: 'x'.repeat(32) });
    await said('fault').catch(() => undefined);
    expect(text().split('"event":"fault"').length - 1).toBeLessThan(3);
    for (const line of text().split('\n').filter(Boolean)) {
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  });

  it('is one JSON document a line, whatever is logged', () => {
    const { log, lines, text } = logged();
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        SECRET,
        '\u2028',
        '\u{e0001}',
        'Authorization: Bearer abc.def-ghi',
        '\\',
        '"',
      ),
    );
    const sent: string[] = [];
    fc.assert(
      fc.property(values, (value) => {
        sent.push(value);
        log.info({ value }, value);
      }),
      { numRuns: sized(300) },
    );
    return until(
      () => Promise.resolve(text()),
      (all) => all.split('\n').length > sent.length,
    ).then((all) => {
      expect(all).not.toContain('abc.def-ghi');
      for (const line of all.split('\n')) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const masked = (each: string): string => each.replace(/Bearer \S+/, 'Bearer [redacted]');
      expect(lines().map(({ msg }) => msg)).toEqual(sent.map(masked));
    });
  });

  it('has all lines in order before the process exits', async () => {
    const { log, lines } = logged();
    for (let round = 0; round < 20; round += 1) {
      for (let number = 0; number < 50; number += 1) log.info({ number }, `${round} ${number}`);
      await linesWritten();
      expect(lines()).toHaveLength((round + 1) * 50);
    }
    const written = lines().map(({ msg }) => msg);
    expect(written.slice(-2)).toEqual(['19 48', '19 49']);
    expect(new Set(written).size).toBe(1_000);
  });

  it('masks members that hold secrets, three levels deep', async () => {
    const { log, text, said } = logged();
    const secrets = { authorization: 'hunter2', headers: { authorization: 'hunter2' } };
    log.info({ event: 'mine', ...secrets, request: { body: { token: 'hunter2' } } }, 'Mine');
    await said('mine');
    expect(text()).not.toContain('hunter2');
  });
});

describe('refusals without a token', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('SEC-8 are logged once, and then counted every 10 s', () => {
    const events: CountedEvent[] = [];
    const sink = countRefusals((event) => events.push(event));
    for (let n = 0; n < 1_000; n += 1) {
      void sink({ type: 'refused', at: n, method: `POST /${n}`, reason: 'http_401' });
    }
    void sink({ type: 'refused', at: 0, owner: 'ann', reason: 'unknown_task' });
    void sink({ type: 'refused', at: 0, owner: 'ann', reason: 'unknown_task' });
    for (let n = 0; n < 5; n += 1) {
      void sink({ type: 'refused', at: 0, owner: 'ann', method: 'tasks/get', reason: 'limit' });
    }
    expect(events.map(({ reason }) => reason)).toEqual([
      'http_401',
      'unknown_task',
      'unknown_task',
      'limit',
    ]);
    events.length = 0;
    vi.advanceTimersByTime(10_000);
    expect(events).toMatchObject([
      { reason: 'http_401', times: 999 },
      { reason: 'limit', owner: 'ann', times: 4 },
    ]);
  });
});

it('counts requests without a token over HTTP', async () => {
  const { log, lines, said } = logged();
  const server = await rig({ log });
  for (let n = 0; n < 100; n += 1) {
    const response = await post(server.http, { id: n, method: 'tools/list' }, {});
    expect(response.status).toBe(401);
  }
  await said('refused');
  expect(lines().filter(({ event }) => event === 'refused')).toMatchObject([
    { level: 'warn', reason: 'http_401', method: 'POST /mcp' },
  ]);
});
