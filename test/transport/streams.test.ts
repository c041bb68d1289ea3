import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import {
  begin,
  type Event,
  eventsOf,
  gate,
  messagesOf,
  post,
  rig,
  type Rig,
  text,
  until,
} from './rig.js';

const progress = (n: number) =>
  ['notifications/progress', { progressToken: 'p', progress: n }] as const;

const call = (name: string, args: JsonObject = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const TOOLS = {
  /** Reports as often as it is told, and answers. */
  async counts(
    { to }: JsonObject,
    exchange: { notify: (...args: ReturnType<typeof progress>) => Promise<void> },
  ) {
    for (let n = 1; n <= Number(to); n += 1) {
      await exchange.notify(...progress(n));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return text('done');
  },
};

const what = ({ params, id }: JsonObject): unknown =>
  (params as { progress?: number } | undefined)?.progress ?? `answer ${String(id)}`;

function get(url: string, headers: Record<string, string>, last?: string, signal?: AbortSignal) {
  const more = last === undefined ? {} : { 'last-event-id': last };
  return fetch(url, { headers: { ...headers, ...more }, signal: signal ?? null });
}

/** Reads events until one more would exceed the number, and leaves then. */
async function readSome(response: Response, most: number, leave: () => void): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of eventsOf(response)) {
    events.push(event);
    if (events.length >= most) break;
  }
  leave();
  return events;
}

async function firstOf(response: Response): Promise<Event | undefined> {
  for await (const event of eventsOf(response)) return event;
  return undefined;
}

