import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import {
  type Answer,
  EVERY_ASK,
  legacy,
  type LegacyClient,
  messagesOf,
  modern,
  modernResponse,
  post,
  type Rig,
  rig,
  tokenOf,
} from './support.js';
import { sized } from '../support/size.js';

/** One user with two applications, and another user of one of them. */
const OWNERS = [tokenOf('ann'), tokenOf('ann', 'other'), tokenOf('bob')] as const;
const DIALECTS: readonly Dialect[] = ['core', 'ext'];

interface Known {
  readonly owner: number;
  readonly dialect: Dialect;
  readonly id: string;
}

/** What a caller does with an id, and gets to see. */
type Attempt = (world: World, caller: number, id: string) => Promise<unknown>;

interface World {
  readonly rigged: Rig;
  readonly sessions: readonly LegacyClient[];
  readonly tasks: Known[];
}

const ANSWER = { action: 'accept', content: { name: 'Mallory' } };

const inSession =
  (method: string): Attempt =>
  ({ sessions }, caller, id) =>
    ask(sessions[caller], method, { taskId: id });
const inRequest =
  (method: string, more: JsonObject = {}): Attempt =>
  ({ rigged }, caller, id) =>
    modern(rigged, method, { taskId: id, ...more }, { token: OWNERS[caller] });

const ATTEMPTS: Readonly<Record<Dialect, readonly Attempt[]>> = {
  core: [
    ...['tasks/get', 'tasks/result', 'tasks/cancel'].map(inSession),
    ({ sessions }, caller, id) => ask(sessions[caller], 'tasks/list', { cursor: id }),
    ({ sessions }, caller, id) => ask(sessions[caller], 'tasks/list', { cursor: `${id}.x` }),
  ],
  ext: [
    inRequest('tasks/get'),
    inRequest('tasks/cancel'),
    inRequest('tasks/update', { inputResponses: { name: ANSWER } }),
    inRequest('tasks/update', { inputResponses: {} }),
    async ({ rigged }, caller, id) => {
      const notifications = { taskIds: [id] };
      const response = await modernResponse(
        rigged,
        'subscriptions/listen',
        { notifications },
        { token: OWNERS[caller] },
      );
      const messages: unknown[] = [];
      for await (const message of messagesOf(response)) messages.push(message);
      return messages;
    },
  ],
};

function ask(client: LegacyClient | undefined, method: string, params: object): Promise<Answer> {
  if (client === undefined) throw new Error('There is no such session');
  return client.request(method, params);
}

/** A task as its owner sees it. */
function seenBy({ rigged, sessions }: World, { owner, dialect, id }: Known): Promise<Answer> {
  return dialect === 'core'
    ? ask(sessions[owner], 'tasks/get', { taskId: id })
    : modern(rigged, 'tasks/get', { taskId: id }, { token: OWNERS[owner] });
}

async function create(world: World, owner: number, dialect: Dialect, call: JsonObject) {
  const { rigged, sessions, tasks } = world;
  const { result } =
    dialect === 'core'
      ? await ask(sessions[owner], 'tools/call', { ...call, task: {} })
      : await modern(rigged, 'tools/call', call, { token: OWNERS[owner] });
  const { taskId } = (dialect === 'core' ? result?.['task'] : result) as { taskId: string };
  const task = { owner, dialect, id: taskId };
  tasks.push(task);
  // Until it changes no more by itself.
  const isSettled = ({ result: seen }: Answer): boolean =>
    seen?.['status'] !== 'working' || call['name'] === 'wait';
  while (!isSettled(await seenBy(world, task))) await new Promise((resolve) => setTimeout(resolve));
}

/** Another id of the same form, which no task has. */
function neverWas(id: string): string {
  const last = id.at(-1) === 'A' ? 'B' : 'A';
  return id.slice(0, -1) + last;
}

/** A message without its own id, and without that of the task. */
function without(seen: unknown, id: string): string {
  return JSON.stringify(seen)
    .replaceAll(id, '{id}')
    .replaceAll(/"(?:id|io\.modelcontextprotocol\/subscriptionId)":\d+/g, '"id":0');
}

const owner = fc.nat(OWNERS.length - 1);
const dialect = fc.constantFrom(...DIALECTS);
const calls = fc.constantFrom<JsonObject>(
  { name: 'wait', arguments: { ms: 1e8 } },
  { name: 'asks', arguments: {} },
  { name: 'failing', arguments: {} },
  { name: 'broken', arguments: {} },
);
const steps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create'), owner, dialect, call: calls }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), task: fc.nat(20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('attempt'),
      caller: owner,
      task: fc.nat(20),
      dialect,
      attempt: fc.nat(4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('inject'),
      caller: owner,
      into: owner,
      id: fc.nat(5),
    }),
  },
);
type Step = Readonly<Record<'owner' | 'caller' | 'task' | 'attempt' | 'into' | 'id', number>> & {
  readonly kind: string;
  readonly dialect: Dialect;
  readonly call: JsonObject;
};

async function attempt(world: World, { caller, task, dialect: spoken, attempt: index }: Step) {
  const target = world.tasks[task % world.tasks.length];
  if (target === undefined) return;
  if (target.owner === caller && target.dialect === spoken) return;
  const act = ATTEMPTS[spoken][index] as Attempt;
  const before = await seenBy(world, target);
  const never = neverWas(target.id);
  const seen = await act(world, caller, target.id);
  const other = await act(world, caller, never);
  expect(without(seen, target.id)).toBe(without(other, never));
  expect(await seenBy(world, target)).toEqual(before);
}

/** Sends an answer to a question with a guessed id, in a caller's own session or in that of another one. */
async function inject({ rigged, sessions }: World, { caller, into, id }: Step): Promise<void> {
  const sessionId = sessions[into]?.sessionId ?? '';
  const response = await post(
    rigged.http,
    { id, result: ANSWER },
    {
      authorization: `Bearer ${OWNERS[caller]}`,
      'mcp-session-id': sessionId,
      'mcp-protocol-version': '2025-11-25',
    },
  );
  expect(response.status).toBe(caller === into ? 202 : 404);
}

async function take(world: World, step: Step): Promise<void> {
  if (step.kind === 'create') await create(world, step.owner, step.dialect, step.call);
  if (step.kind === 'attempt') await attempt(world, step);
  if (step.kind === 'inject') await inject(world, step);
  if (step.kind === 'cancel') {
    const task = world.tasks[step.task % world.tasks.length];
    if (task !== undefined) {
      await (ATTEMPTS[task.dialect][task.dialect === 'core' ? 2 : 1] as Attempt)(
        world,
        task.owner,
        task.id,
      );
    }
  }
}

const numRuns = sized(60);

it('SEC-1 SEC-2 no caller learns of the tasks of another one, or changes them', async () => {
  const rigged = await rig({ limits: { readsPerSecond: 1e9, readBurst: 1e9 } });
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 16 }), async (drawn) => {
      const sessions = await Promise.all(
        OWNERS.map((token) => legacy(rigged, { token, capabilities: EVERY_ASK })),
      );
      const world: World = { rigged, sessions, tasks: [] };
      for (const each of drawn) await take(world, each as unknown as Step);
      for (const [index, session] of sessions.entries()) {
        const { result } = await session.request('tasks/list');
        const listed = JSON.stringify(result);
        for (const { owner: of, dialect: spoken, id } of world.tasks) {
          expect(listed.includes(id)).toBe(of === index && spoken === 'core');
        }
      }
    }),
    { numRuns },
  );
});
