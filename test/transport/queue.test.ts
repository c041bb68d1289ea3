import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../runtime/tasks/index.js';
import { createBacklog } from '../../runtime/transport/queue/backlog.js';
import { Frames, SLICE, supersedingKey } from '../../runtime/transport/queue/frames.js';
import { OutgoingQueue } from '../../runtime/transport/queue/outgoing.js';
import { until } from './rig.js';

const MIB = 2 ** 20;

describe('a backlog', () => {
  const ending = (end: () => void) => ({ makeRoom: end });

  it('never holds more than its bound beside what was added last', () => {
    const step = fc.record({
      queue: fc.nat(9),
      bytes: fc.integer({ min: 1, max: 400 }),
      act: fc.constantFrom('add', 'add', 'take', 'close'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const backlog = createBacklog(1_000, { stalledMs: 0 });
        const held = new Map<number, number>();
        const open = (queue: number) => backlog.open(ending(() => held.delete(queue)));
        const accounts = Array.from({ length: 10 }, (_, queue) => open(queue));
        for (const { queue, bytes, act } of steps) {
          const account = accounts[queue] ?? open(queue);
          const before = held.get(queue) ?? 0;
          if (act === 'add') {
            held.set(queue, before + bytes);
            account.added(bytes);
            const others = [...held].filter(([each]) => each !== queue);
            const total = [...held.values()].reduce((sum, each) => sum + each, 0);
            expect(total <= 1_000 || others.length === 0).toBe(true);
          } else if (act === 'take') {
            account.taken(bytes);
            if (before > bytes) held.set(queue, before - bytes);
            else held.delete(queue);
          } else {
            account.close();
            held.delete(queue);
            accounts[queue] = open(queue);
          }
        }
      }),
    );
  });

  it('ends the queue whose reader has taken nothing for the longest time', () => {
    const ended: string[] = [];
    const backlog = createBacklog(100, { stalledMs: 0 });
    const [a, b, c] = ['a', 'b', 'c'].map((name) =>
      backlog.open(ending(() => void ended.push(name))),
    );
    a?.added(40);
    b?.added(40);
    a?.taken(10);
    c?.added(40);
    expect(ended).toEqual(['b']);
    c?.added(200);
    expect(ended).toEqual(['b', 'a']);
  });

  it('may hold four times its bound for readers that do not stall, and ends those that do', () => {
    let now = 0;
    const ended: string[] = [];
    const backlog = createBacklog(100, { stalledMs: 1_000, now: () => now });
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) =>
      backlog.open(ending(() => void ended.push(name))),
    );
    a?.added(100);
    b?.added(100);
    c?.added(100);
    expect(ended).toEqual([]);
    d?.added(200);
    expect(ended).toEqual(['a']);
    now = 1_500;
    b?.taken(1);
    d?.added(1);
    expect(ended).toEqual(['a', 'c']);
  });

  it('looks again when nothing is added any more', async () => {
    const ended: string[] = [];
    const backlog = createBacklog(100, { stalledMs: 20 });
    const [a, b] = ['a', 'b'].map((name) => backlog.open(ending(() => void ended.push(name))));
    a?.added(90);
    b?.added(90);
    expect(ended).toEqual([]);
    await until(() => ended.length > 0);
    expect(ended).toEqual(['a']);
  });
});