describe('the stream of a POST in a session', () => {
  it('goes on after any cuts, with every message once and in order', async () => {
    const { url, problems } = await rig(TOOLS);
    const headers = await begin(url);
    let id = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
        async (to, cuts) => {
          id += 1;
          // Nothing can be asked for again before the first event.
          const asked = to === 0 ? [] : cuts;
          const seen: Event[] = [];
          let leaving = new AbortController();
          let response = await post(url, call('counts', { to }, id), headers, leaving.signal);
          for (const cut of asked) {
            const { signal } = leaving;
            seen.push(...(await readSome(response, cut, () => !signal.aborted && leaving.abort())));
            if (seen.at(-1)?.data.includes('"result"') === true) break;
            leaving = new AbortController();
            response = await get(url, headers, seen.at(-1)?.id, leaving.signal);
            expect(response.status).toBe(200);
          }
          if (response.headers.get('content-type') === 'application/json') {
            expect([to, await response.json()]).toMatchObject([0, { id }]);
            return;
          }
          if (seen.at(-1)?.data.includes('"result"') !== true) {
            for await (const event of eventsOf(response)) seen.push(event);
          }
          const messages = seen
            .filter(({ data }) => data !== '')
            .map(({ data }) => JSON.parse(data) as JsonObject);
          expect(messages.map(what)).toEqual([
            ...Array.from({ length: to }, (_, n) => n + 1),
            `answer ${id}`,
          ]);
          expect(new Set(seen.map((each) => each.id)).size).toBe(seen.length);
        },
      ),
      { numRuns: sized(60) },
    );
    expect(problems).toEqual([]);
  });

  it('is read to its answer after the answer was sent', async () => {
    const { url } = await rig(TOOLS);
    const headers = await begin(url);
    const events = [];
    for await (const event of eventsOf(await post(url, call('counts', { to: 3 }), headers))) {
      events.push(event);
    }
    const again = await get(url, headers, events[1]?.id);
    expect((await messagesOf(again)).map(what)).toEqual([2, 3, 'answer 1']);
  });

  it('that is asked for twice is read by the one who asked last', async () => {
    const { opened, open } = gate();
    const { url } = await rig({
      async waits(_, exchange) {
        await exchange.notify(...progress(1));
        await opened;
        return text('done');
      },
    });
    const headers = await begin(url);
    const first = await post(url, call('waits'), headers);
    const read = eventsOf(first);
    const { id } = (await read.next()).value as Event;
    const second = await get(url, headers, id);
    expect(second.status).toBe(200);
    for await (const _ of read);
    open();
    expect((await messagesOf(second)).map(what)).toEqual([1, 'answer 1']);
  });

  it('is gone when its client does not come back in time, and its request goes on', async () => {
    const exchanges: { gone: boolean; cancelled: boolean }[] = [];
    const { opened, open } = gate();
    const { url } = await rig(
      {
        async waits(_, exchange) {
          await exchange.notify(...progress(1));
          const state = { gone: false, cancelled: false };
          exchange.gone.addEventListener('abort', () => (state.gone = true));
          exchange.cancelled.addEventListener('abort', () => (state.cancelled = true));
          exchanges.push(state);
          await opened;
          return text('done');
        },
      },
      { resumeMs: 10 },
    );
    const headers = await begin(url);
    const leaving = new AbortController();
    const response = await post(url, call('waits'), headers, leaving.signal);
    const [first] = await readSome(response, 1, () => leaving.abort());
    await until(() => exchanges[0]?.gone === true);
    expect(exchanges).toEqual([{ gone: true, cancelled: false }]);
    const back = await get(url, headers, first?.id);
    open();
    expect((await messagesOf(back)).map(what)).toEqual([1, 'answer 1']);
  });

  it('is gone at once when its client leaves before the first event', async () => {
    let isGone = false;
    let running = false;
    const { url } = await rig(
      {
        waits(_, { gone }) {
          running = true;
          gone.addEventListener('abort', () => (isGone = true));
          return new Promise(() => undefined);
        },
      },
      { streamAfterMs: 60_000 },
    );
    const headers = await begin(url);
    const leaving = new AbortController();
    const left = post(url, call('waits'), headers, leaving.signal).catch(() => undefined);
    await until(() => running);
    leaving.abort();
    await left;
    await until(() => isGone);
  });

  it('goes on from no other place than its own', async () => {
    const { url } = await rig(TOOLS);
    const headers = await begin(url);
    const other = await begin(url);
    const ids: string[] = [];
    for await (const { id } of eventsOf(await post(url, call('counts', { to: 3 }), headers))) {
      ids.push(id ?? '');
    }
    const [first = ''] = ids;
    expect((await get(url, { ...headers, authorization: 'bob' }, first)).status).toBe(404);
    const [prefix = '', number = ''] = first.split('.');
    const elsewhere = ['x', `${prefix}.${number}.99`, `${prefix}.99.1`, `${first}0`];
    for (const [session, unknown] of [
      [other, first] as const,
      ...elsewhere.map((id) => [headers, id] as const),
    ]) {
      const opened = await firstOf(await get(url, session, unknown));
      // A new stream, which begins with an id of its own and no message.
      expect([unknown, opened?.data]).toEqual([unknown, '']);
      expect(ids).not.toContain(opened?.id);
    }
  });

  it('is a new stream when too much came after it', async () => {
    const { url } = await rig({
      async counts({ to, size }, exchange) {
        for (let n = 1; n <= Number(to); n += 1) {
          await exchange.notify('notifications/progress', {
            progressToken: 'p',
            progress: n,
            message: 'x'.repeat(Number(size)),
          });
        }
        return text('done');
      },
    });
    for (const args of [
      { to: 300, size: 1 },
      { to: 20, size: 100_000 },
    ]) {
      const headers = await begin(url);
      const ids: string[] = [];
      for await (const { id } of eventsOf(await post(url, call('counts', args), headers))) {
        ids.push(id ?? '');
      }
      const opened = await firstOf(await get(url, headers, ids[1]));
      expect(opened?.data).toBe('');
      expect(ids).not.toContain(opened?.id);
      const kept = await get(url, headers, ids.at(-2));
      expect((await messagesOf(kept)).map(what)).toEqual(['answer 1']);
    }
  });
});

