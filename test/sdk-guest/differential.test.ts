import { PassThrough } from 'node:stream';

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { META_KEYS } from '../../runtime/protocol.js';
import { withTasks } from '../../runtime/server/sdk-guest/index.js';
import { createTaskServer, serveHttp, serveStdio } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import { type Asker, overHttp, overPipe } from './clients.js';
import { piped } from './hosts.js';
import { LIBRARIES, type Library } from './servers.js';

async function serverWith(make: () => Library) {
  const server = await createTaskServer({
    name: 'host',
    version: '1.0.0',
    tools: [],
    guest: () => make().server,
    onError: (error) => {
      if (error.name !== 'Warning') throw error;
    },
  });
  onTestFinished(() => server.close(0));
  return server;
}

type Open = (make: () => Library) => Promise<Asker>;

/** How the same server is reached: by the SDK alone, and in four ways through this library. */
const alone: Open = async (make) =>
  overPipe(await piped('v2', (transport) => make().server.connect(transport as never)), 'v2');

const WAYS: readonly (readonly [string, Open])[] = [
  [
    'as a guest over stdio',
    async (make) => {
      const [source, target] = [new PassThrough(), new PassThrough()];
      const handle = serveStdio(await serverWith(make), { source, target });
      onTestFinished(() => handle.close());
      return overPipe({ source, target }, 'v2');
    },
  ],
  [
    'as a guest over HTTP',
    async (make) => {
      const http = await serveHttp(await serverWith(make), {
        allowUnidentified: true,
        allowUnidentifiedInput: true,
      });
      onTestFinished(() => http.close());
      return overHttp(http.url, 'v1');
    },
  ],
  [
    'as a guest, without sessions',
    async (make) => {
      const http = await serveHttp(await serverWith(make), { allowUnidentified: true });
      onTestFinished(() => http.close());
      return overHttp(http.url, 'v2', undefined, 'auto');
    },
  ],
  [
    'with tasks',
    async (make) => {
      const tasks = await createTaskServer({ name: 'tasks', version: '1.0.0', tools: [] });
      onTestFinished(() => tasks.close(0));
      const pipe = await piped('v2', (transport) =>
        withTasks(make().server, tasks, { local: true }).connect(transport),
      );
      return overPipe(pipe, 'v2');
    },
  ],
];

const name = fc.constantFrom('find', 'count', 'broken', 'blocks', 'missing', '__proto__', '');
const args = fc.oneof(
  fc.constant({}),
  fc.record({ title: fc.string() }),
  fc.record({ by: fc.oneof(fc.integer(), fc.double(), fc.string()) }),
  fc.dictionary(fc.string(), fc.jsonValue()),
);
const uri = fc.oneof(
  fc.constantFrom('library://rules', 'library://books/1', 'library://books/', 'library://none'),
  fc.webUrl(),
);
const asked = fc.oneof(
  fc.record({
    method: fc.constantFrom(
      ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
    ),
    params: fc.constant({}),
  }),
  fc.record({
    method: fc.constant('tools/call'),
    params: fc.record({ name, arguments: args }, { requiredKeys: ['name'] }),
  }),
  fc.record({
    method: fc.constant('prompts/get'),
    params: fc.record({
      name: fc.constantFrom('greet', 'missing'),
      arguments: fc.oneof(fc.record({ who: fc.string() }), fc.dictionary(fc.string(), fc.string())),
    }),
  }),
  fc.record({ method: fc.constant('resources/read'), params: fc.record({ uri }) }),
  fc.record({
    method: fc.constant('completion/complete'),
    params: fc.record({
      ref: fc.oneof(
        fc.record({ type: fc.constant('ref/prompt'), name: fc.constantFrom('greet', 'missing') }),
        fc.record({
          type: fc.constant('ref/resource'),
          uri: fc.constantFrom('library://books/{id}', 'library://rules', 'library://none'),
        }),
      ),
      argument: fc.record({ name: fc.constantFrom('who', 'id', 'none'), value: fc.string() }),
    }),
  }),
);

/** The answer as all ways must give it. */
async function answerOf({ request }: Asker, method: string, params: object): Promise<unknown> {
  try {
    return { result: comparable(await request(method, params)) };
  } catch (error) {
    const { code, message } = error as { readonly code: number; readonly message: string };
    // The first version of the SDK puts the code in front of the message.
    return { code, message: message.replace(/^(?:MCP error -\d+: )+/, '') };
  }
}

/** Without what each result of 2026-07-28 has, and without what a tool says of tasks, which a guest does not run. */
function comparable(result: JsonObject): JsonObject {
  const { resultType: _, ttlMs: __, cacheScope: ___, _meta: meta, tools, ...own } = result;
  const { [META_KEYS.serverInfo]: ____, ...metaLeft } = (meta ?? {}) as JsonObject;
  return {
    ...own,
    ...(Object.keys(metaLeft).length > 0 && { _meta: metaLeft }),
    ...(tools !== undefined && {
      tools: (tools as JsonObject[]).map(({ execution: _____, ...tool }) => tool),
    }),
  };
}

/** Sessions have a code of their own for a resource that does not exist. */
const sameCode = (answer: unknown): unknown =>
  (answer as { code?: number }).code === -32002 ? { ...(answer as object), code: -32602 } : answer;

describe.each(LIBRARIES)('a server of %s', (_, make) => {
  it.each(WAYS)('answers the same alone and %s', async (__, open) => {
    const [before, after] = [await alone(make), await open(make)];
    await fc.assert(
      fc.asyncProperty(asked, async ({ method, params }) => {
        const answer = sameCode(await answerOf(after, method, params));
        expect(answer).toEqual(sameCode(await answerOf(before, method, params)));
      }),
      { numRuns: sized(150) },
    );
  });
});
