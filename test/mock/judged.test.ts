import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXTENSION_ID, META_KEYS, METHODS } from '../../runtime/protocol.js';
import { INFO } from '../server/clients.js';
import { sized } from '../support/size.js';
import { transportTo } from '../support/stdio.js';
import { lines, validateText } from '../validate/support.js';
import type { MockServer, MockTransport } from '../../contracts/mock/types.js';
import { exampleServer } from './example-server.js';
import { fileOfLock, LOCK } from './locks.js';
import { recordTo, temporaryFolder } from './support.js';
import { mock } from '../../contracts/mock/mock.js';
import { TALKS } from './talks.js';

/** Requests that clients may send, in any order: some are answered, others refused. */

interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const CAPABILITIES = { elicitation: { form: {} }, extensions: { [EXTENSION_ID]: {} } };
const VERSIONS = ['2025-11-25', '2025-06-18', '2026-07-28'] as const;

const name = fc.constantFrom('echo', 'ask', 'report', 'work', 'fail', 'weather', 'long', 'missing');
const args = fc.constantFrom({}, { text: 'hi' }, { topic: 'birds' }, { city: 'Bern' }, { a: [1] });
const task = fc.constantFrom({}, {}, { task: { ttl: 60_000 } });
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    method: fc.constantFrom(
      METHODS.toolsList,
      METHODS.promptsList,
      METHODS.resourcesList,
      METHODS.resourcesTemplatesList,
      METHODS.ping,
      METHODS.serverDiscover,
      METHODS.tasksList,
      'tools/unknown',
    ),
    params: fc.constant({}),
  }),
  fc.tuple(name, args, task).map(([tool, given, own]) => ({
    method: METHODS.toolsCall,
    params: { name: tool, arguments: given, ...own },
  })),
  fc.record({
    method: fc.constantFrom(METHODS.tasksGet, METHODS.tasksCancel, METHODS.tasksResult),
    params: fc.constantFrom({ taskId: 'last' }, { taskId: 'last' }, { taskId: 'unknown' }),
  }),
  fc.constantFrom<Asked[]>(
    { method: METHODS.promptsGet, params: { name: 'review', arguments: { code: 'x' } } },
    { method: METHODS.promptsGet, params: { name: 'review' } },
    { method: METHODS.promptsGet, params: { name: 'missing' } },
    { method: METHODS.resourcesRead, params: { uri: 'note://today' } },
    { method: METHODS.resourcesRead, params: { uri: 'note://missing' } },
    { method: METHODS.resourcesSubscribe, params: { uri: 'note://today' } },
    { method: METHODS.loggingSetLevel, params: { level: 'debug' } },
  ),
);

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Sends requests one after another, and resolves with a recording of all messages. */
async function conversation(
  transport: MockTransport,
  version: (typeof VERSIONS)[number],
  all: readonly Asked[],
): Promise<object[]> {
  const recording: object[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  const send = (message: object): void => {
    const whole = { jsonrpc: '2.0', ...message };
    recording.push({ direction: 'client', message: whole });
    void transport.send(whole);
  };
  transport.onmessage = (received) => {
    const message = received as Message;
    recording.push({ direction: 'server', message });
    if (message.method === undefined) return waiting.get(message.id)?.(message);
    if (message.id !== undefined)
      send({ id: message.id, result: { action: 'accept', content: { name: 'Ann' } } });
  };
  await transport.start();
  let count = 0;
  const meta = {
    _meta: {
      [META_KEYS.protocolVersion]: version,
      [META_KEYS.clientInfo]: INFO,
      [META_KEYS.clientCapabilities]: CAPABILITIES,
    },
  };
  const isExt = version === '2026-07-28';
  const request = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      const id = (count += 1);
      waiting.set(id, resolve);
      send({ id, method, params: isExt ? { ...params, ...meta } : params });
    });
  if (!isExt) {
    const { elicitation } = CAPABILITIES;
    const params = { protocolVersion: version, capabilities: { elicitation }, clientInfo: INFO };
    await request(METHODS.initialize, params);
    send({ method: METHODS.notificationsInitialized });
  }
  let last: unknown = 'unknown';
  for (const { method, params } of all) {
    const own = params['taskId'] === 'last' ? { taskId: last } : params;
    const { result } = await request(method, own);
    const created = (result?.['task'] ?? result ?? {}) as { taskId?: string };
    last = created.taskId ?? last;
    if (result?.['resultType'] !== 'input_required') continue;
    const { inputRequests = {}, requestState } = result;
    const answer = { action: 'accept', content: { name: 'Ann' } };
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests as object).map((key) => [key, answer]),
    );
    await request(method, { ...own, inputResponses, requestState });
  }
  await transport.close();
  return recording;
}

/** What `validate` finds in the messages of the mock. */
async function foundIn(recording: readonly object[]): Promise<string[]> {
  const { findings } = await validateText(lines(...recording));
  return findings
    .filter(({ from }) => from === 'server')
    .map(({ code, message, method = '' }) => `${code} ${method}: ${message}`);
}

async function fromRecording(talk: string): Promise<MockServer> {
  const file = join(temporaryFolder(), 'session.jsonl');
  const server = await exampleServer();
  await TALKS[talk]?.(recordTo(file, transportTo(server)) as never);
  await server.close();
  return mock(file);
}

const MOCKS: Readonly<Record<string, () => Promise<MockServer>>> = {
  'a lock': () => mock(undefined, { lock: fileOfLock(LOCK) }),
  'a recording of sessions': () => fromRecording('ours, core'),
  'a recording without sessions': () => fromRecording('ours, extension'),
};

describe.each(Object.entries(MOCKS))('a mock of %s', (_, start) => {
  it('sends nothing that `validate` objects to, whatever it is asked', async () => {
    const server = await start();
    onTestFinished(() => server.close());
    const talks = fc.tuple(
      fc.constantFrom(...VERSIONS),
      fc.array(asked, { minLength: 1, maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(talks, async ([version, all]) => {
        const recording = await conversation(server.transport(), version, all);
        expect(await foundIn(recording), JSON.stringify(recording)).toEqual([]);
      }),
      { numRuns: sized(200) },
    );
  });
});
