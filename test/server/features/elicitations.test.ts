import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { RELATED_TASK } from '../../../runtime/peer/wire/core-task.js';
import { defineTool } from '../../../runtime/server/tool.js';
import type { TaskControls } from '../../../runtime/tasks/index.js';
import { sharedStore } from '../../tasks/support.js';
import { until } from '../support.js';
import { CORE, EXT, OLDER, serverOf, settled, type Wire, wireOf } from './wire.js';

const COMPLETE = 'notifications/elicitation/complete';
const ID = 'pay-1';
const URL_CLIENT = {
  capabilities: { elicitation: { url: {} } },
  answers: { 'elicitation/create': () => ({ action: 'accept' }) },
};

interface Run {
  task?: TaskControls;
  /** Resolves when the user is done. */
  done?: Promise<void>;
}

/** Sends the user to a page, and ends the question when the user is done there. */
function payment(run: Run = {}, id = ID) {
  return defineTool({
    name: 'pay',
    description: 'Pays',
    input: z.object({ asks: z.boolean().default(true) }),
    taskSupport: 'optional',
    retryable: true,
    async run({ args, task }) {
      run.task = task;
      const question = { mode: 'url', message: 'Pay', url: 'https://shop.example/1' };
      if (args.asks) await task.elicit({ ...question, elicitationId: ID });
      await task.setStatus('Paying');
      await run.done;
      await task.elicitationComplete(id);
      return 'Paid';
    },
  });
}

const call = (args: object = {}) => ({ name: 'pay', arguments: { ...args } });
const announced = ({ notifications }: Wire): unknown[] =>
  notifications.filter(({ method }) => method === COMPLETE).map(({ params }) => params);

describe('the end of a question by URL', () => {
  it('is announced on the stream of a plain call, before its result', async () => {
    const wire = await wireOf(CORE, { tools: [payment()] }, URL_CLIENT);
    const { line, result } = wire.open('tools/call', call());
    await result;
    expect(line.sent).toMatchObject([
      { method: 'elicitation/create' },
      { method: COMPLETE, params: { elicitationId: ID } },
      { result: { content: [{ text: 'Paid' }] } },
    ]);
    expect(wire.standalone.sent).toEqual([]);
  });

  it('is announced in the session when the call is answered', async () => {
    const run: Run = {};
    const wire = await wireOf(CORE, { tools: [payment(run)] }, URL_CLIENT);
    await wire.request('tools/call', call());
    await run.task?.elicitationComplete('later');
    await settled();
    expect(wire.standalone.sent).toMatchObject([
      { method: COMPLETE, params: { elicitationId: 'later' } },
    ]);
  });

  it('is announced to no client that cannot be asked by URL', async () => {
    const form = { capabilities: { elicitation: { form: {} } } };
    const wire = await wireOf(CORE, { tools: [payment()] }, form);
    await wire.request('tools/call', call({ asks: false }));
    expect(wire.notifications).toEqual([]);
  });

  it.each([...OLDER, EXT] as const)('has no notification in %s', async (version) => {
    const wire = await wireOf(version, { tools: [payment()] }, URL_CLIENT);
    const { content } = await wire.request('tools/call', call({ asks: false }));
    expect(content).toEqual([{ type: 'text', text: 'Paid' }]);
    expect(wire.notifications).toEqual([]);
  });
});

describe('the end of a question by URL in a task', () => {
  async function started({ request }: Wire): Promise<{ readonly taskId: string }> {
    const { task } = await request('tools/call', { ...call(), task: {} });
    return { taskId: (task as { taskId: string }).taskId };
  }

  it('CORE-INP-2 is announced on the stream of tasks/result, with the task in _meta', async () => {
    const wire = await wireOf(CORE, { tools: [payment()] }, URL_CLIENT);
    const task = await started(wire);
    const { line, result } = wire.open('tasks/result', task);
    await result;
    const own = { _meta: { [RELATED_TASK]: task } };
    expect(line.sent).toMatchObject([
      { method: 'elicitation/create', params: own },
      { method: COMPLETE, params: { elicitationId: ID, ...own } },
      { result: { content: [{ text: 'Paid' }] } },
    ]);
  });

  it.each([
    ['once, to the client that was asked', false],
    ['on another node than the one that runs the task', true],
  ])('is announced %s', async (_, elsewhere) => {
    const store = sharedStore();
    let done = (): void => undefined;
    const run = { done: new Promise<void>((resolve) => (done = resolve)) };
    const node = () => serverOf({ tools: [payment(run)], store });
    const first = await node();
    const second = elsewhere ? await node() : first;
    const asked = await wireOf(CORE, {}, { ...URL_CLIENT, served: second });
    const task = await started(await wireOf(CORE, {}, { ...URL_CLIENT, served: first }));
    const result = asked.request('tasks/result', task);
    await until(
      () => asked.request('tasks/get', task),
      ({ status, statusMessage }) => status === 'working' && statusMessage === 'Paying',
    );
    const other = await wireOf(CORE, {}, { ...URL_CLIENT, served: second });
    const otherResult = other.request('tasks/result', task);
    done();
    await Promise.all([result, otherResult]);
    for (const { request } of [asked, other]) await request('tasks/result', task);
    expect([asked, other].map((wire) => announced(wire).length)).toEqual([1, 0]);
  });

  it('rejects for an id with which the task has not asked', async () => {
    const wire = await wireOf(CORE, { tools: [payment({}, 'pay-2')] }, URL_CLIENT);
    const task = await started(wire);
    await expect(wire.request('tasks/result', task)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('"pay-2"') as string,
    });
    expect(announced(wire)).toEqual([]);
  });
});
