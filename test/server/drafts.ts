import fc from 'fast-check';

import { META_KEYS as CORE_KEYS } from '../../generated/2025-11-25/protocol.js';
import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { tokenOf } from './tokens.js';

/** A message, and what its sender says about itself. */
export interface Draft {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: unknown;
}

const TASKS = { extensions: { [EXTENSION_ID]: {} } };
const ASKED = { ...TASKS, elicitation: { form: {} }, sampling: {} };

const COMMON = {
  Host: 'localhost',
  Authorization: `Bearer ${tokenOf('ann')}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** A request of 2026-07-28. */
export function ext(
  method: string,
  params: JsonObject = {},
  capabilities: JsonObject = ASKED,
): Draft {
  const name = params['name'] ?? params['taskId'];
  return {
    headers: {
      ...COMMON,
      'Mcp-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
    },
    message: {
      jsonrpc: '2.0',
      id: 7,
      method,
      params: {
        ...params,
        _meta: {
          [META_KEYS.protocolVersion]: '2026-07-28',
          [META_KEYS.clientInfo]: { name: 'test', version: '1' },
          [META_KEYS.clientCapabilities]: capabilities,
        },
      },
    },
  };
}

function core(method: string, params: JsonObject = {}): Draft {
  return {
    headers: { ...COMMON, 'Mcp-Protocol-Version': '2025-11-25', 'Mcp-Session-Id': '{session}' },
    message: { jsonrpc: '2.0', id: 7, method, params },
  };
}

const STATES = ['working', 'completed', 'failed', 'error', 'asking'];
const CALLS: readonly (readonly [string, JsonObject])[] = [
  ['add', { a: 1, b: 2 }],
  ['add', { a: 'one' }],
  ['plain-only', {}],
  ['task-only', {}],
  ['failing', {}],
  ['broken', {}],
  ['untrue', { structured: true }],
  ['untrue', { structured: false }],
  ['mistyped', {}],
  ['asks', {}],
  ['asks-once', {}],
  ['asks-first', {}],
  ['asks-first', { name: 'Ann' }],
  ['unknown', {}],
];

const ANSWER = { action: 'accept', content: { name: 'Ann' } };
/** Answers to the question `name` of a task that asks, and to others. */
const UPDATES: readonly (readonly [string, unknown])[] = [
  ['asking', {}],
  ['asking', undefined],
  ['asking', { name: 7 }],
  ['asking', { name: { method: 'elicitation/create', result: ANSWER } }],
  ['asking', { name: { result: ANSWER } }],
  ['asking', { name: { action: 'maybe' } }],
  ['asking', JSON.parse('{"__proto__": { "action": "decline" }, "name": [] }')],
  ['asking', { other: ANSWER, name: { action: 'accept', content: { name: 7 } } }],
  ['asking', { name: ANSWER }],
  ['asking', { name: ANSWER }],
  ['completed', { name: ANSWER }],
  ['foreign', { name: ANSWER }],
];

/** Every kind of request about tools and tasks, in both dialects. */
export const REQUESTS: Readonly<Record<string, Draft>> = Object.fromEntries([
  ...STATES.map((state) => [
    `ext tasks/get ${state}`,
    ext('tasks/get', { taskId: `{ext-${state}}` }),
  ]),
  ['ext tasks/get foreign', ext('tasks/get', { taskId: '{ext-foreign}' })],
  ['ext tasks/get core', ext('tasks/get', { taskId: '{core-working}' })],
  ['ext tasks/get bogus', ext('tasks/get', { taskId: 'bogus' })],
  ['ext tasks/get odd', ext('tasks/get', { taskId: 'ä ö' })],
  ['ext tasks/get undeclared', ext('tasks/get', { taskId: '{ext-working}' }, {})],
  ['ext tasks/cancel', ext('tasks/cancel', { taskId: '{ext-cancelable}' })],
  ['ext tasks/cancel ended', ext('tasks/cancel', { taskId: '{ext-completed}' })],
  ['ext tasks/cancel foreign', ext('tasks/cancel', { taskId: '{ext-foreign}' })],
  [
    'ext tasks/update',
    ext('tasks/update', {
      taskId: '{ext-asking}',
      inputResponses: { none: { action: 'decline' } },
    }),
  ],
  ...UPDATES.map(([state, inputResponses], index) => [
    `ext tasks/update ${index}`,
    ext('tasks/update', { taskId: `{ext-${state}}`, inputResponses }),
  ]),
  ['ext tasks/result', ext('tasks/result', { taskId: '{ext-completed}' })],
  ['ext tasks/list', ext('tasks/list')],
  ...CALLS.flatMap(([name, args], index) => [
    [`ext call ${index} ${name}`, ext('tools/call', { name, arguments: args })],
    [`ext plain ${index} ${name}`, ext('tools/call', { name, arguments: args }, {})],
    [`core plain ${index} ${name}`, core('tools/call', { name, arguments: args })],
    [`core call ${index} ${name}`, core('tools/call', { name, arguments: args, task: {} })],
  ]),
  ['ext discover', ext('server/discover')],
  ['ext ping', ext('ping')],
  ['ext tools/list', ext('tools/list')],
  ['ext unknown', ext('none/such')],
  ...STATES.map((state) => [
    `core tasks/get ${state}`,
    core('tasks/get', { taskId: `{core-${state}}` }),
  ]),
  ...['completed', 'failed', 'error'].map((state) => [
    `core tasks/result ${state}`,
    core('tasks/result', { taskId: `{core-${state}}` }),
  ]),
  ['core tasks/result bogus', core('tasks/result', { taskId: 'bogus' })],
  ['core tasks/get bogus', core('tasks/get', { taskId: 'bogus' })],
  ['core tasks/get ext', core('tasks/get', { taskId: '{ext-working}' })],
  ['core tasks/list', core('tasks/list')],
  ['core tasks/list cursor', core('tasks/list', { cursor: 'bogus' })],
  ['core tasks/cancel', core('tasks/cancel', { taskId: '{core-cancelable}' })],
  ['core tasks/cancel ended', core('tasks/cancel', { taskId: '{core-completed}' })],
  ['core tasks/update', core('tasks/update', { taskId: '{core-asking}' })],
  ['core ping', core('ping')],
  ['core tools/list', core('tools/list')],
  ['core unknown', core('none/such')],
]) as Readonly<Record<string, Draft>>;

/** Is answered when the task ends, which takes a day. */
export const WAIT = core('tasks/result', { taskId: '{core-cancelable}' });

/** Begins a session. */
export const INITIALIZE: Draft = {
  headers: COMMON,
  message: {
    jsonrpc: '2.0',
    id: 7,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
};

type Mutation = (draft: Draft) => Draft;

const header =
  (name: string, value: string | undefined): Mutation =>
  ({ headers, message }) => {
    const { [name]: _, ...rest } = headers;
    return { message, headers: value === undefined ? rest : { ...rest, [name]: value } };
  };

/** Sets a member of the message; undefined removes it. */
const set =
  (path: readonly string[], value: unknown): Mutation =>
  ({ headers, message }) => ({ headers, message: replaced(message, path, value) });

function replaced(target: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof target !== 'object' || target === null || Array.isArray(target)) return target;
  const inner = replaced((target as JsonObject)[name], rest, value);
  const entries = Object.entries(target).filter(([key]) => key !== name);
  return Object.fromEntries(inner === undefined ? entries : [...entries, [name, inner]]);
}

const META = ['params', '_meta'];
const MUTATIONS: readonly Mutation[] = [
  ...[undefined, 'Bearer wrong', 'Basic abc', `Bearer ${tokenOf('bob')}`, 'Bearer a,Bearer b'].map(
    (value) => header('Authorization', value),
  ),
  header('Authorization', `Bearer ${tokenOf('ann', 'app', 'other')}`),
  ...['evil.example', 'localhost:1', 'LOCALHOST', 'local host'].map((value) =>
    header('Host', value),
  ),
  ...['http://localhost:9', 'https://evil.example', 'null', 'nonsense', ''].map((value) =>
    header('Origin', value),
  ),
  ...[undefined, 'text/plain', 'application/json; charset=utf-8', 'APPLICATION/JSON'].map((value) =>
    header('Content-Type', value),
  ),
  ...[undefined, '*/*', 'application/json', 'text/event-stream'].map((value) =>
    header('Accept', value),
  ),
  ...[undefined, '2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05', '1999-01-01'].map(
    (value) => header('Mcp-Protocol-Version', value),
  ),
  ...[undefined, 'tools/call', 'TASKS/GET', 'tasks/get '].map((value) =>
    header('Mcp-Method', value),
  ),
  ...[undefined, 'other', '=?base64?b3RoZXI=?=', '=?base64?x', 'add'].map((value) =>
    header('Mcp-Name', value),
  ),
  ...[undefined, 'bogus', ''].map((value) => header('Mcp-Session-Id', value)),
  header('Mcp-Param-Shelf', '7'),
  header('X-Other', 'some'),
  ...[undefined, null, '', 'seven', 1.5, 1e300, {}, [], -1].map((value) => set(['id'], value)),
  ...[undefined, '1.0', 2].map((value) => set(['jsonrpc'], value)),
  ...[undefined, 'tools/call', 'constructor', '', 7].map((value) => set(['method'], value)),
  ...[undefined, null, [], 'text'].map((value) => set(['params'], value)),
  set(['extra'], true),
  set(['result'], {}),
  ...[undefined, null, [], {}].map((value) => set(META, value)),
  ...[undefined, '2025-11-25', '2099-01-01', 7].map((value) =>
    set([...META, META_KEYS.protocolVersion], value),
  ),
  ...[undefined, null, {}, { name: 'x' }, { name: 'x', version: 7 }].map((value) =>
    set([...META, META_KEYS.clientInfo], value),
  ),
  ...[undefined, null, [], { elicitation: 7 }, { sampling: { tools: 'x' } }, TASKS].map((value) =>
    set([...META, META_KEYS.clientCapabilities], value),
  ),
  ...['debug', 'loud', 7].map((value) => set([...META, META_KEYS.logLevel], value)),
  ...['token', 7, 1.5, null, {}].map((value) => set([...META, 'progressToken'], value)),
  ...[{ taskId: 'x' }, {}, 7].map((value) => set([...META, CORE_KEYS.relatedTask], value)),
  set([...META, 'own'], { some: 1 }),
  set([...META, 'traceparent'], '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  ...[undefined, null, 7, '', 'x'.repeat(200), '{ext-working}'].map((value) =>
    set(['params', 'taskId'], value),
  ),
  ...[undefined, null, 7, '', 'add', 'none', '__proto__'].map((value) =>
    set(['params', 'name'], value),
  ),
  ...[undefined, null, [], 'text', { a: 1, b: 2 }].map((value) =>
    set(['params', 'arguments'], value),
  ),
  ...[{}, { ttl: -1 }, { ttl: 500_000 }, { ttl: 'long' }, 7].map((value) =>
    set(['params', 'task'], value),
  ),
  ...[{}, 7, { a: {} }].map((value) => set(['params', 'inputResponses'], value)),
  ...['x', 7].map((value) => set(['params', 'requestState'], value)),
  ({ headers, message }) => ({ headers, message: [message] }),
  ({ headers }) => ({ headers, message: [] }),
  ({ headers }) => ({ headers, message: nested(600) }),
  ({ headers, message }) => ({
    headers,
    message: replaced(message, ['params', 'deep'], nested(490)),
  }),
  ({ headers, message }) => ({
    headers,
    message: replaced(message, ['params', 'wide'], 'x'.repeat(300_000)),
  }),
];

function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

/** Requests that are changed in up to three places. */
export function changed(requests: readonly Draft[]): fc.Arbitrary<Draft> {
  return fc
    .tuple(
      fc.constantFrom(...requests),
      fc.array(fc.constantFrom(...MUTATIONS), { minLength: 1, maxLength: 3 }),
    )
    .map(([draft, mutations]) => mutations.reduce((each, mutate) => mutate(each), draft));
}
