import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import type { JsonObject } from '../../runtime/tasks/index.js';
import { connect, transportTo, WAYS } from '../client/harness.js';
import { legacy, modern, modernResponse, post, rig, tokenOf, until } from '../server/support.js';
import { release, signals, testTools } from '../server/tools.js';
import { sized } from '../support/size.js';
import { pipedTo } from '../support/stdio.js';
import { recordTelemetry } from '../support/telemetry.js';
import { defineTool } from '../../runtime/server/index.js';

const recorded = recordTelemetry();

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const REVISION = { core: '2025-11-25', ext: '2026-07-28' } as const;

const stepped = defineTool({
  name: 'stepped',
  description: 'Works in two steps.',
  input: z.object({}),
  taskSupport: 'required',
  async run({ task }) {
    await task.step('fetch', () => 1);
    await task.step('store', () => trace.getTracer('handler').startSpan('in a step').end());
    return propagation.getBaggage(context.active())?.getEntry('tenant')?.value ?? 'no baggage';
  },
});

const answer = {
  form: () => ({ action: 'accept' as const, content: { name: 'Ann' } }),
  sampling: () => ({
    model: 'test',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'Hello' },
  }),
};

function ofKind(kind: SpanKind, name: string): ReadableSpan | undefined {
  return recorded.named(name).find((span) => span.kind === kind);
}

/** A span is recorded after its task has ended. */
function spans(name: string, count: number): Promise<readonly ReadableSpan[]> {
  return until(
    () => Promise.resolve(recorded.named(name)),
    (found) => found.length >= count,
  );
}

function started(label: string): Promise<unknown> {
  return until(
    () => Promise.resolve(signals.get(label)),
    (signal) => signal !== undefined,
  );
}

const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;

