import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CallError, type ClientLimits } from '../../runtime/client/index.js';
import { deferred, type JsonObject } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import {
  connect,
  coreTask,
  type Dialect,
  extTask,
  peer,
  type PeerOptions,
  RESULT,
  type Script,
  TOOL,
} from './harness.js';

/** Short limits, so that tests end soon. */
const HURRIED: Partial<ClientLimits> = {
  pollMin: 1,
  pollMax: 20,
  patience: 600,
  requestTimeout: 400,
};
/** For calls that end well, however busy the machine is. */
const PATIENT: Partial<ClientLimits> = { pollMin: 1, pollMax: 20 };
const EXT_RESULT = { resultType: 'complete', ...RESULT };

async function call(
  dialect: Dialect,
  script: Script,
  more: Partial<PeerOptions> = {},
  limits = HURRIED,
) {
  const server = peer(script, { dialect, ...more });
  const { tasks } = await connect(server.transport, dialect, {
    limits,
    answer: { form: () => ({ action: 'decline' }) },
  });
  return { server, tasks, answered: tasks.call('work') };
}

/** Answers by method. Of a list it uses one entry a request, and repeats the last. */
function says(answers: { readonly [method: string]: JsonObject | readonly JsonObject[] }): Script {
  return ({ method = '' }, times) => {
    const given = answers[method];
    if (!Array.isArray(given)) return given as JsonObject | undefined;
    return given[Math.min(times, given.length) - 1] as JsonObject;
  };
}

const created = { task: coreTask('working') };
const createdExt = extTask('working', { resultType: 'task' });
const unknownMethod = { code: -32601, message: 'Method not found' };

