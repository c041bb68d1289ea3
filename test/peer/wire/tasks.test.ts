import { beforeAll, describe, expect, it } from 'vitest';
import {
  CANCELLED,
  createStatusNotifier,
  type StatusNotifier,
  related,
  toCoreTask,
} from '../../../runtime/peer/wire/core-task.js';
import { toDetailedTask, toExtTask } from '../../../runtime/peer/wire/ext-task.js';
import { ON_DEMAND } from '../../../runtime/peer/wire/on-demand.js';
import { loadRevisions, offeredVersions } from '../../../runtime/peer/wire/revision.js';
import type { JsonObject, TaskStatus } from '../../../runtime/tasks/index.js';
import { sampleTask } from '../../../runtime/testing/testkit/index.js';
import {
  ANN,
  heldTool,
  type ManualClock,
  manualClock,
  type Rig,
  rig,
  turns,
} from '../../tasks/support.js';

beforeAll(() => loadRevisions(offeredVersions(), true, ON_DEMAND));

const TASK = sampleTask(1, { createdAt: 0, updatedAt: 1_500, ttl: 60_000, pollInterval: 500 });
const RELATED = 'io.modelcontextprotocol/related-task';

describe('a task', () => {
  const times = {
    createdAt: '1970-01-01T00:00:00.000Z',
    lastUpdatedAt: '1970-01-01T00:00:01.500Z',
  };

  it('in the core dialect', () => {
    const shown = { taskId: TASK.id, status: 'working', ...times, ttl: 60_000, pollInterval: 500 };
    expect(toCoreTask(TASK)).toEqual(shown);
    expect(toCoreTask({ ...TASK, statusMessage: '' })).toEqual({ ...shown, statusMessage: '' });
  });

  it('in the extension', () => {
    const shown = {
      taskId: TASK.id,
      status: 'working',
      ...times,
      ttlMs: 60_000,
      pollIntervalMs: 500,
    };
    expect(toExtTask(TASK)).toEqual(shown);
    expect(toExtTask({ ...TASK, statusMessage: '' })).toEqual({ ...shown, statusMessage: '' });
    expect(toDetailedTask(TASK)).toEqual(shown);
  });

  it('in the extension has its open questions, its result, or its error', () => {
    const form = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
    const asked = { method: 'elicitation/create', params: JSON.stringify(form) };
    const input = [
      { key: 'old', ...asked, answer: '{"result":{}}' },
      { key: 'input-1', ...asked },
    ];
    expect(toDetailedTask({ ...TASK, status: 'input_required', input })).toEqual({
      ...toExtTask({ ...TASK, status: 'input_required' }),
      inputRequests: { 'input-1': { method: 'elicitation/create', params: form } },
    });
    const result = { content: [], resultType: 'complete' };
    expect(
      toDetailedTask({ ...TASK, status: 'completed', outcome: JSON.stringify({ result }) }),
    ).toMatchObject({ status: 'completed', result });
    const error = { code: -1, message: 'No' };
    expect(
      toDetailedTask({ ...TASK, status: 'failed', outcome: JSON.stringify({ error }) }),
    ).toMatchObject({ status: 'failed', error });
    expect(toDetailedTask({ ...TASK, status: 'cancelled' })).toMatchObject({ status: 'cancelled' });
  });

  it.each<[TaskStatus, string, RegExp]>([
    ['completed', '{"result":{"content":7}}', /\/content/],
    ['completed', '{"error":{"code":-1,"message":"No"}}', /result is missing/],
    ['failed', '{"error":{"code":"x","message":"No"}}', /code/],
  ])('that is %s with %s is shown as failed', (status, outcome, problem) => {
    const shown = toDetailedTask({ ...TASK, status, outcome });
    expect(shown).toEqual({
      ...toExtTask({ ...TASK, status: 'failed' }),
      statusMessage: expect.stringMatching(problem) as string,
      error: { code: -32603, message: shown['statusMessage'] },
    });
    expect(shown['statusMessage']).toMatch(/^The task holds what cannot be sent: /);
  });
});

it('a value of the core dialect names its task beside its other metadata', () => {
  const own = { [RELATED]: { taskId: 'a' } };
  expect(related({ n: 1 }, 'a')).toEqual({ n: 1, _meta: own });
  expect(related({ _meta: { trace: 't', [RELATED]: 7 } }, 'a')).toEqual({
    _meta: { trace: 't', ...own },
  });
  expect(related({ _meta: [1] }, 'a')).toEqual({ _meta: own });
});

it('a cancelled task has the code of the Language Server Protocol', () => {
  expect(CANCELLED).toBe(-32800);
});

