import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { defineTool } from '../../runtime/server/index.js';
import { administer, type AdministrableStore, deferred } from '../../runtime/tasks/index.js';
import { recordIn, size } from '../../runtime/admin/print.js';
import { STORE_KINDS } from '../support/stores.js';
import { ANN, serverOn, starting } from './caller.js';
import { legacy, modern, type Reachable, rig, tokenOf, until } from './support.js';

/** Says who called it. */
const whoami = defineTool({
  name: 'whoami',
  description: 'Says who called it.',
  input: z.object({}),
  output: z.looseObject({ caller: z.unknown() }),
  taskSupport: 'optional',
  run: ({ caller, request }) => ({ caller: caller ?? 'none', inTask: request === undefined }),
});

const prepared = defineTool({
  name: 'prepared',
  description: 'Says for whom its arguments were prepared.',
  input: z.object({ by: z.string().optional() }),
  taskSupport: 'optional',
  prepare: ({ caller }) => Promise.resolve({ by: caller?.subject ?? 'none' }),
  run: ({ args, caller }) => `${args.by} ${caller?.subject}`,
});

async function runAsTask(target: Reachable, name: string, token = tokenOf('ann')) {
  const { result } = await modern(target, 'tools/call', { name }, { token });
  const taskId = String(result?.['taskId']);
  const ended = await until(
    () => modern(target, 'tasks/get', { taskId }, { token }),
    (answer) => answer.result?.['status'] !== 'working',
  );
  return { taskId, result: ended.result?.['result'], task: ended.result };
}

describe('the caller of a tool', () => {
  it('is who the token names, in plain calls and tasks of both dialects', async () => {
    const rigged = await rig({ tools: [whoami] });
    const session = await legacy(rigged);
    const plain = await session.request('tools/call', { name: 'whoami' });
    const inTask = await session.request('tools/call', { name: 'whoami', task: {} });
    const { taskId } = inTask.result?.['task'] as { taskId: string };
    const core = await session.request('tasks/result', { taskId });
    const options = { capabilities: {} };
    const modernPlain = await modern(rigged, 'tools/call', { name: 'whoami' }, options);
    const ext = await runAsTask(rigged, 'whoami');
    expect([plain.result, core.result, modernPlain.result, ext.result]).toMatchObject([
      { structuredContent: { caller: ANN, inTask: false } },
      { structuredContent: { caller: ANN, inTask: true } },
      { structuredContent: { caller: ANN, inTask: false } },
      { structuredContent: { caller: ANN, inTask: true } },
    ]);
  });

  it('reaches `prepare` as well', async () => {
    const rigged = await rig({ tools: [prepared] });
    const { result } = await runAsTask(rigged, 'prepared', tokenOf('bob'));
    expect(result).toMatchObject({ content: [{ text: 'bob bob' }] });
  });

  it('has the scopes of the call that created the task, not those of later requests', async () => {
    let scopes = ['write'];
    const identify = () => ({ ...ANN, scopes });
    const gate = deferred<void>();
    const waiting = defineTool({
      ...{ name: 'waiting', description: 'Waits.', input: z.object({}), taskSupport: 'required' },
      async run({ caller }) {
        await gate.promise;
        return String(caller?.scopes);
      },
    });
    const rigged = await rig({ tools: [waiting] }, { identify });
    const { result } = await modern(rigged, 'tools/call', { name: 'waiting' });
    const get = () => modern(rigged, 'tasks/get', { taskId: String(result?.['taskId']) });
    scopes = ['read'];
    expect((await get()).result).toMatchObject({ status: 'working' });
    gate.resolve();
    const ended = await until(get, (answer) => answer.result?.['status'] === 'completed');
    expect(ended.result?.['result']).toMatchObject({ content: [{ text: 'write' }] });
  });

  it('is undefined where nothing identifies callers', async () => {
    const rigged = await rig({ tools: [whoami] }, { allowUnidentified: true });
    const { result } = await runAsTask(rigged, 'whoami', undefined);
    expect(result).toMatchObject({ structuredContent: { caller: 'none' } });
  });

  it('is not shown to clients, whatever they ask for', async () => {
    const rigged = await rig({ tools: [prepared] });
    const { taskId, task } = await runAsTask(rigged, 'prepared');
    const session = await legacy(rigged);
    const created = await session.request('tools/call', { name: 'prepared', task: {} });
    const listed = await session.request('tasks/list', {});
    const again = await modern(rigged, 'tasks/get', { taskId });
    const seen = JSON.stringify([task, created, listed, again]);
    expect(seen).not.toContain('issuer');
    expect(seen).not.toContain('scopes');
  });

  it('cannot be changed by a tool for the calls after it', async () => {
    const hostile = defineTool({
      name: 'hostile',
      description: 'Tries to become another user.',
      input: z.object({}),
      run({ caller }) {
        const mutable = caller as unknown as { subject: string; scopes: string[] };
        const changes = [() => (mutable.subject = 'eve'), () => mutable.scopes.push('admin')];
        for (const change of changes) expect(change).toThrow(TypeError);
        return JSON.stringify(caller);
      },
    });
    const rigged = await rig({ tools: [hostile] });
    for (let call = 0; call < 2; call += 1) {
      const { result } = await modern(rigged, 'tools/call', { name: 'hostile' });
      expect(result).toMatchObject({ content: [{ text: JSON.stringify(ANN) }] });
    }
  });
});

