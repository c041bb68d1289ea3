import { describe, expect, it } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import {
  type Answers,
  elicitationOf,
  type InputEntry,
  outstanding,
  type TaskHandler,
  type TaskRecord,
} from '../../runtime/tasks/index.js';
import { answer, ask, completed, readAnswer } from '../../runtime/tasks/input.js';
import { ANN, ANN_EXT, BEN, ending, refusal, rig, turns } from './support.js';

const accept = (content: object) => ({ result: { action: 'accept', content } });

const asksTwice: TaskHandler['run'] = async ({ task }) => {
  const answers = await Promise.all([
    task.elicit({ message: 'Name?' }),
    task.elicit({ message: 'Age?' }),
  ]);
  return { content: [], answers };
};

describe('input', () => {
  it.each([null, undefined, 5, 'text', []])(
    'takes %j for the answers of an ended task without a fault',
    async (answers) => {
      const tasks = await rig({ quick: () => ({ content: [] }) });
      const { id } = await tasks.start('quick');
      await tasks.engine.wait(ANN, id);
      const task = await tasks.engine.answer(ANN, id, answers as never);
      expect(task.status).toBe('completed');
    },
  );

  it('CORE-INP-1 EXT-UPD-2 makes a task input_required until all is answered; a part is accepted', async () => {
    const tasks = await rig({ asks: asksTwice });
    const { id } = await tasks.start('asks');
    await turns();
    const asked = await tasks.engine.get(ANN, id);
    expect(asked.status).toBe('input_required');
    expect(outstanding(asked.input)).toEqual([
      { key: 'input-1', method: 'elicitation/create', params: '{"message":"Name?"}' },
      { key: 'input-2', method: 'elicitation/create', params: '{"message":"Age?"}' },
    ]);

    const partly = await tasks.engine.answer(ANN, id, { 'input-2': accept({ age: 7 }) });
    expect(partly.status).toBe('input_required');
    expect(outstanding(partly.input).map(({ key }) => key)).toEqual(['input-1']);

    const wholly = await tasks.engine.answer(ANN, id, { 'input-1': accept({ name: 'Kit' }) });
    expect(wholly.status).toBe('working');
    const { outcome } = await ending(tasks, wholly);
    expect(outcome).toEqual({
      result: {
        content: [],
        answers: [accept({ name: 'Kit' }).result, accept({ age: 7 }).result],
      },
    });
  });

  it('EXT-UPD-2 ignores answers to no question, and second answers', async () => {
    const tasks = await rig({ asks: asksTwice });
    const { id } = await tasks.start('asks', {}, ANN_EXT);
    await turns();
    const before = await tasks.engine.get(ANN_EXT, id);
    const stray = { stranger: accept({}), __proto__: accept({}), constructor: accept({}) };
    expect(await tasks.engine.answer(ANN_EXT, id, stray)).toEqual(before);
    await tasks.engine.answer(ANN_EXT, id, { 'input-1': accept({ n: 1 }) });
    await tasks.engine.answer(ANN_EXT, id, { 'input-1': accept({ n: 2 }) });
    const record = await tasks.engine.answer(ANN_EXT, id, { 'input-2': accept({}) });
    expect(record.input[0]?.answer).toBe(JSON.stringify(accept({ n: 1 })));
    const { task } = await ending(tasks, record);
    expect(await tasks.engine.answer(ANN_EXT, id, { 'input-1': accept({}) })).toEqual(task);
  });

  it('SEC-2 takes no answer from anyone but the owner', async () => {
    const tasks = await rig({ asks: asksTwice });
    const { id } = await tasks.start('asks');
    await turns();
    for (const other of [BEN, ANN_EXT]) {
      const refused = await refusal(tasks.engine.answer(other, id, { 'input-1': accept({}) }));
      expect(refused.reason).toBe('unknown_task');
    }
    expect(outstanding((await tasks.engine.get(ANN, id)).input)).toHaveLength(2);
  });

  it("hands the requestor's error to the handler, and passes it on if that lets it", async () => {
    const tasks = await rig({ asks: asksTwice });
    const task = await tasks.start('asks');
    await turns();
    const error = { code: -1, message: 'User rejected sampling request', data: { why: 'no' } };
    await tasks.engine.answer(ANN, task.id, { 'input-1': { error } });
    expect((await ending(tasks, task)).outcome).toEqual({ error });
  });

  it.each([
    ['no object', { 'input-1': 'yes' }],
    ['neither result nor error', { 'input-1': {} }],
    ['a result that is no object', { 'input-1': { result: [] } }],
    ['an error without a code', { 'input-1': { error: { message: 'x' } } }],
    ['an answer that is too large', { 'input-1': accept({ text: 'x'.repeat(300_000) }) }],
    ['an array', []],
  ])('refuses %s and takes nothing of the set', async (_what, answers) => {
    const tasks = await rig({ asks: asksTwice });
    const { id } = await tasks.start('asks');
    await turns();
    const given = { 'input-2': accept({}), ...answers } as never;
    const refused = await refusal(
      tasks.engine.answer(ANN, id, Array.isArray(answers) ? (answers as never) : given),
    );
    expect(refused).toMatchObject({ code: -32602, reason: 'invalid_params' });
    expect(outstanding((await tasks.engine.get(ANN, id)).input)).toHaveLength(2);
  });

  it('limits how often a task may ask, and how much', async () => {
    const tasks = await rig(
      {
        greedy: async ({ task }) => {
          for (;;) await task.sample({ maxTokens: 1 });
        },
        long: ({ task }) => task.elicit({ message: 'x'.repeat(2_000) }),
      },
      { limits: { inputRequests: 3, inputBytes: 1_000 } },
    );
    const greedy = await tasks.start('greedy');
    for (const n of [1, 2, 3]) {
      await turns();
      await tasks.engine.answer(ANN, greedy.id, { [`input-${n}`]: { result: {} } });
    }
    expect((await ending(tasks, greedy)).outcome).toMatchObject({
      error: { code: 429, data: { limit: 'inputRequests', max: 3 } },
    });
    expect((await ending(tasks, await tasks.start('long'))).outcome).toMatchObject({
      error: { code: -32602, data: { reason: 'invalid_params' } },
    });
  });

  it('EXT-UPD-3 refuses a name that the run has used', async () => {
    const tasks = await rig({
      twice: ({ task }) =>
        Promise.all([
          task.input('elicitation/create', {}, { key: 'name' }),
          task.input('elicitation/create', {}, { key: 'name' }),
        ]),
    });
    const { outcome } = await ending(tasks, await tasks.start('twice'));
    expect(outcome).toMatchObject({ error: { code: -32602, message: /already asked/ } });
  });

  it('does not bring the process down when a handler asks and does not wait', async () => {
    const tasks = await rig({
      careless: ({ task }) => {
        void task.elicit({ message: 'Anybody?' });
        return { content: [] };
      },
    });
    expect((await ending(tasks, await tasks.start('careless'))).task.status).toBe('completed');
    await turns();
  });

  it('gives a handler that is run again the answers that it had, and asks only the rest', async () => {
    const store = createMemoryStore();
    const wizard: TaskHandler = {
      retryable: true,
      run: async ({ task }) => {
        const first = await task.elicit({ message: 'First?' });
        const second = await task.elicit({ message: 'Second?' });
        return { content: [], said: [first.content, second.content], attempt: task.attempt };
      },
    };
    const before = await rig({ wizard }, { store });
    const task = await before.start('wizard');
    await turns();
    await before.engine.answer(ANN, task.id, { 'input-1': accept({ n: 1 }) });
    await turns();
    await before.engine.close(0);

    const after = await rig({ wizard }, { store });
    await turns();
    const resumed = await after.engine.get(ANN, task.id);
    expect(outstanding(resumed.input).map(({ key }) => key)).toEqual(['input-2']);
    await after.engine.answer(ANN, task.id, { 'input-2': accept({ n: 2 }) });
    const { outcome } = await ending(after, task);
    expect(outcome).toMatchObject({ result: { said: [{ n: 1 }, { n: 2 }] } });
  });
});