describe('streams of a GET', () => {
  const changed = (n: number) =>
    ['notifications/resources/updated', { uri: `test://${n}` }] as const;
  const uriOf = ({ data }: Event): unknown =>
    data === '' ? '' : ((JSON.parse(data) as JsonObject)['params'] as JsonObject)['uri'];

  async function listening() {
    const made = await rig();
    const headers = await begin(made.url);
    const [session] = made.served.sessions;
    if (session === undefined) throw new Error('no session');
    return { ...made, headers, session };
  }
  function reader(response: Response): { readonly events: Event[] } {
    const events: Event[] = [];
    void (async () => {
      for await (const event of eventsOf(response)) events.push(event);
    })().catch(() => undefined);
    return { events };
  }

  it('get each message that belongs to no request once, the oldest one first', async () => {
    const { url, headers, session } = await listening();
    await session.notify(...changed(0));
    const leaving = new AbortController();
    const first = reader(await get(url, headers, undefined, leaving.signal));
    const second = reader(await get(url, headers));
    await session.notify(...changed(1));
    await session.notify(...changed(2));
    await until(() => first.events.length === 3);
    leaving.abort();
    for (let n = 3; second.events.length < 2; n += 1) {
      await session.notify(...changed(n));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(first.events.map(uriOf)).toEqual(['', 'test://1', 'test://2']);
    expect(second.events.map(uriOf)[0]).toBe('');
  });

  it('get what they missed when their client comes back', async () => {
    const { url, headers, session } = await listening();
    const leaving = new AbortController();
    const first = reader(await get(url, headers, undefined, leaving.signal));
    await session.notify(...changed(1));
    await until(() => first.events.length === 2);
    leaving.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const n of [2, 3]) await session.notify(...changed(n));
    const back = reader(await get(url, headers, first.events.at(-1)?.id));
    await session.notify(...changed(4));
    await until(() => back.events.length === 3);
    expect(back.events.map(uriOf)).toEqual(['test://2', 'test://3', 'test://4']);
  });

  it('end with their session', async () => {
    const { url, headers } = await listening();
    const response = await get(url, headers);
    await fetch(url, { method: 'DELETE', headers });
    expect(await messagesOf(response)).toEqual([]);
  });

  it('need a client that accepts events', async () => {
    const { url, headers } = await listening();
    expect((await get(url, { ...headers, accept: 'application/json' })).status).toBe(406);
    expect((await get(url, { ...headers, accept: 'text/*' })).status).toBe(200);
  });

  it('have a head at once, also in older revisions', async () => {
    const { url } = await rig();
    const headers = await begin(url, '2025-06-18');
    const response = await get(url, headers);
    const { value } = await (response.body as ReadableStream<Uint8Array>).getReader().read();
    expect(new TextDecoder().decode(value)).toBe(':\n\n');
  });
});

it('a question of a request goes out on its stream, and its answer comes back', async () => {
  const tools = {
    async asks(
      _: JsonObject,
      exchange: Parameters<NonNullable<Parameters<typeof rig>[0]>[string]>[1],
    ) {
      const { action } = await exchange.ask('elicitation/create', {
        message: 'Which?',
        requestedSchema: { type: 'object', properties: {} },
      });
      return text(String(action));
    },
  };
  const { url }: Rig = await rig(tools);
  const headers = await begin(url);
  const messages: JsonObject[] = [];
  for await (const { data } of eventsOf(await post(url, call('asks'), headers))) {
    if (data === '') continue;
    const message = JSON.parse(data) as JsonObject;
    messages.push(message);
    if (message['method'] === undefined) continue;
    const answer = { jsonrpc: '2.0', id: message['id'], result: { action: 'decline' } };
    expect((await post(url, answer, headers)).status).toBe(202);
  }
  expect(messages).toMatchObject([
    { method: 'elicitation/create' },
    { id: 1, result: { content: [{ text: 'decline' }] } },
  ]);
});