describe.each(WAYS)('%s over %s', (dialect, kind) => {
  const connected = async (options = {}) =>
    connect(transportTo(await rig({ tools: [...testTools, stepped] }), kind), dialect, {
      answer,
      ...options,
    });

  it('a plain call is a client span with a server span inside', async () => {
    const { tasks } = await connected();
    await tasks.call('add', { a: 1, b: 2 });
    const [client, server] = [SpanKind.CLIENT, SpanKind.SERVER].map((each) =>
      ofKind(each, 'tools/call add'),
    );
    expect(client).toBeDefined();
    expect(parentOf(server)).toBe(idOf(client));
    expect(server?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'add',
      'mcp.protocol.version': REVISION[dialect],
      'network.transport': kind === 'http' ? 'tcp' : 'pipe',
      'jsonrpc.request.id': expect.stringMatching(/^\d+$/) as string,
    });
    expect(server?.attributes['network.protocol.name']).toBe(kind === 'http' ? 'http' : undefined);
    expect('mcp.session.id' in (server?.attributes ?? {})).toBe(
      kind === 'http' && dialect === 'core',
    );
    expect(server?.attributes['error.type']).toBeUndefined();
    expect(server?.status.code).toBe(SpanStatusCode.UNSET);
    expect(client?.attributes['gen_ai.tool.name']).toBe('add');
  });

  it('a task is one trace from its caller through its steps to its result', async () => {
    const { tasks } = await connected();
    const result = await tasks.call(
      'stepped',
      {},
      { meta: { traceparent: PARENT, baggage: 'tenant=acme' } },
    );
    expect(result).toMatchObject({ content: [{ text: 'acme' }] });
    const client = ofKind(SpanKind.CLIENT, 'tools/call stepped');
    const server = ofKind(SpanKind.SERVER, 'tools/call stepped');
    const [submitted] = recorded.named('tasks.submit');
    const [executed] = await spans('tasks.execute', 1);
    const steps = recorded.named('tasks.step');
    const chain = [client, server, submitted, executed, ...steps];
    expect(chain.map((span) => span?.spanContext().traceId)).toEqual(chain.map(() => TRACE_ID));
    expect(parentOf(client)).toBe('b7ad6b7169203331');
    expect(parentOf(server)).toBe(idOf(client));
    expect(parentOf(submitted)).toBe(idOf(server));
    expect(parentOf(executed)).toBe(idOf(submitted));
    expect(steps.map(parentOf)).toEqual([idOf(executed), idOf(executed)]);
    expect(steps.map(({ attributes }) => attributes['mcp.task.step'])).toEqual(['fetch', 'store']);
    expect(parentOf(recorded.named('in a step')[0])).toBe(idOf(steps[1]));
    expect(submitted?.kind).toBe(SpanKind.PRODUCER);
    expect(executed).toMatchObject({
      kind: SpanKind.CONSUMER,
      attributes: { 'mcp.task.status': 'completed', 'mcp.task.attempt': 1 },
    });
  });

  it('a failed call has its class of error, and a refused one only its code', async () => {
    const { tasks } = await connected();
    await tasks.call('failing', {}, { asTask: false }).catch(() => undefined);
    await tasks.call('no such tool').catch(() => undefined);
    // In the extension the server decides that this becomes a task.
    const [failed] = await spans(dialect === 'core' ? 'tools/call failing' : 'tasks.execute', 1);
    expect(failed?.attributes['error.type']).toBe('tool_error');
    expect(failed?.status.code).toBe(SpanStatusCode.ERROR);

    const refused = ofKind(SpanKind.SERVER, 'tools/call');
    expect(refused?.attributes).toMatchObject({ 'rpc.response.status_code': '-32602' });
    expect(refused?.attributes['gen_ai.tool.name']).toBeUndefined();
    expect(refused?.attributes['error.type']).toBeUndefined();
    const asked = ofKind(SpanKind.CLIENT, 'tools/call no such tool');
    expect(asked?.attributes['error.type']).toBe('-32602');
    expect(asked?.status.code).toBe(SpanStatusCode.ERROR);
  });

  it('a JSON-RPC error that a tool throws is an error on both sides', async () => {
    const { tasks } = await connected();
    await tasks.call('broken', {}, { asTask: false }).catch(() => undefined);
    const name = dialect === 'core' ? 'tools/call broken' : 'tasks.execute';
    for (const span of await spans(name, dialect === 'core' ? 2 : 1)) {
      expect(span.attributes['error.type']).toBe('-32055');
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'No such shelf' });
    }
  });

  it('every span ends, also of calls that are cancelled or lose their connection', async () => {
    const { tasks } = await connected();
    const stop = new AbortController();
    const label = `telemetry ${dialect} ${kind}`;
    const handle = await tasks.start('held', { label }, { signal: stop.signal });
    const ended = handle.result().catch(() => undefined);
    await started(label);
    stop.abort();
    await ended;
    release(label);
    const second = await tasks.start('held', { label: `${label} 2` });
    const lost = second.result().catch(() => undefined);
    await started(`${label} 2`);
    await tasks.close();
    await lost;
    release(`${label} 2`);
    await spans('tasks.execute', 2);
    const calls = [SpanKind.CLIENT, SpanKind.SERVER].map(
      (each) => recorded.named('tools/call held').filter((span) => span.kind === each).length,
    );
    expect(calls).toEqual([2, 2]);
  });
});

describe.each(['stdio', 'http'] as const)('questions of a server over %s', (kind) => {
  it("are client spans of the server, with the client's handler inside", async () => {
    const work = (): void => trace.getTracer('client').startSpan('asking the user').end();
    const form = () => {
      work();
      return answer.form();
    };
    const { tasks } = await connect(transportTo(await rig(), kind), 'core', {
      answer: { ...answer, form },
    });
    await tasks.call('asks', {}, { meta: { traceparent: PARENT } });
    const asked = ofKind(SpanKind.CLIENT, 'elicitation/create');
    const answered = ofKind(SpanKind.SERVER, 'elicitation/create');
    expect(asked).toBeDefined();
    expect(parentOf(answered)).toBe(idOf(asked));
    expect(parentOf(recorded.named('asking the user')[0])).toBe(idOf(answered));
    expect(answered?.attributes['error.type']).toBeUndefined();
  });
});

