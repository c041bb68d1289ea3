import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import type { Annotations, ContentBlock } from '../../generated/2025-11-25/types.js';
import { PROTOCOL_VERSIONS } from '../../runtime/protocol.js';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type TaskServer,
} from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { clientOf, META } from './pipes.js';

/** Whatever a client declares and a handler does, each message is one of the session's revision. */

const ICONS = [{ src: 'https://x.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }];
const NOTES: Annotations = {
  audience: ['user'],
  priority: 1,
  lastModified: '2026-01-01T00:00:00Z',
};
const meta = { 'example/key': 1 };
const MORE = { _meta: meta };
const TEXT = { type: 'text', text: 'Hi', annotations: NOTES, ...MORE } as const;
const BLOCKS: ContentBlock[] = [
  TEXT,
  { type: 'image', data: '', mimeType: 'image/png', annotations: NOTES, ...MORE },
  { type: 'audio', data: '', mimeType: 'audio/wav', annotations: NOTES, ...MORE },
  { type: 'resource', resource: { uri: 'x:y', text: '', ...MORE }, annotations: NOTES, ...MORE },
  { type: 'resource_link', uri: 'x:y', name: 'y', title: 'Y', annotations: NOTES, ...MORE },
];

const SAYS = [{ role: 'user', content: TEXT, ...MORE }];
const SAMPLE = { messages: SAYS, maxTokens: 1 };
const FORM = { message: 'm', requestedSchema: { type: 'object', properties: {} } };
const LINK = { mode: 'url', message: 'm', url: 'https://x.example', elicitationId: 'e' };
const USED = [{ name: 't', inputSchema: { type: 'object' } }];
const TWO = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  },
];
const SOUND = { type: 'audio', data: '', mimeType: 'audio/wav' };
const QUESTIONS: readonly (readonly [string, JsonObject])[] = [
  ['elicitation/create', FORM],
  ['elicitation/create', { ...FORM, mode: 'form' }],
  ['elicitation/create', LINK],
  ['roots/list', {}],
  ['sampling/createMessage', SAMPLE],
  ['sampling/createMessage', { ...SAMPLE, tools: USED }],
  ['sampling/createMessage', { ...SAMPLE, toolChoice: { mode: 'auto' } }],
  ['sampling/createMessage', { ...SAMPLE, includeContext: 'allServers' }],
  ['sampling/createMessage', { ...SAMPLE, messages: TWO }],
  ['sampling/createMessage', { ...SAMPLE, messages: [{ role: 'user', content: SOUND }] }],
];

/** What clients declare: one of each row. */
const DECLARED = {
  elicitation: [undefined, {}, { form: {} }, { url: {} }, { form: {}, url: {} }],
  sampling: [undefined, {}, { tools: {}, context: {} }],
  roots: [undefined, { listChanged: true }],
};
const CAPABILITIES = DECLARED.elicitation.flatMap((elicitation) =>
  DECLARED.sampling.flatMap((sampling) =>
    DECLARED.roots.map((roots): JsonObject => ({
      ...(elicitation && { elicitation }),
      ...(sampling && { sampling }),
      ...(roots && { roots }),
    })),
  ),
);

async function fullServer(): Promise<TaskServer> {
  const ask = defineTool({
    name: 'ask',
    title: 'Ask',
    description: 'Asks.',
    icons: ICONS,
    meta,
    annotations: { title: 'Ask', readOnlyHint: true },
    retryable: true,
    input: z.object({ method: z.string(), params: z.record(z.string(), z.unknown()) }),
    run: async ({ args, task }) => {
      const answer = await task.input(args.method, args.params);
      return JSON.stringify(answer);
    },
  });
  const show = defineTool({
    name: 'show',
    description: 'Shows.',
    input: z.object({}),
    run: async ({ task, request }) => {
      task.progress({ progress: 1, total: 2, message: 'half' });
      await task.elicitationComplete('e');
      request?.log('error', 'A line', 'a logger');
      return { content: BLOCKS, structuredContent: { shown: true }, ...MORE };
    },
  });
  const count = defineTool({
    name: 'count',
    description: 'Counts.',
    input: z.object({}),
    output: z.object({ count: z.number() }),
    run: () => ({ count: 1 }),
  });
  const listed = { title: 'T', icons: ICONS, annotations: NOTES, meta };
  const server = await createTaskServer({
    name: 'full',
    version: '1.0.0',
    title: 'Full',
    logging: true,
    tools: [ask, show, count],
    resources: [
      defineResource({
        uri: 'x:fixed',
        name: 'fixed',
        ...listed,
        size: 3,
        read: () => ({ contents: [{ uri: 'x:fixed', text: 'abc', ...MORE }] }),
      }),
      defineResourceTemplate({
        uriTemplate: 'x:{id}',
        name: 'each',
        ...listed,
        complete: { id: () => ['a'] },
        read: ({ uri }) => ({ contents: [{ uri, text: 'abc', ...MORE }] }),
      }),
    ],
    prompts: [
      definePrompt({
        name: 'say',
        title: 'Say',
        icons: ICONS,
        meta,
        args: z.object({ what: z.string() }),
        get: () => ({ messages: BLOCKS.map((content) => ({ role: 'user' as const, content })) }),
      }),
    ],
  });
  onTestFinished(() => server.close(0));
  return server;
}

