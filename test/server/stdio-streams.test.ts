import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';

import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import {
  createTaskServer,
  defineTool,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import { serveLines } from '../../runtime/transport/index.js';
import type { AuditEvent, JsonObject } from '../../runtime/tasks/index.js';
import { clientOf, META, settle } from './pipes.js';
import { type Message, until } from './support.js';
import { hold, release, signals, testTools } from './tools.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

const chatty = defineTool({
  name: 'chatty',
  description: 'Reports progress, logs, and says something.',
  input: z.object({ reports: z.number(), size: z.number(), logs: z.number().default(0) }),
  taskSupport: 'optional',
  async run({ args, task, request }) {
    for (let n = 1; n <= args.reports; n += 1) {
      task.progress({ progress: n, message: 'x'.repeat(args.size) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (let n = 0; n < args.logs; n += 1) {
      request?.log('info', 'y'.repeat(args.size));
    }
    return 'z'.repeat(args.size);
  },
});

async function serverWith(options: Partial<TaskServerOptions> = {}) {
  const audit: AuditEvent[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [...testTools, chatty],
    logging: true,
    audit: (event) => void audit.push(event),
    onError: () => undefined,
    ...options,
  });
  onTestFinished(() => server.close(0));
  return { server, audit };
}

const call = (id: unknown, name: string, args: JsonObject, more: JsonObject = {}): JsonObject => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...more },
});

describe('requests over a pipe', () => {
  const label = (name: string): string => `pipe ${name}`;

  it('progress comes before the answer', async () => {
    const { server } = await serverWith();
    const client = clientOf(server);
    await settle(client, 'core');
    const _meta = { progressToken: 'p' };
    await client.request(call(1, 'chatty', { reports: 3, size: 1 }, { _meta }));
    const seen = client.lines.map((line) => JSON.parse(line) as Message);
    expect(seen.slice(-4).map(({ params, id }) => params?.['progress'] ?? id)).toEqual([
      1, 2, 3, 1,
    ]);
  });

  it('a tool asks, and goes on with the answer', async () => {
    const { server } = await serverWith();
    const client = clientOf(server);
    const clientInfo = { name: 'test', version: '1' };
    const capabilities = { elicitation: {} };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    await client.request({ id: 0, method: 'initialize', params });
    const answer = client.request(call('ask', 'asks-once', {}));
    const question = await until(
      () => Promise.resolve(client.lines.find((line) => line.includes('elicitation/create'))),
      (line) => line !== undefined,
    );
    const { id } = JSON.parse(question ?? '') as Message;
    const result = { action: 'accept', content: { name: 'Ann' } };
    client.write(JSON.stringify({ jsonrpc: '2.0', id, result }));
    expect((await answer).result).toMatchObject({ content: [{ text: 'accept Ann' }] });
  });

  it.each(['core', 'ext'] as const)(
    'notifications/cancelled aborts a call (%s)',
    async (dialect) => {
      const { server } = await serverWith();
      const client = clientOf(server);
      await settle(client, dialect);
      const name = label(`cancelled ${dialect}`);
      // Of a client that does not declare tasks.
      const capabilities = Object.keys(META).find((key) => key.endsWith('Capabilities')) ?? '';
      const meta = dialect === 'ext' ? { _meta: { ...META, [capabilities]: {} } } : {};
      void client.request(call('c', 'held', { label: name }, meta));
      await until(
        () => Promise.resolve(signals.get(name)),
        (signal) => signal !== undefined,
      );
      const params = { requestId: 'c', reason: 'enough', ...meta };
      client.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
      await until(
        () => Promise.resolve(signals.get(name)?.aborted),
        (aborted) => aborted === true,
      );
      expect(signals.get(name)?.reason).toBe('enough');
      release(name);
      await hold(name).released;
      await client.request({ id: 'after', method: 'tools/list', params: meta });
      expect(client.lines.some((line) => line.includes('"id":"c"'))).toBe(false);
    },
  );

  it('the end of the input aborts a call, after the lines before it were taken', async () => {
    const { server } = await serverWith();
    const client = clientOf(server);
    await settle(client, 'core');
    const name = label('ended');
    const lines = Array.from({ length: 40 }, (_, n) => call(n, 'held', { label: `${name} ${n}` }));
    client.source.end(
      lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''),
    );
    await until(
      () => Promise.resolve(lines.map((_, n) => signals.get(`${name} ${n}`)?.aborted)),
      (aborted) => aborted.slice(0, 16).every(Boolean),
    );
    lines.forEach((_, n) => release(`${name} ${n}`));
  });

  it('the id of an open request may come again: both are answered', async () => {
    const { server } = await serverWith();
    const client = clientOf(server);
    await settle(client, 'core');
    const name = label('again');
    client.write(JSON.stringify({ jsonrpc: '2.0', ...call('same', 'held', { label: name }) }));
    await until(
      () => Promise.resolve(signals.has(name)),
      (begun) => begun,
    );
    await client.request(call('same', 'add', { a: 1, b: 2 }));
    release(name);
    const answers = await until(
      () => Promise.resolve(client.lines.filter((line) => line.includes('"id":"same"'))),
      ({ length }) => length === 2,
    );
    expect(answers.map((line) => line.includes(name))).toEqual([false, true]);
  });
});

