import { expect, onTestFinished } from 'vitest';

import { createTaskServer, serveHttp } from '../../runtime/server/index.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { networkTo } from './load.js';
import { EVERY_ASK, legacy, modern, type Answer, type Reachable } from './support.js';
import { authorization, tokenOf } from './tokens.js';
import { testTools } from './tools.js';

const CLIENTS = Array.from({ length: 10 }, (_, n) => `client-${n}`);
const LIMITS = { livePerOwner: 20, livePerSubject: 60, liveReserve: 5, liveShared: 40, live: 80 };

async function nodeOn(store: TaskStore): Promise<Reachable> {
  const server = await createTaskServer({
    name: 'test',
    version: '1',
    tools: testTools,
    store,
    limits: LIMITS,
    onError: () => undefined,
  });
  onTestFinished(() => server.close(0));
  const http = await serveHttp(server, { auth: authorization });
  onTestFinished(() => http.close());
  return networkTo(http.url);
}

/** Its tasks wait for input, and so hold no slot. */
const ASKS = { name: 'asks', arguments: {} };

async function refusalOf(create: () => Promise<Answer>): Promise<[number, Answer['error']]> {
  for (let created = 0; ; created += 1) {
    const { error } = await create();
    if (error !== undefined) return [created, error];
  }
}

/** A subject with ten client ids takes all that it can get, on every node. Others still get their first tasks. */
export async function greedySubject(stores: readonly TaskStore[]): Promise<void> {
  const nodes = await Promise.all(stores.map(nodeOn));
  const nodeOf = (n: number): Reachable => nodes[n % nodes.length] as Reachable;
  const taken = await Promise.all(
    CLIENTS.map((clientId, n) =>
      refusalOf(() =>
        modern(nodeOf(n), 'tools/call', ASKS, { token: tokenOf('greedy', clientId) }),
      ),
    ),
  );
  expect(taken.reduce((sum, [created]) => sum + created, 0)).toBe(LIMITS.liveShared);
  for (const [, error] of taken) {
    expect(error).toMatchObject({
      code: 429,
      data: { retryAfterMs: expect.any(Number) as number },
    });
  }

  for (let n = 0; n < 4; n += 1) {
    const token = tokenOf(`modest-${n}`);
    const create = (): Promise<Answer> => modern(nodeOf(n), 'tools/call', ASKS, { token });
    const [created, error] = await refusalOf(create);
    expect(created).toBe(LIMITS.liveReserve);
    expect(error?.data).toMatchObject({ limit: 'liveShared' });
  }
  const client = await legacy(nodeOf(1), { token: tokenOf('modest'), capabilities: EVERY_ASK });
  const [created] = await refusalOf(() => client.request('tools/call', { ...ASKS, task: {} }));
  expect(created).toBe(LIMITS.liveReserve);
}