describe('frames that wait for a reader', () => {
  const frame = (key: string, number: number, size: number): string =>
    `${key}:${number}:${'😀'.repeat(size / 2)}\n`;

  it('are taken in their order, in slices, and the last one of each key is among them', () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          key: fc.constantFrom('a', 'b', 'c', ''),
          size: fc.constantFrom(9, 900, 30_000, 200_000),
        }),
      },
      fc.constant('take' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new Frames();
        const pushed: string[] = [];
        const taken: string[] = [];
        const take = (): boolean => {
          const slice = queue.take();
          if (slice !== undefined) taken.push(slice);
          return slice !== undefined;
        };
        for (const each of steps) {
          if (each === 'take') take();
          else {
            const next = frame(each.key, pushed.length, each.size);
            pushed.push(next);
            queue.push(next, (key) => key, each.key === '' ? undefined : each.key);
          }
        }
        while (take());
        expect(queue.waiting).toBe(0);
        expect(taken.every((slice) => slice.length <= SLICE && isWhole(slice))).toBe(true);
        const lines = taken
          .join('')
          .split(/(?<=\n)/)
          .filter((line) => line !== '');
        const positions = lines.map((line) => pushed.indexOf(line));
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
        expect(positions).not.toContain(-1);
        for (const [index, line] of pushed.entries()) {
          if (positions.includes(index)) continue;
          const [key = ''] = line.split(':');
          const later = pushed.slice(index + 1);
          expect(key !== '' && later.some((each) => each.startsWith(`${key}:`))).toBe(true);
        }
      }),
    );
  });

  /** Whether no character was cut in halves. */
  function isWhole(slice: string): boolean {
    return !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(slice);
  }

  it('wait in bounded memory where each has a key', () => {
    const queue = new Frames();
    for (let n = 0; n < 100_000; n += 1) {
      queue.push(frame(`k${n % 10}`, n, 100), (key) => key, `k${n % 10}`);
    }
    expect(queue.waiting).toBeLessThan(SLICE + 11 * 120);
  });

  const notification = (method: string, params: JsonObject = {}) => ({
    jsonrpc: '2.0',
    method,
    params,
  });
  it.each<[string, JsonObject, JsonObject, boolean]>([
    [
      'two states of a task',
      notification('notifications/tasks/status', { taskId: 'a', status: 'working' }),
      notification('notifications/tasks/status', { taskId: 'a', status: 'completed' }),
      true,
    ],
    [
      'states of two tasks',
      notification('notifications/tasks/status', { taskId: 'a' }),
      notification('notifications/tasks/status', { taskId: 'b' }),
      false,
    ],
    [
      'progress of one request',
      notification('notifications/progress', { progressToken: 1, progress: 1 }),
      notification('notifications/progress', { progressToken: 1, progress: 2 }),
      true,
    ],
    [
      'progress of two requests',
      notification('notifications/progress', { progressToken: 1 }),
      notification('notifications/progress', { progressToken: '1' }),
      false,
    ],
    [
      'changes of a list',
      notification('notifications/tools/list_changed'),
      notification('notifications/tools/list_changed'),
      true,
    ],
    [
      'log messages',
      notification('notifications/message', { data: 1 }),
      notification('notifications/message', { data: 1 }),
      false,
    ],
    [
      'cancellations',
      notification('notifications/cancelled', { requestId: 1 }),
      notification('notifications/cancelled', { requestId: 1 }),
      false,
    ],
    ['results', { id: 1, result: {} }, { id: 1, result: {} }, false],
    [
      'requests',
      { id: 1, ...notification('notifications/progress', { progressToken: 1 }) },
      { id: 1, ...notification('notifications/progress', { progressToken: 1 }) },
      false,
    ],
    ['unknown names', notification('constructor'), notification('constructor'), false],
  ])(
    'of %s: the later makes the earlier superfluous, or does not',
    (_, earlier, later, replaces) => {
      const key = supersedingKey(later);
      expect(key !== undefined && key === supersedingKey(earlier)).toBe(replaces);
    },
  );
});

describe('an outgoing queue', () => {
  function queueOf(options: { readonly most?: number; readonly dropsLogs?: boolean } = {}) {
    const seen = { slow: 0, closed: 0, woken: 0, cut: 0 };
    const queue = new OutgoingQueue({
      backlog: createBacklog(64 * MIB),
      onTooSlow: () => void (seen.slow += 1),
      onClosed: () => void (seen.closed += 1),
      ...options,
    });
    const reader = { wake: () => void (seen.woken += 1), cut: () => void (seen.cut += 1) };
    return { queue, seen, reader };
  }
  const large = (size: number): string => 'x'.repeat(size);

  it('is over when it has ended and all was taken', () => {
    const { queue, seen, reader } = queueOf();
    void queue.push('a');
    queue.attach(reader);
    queue.end();
    expect([queue.isOver, seen.closed]).toEqual([false, 0]);
    expect(queue.take()).toBe('a');
    expect([queue.isOver, seen.closed, seen.slow]).toEqual([true, 1, 0]);
    void queue.push('b');
    expect(queue.take()).toBeUndefined();
  });

  it('ends when more than its bound waits and more is added, though not for one large frame', () => {
    const { queue, seen, reader } = queueOf();
    queue.attach(reader);
    void queue.push(large(3 * MIB));
    expect(seen.cut).toBe(0);
    void queue.push('x');
    expect(seen).toMatchObject({ cut: 1, slow: 1, closed: 1 });
    expect([queue.isOver, queue.waiting]).toEqual([true, 0]);
  });

  it('tells a reader that comes later that it was cut', () => {
    const { queue, seen, reader } = queueOf();
    void queue.push(large(2 * MIB));
    void queue.push('x');
    queue.attach(reader);
    expect(seen).toMatchObject({ cut: 1, woken: 0 });
  });

  it('goes on when a frame replaces another', () => {
    const { queue, seen } = queueOf();
    const progress = (n: number): JsonObject => ({
      method: 'notifications/progress',
      params: { progressToken: 1, progress: n },
    });
    void queue.push(large(MIB), {});
    for (let n = 0; n < 100; n += 1) void queue.push(large(MIB / 2), progress(n));
    expect([queue.waiting, seen.cut]).toEqual([1.5 * MIB, 0]);
  });

  it('drops log messages for a reader that is behind, where it may', () => {
    const { queue, seen } = queueOf({ most: 8 * MIB, dropsLogs: true });
    const log = { method: 'notifications/message', params: {} };
    for (let n = 0; n < 1_000; n += 1) void queue.push(large(16 * 1_024), log);
    expect(queue.waiting).toBeLessThan(2 * MIB);
    expect(seen).toMatchObject({ slow: 1, cut: 0 });
  });

  it('tells senders when there is room', async () => {
    const { queue } = queueOf();
    expect(queue.push('x')).toBeUndefined();
    let isSent = false;
    const sent = queue.push(large(4 * SLICE));
    void sent?.then(() => (isSent = true));
    queue.take();
    queue.take();
    await Promise.resolve();
    expect(isSent).toBe(false);
    while (queue.take() !== undefined);
    await sent;
  });
});
