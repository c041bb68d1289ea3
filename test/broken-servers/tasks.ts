import type { JsonObject } from '../../runtime/tasks/index.js';
import { coreTask, type Dialect, extTask } from '../client/harness.js';
import type { Script } from './play.js';
import { DONE, instead, LATE, TOOL, type Way, withResult } from './way.js';

/** Tasks that are not as the protocol says, in both dialects. */

/** Answers by method, of several one a request, the last one for ever. A `code` makes an error of it. */
type Answers = Readonly<Record<string, JsonObject | readonly JsonObject[]>>;

const CAPABILITIES: Readonly<Record<Dialect, JsonObject>> = {
  core: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
  ext: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
const OPTIONAL = { ...TOOL, execution: { taskSupport: 'optional' } };

const scriptOf = (dialect: Dialect, answers: Answers): Script => ({
  [dialect === 'core' ? 'initialize' : 'server/discover']: withResult((result) => ({
    ...result,
    capabilities: CAPABILITIES[dialect],
  })),
  'tools/list': withResult((result) => ({ ...result, tools: [OPTIONAL] })),
  ...Object.fromEntries(
    Object.entries(answers).map(([method, given]) => [
      method,
      (line, { request: { id }, times }) => {
        const all = Array.isArray(given) ? (given as readonly JsonObject[]) : [given as JsonObject];
        const now = all[Math.min(times, all.length) - 1] ?? {};
        line.say({ jsonrpc: '2.0', id, ...('code' in now ? { error: now } : { result: now }) });
      },
    ]),
  ),
});

const created = {
  core: { task: coreTask('working') },
  ext: extTask('working', { resultType: 'task' }),
};
const unknownMethod = { code: -32601, message: 'Method not found' };
const forgotten = { code: -32602, message: 'Unknown task' };
const LATER = '2027-01-01T00:00:00Z';

type Row = readonly [id: string, says: RegExp | 'result', answers: Answers];

const CORE: readonly Row[] = [
  ['without an id', /task ?id/i, { 'tools/call': { task: coreTask('working', { taskId: '' }) } }],
  [
    'whose id has a megabyte',
    /id|characters|long/,
    { 'tools/call': { task: coreTask('working', { taskId: 'x'.repeat(2 ** 20) }) } },
  ],
  [
    'of an unknown status',
    /status/,
    { 'tools/call': created.core, 'tasks/get': coreTask('resting') },
  ],
  [
    'that is another one at the next poll',
    /two|another|taskId/,
    { 'tools/call': created.core, 'tasks/get': coreTask('working', { taskId: 'two' }) },
  ],
  [
    'that changes its createdAt',
    /createdAt/,
    { 'tools/call': created.core, 'tasks/get': coreTask('working', { createdAt: LATER }) },
  ],
  [
    'that goes back from completed to working',
    /completed|working|status|result/,
    { 'tools/call': created.core, 'tasks/get': [coreTask('completed'), coreTask('working')] },
  ],
  [
    'with an invalid result',
    /content|result/,
    {
      'tools/call': created.core,
      'tasks/get': coreTask('completed'),
      'tasks/result': { content: 7 },
    },
  ],
  [
    'with a task for its result',
    /task/,
    {
      'tools/call': created.core,
      'tasks/get': coreTask('completed'),
      'tasks/result': { ...DONE, ...created.core },
    },
  ],
  [
    'that asks for input without a question',
    /input/,
    { 'tools/call': created.core, 'tasks/get': coreTask('input_required') },
  ],
  [
    'that the server does not know at the first poll',
    /expired|unknown|no task|not known/i,
    { 'tools/call': created.core, 'tasks/get': forgotten, 'tasks/result': forgotten },
  ],
  [
    'that cannot be polled',
    /method not found|32601/i,
    { 'tools/call': created.core, 'tasks/get': unknownMethod, 'tasks/result': unknownMethod },
  ],
  [
    'that fails',
    /Out of order/,
    {
      'tools/call': created.core,
      'tasks/get': coreTask('failed', { statusMessage: 'Out of order' }),
      'tasks/result': { code: -32000, message: 'Out of order' },
    },
  ],
  [
    'without a lifetime',
    'result',
    {
      'tools/call': { task: { ...coreTask('working'), ttl: undefined } },
      'tasks/get': coreTask('completed'),
      'tasks/result': DONE,
    },
  ],
  ...[0, -1, 1.5, 1e12, 'soon'].map((pollInterval): Row => [
    `that is to be polled each ${String(pollInterval)} ms`,
    'result',
    {
      'tools/call': { task: coreTask('working', { pollInterval }) },
      'tasks/get': [coreTask('working', { pollInterval }), coreTask('completed', { pollInterval })],
      'tasks/result': DONE,
    },
  ]),
];

const QUESTION = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const asking = (inputRequests: unknown): JsonObject =>
  extTask('input_required', { inputRequests: inputRequests as JsonObject });
const done = extTask('completed', { result: { resultType: 'complete', ...DONE } });

const EXT: readonly Row[] = [
  ['without an id', /task ?id/i, { 'tools/call': { ...created.ext, taskId: '' } }],
  [
    'of an unknown status',
    /status/,
    { 'tools/call': created.ext, 'tasks/get': extTask('resting') },
  ],
  [
    'that is another one at the next poll',
    /two|another|taskId/,
    { 'tools/call': created.ext, 'tasks/get': extTask('working', { taskId: 'two' }) },
  ],
  [
    'that changes its createdAt',
    /createdAt/,
    { 'tools/call': created.ext, 'tasks/get': extTask('working', { createdAt: LATER }) },
  ],
  [
    'that completes without a result',
    /result/,
    { 'tools/call': created.ext, 'tasks/get': extTask('completed') },
  ],
  [
    'with an invalid result',
    /content|result/,
    { 'tools/call': created.ext, 'tasks/get': extTask('completed', { result: { content: 7 } }) },
  ],
  [
    'that fails without an error',
    /error/,
    { 'tools/call': created.ext, 'tasks/get': extTask('failed') },
  ],
  [
    'that fails',
    /Out of order/,
    {
      'tools/call': created.ext,
      'tasks/get': extTask('failed', { error: { code: -32000, message: 'Out of order' } }),
    },
  ],
  [
    'that is created again by each poll',
    /resultType|task/,
    { 'tools/call': created.ext, 'tasks/get': created.ext },
  ],
  [
    'that asks as no task does',
    /input_required|resultType/,
    {
      'tools/call': created.ext,
      'tasks/get': { resultType: 'input_required', inputRequests: { a: QUESTION } },
    },
  ],
  [
    'that asks with an unknown method',
    /inputRequests|method|tools\/list/,
    { 'tools/call': created.ext, 'tasks/get': asking({ a: { method: 'tools/list' } }) },
  ],
  [
    'that asks with a list',
    /inputRequests/,
    { 'tools/call': created.ext, 'tasks/get': asking([QUESTION]) },
  ],
  [
    'that asks for input without a question',
    /input/,
    { 'tools/call': created.ext, 'tasks/get': asking({}) },
  ],
  [
    'that the server does not know at the first poll',
    /expired|unknown|no task|not known/i,
    { 'tools/call': created.ext, 'tasks/get': forgotten },
  ],
  [
    'that cannot be polled',
    /method not found|32601/i,
    { 'tools/call': created.ext, 'tasks/get': unknownMethod },
  ],
  [
    'without a lifetime',
    'result',
    { 'tools/call': { ...created.ext, ttlMs: undefined }, 'tasks/get': done },
  ],
  ...[0, -1, 1.5, 1e12, 'soon'].map((pollIntervalMs): Row => [
    `that is to be polled each ${String(pollIntervalMs)} ms`,
    'result',
    {
      'tools/call': extTask('working', { resultType: 'task', pollIntervalMs }),
      'tasks/get': [extTask('working', { pollIntervalMs }), done],
    },
  ]),
];

const waysOf = (dialect: Dialect, rows: readonly Row[]): Way[] =>
  rows.map(([id, says, answers]) => ({
    id: `makes a task of ${dialect} ${id}`,
    over: ['stdio', 'json', 'sse'],
    dialects: [dialect],
    script: () =>
      scriptOf(dialect, {
        ...(dialect === 'ext' && { 'subscriptions/listen': unknownMethod }),
        ...answers,
      }),
    says,
    // A client with more patience waits longer between polls.
    ...(id.includes('1000000000000') && { says: LATE, orTakes: true }),
    does: 'task',
  }));

/** A task that no call has asked for. */
const UNASKED: Way = {
  id: 'makes a task of a call that asks for none',
  over: ['stdio', 'json', 'sse'],
  dialects: ['core'],
  at: ['tools/call'],
  wrong: instead(({ id }) => ({ jsonrpc: '2.0', id, result: created.core })),
  says: /task/,
};

export const TASK_WAYS: readonly Way[] = [...waysOf('core', CORE), ...waysOf('ext', EXT), UNASKED];