describe('what strangers send', () => {
  const hostile = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom('constructor', '__proto__', 'tools/call\n', 'ToOls/call', 'tools/call add'),
    fc.string({ minLength: 300, maxLength: 2_000 }),
  );
  const NAMES = new Set(
    ['initialize', 'notifications/initialized', 'tools/call', 'prompts/get'].concat('_OTHER'),
  );

  /** Raw messages, in both dialects. */
  async function sendAll(names: readonly string[]): Promise<void> {
    const server = await rig();
    const session = await legacy(server);
    for (const name of names) {
      await session.request(name, {});
      await session.request('tools/call', { name, arguments: {} });
      await session.request('prompts/get', { name });
      await post(
        server.http,
        { id: 1, method: name, params: { name } },
        { authorization: `Bearer ${tokenOf('ann')}` },
      );
      await modern(server, 'tools/call', { name: `x${name}`.replace(/[^ -~]|^ | $/g, '_') });
    }
  }

  it('becomes neither the name of a span nor an attribute of a metric', async () => {
    const sent: string[] = [];
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        if (testTools.some((tool) => tool.name === name)) return;
        sent.push(name);
        await sendAll([name]);
      }),
      { numRuns: sized(25) },
    );
    expect(recorded.spans().length).toBeGreaterThan(sent.length);
    expect(recorded.spans().filter(({ name }) => !NAMES.has(name))).toEqual([]);
    for (const { attributes } of await recorded.points('mcp.server.operation.duration')) {
      const tool = attributes['gen_ai.tool.name'];
      if (tool !== undefined)
        expect([...testTools, stepped].map(({ name }) => name)).toContain(tool);
      expect(attributes['gen_ai.prompt.name']).toBeUndefined();
    }
  });

  it('is not taken for a trace context when it is none', async () => {
    const server = await rig();
    for (const traceparent of ['', '00-0-0-0', 7, null, {}, ['x'], `00-${'0'.repeat(32)}-1-01`]) {
      const { result } = await modern(server, 'tools/call', {
        name: 'add',
        arguments: { a: 1, b: 2 },
        _meta: { traceparent, tracestate: traceparent, baggage: traceparent },
      });
      // The revision itself refuses what is not a string.
      if (typeof traceparent === 'string') expect(result).toBeDefined();
    }
    for (const span of recorded.spans()) expect(span.parentSpanContext).toBeUndefined();
  });
});

describe('requests that no connection receives', () => {
  it('have a span: subscriptions until they are acknowledged, and refusals with their code', async () => {
    const server = await rig();
    const stop = new AbortController();
    const started = await modern(server, 'tools/call', {
      name: 'held',
      arguments: { label: 'listened' },
    });
    const taskIds = [String((started.result as JsonObject)['taskId'])];
    const stream = await modernResponse(
      server,
      'subscriptions/listen',
      { notifications: { taskIds }, _meta: { traceparent: PARENT } },
      {},
      stop.signal,
    );
    expect(stream.status).toBe(200);
    const [listened] = recorded.named('subscriptions/listen');
    expect(listened?.spanContext().traceId).toBe(TRACE_ID);
    expect(listened?.attributes['error.type']).toBeUndefined();
    await stream.body?.cancel();
    stop.abort();
    release('listened');

    const mismatch = { headers: { 'mcp-method': 'tools/list' } };
    const refused = await modern(server, 'tasks/get', { taskId: 'x' }, mismatch);
    expect(refused.error?.code).toBe(-32020);
    expect(recorded.named('tasks/get')[0]?.attributes).toMatchObject({
      'rpc.response.status_code': '-32020',
      'error.type': '-32020',
    });
  });

  it('have a span over stdio too', async () => {
    const { server } = await rig();
    const mine = pipedTo(server);
    const { handle } = mine;
    const { tasks } = await connect(mine, 'ext');
    const task = await tasks.start('held', { label: 'listened over stdio' });
    const subscription = await tasks.subscribe({ tools: true }, () => undefined);
    onTestFinished(() => subscription.close().catch(() => undefined));
    release('listened over stdio');
    await task.result();
    await until(
      () => Promise.resolve(recorded.named('subscriptions/listen')),
      (spans) => spans.some((span) => span.kind === SpanKind.SERVER),
    );
    await handle.close();
  });
});

describe('the span of the transport', () => {
  it('is the parent where the request has no trace, and a link where it has one', async () => {
    const server = await rig();
    const http = trace.getTracer('http').startSpan('POST /mcp');
    const inside = trace.setSpan(context.active(), http);
    const call = (meta: JsonObject) =>
      context.with(inside, () =>
        modern(server, 'tools/call', { name: 'add', arguments: { a: 1, b: 1 }, _meta: meta }),
      );
    await call({});
    await call({ traceparent: PARENT });
    const [plain, traced] = recorded.named('tools/call add');
    expect(parentOf(plain)).toBe(http.spanContext().spanId);
    expect(plain?.links).toEqual([]);
    expect(parentOf(traced)).toBe('b7ad6b7169203331');
    expect(traced?.links.map((link) => link.context.spanId)).toEqual([http.spanContext().spanId]);
    http.end();
  });
});
