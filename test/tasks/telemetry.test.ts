import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';

import { recordTelemetry } from '../support/telemetry.js';
import { type HandlerContext, TaskError } from '../../runtime/tasks/index.js';
import { ANN, ANN_EXT, ending, heldTool, refusal, rig, sharedStore, turns } from './support.js';

const recorded = recordTelemetry();

const traceId = '0af7651916cd43dd8448eb211c80319c';
const meta = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

const done = () => ({ content: [] });
const ENDED = 'mcp.tasks.ended';

describe('telemetry', () => {
  it("is one trace from the requestor's, through submission and execution, to retrieval", async () => {
    const tasks = await rig({
      inner: () => {
        trace.getTracer('handler').startSpan('handler work').end();
        return { content: [] };
      },
    });
    await ending(tasks, await tasks.start('inner', { meta }));
    await turns();
    const finished = recorded.spans();
    expect(finished.map(({ name }) => name).sort()).toEqual([
      'handler work',
      'tasks.execute',
      'tasks.retrieve',
      'tasks.submit',
    ]);
    const named = (name: string) => finished.find((span) => span.name === name);
    for (const span of finished) expect(span.spanContext().traceId).toBe(traceId);
    const submitted = named('tasks.submit')?.spanContext().spanId;
    expect(named('tasks.execute')?.parentSpanContext?.spanId).toBe(submitted);
    expect(named('tasks.retrieve')?.parentSpanContext?.spanId).toBe(submitted);
    expect(named('handler work')?.parentSpanContext?.spanId).toBe(
      named('tasks.execute')?.spanContext().spanId,
    );
  });

  it.each([ANN, ANN_EXT])('has failed work as failed, in the dialect $dialect', async (caller) => {
    const tasks = await rig({
      [`fail-${caller.dialect}`]: () => Promise.reject(new Error('No paper')),
      [`report-${caller.dialect}`]: () => ({
        isError: true,
        content: [{ type: 'text', text: 'No ink' }],
      }),
      [`done-${caller.dialect}`]: done,
    });
    const run = async (tool: string): Promise<void> => {
      const { id } = await tasks.engine.create(caller, { method: 'tools/call', tool, args: {} });
      await tasks.engine.wait(caller, id);
    };
    const tools = ['fail', 'report', 'done'].map((name) => `${name}-${caller.dialect}`);
    for (const tool of tools) await run(tool);
    await turns();
    const spans = recorded.named('tasks.execute').map(({ attributes, status }) => ({
      status: attributes['mcp.task.status'],
      isError: attributes['error.type'] !== undefined && status.code === SpanStatusCode.ERROR,
      message: status.message,
    }));
    expect(spans).toEqual([
      { status: 'failed', isError: true, message: 'No paper' },
      { status: 'failed', isError: true, message: 'No ink' },
      { status: 'completed', isError: false, message: undefined },
    ]);
    const metrics = await recorded.metrics();
    const { dataPoints = [] } = metrics.find(({ descriptor }) => descriptor.name === ENDED) ?? {};
    const endings = tools.map((tool) =>
      dataPoints.flatMap(
        ({ attributes: { 'gen_ai.tool.name': name, 'mcp.task.status': status } }) =>
          name === tool ? [status] : [],
      ),
    );
    expect(endings).toEqual([['failed'], ['failed'], ['completed']]);
  });

  it('goes on in the trace of the submission on another node, attempt by attempt', async () => {
    const store = sharedStore();
    const lost = heldTool();
    const first = await rig({ work: { ...lost, retryable: true } }, { store });
    const task = await first.start('work', { meta });
    await turns();
    expect(lost.contexts).toHaveLength(1);
    // Released, because its process stops; taken over by a node that never saw the request.
    await first.engine.close(0);
    const inProcess = { leaseMs: 40 };
    const work = {
      retryable: true,
      run: ({ task: controls }: HandlerContext) => controls.step(done),
    };
    const second = await rig({ work }, { store, inProcess });
    await ending(second, task);
    lost.release();
    await turns();
    const [submitted] = recorded.named('tasks.submit');
    const executed = recorded.named('tasks.execute');
    expect(executed).toHaveLength(2);
    for (const { parentSpanContext, attributes } of executed) {
      expect(parentSpanContext?.spanId).toBe(submitted?.spanContext().spanId);
      expect(attributes['mcp.task.id']).toBe(task.id);
    }
    const [step] = recorded.named('tasks.step');
    expect(step?.spanContext().traceId).toBe(traceId);
    expect(executed.map((span) => span.spanContext().spanId)).toContain(
      step?.parentSpanContext?.spanId,
    );
  });

  it('SEC-8 counts creations, ends, failed look-ups and over-eager polls', async () => {
    const tasks = await rig({ never: () => new Promise(() => undefined) });
    const { id } = await tasks.start('never');
    await refusal(tasks.engine.get(ANN, 'bogus'));
    for (let poll = 0; poll < 3; poll += 1) await tasks.engine.get(ANN, id);
    await tasks.engine.cancel(ANN, id);
    const total = async (name: string): Promise<number> => {
      const points = await recorded.points(name);
      return points.reduce((sum, { value }) => sum + Number(value), 0);
    };
    expect(await total('mcp.tasks.created')).toBeGreaterThanOrEqual(1);
    expect(await total('mcp.tasks.ended')).toBeGreaterThanOrEqual(1);
    expect(await total('mcp.tasks.refused')).toBe(1);
    expect(await total('mcp.tasks.eager_polls')).toBe(2);
  });

  it('names the tool, the method, the task and the attempt in each span', async () => {
    const tasks = await rig({
      named: async ({ task }) => {
        await task.step('load', () => 1);
        return { content: [] };
      },
    });
    const { task } = await ending(tasks, await tasks.start('named', { meta }));
    await turns();
    const requested = {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'named',
    };
    const ofTask = { ...requested, 'mcp.task.id': task.id };
    const attributesOf = (name: string) =>
      recorded.named(name).map(({ attributes, kind }) => [kind, attributes]);
    expect(attributesOf('tasks.submit')).toEqual([[SpanKind.PRODUCER, requested]]);
    expect(attributesOf('tasks.execute')).toEqual([
      [SpanKind.CONSUMER, { ...ofTask, 'mcp.task.attempt': 1, 'mcp.task.status': 'completed' }],
    ]);
    expect(attributesOf('tasks.step')).toEqual([
      [SpanKind.INTERNAL, { ...ofTask, 'mcp.task.step': 'load' }],
    ]);
    expect(attributesOf('tasks.retrieve')).toEqual([[SpanKind.INTERNAL, ofTask]]);
  });

  it('names no tool for another request', async () => {
    const method = 'sampling/createMessage';
    const tasks = await rig({ [method]: done });
    const { id } = await tasks.engine.create(ANN, { method, args: {} });
    await tasks.engine.wait(ANN, id);
    await turns();
    expect(recorded.named('tasks.submit').map(({ attributes }) => attributes)).toEqual([
      { 'mcp.method.name': method },
    ]);
  });

  it.each<[string, Error, string, string]>([
    ['code', Object.assign(new Error('No city'), { code: -32050 }), '-32050', 'No city'],
    ['kind', new Error('No paper'), 'tool_error', 'No paper'],
  ])('has the %s of the error that a handler ended with', async (_, error, type, message) => {
    const tasks = await rig({ fails: () => Promise.reject(error) });
    await ending(tasks, await tasks.start('fails'));
    await turns();
    expect(recorded.named('tasks.execute')).toMatchObject([
      { attributes: { 'error.type': type }, status: { code: SpanStatusCode.ERROR, message } },
    ]);
  });

  it.each<[unknown, string, string]>([
    [new RangeError('Too far'), 'RangeError', 'Too far'],
    ['text', '_OTHER', 'text'],
    [new TaskError('limit', 'Too much'), 'limit', 'Too much'],
  ])('has the class of the error that a step threw: %s', async (error, type, message) => {
    const tasks = await rig({
      steps: async ({ task }) => {
        await task
          .step('bad', () => {
            throw error as Error;
          })
          .catch(() => undefined);
        return { content: [] };
      },
    });
    await ending(tasks, await tasks.start('steps'));
    await turns();
    expect(recorded.named('tasks.step')).toMatchObject([
      { attributes: { 'error.type': type }, status: { code: SpanStatusCode.ERROR, message } },
    ]);
    expect(recorded.named('tasks.execute')[0]?.attributes).not.toHaveProperty(['error.type']);
  });

  it('has the reason of a creation that was refused', async () => {
    const tasks = await rig({ slow: heldTool().run }, { limits: { livePerOwner: 1 } });
    await tasks.start('slow');
    await refusal(tasks.start('slow'));
    const types = recorded.named('tasks.submit').map(({ attributes }) => attributes['error.type']);
    expect(types).toEqual([undefined, 'limit']);
  });

  it('begins in the span that is active where the request has no trace', async () => {
    const tasks = await rig({ quick: done });
    const tracer = trace.getTracer('caller');
    await tracer.startActiveSpan('request', async (span) => {
      await ending(tasks, await tasks.start('quick'));
      span.end();
    });
    await turns();
    const parent = recorded.named('request')[0]?.spanContext().spanId;
    expect(recorded.named('tasks.submit')[0]?.parentSpanContext?.spanId).toBe(parent);
    // The retrieval joins the trace of the task, and links to the request that made it.
    const [retrieved] = recorded.named('tasks.retrieve');
    expect(retrieved?.links.map(({ context: { spanId } }) => spanId)).toEqual([parent]);
    expect(retrieved?.parentSpanContext?.spanId).toBe(
      recorded.named('tasks.submit')[0]?.spanContext().spanId,
    );
  });

  it('has no span for the retrieval of a live task, nor a link without a request', async () => {
    const tool = heldTool({ content: [] });
    const tasks = await rig({ slow: tool.run });
    const { id } = await tasks.start('slow');
    await tasks.engine.get(ANN, id);
    expect(recorded.named('tasks.retrieve')).toEqual([]);
    tool.release();
    await tasks.engine.wait(ANN, id);
    expect(recorded.named('tasks.retrieve').map(({ links }) => links)).toEqual([[]]);
  });

  it('counts the slots of an engine until that closes', async () => {
    const slots = async (): Promise<unknown> =>
      (await recorded.points('mcp.tasks.slots.limit')).at(-1)?.value;
    await rig({}, { inProcess: { concurrency: 5 } });
    const second = await rig({}, { inProcess: { concurrency: 3 } });
    // Both report the same gauge, the later one last.
    expect(await slots()).toBe(3);
    await second.engine.close(0);
    expect(await slots()).toBe(5);
  });
});