describe('a core server that breaks the protocol', () => {
  it.each<readonly [string, Script]>([
    ['gives a task no id', says({ 'tools/call': { task: coreTask('working', { taskId: '' }) } })],
    [
      'sends a task id of 1 MB',
      says({ 'tools/call': { task: coreTask('working', { taskId: 'x'.repeat(2 ** 20) }) } }),
    ],
    ['invents a status', says({ 'tools/call': created, 'tasks/get': coreTask('resting') })],
    [
      'answers tasks/get with another task',
      says({ 'tools/call': created, 'tasks/get': coreTask('working', { taskId: 'two' }) }),
    ],
    [
      'changes createdAt',
      says({
        'tools/call': created,
        'tasks/get': coreTask('working', { createdAt: '2027-01-01T00:00:00Z' }),
      }),
    ],
    [
      'changes a final status to working',
      says({
        'tools/call': created,
        'tasks/get': [coreTask('completed'), coreTask('working')],
      }),
    ],
    [
      'sends an invalid result',
      says({
        'tools/call': created,
        'tasks/get': coreTask('working'),
        'tasks/result': { content: 7 },
      }),
    ],
    [
      'sends a task instead of a result',
      says({
        'tools/call': created,
        'tasks/get': coreTask('completed'),
        'tasks/result': { ...RESULT, ...created },
      }),
    ],
    ['owes a result for ever', says({ 'tools/call': created, 'tasks/get': coreTask('completed') })],
    [
      'reports input_required without an input request',
      says({ 'tools/call': created, 'tasks/get': coreTask('input_required') }),
    ],
    ['answers a call with no result', says({ 'tools/call': { content: 'text' } })],
  ])('fails the call with invalid_answer when it %s', async (_, script) => {
    const { answered } = await call('core', script);
    await expect(answered).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  it('EXT-CLI-1: fails a call that did not request the task that it creates', async () => {
    const tools = [{ ...TOOL, execution: { taskSupport: 'forbidden' } }];
    const { answered } = await call('core', says({ 'tools/call': created }), { tools });
    await expect(answered).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  it('CORE-ERR-1: fails the call with expired when it answers -32602', async () => {
    const forgotten = { code: -32602, message: 'Unknown task' };
    const { answered } = await call(
      'core',
      says({ 'tools/call': created, 'tasks/get': forgotten, 'tasks/result': forgotten }),
    );
    await expect(answered).rejects.toMatchObject({ reason: 'expired' });
  });

  it('fails the call when tasks/get is missing or never answers', async () => {
    const { answered } = await call(
      'core',
      says({ 'tools/call': created, 'tasks/get': unknownMethod, 'tasks/result': unknownMethod }),
    );
    await expect(answered).rejects.toMatchObject({
      failure: { reason: 'rpc_error', error: { code: -32601 } },
    });
    const silent = await call('core', says({ 'tools/call': created }));
    const error: unknown = await silent.answered.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'timeout' });
    expect((error as CallError).reference).toBeDefined();
  });

  it.each([0, 1, 1e12, -5])(
    'is polled within pollMin and pollMax when it suggests %d ms',
    async (pollInterval) => {
      const working = coreTask('working', { pollInterval });
      const { answered, server } = await call(
        'core',
        says({
          'tools/call': { task: working },
          'tasks/get': [working, coreTask('cancelled', { pollInterval })],
        }),
      );
      await expect(answered).rejects.toMatchObject({ reason: 'cancelled' });
      expect(server.requests('tasks/get')).toHaveLength(2);
    },
  );

  it.each([0, -1, 1e300, null])('may send the ttl %d', async (ttl) => {
    const { answered } = await call(
      'core',
      says({
        'tools/call': { task: coreTask('working', { ttl }) },
        'tasks/get': coreTask('completed', { ttl }),
        'tasks/result': RESULT,
      }),
      {},
      PATIENT,
    );
    expect(await answered).toEqual(RESULT);
  });

  it('fails the call when it sends more input requests than the limit', async () => {
    const server = peer(says({ 'tools/call': created, 'tasks/get': coreTask('input_required') }), {
      dialect: 'core',
    });
    const { tasks } = await connect(server.transport, 'core', {
      limits: { inputRequests: 5 },
      answer: { form: () => ({ action: 'decline' }) },
    });
    const handle = await tasks.start('work');
    const question = {
      message: 'Again?',
      requestedSchema: { type: 'object', properties: {} },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'one' } },
    };
    const answers = [];
    for (let times = 0; times < 6; times += 1) {
      answers.push(await server.ask('elicitation/create', question, `question-${times}`));
    }
    await expect(handle.result()).rejects.toMatchObject({ reason: 'invalid_answer' });
    expect(answers.map(({ error }) => error !== undefined)).toEqual([
      ...Array.from({ length: 5 }, () => false),
      true,
    ]);
  });

  it('has a limited number of its questions answered at a time', async () => {
    const opened = deferred<undefined>();
    let asked = 0;
    let most = 0;
    const server = peer(() => ({}), { dialect: 'core' });
    await connect(server.transport, 'core', {
      limits: { openQuestions: 3 },
      answer: {
        async form() {
          asked += 1;
          most = Math.max(most, asked);
          await opened.promise;
          asked -= 1;
          return { action: 'decline' };
        },
      },
    });
    const question = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
    const ask = (id: string) => server.ask('elicitation/create', question, id);
    const first = ['a', 'b', 'c'].map(ask);
    for (const id of ['d', 'e']) {
      const { error } = await ask(id);
      expect(error).toMatchObject({ code: -32603 });
      expect(error?.message).toContain('limit openQuestions');
    }
    opened.resolve(undefined);
    for (const { result } of await Promise.all(first)) {
      expect(result).toMatchObject({ action: 'decline' });
    }
    expect((await ask('f')).result).toMatchObject({ action: 'decline' });
    expect(most).toBe(3);
  });
});

