import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { at } from '../../runtime/peer/wire/json.js';
import { networkTo } from './load.js';
import { type HttpProcess, startHttp } from './process.js';
import { EVERY_ASK, legacy, modern, until } from './support.js';
import { tokenOf } from './tokens.js';

async function killed({ child }: HttpProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

it('EXT-NEW-3 SEC-2 after a kill -9 the owner finds her tasks from a new session, and no other owner does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-durable-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = ['--store', join(folder, 'tasks.db')];

  const first = await startHttp(...store);
  const before = networkTo(first.url);
  const ann = await legacy(before, { capabilities: EVERY_ASK });
  const create = async (name: string, args: object): Promise<unknown> => {
    const { result } = await ann.request('tools/call', { name, arguments: args, task: {} });
    return at(result, ['task', 'taskId']);
  };
  const ended = await create('failing', {});
  await ann.request('tasks/result', { taskId: ended });
  const rerun = await create('wait', { ms: 1_500 });
  const interrupted = await create('held', { label: 'never released' });
  const call = { name: 'wait', arguments: { ms: 1_500 } };
  const ext = (await modern(before, 'tools/call', call)).result?.['taskId'];
  await killed(first);

  const second = await startHttp(...store);
  onTestFinished(() => second.stop());
  const after = networkTo(second.url);
  // Her session went with the process; her tasks did not.
  const gone = await legacy(after, { sessionId: ann.sessionId });
  expect((await gone.request('tasks/get', { taskId: ended })).status).toBe(404);

  const again = await legacy(after);
  const { result: page } = await again.request('tasks/list');
  expect(page?.['tasks']).toHaveLength(3);
  const result = (taskId: unknown) => again.request('tasks/result', { taskId });
  expect(await result(ended)).toMatchObject({ result: { isError: true } });
  expect(await result(rerun)).toMatchObject({ result: { content: [{ text: 'waited 1500 ms' }] } });
  expect(await result(interrupted)).toMatchObject({ error: { code: -32603 } });
  await until(
    () => modern(after, 'tasks/get', { taskId: ext }),
    (answer) => answer.result?.['status'] === 'completed',
  );

  const mallory = await legacy(after, { token: tokenOf('mallory') });
  expect((await mallory.request('tasks/list')).result).toEqual({ tasks: [] });
  for (const taskId of [ended, rerun, interrupted]) {
    expect((await mallory.request('tasks/result', { taskId })).error?.code).toBe(-32602);
  }
});
