import type { JsonObject } from '../../runtime/tasks/index.js';
import { DONE, instead, TOOL, type Way, withResult } from './way.js';

/** Answers that are messages, and whose results the protocol does not allow. */

const ABSENT = Symbol('absent');
const CORE = { dialects: ['core'] } as const;
const EXT = { dialects: ['ext'] } as const;

const shown = (value: unknown): string => (value === ABSENT ? 'absent' : JSON.stringify(value));

/** A result with another member. */
function changed(result: JsonObject, name: string, value: unknown): JsonObject {
  const { [name]: _, ...others } = result;
  return value === ABSENT ? others : { ...others, [name]: value };
}

const memberWays = (
  at: string,
  name: string,
  values: readonly unknown[],
  says: RegExp,
  more: Partial<Way> = {},
): Way[] =>
  values.map((value) => ({
    id: `answers ${at} with ${name} ${shown(value)}`,
    at: [at],
    wrong: withResult((result) => changed(result, name, value)),
    says,
    ...more,
  }));

const INVALID = 'invalid|expected|must be|required';

const HANDSHAKE: readonly Way[] = [
  ...memberWays(
    'initialize',
    'protocolVersion',
    [ABSENT, null, 7, '', '1.0', '2.0', '2099-01-01', '2026-07-28', ['2025-11-25']],
    /protocol.?version|revision|version/i,
    CORE,
  ),
  ...memberWays(
    'initialize',
    'protocolVersion',
    ['2024-11-05', '2025-03-26', '2025-06-18'],
    /version/,
    {
      ...CORE,
      over: ['stdio', 'json', 'sse'],
    },
  ).map((way): Way => ({ ...way, says: 'result' })),
  ...memberWays(
    'initialize',
    'capabilities',
    [ABSENT, null, [], 'all', true],
    /capabilities/i,
    CORE,
  ),
  ...memberWays(
    'initialize',
    'capabilities',
    [{ tools: true }, { tools: null }],
    /tools|capabilities/i,
    CORE,
  ),
  ...memberWays('initialize', 'capabilities', [{}], /tools/i, { ...CORE, orTakes: true }),
  ...memberWays(
    'initialize',
    'serverInfo',
    [
      ABSENT,
      null,
      'me',
      {},
      { name: 'a' },
      { version: '1' },
      { name: 7, version: '1' },
      { name: 'a', version: 1 },
    ],
    /serverInfo/i,
    CORE,
  ),
  ...memberWays('initialize', 'instructions', [7, null, {}], /instructions/i, CORE),
  {
    ...CORE,
    id: 'refuses the version, and names others',
    at: ['initialize'],
    wrong: instead(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32602, message: 'Unsupported', data: { supported: ['2099-01-01'] } },
    })),
    says: /2099-01-01|unsupported/i,
  },
  {
    ...CORE,
    id: 'does not know initialize',
    at: ['initialize'],
    wrong: instead(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: 'Method not found' },
    })),
    says: /method not found|32601/i,
  },
  ...memberWays(
    'server/discover',
    'supportedVersions',
    [ABSENT, null, '2026-07-28', [], [7], ['2099-01-01'], {}],
    /version|revision/i,
    EXT,
  ),
  ...memberWays(
    'server/discover',
    'capabilities',
    [ABSENT, null, [], 'all'],
    /capabilities|discover|invalid/i,
    EXT,
  ),
  ...memberWays('server/discover', 'resultType', ['surprise', 7], /resultType|surprise/i, EXT),
];

const NEVER_ENDS: Way = {
  id: 'has pages without end',
  at: ['tools/list'],
  wrong: (line, { answer, times }) =>
    line.say({
      ...answer,
      result: { ...(answer['result'] as JsonObject), tools: [], nextCursor: String(times) },
    }),
  says: /pages|cursor|end/i,
};

const LISTS: readonly Way[] = [
  ...memberWays(
    'tools/list',
    'tools',
    [ABSENT, null, {}, 'work', 7],
    new RegExp(`tools|${INVALID}`, 'i'),
  ),
  ...memberWays('tools/list', 'nextCursor', [7, true, {}], /cursor/i),
  ...memberWays('tools/list', 'resultType', ['surprise', 7], /resultType|surprise/i, EXT),
  NEVER_ENDS,
  {
    id: 'has pages in a circle',
    at: ['tools/list'],
    wrong: withResult((result) => ({ ...result, nextCursor: 'again' })),
    says: /pages|cursor|end/i,
    orTakes: true,
  },
  ...[
    null,
    7,
    'work',
    [],
    {},
    { name: 'bad' },
    { name: 7, inputSchema: { type: 'object' } },
    { inputSchema: { type: 'object' } },
    { name: 'bad', inputSchema: null },
    { name: 'bad', inputSchema: [] },
    { name: 'bad', inputSchema: 'object' },
    { name: 'bad', inputSchema: { type: 'string' } },
    { name: 'bad', inputSchema: { type: 'object', properties: { a: true } } },
    { name: 'bad', inputSchema: { type: 'object', required: 'a' } },
    { name: 'bad', inputSchema: { type: 'object', $ref: '#/nowhere' } },
    { name: 'bad', inputSchema: { type: 'object' }, description: 7 },
    { name: 'bad', inputSchema: { type: 'object' }, annotations: 'safe' },
    { name: 'bad', inputSchema: { type: 'object' }, outputSchema: 7 },
    { ...TOOL, name: 'x'.repeat(100_000) },
    TOOL,
  ].map((entry): Way => ({
    id: `lists ${JSON.stringify(entry).slice(0, 90)} beside a good tool`,
    at: ['tools/list'],
    wrong: withResult((result) => ({ ...result, tools: [entry, TOOL] })),
    says: 'result',
  })),
];

