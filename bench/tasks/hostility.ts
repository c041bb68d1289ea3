import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';

import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  DEFAULT_LIMITS,
  LONGEST_TTL,
  TaskError,
  type TaskEngine,
} from '../../runtime/tasks/index.js';
import { ms, percentile, timed, type Bench, type Row } from '../bench.js';
import { ANN, BEN, sleep, start, withEngine } from './sqlite-engine.js';

const request = { method: 'tools/call', params: {} };
const quick = (): object => ({ content: [] });

/** The effect of a hostile or careless requestor on the others. */
export const hostility: Bench = {
  name: 'tasks/hostility',
  run: async () => [
    await bogusIds(),
    await creationLimits(),
    await timesToLive(),
    await unknownOwners(),
  ],
};

const BOGUS_A_SECOND = 10_000;
const SEGMENT_MS = 1_000;

async function bogusIds(): Promise<Row> {
  const calm: number[] = [];
  const stormy: number[] = [];
  let refused = 0;
  let sent = 0;
  await withEngine(
    quick,
    async (engine) => {
      for (let segment = 0; segment < 10; segment += 1) {
        const storm = segment % 2 === 1;
        const until = performance.now() + SEGMENT_MS;
        const attack = setInterval(() => {
          for (let n = 0; storm && n < BOGUS_A_SECOND / 1_000; n += 1) {
            sent += 1;
            engine.get(BEN, `bogus-${sent}`).catch(() => (refused += 1));
          }
        }, 1);
        while (performance.now() < until) {
          (storm ? stormy : calm).push(await timed(() => lifecycle(engine)));
          await sleep(1);
        }
        clearInterval(attack);
      }
    },
    { limits: { ...DEFAULT_LIMITS, createsPerSecond: 1e6, createBurst: 1e6, storedPerOwner: 1e6 } },
  );
  const peer = new InMemoryTaskStore();
  let peerServed = 0;
  for (let n = 0; n < BOGUS_A_SECOND; n += 1) {
    // The peer answers "not found" like any other answer: it counts and delays nothing.
    if ((await peer.getTask(`bogus-${n}`)) === null) peerServed += 1;
  }
  const [before, during] = [percentile(calm, 0.99), percentile(stormy, 0.99)];
  const share = during / before - 1;
  return {
    row: "10,000 bogus ids a second; others' lifecycle p99",
    goal: 'all refused and counted; ≤ +20 %',
    ours: `${refused} of ${sent} refused; ${ms(before)} → ${ms(during)} (${(share * 100).toFixed(0)} %)`,
    peer: `SDK v1's store: ${peerServed} looked up, none limited`,
    met: refused === sent && share <= 0.2,
  };
}

async function lifecycle(engine: TaskEngine): Promise<void> {
  const { id } = await start(engine);
  await engine.wait(ANN, id);
}

async function creationLimits(): Promise<Row> {
  const wanted = 5_000;
  let refused = 0;
  await withEngine(
    () => new Promise(() => undefined),
    async (engine) => {
      for (let n = 0; n < wanted; n += 1) {
        await start(engine).catch((error: unknown) => {
          if (error instanceof TaskError && error.reason === 'limit') refused += 1;
        });
      }
      await start(engine, BEN);
    },
    { limits: {} },
  );
  const peer = new InMemoryTaskStore();
  for (let n = 0; n < wanted; n += 1) await peer.createTask({}, n, request);
  return {
    row: `one owner starts ${wanted.toLocaleString('en')} endless tasks`,
    goal: 'limited by default',
    ours: `${wanted - refused} accepted, ${refused} refused; others go on`,
    peer: `SDK v1's store: ${peer.getAllTasks().length} accepted`,
    met: refused > 0,
  };
}

const BAD_TTLS = [0, -1, 0.5, NaN, 1e300, -1e300, Infinity, '60'];
const LONG_TTLS = [30 * 86_400_000, LONGEST_TTL];

async function timesToLive(): Promise<Row> {
  const late: number[] = [];
  let badAccepted = 0;
  let longLost = 0;
  await withEngine(
    quick,
    async (engine) => {
      for (const ttl of BAD_TTLS) {
        const made = await start(engine, ANN, ttl as number).catch(() => undefined);
        if (made !== undefined) badAccepted += 1;
      }
      const long = await Promise.all(LONG_TTLS.map((ttl) => start(engine, ANN, ttl)));
      for (let ttl = 1; ttl <= 50; ttl += 7) {
        const { id, createdAt } = await start(engine, ANN, ttl);
        while (await engine.get(ANN, id).catch(() => undefined)) await sleep(0);
        late.push(Date.now() - (createdAt + ttl));
      }
      for (const { id } of long) {
        if (!(await engine.get(ANN, id).catch(() => undefined))) longLost += 1;
      }
    },
    { limits: { ttlMax: LONGEST_TTL } },
  );
  const peer = new InMemoryTaskStore();
  let peerBad = 0;
  for (const ttl of BAD_TTLS) {
    await peer.createTask({ ttl: ttl as number }, 1, request).then(
      () => (peerBad += 1),
      () => undefined,
    );
  }
  const peerLong = await Promise.all(LONG_TTLS.map((ttl) => peer.createTask({ ttl }, 1, request)));
  await sleep(50);
  let peerLost = 0;
  for (const { taskId } of peerLong) if ((await peer.getTask(taskId)) === null) peerLost += 1;
  peer.cleanup();
  const [earliest, latest] = [Math.min(...late), Math.max(...late)];
  return {
    row: 'TTLs: exact; 30 days and 10 years kept; bad ones',
    goal: '-32602 for bad, exact from creation',
    ours: `${earliest} to ${latest} ms late when polled; ${longLost} lost; ${badAccepted} of ${BAD_TTLS.length} bad taken`,
    peer: `SDK v1's store: ${peerLost} of ${LONG_TTLS.length} lost within 50 ms; ${peerBad} of ${BAD_TTLS.length} bad taken`,
    met: badAccepted === 0 && longLost === 0 && earliest >= 0 && latest <= 5,
  };
}

async function unknownOwners(): Promise<Row> {
  let leaks = 0;
  let attempts = 0;
  await withEngine(
    () => new Promise(() => undefined),
    async (engine) => {
      const { id } = await start(engine);
      for (const owner of ['ben', '', 'ANN', 'ann ', 'ann\u0000']) {
        const caller = { owner, dialect: 'core' } as const;
        for (const attempt of [
          () => engine.get(caller, id),
          () => engine.wait(caller, id),
          () => engine.cancel(caller, id),
          () => engine.answer(caller, id, {}),
          () => engine.subscribe(caller, id, () => undefined),
        ]) {
          attempts += 1;
          await attempt().then(
            () => (leaks += 1),
            () => undefined,
          );
        }
        leaks += (await engine.list(caller)).tasks.length;
      }
    },
    { store: createMemoryStore() },
  );
  const peer = new InMemoryTaskStore();
  const { taskId } = await peer.createTask({}, 1, request);
  const seen = await peer.getTask(taskId, 'another session');
  return {
    row: 'access by anyone but the owner',
    goal: 'refused on every method',
    ours: `${leaks} of ${attempts} attempts succeeded`,
    peer: `SDK v1's store: ${seen === null ? 'refused' : 'given to any session, when made without one (stateless)'}`,
    met: leaks === 0,
  };
}