describe.each(STORE_KINDS.filter(({ durable }) => durable))('with $name', ({ place }) => {
  it('the caller is the same after a restart, and the record holds no token', async () => {
    const { open, remove } = place();
    onTestFinished(() => remove());
    let isStarted = false;
    const first = await serverOn(
      await open(),
      starting(true, () => (isStarted = true)),
    );
    const { result } = await modern(first, 'tools/call', { name: 'starting' });
    const taskId = String(result?.['taskId']);
    await until(
      () => Promise.resolve(isStarted),
      (yes) => yes,
    );
    await first.close();
    const store = (await open()) as AdministrableStore;
    const record = await administer(store).inspect(taskId);
    expect(record.caller).toEqual(ANN);
    expect(JSON.stringify(record)).not.toContain(tokenOf('ann'));
    expect(recordIn(record, size)).toMatchObject({ caller: ANN });
    const second = await serverOn(store, starting(false));
    onTestFinished(() => second.close());
    const ended = await until(
      () => modern(second, 'tasks/get', { taskId }),
      (answer) => answer.result?.['status'] === 'completed',
    );
    expect(ended.result?.['result']).toMatchObject({ content: [{ text: JSON.stringify(ANN) }] });
  });
});

it('the retry of an operator has the caller of the first call', async () => {
  const store = STORE_KINDS[0]?.place().open() as AdministrableStore;
  const broken = defineTool({
    name: 'broken',
    description: 'Fails.',
    input: z.object({}),
    taskSupport: 'required',
    run() {
      throw new Error('It went wrong');
    },
  });
  const rigged = await rig({ tools: [broken], store });
  const { taskId } = await runAsTask(rigged, 'broken');
  const retried = await administer(store).retry(taskId);
  expect(retried.caller).toEqual(ANN);
});

describe('an identity that is too long to be kept', () => {
  const status = async (subject: string, scopes = 'mcp'): Promise<number> => {
    const { http } = await rig({ tools: [whoami] });
    return (
      await modern(
        { http },
        'tools/call',
        { name: 'whoami' },
        { token: tokenOf(subject, 'app', scopes) },
      )
    ).status;
  };

  it('is refused with 401, and the longest one works in every store', async () => {
    expect(await status('x'.repeat(1_600))).toBe(401);
    expect(await status('x'.repeat(1_400))).toBe(200);
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1_501, maxLength: 3_000 }), async (text) => {
        const subject = text.replaceAll(/[^\w]/g, 'x');
        expect(await status(subject)).toBe(401);
      }),
      { numRuns: 3 },
    );
  });
});