const CONTENT: readonly unknown[] = [
  null,
  'done',
  [],
  {},
  { type: 'text' },
  { type: 'text', text: 7 },
  { type: 'text', text: null },
  { type: 'image', mimeType: 'image/png' },
  { type: 'image', data: 7, mimeType: 'image/png' },
  { type: 'audio', data: 'AAAA' },
  { type: 'resource' },
  { type: 'resource', resource: {} },
  { type: 'resource', resource: { text: 'a' } },
  { type: 'resource_link', name: 'a' },
  { type: 'surprise', value: 1 },
];

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

/** A tool with an output schema, which is listed before the call. */
const structured = (
  result: JsonObject,
  outputSchema: unknown = SCHEMA,
): Pick<Way, 'script' | 'over'> => ({
  over: ['stdio', 'json', 'sse'],
  script: () => ({
    'tools/list': withResult((list) => ({ ...list, tools: [{ ...TOOL, outputSchema }] })),
    'tools/call': withResult((right) => ({ ...right, ...result })),
  }),
});

const RESULTS: readonly Way[] = [
  ...memberWays(
    'tools/call',
    'content',
    [ABSENT, null, {}, 'done', 7],
    new RegExp(`content|${INVALID}`, 'i'),
  ),
  ...CONTENT.map((entry): Way => ({
    id: `answers a call with the content ${JSON.stringify(entry)}`,
    at: ['tools/call'],
    wrong: withResult((result) => ({ ...result, content: [entry] })),
    says: new RegExp(`content|${INVALID}`, 'i'),
  })),
  ...memberWays('tools/call', 'isError', ['yes', 1, null], /isError/i),
  ...memberWays('tools/call', 'structuredContent', [[1], 'text', null], /structuredContent/i, CORE),
  ...memberWays('tools/call', 'resultType', ['surprise', 7, null], /resultType|surprise/i, EXT),
  ...[{ n: 'one' }, {}, { n: null }].map((value): Way => ({
    id: `answers a call with structured content that is not as its schema says: ${JSON.stringify(value)}`,
    ...structured({ structuredContent: value }),
    does: 'listed',
    says: /schema|structured/i,
  })),
  {
    id: 'answers a call without the structured content that it has a schema of',
    ...structured({}),
    does: 'listed',
    says: /schema|structured/i,
  },
  ...[{ type: 7 }, { $ref: '#/nowhere' }, { pattern: '(' }, { type: 'object', properties: 7 }].map(
    (schema): Way => ({
      id: `has the output schema ${JSON.stringify(schema)}`,
      ...structured({ structuredContent: { n: 1 } }, schema),
      does: 'listed',
      says: /schema/i,
      orTakes: true,
    }),
  ),
  {
    id: 'answers a call with an error whose code is none of JSON-RPC',
    at: ['tools/call'],
    wrong: instead(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: 999_999, message: 'Out of order' },
    })),
    says: /Out of order/,
  },
  {
    id: 'answers a call with an error without words',
    at: ['tools/call'],
    wrong: instead(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: '' } })),
    says: /-32603|internal error/i,
  },
  {
    id: 'answers a call with an error of a megabyte',
    at: ['tools/call'],
    wrong: instead(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32603, message: `Out of order ${'x'.repeat(1_048_576)}` },
    })),
    says: /Out of order/,
  },
  {
    id: 'answers a call with levels without end',
    at: ['tools/call'],
    wrong: instead((answer) =>
      JSON.stringify({ ...answer, result: { ...DONE, _meta: { deep: 0 } } }).replace(
        '"deep":0',
        `"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      ),
    ),
    says: /levels|deep|stack/i,
    orTakes: true,
  },
  {
    id: 'answers a call with 11 MB',
    over: ['json'],
    dialects: ['core'],
    at: ['tools/call'],
    wrong: withResult((result) => ({
      ...result,
      content: [{ type: 'text', text: `done${'x'.repeat(11_000_000)}` }],
    })),
    says: /bytes|exceeded|too (long|large|big)/i,
    orTakes: true,
  },
  {
    ...EXT,
    id: 'asks for input without a question',
    at: ['tools/call'],
    wrong: withResult(() => ({ resultType: 'input_required' })),
    says: /input/i,
  },
  {
    ...EXT,
    id: 'asks for input with an unknown question',
    at: ['tools/call'],
    wrong: withResult(() => ({
      resultType: 'input_required',
      inputRequests: { a: { method: 'tools/list' } },
    })),
    says: /input|tools\/list|method/i,
  },
  {
    ...EXT,
    id: 'asks for input that the client does not offer',
    at: ['tools/call'],
    wrong: withResult(() => ({
      resultType: 'input_required',
      inputRequests: { a: { method: 'roots/list' } },
    })),
    says: /input|roots|capabilit/i,
  },
];

export const PROTOCOL_WAYS: readonly Way[] = [...HANDSHAKE, ...LISTS, ...RESULTS];
