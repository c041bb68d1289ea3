import { describe, expect, it, onTestFinished } from 'vitest';

import { createTaskServer } from '../../runtime/server/index.js';
import { type Answered, type Asked, textOf } from '../support/twin/exchange.js';
import { createPairs } from '../support/twin/names.js';
import { served } from '../support/twin/served.js';
import { createTwin } from '../support/twin/twin.js';
import { legacy, modern } from './support.js';
import { authorization } from './tokens.js';
import { release, testTools } from './tools.js';
import { fetchFrom } from './twinned.js';

type Change = (answered: Answered) => Answered | Promise<Answered>;

/** A server without its door leads. The answers of one with its door, to requests that contain `named`, are changed. */
async function twinWith(change: Change, named: string, patienceMs = 5_000) {
  const serve = async (withDoor: boolean) => {
    const server = await createTaskServer({ name: 'test', version: '1', tools: testTools });
    const { side, stop } = await served(server, { auth: authorization }, withDoor);
    onTestFinished(() => stop().then(() => server.close(0)));
    return side;
  };
  const [shut, open] = [await serve(false), await serve(true)];
  const twin = createTwin({
    leading: shut,
    async following(asked: Asked, signal) {
      const answered = await open(asked, signal);
      return asked.body.includes(named) ? change(answered) : answered;
    },
    patienceMs,
  });
  const http = { fetch: fetchFrom(twin.answer) };
  return { ...twin, run: () => run(http) };
}

/** A call of a session with two reports of progress, and a task of 2026-07-28. */
async function run(http: { readonly fetch: ReturnType<typeof fetchFrom> }): Promise<void> {
  const client = await legacy({ http });
  release('twin');
  const held = { name: 'held', arguments: { label: 'twin' }, _meta: { progressToken: 'p' } };
  await client.request('tools/call', held);
  const { result } = await modern({ http }, 'tools/call', { name: 'asks', arguments: {} });
  await modern({ http }, 'tasks/cancel', { taskId: String(result?.['taskId']) });
  await modern({ http }, 'tasks/get', { taskId: String(result?.['taskId']) });
}

function body(change: (text: string) => string): Change {
  return (answered) => ({
    ...answered,
    body: (async function* () {
      yield Buffer.from(change(await textOf(answered.body)), 'latin1');
    })(),
  });
}

/** The frames of a stream, whose last is empty. */
function events(change: (events: readonly string[]) => readonly string[]): Change {
  return body((text) => `${change(text.split('\n\n').slice(0, -1)).join('\n\n')}\n\n`);
}

function headers(change: (headers: readonly string[]) => readonly string[]): Change {
  return (answered) => ({ ...answered, headers: change(answered.headers) });
}

const staysOpen: Change = (answered) => ({
  ...answered,
  body: (async function* () {
    yield* answered.body;
    await new Promise(() => undefined);
  })(),
});

const GET = '"tasks/get"';
const CALL = '"progressToken"';

