import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mock } from '../../contracts/mock/mock.js';
import { createTaskClient } from '../../runtime/client/index.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import { INFO, streamV1 } from '../server/clients.js';
import { transportTo } from '../support/stdio.js';
import { exampleServer } from './example-server.js';
import { recordTo, temporaryFolder } from './support.js';
import { call, HELLO, type Line, playing, written } from './written.js';

const [CORE, EXT] = ['2025-11-25', '2026-07-28'] as const;
const FORM = { name: 'Ann', appendix: 'yes' };

/** What a client of a revision sees of a server, in words that all revisions have. */
async function visit(transport: never, revision: RevisionVersion): Promise<unknown> {
  const asked: string[] = [];
  const progress: unknown[] = [];
  const client = createTaskClient({
    ...INFO,
    revisions: [revision],
    answer: {
      form({ message }) {
        asked.push(message);
        return { action: 'accept', content: FORM };
      },
    },
  });
  await client.connect(transport);
  expect(client.revision).toBe(revision);
  const report = await client.start('report', { topic: 'birds' });
  const seen = {
    name: client.server.info,
    tools: (await client.tools()).map(({ name }) => name),
    prompts: (await client.prompts()).map(({ name }) => name),
    echo: (await client.call('echo', { text: 'hi' })).content,
    ask: (await client.call('ask', {}, { onProgress: (each) => progress.push(each) })).content,
    fail: await client.call('fail', {}).catch(String),
    notes: (await client.read('note://today')).contents,
    review: (await client.prompt('review', { code: 'x' })).messages,
    report: (await report.result()).structuredContent,
  };
  await client.close();
  return { ...seen, asked: asked.sort(), progress };
}

async function recorded(revision: RevisionVersion): Promise<{ file: string; original: unknown }> {
  const file = join(temporaryFolder(), 'session.jsonl');
  const server = await exampleServer();
  onTestFinished(() => server.close());
  const original = await visit(recordTo(file, transportTo(server)) as never, revision);
  return { file, original };
}

describe.each([
  [CORE, EXT],
  [EXT, CORE],
  [CORE, '2025-06-18'],
] as const)('a recording in %s', (from, to) => {
  it(`answers a client that speaks ${to}`, async () => {
    const { file, original } = await recorded(from);
    const played = await mock(file);
    onTestFinished(() => played.close());
    expect(await visit(played.transport() as never, to)).toEqual(original);
    expect(played.requests.filter(({ answeredBy }) => answeredBy === 'nothing')).toEqual([]);
  });
});

it('shows a task of the extension to a client that wants one of the core dialect', async () => {
  const { file } = await recorded(EXT);
  const played = await mock(file);
  onTestFinished(() => played.close());
  const [messages = []] = await streamV1(played.transport(), FORM, [
    { name: 'report', arguments: { topic: 'birds' } },
  ]);
  expect(messages.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['taskCreated', 'taskStatus', 'result']),
  );
  expect(messages.at(-1)).toMatchObject({
    result: { structuredContent: { topic: 'birds', appendix: true } },
  });
});

it('answers only in the recorded revision when it is strict', async () => {
  const { file, original } = await recorded(CORE);
  const played = await mock(file, { strict: true });
  onTestFinished(() => played.close());
  await expect(visit(played.transport() as never, EXT)).rejects.toThrow(/version/i);
  expect(await visit(played.transport() as never, CORE)).toEqual(original);
});

describe('a recording in a revision that the runtime does not have', () => {
  const [hello, welcome, ...begun] = JSON.parse(
    JSON.stringify(HELLO).replaceAll(CORE, '2099-01-01'),
  ) as Line[];
  const lines = [hello, welcome, ...begun, ...call(1, { a: 1 }, 'one')] as Line[];

  it('is played to a client that takes it, and the runtime answers what was not recorded', async () => {
    const server = await playing(written(lines));
    const transport = server.transport();
    const answers: unknown[] = [];
    const all = new Promise<void>((resolve) => {
      transport.onmessage = (message) => {
        if (answers.push(message) === 3) resolve();
      };
    });
    await transport.start();
    const asked = lines.filter(([way]) => way === '>').map(([, message]) => message);
    for (const message of [...asked, { id: 2, method: 'ping' }]) {
      await transport.send({ jsonrpc: '2.0', ...message });
    }
    await all;
    const recorded = lines.filter(([way]) => way === '<').map(([, message]) => message);
    // The runtime answers before the player has read the file.
    expect(answers).toHaveLength(3);
    expect(answers).toEqual(
      expect.arrayContaining(
        [...recorded, { id: 2, result: {} }].map((message) => ({ jsonrpc: '2.0', ...message })),
      ),
    );
    expect(server.requests.map(({ revision }) => revision).slice(1)).toEqual([
      '2099-01-01',
      '2099-01-01',
    ]);
    await transport.close();
  });
});

it('completes arguments as it was recorded in another revision', async () => {
  const ref = { type: 'ref/prompt', name: 'review' } as const;
  const params = { ref, argument: { name: 'code', value: 'a' } };
  const listing = { name: 'review', arguments: [{ name: 'code' }] };
  const lines: Line[] = [
    HELLO[0] as Line,
    JSON.parse(
      JSON.stringify(HELLO[1]).replace('"tools":{}', '"prompts":{},"completions":{}'),
    ) as Line,
    HELLO[2] as Line,
    ['>', { id: 1, method: 'prompts/list', params: {} }],
    ['<', { id: 1, result: { prompts: [listing] } }],
    ['>', { id: 2, method: 'completion/complete', params }],
    ['<', { id: 2, result: { completion: { values: ['ab', 'ac'], total: 7, hasMore: true } } }],
  ];
  const client = createTaskClient({ ...INFO, revisions: [EXT] });
  await client.connect((await playing(written(lines))).transport());
  onTestFinished(() => client.close());
  const completed = await client.complete({ prompt: 'review' }, { name: 'code', value: 'a' });
  expect(completed).toEqual(['ab', 'ac']);
});