describe('the ledger', () => {
  const question = (message: string) => ({
    key: 'input-1',
    method: 'elicitation/create',
    params: JSON.stringify({ message }),
  });

  it('EXT-UPD-3 gives a different question of a later run its own key, and withdraws the old one', () => {
    const task = sampleTask(1, { input: [question('Old?')], status: 'input_required', fence: 2 });
    const { key, patch } = ask(task, question('New?'));
    expect(key).toBe('input-1~2');
    expect(patch?.input).toEqual([
      { ...question('Old?'), withdrawn: true },
      { ...question('New?'), key, name: 'input-1' },
    ]);
    const asked = { ...task, ...patch };
    expect(outstanding(asked.input).map((entry) => entry.key)).toEqual([key]);
    expect(answer(asked, (asking) => (asking === 'input-1' ? '{}' : undefined))).toBeUndefined();
    expect(ask(asked, question('New?'))).toEqual({ key });
  });

  describe('of a third run', () => {
    const first = sampleTask(1, { input: [question('Old?')], status: 'input_required', fence: 2 });
    const second = { ...first, ...ask(first, question('New?')).patch };
    const third = { ...second, fence: 3 };
    const open = (input: TaskRecord['input'] = []) => outstanding(input).map(({ key }) => key);

    it('asks a withdrawn question again, under a new key', () => {
      const { key, patch } = ask(third, question('Old?'));
      expect(key).toBe('input-1~3');
      expect(open(patch?.input)).toEqual([key]);
    });

    it('withdraws the question of the second', () => {
      const { key, patch } = ask(third, question('Newest?'));
      expect(open(patch?.input)).toEqual([key]);
    });

    it('finds the question of the second, with its answer', () => {
      expect(ask(third, question('New?'))).toEqual({ key: 'input-1~2' });
      const answered = { ...third, ...answer(third, () => '{"result":{}}') };
      expect(ask(answered, question('New?'))).toEqual({ key: 'input-1~2' });
    });
  });

  it('finds an answered question again, and withdraws the one that was asked instead', () => {
    const answered = { ...question('Old?'), answer: '{"result":{}}' };
    const task = sampleTask(1, { input: [answered], status: 'working', fence: 2 });
    const second = { ...task, ...ask(task, question('New?')).patch, fence: 3 };
    const { key, patch } = ask(second, question('Old?'));
    expect(key).toBe('input-1');
    expect(patch).toEqual({
      status: 'working',
      input: [
        answered,
        { ...question('New?'), key: 'input-1~2', name: 'input-1', withdrawn: true },
      ],
    });
  });

  it('keeps an answer that a changed question leaves behind', () => {
    const answered = { ...question('Old?'), answer: '{"result":{}}' };
    const task = sampleTask(1, { input: [answered], fence: 3 });
    const { patch } = ask(task, question('New?'));
    expect(patch?.input?.[0]).toEqual(answered);
    expect(patch?.status).toBe('input_required');
  });
});