describe('the notifications of a session', () => {
  interface Followed {
    readonly tasks: Rig;
    readonly clock: ManualClock;
    readonly notifier: StatusNotifier;
    readonly tool: ReturnType<typeof heldTool>;
    readonly sent: { readonly method: string; readonly params: JsonObject }[];
    readonly statuses: () => unknown[];
  }

  /** `fails`: no notification reaches the client. */
  async function session(limits = {}, fails = false): Promise<Followed> {
    const tool = heldTool();
    const clock = manualClock();
    const tasks = await rig({ slow: tool.run }, { clock, limits });
    const sent: { readonly method: string; readonly params: JsonObject }[] = [];
    const notifier = createStatusNotifier(tasks.engine, (notification) => {
      sent.push(notification);
      return fails ? Promise.reject(new Error('gone')) : Promise.resolve();
    });
    return {
      tasks,
      clock,
      notifier,
      tool,
      sent,
      statuses: () => sent.map(({ params }) => params['status']),
    };
  }

  it('have each change of a task until its end, and then its listener is free', async () => {
    const { tasks, notifier, tool, sent } = await session({ listenersPerOwner: 1 });
    const created = await tasks.start('slow');
    await notifier.follow(ANN, created);
    await turns();
    await tool.contexts[0]?.task.setStatus('Half way');
    tool.release();
    await turns();
    expect(sent).toMatchObject([
      { params: { taskId: created.id, status: 'working', statusMessage: 'Half way' } },
      { params: { taskId: created.id, status: 'completed' } },
    ]);
    expect(new Set(sent.map(({ method }) => method))).toEqual(
      new Set(['notifications/tasks/status']),
    );
    (await tasks.engine.subscribe(ANN, created.id, () => undefined)).end();
  });

  it('have the change of a task that came before they began', async () => {
    const { tasks, notifier, statuses } = await session({ listenersPerOwner: 1 });
    const created = await tasks.start('slow');
    await notifier.follow(ANN, created);
    expect(statuses()).toEqual([]);
    const other = await tasks.start('slow', {}, { ...ANN, owner: 'other' });
    await tasks.engine.cancel(other, other.id);
    await notifier.follow(other, other);
    expect(statuses()).toEqual(['cancelled']);
    (await tasks.engine.subscribe(other, other.id, () => undefined)).end();
  });

  it('have progress with the token of the request, and none without a token', async () => {
    const { tasks, notifier, tool, sent } = await session();
    const followed = await tasks.start('slow', { meta: { progressToken: 'p' } });
    const silent = await tasks.start('slow');
    for (const task of [followed, silent]) await notifier.follow(ANN, task);
    await turns();
    for (const { task } of tool.contexts) task.progress({ progress: 1, total: 2, message: 'x' });
    expect(sent).toEqual([
      {
        method: 'notifications/progress',
        params: {
          progressToken: 'p',
          progress: 1,
          total: 2,
          message: 'x',
          _meta: { [RELATED]: { taskId: followed.id } },
        },
      },
    ]);
  });

  it('have the last progress of a loop that awaits nothing, before the end', async () => {
    const { tasks, notifier, tool, sent } = await session();
    const { id } = await tasks.start('slow', { meta: { progressToken: 'p' } });
    await notifier.follow(ANN, await tasks.engine.get(ANN, id));
    await turns();
    for (let progress = 1; progress <= 20; progress += 1)
      tool.contexts[0]?.task.progress({ progress });
    expect(sent).toHaveLength(16);
    tool.release();
    await turns();
    expect(sent.slice(16)).toMatchObject([
      { params: { progress: 20 } },
      { params: { status: 'completed' } },
    ]);
  });

  it('end when the task expires', async () => {
    const { tasks, clock, notifier, statuses } = await session({ listenersPerOwner: 1 });
    const [short, other] = [await tasks.start('slow', { ttl: 10 }), await tasks.start('slow')];
    await notifier.follow(ANN, short);
    await clock.advance(10);
    expect(statuses()).toEqual([]);
    (await tasks.engine.subscribe(ANN, other.id, () => undefined)).end();
  });

  it('leave a task out when its owner has too many listeners', async () => {
    const { tasks, notifier, statuses } = await session({ listenersPerOwner: 1 });
    const [first, second] = [await tasks.start('slow'), await tasks.start('slow')];
    await notifier.follow(ANN, first);
    await notifier.follow(ANN, second);
    await tasks.engine.cancel(ANN, second.id);
    expect(statuses()).toEqual([]);
    await tasks.engine.cancel(ANN, first.id);
    expect(statuses()).toEqual(['cancelled']);
  });

  it('end with the session, and free its listeners', async () => {
    const { tasks, notifier, statuses } = await session({ listenersPerOwner: 1 });
    const created = await tasks.start('slow');
    await notifier.follow(ANN, created);
    notifier.close();
    (await tasks.engine.subscribe(ANN, created.id, () => undefined)).end();
    await tasks.engine.cancel(ANN, created.id);
    expect(statuses()).toEqual([]);
  });

  it('that fail break nothing', async () => {
    const { tasks, notifier, tool, sent } = await session({}, true);
    const created = await tasks.start('slow', { meta: { progressToken: 'p' } });
    await notifier.follow(ANN, created);
    await turns();
    tool.contexts[0]?.task.progress({ progress: 1 });
    tool.release();
    await turns();
    expect(sent).toHaveLength(2);
    expect((await tasks.engine.get(ANN, created.id)).status).toBe('completed');
  });
});
