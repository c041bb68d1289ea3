import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../support/size.js';
import { initialized, INITIALIZE, lines, validateText } from './support.js';

const META = 'io.modelcontextprotocol/';
const ADDRESSES = [
  'file:///a',
  'file:///a/b',
  'file:///ab',
  'file:///a/b/c?d',
  'note://a',
  'note://',
];
/** The addresses that an update may have, by subscribed address. */
const COVERED: Readonly<Record<string, readonly string[]>> = {
  'file:///a': ['file:///a', 'file:///a/b', 'file:///a/b/c?d'],
  'file:///a/b': ['file:///a/b', 'file:///a/b/c?d'],
  'file:///ab': ['file:///ab'],
  'file:///a/b/c?d': ['file:///a/b/c?d'],
  'note://a': ['note://a'],
  'note://': ['note://a', 'note://'],
};
const mayBe = (updated: string, subscribed: Iterable<string>): boolean =>
  [...subscribed].some((each) => COVERED[each]?.includes(updated));

const address = fc.constantFrom(...ADDRESSES);
type Step = readonly ['subscribe' | 'unsubscribe' | 'refused' | 'updated', string];
const steps = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>('subscribe', 'unsubscribe', 'refused', 'updated', 'updated'),
    address,
  ),
  { minLength: 1, maxLength: 12 },
);
const updated = (uri: string, meta: object = {}): object => ({
  ...{ jsonrpc: '2.0', method: 'notifications/resources/updated' },
  params: { uri, ...meta },
});
const found = async (messages: readonly object[], code: string): Promise<number[]> => {
  const { findings } = await validateText(lines(...messages));
  return findings.filter((each) => each.code === code).map(({ line }) => line);
};

it('BASE-RES-1 an update follows a subscription that was not ended, to its resource or one above', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const server = initialized();
      const capabilities = { resources: { subscribe: true } };
      const messages: object[] = [
        INITIALIZE,
        { ...server, result: { ...server.result, capabilities } },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      ];
      const subscribed = new Set<string>();
      const expected: number[] = [];
      for (const [id, [step, uri]] of taken.entries()) {
        if (step === 'updated') {
          messages.push(updated(uri));
          if (!mayBe(uri, subscribed)) expected.push(messages.length);
          continue;
        }
        const method = step === 'subscribe' ? 'resources/subscribe' : 'resources/unsubscribe';
        messages.push({ jsonrpc: '2.0', id: id + 1, method, params: { uri } });
        // An update may be on its way before the answer, and after a refusal.
        if (mayBe(uri, subscribed)) messages.push(updated(uri));
        const refusal = { error: { code: -32602, message: 'No' } };
        messages.push({
          jsonrpc: '2.0',
          id: id + 1,
          ...(step === 'refused' ? refusal : { result: {} }),
        });
        if (step === 'subscribe') subscribed.add(uri);
        if (step === 'unsubscribe') subscribed.delete(uri);
      }
      expect(await found(messages, 'unrequested-update')).toEqual(expected);
    }),
    { numRuns: sized(500) },
  );
});

it('BASE-SUB-5 an update on a listen stream is of a requested resource or one below', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(address, { minLength: 1, maxLength: 3 }),
      address,
      async (requested, uri) => {
        const notifications = { resourceSubscriptions: requested };
        const meta = {
          [`${META}protocolVersion`]: '2026-07-28',
          [`${META}clientCapabilities`]: {},
          [`${META}clientInfo`]: { name: 'client', version: '1' },
        };
        const stream = { _meta: { [`${META}subscriptionId`]: 1 } };
        const messages = [
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'subscriptions/listen',
            params: { notifications, _meta: meta },
          },
          {
            ...{ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' },
            params: { notifications, ...stream },
          },
          updated(uri, stream),
        ];
        const expected = mayBe(uri, requested) ? [] : [3];
        expect(await found(messages, 'unrequested-notification')).toEqual(expected);
      },
    ),
    { numRuns: sized(300) },
  );
});