describe.each(['core', 'ext'] as const)('%s: a server whose clock is set back', (dialect) => {
  const lastUpdatedAt = '2020-01-01T00:00:00Z';

  it('ends a task with a time before that of its last state', async () => {
    const failure = { code: 7, message: 'Failed' };
    const server = peer(
      says(
        dialect === 'core'
          ? {
              'tools/call': created,
              'tasks/get': coreTask('failed', { lastUpdatedAt }),
              'tasks/result': failure,
            }
          : {
              'tools/call': createdExt,
              'tasks/get': extTask('failed', { lastUpdatedAt, error: failure }),
              'subscriptions/listen': unknownMethod,
            },
      ),
      { dialect },
    );
    const { tasks } = await connect(server.transport, dialect, { limits: PATIENT });
    const handle = await tasks.start('work');
    await expect(handle.result()).rejects.toMatchObject({
      reason: 'rpc_error',
      message: 'Failed',
      reference: undefined,
    });
    const shown: string[] = [];
    for await (const { status } of handle) shown.push(status);
    expect([shown, handle.status]).toEqual([['failed'], 'failed']);
  });

  it('confirms the cancellation of a call that took too long', async () => {
    const task = dialect === 'core' ? coreTask : extTask;
    const server = peer(
      ({ method }) => {
        const isCancelled = server.requests('tasks/cancel').length > 0;
        const now = task(
          isCancelled ? 'cancelled' : 'working',
          isCancelled ? { lastUpdatedAt } : {},
        );
        if (method === 'tools/call') return dialect === 'core' ? created : createdExt;
        if (method === 'tasks/get') return now;
        if (method !== 'tasks/cancel') return method === 'tasks/result' ? undefined : unknownMethod;
        return dialect === 'core' ? now : { resultType: 'complete' };
      },
      { dialect },
    );
    const { tasks } = await connect(server.transport, dialect, { limits: PATIENT });
    await expect(tasks.call('work', {}, { timeout: 100 })).rejects.toMatchObject({
      reason: 'timeout',
      message: 'The call took longer than 100 ms; its task was cancelled',
      reference: undefined,
    });
  });
});

