import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { defineTool, rpcError } from '../../runtime/server/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { dialectOf, revisionOf } from '../../runtime/client/revisions.js';
import { sized } from '../support/size.js';
import { ended, reaches, startCore, startExt } from './steps.js';
import {
  type Answer,
  EVERY_ASK,
  legacy,
  messagesOf,
  modern,
  modernResponse,
  type Rig,
  rig,
  until,
} from './support.js';

/** Tools end as badly as they like; what is sent stays valid, and says what happened. */

await Promise.all([revisionOf('2025-11-25'), revisionOf('2026-07-28')]);
const { revision: core } = dialectOf('core');
const { revision: ext } = dialectOf('ext');
const undeclared = { capabilities: EVERY_ASK };
const declared = { capabilities: { ...EVERY_ASK, extensions: { [EXTENSION_ID]: {} } } };

/** A server whose only tool ends like this. */
function ending(run: () => unknown): Promise<Rig> {
  const tool = defineTool({
    name: 'ends',
    description: 'Ends.',
    input: z.object({}),
    taskSupport: 'optional',
    run: run as () => string,
  });
  return rig({ tools: [tool], limits: { resultBytes: 10_000 } });
}

function throwing(value: unknown): () => never {
  return () => {
    throw value;
  };
}

/** The answers that each way of calling gets, which have to be valid; a task's is the inner one. */
async function answersOf(rigged: Rig): Promise<Record<string, Answer>> {
  const client = await legacy(rigged);
  const plainCore = await client.request('tools/call', { name: 'ends' });
  const plainExt = await modern(rigged, 'tools/call', { name: 'ends' }, undeclared);
  const { taskId } = await startCore(client, 'ends');
  await ended(client, taskId);
  const { result: found } = await client.request('tasks/get', { taskId });
  expect(core.checkResult('tasks/get', found)).toBeUndefined();
  const coreTask = await client.request('tasks/result', { taskId });

  const extId = await startExt(rigged, 'ends');
  const extTask = await until(
    async () => (await modern(rigged, 'tasks/get', { taskId: extId })).result ?? {},
    ({ status }) => status !== 'working',
  );
  expect(ext.checkResult('tasks/get', extTask)).toBeUndefined();
  const told = await firstNotification(rigged, extId);
  expect(told).toEqual({ result: extTask['result'], error: extTask['error'] });

  const { result, error } = extTask as { result?: JsonObject; error?: Answer['error'] };
  const answers = {
    plainCore,
    plainExt,
    coreTask,
    extTask: { status: 200, ...(result && { result }), ...(error && { error }) },
  };
  for (const [way, answer] of Object.entries(answers)) {
    const revision = way.endsWith('Ext') || way === 'extTask' ? ext : core;
    expect([way, answer.result ?? answer.error]).not.toEqual([way, undefined]);
    if (answer.result) expect(revision.checkToolResult(answer.result)).toBeUndefined();
  }
  return answers;
}

async function firstNotification(rigged: Rig, taskId: string): Promise<JsonObject> {
  const params = { notifications: { taskIds: [taskId] } };
  const response = await modernResponse(rigged, 'subscriptions/listen', params, declared);
  for await (const message of messagesOf(response)) {
    if (message.method !== 'notifications/tasks') continue;
    expect(ext.check(message, 'server')).toBeUndefined();
    return { result: message.params?.['result'], error: message.params?.['error'] };
  }
  throw new Error('The stream told of no task');
}

