import { describe, expect, it } from 'vitest';
import { Latency } from '../../pages/findings/latency.js';
import { Clock, instantOf } from '../../contracts/validate/time.js';
import { jsonl } from './recordings.js';
import { recorderOf } from './reports.js';

const AT = Date.parse('2026-07-28T09:00:01.250Z');

describe('the time of a message', () => {
  it.each([
    ['2026-07-28T09:00:01.250Z', AT],
    ['2026-07-28T11:00:01.25+02:00', AT],
    ['2026-07-28 11:00:01,250+0200', AT],
    ['2026-07-28T09:00:01.250Z [server] [info] Message from client: ', AT],
    [AT, AT],
    [AT / 1000, AT],
    [String(AT), AT],
    [AT * 1e3, AT],
  ] as const)('is read from %j', (written, ms) => {
    expect(instantOf(written)).toEqual({ kind: 'utc', ms: expect.closeTo(ms, 2) as number });
  });

  it.each([
    ['2026-07-28T09:00:01.25', 'local', AT],
    ['[09:00:01.250] --> ', 'day', AT % 86_400_000],
  ])('is read from %j, without a zone or a date', (written, kind, ms) => {
    expect(instantOf(written)).toEqual({ kind, ms });
  });

  it.each([
    1.5,
    1200,
    -1,
    1e21,
    Number.NaN,
    'today',
    '',
    '--> ',
    null,
    {},
    '99:00:00',
    '2026-13-99T00:00:00Z',
  ])('is not guessed: %j', (written) => {
    expect(instantOf(written)).toBeUndefined();
  });

  it('goes on after midnight, and is of one kind', () => {
    const clock = new Clock();
    const [before = 0, after = 0] = ['23:59:59.5', '00:00:00.5'].map((each) => clock.read(each));
    expect(after - before).toBe(1000);
    expect(clock.read('2026-07-28T09:00:01Z')).toBeUndefined();
  });
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const pong = { jsonrpc: '2.0', id: 1, result: {} };
const FORMS: Readonly<Record<string, [text: string, timed: number]>> = {
  'JSON Lines without times': [jsonl([ping, pong]), 0],
  records: [
    jsonl(
      [ping, pong].map((message, index) => ({
        timestamp: AT + index * 5,
        direction: index ? 'server' : 'client',
        message,
      })),
    ),
    2,
  ],
  'a log with times of day': [
    `[09:00:01.250] --> ${JSON.stringify(ping)}\n[09:00:01.255] <-- ${JSON.stringify(pong)}\n`,
    2,
  ],
  'a log with dates': [
    `2026-07-28T09:00:01.250Z [x] Message from client: ${JSON.stringify(ping)}\n` +
      `2026-07-28T09:00:01.255Z [x] Message from server: ${JSON.stringify(pong)}\n`,
    2,
  ],
  'a HAR file': [
    JSON.stringify({
      log: {
        entries: [
          {
            startedDateTime: '2026-07-28T09:00:01.250Z',
            time: 5,
            request: {
              headers: [{ name: 'Mcp-Session-Id', value: 's' }],
              postData: { text: JSON.stringify(ping) },
            },
            response: { content: { text: JSON.stringify(pong) } },
          },
        ],
      },
    }),
    2,
  ],
  'an exchange': [jsonl([{ request: ping, response: pong }]), 0],
};

describe('a recording', () => {
  it.each(Object.entries(FORMS))('has its times, or none: %s', async (name, [text, timed]) => {
    const recorder = await recorderOf({ 'x.txt': text });
    expect(recorder.timed).toBe(timed);
    const latency = recorder.methods.get('ping')?.latency;
    expect(latency?.count).toBe(timed === 0 ? 0 : 1);
    if (timed > 0) expect(latency?.most).toBeCloseTo(5, 3);
    expect(recorder.sessions).toEqual(name === 'a HAR file' ? ['s'] : []);
  });
});

it('knows quantiles of durations within the half of a bucket', () => {
  const latency = new Latency();
  for (let ms = 1; ms <= 1000; ms += 1) latency.add(ms);
  for (const part of [0.05, 0.5, 0.95]) {
    const ratio = latency.quantile(part) / (1000 * part);
    expect(Math.abs(Math.log10(ratio))).toBeLessThan(0.051);
  }
  expect(latency.quantile(1)).toBe(1000);
});