describe('an ext server that breaks the protocol', () => {
  const asking = (inputRequests: JsonObject): JsonObject =>
    extTask('input_required', { inputRequests });
  const question = {
    method: 'elicitation/create',
    params: { message: 'Well?', requestedSchema: { type: 'object', properties: {} } },
  };

  it.each<readonly [string, Script]>([
    ['answers with something new', says({ 'tools/call': { resultType: 'surprise', ...RESULT } })],
    [
      'answers tasks/get with another task',
      says({ 'tools/call': createdExt, 'tasks/get': extTask('working', { taskId: 'two' }) }),
    ],
    [
      'changes createdAt',
      says({
        'tools/call': createdExt,
        'tasks/get': extTask('working', { createdAt: '2027-01-01T00:00:00Z' }),
      }),
    ],
    [
      'completes a task without a result',
      says({ 'tools/call': createdExt, 'tasks/get': extTask('completed') }),
    ],
    [
      'completes a task with an invalid result',
      says({
        'tools/call': createdExt,
        'tasks/get': extTask('completed', { result: { content: 7 } }),
      }),
    ],
    [
      'fails a task without an error',
      says({ 'tools/call': createdExt, 'tasks/get': extTask('failed') }),
    ],
    [
      'answers tasks/get with a CreateTaskResult',
      says({ 'tools/call': createdExt, 'tasks/get': createdExt }),
    ],
    [
      'answers tasks/get with input_required',
      says({
        'tools/call': createdExt,
        'tasks/get': { resultType: 'input_required', inputRequests: { a: question } },
      }),
    ],
    [
      'sends an invalid input request',
      says({ 'tools/call': createdExt, 'tasks/get': asking({ a: { method: 'tools/list' } }) }),
    ],
    [
      'repeats an answered input request for ever',
      says({
        'tools/call': createdExt,
        'tasks/get': asking({ a: question }),
        'tasks/update': { resultType: 'complete' },
      }),
    ],
    [
      'sends a new input request with every poll',
      ({ method }, times) =>
        method === 'tools/call'
          ? createdExt
          : method === 'tasks/get'
            ? asking(
                Object.fromEntries(
                  Array.from({ length: 50 }, (_, at) => [`${times}-${at}`, question]),
                ),
              )
            : { resultType: 'complete' },
    ],
    [
      'answers every round trip with input_required',
      says({ 'tools/call': { resultType: 'input_required', inputRequests: { a: question } } }),
    ],
  ])('fails the call with invalid_answer when it %s', async (_, script) => {
    const { answered } = await call('ext', (request, times) =>
      request.method === 'subscriptions/listen' ? unknownMethod : script(request, times),
    );
    await expect(answered).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  it('EXT-CLI-1: must not answer any other request with a task', async () => {
    const server = peer(() => createdExt, { dialect: 'ext' });
    const { tasks } = await connect(server.transport, 'ext');
    await expect(tasks.prompt('any')).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  it('EXT-UPD-3: gets one answer for each key, however often it repeats the request', async () => {
    let shown = 0;
    let updates = 0;
    const { answered, server } = await call(
      'ext',
      ({ method }) => {
        if (method === 'tools/call') return createdExt;
        if (method === 'subscriptions/listen') return unknownMethod;
        if (method === 'tasks/update') {
          updates += 1;
          return { resultType: 'complete' };
        }
        shown += 1;
        return shown < 5 || updates < 2
          ? asking({ a: question, b: question })
          : extTask('completed', { result: EXT_RESULT });
      },
      {},
      PATIENT,
    );
    expect(await answered).toEqual(RESULT);
    const given = server.requests('tasks/update').map(({ params }) => params?.['inputResponses']);
    expect(given).toEqual([{ a: { action: 'decline' } }, { b: { action: 'decline' } }]);
  });

  it('gets an answer again after it failed to accept it', async () => {
    const server = peer(
      ({ method }, times) => {
        if (method === 'tools/call') return createdExt;
        if (method === 'subscriptions/listen') return unknownMethod;
        if (method === 'tasks/update') {
          return times === 1 ? { code: -32603, message: 'Not now' } : { resultType: 'complete' };
        }
        return server.requests('tasks/update').length < 2
          ? asking({ a: question })
          : extTask('completed', { result: EXT_RESULT });
      },
      { dialect: 'ext' },
    );
    const { tasks } = await connect(server.transport, 'ext', {
      limits: PATIENT,
      answer: { form: () => ({ action: 'decline' }) },
    });
    expect(await tasks.call('work')).toEqual(RESULT);
    const [first, second] = server.requests('tasks/update');
    expect(second?.params).toEqual(first?.params);
  });

  it('may leave out resultType, as servers of earlier revisions do', async () => {
    const { answered } = await call('ext', says({ 'tools/call': RESULT }), {}, PATIENT);
    expect(await answered).toEqual(RESULT);
  });

  it('may leave out resultType in the result of a task', async () => {
    const { answered } = await call(
      'ext',
      ({ method }) =>
        method === 'tools/call'
          ? createdExt
          : method === 'subscriptions/listen'
            ? unknownMethod
            : extTask('completed', { result: RESULT }),
      {},
      PATIENT,
    );
    expect(await answered).toEqual(RESULT);
  });
});

describe('any server', () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const fields = fc.record(
    {
      taskId: fc.oneof(fc.constant('one'), json),
      status: fc.oneof(fc.constantFrom('working', 'completed', 'failed', 'input_required'), json),
      createdAt: fc.oneof(fc.constant('2026-01-01T00:00:00Z'), json),
      lastUpdatedAt: fc.oneof(fc.constant('2026-01-01T00:00:00Z'), json),
      ttl: json,
      ttlMs: fc.oneof(fc.integer(), json),
      pollInterval: json,
      pollIntervalMs: json,
      result: json,
      error: json,
      inputRequests: json,
      content: json,
      resultType: fc.oneof(fc.constantFrom('task', 'complete', 'input_required'), json),
    },
    { requiredKeys: [] },
  );
  const answers = fc.oneof(
    fields,
    fields.map((task) => ({ task })),
    fields.map((more) => extTask('working', more as JsonObject)),
    fields.map((more) => ({ task: coreTask('working', more as JsonObject) })),
  );

  it.each(['core', 'ext'] as const)(
    '%s: any answer ends the call with a result or a CallError',
    async (dialect) => {
      await fc.assert(
        fc.asyncProperty(answers, answers, answers, async (first, second, third) => {
          const script = says({
            'tools/call': first,
            'tasks/get': second,
            'tasks/result': third,
          });
          const { answered, tasks } = await call(dialect, script);
          const outcome = await answered.catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CallError);
          else expect(outcome).toHaveProperty('content');
          await tasks.close();
        }),
        { numRuns: sized(60) },
      );
    },
  );
});
