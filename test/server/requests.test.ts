import { SpanKind } from '@opentelemetry/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { recordTelemetry } from '../support/telemetry.js';
import { changed, type Draft, REQUESTS } from './drafts.js';
import { expectedRule } from './hostile/expected.js';
import { messageRule } from './hostile/messages.js';
import { pairOf, type Rule, type Step, withoutFraming } from './hostile/pair.js';
import { requestOf } from './hostile/request.js';
import { target } from './hostile/target.js';
import { fitsWeb } from './hostile/web-requests.js';
import { sized } from '../support/size.js';

function asking(draft: Draft): Step {
  return { kind: 'ask', slot: 0, requests: [requestOf(draft)], cuts: [], end: false };
}

const numRuns = sized(300);

describe('Node and a web host give the same answers, with the expected status and code', () => {
  const recorded = recordTelemetry();

  async function bothAdapters() {
    const isMessage = await messageRule();
    const rule: Rule = (...args) => isMessage(...args) ?? expectedRule(...args);
    return pairOf([await target(), await target({}, 'web')], withoutFraming, rule);
  }

  it('to every kind of request, of which each makes one span', async () => {
    const pair = await bothAdapters();
    for (const draft of Object.values(REQUESTS)) {
      const earlier = recorded.spans().length;
      await pair.run([asking(draft)]);
      const { method } = draft.message as { readonly method: string };
      const spans = recorded.spans().slice(earlier);
      const own = spans.filter(
        ({ kind, name }) => kind === SpanKind.SERVER && !/initialize/.test(name),
      );
      expect(own.length, `${method}: ${own.map(({ name }) => name).join()}`).toBe(2);
    }
  });

  it(
    'to every kind of request, changed in up to three places',
    async () => {
      const pair = await bothAdapters();
      const requests = changed(Object.values(REQUESTS)).filter((draft) =>
        fitsWeb(requestOf(draft)),
      );
      await fc.assert(
        fc.asyncProperty(requests, (draft) => pair.run([asking(draft)])),
        { numRuns },
      );
    },
    60_000 + numRuns * 200,
  );
});