/** A server whose client is a process that does not read, until it is let go. */
async function stopped(options: Partial<TaskServerOptions> = {}) {
  const { server, audit } = await serverWith(options);
  const reader = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(reader, 'spawn');
  reader.kill('SIGSTOP');
  onTestFinished(() => void reader.kill('SIGKILL'));
  const target: Writable = reader.stdin;
  const source = new PassThrough();
  const counted = { writes: 0, mostInOneTurn: 0 };
  let inTurn = 0;
  const write = target.write.bind(target) as (piece: Uint8Array) => boolean;
  Object.assign(target, {
    write(piece: Uint8Array) {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      counted.writes += 1;
      counted.mostInOneTurn = Math.max(counted.mostInOneTurn, (inTurn += 1));
      return write(piece);
    },
  });
  const wire = serveLines({
    served: server.serve({ identification: 'local', asksUnidentified: false }),
    source,
    target,
    who: undefined,
    onTooSlow: () => server.engine.refused({ owner: 'local' }, 'slow_reader'),
    onError: server.onError,
  });
  onTestFinished(() => wire.close());
  const messages: Message[] = [];
  let rest = '';
  reader.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    messages.push(...lines.map((line) => JSON.parse(line) as Message));
  });
  const send = (message: JsonObject): void =>
    void source.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  send({ id: 'initialize', method: 'initialize', params });
  return {
    audit,
    wire,
    target,
    counted,
    messages,
    send,
    answered: (count: number) =>
      until(
        () => Promise.resolve(messages.filter(({ id }) => id !== undefined)),
        ({ length }) => length >= count,
      ),
    letGo: () => reader.kill('SIGCONT'),
  };
}

const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a client that does not read its pipe', () => {
  it('costs a bounded number of bytes, gets every answer, and the last state of each task', async () => {
    const { wire, target, messages, send, answered, letGo } = await stopped();
    const args = { reports: 200, size: 16 * KIB };
    for (const id of [1, 2, 3]) {
      send(call(id, 'chatty', args, { task: {}, _meta: { progressToken: id } }));
    }
    let most = 0;
    for (let n = 0; n < 2_000; n += 1) {
      await turns(1);
      most = Math.max(most, wire.waiting + target.writableLength);
    }
    expect(most).toBeGreaterThan(64 * KIB);
    expect(most).toBeLessThan(MIB / 2);
    letGo();
    await answered(4);
    await until(
      () => Promise.resolve(messages.filter(({ params }) => params?.['status'] === 'completed')),
      ({ length }) => length === 3,
    );
    for (const token of [1, 2, 3]) {
      const progress = messages.filter(({ params }) => params?.['progressToken'] === token);
      expect(progress.at(-1)?.params?.['progress']).toBe(200);
      expect(progress.length).toBeLessThan(200);
    }
  });

  it('is answered no more requests when 1 MiB waits, and later all of them', async () => {
    const { wire, target, messages, send, answered, letGo } = await stopped();
    const size = 64 * KIB;
    for (let id = 0; id < 40; id += 1) send(call(id, 'chatty', { reports: 0, size }));
    await until(
      () => Promise.resolve(wire.waiting),
      (waiting) => waiting >= MIB,
    );
    for (let id = 40; id < 400; id += 1) send(call(id, 'chatty', { reports: 0, size }));
    await turns(500);
    expect(wire.waiting + target.writableLength).toBeLessThan(41 * (size + KIB));
    letGo();
    await answered(401);
    const ids = messages.flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
    expect(ids.sort((a, b) => a - b)).toEqual([...Array(400).keys()]);
  });

  it('loses log messages beyond 1 MiB, which the audit records, and no answer', async () => {
    const { audit, wire, send, answered, letGo, messages } = await stopped();
    send(call(1, 'chatty', { reports: 0, size: 16 * KIB, logs: 500 }));
    await until(
      () => Promise.resolve(audit),
      (events) => events.some(({ reason }) => reason === 'slow_reader'),
    );
    expect(wire.waiting).toBeLessThan(2 * MIB);
    letGo();
    await answered(2);
    expect(messages.filter(({ method }) => method === 'notifications/message').length).toBeLessThan(
      200,
    );
  });

  it('gets the messages of one turn in one write', async () => {
    const { counted, send, answered, letGo } = await stopped();
    letGo();
    await answered(1);
    counted.writes = counted.mostInOneTurn = 0;
    for (let id = 0; id < 160; id += 1) send(call(id, 'add', { a: id, b: 1 }));
    await answered(161);
    expect(counted.mostInOneTurn).toBe(1);
    expect(counted.writes).toBeLessThan(40);
  });
});
