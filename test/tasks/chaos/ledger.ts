import assert from 'node:assert/strict';

import { isTerminal } from '../../../runtime/tasks/index.js';
import type { SeenTask } from './wire.js';

/** What the servers acknowledged to clients. Throws at the first answer that contradicts an earlier one. */
export interface Ledger {
  created(key: string, id: string): void;
  cancelled(id: string): void;
  answered(id: string, key: string): void;
  /** Begins to read a task; the returned function takes what was read. */
  reading(id: string): (task: SeenTask) => void;
  /** How each task was first seen to end. */
  readonly ends: ReadonlyMap<string, End>;
  readonly ids: ReadonlyMap<string, string>;
  /** Ids of tasks that were not seen to end. */
  live(): readonly string[];
}

export interface End {
  readonly status: string;
  /** The text that the tool returned, if it did. */
  readonly text: string | undefined;
}

export function createLedger(): Ledger {
  const ids = new Map<string, string>();
  const ends = new Map<string, End>();
  const open = new Set<string>();
  const cancelled = new Set<string>();
  const answered = new Set<string>();

  function end(id: string, { status, result }: SeenTask): void {
    const seen: End = { status, text: result?.content?.[0]?.text };
    assert.deepEqual(seen, ends.get(id) ?? seen, `${id} was seen to end in two ways`);
    ends.set(id, seen);
    open.delete(id);
  }

  return {
    ids,
    ends,
    live: () => [...open],
    created(key, id) {
      assert.equal(ids.get(key) ?? id, id, `two tasks were made with the idempotency key ${key}`);
      if (!ids.has(key)) open.add(id);
      ids.set(key, id);
    },
    cancelled: (id) => void cancelled.add(id),
    answered: (id, key) => void answered.add(`${id} ${key}`),
    reading(id) {
      // Only what was acknowledged before the read began is certain to be in it.
      const [ended, wasCancelled] = [ends.has(id), cancelled.has(id)];
      const answers = [...answered].filter((each) => each.startsWith(`${id} `));
      return (task) => {
        const terminal = isTerminal(task.status);
        assert.ok(terminal || !ended, `${id} had ended and is ${task.status} again`);
        assert.ok(terminal || !wasCancelled, `${id} was cancelled and is ${task.status}`);
        for (const key of Object.keys(task.inputRequests ?? {})) {
          assert.ok(!answers.includes(`${id} ${key}`), `the answer ${key} of ${id} is lost`);
        }
        if (terminal) end(id, task);
      };
    },
  };
}
