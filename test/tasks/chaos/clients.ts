import assert from 'node:assert/strict';

import { isTerminal } from '../../../runtime/tasks/index.js';
import type { Random } from '../random.js';
import type { ChaosNode, Cluster } from './cluster.js';
import type { Ledger } from './ledger.js';
import { TOOL_NAMES } from './tools.js';
import { UnknownTask, wire, type SeenTask } from './wire.js';

/** Clients that create tasks, follow them and ask again until they get an answer. */
export interface Clients {
  /** Resolves when every client has seen its last task end. Rejects at the first broken promise. */
  readonly done: Promise<void>;
  /** A promise was broken. */
  readonly broken: () => boolean;
  /** Many creations with one idempotency key, on two nodes at once. */
  storm(key: string, count: number): Promise<void>;
  /** Clients begin no further tasks. */
  stop(): void;
}

export interface ClientOptions {
  readonly cluster: Cluster;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly lanes: number;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function startClients({ cluster, ledger, random, lanes }: ClientOptions): Clients {
  let stopped = false;
  let broken = false;

  /** Asks nodes until one of them answers. */
  async function insist<T>(
    ask: (url: string) => Promise<T>,
    nodes = (): readonly ChaosNode[] => cluster.fronts(),
  ): Promise<T> {
    for (;;) {
      const { url } = random.pick(nodes());
      try {
        if (url !== undefined) return await ask(url);
      } catch (error) {
        if (error instanceof UnknownTask) throw error;
      }
      await sleep(10 + random.integer(50));
    }
  }

  async function create(
    tool: string,
    name: string,
    nodes?: () => readonly ChaosNode[],
  ): Promise<string> {
    // The same for a name, so that a repeated creation is the same request.
    const number = Number(name.split('-').at(-1));
    const args = { name, pace: number % 2 === 0 ? 'slow' : 'quick', pauses: number % 3 === 0 };
    const id = await insist((url) => wire.create(url, tool, name, args), nodes);
    ledger.created(name, id);
    return id;
  }

  async function read(id: string): Promise<SeenTask> {
    const seen = ledger.reading(id);
    const task = await insist((url) => wire.get(url, id));
    seen(task);
    return task;
  }

  async function follow(id: string): Promise<void> {
    for (;;) {
      const { status, inputRequests = {} } = await read(id);
      if (isTerminal(status)) return;
      for (const key of Object.keys(inputRequests)) await answer(id, key);
      await sleep(50 + random.integer(150));
    }
  }

  async function answer(id: string, key: string): Promise<void> {
    const response = { action: 'accept', content: { answer: `${id}/${key}` } };
    await insist((url) => wire.answer(url, id, { [key]: response }));
    ledger.answered(id, key);
  }

  async function lane(number: number): Promise<void> {
    for (let n = 0; !stopped; n += 1) {
      const name = `task-${number}-${n}`;
      const tool = random.pick(TOOL_NAMES);
      const id = await create(tool, name);
      if (random.chance(0.1)) assert.equal(await create(tool, name), id);
      if (random.chance(0.15)) {
        await sleep(random.integer(300));
        await insist((url) => wire.cancel(url, id));
        ledger.cancelled(id);
      }
      await follow(id);
      await read(random.pick([...ledger.ends.keys()].slice(-100)));
    }
  }

  const done = Promise.all(Array.from({ length: lanes }, (_, n) => lane(n))).then(() => undefined);
  done.catch(() => (broken = true));
  return {
    done,
    broken: () => broken,
    async storm(key, count) {
      const nodes = (): readonly ChaosNode[] => cluster.fronts().slice(0, 2);
      await Promise.all(Array.from({ length: count }, () => create('again', key, nodes)));
    },
    stop: () => (stopped = true),
  };
}
