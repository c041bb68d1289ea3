import fc from 'fast-check';
import { describe, it } from 'vitest';

import { REQUESTS } from './drafts.js';
import { messageRule } from './hostile/messages.js';
import { pairOf, type Step, withoutFraming } from './hostile/pair.js';
import type { HostileRequest } from './hostile/request.js';
import { hostileRequests } from './hostile/requests.js';
import { expectRoom } from './hostile/room.js';
import { target } from './hostile/target.js';
import { fitsWeb } from './hostile/web-requests.js';
import { sized } from '../support/size.js';

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** Requests whose order does not matter, because those that follow each other at once run at the same time. */
const READS = Object.entries(REQUESTS)
  .filter(([name]) => !/call|plain|update|cancel/.test(name))
  .map(([, draft]) => draft);

const fitting = (drafts?: Parameters<typeof hostileRequests>[0]) =>
  hostileRequests(drafts).filter(fitsWeb);

/** Node writes `100 Continue` of a request that waits behind another one into the answer of some hosts. */
const isAnsweredOnce = ({ headers }: HostileRequest): boolean =>
  !headers.some(([name]) => name === 'Expect');

/**
 * Whether no session is left behind if the answer never arrives, which a web host does not say. What Node's adapter
 * does then: `departures.test.ts`.
 */
const beginsNothing = ({ body }: HostileRequest): boolean => !body.includes('initialize');

const one = fc
  .record({
    slot: fc.nat(1),
    request: fitting(),
    cuts: fc.array(share, { maxLength: 3 }),
    end: fc.nat(19).map((drawn) => drawn === 0),
  })
  .map(({ request, end, ...rest }) => ({
    kind: 'ask' as const,
    requests: [request],
    ...rest,
    end: end && beginsNothing(request),
  }));
const several = fc
  .record({
    slot: fc.nat(1),
    requests: fc.array(
      fitting(READS)
        .filter(isAnsweredOnce)
        // An answer behind a stream arrives only if the stream ends.
        .filter(beginsNothing)
        .map((request) => ({ ...request, method: 'POST' })),
      { minLength: 2, maxLength: 3 },
    ),
    cuts: fc.array(share, { maxLength: 2 }),
    end: fc.boolean(),
  })
  .map((rest) => ({ kind: 'ask' as const, ...rest }));
const broken = fc
  .record({ request: fitting().filter(beginsNothing), share })
  .map((rest) => ({ kind: 'break' as const, ...rest }));
const left = fc.nat(1).map((slot) => ({ kind: 'leave' as const, slot }));

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: one },
  { weight: 2, arbitrary: several },
  { weight: 1, arbitrary: broken },
  { weight: 1, arbitrary: left },
);

const numRuns = sized(200);

describe('hostile requests over sockets', () => {
  it(
    'break no rule, get the same answers from Node and from a web host, and leave nothing open',
    async () => {
      const targets = [await target(), await target({}, 'web')] as const;
      const pair = pairOf(targets, withoutFraming, await messageRule());
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 8 }), (all) => pair.run(all)),
        { numRuns },
      );
      for (const each of targets) await expectRoom(each);
    },
    120_000 + numRuns * 500,
  );

  it(
    'that no web request can be made of break no rule at the adapter for Node',
    async () => {
      const targets = [await target(), await target()] as const;
      const pair = pairOf(targets, withoutFraming, await messageRule());
      const unfit = hostileRequests()
        .filter((request) => !fitsWeb(request))
        .map((request): Step => ({
          kind: 'ask',
          slot: 0,
          requests: [request],
          cuts: [],
          end: false,
        }));
      await fc.assert(
        fc.asyncProperty(fc.array(unfit, { minLength: 1, maxLength: 4 }), (all) => pair.run(all)),
        { numRuns: Math.ceil(numRuns / 2) },
      );
      for (const each of targets) await expectRoom(each);
    },
    120_000 + numRuns * 500,
  );
});
