import { describe, expect, it } from 'vitest';

import { CallError, parseReference } from '../../runtime/client/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { sampled } from '../support/size.js';
import { connect, coreTask, type Dialect, extTask, peer, RESULT, TOOL } from './harness.js';
import { mutants } from './mutants.js';

const LIMITS = { pollMin: 1, pollMax: 5, patience: 200, requestTimeout: 2_000 };
const META = { _meta: { 'a.example/key': 1 } };
const MORE = { statusMessage: 'Compiling', ...META };

interface Answers {
  readonly created: JsonObject;
  readonly fetched: JsonObject;
}

const WHOLE: Readonly<Record<Dialect, Answers>> = {
  core: {
    created: { ...META, task: coreTask('working', MORE) },
    fetched: coreTask('completed', MORE),
  },
  ext: {
    created: extTask('working', { resultType: 'task', ...MORE }),
    fetched: extTask('completed', {
      ...MORE,
      result: { resultType: 'complete', ...RESULT },
    }),
  },
};

function idIn(dialect: Dialect, { task, taskId }: JsonObject): unknown {
  return dialect === 'core' ? (task as JsonObject | undefined)?.['taskId'] : taskId;
}

async function call(dialect: Dialect, { created, fetched }: Answers) {
  const server = peer(
    ({ method = '' }) =>
      ({ 'tools/call': created, 'tasks/get': fetched, 'tasks/result': RESULT })[method],
    { dialect },
  );
  const { tasks, problems } = await connect(server.transport, dialect, { limits: LIMITS });
  const outcome = await tasks.call('work').catch((error: unknown) => error as CallError);
  return { outcome, problems };
}

describe.each(['core', 'ext'] as const)('%s: a task with a fault', (dialect) => {
  const whole = WHOLE[dialect];
  const creations = [...mutants(whole.created)].filter(
    (each): each is JsonObject =>
      typeof each === 'object' && each !== null && idIn(dialect, each as JsonObject) === 'one',
  );

  it('is followed when it is created, and one warning says what is wrong', async () => {
    for (const created of sampled(creations, 20)) {
      const { outcome, problems } = await call(dialect, { ...whole, created });
      expect(outcome, JSON.stringify(created)).toMatchObject(RESULT);
      expect(problems.length, JSON.stringify(created)).toBeLessThan(2);
    }
  });

  it('is followed when it is polled, or the error has its reference', async () => {
    const polls = [...mutants(whole.fetched)].filter(
      (each): each is JsonObject => typeof each === 'object' && each !== null,
    );
    for (const fetched of sampled(polls, 20)) {
      const { outcome } = await call(dialect, { ...whole, fetched });
      if (!(outcome instanceof CallError)) continue;
      expect(outcome.reason, JSON.stringify(fetched)).toBe('invalid_answer');
      expect(parseReference(String(outcome.reference))).toMatchObject({ taskId: 'one' });
    }
  });

  it.each([
    ['without a lifetime', ['ttl', 'ttlMs'], /ttl(Ms)? is missing/],
    ['without times', ['createdAt', 'lastUpdatedAt'], /createdAt is missing/],
  ])('%s in every answer, it is followed to its result', async (_, names, said) => {
    const without = (task: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(task).filter(([name]) => !names.includes(name)));
    const { created, fetched } = whole;
    const flawed =
      dialect === 'core' ? { task: without(created['task'] as JsonObject) } : without(created);
    const { outcome, problems } = await call(dialect, {
      created: flawed,
      fetched: without(fetched),
    });
    expect(outcome).toMatchObject(RESULT);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(
      /^The task one is invalid, and is followed all the same: /,
    );
    expect(problems[0]?.message).toMatch(said);
  });

  it('that the client did not ask for has its reference in the error', async () => {
    const tools = [{ ...TOOL, execution: { taskSupport: 'forbidden' } }];
    const server = peer(() => whole.created, { dialect, tools });
    const { tasks } = await connect(server.transport, dialect, { capabilities: {} });
    const failed = await tasks.call('work').catch((error: unknown) => error as CallError);
    expect(failed).toMatchObject({ reason: 'invalid_answer' });
    expect(parseReference(String((failed as CallError).reference)).taskId).toBe('one');
  });
});