const REQUESTS: readonly (readonly [string, JsonObject])[] = [
  ['ping', {}],
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'x:fixed' }],
  ['resources/subscribe', { uri: 'x:fixed' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'say', arguments: { what: 'x' } }],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'x:{id}' }, argument: { name: 'id', value: '' } },
  ],
  ['logging/setLevel', { level: 'debug' }],
  ['tools/call', { name: 'show', arguments: {}, _meta: { progressToken: 1 } }],
  ['tools/call', { name: 'count', arguments: {} }],
  ...QUESTIONS.map(
    ([method, params]) => ['tools/call', { name: 'ask', arguments: { method, params } }] as const,
  ),
];

interface Left {
  readonly request: string;
  readonly message: JsonObject;
}

/** Everything that leaves for a client which answers every question with an error. */
async function leaving(
  server: TaskServer,
  revision: string,
  capabilities: JsonObject,
): Promise<readonly Left[]> {
  const client = clientOf(server);
  const left: Left[] = [];
  let seen = 0;
  const take = (request: string): void => {
    for (const line of client.lines.slice(seen)) {
      const message = JSON.parse(line) as JsonObject;
      left.push({ request, message });
      seen += 1;
      if (message['method'] === undefined || message['id'] === undefined) continue;
      const error = { code: -1, message: 'No' };
      client.write(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error }));
    }
  };
  const clientInfo = { name: 'test', version: '1' };
  const isSession = revision < '2026';
  const meta = {
    ...META,
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/logLevel': 'debug',
  };
  const first: readonly (readonly [string, JsonObject])[] = isSession
    ? [['initialize', { protocolVersion: revision, capabilities, clientInfo }]]
    : [['server/discover', {}]];
  let id = 0;
  for (const [method, params] of [...first, ...REQUESTS]) {
    id += 1;
    const own = isSession
      ? params
      : { ...params, _meta: { ...meta, ...(params['_meta'] as object | undefined) } };
    let answer: JsonObject | undefined;
    void client
      .request({ id: `${String(id)} ${method}`, method, params: own })
      .then((message) => (answer = message as unknown as JsonObject));
    while (answer === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      take(method);
    }
    if (method === 'initialize') {
      client.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    }
  }
  for (const change of ['toolsChanged', 'promptsChanged', 'resourcesChanged'] as const) {
    server.notify[change]();
  }
  server.notify.resourceUpdated('x:fixed');
  await client.request({
    id: 'last',
    method: isSession ? 'ping' : 'tools/list',
    params: isSession ? {} : { _meta: meta },
  });
  take(isSession ? 'ping' : 'tools/list');
  return left;
}

type Schema = { readonly [key: string]: unknown };

/** Members whose content is not the protocol's: of a tool's author, or of any extension. */
const FREE = new Set([
  '_meta',
  'arguments',
  'data',
  'experimental',
  'extensions',
  'inputSchema',
  'metadata',
  'outputSchema',
  'requestedSchema',
  'structuredContent',
]);

