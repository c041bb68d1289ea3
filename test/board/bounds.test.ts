import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCounts } from '../../runtime/admin/board/api.js';
import { createFeed, MOST_PAGES } from '../../runtime/admin/board/feed.js';
import { LOOKED_AT_MOST, search, type Search } from '../../runtime/admin/board/search.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { administer, NO_COUNTS, type TaskAdministration } from '../../runtime/tasks/index.js';
import { insertAll, taskOf } from './support.js';

/** The machine may be busy. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

const MANY = 49_900;

/** Tasks that a store would read one by one, with one of another tool at the end. */
function many(): { tasks: TaskAdministration; read: () => number } {
  const task = taskOf(0);
  let read = 0;
  const list: TaskAdministration['list'] = ({ before, limit }) => {
    const from = before === undefined ? MANY : Number(before.slice('task-'.length)) - 1;
    const numbers = Array.from({ length: Math.min(limit, from) }, (_, index) => from - index);
    read += numbers.length;
    return Promise.resolve(
      numbers.map((n) => ({ ...task, id: `task-${n}`, tool: n === 1 ? 'rare' : 'sample' })),
    );
  };
  return { tasks: { list } as TaskAdministration, read: () => read };
}

describe('a search', () => {
  it('reads a bounded number of tasks, whatever it looks for, and goes on from there', async () => {
    const { tasks, read } = many();
    const query: Search = { tool: 'rare', limit: 50 };
    let before: string | undefined;
    let looked = 0;
    let searches = 0;
    for (;;) {
      const found = await search(tasks, before === undefined ? query : { ...query, before });
      expect(found.looked).toBeLessThanOrEqual(LOOKED_AT_MOST);
      looked += found.looked;
      searches += 1;
      if (found.next === undefined) {
        expect(found.tasks.map(({ id }) => id)).toEqual(['task-1']);
        break;
      }
      expect(found.tasks).toEqual([]);
      before = found.next;
    }
    expect({ looked, read: read() }).toEqual({ looked: MANY, read: MANY });
    expect(searches).toBe(Math.ceil(MANY / LOOKED_AT_MOST));
  });

  it('reads a page and one task where it compares nothing', async () => {
    const { tasks, read } = many();
    const found = await search(tasks, { limit: 50 });
    expect(found.tasks).toHaveLength(50);
    expect(found.next).toBe(`task-${MANY - 49}`);
    expect(read()).toBe(51);
  });

  it('pages through every task once, with any filter and size of page', async () => {
    const store = createMemoryStore();
    const { administration } = store;
    if (administration === undefined) throw new Error('no administration');
    const statuses = ['working', 'failed', 'completed'] as const;
    const all = Array.from({ length: 60 }, (_, n) =>
      taskOf(n, { status: statuses[n % 3] ?? 'working', version: 2, tool: n % 2 ? 'odd' : 'even' }),
    );
    await insertAll(store, all);
    const tasks = administer({ ...store, administration });
    for (const limit of [1, 7, 10, 59, 60, 200]) {
      for (const filter of [
        {},
        { status: 'failed' },
        { status: 'working' },
        { tool: 'odd' },
      ] as const) {
        const ids: string[] = [];
        let before: string | undefined;
        do {
          const found = await search(tasks, { ...filter, limit, ...(before && { before }) });
          ids.push(...found.tasks.map(({ id }) => id));
          before = found.next;
        } while (before !== undefined);
        const wanted = all.filter(
          ({ status, tool }) =>
            (!('status' in filter) || filter.status === status) &&
            (!('tool' in filter) || filter.tool === tool),
        );
        expect(ids).toEqual(wanted.map(({ id }) => id).reverse());
      }
    }
  });
});

describe('the counts', () => {
  it('are shared by those who ask at the same time, and not made again at once', async () => {
    let made = 0;
    const read = createCounts(async () => {
      made += 1;
      await new Promise(setImmediate);
      return { ...NO_COUNTS, working: made };
    });
    const [first, second] = await Promise.all([read(), read()]);
    expect(first.counts).toEqual(second.counts);
    const third = await read();
    expect(third.counts).toEqual(first.counts);
    expect(third.nextMs).toBeGreaterThan(0);
    expect(made).toBe(1);
  });

  it('fail when the store does, and work again after that', async () => {
    let fails = true;
    const read = createCounts(() =>
      fails ? Promise.reject(new Error('away')) : Promise.resolve(NO_COUNTS),
    );
    await expect(read()).rejects.toThrow('away');
    fails = false;
    await eventually(() =>
      read().then(
        () => true,
        () => false,
      ),
    ).toBe(true);
  });
});

/** Pages that follow a feed, and what each has received. */
async function followers(count: number) {
  let report: (() => void) | undefined;
  let observers = 0;
  const feed = createFeed((listener) => {
    report = listener;
    observers += 1;
    return () => (observers -= 1);
  });
  const http = createServer((_, response) => {
    response.writeHead(200);
    feed.add(response);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    feed.close();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const received: string[] = Array.from({ length: count }, () => '');
  const pages = await Promise.all(
    received.map(async (_, index) => {
      const page = get({ port, host: '127.0.0.1', agent: false });
      const [response] = (await once(page, 'response')) as [IncomingMessage];
      response.on('data', (chunk: Buffer) => (received[index] += chunk.toString()));
      response.on('error', () => undefined);
      return response;
    }),
  );
  const events = () => received.map((text) => text.split('event: changed').length - 1);
  return { feed, pages, events, report: () => report?.(), observers: () => observers };
}

describe('the feed', () => {
  it('sends a page two events for 10,000 changes at once, and observes the store once', async () => {
    const { events, report, observers, feed } = await followers(3);
    await eventually(events).toEqual([1, 1, 1]);
    expect(observers()).toBe(1);
    for (let change = 0; change < 10_000; change += 1) report();
    await eventually(events).toEqual([3, 3, 3]);
    feed.close();
    expect(observers()).toBe(0);
  });

  it('observes the store only while a page is open', async () => {
    const { pages, observers } = await followers(2);
    for (const page of pages) page.destroy();
    await eventually(observers).toBe(0);
  });

  it('has room for a number of pages, and for another when one is closed', async () => {
    const { feed, pages } = await followers(MOST_PAGES);
    expect(feed.hasRoom).toBe(false);
    pages[0]?.destroy();
    await eventually(() => feed.hasRoom).toBe(true);
  });
});