describe('a twin', () => {
  it('finds no difference between a server with its door and one without', async () => {
    const { run, differences, compared } = await twinWith((answered) => answered, GET);
    await run();
    expect(differences).toEqual([]);
    expect(compared).toMatchObject({ requests: 6, streams: 1, events: 3 });
  });

  it.each<[string, string, Change]>([
    ['another status', GET, (answered) => ({ ...answered, status: 201 })],
    ['a header less', GET, headers((all) => all.slice(2))],
    ['a header more', GET, headers((all) => [...all, 'X-More', '1'])],
    ['a header with another value', GET, headers((all) => [...all.slice(0, -1), 'other'])],
    ['another value', GET, body((text) => text.replace('"cancelled"', '"completed"'))],
    ['another order', GET, body((text) => text.replace(/^\{(.*),("id":\d+)\}$/, '{$2,$1}'))],
    ['a space more', GET, body((text) => `${text} `)],
    [
      'the id of another task',
      GET,
      body((text) => text.replace(/"taskId":".{6}/, '"taskId":"012345')),
    ],
    ['nothing', GET, body(() => '')],
    ['an event less', CALL, events(([, ...others]) => others)],
    ['the last event missing', CALL, events((all) => all.slice(0, -1))],
    ['an event more', CALL, events((all) => [...all, ...all.slice(-1)])],
    ['events in another order', CALL, events((all) => all.toReversed())],
    ['another event', CALL, events((all) => all.map((each) => each.replace('done', 'gone')))],
    ['a stream for JSON', GET, headers((all) => ['Content-Type', 'text/event-stream', ...all])],
    ['a stream that stays open', CALL, staysOpen],
    ['no answer', GET, () => Promise.reject(new Error('The connection broke'))],
  ])('reports %s', async (_, named, change) => {
    const { run, differences } = await twinWith(change, named, 100);
    await run().catch(() => undefined);
    expect(differences.map(({ asked }) => asked)).toContainEqual(expect.stringContaining(named));
  });

  it('repeats a read of a task that one server answers a moment earlier than the other', async () => {
    let behind = 3;
    const early = body((text) => (behind-- > 0 ? text.replace('"cancelled"', '"working"') : text));
    const { run, differences, compared } = await twinWith(early, GET);
    await run();
    expect(differences).toEqual([]);
    expect(compared.repeated).toBe(1);
  });
});

describe('the names of two servers', () => {
  const uuid = (digit: number): string => `${digit}0000000-0000-4000-8000-000000000000`;
  const said = (digit: number, more = ''): string => `{"at":"${uuid(digit)}"${more}}`;

  it('are paired by the places where they come', () => {
    const pairs = createPairs();
    expect(pairs.translated(uuid(1))).toBe(uuid(1));
    expect(pairs.same(said(1), said(2))).toBe(true);
    expect(pairs.translated(`/a/${uuid(1)}?${uuid(1)}`)).toBe(`/a/${uuid(2)}?${uuid(2)}`);
    expect(pairs.same(said(1), said(2))).toBe(true);
  });

  it('stay what they are', () => {
    const pairs = createPairs();
    pairs.same(said(1), said(2));
    for (const [one, other] of [
      [1, 3],
      [3, 2],
      [1, 1],
    ] as const) {
      expect(pairs.same(said(one), said(other))).toBe(false);
    }
  });

  it('are not paired where the texts differ', () => {
    const pairs = createPairs();
    expect(pairs.same(said(1), said(2, ' '))).toBe(false);
    expect(pairs.translated(uuid(1))).toBe(uuid(1));
  });

  it('of times and delays are all the same', () => {
    const at = (time: string, ms: number): string => `{"at":"${time}","retryAfterMs":${ms}}`;
    const pairs = createPairs();
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'];
    expect(pairs.same(at(early, 10), at(late, 9))).toBe(true);
    expect(pairs.same(at(early, 10), at(early, 8))).toBe(true);
  });

  it('of states depend on the second in which a server makes them, but not on their content', () => {
    const state = (exp: number, answers: object): string => {
      const signed = Buffer.from(JSON.stringify({ p: { answers }, exp }));
      return `{"requestState":"v1.${signed.toString('base64url')}.signature"}`;
    };
    const pairs = createPairs();
    expect(pairs.same(state(1, {}), state(2, {}))).toBe(true);
    expect(pairs.same(state(2, {}), state(2, {}))).toBe(true);
    expect(pairs.translated(state(1, {}))).toBe(state(2, {}));
    expect(pairs.same(state(2, {}), state(2, { name: 'Ann' }))).toBe(false);
  });

  it('are found in cursors that begin with the id of a task', () => {
    const id = (first: string): string => `${first}a2052d316360c6ALvpJwoglOZ0YdhkvXbvrOV`;
    const page = (first: string): string =>
      `{"taskId":"${id(first)}","nextCursor":"${id(first)}.x"}`;
    const pairs = createPairs();
    expect(pairs.same(page('1'), page('2'))).toBe(true);
    expect(pairs.translated(`"${id('1')}.x"`)).toBe(`"${id('2')}.x"`);
  });
});