describe('a tool that throws', () => {
  it('EXT-GET-2 EXT-GET-3 CORE-RES-1 is a valid result with its message, in every way of calling', async () => {
    const answers = await answersOf(await ending(throwing(new Error('No such shelf'))));
    for (const { result } of Object.values(answers)) {
      expect(result).toMatchObject({ isError: true, content: [{ text: 'No such shelf' }] });
    }
    expect(answers['extTask']?.result).toMatchObject({ resultType: 'complete' });
  });

  it('EXT-GET-2 CORE-RES-1 whatever it throws is answered, and the answer is valid', async () => {
    const thrown = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
      fc.record({ code: fc.anything(), message: fc.anything(), data: fc.anything() }),
      fc.record({ code: fc.integer(), message: fc.string(), data: fc.bigInt() }),
      fc.anything().map((message) => Object.assign(new Error(), { message })),
    );
    await fc.assert(
      fc.asyncProperty(thrown, async (value) => {
        await answersOf(await ending(throwing(value)));
      }),
      { numRuns: sized(60), seed: 7 },
    );
  });

  it('keeps a JSON-RPC error whose data is not JSON, without the data', async () => {
    const answers = await answersOf(await ending(throwing(rpcError(-32055, 'Full', { n: 1n }))));
    for (const { error } of Object.values(answers)) {
      expect(error?.message).toMatch(/Full|not JSON/);
    }
  });
});

describe('a tool whose result cannot be sent', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const content = [{ type: 'text', text: 'x' }];
  it.each([
    ['no object', 7],
    ['nothing', undefined],
    ['no content', {}],
    ['a BigInt', { content, structuredContent: { n: 1n } }, '/structuredContent/n is a BigInt'],
    ['a cycle', { content, structuredContent: { cycle } }, '/structuredContent/cycle/0 is a cycle'],
    ['metadata that is none', { content, _meta: 'x' }],
    ['a wrong block', { content: [{ type: 'text' }] }],
  ] as [string, unknown, string?][])(
    'EXT-GET-2 CORE-RES-1 %s becomes an internal error',
    async (_, value, place = '') => {
      const answers = await answersOf(await ending(() => value));
      for (const { error } of Object.values(answers)) {
        expect(error).toMatchObject({
          code: -32603,
          message: expect.stringContaining(place) as string,
        });
      }
    },
  );

  it('as structured content names the tool and the place of what is not JSON', async () => {
    const tool = defineTool({
      name: 'counts',
      description: 'Counts.',
      input: z.object({}),
      output: { type: 'object' },
      run: () => ({ all: [1n] }),
    });
    const { error } = await modern(await rig({ tools: [tool] }), 'tools/call', { name: 'counts' });
    expect(error).toMatchObject({
      code: -32603,
      message:
        'Tool counts returned an invalid result: /structuredContent/all/0 is a BigInt, which JSON does not have',
    });
  });

  it('as a task is an internal error also where it is only too large', async () => {
    const rigged = await ending(() => 'x'.repeat(20_000));
    const task = await reaches(rigged, await startExt(rigged, 'ends'), 'failed');
    expect(task).toMatchObject({ error: { code: -32603 } });
    const client = await legacy(rigged);
    const { taskId } = await startCore(client, 'ends');
    expect((await client.request('tasks/result', { taskId })).error?.code).toBe(-32603);
  });

  it.each(['task', 'input_required', 7])(
    'EXT-NEW-2 cannot pass itself off as another kind of result: %s',
    async (resultType) => {
      const answers = await answersOf(await ending(() => ({ content, resultType })));
      expect(answers['plainExt']?.result).toMatchObject({ resultType: 'complete', content });
      expect(answers['extTask']?.result).toMatchObject({ resultType: 'complete', content });
      for (const way of ['plainCore', 'coreTask']) {
        expect(answers[way]?.result).toMatchObject({ content });
        expect(answers[way]?.result).not.toHaveProperty('resultType');
      }
    },
  );
});

it('EXT-GET-2 a stored result that is not valid is shown as a failed task', async () => {
  const store = createMemoryStore();
  // As a version of this server would that wrote no `resultType`.
  const forgetful: typeof store = {
    ...store,
    update({ outcome, ...next }) {
      const cut = outcome?.replace('"resultType":"complete",', '');
      return store.update({ ...next, ...(cut !== undefined && { outcome: cut }) });
    },
  };
  const rigged = await rig({ store: forgetful });
  const taskId = await startExt(rigged, 'failing');
  const task = await reaches(rigged, taskId, 'failed');
  expect(task).toMatchObject({ error: { code: -32603 } });
  expect(task).not.toHaveProperty('result');
});