describe('an answer', () => {
  const read = (given: unknown, most = 100) => readAnswer({ a: given } as Answers, 'a', most);
  const result = { result: { n: 1 } };
  const error = { error: { code: -1, message: '' } };

  it('is kept as it came, also an error', () => {
    expect(read(result)).toBe('{"result":{"n":1}}');
    expect(read(error)).toBe('{"error":{"code":-1,"message":""}}');
    expect(read(result, 18)).toBe('{"result":{"n":1}}');
  });

  it('is that of its key alone', () => {
    const inherited = Object.create({ a: result }) as Answers;
    expect(readAnswer({ b: result }, 'a', 100)).toBeUndefined();
    expect(readAnswer(inherited, 'a', 100)).toBeUndefined();
  });

  const MALFORMED = 'The answer to a must hold a result or an error object';
  it.each<[unknown, string]>([
    [null, MALFORMED],
    ['text', MALFORMED],
    [[], MALFORMED],
    [{}, MALFORMED],
    [{ result: 'text' }, MALFORMED],
    [{ result: null, ...error }, MALFORMED],
    [{ error: null }, MALFORMED],
    [{ error: { code: -1 } }, MALFORMED],
    [{ error: { code: 1.5, message: 'x' } }, MALFORMED],
    [{ error: { code: '-1', message: 'x' } }, MALFORMED],
    [{ error: { code: -1, message: 7 } }, MALFORMED],
    [
      { result: { n: 1n } },
      'The answer to a is not JSON: /result/n is a BigInt, which JSON does not have',
    ],
    [{ result: { n: 'x'.repeat(99) } }, 'The answer to a is too large: 118 bytes, limit 100'],
  ])('that cannot be taken is refused: %#', (given, message) => {
    expect(() => read(given)).toThrow(message);
  });

  it('is one of an object of answers', () => {
    for (const answers of [null, 'text', [result]]) {
      expect(() => readAnswer(answers as never, 'a', 100)).toThrow('Answers must be an object');
    }
  });
});