/** The schema without members that it does not declare: the protocol's are open. */
function closed(schema: unknown, name?: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => closed(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, ...rest } = schema as Schema;
  if (name !== undefined && (FREE.has(name) || name.endsWith('MetaObject'))) return schema;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, closed(value, key)] as const),
  );
  if (properties === undefined) return inner;
  const own = Object.entries(properties as Schema).map(
    ([key, value]) => [key, closed(value, key)] as const,
  );
  const isOpen = 'additionalProperties' in rest || 'allOf' in rest;
  return {
    ...inner,
    properties: Object.fromEntries(own),
    ...(!isOpen && { unevaluatedProperties: false }),
  };
}

interface Tables {
  readonly REQUESTS: Readonly<Record<string, { definition: string; results: readonly string[] }>>;
  readonly NOTIFICATIONS: Readonly<Record<string, { definition: string } | undefined>>;
}

async function tablesOf(revision: string): Promise<Tables> {
  return (await import(`../../generated/${revision}/protocol.ts`)) as Tables;
}

/** The questions in a result. */
function inputsOf({ result }: JsonObject): readonly JsonObject[] {
  const { inputRequests = {} } = (result ?? {}) as { inputRequests?: JsonObject };
  return Object.values(inputRequests) as JsonObject[];
}

/** What a revision's closed schema refuses in a message. */
async function judgeOf(revision: string): Promise<(left: Left) => string | undefined> {
  const file = new URL(`../../schema/${revision}/schema.json`, import.meta.url);
  const document = closed(JSON.parse(readFileSync(file, 'utf8'))) as Schema;
  const key = '$defs' in document ? '$defs' : 'definitions';
  const { REQUESTS, NOTIFICATIONS } = await tablesOf(revision);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ [key]: document[key] }, 'revision');
  const problem = (definitions: readonly string[], value: unknown): string | undefined => {
    const refused = definitions.map((each) => {
      const validate = ajv.getSchema(`revision#/${key}/${each}`);
      if (validate === undefined) return `no definition ${each}`;
      if (validate(value) === true) return undefined;
      const error = validate.errors?.[0];
      return `${each}${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params)}`;
    });
    return refused.includes(undefined) ? undefined : refused.join('; ');
  };
  return ({ request, message }) => {
    const { jsonrpc: _, id: __, ...own } = message;
    const { method, result, error } = message;
    if (typeof method === 'string') {
      const info = REQUESTS[method] ?? NOTIFICATIONS[method];
      if (info === undefined) return `${revision} has no ${method}`;
      const { properties = {} } =
        (document[key] as Readonly<Record<string, Schema>>)[info.definition] ?? {};
      const whole = 'jsonrpc' in (properties as object) ? message : own;
      return problem([info.definition], whole);
    }
    if (error !== undefined) return undefined;
    for (const input of inputsOf(message)) {
      const asked = String(input['method']);
      const found = problem([REQUESTS[asked]?.definition ?? asked], input);
      if (found !== undefined) return found;
    }
    return problem(REQUESTS[request]?.results ?? [], result);
  };
}

/** Messages of the server, or questions in its results, that the requests cause where a revision has them. */
const CAUSED = [
  'elicitation/create',
  'notifications/message',
  'notifications/progress',
  'roots/list',
  'sampling/createMessage',
];
const IN_SESSIONS = [
  ...CAUSED,
  'notifications/elicitation/complete',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tools/list_changed',
];

describe.each(PROTOCOL_VERSIONS)('to clients of %s', (revision) => {
  it('nothing leaves that the revision does not declare', async () => {
    const server = await fullServer();
    const judge = await judgeOf(revision);
    const wrong = new Set<string>();
    const sent = new Set<unknown>();
    for (const capabilities of CAPABILITIES) {
      for (const left of await leaving(server, revision, capabilities)) {
        for (const each of [left.message, ...inputsOf(left.message)]) sent.add(each['method']);
        const problem = judge(left);
        if (problem !== undefined) wrong.add(`${left.request}: ${problem}`);
      }
    }
    expect([...wrong]).toEqual([]);
    const { REQUESTS: requests, NOTIFICATIONS: notifications } = await tablesOf(revision);
    const caused = revision < '2026' ? IN_SESSIONS : CAUSED;
    const expected = caused.filter((each) => requests[each] ?? notifications[each]);
    sent.delete(undefined);
    expect([...sent].sort()).toEqual([...expected].sort());
  });
});