describe('a question by URL', () => {
  const question = (params: object, method = 'elicitation/create') => ({
    key: 'a',
    method,
    params: JSON.stringify(params),
  });
  const url = { mode: 'url', elicitationId: 'e' };

  it.each<[object, string | undefined]>([
    [url, 'e'],
    [{ ...url, elicitationId: '' }, ''],
    [{ ...url, mode: 'form' }, undefined],
    [{ ...url, elicitationId: 7 }, undefined],
    [{ mode: 'url' }, undefined],
  ])('has its id: %j', (params, expected) => {
    expect(elicitationOf(question(params))).toBe(expected);
    expect(elicitationOf(question(params, 'sampling/createMessage'))).toBeUndefined();
  });

  it('is completed once, and others are not', () => {
    const entries = [question(url), question({ ...url, elicitationId: 'f' })];
    const isOf = (entry: InputEntry): boolean => elicitationOf(entry) === 'e';
    const patch = completed(entries, isOf);
    expect(patch).toEqual({ input: [{ ...entries[0], completed: true }, entries[1]] });
    expect(completed(patch?.input ?? [], isOf)).toBeUndefined();
    expect(completed(entries, () => false)).toBeUndefined();
  });
});

describe('a question of a task', () => {
  const entry = { key: 'a', method: 'elicitation/create', params: '{}' };

  it('is open until it is answered or withdrawn', () => {
    const entries: InputEntry[] = [
      entry,
      { ...entry, key: 'b', answer: '{"result":{}}' },
      { ...entry, key: 'c', withdrawn: true },
      { ...entry, key: 'd', answer: '' },
    ];
    expect(outstanding(entries).map(({ key }) => key)).toEqual(['a']);
  });

  it('keeps the task in input_required until the last answer', () => {
    const task = sampleTask(1, { input: [entry, { ...entry, key: 'b' }] });
    const one = answer(task, (key) => (key === 'b' ? '{}' : undefined));
    expect(one).toEqual({
      status: 'input_required',
      input: [entry, { ...entry, key: 'b', answer: '{}' }],
    });
    expect(answer(task, () => '{}')?.status).toBe('working');
    expect(answer(task, () => undefined)).toBeUndefined();
  });

  it('has a method too: another method under one name is another question', () => {
    const task = sampleTask(1, { input: [entry], fence: 2 });
    const sampled = ask(task, { ...entry, method: 'sampling/createMessage' });
    expect(sampled.key).toBe('a~2');
    expect(sampled.patch?.status).toBe('input_required');
    expect(ask(task, entry)).toEqual({ key: 'a' });
    expect(ask(sampleTask(1), entry)).toEqual({
      key: 'a',
      patch: { status: 'input_required', input: [entry] },
    });
  });

  it('gets a key that no other has, whatever keys there are', () => {
    const taken = [entry, { ...entry, key: 'a~2', params: '{"n":1}' }];
    const task = sampleTask(1, { input: taken, fence: 2 });
    expect(ask(task, { ...entry, params: '{"n":2}' }).key).toBe('a~2~2');
  });
});
